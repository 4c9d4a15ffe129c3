"""Flights from the store that `store.py` makes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

STORE = Path(__file__).parents[2] / "flights.sqlite3"  # made by store.py
QUERY = "SELECT id, price, seats FROM flights WHERE origin = ? AND destination = ? AND day = ? ORDER BY id"


class SearchFlights:
    """Reads only."""

    async def execute(self, params: dict[str, Any]) -> dict[str, Any]:
        with closing(sqlite3.connect(f"file:{STORE}?mode=ro", uri=True)) as store:
            found = store.execute(QUERY, (params["from"], params["to"], params["date"])).fetchall()
        return {"flights": [{"id": id, "price": price, "seats": seats} for id, price, seats in found]}
