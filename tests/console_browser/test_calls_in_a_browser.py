"""Calls in a real browser: found by keyboard, followed as they come, and still while one reads."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect
from tests.console.recorded import keep, store_in
from tests.console.visiting import serving
from tests.store.remembering import call, decision, request

from prowess.host.storing import Store

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "invoice-ops"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with store_in(tmp_path_factory.mktemp("kept")) as made:
        now = time.time()
        known = call(id="thecall0001", trace_id="feedbeef01", started=now - 1)
        keep(
            made,
            *(call(started=now - 100 - each, duration_ms=float(each)) for each in range(60)),
            call(tool="send_reminder", outcome="timed-out", started=now - 50),
            known,
            decision(trace_id="feedbeef01", calls=(known.id,), started=now - 2),
            request(trace_id="feedbeef01", call=known.id, started=now - 1),
        )
        yield made


@pytest.fixture(scope="module")
def tab(store: Store, browser: Browser) -> Iterator[Page]:
    with serving(EXAMPLE, connect=False, store=store) as (link, _, _):
        context = browser.new_context(base_url=link.partition("/enter")[0])
        made = context.new_page()
        made.goto(link)
        yield made
        context.close()


def faults(tab: Page) -> list[str]:
    found = Axe().run(tab).response["violations"]
    return [each["id"] for each in found if each["impact"] in ("serious", "critical")]


def test_a_call_is_found_by_keyboard_alone(tab: Page) -> None:
    tab.goto("/calls")
    tab.get_by_label("Tool", exact=True).press_sequentially("query*")
    tab.keyboard.press("Enter")
    expect(tab).to_have_url(re.compile("tool=query"))
    link = tab.locator("#tail tbody a").first
    link.focus()
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("heading", level=1)).to_have_text("invoices/query_invoices")
    expect(tab.locator(".story li")).to_have_count(3)


def test_new_calls_appear_but_not_while_one_reads(tab: Page, store: Store) -> None:
    own = tab.context.new_page()
    own.clock.install()
    own.goto("/calls")
    first = own.locator("#tail tbody a").first
    keep(store, call(tool="appears", started=time.time()))
    own.clock.fast_forward(2_000)
    expect(first).to_have_text("invoices/appears")
    first.focus()
    keep(store, call(tool="waits", started=time.time()))
    own.evaluate(
        """document.addEventListener("htmx:beforeRequest", (event) => setTimeout(
            () => { document.title = event.defaultPrevented ? "held" : "asked"; }), {once: true})"""
    )
    own.clock.fast_forward(2_000)
    own.clock.fast_forward(10)
    expect(own).to_have_title("held")
    expect(first).to_have_text("invoices/appears")
    first.blur()
    own.clock.fast_forward(2_000)
    expect(first).to_have_text("invoices/waits")
    own.close()


def test_a_paused_list_does_not_ask(tab: Page) -> None:
    tab.goto("/calls")
    tab.get_by_role("link", name="Pause").press("Enter")
    expect(tab.locator(".live [role=status]")).to_contain_text("Paused")
    assert tab.locator("[hx-trigger]").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_calls_have_no_serious_fault_and_fit_a_phone(tab: Page, scheme: str) -> None:
    tab.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    tab.set_viewport_size({"width": 360, "height": 740})
    for path in ("/calls", "/calls/summary", "/calls/thecall0001"):
        tab.goto(path)
        assert faults(tab) == [], path
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360
