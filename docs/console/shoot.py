"""Take the pictures of the console's guide: `python -m docs.console.shoot`, at the root of a checkout.

The console is opened over the world of its tests (the examples, and a broken package of each kind), and each
page is brought to where it says something by the steps of a person. Needs chromium and the test extras, and
`pngquant` if it is there makes the pictures smaller.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Page, sync_playwright
from tests.bounds import bound
from tests.console.drifting import path_with_python
from tests.console.recorded import store_in
from tests.console.rolling import UNIT
from tests.console.visiting import serving
from tests.console.world import happened, world

HERE = Path(__file__).resolve().parent
WIDTH, HEIGHT = 1200, 800
MOST_BYTES = 1_200_000  # of all pictures together
Step = Callable[[Page], Any]


def measured(tab: Page) -> None:
    """The page of triggering with its numbers."""
    tab.goto("/triggering")
    tab.get_by_role("button", name="Measure").click()
    tab.get_by_role("heading", name="Shortlist recall").wait_for()


def called(tab: Page) -> None:
    """A tool that was called, at what it answered."""
    tab.goto("/capabilities/tool?server=invoice-ops/invoice-tools&name=query_invoices")
    tab.get_by_label("week").fill("2026-W31")
    tab.get_by_role("button", name="Call it").click()
    tab.locator("#outcome").wait_for()


def waiting(tab: Page) -> None:
    """A run that waits for a yes."""
    tab.goto("/runs/workflow?name=greet_guest&version=1.0.0")
    tab.get_by_label("Input, as a JSON object").fill('{"name": "Kim"}')
    tab.get_by_role("button", name="Check and start…").click()
    tab.get_by_role("button", name="Start it").click()
    tab.get_by_text("Book a table for Kim?", exact=True).wait_for()


def proposed(tab: Page) -> None:
    """What would be imported, before anybody says yes."""
    tab.goto("/import/from?server=content")
    tab.get_by_label("Name of the skill").fill("guide-book")
    tab.get_by_role("button", name="Read and propose").click()
    tab.get_by_role("heading", name="Proposal").wait_for()


def validated(tab: Page) -> None:
    """A document that does not fit, at its line."""
    tab.goto("/workbench/validate")
    tab.get_by_label("Text", exact=True).fill('{\n  "name": "Not A Name",\n  "version": 1\n}')
    tab.get_by_role("button", name="Validate").click()
    tab.locator("#verdict").wait_for()


def page(address: str) -> Step:
    """Just that page."""
    return lambda tab: tab.goto(address)


# The folder is a temporary one of this machine; pictures call it what it might be called elsewhere.
ELSEWHERE = """(folder) => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    walker.currentNode.data = walker.currentNode.data.replaceAll(folder, "/home/kim/shop");
  }
}"""
Scheme = Literal["light", "dark"]
PICTURES: dict[str, tuple[Step, Scheme, str, int]] = {  # how to get there, colours, language, width
    "packages": (page("/packages"), "light", "en-GB", WIDTH),
    "package": (page("/packages/bad-skill"), "light", "en-GB", WIDTH),
    "capability": (called, "light", "en-GB", WIDTH),
    "search": (page("/capabilities/search?query=unpaid+invoices"), "light", "en-GB", WIDTH),
    "drift": (page("/drift/tool?server=changed/door&tool=greet"), "light", "en-GB", WIDTH),
    "calls": (page("/calls/summary"), "dark", "en-GB", WIDTH),
    "run": (waiting, "light", "en-GB", WIDTH),
    "rollout": (page(f"/rollout/unit?name={UNIT}"), "light", "en-GB", WIDTH),
    "triggering": (measured, "light", "en-GB", WIDTH),
    "import": (proposed, "light", "en-GB", WIDTH),
    "workbench": (validated, "light", "en-GB", WIDTH),
    "chinese": (page("/packages/invoice-ops"), "light", "zh-CN", WIDTH),
    "phone": (page("/packages/keyless"), "light", "en-GB", 390),
}


@contextmanager
def shop() -> Iterator[str]:
    """A console over the world, in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="shop-") as name:
        folder = Path(name).resolve()
        os.environ.update(
            {f"XDG_{each}_HOME": f"{folder}/{each}" for each in ("STATE", "DATA", "CACHE", "CONFIG")}
        )
        os.environ.update(HOME=name, PATH=path_with_python())
        os.chdir(folder)
        config = world(folder)
        with store_in(folder) as store:
            happened(store, config)
            with serving(config, keep_rejected=True, store=store, timeout=bound(20)) as (link, _, _):
                yield link
        os.chdir(HERE)


def taken(browser: Browser, link: str) -> None:
    """Every picture, into this folder."""
    origin = link.partition("/enter")[0]
    first = browser.new_context()
    first.new_page().goto(link)
    state = first.storage_state()
    for name, (step, scheme, locale, width) in PICTURES.items():
        context = browser.new_context(
            base_url=origin,
            storage_state=state,
            color_scheme=scheme,
            locale=locale,
            viewport={"width": width, "height": HEIGHT if width == WIDTH else 844},
        )
        tab = context.new_page()
        step(tab)
        tab.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
        if name == "workbench":
            tab.locator("form.workbench").evaluate("(each) => each.scrollIntoView()")
        tab.evaluate(ELSEWHERE, os.getcwd())
        tab.screenshot(path=HERE / f"{name}.png", animations="disabled")
        context.close()


def smaller() -> None:
    """Fewer colours, where the program for that is installed."""
    if shutil.which("pngquant"):
        files = [str(each) for each in HERE.glob("*.png")]
        subprocess.run(
            ["pngquant", "--force", "--ext", ".png", "--skip-if-larger", "64", *files], check=False
        )


def main() -> int:
    """Take them, and say how large they are."""
    found = shutil.which("chromium") or shutil.which("google-chrome")
    with shop() as link, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        taken(browser, link)
        browser.close()
    smaller()
    size = sum(each.stat().st_size for each in HERE.glob("*.png"))
    sys.stdout.write(f"{len(PICTURES)} pictures, {size:,} bytes\n")
    return 0 if size <= MOST_BYTES else 1


if __name__ == "__main__":
    sys.exit(main())
