"""`prowess approvals`: a call that asks, in one process; the answer, from another."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.packages import arrived, entry, plugin
from tests.commanding import Run

POLICY = '[policy]\n[[policy.rules]]\naction = "ask"\ntool = "write"\n'


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "arrived"


@pytest.fixture
def config(tmp_path: Path, log: Path) -> Path:
    plugin(tmp_path / "books", {"ledger": entry(log)})
    file = tmp_path / "prowess.toml"
    file.write_text(f'format = 1\n[plugins]\nbooks = "books"\n{POLICY}')
    return file


def process(*arguments: object, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """A prowess of its own, with no terminal."""
    argv = [sys.executable, "-m", "prowess", *(str(each) for each in arguments)]
    return subprocess.run(
        argv, capture_output=True, text=True, timeout=30, check=False, stdin=subprocess.DEVNULL, cwd=folder
    )


def write(config: Path, call: int = 7, **more: Any) -> subprocess.CompletedProcess[str]:
    return process("call", config, "write", "--args", json.dumps({"call": call, **more}), "--json")


def test_a_call_that_asks_is_approved_by_another_process_and_goes_through_once(
    config: Path, log: Path
) -> None:
    first = write(config)
    told = json.loads(first.stdout)
    assert (first.returncode, told["outcome"]) == (1, "refused")
    named = re.search(r"prowess (approvals approve) (\w+)`", first.stderr + first.stdout)
    assert named is not None

    listed = process("approvals", "list", "--json")
    (waiting,) = json.loads(listed.stdout)["waiting"]
    assert listed.returncode == 1 and waiting["id"] == named[2] and waiting["arguments"] == {"call": 7}

    unseen = process("approvals", "approve", named[2])
    assert unseen.returncode == 1 and f"--yes {waiting['digest']}" in unseen.stderr
    assert process("approvals", "approve", named[2], "--yes", waiting["digest"]).returncode == 0
    assert process("approvals", "list").returncode == 0

    assert json.loads(write(config, 8).stdout)["outcome"] == "refused", "bound to the arguments"
    assert arrived(log) == []
    assert json.loads(write(config).stdout)["outcome"] == "answered"
    assert json.loads(write(config).stdout)["outcome"] == "refused", "good for one call"
    assert len(arrived(log)) == 1


def test_a_refused_call_is_told_so(config: Path, prowess: Run, log: Path) -> None:
    assert prowess("call", config, "write", "--args", '{"call": 7}').status == 1
    assert prowess("approvals", "refuse").status == 0
    ran = prowess("call", config, "write", "--args", '{"call": 7}')
    assert ran.status == 1 and "was not approved" in ran.err
    assert arrived(log) == []


def test_records_in_another_file_are_named_in_the_way_to_approve(
    config: Path, prowess: Run, tmp_path: Path
) -> None:
    config.write_text(config.read_text() + f'[records]\nsqlite = "{tmp_path / "other.db"}"\n')
    ran = prowess("call", config, "write", "--args", '{"call": 7}')
    assert f"prowess approvals approve --config {config}" in ran.err
    assert prowess("approvals", "list").status == 0
    assert prowess("approvals", "list", "--config", config).status == 1


def test_a_question_that_names_no_single_call_cannot_be_answered(config: Path, prowess: Run) -> None:
    assert prowess("approvals", "approve").status == 2
    for number in (1, 2):
        prowess("call", config, "write", "--arg", f"call:={number}")
    for arguments in (("approve",), ("refuse", "ffff"), ("approve", "f" * 12), ("list", "abcdef")):
        assert prowess("approvals", *arguments).status == 2
    assert len(prowess("approvals", "list").out.splitlines()) == 2


@pytest.mark.parametrize("wrong", ["", "yes", "sha256:0"])
def test_only_the_digest_that_was_shown_approves(config: Path, prowess: Run, wrong: str) -> None:
    prowess("call", config, "write", "--arg", "call:=1")
    assert prowess("approvals", "approve", "--yes", wrong).status == 1
    assert prowess("approvals", "list").status == 1


@pytest.mark.parametrize(("answer", "status"), [("n", 1), ("y", 0)])
def test_a_person_on_a_terminal_is_asked(config: Path, prowess: Run, answer: str, status: int) -> None:
    prowess("call", config, "write", "--arg", "call:=1")
    ours, theirs = pty.openpty()
    try:
        argv = [sys.executable, "-m", "prowess", "approvals", "approve"]
        os.write(ours, f"{answer}\n".encode())
        done = subprocess.run(
            argv, stdin=theirs, stdout=subprocess.PIPE, stderr=theirs, timeout=20, check=False
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode == status
    assert b'"call": 1' in done.stdout


def test_what_a_model_wrote_cannot_paint_the_screen(config: Path, prowess: Run) -> None:
    prowess("call", config, "write", "--args", json.dumps({"do": "\x1b[2J\ndigest sha256:00"}))
    out = prowess("approvals", "approve").out
    assert "\x1b" not in out
    assert [line.split()[0] for line in out.splitlines() if line.startswith("digest")] == ["digest"]
