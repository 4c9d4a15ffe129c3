"""Packages in a real browser: by keyboard to the reason, and a search that follows what is typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect
from tests.console.packaging import house
from tests.console.visiting import serving

from prowess.host.storing import Store


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Page]:
    folder = tmp_path_factory.mktemp("house")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder / "data"))
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        config = house(folder / "packages")
        with serving(config, keep_rejected=True, store=Store.in_memory()) as (link, _, _):
            context = browser.new_context(base_url=link.partition("/enter")[0])
            made = context.new_page()
            made.on("pageerror", lambda error: pytest.fail(f"a script failed: {error}"))
            made.goto(link)
            yield made
            context.close()


def faults(tab: Page) -> list[str]:
    found = Axe().run(tab).response["violations"]
    return [each["id"] for each in found if each["impact"] in ("serious", "critical")]


def test_the_reason_of_a_missing_tool_is_reached_by_keyboard_in_three_steps(tab: Page) -> None:
    tab.goto("/packages")
    tab.get_by_label("The five hops of dropped").get_by_role("link").nth(1).focus()
    tab.keyboard.press("Enter")
    expect(tab).to_have_url(re.compile(r"/packages/dropped#components$"))
    tab.get_by_role("link", name="mcp.json#/mcpServers/untyped").focus()
    tab.keyboard.press("Enter")
    marked = tab.locator("tr.marked")
    expect(marked).to_contain_text('"untyped"')
    expect(marked).to_be_in_viewport()
    expect(tab).to_have_title("mcp.json · dropped · Packages · Prowess")


def test_a_search_follows_what_is_typed(tab: Page) -> None:
    tab.goto("/packages")
    tab.get_by_role("searchbox").press_sequentially("weigh")
    table = tab.get_by_role("region", name="What is missing, and why")
    expect(table).to_contain_text("weigh_boxes")
    expect(tab.get_by_role("searchbox")).to_be_focused()
    assert "q=weigh" in tab.url
    table.get_by_role("link").first.click()
    expect(tab.get_by_role("heading", level=1)).to_have_text("mixed")


PAGES = {
    "light": (
        "/packages?q=boxes",
        "/packages/gone",
        "/packages/dropped/file?path=mcp.json&line=4",
        "/packages/rules/server-type-missing",
    ),
    "dark": ("/packages?q=boxes", "/packages/dropped"),
}


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_its_pages_have_no_serious_fault_of_accessibility(
    tab: Page, scheme: Literal["light", "dark"]
) -> None:
    tab.emulate_media(color_scheme=scheme)
    for path in PAGES[scheme]:
        tab.goto(path)
        assert faults(tab) == [], path


@pytest.mark.slow
def test_nothing_is_wider_than_a_phone(tab: Page) -> None:
    tab.set_viewport_size({"width": 360, "height": 740})
    for path in ("/packages?q=boxes", "/packages/mixed", "/packages/dropped/file?path=mcp.json&line=4"):
        tab.goto(path)
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360, path
    tab.set_viewport_size({"width": 1280, "height": 900})
