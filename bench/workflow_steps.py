"""What a step of a run costs over the bare call, beside plain DBOS code that makes the same calls.

    python -m bench.workflow_steps                       50 steps a run, SQLite
    python -m bench.workflow_steps --url postgresql://   the same on PostgreSQL
    python -m bench.workflow_steps --drain               1,000 runs of 5 steps over 2 workers

Both go through the same call path to the same unit, in one process, with the same database settings: what
differs is who keeps the record. Measured is the time of a whole run divided by its steps, the median of
several, less that of the bare call.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from bench.workflow_kills import agency

STEPS = 50
UNITS = """
from prowess import unit

@unit(idempotent=True)
async def safe(number: int) -> int:
    "Counts."
    return number

@unit
async def unsafe(number: int) -> int:
    "Counts, and must not be done twice."
    return number
"""


def _project(url: str) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="steps-"))
    (folder / "units.py").write_text(UNITS)
    (folder / "workflows").mkdir()
    for name in ("safe", "unsafe"):
        steps = "\n".join(f"  - {{skill: {name}, params: {{number: {each}}}}}" for each in range(STEPS))
        (folder / "workflows" / f"{name}.yaml").write_text(f"name: many_{name}\nsteps:\n{steps}\n")
    kept = 'postgres = { env = "FLIGHTS_URL" }' if url else 'sqlite = "runs.sqlite3"'
    (folder / "prowess.toml").write_text(
        f'[units]\npaths = ["units.py"]\n[workflows]\npaths = ["workflows"]\n{kept}\n'
        '[records]\nsqlite = "records.sqlite3"\n'
    )
    return folder


async def measured(url: str, rounds: int) -> dict[str, float]:
    """Milliseconds for each step: the bare call, ours and plain DBOS, safe to repeat and not."""
    import os

    from prowess import Caller, Host

    os.environ["FLIGHTS_URL"] = url
    found: dict[str, float] = {}
    async with Host.open(_project(url)) as host:
        provider = host.workflows
        assert provider is not None
        await provider.work()
        await _bare(host, "safe")  # imports and connections are not counted
        loop = asyncio.get_running_loop()
        for name in ("safe", "unsafe"):
            found[f"bare {name}"] = await _best(partial(_bare, host, name), rounds)
            workflow = next(each for each in provider.workflows if each.name == f"many_{name}")

            async def ours(workflow: Any = workflow) -> float:
                run = await provider.start(workflow, {}, caller=Caller())
                ended = await provider.wait(run.run, None)
                assert ended.state == "completed", ended.error
                assert ended.ended is not None and ended.started is not None
                return float(ended.ended - ended.started)

            found[f"ours {name}"] = await _best(ours, rounds)
            plain = _plain(host, loop, name)
            found[f"plain {name}"] = await _best(partial(asyncio.to_thread, plain), rounds)
    return found


async def _best(work: Callable[[], Any], rounds: int) -> float:
    """The median, in milliseconds for each step."""
    times = [await work() for _ in range(rounds)]
    return float(statistics.median(times)) / STEPS * 1_000


async def _bare(host: Any, name: str) -> float:
    began = time.perf_counter()
    for number in range(STEPS):
        await host.call(name, {"number": number})
    return time.perf_counter() - began


def _plain(host: Any, loop: asyncio.AbstractEventLoop, name: str) -> Callable[[], float]:
    """The same calls as steps of a workflow written for DBOS alone."""
    from dbos import DBOS

    def call(number: int) -> Any:
        return asyncio.run_coroutine_threadsafe(host.call(name, {"number": number}), loop).result().value

    def begin(number: int) -> bool:
        return True

    def many() -> float:
        began = time.perf_counter()
        for number in range(STEPS):
            if name == "unsafe":  # that it began has to be known, also here
                DBOS.run_step({"name": "begin"}, begin, number)
            DBOS.run_step({"name": name}, call, number)
        return time.perf_counter() - began

    workflow = DBOS.workflow(name=f"plain_{name}")(many)
    return lambda: float(DBOS.start_workflow(workflow).get_result())


FIVE = """
name: five
steps:
  - {skill: search_flights, params: {from: Oslo, to: Lagos, date: "2026-12-24"}}
  - {skill: compare_prices, params: {flights: "{{steps[0].result}}"}}
  - {skill: search_flights, params: {from: Oslo, to: Osaka, date: "2026-12-24"}}
  - {skill: compare_prices, params: {flights: "{{steps[2].result}}"}}
  - {skill: select_seat, params: {flight: "{{steps[3].result.best}}"}}
"""


def drained(count: int, url: str = "") -> tuple[float, dict[str, int]]:
    """`count` runs of five steps over two workers: the seconds, and how many ended how."""
    with agency(url, dead_after=10) as here:
        (here.folder / "workflows" / "five.yaml").write_text(FIVE)
        ids = [here.put_in("five") for _ in range(count)]
        workers = [here.spawn() for _ in range(2)]
        began = time.monotonic()
        for each in workers:
            here.ready(each)
        here.drained(ids, 1_200)
        states: dict[str, int] = {}
        for id in ids:
            run = here.run(id)
            states[run.state] = states.get(run.state, 0) + 1
            if run.error:
                print(run.error)
        return time.monotonic() - began, states


def main() -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description="What a step costs.")
    parser.add_argument("--url", default="", help="a PostgreSQL database that is ours alone")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--drain", type=int, nargs="?", const=1_000, default=0, metavar="RUNS")
    options = parser.parse_args()
    if options.drain:
        seconds, states = drained(options.drain, options.url)
        print(f"{options.drain} runs of 5 steps over 2 workers: {seconds:.0f} s, {states}")
        return 0 if states == {"completed": options.drain} else 1
    found = asyncio.run(measured(options.url, options.rounds))
    for name, each in found.items():
        print(f"{name:14} {each:7.2f} ms a step")
    missed = False
    for name, goal in (("safe", 1.3), ("unsafe", 2.0)):
        ours = found[f"ours {name}"] - found[f"bare {name}"]
        plain = found[f"plain {name}"] - found[f"bare {name}"]
        print(f"{name}: {ours:.2f} ms and {plain:.2f} ms over the bare call (goal: at most {goal} times)")
        missed = missed or ours > goal * plain
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
