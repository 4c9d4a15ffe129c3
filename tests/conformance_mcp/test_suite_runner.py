"""The runner: what it says, how it ends, and what it does when something that it needs is not there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from conformance.suite.expected import Verdicts
from conformance.suite.install import CannotRun, Suite, installed
from conformance.suite.legs import Outcome, Runner
from conformance.suite.report import document, reasons, table
from conformance.suite.results import Check, Scenario
from conformance.suite.subjects import Leg, Subject, _listening
from tests.bounds import bound

ROOT = Path(__file__).resolve().parents[2]
LEG = Leg(role="server", version="2026-07-28")
PASSED = Scenario(name="ping", scored=True, checks=(Check(id="ping", verdict="SUCCESS"),))
FAILED = Scenario(
    name="caching", scored=True, checks=(Check(id="ttl", verdict="FAILURE", message="no\nttlMs"),)
)

# Stands in for the suite: writes the files that it would, the first time a failure.
SUITE = """
import json, pathlib, sys
said = sys.argv
folder = pathlib.Path(said[said.index("-o") + 1])
names = [said[said.index("--scenario") + 1]] if "--scenario" in said else ["ping", "caching"]
for name in names:
    place = folder / f"server-{name}-2026-11-30T10-57-50-863Z"
    place.mkdir()
    failing = name == "caching" and "--scenario" not in said
    verdict = {"id": "ttl", "status": "FAILURE" if failing else "SUCCESS"}
    (place / "checks.json").write_text(json.dumps([verdict]))
"""


def outcome(verdicts: Verdicts) -> Outcome:
    return Outcome(subject="own", leg=LEG, scenarios=(PASSED, FAILED), verdicts=verdicts)


def started(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "conformance" / "run.py"), *arguments],
        capture_output=True,
        text=True,
        timeout=bound(30),
        check=False,
        env={**os.environ, **environment},
    )


def test_the_table_counts_scored_scenarios_and_says_whether_all_is_as_expected() -> None:
    text = table([outcome(Verdicts(unexpected=("caching:ttl",)))])
    assert "1/2" in text
    assert "NOT as expected" in text
    assert "NOT" not in table([outcome(Verdicts(known=(("caching:ttl", "because"),)))])


def test_each_thing_that_is_not_as_expected_has_a_line_with_its_reason() -> None:
    lines = reasons([outcome(Verdicts(unexpected=("caching:ttl", "gone"), stale=("ping",)))])
    assert lines[0] == "own server 2026-07-28: caching:ttl: failure: no ttlMs"
    assert lines[1] == "own server 2026-07-28: gone: was not run"
    assert lines[2].startswith("own server 2026-07-28: ping: passes now")


def test_the_document_is_json_and_holds_every_check() -> None:
    said = json.loads(json.dumps(document([outcome(Verdicts(unexpected=("caching:ttl",)))])))
    assert said["ok"] is False
    (leg,) = said["legs"]
    assert (leg["passed"], leg["scored"]) == (1, 2)
    assert leg["scenarios"][1]["checks"] == [{"id": "ttl", "verdict": "FAILURE", "message": "no\nttlMs"}]


def test_what_failed_unexpectedly_is_run_once_more_by_itself(tmp_path: Path) -> None:
    program = tmp_path / "suite.py"
    program.write_text(SUITE, encoding="utf-8")
    (tmp_path / "2026-07-28.yaml").write_text("server: [ping, caching]\n", encoding="utf-8")
    suite = Suite(node=sys.executable, program=str(program), requirements=tmp_path)
    runner = Runner(suite=suite, expected=tmp_path / "none", work=tmp_path / "work")
    (came,) = runner.run(Subject(name="own", legs=(LEG,)), ["2026-07-28"])
    assert came.again == ("caching",)
    assert (came.passed, came.scored) == (2, 2)
    assert came.verdicts.holds
    assert any("run once more" in each for each in reasons([came]))


def test_without_npm_nothing_can_be_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CannotRun):
        installed(tmp_path / "cache")


def test_without_npm_the_runner_ends_with_2_and_says_what_to_do(tmp_path: Path) -> None:
    done = started("own", "--cache", str(tmp_path / "cache"), PATH=str(tmp_path))
    assert done.returncode == 2
    assert "npm" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("arguments", [["no-such-subject"], ["--version", "1999"], ["--jobs", "0"]])
def test_a_wrong_argument_ends_with_2(arguments: list[str]) -> None:
    done = started(*arguments)
    assert done.returncode == 2
    assert "usage:" in done.stderr


def test_help_says_what_there_is() -> None:
    done = started("--help")
    assert done.returncode == 0
    assert all(each in done.stdout for each in ("gateway-stdio", "--scenario", "--json", "Exit status"))


def test_a_subject_that_does_not_start_is_told_with_its_last_words(tmp_path: Path) -> None:
    words = "import sys; sys.exit('no such table')"
    with ExitStack() as stack, pytest.raises(CannotRun, match="no such table"):
        _listening(stack, tmp_path, lambda _: [sys.executable, "-c", words])


def test_a_subject_that_ends_by_itself_is_told(tmp_path: Path) -> None:
    once = """
import os, socket, sys
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
print(os.getpid(), flush=True)
server.accept()
"""
    with pytest.raises(CannotRun, match="ended by itself"), ExitStack() as stack:
        # It listens until the first connection, which is the one that looks whether it does.
        _listening(stack, tmp_path, lambda port: [sys.executable, "-c", once, str(port)])
        (log,) = tmp_path.glob("*.log")
        os.waitid(os.P_PID, int(log.read_text()), os.WEXITED | os.WNOWAIT)
