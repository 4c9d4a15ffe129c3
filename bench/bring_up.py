"""Bringing many stdio servers up at once, against the slowest of them alone.

Each server is first brought up by itself, from `Host.open` to its offer, then all of them together, in
the same process. The goal leaves each server 30 ms of processor beside what they can share, since a
machine with few cores has to start their processes one after the other.

    python -m bench.bring_up [--servers 50] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.packages import SCHEMAS, write_json
from bench.result import Figure, Goal, Result

PROBE = Path(__file__).with_name("probe.py")
TIMES_THE_SLOWEST = 1.5
SECONDS_EACH = 0.030
PATIENCE = 60.0


def write_package(directory: Path, servers: Sequence[str]) -> Path:
    """A package with these stdio servers, each a probe of its own."""
    directory.mkdir(parents=True)
    program = directory / "probe"
    # The first line names this very interpreter: a `python3` on PATH may be a slow wrapper.
    program.write_text(f"#!{sys.executable} -IS\n" + PROBE.read_text(encoding="utf-8"), encoding="utf-8")
    program.chmod(0o755)
    entry = {"type": "stdio", "command": "./probe"}
    manifest = {"$schema": f"{SCHEMAS}/plugin.schema.json", "name": directory.name}
    write_json(directory / "plugin.json", manifest)
    configuration = {"$schema": f"{SCHEMAS}/mcp.schema.json", "mcpServers": dict.fromkeys(servers, entry)}
    write_json(directory / "mcp.json", configuration)
    return directory


async def seconds_to_come_up(package: Path, servers: int) -> float:
    """Wall time from opening the host until the last of its servers is connected."""
    from prowess.host import Host

    begun = time.perf_counter()
    async with Host.open(package, timeout=PATIENCE) as host:
        taken = time.perf_counter() - begun
        connected = [offer for offer in host.offers if offer.status == "connected" and len(offer.tools) == 3]
        if len(connected) != servers:
            reasons = {offer.reason for offer in host.offers if offer.status != "connected"}
            raise SystemExit(f"only {len(connected)} of {servers} came up: {sorted(reasons)}")
    return taken


async def measure(directory: Path, count: int) -> tuple[list[float], float]:
    """How long each takes alone, and all together."""
    names = [f"probe-{index:03}" for index in range(count)]
    warm = write_package(directory / "warm", names[:1])
    await seconds_to_come_up(warm, 1)  # the SDK is imported here, before anything counts
    alone = [
        await seconds_to_come_up(write_package(directory / f"alone-{name}", [name]), 1) for name in names
    ]
    together = await seconds_to_come_up(write_package(directory / "together", names), count)
    return alone, together


def run(count: int) -> Result:
    """Measure in a directory that also holds the state and the data of the run."""
    with tempfile.TemporaryDirectory(prefix="prowess-bench-") as home:
        for variable in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
            os.environ[variable] = str(Path(home, variable))
        alone, together = asyncio.run(measure(Path(home), count))
    limit = TIMES_THE_SLOWEST * max(alone) + SECONDS_EACH * count
    rows: list[dict[str, Figure]] = [
        {"what": "the fastest alone", "ms": min(alone) * 1000},
        {"what": "the slowest alone", "ms": max(alone) * 1000},
        {"what": "one after the other", "ms": sum(alone) * 1000},
        {"what": "all at once", "ms": together * 1000},
        {"what": "all at once, each", "ms": together * 1000 / count},
    ]
    goal = Goal(name="all at once, seconds", value=together, limit=limit, keep="at most")
    return Result(bench="bring_up", settings={"servers": count}, rows=rows, goals=[goal])


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.bring_up", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--servers", type=int, default=50)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    return run(given.servers).report(as_json=given.json)


if __name__ == "__main__":
    sys.exit(main())
