"""The console in a real browser: what holds for every page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page
from tests.console.visiting import serving

from prowess.console.pages import MENU

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "invoice-ops"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        with serving(EXAMPLE, connect=False) as (link, _, _):
            yield link


@pytest.fixture(scope="module")
def state(place: str, browser: object) -> Iterator[object]:
    context = browser.new_context()  # type: ignore[attr-defined]
    tab = context.new_page()
    tab.goto(place)
    yield context.storage_state()
    context.close()


def test_every_area_has_no_serious_fault_of_accessibility(place: str, state: object, browser: object) -> None:
    origin = place.partition("/enter")[0]
    for scheme in ("light", "dark"):
        context = browser.new_context(storage_state=state, color_scheme=scheme)  # type: ignore[attr-defined]
        tab: Page = context.new_page()
        for path, _ in MENU:
            tab.goto(origin + path)
            found = Axe().run(tab).response["violations"]
            assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == [], path
        context.close()
