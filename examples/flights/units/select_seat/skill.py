"""A seat held in the store that `store.py` makes. Held twice, the first one lapses: no harm is done."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

STORE = Path(__file__).parents[2] / "flights.sqlite3"  # made by store.py


class SelectSeat:
    """Holds the next seat."""

    async def execute(self, params: dict[str, Any]) -> dict[str, Any]:
        flight = params["flight"]
        with closing(sqlite3.connect(STORE, timeout=10)) as store, store:
            number = store.execute("INSERT INTO held (flight) VALUES (?)", (flight["id"],)).lastrowid or 0
        order = f"{flight['id']}/{number}"
        seat = f"{(number - 1) // 6 + 1}{'ABCDEF'[(number - 1) % 6]}"
        return {"order": {"id": order, "flight": flight["id"], "seat": seat, "price": flight["price"]}}
