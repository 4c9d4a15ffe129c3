"""What changed, in a real browser: approved, frozen and let through by keyboard, each after a yes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect
from tests.console.drifting import path_with_python, pinned, two_plugins
from tests.console.recorded import store_in
from tests.console.visiting import serving
from tests.store.remembering import asking

from prowess.host.storing import Store

pytestmark = pytest.mark.slow

FOREVER = 4_000_000_000.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("drifting")


@pytest.fixture(scope="module")
def store(folder: Path) -> Iterator[Store]:
    with store_in(folder) as made:
        yield made


@pytest.fixture(scope="module")
def tab(folder: Path, store: Store, browser: Browser) -> Iterator[Page]:
    config = two_plugins(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", path_with_python())
        for each in ("one/good", "two/good"):
            pinned(store, config, each)
        for digest in ("sha256:first", "sha256:second"):
            with ThreadPoolExecutor(1) as pool:
                pool.submit(asyncio.run, store.approvals.ask(asking(digest, expires=FOREVER))).result()
        with serving(config, store=store) as (link, _, _):
            context = browser.new_context(base_url=link.partition("/enter")[0])
            made = context.new_page()
            made.goto(link)
            yield made
            context.close()


def press(tab: Page, name: str, role: str = "button") -> None:
    """Go to a button and press it, with the keyboard alone."""
    found = tab.get_by_role(role, name=name, exact=True)  # type: ignore[arg-type]
    found.focus()
    tab.keyboard.press("Enter")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_drift_have_no_serious_fault_and_fit_a_phone(tab: Page, scheme: str) -> None:
    tab.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    tab.set_viewport_size({"width": 360, "height": 740})
    tool = "/drift/tool?server=one/good&tool=greet"
    for path in ("/drift", "/drift/plugin?plugin=one", "/drift/between", tool):
        tab.goto(path)
        found = Axe().run(tab).response["violations"]
        assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == [], path
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360, path


def test_a_tool_is_approved_and_another_forgotten(tab: Page) -> None:
    tab.goto("/drift")
    press(tab, "one/good/greet", "link")
    expect(tab.locator("pre.diff .added")).to_contain_text("Does greet")
    press(tab, "Approve as it is now")
    expect(tab.get_by_role("heading", level=1)).to_contain_text("Approve this tool")
    press(tab, "Cancel", "link")
    press(tab, "Approve as it is now")
    press(tab, "Approve")
    expect(tab.get_by_role("link", name="one/good/greet")).to_have_count(0)
    press(tab, "two/good/greet", "link")
    press(tab, "Forget what it was")
    press(tab, "Forget")
    expect(tab.get_by_text("Every tool is what it was")).to_be_visible()


def test_a_call_is_let_through_and_another_refused(tab: Page) -> None:
    tab.goto("/drift")
    press(tab, "Let through 1")
    press(tab, "Let through")
    expect(tab.locator("section.card")).to_have_count(1)
    press(tab, "Refuse 1")
    press(tab, "Refuse")
    expect(tab.get_by_text("No call waits for approval.")).to_be_visible()


def test_what_is_on_offer_is_frozen_and_compared(tab: Page, folder: Path) -> None:
    tab.goto("/drift")
    press(tab, "one", "link")
    press(tab, "Freeze what is on offer now")
    assert not (folder / "one" / "fixtures").exists()
    press(tab, "Freeze")
    expect(tab.locator(".notice.good")).to_be_visible()
    tab.goto("/drift/between")
    press(tab, "Compare")
    expect(tab.locator(".notice.good")).to_have_text("no difference")
