"""The adapter for the public load-report kit, run as the kit runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.conformance import packages

ADAPTER = Path(__file__).resolve().parents[2] / "conformance" / "adapter.py"


def adapt(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ADAPTER), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)


def report(root: Path) -> dict[str, Any]:
    done = adapt(str(root))
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_it_prints_what_loaded_what_was_skipped_and_what_was_ignored(tmp_path: Path) -> None:
    root = packages.package(tmp_path / "mixed", {"fancy": 1}, {"good": packages.stdio("good"), "bad": {}})
    packages.write_skill(root / "skills" / "some-skill", "some-skill")
    assert report(root) == {
        "rejected": None,
        "loaded": {"skills": ["some-skill"], "mcpServers": ["good"]},
        "skipped": [{"what": "mcp.json#bad"}],
        "reported": [{"field": "fancy"}],
    }


def test_a_rejected_plugin_is_an_answer(tmp_path: Path) -> None:
    answer = report(packages.package(tmp_path / "mixed", {"name": "Not-Good"}, {}))
    assert answer["rejected"]
    assert answer["loaded"] == {"skills": [], "mcpServers": []}


def test_a_directory_without_a_manifest_is_a_rejected_plugin(tmp_path: Path) -> None:
    packages.write_skill(tmp_path / "some-skill", "some-skill")
    assert report(tmp_path)["rejected"]


def test_no_answer_ends_with_status_2(tmp_path: Path) -> None:
    assert adapt(str(tmp_path / "nowhere")).returncode == 2
    assert adapt().returncode == 2


def test_a_name_that_is_no_text_is_reported_in_every_locale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = packages.package(tmp_path / "odd", {}, {})
    os.makedirs(os.fsencode(root / "skills") + b"/\xff")
    for encoding in ("utf-8", "latin-1", "ascii"):
        monkeypatch.setenv("PYTHONIOENCODING", encoding)
        assert report(root)["skipped"] == [{"what": "skills/\udcff"}]
