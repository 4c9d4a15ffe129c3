"""What is true of every page of the console, wherever a browser looks; and how it gets about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page
from tests.bounds import bound
from tests.console.drifting import path_with_python
from tests.console.recorded import store_in
from tests.console.visiting import serving
from tests.console.world import happened, world

MOST_TABS = 200


@contextmanager
def shop_in(folder: Path) -> Iterator[str]:
    """A console over the whole world, in `folder`; the link into it."""
    with pytest.MonkeyPatch.context() as patch, store_in(folder) as store:
        patch.setenv("PATH", path_with_python())
        for each in ("STATE", "DATA", "CACHE", "CONFIG"):
            patch.setenv(f"XDG_{each}_HOME", str(folder / each.lower()))
        patch.setenv("HOME", str(folder))
        patch.chdir(folder)
        config = world(folder, more=True)
        happened(store, config)
        with serving(config, keep_rejected=True, store=store, timeout=bound(20)) as (
            link,
            _,
            _,
        ):
            yield link


def serious(tab: Page) -> list[str]:
    """What axe finds that keeps people out."""
    found = Axe().run(tab).response["violations"]
    return [each["id"] for each in found if each["impact"] in ("serious", "critical")]


def watched(tab: Page, place: str) -> list[str]:
    """What a page did that none may do, as it happens."""
    wrong: list[str] = []
    tab.on("pageerror", lambda error: wrong.append(f"a script failed: {error}"))
    tab.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)

    def asked(request: Any) -> None:
        if not request.url.startswith((f"{place}/", "data:", "about:", "blob:")):
            wrong.append(f"asked {request.url[:200]}")

    tab.on("request", asked)
    return wrong


def press(tab: Page, name: str, role: Any = "button") -> None:
    """Go to a button, the first of that name, and press it as the keyboard does."""
    tab.get_by_role(role, name=name, exact=True).first.press("Enter")


FOCUSED = "(document.activeElement.labels?.[0] || document.activeElement).innerText?.trim() || ''"


def tab_to(tab: Page, name: str) -> None:
    """Go on with the Tab key alone until what has this name, or this label, has the focus."""
    for _ in range(MOST_TABS):
        tab.keyboard.press("Tab")
        if tab.evaluate(FOCUSED) == name:
            return
    pytest.fail(f"the Tab key does not lead to {name!r}")
