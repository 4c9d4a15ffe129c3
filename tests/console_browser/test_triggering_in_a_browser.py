"""Triggering by keyboard in a real browser: measure, see why, propose, compare, write."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect
from tests.console.test_triggering import library
from tests.console.visiting import serving

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library(tmp_path_factory.mktemp("triggering"))


@pytest.fixture(scope="module")
def links(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        with serving(root, connect=False) as (link, _, _):
            yield link


def faults(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [each["id"] for each in found if each["impact"] in ("serious", "critical")]


def press(page: Page, name: str) -> None:
    """Go there as the keyboard does, and press Enter."""
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Enter")


def test_a_description_is_measured_proposed_and_written_by_keyboard(
    links: str, page: Page, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.goto(links)
    origin = links.partition("/enter")[0]
    page.goto(f"{origin}/triggering")
    press(page, "Measure")
    expect(page.get_by_role("heading", name="Shortlist recall")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("rowheader").get_by_role("link", name="pay-invoices").focus()
    page.keyboard.press("Enter")
    press(page, "Propose words")
    expect(page.get_by_label("Description", exact=True)).to_have_value(
        "Settles open bills with the bank. Use when an invoice is due. Also for: transfer, supplier."
    )
    assert faults(page) == []
    press(page, "Write it into the file…")
    expect(page.get_by_role("heading", level=1)).to_have_text("Write this description of pay-invoices?")
    assert "transfer" not in (root / "pay-invoices" / "SKILL.md").read_text()
    assert faults(page) == []
    press(page, "Write it")
    expect(page.get_by_role("status")).to_contain_text("Written.")
    assert "for: transfer, supplier." in (root / "pay-invoices" / "SKILL.md").read_text()
    page.emulate_media(color_scheme="dark")
    assert faults(page) == []
    page.set_viewport_size({"width": 360, "height": 800})
    press(page, "Compare")
    expect(page.get_by_role("heading", name="Before and after")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.goto(f"{origin}/triggering")
    monkeypatch.setattr("prowess.console.triggering.AT_ONCE", 0.0)  # so that the page waits, not the answer
    press(page, "Measure")
    expect(page.get_by_role("heading", name="What was decided")).to_be_visible()
    for path in ("/triggering", "/triggering/wrong"):
        page.goto(origin + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
