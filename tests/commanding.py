"""One command line in this process: its status, what it printed, and that it never ended in a traceback."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from prowess.cli import main


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What came of one command line."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """stdout as JSON."""
        return json.loads(self.out)


Run = Callable[..., Ran]


def commanding(capsys: pytest.CaptureFixture[str], *verb: str) -> Run:
    """Runs command lines, of one verb where it is given."""

    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        status = main([*verb, *(str(each) for each in arguments)])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Ran(status=status, out=captured.out, err=captured.err)

    return run
