"""Somebody at a terminal: reads what a package may do, and says yes or no."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from tests.bounds import bound
from tests.install.conftest import Package

from prowess.store.installed import Scope

pty = pytest.importorskip("pty")


def answered(words: bytes, *arguments: str) -> tuple[int, str]:
    """The exit status and all that stood on the screen of one command at a terminal."""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(sys.executable, [sys.executable, "-m", "prowess", *arguments])
    shown = b""
    try:
        while True:
            try:
                part = os.read(terminal, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
            if shown.endswith(b"[y/N] "):
                os.write(terminal, words)
    finally:
        os.close(terminal)
        _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), shown.decode("utf-8", "replace")


@pytest.mark.timeout(bound(30))
@pytest.mark.parametrize(("words", "status"), [(b"y\n", 0), (b"n\n", 1), (b"\n", 1), (b"\x04", 1)])
def test_nothing_but_a_yes_installs(
    words: bytes, status: int, package: Package, scope: Scope, here: Path
) -> None:
    ended, shown = answered(words, "add", str(package.root))
    assert ended == status, shown
    assert "somebody arrives" in shown
    assert ("sample" in scope.read().installed) is (status == 0)
