"""The public suite itself, where it is installed: our own server and the gateway, both revisions.

`make conformance` runs all of it and installs what it needs; this form keeps the two that change most
beside the other slow tests.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.bounds import bound

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / "build" / "conformance"
SCORED = {"2025-11-25": 30, "2026-07-28": 37}


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.parametrize("subject", ["own", "gateway-stdio"])
def test_the_suite_finds_what_is_expected_of(subject: str) -> None:
    if not (CACHE / "node_modules").is_dir():
        pytest.skip("needs node and the suite: make conformance installs them")
    done = subprocess.run(
        [sys.executable, str(ROOT / "conformance" / "run.py"), subject, "--json"],
        capture_output=True,
        text=True,
        timeout=bound(300),
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    said = json.loads(done.stdout)
    assert said["ok"], [each["unexpected"] + each["stale"] for each in said["legs"]]
    assert {each["revision"]: each["scored"] for each in said["legs"]} == SCORED
    assert {each["revision"]: each["passed"] for each in said["legs"]} == SCORED
