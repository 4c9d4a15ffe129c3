"""The workbench as one types, in the console and in the file that works from a disk."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect
from tests.bounds import bound
from tests.commanding import commanding
from tests.console.visiting import serving
from tests.console.workbench_documents import PLUGIN

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "invoice-ops"
MILLISECONDS = bound(15) * 1000
HOSTILE = '{"a": "<img src=x onerror=alert(1)>\u202e", "b": 1.0}'


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        with serving(EXAMPLE, connect=False) as (found, _, _):
            yield found


@pytest.fixture(scope="module")
def tab(link: str, browser: Browser) -> Iterator[Page]:
    """A tab that has come in; a failing script, a dialog and a request to elsewhere fail the test."""
    context = browser.new_context()
    context.set_default_timeout(MILLISECONDS)
    made = context.new_page()
    place = link.partition("/enter")[0]
    strict(made, place)
    made.goto(link)
    yield made
    assert seen(made) == []
    context.close()


def strict(tab: Page, place: str) -> None:
    found: list[str] = []
    tab.on("pageerror", lambda error: found.append(str(error)))
    tab.on("console", lambda said: found.append(said.text) if said.type == "error" else None)
    tab.on("dialog", lambda dialog: found.append(dialog.message))
    tab.on(
        "request",
        lambda asked: None if asked.url.startswith((place, "data:", "blob:")) else found.append(asked.url),
    )
    tab.seen_by_test = found  # type: ignore[attr-defined]


def seen(tab: Page) -> list[str]:
    found: list[str] = tab.seen_by_test  # type: ignore[attr-defined]
    return found


def at(link: str, path: str) -> str:
    return link.partition("/enter")[0] + path


def serious(tab: Page) -> list[str]:
    found = Axe().run(tab).response["violations"]
    return [each["id"] for each in found if each["impact"] in ("serious", "critical")]


def test_json_is_formatted_as_one_types_by_keyboard_alone(tab: Page, link: str) -> None:
    asked: list[str] = []
    tab.goto(at(link, "/workbench"))
    tab.on("request", lambda each: asked.append(each.url))
    tab.focus("#text")
    tab.keyboard.type('{"b": 1.0, "a": [1e400]}')
    expect(tab.locator("[data-part=result] pre")).to_have_text(
        '{\n  "b": 1.0,\n  "a": [\n    1e400\n  ]\n}\n'
    )
    for _ in range(2):
        tab.keyboard.press("Tab")
    tab.keyboard.press("Space")
    expect(tab.locator("[data-part=result] pre")).to_contain_text('{\n  "a": [')
    tab.focus("#text")
    tab.keyboard.press("End")
    tab.keyboard.type("]")
    expect(tab.locator("[data-part=result] .notice")).to_contain_text("Line 1, column 25")
    expect(tab.locator("[role=status]")).to_have_text("Not JSON yet.")
    assert [each for each in asked if "/static/" not in each] == []
    assert serious(tab) == []


def test_a_result_is_downloaded_just_as_it_is(tab: Page, link: str) -> None:
    tab.goto(at(link, "/workbench"))
    tab.fill("#text", HOSTILE)
    expect(tab.locator(".unseen").first).to_have_text("U+202E")
    with tab.expect_download() as started:
        tab.get_by_role("button", name="Download").click()
    assert (
        Path(started.value.path()).read_text("utf-8")
        == json.dumps(json.loads(HOSTILE), indent=2, ensure_ascii=False) + "\n"
    )


def test_a_result_is_copied_just_as_it_is(tab: Page, link: str) -> None:
    tab.goto(at(link, "/workbench"))
    tab.fill("#text", HOSTILE)
    expect(tab.locator(".unseen").first).to_be_visible()
    tab.get_by_role("button", name="Copy").click()
    expect(tab.locator("[role=status]")).to_contain_text("copied", ignore_case=True)
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.get_by_role("button", name="Copy").click()
    expect(tab.locator("[role=status]")).to_have_text("Copied.")
    assert json.loads(tab.evaluate("navigator.clipboard.readText()")) == json.loads(HOSTILE)


def test_documents_are_compared_as_one_types_and_then_as_diff_does(tab: Page, link: str) -> None:
    tab.goto(at(link, "/workbench/compare"))
    tab.fill("#old", json.dumps({"$schema": PLUGIN, "name": "a", "status": "up"}))
    tab.fill("#new", HOSTILE)
    expect(tab.locator(".notice.warn")).to_contain_text("plugin.json#/status")
    expect(tab.locator(".differences tbody tr")).to_have_count(5)
    assert tab.locator("[data-part=result] img").count() == 0
    typed = tab.locator(".differences").inner_text()
    tab.get_by_role("button", name="Compare").click()
    expect(tab.locator("h2", has_text="By structure")).to_be_visible()
    assert tab.locator(".differences").inner_text() == typed
    assert serious(tab) == []


def test_a_judgement_leaves_the_text_where_it_is_and_links_to_its_lines(tab: Page, link: str) -> None:
    tab.goto(at(link, "/workbench/validate"))
    long = "x" * 200_000
    text = f'{{\n"$schema": "{PLUGIN}",\n"name": "A",\n"description": "{long}"}}'
    tab.fill("#text", text)
    tab.focus("button.primary")
    tab.keyboard.press("Enter")
    tab.locator(".findings a").first.focus()
    tab.keyboard.press("Enter")
    expect(tab.locator("#line-3:target")).to_contain_text('"name": "A"')
    assert tab.input_value("#text") == text
    assert serious(tab) == []


def test_nothing_is_wider_than_a_phone(tab: Page, link: str) -> None:
    tab.set_viewport_size({"width": 360, "height": 800})
    for path in ("/workbench", "/workbench/validate", "/workbench/compare"):
        tab.goto(at(link, path))
        for area in ("#text", "#old", "#new"):
            if tab.locator(area).count():
                tab.fill(area, json.dumps({"name": area * 200, "tools": []}))
        if path == "/workbench/validate":
            tab.click("button.primary")
            tab.wait_for_selector(".written")
        else:
            tab.wait_for_selector("[data-part=result] > *")
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360, path
    tab.set_viewport_size({"width": 1280, "height": 900})


@pytest.mark.slow
def test_ten_megabytes_stay_usable_as_one_types(tab: Page, link: str) -> None:
    tab.goto(at(link, "/workbench"))
    tab.evaluate("""() => {
        const item = { name: "a tool", text: "some text ".repeat(40), n: [1.5, true, null] };
        const area = document.getElementById("text");
        area.value = JSON.stringify(Array.from({ length: 23000 }, (_, id) => ({ ...item, id })));
        area.dispatchEvent(new Event("input", { bubbles: true }));
    }""")
    expect(tab.locator("[role=status]")).to_contain_text("Formatted", timeout=MILLISECONDS)
    assert tab.locator("[data-part=result] pre").evaluate("each => each.textContent.length") < 200_000
    tab.goto("about:blank")


# -- the file


def test_the_file_works_from_a_disk_and_asks_nobody(
    browser: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "workbench.html"
    assert commanding(capsys, "workbench")("--out", file).status == 0
    context = browser.new_context(offline=True, locale="en-GB")
    context.set_default_timeout(MILLISECONDS)
    page = context.new_page()
    strict(page, file.as_uri())
    page.goto(file.as_uri())
    page.fill("#text", HOSTILE)
    expect(page.locator("[data-workbench=format] pre").first).to_contain_text('"b": 1.0\n}')
    page.fill("#old", '{"a": [{"name": "x", "v": 1}]}')
    page.fill("#new", '{"a": [{"name": "y"}, {"name": "x", "v": 2}]}')
    expect(page.locator("[data-workbench=compare] [role=status]")).to_have_text(
        "1 added, 0 removed, 1 changed, 0 in another order."
    )
    page.fill("#new", json.dumps({"mcpServers": {"s": {"tools": []}}}))
    expect(page.locator(".notice.warn")).to_contain_text("mcp.json#/mcpServers/s/tools")
    for theme in ("light", "dark"):
        page.select_option("#theme", theme)
        assert serious(page) == []
    page.select_option("#language", "zh")
    expect(page.locator("h1")).to_have_text("工作台")
    expect(page.locator(".notice.warn")).to_contain_text("运行时状态被写回了软件包")
    assert page.title() == "工作台 · Prowess"
    assert serious(page) == []
    assert seen(page) == []
    context.close()


def test_the_file_runs_no_other_script(
    browser: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "workbench.html"
    assert commanding(capsys, "workbench")("--out", file).status == 0
    file.write_text(
        file.read_text("utf-8").replace("</body>", "<script>window.broken = true</script></body>"), "utf-8"
    )
    context = browser.new_context()
    page = context.new_page()
    refused: list[str] = []
    page.on("console", lambda said: refused.append(said.text))
    page.goto(file.as_uri())
    page.fill("#text", "[1]")
    expect(page.locator("[data-workbench=format] pre")).to_have_text("[\n  1\n]\n")
    assert page.evaluate("window.broken") is None
    assert any("Content Security Policy" in each for each in refused)
    context.close()
