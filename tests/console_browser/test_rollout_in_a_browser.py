"""A rollout in a real browser: begun, promoted and taken back by keyboard, each step after a yes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect
from tests.console.recorded import keep, store_in
from tests.console.rolling import UNIT, ended, settle, settled, unit_in
from tests.console.visiting import serving

from prowess.host.storing import Store

pytestmark = pytest.mark.slow

SINCE = 4_000_000_000.0


@pytest.fixture(scope="module")
def units(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unit_in(tmp_path_factory.mktemp("rolling"))


@pytest.fixture(scope="module")
def store(units: Path) -> Iterator[Store]:
    with store_in(units.parent) as made:
        keep(made, *ended("1.4.2", 60, 1, SINCE), *ended("2.0.0", 60, 3, SINCE + 0.5))
        yield made


@pytest.fixture(scope="module")
def tab(units: Path, store: Store, browser: Browser) -> Iterator[Page]:
    with serving(units, store=store, connect=False) as (link, _, _):
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


def test_a_rollout_is_begun_promoted_and_taken_back(tab: Page, units: Path) -> None:
    tab.goto("/rollout")
    press(tab, UNIT, "link")
    tab.get_by_label("Percent of callers").fill("25")
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("heading", level=1)).to_have_text("Change who gets which version?")
    assert settled(units) is None
    press(tab, "Set")
    expect(tab.get_by_text("2.0.0: 25 %").first).to_be_visible()
    press(tab, "Promote the canary")
    press(tab, "Promote")
    expect(tab.locator(".badge")).to_have_text("No canary")
    press(tab, "Roll it back")
    press(tab, "Roll back")
    expect(tab.locator(".badge")).to_have_text("Nobody gets the canary")
    assert getattr(settled(units), "stable", None) == "1.4.2"


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_rollouts_have_no_serious_fault_and_fit_a_phone(tab: Page, units: Path, scheme: str) -> None:
    settle(units, stable="1.4.2", canary="2.0.0", percent=5.0, since=SINCE)
    tab.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    tab.set_viewport_size({"width": 360, "height": 740})
    for path in ("/rollout", f"/rollout/unit?name={UNIT}"):
        tab.goto(path)
        found = Axe().run(tab).response["violations"]
        assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == [], path
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360, path
    expect(tab.locator("svg.intervals")).to_be_visible()
