"""The benchmarks run, on a tiny size and without peers, and say what they measured in one shape."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
GOAL_KEYS = {"name", "value", "keep", "limit", "met"}


def bench(module: str, *arguments: str) -> dict[str, Any]:
    """The JSON of one run; whether a goal is met is not asked of so small a run."""
    command = [sys.executable, "-m", f"bench.{module}", "--json", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode in (0, 1), done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["bench"] == module
    assert found["goals"] or module == "gateway", "the goals of the gateway are shares of what a peer adds"
    assert all(set(goal) == GOAL_KEYS for goal in found["goals"])
    assert found["met"] is all(goal["met"] for goal in found["goals"])
    assert found["met"] is (done.returncode == 0)
    assert len({tuple(row) for row in found["rows"]}) == 1, "each row has the same columns"
    return found


def test_the_check_benchmark_tells_cpu_and_memory_of_every_subject() -> None:
    found = bench("check", "--packages", "2", "--batches", "2", "--no-peers")
    assert found["settings"] == {"packages": 2, "skills each": 5, "servers each": 2}
    [row] = found["rows"]
    assert row["subject"] == "prowess"
    assert row["CPU ms a package"] > 0
    assert row["times ours"] == 1
    assert row["MiB at the end"] > 0


def test_the_start_benchmark_compares_commands_with_the_bare_interpreter() -> None:
    found = bench("start", "--rounds", "2", "--no-peers")
    assert [row["command"] for row in found["rows"]] == ["prowess check PKG", "prowess --help"]
    assert all(row["CPU ms"] > 0 and row["times python -c pass"] > 0 for row in found["rows"])


def test_the_bring_up_benchmark_connects_every_server_alone_and_together() -> None:
    found = bench("bring_up", "--servers", "2")
    assert found["settings"] == {"servers": 2}
    figures = {row["what"]: row["ms"] for row in found["rows"]}
    assert 0 < figures["the fastest alone"] <= figures["the slowest alone"]
    assert figures["all at once"] > 0


@pytest.mark.slow
def test_the_call_benchmark_compares_the_host_with_the_bare_sdk_and_shows_the_steps_apart() -> None:
    found = bench("call", "--calls", "3")
    assert [goal["name"] for goal in found["goals"]] == ["stdio: Host, everything on, ms added"]
    added = {row["what"]: row["ms added"] for row in found["rows"]}
    assert added["stdio: the SDK alone"] is None
    assert added["in memory: Host, everything on"] > 0
    assert len([what for what in added if what.startswith("step: ")]) == 3


@pytest.mark.parametrize("module", ["check", "start", "bring_up", "call", "units", "choose", "gateway"])
def test_a_benchmark_refuses_an_option_that_it_does_not_know(module: str) -> None:
    command = [sys.executable, "-m", f"bench.{module}", "--no-such-option"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 2


def test_generated_packages_are_the_same_bytes_every_time(tmp_path: Path) -> None:
    for where in ("one", "two"):
        subprocess.run(
            [sys.executable, "-m", "bench.packages", str(tmp_path / where), "2"],
            cwd=ROOT,
            timeout=30,
            check=True,
        )
    contents = [
        {path.relative_to(tmp_path / where): path.read_bytes() for path in (tmp_path / where).rglob("*.*")}
        for where in ("one", "two")
    ]
    assert contents[0] == contents[1]
    assert len([path for path in contents[0] if path.name == "SKILL.md"]) == 10


def test_the_units_benchmark_imports_nothing_that_is_not_used() -> None:
    found = bench("units", "--units", "20", "--calls", "50")
    imported = {row["what"]: row["files imported"] for row in found["rows"]}
    assert imported["discover folders"] == 0
    assert imported["discover functions"] == 2
    assert imported["discover functions again"] == 0


def test_the_choose_benchmark_ranks_made_up_and_labelled_documents() -> None:
    found = bench("choose", "--documents", "200", "--queries", "20", "--no-peers")
    assert {goal["name"] for goal in found["goals"]} == {"200 documents: query, ms", "own: R@5"}
    shares = [row["R@5"] for row in found["rows"] if row["what"].startswith("quality: own")]
    assert len(shares) == 2 and shares[0] == shares[1] > 0.85, "the index and the store find the same"


@pytest.mark.slow
def test_the_gateway_benchmark_calls_through_both_transports_and_beside_them() -> None:
    found = bench("gateway", "--calls", "3", "--no-peers")
    added = {row["what"]: row["ms added"] for row in found["rows"]}
    assert added["direct, stdio"] is None
    assert isinstance(added["prowess, stdio to stdio"], float)
    assert isinstance(added["prowess, HTTP to stdio"], float)
    median = {row["what"]: row["ms, median"] for row in found["rows"]}
    assert all(each > 0 for each in median.values())


def test_the_improve_benchmark_measures_what_was_held_out() -> None:
    found = bench("improve", "--seeds", "1", "--data", "")
    [row] = found["rows"]
    assert row["what"] == "own, 32 capabilities"
    assert row["held out"] == 64
    assert 0 <= row["R@1 before"] <= 1 and row["fixed"] - row["broken"] == round(
        64 * (row["R@1 after"] - row["R@1 before"])
    )
    assert [goal["name"] for goal in found["goals"]] == ["own: gain of R@1"], "it holds no other set"


@pytest.mark.slow
def test_the_console_benchmark_weighs_every_area_and_times_a_search() -> None:
    found = bench("console", "--packages", "12", "--tools", "60", "--words", "1", "--no-peers")
    weighed = {row["what"]: row["rows"] for row in found["rows"] if row["kB"]}
    assert weighed["/packages"] >= 12 and weighed["/capabilities"] >= 60 and "/workbench" in weighed
    assert found["rows"][0]["what"] == "prowess, as one types" and found["rows"][0]["ms"] > 0
    assert found["met"]
