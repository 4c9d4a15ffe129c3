"""Makes the store of the example: `python store.py` writes flights.sqlite3 beside this file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

FILE = Path(__file__).parent / "flights.sqlite3"
FLIGHTS = [
    ("OS-1", "Oslo", "Lagos", "2026-12-24", 612.5, 140),
    ("OS-2", "Oslo", "Lagos", "2026-12-24", 540.0, 180),
    ("OS-3", "Oslo", "Lagos", "2026-12-24", 498.0, 0),
    ("OK-1", "Oslo", "Osaka", "2026-12-24", 910.0, 220),
]


def make(file: Path = FILE) -> None:
    with closing(sqlite3.connect(file)) as store, store:
        store.execute("PRAGMA journal_mode = WAL")
        store.execute(
            "CREATE TABLE IF NOT EXISTS flights (id TEXT PRIMARY KEY, origin TEXT, destination TEXT, "
            "day TEXT, price REAL, seats INTEGER)"
        )
        store.execute("CREATE TABLE IF NOT EXISTS held (number INTEGER PRIMARY KEY, flight TEXT)")
        store.executemany("INSERT OR IGNORE INTO flights VALUES (?, ?, ?, ?, ?, ?)", FLIGHTS)


if __name__ == "__main__":
    make()
    print(f"flights: {FILE.name}")
