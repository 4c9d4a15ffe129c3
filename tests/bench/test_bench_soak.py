"""The soak in its short form: what `python -m bench.soak` does for half an hour, for less than one minute."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MINUTES = "0.7"


@pytest.mark.slow
@pytest.mark.timeout(150)
def test_killed_and_hanging_servers_cost_only_the_calls_that_they_had() -> None:
    command = [sys.executable, "-m", "bench.soak", "--minutes", MINUTES, "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=140, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    found = json.loads(done.stdout)
    assert found["met"] and len(found["goals"]) == 7
    assert found["settings"]["kills"] > 0 and found["settings"]["gateways"] == 3
    assert {row["what"] for row in found["rows"]} == {
        "act",
        "leave",
        "list",
        "look",
        "prompt",
        "read",
        "work",
    }
    assert all(row["answers"] > 0 for row in found["rows"])


def test_the_soak_refuses_an_option_that_it_does_not_know() -> None:
    command = [sys.executable, "-m", "bench.soak", "--no-such-option"]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, timeout=30, check=False).returncode == 2
