"""`prowess run`, `prowess runs` and `prowess worker`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.workflow_engine.projects import Project

from prowess.cli import main
from prowess.workflow import records_runs as runs
from prowess.workflow.records_database import RunDatabase, Where
from prowess.workflow.records_retrying import waiting_approvals

ASKS = "name: asks\nsteps: [{skill: greet, params: {name: Kim}, approve: 'Greet?'}]"


class Verbs:
    """Runs verbs in this process, for one project."""

    def __init__(self, project: Project, capsys: pytest.CaptureFixture[str]) -> None:
        self.project = project
        self._capsys = capsys
        self.database = RunDatabase(Where(file=str(project.folder / "runs.sqlite3")))

    def __call__(self, *words: str, status: int = 0) -> str:
        assert main([*words, "--config", str(self.project.folder)]) == status, self._capsys.readouterr()
        return self._capsys.readouterr().out

    def json(self, *words: str, status: int = 0) -> Any:
        return json.loads(self(*words, "--json", status=status))


@pytest.fixture
def verbs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    project = Project(tmp_path)
    project.workflow("asks", ASKS)
    made = Verbs(project, capsys)
    yield made
    made.database.close()


def test_a_run_is_put_in_listed_shown_drawn_and_cancelled_without_starting_anything(verbs: Verbs) -> None:
    assert verbs.json("runs", "list") == {"format": 1, "runs": []}
    id = verbs("run", "hello", "--input", '{"name": "Kim"}').strip()
    assert [each["run"] for each in verbs.json("runs", "list", "--state", "queued")["runs"]] == [id]
    assert verbs.json("runs", "list", "--workflow", "work")["runs"] == []
    shown = verbs.json("runs", "show", id[:8])
    assert (shown["workflow"], shown["input"], shown["steps"]) == ("hello", {"name": "Kim"}, [])
    assert verbs("runs", "show", id, "--format", "mermaid").startswith("flowchart TD")
    verbs("runs", "cancel", id)
    assert verbs.json("runs", "show", id, status=1)["state"] == "cancelled"
    verbs("runs", "resume", id)
    assert verbs.json("runs", "show", id)["state"] == "queued"


@pytest.mark.parametrize(
    "words",
    [
        ("run", "nowhere"),
        ("run", "hello", "--input", "[]"),
        ("run", "hello", "--input", '{"nome": 1}'),
        ("run", "hello", "--queue", "none"),
        ("runs", "show"),
        ("runs", "show", "0000"),
        ("runs", "list", "0000"),
        ("runs", "list", "--state", "lost"),
        ("runs", "list", "--limit", "0"),
        ("runs", "list", "--format", "mermaid"),
        ("worker", "--queue", "none"),
    ],
)
def test_what_cannot_be_meant_is_told(verbs: Verbs, words: tuple[str, ...]) -> None:
    verbs(*words, status=2)


def test_a_run_without_workflows_is_told(tmp_path: Path) -> None:
    assert main(["run", "hello", "--config", str(tmp_path)]) == 2


def test_the_folder_that_one_stands_in_is_meant_and_said_and_none_above_it(
    verbs: Verbs, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(verbs.project.folder)
    assert main(["runs", "list"]) == 0
    assert "prowess.toml" in capsys.readouterr().err
    monkeypatch.chdir(verbs.project.folder / "units")
    assert main(["runs", "list"]) == 2


def test_a_folder_of_workflows_is_a_project_too(verbs: Verbs, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["runs", "list", "--config", str(verbs.project.folder / "workflows")]) == 0
    assert "a folder of workflows" in capsys.readouterr().err


def put(verbs: Verbs, id: str, sql: str) -> None:
    verbs.database.now(lambda rows: rows.write(sql, (id,)))


def test_an_event_is_sent_and_a_retry_is_a_new_run(verbs: Verbs) -> None:
    id = verbs("run", "work", "--input", '{"number": 1, "seconds": 0}').strip()
    verbs("runs", "send", id, "arrived", "--payload", '{"gate": 4}')
    kept = verbs.database.now(lambda rows: rows.read("SELECT name, payload FROM prowess_run_events"))
    assert kept == [("arrived", '{"gate":4}')]
    verbs("runs", "retry", id, "--from", "two", status=2)  # it is not over
    put(verbs, id, "UPDATE prowess_runs SET state = 'failed' WHERE run = ?")
    verbs("runs", "send", id, "arrived", status=2)
    verbs("runs", "retry", id, "--from", "three", status=2)
    assert verbs.json("runs", "retry", id, "--from", "two")["retry_of"] == id


def test_a_step_that_may_have_acted_is_resumed_only_with_a_word_about_it(verbs: Verbs) -> None:
    id = verbs("run", "work", "--input", '{"number": 1, "seconds": 0}').strip()
    run = verbs.database.now(lambda rows: runs.claim(rows, id, 1, "dead", "dead/1"))
    assert run is not None
    verbs.database.now(lambda rows: runs.begin(rows, run, "one", "call", "started", {"what": "units/toil"}))
    put(verbs, id, "UPDATE prowess_runs SET state = 'attention' WHERE run = ?")
    verbs("runs", "resume", id, status=2)
    verbs("runs", "resume", id, "--again", "--result", "1", status=2)
    verbs("runs", "resume", id, "--result", "7")
    assert verbs.json("runs", "show", id)["steps"][0]["value"] == 7


def test_the_share_of_completed_runs_is_held_against_a_bound(verbs: Verbs) -> None:
    for state in ("completed", "completed", "failed"):
        id = verbs("run", "hello", "--input", '{"name": "Kim"}').strip()
        put(verbs, id, f"UPDATE prowess_runs SET state = '{state}' WHERE run = ?")
    assert verbs.json("runs", "rates")["rates"][0]["states"] == {"completed": 2, "failed": 1}
    verbs("runs", "rates", "--at-least", "0.6")
    verbs("runs", "rates", "--at-least", "0.9", status=1)


def started(project: Project, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "prowess", *words, "--config", str(project.folder)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_a_worker_runs_what_was_put_in_and_a_person_answers_from_another_process(verbs: Verbs) -> None:
    pytest.importorskip("dbos")
    id = verbs("run", "asks").strip()
    worker = started(verbs.project, "run", "asks", "--wait", "--json")  # works on all that is there
    try:
        assert worker.stderr is not None
        said = ""
        while "runs approve" not in said:
            said = worker.stderr.readline()
            assert said, worker.communicate()
        other = said.split()[-1]
        for each in (id, other):
            while not waiting_approvals(verbs.database.now(partial(runs.steps_of, run=each), look=True)):
                assert worker.poll() is None
            verbs("runs", "approve", each)
        out, err = worker.communicate(timeout=30)
        assert worker.returncode == 0, err
        assert json.loads(out)["output"] == {"said": "hello Kim"}
    finally:
        worker.kill()
        worker.communicate()


@pytest.mark.slow
def test_a_worker_ends_in_good_order_when_it_is_told_to(verbs: Verbs) -> None:
    pytest.importorskip("dbos")
    id = verbs("run", "work", "--input", '{"number": 1, "seconds": 1}').strip()
    worker = started(verbs.project, "worker", "--queue", "default")
    try:
        while not verbs.project.worked():
            assert worker.poll() is None, worker.communicate()
        worker.send_signal(signal.SIGTERM)
        _, err = worker.communicate(timeout=30)
        assert worker.returncode == 128 + signal.SIGTERM, err
    finally:
        worker.kill()
        worker.communicate()
    shown = verbs.json("runs", "show", id)
    assert (shown["state"], [each["state"] for each in shown["steps"]]) == ("queued", ["completed"])
