"""Capabilities in a real browser: a tool called by keyboard, a call confirmed, search as one types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect
from tests.console import offering
from tests.console.visiting import serving

pytestmark = pytest.mark.slow

SENT: offering.Sent = []


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("capabilities")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        providers = [offering.tools(SENT), offering.content(folder / "content"), offering.many(120)]
        with serving(offering.plugin(folder / "plugin"), providers=providers) as (found, _, _):
            yield found


@pytest.fixture(scope="module")
def state(link: str, browser: Browser) -> Iterator[Any]:
    context = browser.new_context()
    context.new_page().goto(link)
    yield context.storage_state()
    context.close()


@pytest.fixture
def tab(link: str, state: Any, page: Page) -> Page:
    """A tab that has come in; scripts that fail and what the policy forbids fail the test."""
    page.context.add_cookies(state["cookies"])
    page.on("console", lambda said: pytest.fail(said.text) if "Content Security" in said.text else None)
    page.goto(link.partition("/enter")[0] + "/capabilities")
    SENT.clear()
    return page


def serious(tab: Page) -> list[str]:
    found = Axe().run(tab).response["violations"]
    return [each["id"] for each in found if each["impact"] in ("serious", "critical")]


def test_a_tool_is_found_filled_in_corrected_and_called_by_keyboard(tab: Page) -> None:
    tab.keyboard.press("/")
    tab.keyboard.type("find inv")
    expect(tab.locator("#list tbody tr")).to_have_count(1)
    tab.locator("#list a").focus()
    tab.keyboard.press("Enter")
    tab.get_by_label("Week").focus()
    tab.keyboard.type("31")
    tab.keyboard.press("Enter")
    summary = tab.locator("#problems")
    expect(summary).to_be_focused()
    tab.keyboard.press("Tab")
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    expect(tab.get_by_label("Week")).to_be_focused()
    assert serious(tab) == []
    tab.keyboard.press("Control+a")
    tab.keyboard.type("2026-W31")
    tab.keyboard.press("Enter")
    expect(tab.locator("#outcome")).to_be_focused()
    assert SENT == [("find_invoices", {"week": "2026-W31", "limit": 10, "version": "v1"})]
    assert serious(tab) == []


def test_a_call_that_may_change_something_is_made_after_a_yes(tab: Page) -> None:
    tab.goto(tab.url + "/tool?server=ledger&name=pay")
    tab.get_by_label("invoice").fill("I-1 \u202e<b>\n")
    tab.get_by_label("amount").fill("12.5")
    tab.keyboard.press("Enter")
    expect(tab.locator("pre")).to_contain_text('"amount": 12.5')
    assert SENT == []
    assert serious(tab) == []
    tab.get_by_role("button", name="Call it").press("Enter")
    expect(tab.locator("#outcome")).to_contain_text("Answered")
    assert SENT == [("pay", {"invoice": "I-1 \u202e<b>", "amount": 12.5})]
    tab.reload()
    expect(tab.locator("#outcome")).to_be_visible()
    assert len(SENT) == 1


def test_search_answers_as_one_types(tab: Page) -> None:
    tab.get_by_role("link", name="Search as a model would").press("Enter")
    tab.locator("#query").focus()
    tab.keyboard.type("unpaid invoices")
    first = tab.locator("#answer tbody a").first
    expect(first).to_have_text("ledger__find_invoices")
    expect(tab.locator("#query")).to_be_focused()
    tab.get_by_label("Tokens", exact=True).fill("0")
    expect(tab.locator("#answer")).to_contain_text("more than the whole budget")
    assert "budget=0" in tab.url


@pytest.mark.slow
def test_many_tools_are_right_in_every_look(tab: Page, browser: Browser, state: Any) -> None:
    for scheme, width, locale in (("dark", 360, "zh-CN"), ("light", 1280, "en")):
        context = browser.new_context(
            storage_state=state,
            color_scheme=scheme,  # type: ignore[arg-type]
            locale=locale,
            viewport={"width": width, "height": 800},
        )
        other = context.new_page()
        for path in ("/search?query=invoices", "/tool?server=ledger&name=find_invoices", "?kind=tools"):
            other.goto(tab.url + path)
            assert serious(other) == []
            assert other.evaluate("document.documentElement.scrollWidth") <= width
        context.close()


def test_what_others_wrote_does_nothing(tab: Page) -> None:
    tab.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    outside = []
    tab.on("request", lambda request: outside.append(request.url) if "127.0.0.1" not in request.url else None)
    tab.get_by_label("Find by name").fill("evil")
    tab.locator("#list tbody a", has_text="evil").click()
    expect(tab.get_by_role("heading", level=1)).to_contain_text("<script>alert(1)</script>")
    tab.get_by_role("button", name="Call it").click()
    expect(tab.locator("#problems, #outcome")).to_be_visible()
    tab.goto(tab.url.partition("/tool")[0] + "?kind=resources")
    tab.get_by_role("link", name="guide").click()
    expect(tab.locator(".prose")).to_contain_text("<script>alert(1)</script>")
    assert serious(tab) == []
    assert outside == []


def test_a_button_pressed_twice_calls_once(tab: Page, link: str) -> None:
    tab.goto(link.partition("/enter")[0] + "/capabilities/tool?server=ledger&name=delete")
    tab.get_by_role("button", name="Look at what is sent").click()
    tab.get_by_role("button", name="Call it").dblclick()
    expect(tab.locator("#outcome")).to_contain_text("Answered")
    assert [name for name, _ in SENT] == ["delete"]
