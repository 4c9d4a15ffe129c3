"""A database of each test's own, and one PostgreSQL server for all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.store.postgres_server import Server, programs, running

from prowess.store.database import Database
from prowess.store.shared import SharedDatabase


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state" / "prowess.sqlite3"


@pytest.fixture
def database(file: Path) -> Iterator[Database]:
    opened = Database(str(file))
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server; without server programs the test is skipped, or fails where it is required."""
    binaries = programs()
    if binaries is None:
        missing = "needs the server programs of PostgreSQL (initdb, pg_ctl)"
        if "postgres" in os.environ.get("PROWESS_REQUIRE", "").split(","):
            pytest.fail(f"{missing}, and PROWESS_REQUIRE says that they are here")
        pytest.skip(missing)
    with running(binaries) as server:
        yield server


@pytest.fixture
def shared(postgres: Server) -> Iterator[SharedDatabase]:
    """A shared database without any table of ours."""
    psycopg = pytest.importorskip("psycopg")
    made = SharedDatabase(postgres.url)
    yield made
    made.close()
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
