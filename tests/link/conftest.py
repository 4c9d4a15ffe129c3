"""The bench of the link tests."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.link.probing import Bench, children
from tests.link.relaying import Talk


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bench]:
    """A bench; afterwards no child process of this test is left, not even a dead one."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    here, before = Bench(place=tmp_path), children()  # another module's server may be alive
    yield here
    await asyncio.gather(*(each.close() for each in here.links))
    assert [each for each in children() if each not in before] == []


@pytest.fixture
async def talk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Talk]:
    """Links to talkers; afterwards no process of theirs is left."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    here, before = Talk(place=tmp_path), children()
    yield here
    await asyncio.gather(*(each.close() for each in here.links))
    assert [each for each in children() if each not in before] == []
