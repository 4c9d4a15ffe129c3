"""Runs in the console: drawn with their state, answered, started, cancelled, gone on with, begun again."""

from __future__ import annotations

import importlib.util
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.bounds import bound
from tests.console.visiting import Page, Visitor, visiting
from tests.workflow_engine.projects import Project

from prowess.host.storing import Store
from prowess.workflow import records_runs as runs

ASKS = """
name: asks
description: "<script>alert(1)</script>\\u202E asks first"
input: {type: object, required: [name], properties: {name: {type: string}}, additionalProperties: false}
steps:
  - {id: greet, skill: greet, params: {name: "{{name}}"}, approve: "Greet {{name}}?"}
output: "{{greet.result.said}}"
"""
WIDE = """
name: wide
steps:
  - parallel:
      left: [{id: l, skill: greet, params: {name: left}, when: "true"}]
      right: [{id: r, wait: 0.01}]
    id: both
  - id: loop
    skill: greet
    for_each: [a, b]
    concurrency: 2
    params: {name: "{{item}}"}
    retry: {attempts: 2}
    timeout: 9
    on_error: {compensate: {skill: greet, params: {name: sorry}}}
  - {id: inner, workflow: hello, params: {name: inside}, on_error: continue}
"""
FAILS = """
name: fails
steps:
  - {id: fine, skill: greet, params: {name: fine}}
  - {id: bad, skill: greet, params: {name: "{{fine.result.said}}"}, approve: "Really?"}
"""
HOSTILE = "<img src=x onerror=alert(1)>\u202e"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    project = Project(folder)
    project.workflow("asks", ASKS)
    project.workflow("wide", WIDE)
    project.workflow("fails", FAILS)
    return folder


@pytest.fixture(scope="module")
def visitor(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        with visiting(folder, store=Store.in_memory()) as visitor:
            yield visitor


def start(visitor: Visitor, name: str, given: str = "{}") -> str:
    """The path of a run that was started by its form."""
    asks = visitor.send("/runs/start", name=name, version="1.0.0", input=given)
    page = visitor.confirmed(asks)
    assert page.status == 200, page.text
    return page.url.removeprefix(visitor.place)


def until(visitor: Visitor, path: str, state: str) -> Page:
    """The page of a run once it is in that state."""
    end = time.monotonic() + bound(20)
    while True:
        page = visitor.get(path)
        if page.texts("p", role="status")[0].startswith(state):
            return page
        assert time.monotonic() < end, page.text


def act(visitor: Visitor, path: str, name: str, **fields: str) -> Page:
    return visitor.confirmed(visitor.send(f"{path}/{name}", **fields))


def question(page: Page, path: str) -> str:
    return page.form(f"{path}/approve")["question"]


def test_before_there_is_any_run_the_page_says_so(visitor: Visitor) -> None:
    page = visitor.get("/runs")
    assert "No runs yet" in page.text
    assert [each.text for each in page.find("th", scope="row")][:1] == ["asks"]
    assert visitor.get("/runs/0123456789abcdef").status == 404


def test_a_run_is_started_answered_and_shown_with_what_it_gave(visitor: Visitor) -> None:
    path = start(visitor, "asks", '{"name": "Kim"}')
    page = until(visitor, path, "waiting")
    assert "Greet Kim?" in page.text
    assert "Greet Kim?" in visitor.get("/runs").text
    asks = visitor.send(f"{path}/approve", question=question(page, path))
    assert asks.texts("h1") == ["Approve this step?"]
    assert "Greet Kim?" in asks.texts("dd")
    until(visitor, path, "waiting")  # nothing happens before the yes
    visitor.confirmed(asks)
    done = until(visitor, path, "completed")
    assert '"hello Kim"' in done.text
    assert len(done.find("div", class_="is-completed")) == 1
    assert visitor.confirmed(asks).status == 409, "it was answered before"


def test_a_no_fails_the_run_and_it_can_go_on_or_begin_again(visitor: Visitor) -> None:
    path = start(visitor, "fails")
    page = until(visitor, path, "waiting")
    act(visitor, path, "refuse", question=question(page, path))
    failed = until(visitor, path, "failed")
    assert failed.find("div", class_="is-failed")
    assert "said no" in " ".join(failed.texts("div", class_="bad"))
    old = question(page, path)
    assert act(visitor, path, "resume").url.endswith(path)
    again = until(visitor, path, "waiting")
    assert question(again, path) != old, "another question, which the old answer is not for"
    assert visitor.send(f"{path}/approve", question=old).status == 409
    act(visitor, path, "cancel")
    until(visitor, path, "cancelled")
    new = act(visitor, path, "retry", step="bad")
    assert not new.url.endswith(path)
    assert path.removeprefix("/runs/") in new.text
    there = new.url.removeprefix(visitor.place)
    assert "completed" in until(visitor, there, "waiting").find("div", class_="box")[0].text
    act(visitor, there, "cancel")


def test_everything_that_a_workflow_can_hold_is_drawn_and_read_in_its_order(visitor: Visitor) -> None:
    page = visitor.get("/runs/workflow?name=wide&version=1.0.0")
    titles = [each.find("strong")[0].text for each in page.find("div", class_="box")]
    assert titles == ["both", "l", "r", "loop", "greet", "inner"]
    text = page.find("ol", class_="flow")[0].text
    for each in (
        "only when: true",
        "wait 0.01 s",
        "at a time: 2",
        "attempts at most: 2",
        "seconds at most: 9",
    ):
        assert each in text
    assert "goes on after an error" in text
    assert "on error" in text
    assert page.texts("pre")[0].startswith("flowchart TD")
    run = until(visitor, start(visitor, "wide"), "completed")
    assert "2 / 2" in run.text
    assert len(run.find("div", class_="is-completed")) == 4, "of branches each step has its own"


def test_a_workflow_of_hundreds_of_steps_keeps_its_page_small(tmp_path: Path) -> None:
    project = Project(tmp_path)
    said = "<&>" * 30
    step = "  - {{id: s{0}, skill: greet, params: {{name: x}}, approve: 'Do {0} {1}?', retry: 3}}\n"
    lines = "".join(step.format(at, said) for at in range(400))
    project.workflow("many", f"name: many\nsteps:\n{lines}")
    project.settings("work = false")
    with visiting(tmp_path, store=Store.in_memory()) as idle:
        page = idle.get("/runs/workflow?name=many&version=1.0.0")
        assert len(page.find("div", class_="box")) == 100
        assert "300 more steps are not drawn" in page.text
        assert len(page.html.encode()) < 300_000
        path = start(idle, "many")
        run = path.removeprefix("/runs/")
        database = idle.host.workflows.database  # type: ignore[union-attr]
        owned: Any = idle.run(database.run(lambda rows: runs.claim(rows, run, 1, "dead", "dead/1")))

        def begun(rows: Any) -> None:
            for at in range(150):
                runs.begin(rows, owned, f"s{at}", "call", "completed", {"said": '<"' * 2_000})

        idle.run(database.run(begun))
        page = idle.get(path)
        assert len(page.find("tr")) == 101
        assert len(page.html.encode()) < 300_000


@pytest.mark.parametrize("given", ["", "[]", "{", '"x"', "{}", '{"name": 1}', '{"name": "x", "more": 1}'])
def test_an_input_that_does_not_fit_is_told_before_anybody_is_asked(visitor: Visitor, given: str) -> None:
    page = visitor.send("/runs/start", name="asks", version="1.0.0", input=given)
    assert page.find("textarea")[0].attributes["aria-invalid"] == "true"
    assert page.find("div", id="problems")
    assert page.form("/runs/start#problems")["input"] == given


def test_the_form_begins_with_what_is_required(visitor: Visitor) -> None:
    page = visitor.get("/runs/workflow?name=asks&version=1.0.0")
    assert page.form("/runs/start#problems")["input"] == '{\n  "name": ""\n}'
    assert "<script>alert" not in page.html
    assert "U+202E" in page.text


@pytest.mark.parametrize("name", ["x" * 60_000, "\u202e" * 40_000])
def test_nobody_says_yes_to_what_cannot_be_shown_whole(visitor: Visitor, name: str) -> None:
    given = json.dumps({"name": name}, ensure_ascii=False)
    page = visitor.send("/runs/start", name="asks", version="1.0.0", input=given)
    assert (page.status, page.find("form", class_="confirm")) == (400, [])


@pytest.mark.parametrize("query", ["", "?name=asks", "?name=asks&version=9.9.9", "?name=%3Cb%3E&version=1"])
def test_a_workflow_that_is_not_there_has_no_page(visitor: Visitor, query: str) -> None:
    assert visitor.get(f"/runs/workflow{query}").status == 404
    assert visitor.send("/runs/start", name="none", version="1.0.0", input="{}").status == 404


def test_runs_are_filtered_by_state_workflow_and_text(visitor: Visitor) -> None:
    path = start(visitor, "hello", '{"name": "Ann"}')
    until(visitor, path, "completed")
    id = path.removeprefix("/runs/")

    def listed(query: str) -> str:
        return visitor.get(f"/runs{query}").find("div", id="runs")[0].text

    assert id[:16] in listed("?state=completed&workflow=hello")
    assert id[:16] in listed(f"?q={id[:8]}")
    assert id[:16] not in listed("?state=failed")
    assert id[:16] not in listed("?workflow=work")
    assert "No run fits this filter." in listed("?q=nothing-like-it")
    for odd in ("?state=%3Cb%3E", "?state=running&at=-5", "?at=99999999", "?workflow=%00"):
        assert visitor.get(f"/runs{odd}").status == 200


def test_what_a_run_holds_is_shown_and_never_run(visitor: Visitor) -> None:
    given = '{"name": "<img src=x onerror=alert(1)>\\u202e"}'
    path = start(visitor, "hello", given)
    page = until(visitor, path, "completed")
    assert "<img" not in page.html
    assert "U+202E" in page.text or "\\u202e" in page.text


def test_a_long_result_is_cut_in_the_table_and_whole_on_its_own_page(visitor: Visitor) -> None:
    path = start(visitor, "hello", json.dumps({"name": "x" * 5_000 + HOSTILE}))
    page = until(visitor, path, "completed")
    assert len(page.find("table")[0].text) < 1_000
    (link,) = page.find("table")[0].find("a")
    step = visitor.get(link.attributes["href"])
    assert "x" * 5_000 in step.find("pre")[0].text
    assert "<img" not in step.html
    for odd in (f"{path}/step", f"{path}/step?key=%3Cb%3E", "/runs/none/step?key=greet"):
        assert visitor.get(odd).status == 404


def test_a_step_that_may_have_acted_is_done_again_or_given_its_result(
    visitor: Visitor, tmp_path: Path
) -> None:
    project = Project(tmp_path)
    project.settings("work = false")
    with visiting(tmp_path, store=Store.in_memory()) as idle:
        path = start(idle, "hello", '{"name": "Ann"}')
        run = path.removeprefix("/runs/")
        database = idle.host.workflows.database  # type: ignore[union-attr]
        owned: Any = idle.run(database.run(lambda rows: runs.claim(rows, run, 1, "dead", "dead/1")))
        idle.run(database.run(lambda rows: runs.begin(rows, owned, "greet", "call", "started", {})))
        sql = "UPDATE prowess_runs SET state = 'attention' WHERE run = ?"
        idle.run(database.run(lambda rows: rows.write(sql, (run,))))
        page = until(idle, path, "attention")
        assert page.find("div", class_="is-attention")
        assert [each.attributes["value"] for each in page.find("input", type="radio")] == ["again", "result"]
        assert act(idle, path, "resume").status == 400, "it has to be said which"
        assert idle.send(f"{path}/resume", how="result", result="{").status == 409
        assert idle.send(f"{path}/resume", how="result", result='"' + "x" * 60_000 + '"').status == 409
        asks = idle.send(f"{path}/resume", how="result", result='{"said": "by hand"}')
        assert "by hand" in asks.find("pre")[0].text
        idle.confirmed(asks)
        after = until(idle, path, "queued")
        assert "by hand" in after.text
        act(idle, path, "cancel")


def test_a_run_that_is_not_there_cannot_be_acted_on(visitor: Visitor) -> None:
    for name in ("approve", "refuse", "cancel", "resume", "retry"):
        assert visitor.send(f"/runs/no-such-run/{name}").status == 404
    path = start(visitor, "hello", '{"name": "Ann"}')
    until(visitor, path, "completed")
    assert act(visitor, path, "cancel").status == 400
    assert act(visitor, path, "retry", step="nowhere").status == 400


def test_a_denied_workflow_is_not_started(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.settings("", '[policy]\ndefault = "allow"\n[[policy.rules]]\ntool = "hello"\naction = "deny"')
    with visiting(tmp_path, store=Store.in_memory()) as visitor:
        asks = visitor.send("/runs/start", name="hello", version="1.0.0", input='{"name": "Ann"}')
        page = visitor.confirmed(asks)
        assert page.status in (400, 409)
        assert "No runs yet" in visitor.get("/runs").text


def test_a_host_without_workflows_says_how_to_have_some(tmp_path: Path) -> None:
    Project(tmp_path)
    with visiting(tmp_path / "units", store=Store.in_memory()) as visitor:
        page = visitor.get("/runs")
        assert page.status == 200
        assert "There are no workflows here." in page.text
        assert visitor.get("/runs/anything").status == 404
        assert visitor.send("/runs/anything/cancel").status == 404


def test_without_the_engine_the_page_says_what_to_install(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr("prowess.console.runs.find_spec", lambda name: None if name == "dbos" else real(name))
    assert "pip install 'prowess[workflow]'" in visitor.get("/runs").text


def test_the_pages_of_runs_are_there_in_chinese(visitor: Visitor) -> None:
    path = start(visitor, "hello", '{"name": "Ann"}')
    until(visitor, path, "completed")
    for each in ("/runs", path, "/runs/workflow?name=wide&version=1.0.0"):
        page = visitor.get(each, **{"Accept-Language": "zh"})
        said = [*page.texts("h2"), *page.texts("h3"), *page.texts("button"), *page.texts("dt")]
        said += page.texts("th", scope="col")
        assert [word for word in said if word.isascii()] == []
