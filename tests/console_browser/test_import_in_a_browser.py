"""Import by keyboard in a real browser: choose, read the proposal, say yes, look after it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect
from tests.console.test_import_pages import Desk
from tests.console.visiting import serving

from prowess.host.storing import Store

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("import"))


@pytest.fixture(scope="module")
def link(desk: Desk, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"):
            patch.setenv(name, str(tmp_path_factory.mktemp("home")))
        patch.setenv("PATH", os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]]))
        patch.chdir(desk.project)
        with serving(desk.root, store=Store.in_memory()) as (link, _, _):
            yield link


def faults(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [each["id"] for each in found if each["impact"] in ("serious", "critical")]


def press(page: Page, name: str) -> None:
    """Go there as the keyboard does, and press Enter."""
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Enter")


def written(desk: Desk) -> Path:
    return desk.skill / "references" / "refund-rules.md"


def test_a_skill_is_imported_and_updated_by_keyboard(link: str, page: Page, desk: Desk) -> None:
    page.goto(link)
    origin = link.partition("/enter")[0]
    page.goto(f"{origin}/import")
    assert faults(page) == []
    page.get_by_role("rowheader", name="desk").get_by_role("link").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Name of the skill").fill("refund-desk")
    assert faults(page) == []
    press(page, "Read and propose")
    expect(page.get_by_role("heading", level=1)).to_have_text("Proposal: refund-desk")
    page.emulate_media(color_scheme="dark")
    assert faults(page) == []
    press(page, "Write it…")
    expect(page.get_by_role("heading", level=1)).to_have_text("Write this skill?")
    assert not written(desk).exists()
    press(page, "Write it")
    expect(page.get_by_role("status")).to_have_text("Written.")
    assert written(desk).exists()
    desk.says(refunds="# Refunds\n\nEverybody gets one.\n")
    press(page, "Ask whether it changed")
    expect(page.get_by_text("stale", exact=True)).to_be_visible()
    assert faults(page) == []
    press(page, "Read again and propose…")
    expect(page.get_by_role("heading", name="What changes")).to_be_visible()
    assert faults(page) == []
    press(page, "Write nothing")
    expect(page.get_by_role("heading", level=1)).to_have_text("Import")
    assert "Everybody" not in written(desk).read_text()
    page.set_viewport_size({"width": 360, "height": 800})
    for path in ("/import", "/import/from?server=desk", f"/import/skill?at={desk.skill}"):
        page.goto(origin + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
