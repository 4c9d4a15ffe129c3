"""Discovery of units, and the way from a name to the version that a caller gets.

A thousand units in folders are found without importing one; decorated ones are imported the first
time and known by their digest the second. Resolving is `CallPath`'s own step: name and range of one
tool among all, in three versions, a tenth of the callers routed to the newest by a hash of their key.

    python -m bench.units [--units 1000] [--calls 20000] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.result import Figure, Goal, Result
from prowess.call.resolving import Directory
from prowess.provider import Caller
from prowess.units.memory_context import MemoryContexts
from prowess.units.provider import UnitProvider
from prowess.units.registry import Registry
from prowess.units.router import Router

LIMIT_US = 20.0
VERSIONS = ("1.4.2", "1.5.0", "2.0.0")
ROUNDS = 7
CODE = "class Unit:\n    async def execute(self, params: dict) -> dict:\n        return params\n"
FUNCTION = """\
from prowess import unit

@unit(version="1.0.0", triggers=["keep a record"])
async def keep_{number:04}(city: str, days: int = 1) -> dict:
    "Keeps a record of a city."
    return {{"city": city}}
"""
ROLLOUT = """\
format = 1
[units.query_0000]
stable = "1.5.0"
canary = "2.0.0"
percent = 10
"""


def write_folders(root: Path, count: int) -> None:
    """Units in folders; the first one in three versions."""
    for number in range(count):
        name = f"query_{number:04}"
        for version in VERSIONS if number == 0 else VERSIONS[:1]:
            folder = root / name / version
            folder.mkdir(parents=True)
            (folder / "skill.py").write_text(CODE)
            (folder / "schema.json").write_text(json.dumps(metadata(name, version), indent=2))


def metadata(name: str, version: str) -> dict[str, object]:
    """A `schema.json` of the usual size."""
    city = {"type": "string", "description": "The city that is asked about.", "examples": ["Oslo"]}
    days = {"type": "integer", "minimum": 1, "maximum": 7, "description": "How many days.", "examples": [3]}
    return {
        "name": name,
        "description": "Says what the weather will be in a city in the next days.",
        "triggers": ["weather tomorrow", "will it rain", "forecast"],
        "parameters": {"type": "object", "properties": {"city": city, "days": days}, "required": ["city"]},
        "returns": {"type": "object", "properties": {"sky": {"type": "string"}}},
        "timeout": 5000,
        "idempotent": True,
        "version": version,
        "permissions": {"hosts": ["api.example.com"], "secrets": ["WEATHER_KEY"]},
        "examples": [{"input": {"city": "Oslo"}, "output": {"sky": "grey"}}],
    }


def discovered(root: Path) -> tuple[float, int, int]:
    """Seconds, units found and files of units imported, by a registry that knows nothing yet."""
    before = set(sys.modules)
    registry = Registry([str(root)])
    began = time.perf_counter()
    registry.refresh()
    seconds = time.perf_counter() - began
    new = [each for each in set(sys.modules) - before if each.startswith("prowess_unit_") and "." in each]
    found = len(registry.units)
    registry.close()
    if registry.diagnostics:
        raise SystemExit(f"a unit did not load: {registry.diagnostics[0]}")
    return seconds, found, len(new)


def microseconds(calls: int, once: Callable[[int], object]) -> float:
    """What one takes, the median of some rounds."""
    rounds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for number in range(calls):
            once(number)
        rounds.append((time.perf_counter() - began) / calls * 1e6)
    return statistics.median(rounds)


def routed(root: Path, calls: int) -> dict[str, float]:
    """Microseconds from a name to a version."""
    file = root.parent / "rollout.toml"
    file.write_text(ROLLOUT)
    provider = UnitProvider([str(root)], MemoryContexts(), choice=Router(str(file)))
    asyncio.run(provider.open())
    directory = Directory([provider])
    callers = [Caller(principal=f"user-{number}") for number in range(1_000)]
    ways = {
        "resolve a name": lambda number: directory.find("query_0001", caller=callers[number % 1_000]),
        "resolve a range": lambda number: directory.find("query_0000@~1.4", caller=callers[number % 1_000]),
        "route a caller": lambda number: directory.find("query_0000", caller=callers[number % 1_000]),
    }
    found = {name: microseconds(calls, once) for name, once in ways.items()}
    share = sum(directory.find("query_0000", caller=each).version == "2.0.0" for each in callers)
    if not 70 <= share <= 130:
        raise SystemExit(f"{share} of 1000 callers were routed to the canary")
    asyncio.run(provider.close())
    return found


def run(units: int, calls: int) -> Result:
    """Measure everything once; ways of resolving several times."""
    with tempfile.TemporaryDirectory(prefix="prowess-bench-") as directory:
        os.environ["XDG_CACHE_HOME"] = os.path.join(directory, "cache")
        folders, functions = Path(directory, "folders"), Path(directory, "functions")
        write_folders(folders, units)
        functions.mkdir()
        for number in range(max(1, units // 10)):
            (functions / f"keep_{number:04}.py").write_text(FUNCTION.format(number=number))
        runs = {
            "discover folders": discovered(folders),
            "discover functions": discovered(functions),
            "discover functions again": discovered(functions),
        }
        ways = routed(folders, calls)
    rows = [
        row(name, found, seconds / found * 1e6, imported) for name, (seconds, found, imported) in runs.items()
    ]
    rows += [row(name, calls, each, 0) for name, each in ways.items()]
    goals = [
        Goal(
            name="folder units imported by discovery",
            value=runs["discover folders"][2],
            limit=0,
            keep="at most",
        ),
        Goal(
            name="decorated files imported when they are known",
            value=runs["discover functions again"][2],
            limit=0,
            keep="at most",
        ),
        *(
            Goal(name=f"{name}, microseconds", value=each, limit=LIMIT_US, keep="less than")
            for name, each in ways.items()
        ),
    ]
    return Result(bench="units", settings={"units": units, "calls": calls}, rows=rows, goals=goals)


def row(what: str, count: int, each: float, imported: int) -> dict[str, Figure]:
    """One line of the table."""
    return {"what": what, "count": count, "microseconds each": each, "files imported": imported}


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.units", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--units", type=int, default=1_000)
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    return run(given.units, given.calls).report(as_json=given.json)


if __name__ == "__main__":
    sys.exit(main())
