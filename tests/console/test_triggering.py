"""Triggering in the console: measured on demand, what went wrong and why, another description tried."""

from __future__ import annotations

import json
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.bounds import bound
from tests.console.visiting import Page, Visitor, visiting

from prowess.evaluate.selectors import Selection
from prowess.evaluate.selectors_lexical import Lexical

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PLUGIN_SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
HOSTILE = "<script>alert(1)</script>\u202e pays &lt;b&gt; wages"
BETTER = (
    "Pays invoices from the business account. Use when a bill is due. Also for: supplier, transfer, money."
)


def library(at: Path) -> Path:
    """A folder of three skills with cases, one of which is hostile."""
    root = at / "desk"
    shutil.copytree(EXAMPLES / "desk", root)
    cases = root / "evals" / "triggers.yaml"
    more = f'  - {{utterance: "{HOSTILE}", expect: [plan-trips], split: test}}\n'
    cases.write_text(cases.read_text() + more)
    return root


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library(tmp_path_factory.mktemp("triggering"))


@pytest.fixture(scope="module")
def visitor(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        with visiting(root, connect=False) as visitor:
            yield visitor


@pytest.fixture(scope="module")
def measured(visitor: Visitor) -> Page:
    before = visitor.get("/triggering")
    assert before.texts("button", class_="primary") == ["Measure"]
    assert visitor.get("/triggering/wrong").status == 404
    return visitor.send("/triggering/run")


def test_what_is_measured_is_called_shortlist_recall(measured: Page) -> None:
    assert measured.url.endswith("/triggering")
    assert "Shortlist recall" in measured.texts("h2")
    assert "accuracy" not in measured.text
    assert len(measured.find("svg", class_="interval")) > 8


def test_false_triggers_are_told_by_sort_with_their_limit(measured: Page) -> None:
    heads = measured.texts("th", scope="row")
    assert any(each.startswith("near misses ranked first") for each in heads)
    assert any(each.startswith("requests taken by a sibling") for each in heads)
    assert measured.find("rect", class_="limit")


def test_the_matrix_is_drawn_in_the_page_without_style_or_script(measured: Page) -> None:
    (box,) = measured.find("div", class_="matrix")
    (drawn,) = box.find("svg")
    assert drawn.find("desc")[0].text.endswith(".")
    assert "style=" not in measured.html
    assert not box.find("script")


def test_a_wrong_utterance_is_told_with_what_came_and_by_which_words(
    measured: Page, visitor: Visitor
) -> None:
    page = visitor.get("/triggering/wrong?q=transfer+deposit")
    (row,) = page.find("tr")[1:]
    assert "transfer the deposit" in row.text
    assert "pay-invoices" in row.text
    assert "in no description: transfer deposit" in row.text


def test_what_people_are_said_to_say_is_shown_and_never_run(measured: Page, visitor: Visitor) -> None:
    page = visitor.get("/triggering/wrong?q=wages")
    assert "<script>alert" not in page.html
    assert "\u202e" not in page.html
    assert "U+202E" in page.text


@pytest.mark.parametrize(
    "query", ["?at=-1", "?at=99999999999", "?q=%00%F0", "?of=nobody", "?of=%3Cscript%3E"]
)
def test_odd_queries_give_a_page(measured: Page, visitor: Visitor, query: str) -> None:
    for path in ("/triggering", "/triggering/wrong"):
        page = visitor.get(path + query)
        assert page.status == 200
        assert "<script>" not in page.html


@pytest.mark.parametrize("query", ["", "?id=", "?id=nobody", "?id=%3Cscript%3E"])
def test_a_capability_that_is_not_there_has_no_page(visitor: Visitor, query: str) -> None:
    assert visitor.get(f"/triggering/description{query}").status == 404
    for path in ("/triggering/description", "/triggering/write"):
        assert visitor.send(path, id=query).status == 404


def test_another_description_is_compared_over_the_whole_library_and_nothing_written(
    visitor: Visitor, root: Path
) -> None:
    before = (root / "pay-invoices" / "SKILL.md").read_bytes()
    page = visitor.send("/triggering/description", id="pay-invoices", description=BETTER, do="compare")
    assert page.texts("h2") == ["Before and after", "What would be written"]
    first = next(row for row in page.find("tr") if row.text.startswith("its own, found first"))
    old, new, of = (int(each.text) for each in first.find("td", class_="number"))
    assert old < new <= of
    assert any("Also for: supplier" in each.text for each in page.find("span", class_="added"))
    assert (root / "pay-invoices" / "SKILL.md").read_bytes() == before


def test_a_description_that_no_skill_may_have_is_told_at_its_field(visitor: Visitor) -> None:
    page = visitor.send("/triggering/description", id="pay-invoices", description="x" * 2_000, do="compare")
    assert page.find("textarea", name="description")[0].attributes["aria-invalid"] == "true"
    assert page.texts("p", class_="problem")
    assert "What would be written" not in page.texts("h2")
    assert visitor.send("/triggering/write", id="pay-invoices", description="x" * 2_000).status == 400


def test_the_words_as_they_are_change_nothing(visitor: Visitor) -> None:
    form = visitor.get("/triggering/description?id=plan-trips").form("/triggering/description")
    page = visitor.send("/triggering/description", **{**form, "csrf": []}, do="compare")
    assert "These are the words as they are." in page.text
    assert page.status == 200


def test_what_is_proposed_is_what_the_improver_proposes(visitor: Visitor) -> None:
    page = visitor.send("/triggering/description", id="pay-invoices", do="propose")
    assert "transfer" in page.form("/triggering/description")["description"]
    assert "On cases that nothing was learned from" in page.text
    none = visitor.send("/triggering/description", id="plan-trips", do="propose")
    assert "Nothing to propose" in none.text


def test_a_description_is_written_once_it_was_shown_and_confirmed(tmp_path: Path) -> None:
    root = library(tmp_path)
    file = root / "pay-invoices" / "SKILL.md"
    before = file.read_text()
    with visiting(root, connect=False) as visitor:
        assert visitor.send("/triggering/run").status == 200
        tried = visitor.send("/triggering/description", id="pay-invoices", description=BETTER, do="compare")
        form = tried.form("/triggering/write")
        asks = visitor.post("/triggering/write", form)
        assert file.read_text() == before
        assert "Also for: supplier" in asks.find("pre")[0].text
        assert "Its own, found first" in asks.texts("dt")
        page = visitor.confirmed(asks)
        assert "Written." in page.text
        assert page.form("/triggering/description")["description"] == BETTER
        assert visitor.get("/triggering").texts("button", class_="primary") == ["Measure"]
        again = visitor.confirmed(asks)
        assert again.status == 409, "the file is not what was shown"
    head, body = before.split("description: >-\n")[0], before.split("\n---\n")[1]
    assert file.read_text().startswith(head)
    assert file.read_text().endswith(f"\n---\n{body}")


def test_a_unit_gets_trigger_phrases_in_its_own_file(tmp_path: Path) -> None:
    root = tmp_path / "units"
    shutil.copytree(EXAMPLES / "units", root)
    with visiting(root) as visitor:
        path = "/triggering/description"
        asked = {"id": "query_weather", "description": "", "triggers": "umbrella\r\numbrella\r\n drizzle "}
        tried = visitor.send(path, **asked, do="compare")
        assert "These are the words as they are." not in tried.text
        asks = visitor.post("/triggering/write", tried.form("/triggering/write"))
        assert "when the console is started again" in asks.texts("dd")
        assert visitor.confirmed(asks).status == 200
    files = [each.read_text() for each in root.glob("*/schema.json")]
    (written,) = [each for each in files if '"query_weather"' in each]
    assert '"umbrella"' in written
    assert '"drizzle"' in written


def test_what_has_no_cases_is_told_how_to_have_some(tmp_path: Path) -> None:
    root = library(tmp_path)
    shutil.rmtree(root / "evals")
    with visiting(root, connect=False) as visitor:
        page = visitor.get("/triggering")
        assert page.status == 200
        assert "no trigger cases" in page.text
        assert page.find("pre")
        assert not [each for each in page.find("form") if each.attributes["action"] == "/triggering/run"]
        assert visitor.send("/triggering/run").status == 400


def test_a_long_measurement_says_how_far_it_is_and_then_what_came_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    going, began = threading.Event(), threading.Event()
    real = Lexical.select

    async def slowly(self: Lexical, utterance: str, run: int) -> Selection:
        began.set()
        assert going.wait(bound(20))
        return await real(self, utterance, run)

    monkeypatch.setattr("prowess.console.triggering.AT_ONCE", 0.01)
    monkeypatch.setattr(Lexical, "select", slowly)
    with visiting(library(tmp_path), connect=False) as visitor:
        page = visitor.send("/triggering/run")
        assert began.wait(bound(20))
        assert page.find("progress")[0].attributes["max"] == "11"
        assert "Shortlist recall" not in page.texts("h2")
        assert visitor.send("/triggering/run").find("progress"), "one at a time"
        going.set()
        end = time.monotonic() + bound(20)
        while not (page := visitor.get("/triggering")).find("svg", class_="interval"):
            assert time.monotonic() < end
        assert not page.find("progress")


def test_of_two_skills_with_one_name_each_has_its_own_file(tmp_path: Path) -> None:
    for name in ("one", "two"):
        skill = tmp_path / name / "skills" / "trips"
        skill.mkdir(parents=True)
        skill.joinpath("SKILL.md").write_text(f"---\nname: trips\ndescription: Plans {name}.\n---\nGo.\n")
        manifest = {"$schema": PLUGIN_SCHEMA, "name": name, "version": "1.0.0", "description": "Trips."}
        (tmp_path / name / "plugin.json").write_text(json.dumps(manifest))
    (tmp_path / "one" / "evals").mkdir()
    cases = "format: 1\ncases:\n  - {utterance: plan two days, expect: [two/trips]}\n"
    (tmp_path / "one" / "evals" / "triggers.yaml").write_text(cases)
    (tmp_path / "prowess.toml").write_text('[plugins]\none = "one"\ntwo = "two"\n')
    with visiting(tmp_path / "prowess.toml", connect=False) as visitor:
        for name in ("one", "two"):
            page = visitor.get(f"/triggering/description?id={name}/trips")
            assert str(tmp_path / name / "skills" / "trips" / "SKILL.md") in page.text
        assert "two/trips" in visitor.send("/triggering/run").text


def test_every_word_is_there_in_chinese_too(measured: Page, visitor: Visitor) -> None:
    chinese = {"Accept-Language": "zh-CN,zh;q=0.9"}
    for path in ("/triggering", "/triggering/wrong", "/triggering/description?id=pay-invoices"):
        page = visitor.get(path, **chinese)
        for each in [*page.texts("h2"), *page.texts("caption"), *page.texts("button"), *page.texts("label")]:
            assert not each.isascii(), each
