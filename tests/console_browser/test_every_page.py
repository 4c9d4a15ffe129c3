"""Every page of the console over one whole world: in both languages and both themes, on a phone, by keyboard;
and from the link to the reason why something is missing in three clicks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from starlette.routing import Route
from tests.bounds import bound
from tests.console.packaging import plugin
from tests.console.rolling import UNIT
from tests.console.visiting import serving
from tests.console.world import stub
from tests.console_browser.looking import press, serious, shop_in, tab_to, watched

from prowess.console.areas import ROUTES
from prowess.console.pages import MENU
from prowess.host.storing import Store

pytestmark = pytest.mark.slow

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PHONE = {"width": 360, "height": 740}
TOOL = "server=invoice-ops/invoice-tools&name=query_invoices"
GUIDES = "server=content&"

# Of every route that is read: addresses of it. {run} and {skill} are known when there are some.
PAGES: dict[str, tuple[str, ...]] = {
    "/packages": ("/packages", "/packages?q=parcels", "/packages?q=nothing-of-that-name"),
    "/packages/{name}": tuple(
        f"/packages/{name}"
        for name in (
            "rejected",
            "bad-skill",
            "bad-schema",
            "changed",
            "gone",
            "keyless",
            "invoice-ops",
            "guides",
        )
    ),
    "/packages/{name}/file": (
        "/packages/invoice-ops/file?path=",
        "/packages/invoice-ops/file?path=mcp.json&line=4",
    ),
    "/packages/rules/{rule}": ("/packages/rules/skill-name-invalid",),
    "/capabilities": tuple(
        f"/capabilities?kind={kind}" for kind in ("tools", "prompts", "resources", "skills")
    ),
    "/capabilities/search": ("/capabilities/search?query=unpaid+invoices", "/capabilities/search?query=zzz"),
    "/capabilities/tool": (
        f"/capabilities/tool?{TOOL}",
        f"/capabilities/tool?{TOOL}&mode=json",
        f"/capabilities/tool?server=units&name={UNIT}",
        "/capabilities/tool?server=changed/door&name=greet",
    ),
    "/capabilities/prompt": (f"/capabilities/prompt?{GUIDES}name=analyze-report",),
    "/capabilities/resource": (f"/capabilities/resource?{GUIDES}uri=embedded:api-guide",),
    "/capabilities/template": (
        f"/capabilities/template?{GUIDES}template=embedded:guide/section/{{section}}",
    ),
    "/capabilities/skill": ("/capabilities/skill?name=desk/pay-invoices",),
    "/capabilities/skill/file": ("/capabilities/skill/file?name=desk/pay-invoices&path=SKILL.md",),
    "/capabilities/skill/served": ("/capabilities/skill/served?name=library/docs:read-books",),
    "/drift": ("/drift",),
    "/drift/plugin": ("/drift/plugin?plugin=invoice-ops", "/drift/plugin?plugin=desk"),
    "/drift/between": ("/drift/between",),
    "/drift/tool": ("/drift/tool?server=changed/door&tool=greet",),
    "/calls": ("/calls", "/calls?tool=nothing"),
    "/calls/summary": ("/calls/summary",),
    "/calls/{id}": ("/calls/thecall0001",),
    "/runs": ("/runs",),
    "/runs/{run}": ("{run}",),
    "/runs/{run}/step": ("{run}/step?key=weather",),
    "/runs/workflow": (
        "/runs/workflow?name=greet_guest&version=1.0.0",
        "/runs/workflow?name=book_flight&version=1.0.0",
    ),
    "/rollout": ("/rollout",),
    "/rollout/unit": (f"/rollout/unit?name={UNIT}",),
    "/triggering": ("/triggering",),
    "/triggering/wrong": ("/triggering/wrong",),
    "/triggering/description": ("/triggering/description?id=desk/pay-invoices",),
    "/import": ("/import",),
    "/import/from": ("/import/from?server=content",),
    "/import/skill": ("{skill}",),
    "/workbench": ("/workbench",),
    "/workbench/validate": ("/workbench/validate",),
    "/workbench/compare": ("/workbench/compare",),
    "/": ("/no-such-page",),
}


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with shop_in(tmp_path_factory.mktemp("shop")) as found:
        yield found


@pytest.fixture(scope="module")
def inside(link: str, browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(
        base_url=link.partition("/enter")[0], viewport={"width": 1280, "height": 900}
    )
    context.set_default_timeout(bound(15) * 1000)
    context.new_page().goto(link)
    yield context
    context.close()


@pytest.fixture
def tab(inside: BrowserContext) -> Iterator[Page]:
    """A tab of somebody who has come in and stands where the link led."""
    made = inside.new_page()
    made.goto("/")
    yield made
    made.close()


def origin_of(inside: BrowserContext) -> str:
    """Where the console is; the first tab stays open for this."""
    return inside.pages[0].url.partition("/packages")[0]


REASONS = {  # of each broken package: the hop that stopped it, the reason, and what to do or where to look
    "rejected": ("Manifest", "Not A Name", "plugin.json"),
    "bad-skill": ("Components", 'the name "Sort Parcels" has capitals', "write sort-parcels"),
    "gone": ("Connection", "the licence of", "run its command by hand"),
    "keyless": ("Connection", "PROWESS_WORLD_TOKEN holds nothing", "put the token where prowess.toml says"),
    "bad-schema": ("Offer", 'inputSchema is not of type "object"', "weigh_boxes"),
    "changed": ("Offer", "hidden: it changed since it was approved", "see what changed"),
}


@pytest.mark.parametrize("name", REASONS)
def test_why_something_of_a_package_is_missing_is_one_click_away(tab: Page, name: str) -> None:
    hop, why, what = REASONS[name]
    tab.get_by_label(f"The five hops of {name}").get_by_role("link", name=hop).click()
    expect(tab.get_by_role("heading", level=1)).to_have_text(name)
    expect(tab.locator("main")).to_contain_text(why)
    expect(tab.locator("main")).to_contain_text(what)
    expect(tab.locator(f"#{hop.lower()} > h2")).to_be_in_viewport()


def test_from_the_link_to_the_line_at_fault_takes_three_clicks(tab: Page) -> None:
    tab.get_by_role("link", name="bad-skill", exact=True).click()
    tab.get_by_role("link", name="sort-parcels", exact=True).click()
    tab.get_by_role("link", name="skills/sort-parcels/SKILL.md:2").click()
    expect(tab.locator("tr.marked")).to_contain_text("name: Sort Parcels")
    expect(tab.locator("tr.marked")).to_be_in_viewport()


@pytest.mark.slow
def test_why_nothing_comes_of_a_server_that_never_shakes_hands_is_one_click_away(
    tmp_path: Path, browser: Browser
) -> None:
    root = plugin(tmp_path / "silent", {"mute": stub("mute", "")})
    with serving(root, timeout=1.5, store=Store.in_memory()) as (link, _, _):
        context = browser.new_context()
        tab = context.new_page()
        tab.goto(link)
        tab.get_by_label("The five hops of silent").get_by_role("link", name="Connection").click()
        expect(tab.locator("#connection")).to_contain_text("no answer within 1.5 s")
        expect(tab.locator("#connection")).to_contain_text("give it more seconds")
        context.close()


def test_what_changed_of_a_hidden_tool_is_two_clicks_away(tab: Page) -> None:
    tab.get_by_label("The five hops of changed").get_by_role("link", name="Offer").click()
    tab.get_by_role("link", name="see what changed", exact=True).click()
    expect(tab.locator("pre.diff .added")).to_contain_text("Does greet.")


def test_a_missing_tool_is_found_and_a_tool_is_called_with_the_keys_alone(tab: Page) -> None:
    tab.keyboard.press("Tab")
    expect(tab.get_by_role("link", name="Skip to the page")).to_be_focused()
    tab.keyboard.press("Enter")
    tab.keyboard.press("/")
    tab.keyboard.type("weigh_boxes")
    expect(tab.locator("section.missing")).to_contain_text("left out")
    tab_to(tab, "weigh_boxes")
    tab.keyboard.press("Enter")
    expect(tab).to_have_url(re.compile("/packages/bad-schema#offer$"))
    tab_to(tab, "look at them and try them")
    tab.keyboard.press("Enter")
    expect(tab).to_have_title("Tools · Capabilities · Prowess")
    tab.keyboard.press("/")
    tab.keyboard.press("Control+a")
    tab.keyboard.type("query_weather")
    expect(tab.locator("#list tbody tr")).to_have_text(re.compile("query_weather"))
    tab_to(tab, "query_weather")
    tab.keyboard.press("Enter")
    expect(tab).to_have_title("query_weather · Capabilities · Prowess")
    tab_to(tab, "Look at what is sent")
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("heading", level=1)).to_have_text("Call this tool with just these arguments?")
    tab_to(tab, "Call it")
    tab.keyboard.press("Enter")
    expect(tab.locator("#outcome")).to_be_focused()
    expect(tab.locator("#outcome")).to_contain_text("Answered")


def test_times_are_in_the_readers_form_also_in_what_comes_later(tab: Page) -> None:
    tab.goto("/calls/summary")
    tab.goto("/calls?outcome=answered")
    written = tab.locator("#tail time").first
    exact = written.get_attribute("datetime")
    assert written.get_attribute("title") == exact
    assert written.inner_text() == tab.evaluate("(each) => dates.format(new Date(each))", exact)
    tab.evaluate("htmx.ajax('GET', '/calls', {target: '#tail', select: '#tail', swap: 'outerHTML'})")
    expect(tab.locator("#tail time[title]").first).to_be_visible()


def test_every_area_looks_right_at_first_sight(inside: BrowserContext, browser: Browser) -> None:
    context = another_reader(inside, browser, "zh-CN")
    tab = context.new_page()
    tab.emulate_media(color_scheme="dark")
    wrong = watched(tab, origin_of(inside))
    for path, _ in MENU:
        tab.goto(path)
        assert looked_at(tab, "zh", path) == []
    assert wrong == []
    context.close()


def another_reader(inside: BrowserContext, browser: Browser, locale: str) -> BrowserContext:
    """Who has come in too, and reads that language."""
    return browser.new_context(
        base_url=origin_of(inside), storage_state=inside.storage_state(), locale=locale
    )


def looked_at(tab: Page, language: str, path: str) -> list[str]:
    """What is wrong with the page that a tab shows, in whatever theme it is."""
    found = [f"{path}: {each}" for each in serious(tab)]
    if tab.locator("h1").count() != 1:
        found.append(f"{path}: {tab.locator('h1').count()} h1")
    if tab.locator("html").get_attribute("lang") != language:
        found.append(f"{path}: another language")
    if not tab.title().endswith(" · Prowess"):
        found.append(f"{path}: titled {tab.title()}")
    return found


def test_the_list_of_pages_has_every_route_that_is_read() -> None:
    routes = {each.path for each in ROUTES if isinstance(each, Route) and "GET" in (each.methods or ())}
    assert routes | {"/"} == PAGES.keys()


@pytest.fixture(scope="module")
def made(inside: BrowserContext, link: str) -> dict[str, str]:
    """A measurement, a run that waits and an imported skill, made as a person makes them."""
    tab = inside.new_page()
    tab.goto("/triggering")
    press(tab, "Measure")
    expect(tab.get_by_role("heading", name="Shortlist recall")).to_be_visible()
    tab.goto("/runs/workflow?name=greet_guest&version=1.0.0")
    tab.get_by_label("Input, as a JSON object").fill('{"name": "Kim"}')
    press(tab, "Check and start…")
    press(tab, "Start it")
    expect(tab.get_by_text("Book a table for Kim?", exact=True)).to_be_visible()
    found = {"run": "/runs/" + tab.url.partition("/runs/")[2]}
    tab.goto("/import/from?server=content")
    tab.get_by_label("Name of the skill").fill("guide-book")
    press(tab, "Read and propose")
    press(tab, "Write it…")
    press(tab, "Write it")
    expect(tab.get_by_role("status")).to_have_text("Written.")
    found["skill"] = "/import/skill?" + tab.url.partition("?")[2].partition("#")[0]
    tab.close()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
def test_every_page_is_right_in_both_themes_and_on_a_phone(
    inside: BrowserContext, browser: Browser, made: dict[str, str], locale: str
) -> None:
    context = another_reader(inside, browser, locale)
    tab = context.new_page()
    wrong = watched(tab, origin_of(inside))
    found: list[str] = []
    for path in (each.format(**made, section="{section}") for every in PAGES.values() for each in every):
        answer = tab.goto(path)
        assert answer is not None
        if path == "/no-such-page":
            wrong.clear()  # the browser says what the status was
        if answer.status != (404 if path == "/no-such-page" else 200):
            found.append(f"{path}: status {answer.status}")
        for scheme in SCHEMES:
            tab.emulate_media(color_scheme=scheme)
            found += looked_at(tab, locale[:2], f"{path} ({scheme})")
        tab.set_viewport_size(PHONE)  # type: ignore[arg-type]
        if tab.evaluate("document.documentElement.scrollWidth") > PHONE["width"]:
            found.append(f"{path}: wider than a phone")
        tab.set_viewport_size({"width": 1280, "height": 900})
    context.close()
    assert found == []
    assert wrong == []


# -- every write, done in a browser with its confirmation ------------------------------------------------

WRITES = {  # of every route that is written: the test that does it
    "/display": "test_every_page.py::test_a_reader_who_changes_the_language_of_a_page_that_asks_is_not_lost",
    "/capabilities/tool/call": "test_capabilities_in_a_browser.py::"
    "test_a_call_that_may_change_something_is_made_after_a_yes",
    "/capabilities/tool/next": "test_every_page.py::test_a_long_answer_is_read_on",
    "/capabilities/prompt/messages": "test_every_page.py::test_the_messages_of_a_prompt_are_shown",
    "/drift/freeze": "test_drift_in_a_browser.py::test_what_is_on_offer_is_frozen_and_compared",
    "/drift/compared": "test_drift_in_a_browser.py::test_what_is_on_offer_is_frozen_and_compared",
    "/drift/tool/approve": "test_drift_in_a_browser.py::test_a_tool_is_approved_and_another_forgotten",
    "/drift/tool/reset": "test_drift_in_a_browser.py::test_a_tool_is_approved_and_another_forgotten",
    "/drift/call/approve": "test_drift_in_a_browser.py::test_a_call_is_let_through_and_another_refused",
    "/drift/call/refuse": "test_drift_in_a_browser.py::test_a_call_is_let_through_and_another_refused",
    "/runs/start": "test_runs_in_a_browser.py::test_a_run_is_started_approved_and_begun_again_by_keyboard",
    "/runs/{run}/approve": "test_runs_in_a_browser.py::"
    "test_a_run_is_started_approved_and_begun_again_by_keyboard",
    "/runs/{run}/retry": "test_runs_in_a_browser.py::"
    "test_a_run_is_started_approved_and_begun_again_by_keyboard",
    "/runs/{run}/cancel": "test_runs_in_a_browser.py::"
    "test_a_run_is_started_approved_and_begun_again_by_keyboard",
    "/runs/{run}/refuse": "test_every_page.py::test_a_run_is_refused_and_goes_on",
    "/runs/{run}/resume": "test_every_page.py::test_a_run_is_refused_and_goes_on",
    "/rollout/share": "test_rollout_in_a_browser.py::test_a_rollout_is_begun_promoted_and_taken_back",
    "/rollout/promote": "test_rollout_in_a_browser.py::test_a_rollout_is_begun_promoted_and_taken_back",
    "/rollout/rollback": "test_rollout_in_a_browser.py::test_a_rollout_is_begun_promoted_and_taken_back",
    "/triggering/run": "test_triggering_in_a_browser.py::"
    "test_a_description_is_measured_proposed_and_written_by_keyboard",
    "/triggering/description": "test_triggering_in_a_browser.py::"
    "test_a_description_is_measured_proposed_and_written_by_keyboard",
    "/triggering/write": "test_triggering_in_a_browser.py::"
    "test_a_description_is_measured_proposed_and_written_by_keyboard",
    "/import/propose": "test_import_in_a_browser.py::test_a_skill_is_imported_and_updated_by_keyboard",
    "/import/write": "test_import_in_a_browser.py::test_a_skill_is_imported_and_updated_by_keyboard",
    "/import/check": "test_import_in_a_browser.py::test_a_skill_is_imported_and_updated_by_keyboard",
    "/import/update": "test_import_in_a_browser.py::test_a_skill_is_imported_and_updated_by_keyboard",
    "/import/refuse": "test_import_in_a_browser.py::test_a_skill_is_imported_and_updated_by_keyboard",
    "/workbench": "test_every_page.py::test_without_a_script_json_is_formatted_by_the_console",
    "/workbench/validate": "test_workbench_in_a_browser.py::"
    "test_a_judgement_leaves_the_text_where_it_is_and_links_to_its_lines",
    "/workbench/compare": "test_workbench_in_a_browser.py::"
    "test_documents_are_compared_as_one_types_and_then_as_diff_does",
}


def test_the_list_of_writes_has_every_route_that_is_written_and_tests_that_there_are() -> None:
    routes = {each.path for each in ROUTES if isinstance(each, Route) and "POST" in (each.methods or ())}
    assert routes | {"/display"} == WRITES.keys()
    for each in set(WRITES.values()):
        file, _, name = each.partition("::")
        assert f"def {name}(" in Path(__file__).with_name(file).read_text(encoding="utf-8"), each


def test_a_long_answer_is_read_on(tab: Page) -> None:
    tab.goto("/capabilities/tool?server=units&name=list_parcels")
    tab.locator("form.call button").press("Enter")
    if tab.locator("form.confirm").count():
        press(tab, "Call it")
    outcome = tab.locator("#outcome")
    expect(outcome).to_contain_text("Part 1 of")
    press(tab, "Read on")
    expect(outcome).to_contain_text("Part 2 of")


def test_the_messages_of_a_prompt_are_shown(tab: Page) -> None:
    tab.goto("/capabilities?kind=prompts")
    press(tab, "analyze-report", "link")
    for each in tab.locator("form.call input[required]").all():
        each.fill("sales")
    press(tab, "Show its messages")
    expect(tab.locator("#answer")).to_contain_text("sales")


def test_a_run_is_refused_and_goes_on(tab: Page) -> None:
    tab.goto("/runs/workflow?name=greet_guest&version=1.0.0")
    tab.get_by_label("Input, as a JSON object").fill('{"name": "Ann"}')
    press(tab, "Check and start…")
    press(tab, "Start it")
    expect(tab.get_by_text("Book a table for Ann?", exact=True)).to_be_visible()
    press(tab, "Refuse…")
    expect(tab.get_by_role("heading", level=1)).to_have_text("Refuse this step?")
    press(tab, "Refuse")
    expect(tab.locator("#run [role=status]").first).to_contain_text("failed")
    press(tab, "Go on…")
    expect(tab.get_by_role("heading", level=1)).to_have_text("Go on with this run?")
    press(tab, "Go on")
    expect(tab.get_by_text("Book a table for Ann?", exact=True)).to_be_visible()


def test_without_a_script_json_is_formatted_by_the_console(inside: BrowserContext, browser: Browser) -> None:
    context = browser.new_context(
        base_url=origin_of(inside), storage_state=inside.storage_state(), java_script_enabled=False
    )
    tab = context.new_page()
    tab.goto("/workbench")
    tab.get_by_label("JSON").fill('{"a":[1]}')
    tab.get_by_role("button", name="Format", exact=True).press("Enter")
    expect(tab.locator("[data-part=result] pre")).to_contain_text('"a": [')
    context.close()


def test_a_reader_who_changes_the_language_of_a_page_that_asks_is_not_lost(tab: Page) -> None:
    tab.goto(f"/capabilities/tool?server=units&name={UNIT}")
    press(tab, "Look at what is sent")
    expect(tab.locator("form.display.scripted")).to_be_visible()
    tab.get_by_label("Language").select_option("zh")
    expect(tab.get_by_role("heading", level=1)).to_have_text("能力")
    expect(tab.locator("form.display.scripted")).to_be_visible()  # the script listens
    tab.get_by_label("语言").select_option("en")
    expect(tab.get_by_role("heading", level=1)).to_have_text("Capabilities")
