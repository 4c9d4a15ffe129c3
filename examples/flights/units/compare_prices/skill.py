"""The cheapest flight that has a seat."""

from __future__ import annotations

from typing import Any


class ComparePrices:
    """Computes only."""

    async def execute(self, params: dict[str, Any]) -> dict[str, Any]:
        free = [each for each in params["flights"]["flights"] if each["seats"] > 0]
        if not free:
            raise ValueError("no flight of these has a seat; search for another day")
        return {"best": min(free, key=lambda each: (each["price"], each["id"]))}
