"""The example package as tests need it: copies on a port of their own, its guides server running."""

from __future__ import annotations

import os
import select
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "examples" / "invoice-ops"
PORT = "18931"
START_SECONDS = 30

Copy = Callable[[str, int], Path]


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package in place; the `python3` that its launcher finds is the one that runs the tests."""
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    monkeypatch.setenv("PATH", path)
    return PACKAGE


@pytest.fixture
def copied(package: Path, tmp_path: Path) -> Copy:
    """Copies the package to a folder of a given name, its guides on a given port."""

    def copy(folder: str, port: int) -> Path:
        root = tmp_path / folder / "invoice-ops"
        shutil.copytree(package, root)
        text = (root / "mcp.json").read_text(encoding="utf-8")
        assert PORT in text
        (root / "mcp.json").write_text(text.replace(PORT, str(port)), encoding="utf-8")
        return root

    return copy


@pytest.fixture
def guides_port(package: Path) -> Iterator[int]:
    """The port of a running guides server."""
    command = [sys.executable, str(package / "servers" / "invoice_guides.py"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert select.select([process.stdout], [], [], START_SECONDS)[0], "the guides server is silent"
            yield int(process.stdout.readline().rpartition(":")[2].partition("/")[0])
        finally:
            process.terminate()
            process.wait(timeout=10)


@pytest.fixture
def closed_port() -> Iterator[int]:
    """A port that is taken and on which nobody listens, so that every connection is refused."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]
