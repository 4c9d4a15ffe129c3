"""Runs by keyboard in a real browser: start one, say yes, see it end, begin again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect
from tests.console.test_runs_pages import ASKS, WIDE
from tests.console.visiting import serving
from tests.workflow_engine.projects import Project

from prowess.host.storing import Store

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("runs")
    project = Project(folder)
    project.workflow("asks", ASKS)
    project.workflow("wide", WIDE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        with serving(folder, store=Store.in_memory()) as (link, _, _):
            yield link


def faults(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [each["id"] for each in found if each["impact"] in ("serious", "critical")]


def press(page: Page, name: str) -> None:
    """Go there as the keyboard does, and press Enter."""
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Enter")


def test_a_run_is_started_approved_and_begun_again_by_keyboard(link: str, page: Page) -> None:
    page.goto(link)
    origin = link.partition("/enter")[0]
    page.goto(f"{origin}/runs/workflow?name=asks&version=1.0.0")
    assert faults(page) == []
    page.get_by_label("Input, as a JSON object").fill('{"nam": "Kim"}')
    press(page, "Check and start…")
    expect(page.get_by_role("alert")).to_be_visible()
    assert faults(page) == []
    page.get_by_label("Input, as a JSON object").fill('{"name": "Kim"}')
    press(page, "Check and start…")
    expect(page.get_by_role("heading", level=1)).to_have_text("Start a run with just this input?")
    press(page, "Start it")
    expect(page.get_by_text("Greet Kim?", exact=True)).to_be_visible()
    assert faults(page) == []
    page.goto(f"{origin}/runs")
    assert faults(page) == []
    press(page, "Approve…")
    expect(page.get_by_role("heading", level=1)).to_have_text("Approve this step?")
    press(page, "Approve")
    expect(page.get_by_role("heading", name="What it gave")).to_be_visible()
    page.emulate_media(color_scheme="dark")
    assert faults(page) == []
    press(page, "Begin again…")
    press(page, "Begin it")
    expect(page.get_by_text("Greet Kim?", exact=True)).to_be_visible()
    press(page, "Cancel the run…")
    press(page, "Cancel the run")
    expect(page.get_by_role("status").first).to_contain_text("cancelled")
    page.set_viewport_size({"width": 360, "height": 800})
    for path in ("/runs", "/runs/workflow?name=wide&version=1.0.0"):
        page.goto(origin + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
