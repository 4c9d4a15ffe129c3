from __future__ import annotations

import asyncio
import os
import pty
import select
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from prowess.credentials import Binding, FileBindings

BINDING = Binding(credential="erp", server="shop/api", plugin="/p/shop", target="https://a.example:443")
MOVED = replace(BINDING, target="https://evil.example:443\x1b[2J")


def seen(*bindings: Binding) -> None:
    for each in bindings:
        asyncio.run(FileBindings().check(each))


def bound() -> set[Binding]:
    return set(asyncio.run(FileBindings().bindings()))


def test_nothing_bound_is_said(prowess: Any) -> None:
    ran = prowess("credentials", "list")
    assert (ran.status, ran.out, ran.err) == (0, "", "no credential is bound yet\n")


def test_bindings_and_the_changes_that_wait_are_listed(prowess: Any) -> None:
    seen(BINDING)
    assert prowess("credentials", "list").out == "bound  shop/api  erp  https://a.example:443  /p/shop\n"
    seen(MOVED)
    ran = prowess("credentials", "list")
    assert ran.status == 1 and [line.split()[0] for line in ran.out.splitlines()] == ["bound", "waits"]
    assert "\x1b" not in ran.out
    document = prowess("credentials", "list", "--json").json
    assert [each["target"] for each in document["waiting"]] == [MOVED.target]


def test_only_the_digest_that_was_shown_approves(prowess: Any) -> None:
    seen(BINDING, MOVED)
    ran = prowess("credentials", "approve", "shop/api")
    assert ran.status == 1 and f"--yes {MOVED.digest}" in ran.err
    assert ran.out.splitlines()[1:3] == [
        "  - target https://a.example:443",
        "  + target https://evil.example:443\\u{1b}[2J",
    ]
    for wrong in ("", "yes", BINDING.digest):
        assert prowess("credentials", "approve", "shop/api", "--yes", wrong).status == 1
    assert bound() == {BINDING}
    ran = prowess("credentials", "approve", "shop/api", "erp", "--yes", MOVED.digest, "--json")
    assert ran.status == 0 and ran.json["before"]["target"] == BINDING.target
    assert bound() == {MOVED}


@pytest.mark.parametrize(
    "arguments",
    [
        ("approve",),
        ("approve", "shop/web"),
        ("approve", "shop/api"),
        ("approve", "shop/api", "x"),
        ("list", "a"),
    ],
)
def test_a_question_that_names_no_single_change_cannot_be_answered(prowess: Any, arguments: Any) -> None:
    for each in (BINDING, MOVED):
        seen(each, replace(each, credential="crm"))
    assert prowess("credentials", *arguments).status == 2


@pytest.mark.parametrize(("answer", "status"), [("n", 1), ("y", 0)])
def test_a_person_on_a_terminal_is_asked(answer: str, status: int) -> None:
    seen(BINDING, MOVED)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "prowess", "credentials", "approve", "shop/api"]
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.DEVNULL, stderr=theirs) as running:
        os.close(theirs)
        said = b""
        while b"[y/N] " not in said:
            assert select.select([ours], [], [], 30)[0], said
            said += os.read(ours, 4_096)
        os.write(ours, answer.encode() + b"\n")
        assert running.wait(30) == status
    os.close(ours)
    assert bound() == {MOVED if status == 0 else BINDING}
