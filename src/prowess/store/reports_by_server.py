"""How the calls of each server ended, in one look at the records."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from prowess.store.columns import text_out

_FINE = ("answered", "input-required")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The calls of one server, and how many of them came to no answer."""

    calls: int
    failed: int


def by_server(connection: sqlite3.Connection, since: float) -> Mapping[str, Ended]:
    """Every server that was called since then (seconds since 1970)."""
    marks = ", ".join("?" * len(_FINE))
    rows = connection.execute(
        f"SELECT server, count(*), sum(outcome NOT IN ({marks})) FROM calls "
        "WHERE started >= ? GROUP BY server",
        [*_FINE, since],
    )
    return {text_out(server): Ended(calls=calls, failed=failed) for server, calls, failed in rows}
