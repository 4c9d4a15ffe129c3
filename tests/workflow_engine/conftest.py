"""A desk for each test, and one PostgreSQL server for those that want it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.store.postgres_server import Server, programs, running
from tests.workflow_engine.bench_of_runs import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.database.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server; without server programs the test is skipped, or fails where it is required."""
    pytest.importorskip("psycopg")
    binaries = programs()
    if binaries is None:
        missing = "needs the server programs of PostgreSQL (initdb, pg_ctl)"
        if "postgres" in os.environ.get("PROWESS_REQUIRE", "").split(","):
            pytest.fail(f"{missing}, and PROWESS_REQUIRE says that they are here")
        pytest.skip(missing)
    with running(binaries) as server:
        yield server


@pytest.fixture
def database_url(postgres: Server) -> Iterator[str]:
    """An empty database."""
    import psycopg

    yield postgres.url
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS dbos CASCADE")
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
