"""A unit in three versions that really runs, and records of calls of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.store.remembering import call

from prowess.store.remembered import CallRecord
from prowess.units.rollout import Rollout
from prowess.units.rollout_file import change, read_rollouts

VERSIONS = ("1.4.1", "1.4.2", "2.0.0")
UNIT = "query_weather"


def unit_in(folder: Path) -> Path:
    """A folder with one unit in three versions; each says which it is."""
    root = folder / "units"
    for version in VERSIONS:
        place = root / UNIT / version
        place.mkdir(parents=True)
        said = {
            "name": UNIT,
            "description": "Tells the weather of a city.",
            "triggers": ["weather"],
            "parameters": {"type": "object", "properties": {}},
            "version": version,
        }
        (place / "schema.json").write_text(json.dumps(said))
        code = f"class Weather:\n    async def execute(self, params): return {{'version': '{version}'}}\n"
        (place / "skill.py").write_text(code)
    return root


def settled(units: Path, unit: str = UNIT) -> Rollout | None:
    """What the file says now."""
    return (read_rollouts(str(units / "rollout.toml")) or {}).get(unit)


def settle(units: Path, unit: str = UNIT, **fields: Any) -> None:
    """Write into the file as another process would."""
    with ThreadPoolExecutor(1) as pool:
        file = str(units / "rollout.toml")
        pool.submit(asyncio.run, change(file, unit, lambda _: fields)).result()


def ended(version: str, calls: int, bad: int, since: float) -> Iterator[CallRecord]:
    """Records of calls, the first of which failed."""
    for number in range(calls):
        outcome = "tool-failed" if number < bad else "answered"
        yield call(tool=UNIT, server="units", version=version, outcome=outcome, started=since + number)
