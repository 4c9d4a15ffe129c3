"""A real browser: Debian's Chromium, driven by Playwright. Skipped where there is none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from tests.bounds import bound

MILLISECONDS = bound(15) * 1000


@pytest.fixture(scope="module")  # while it is open this thread has a running loop, which other tests need
def browser() -> Iterator[Browser]:
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        wanted = "chromium" in os.environ.get("PROWESS_REQUIRE", "").split(",")
        (pytest.fail if wanted else pytest.skip)("needs chromium")
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport={"width": 1280, "height": 900})
    made.set_default_timeout(MILLISECONDS)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """An empty tab; a page that breaks a script or is refused something by its policy fails the test."""
    made = context.new_page()
    made.on("pageerror", lambda error: pytest.fail(f"a script failed: {error}"))
    return made
