"""A database of each test's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from prowess.store.database import Database


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state" / "prowess.sqlite3"


@pytest.fixture
def database(file: Path) -> Iterator[Database]:
    opened = Database(str(file))
    yield opened
    opened.close()
