"""kill -9 of workers at random moments of the flights workflow: nothing is lost, nothing is paid twice.

    python -m bench.workflow_kills                     200 kills, one worker after the other, SQLite
    python -m bench.workflow_kills --url postgresql:// 100 kills, two workers at a time, PostgreSQL

Real worker processes, a real payment service that keeps what it was asked. Afterwards every run is
completed or needs attention, every completed one was paid for once, and no order twice.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from prowess.workflow import records_runs as runs
from prowess.workflow.provider import found_in
from prowess.workflow.records import Run, StepRow
from prowess.workflow.records_database import RunDatabase, Where
from prowess.workflow.starts import new_run

EXAMPLE = Path(__file__).parent.parent / "examples" / "flights"
READY_SECONDS = 60.0
DRAIN_SECONDS = 120.0
USER = {"user": {"from": "Oslo", "to": "Lagos", "date": "2026-12-24"}}
URL = "FLIGHTS_URL"


@dataclass(kw_only=True)
class Agency:
    """The example in a folder of its own, its payment service, and the workers over it."""

    folder: Path
    where: Where
    database: RunDatabase
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def put_in(self, workflow: str = "book_now") -> str:
        """Put a run in, as `prowess run` does; its id."""
        known = found_in([str(self.folder / "workflows")]).workflows
        meant = next(each for each in known if each.name == workflow)
        run = new_run(meant, known, USER, queue="default")
        self.database.now(lambda rows: runs.add(rows, run), sure=True)
        return run.run

    def spawn(self) -> subprocess.Popen[bytes]:
        """A worker; it may not be ready yet."""
        worker = subprocess.Popen(
            [sys.executable, "-m", "prowess", "worker", "--config", str(self.folder)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, URL: self.where.url, "XDG_STATE_HOME": str(self.folder / "state")},
        )
        self.workers.append(worker)
        return worker

    def ready(self, worker: subprocess.Popen[bytes]) -> None:
        """Wait until a worker works."""
        assert worker.stderr is not None
        until, said = time.monotonic() + READY_SECONDS, b""
        while b"working on" not in said:
            left = until - time.monotonic()
            if left <= 0 or not select.select([worker.stderr], [], [], left)[0]:
                raise TimeoutError(f"no worker within {READY_SECONDS:g} s: {said.decode(errors='replace')}")
            more = os.read(worker.stderr.fileno(), 65_536)
            if not more:
                raise RuntimeError(f"the worker ended: {said.decode(errors='replace')}")
            said += more

    def kill(self, worker: subprocess.Popen[bytes]) -> None:
        """kill -9."""
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        if worker.stderr is not None:
            worker.stderr.close()
        self.workers.remove(worker)

    def run(self, id: str) -> Run:
        """A run as it is now."""
        found = self.database.now(lambda rows: runs.get(rows, id), look=True)
        assert found is not None, f"run {id} is lost"
        return found

    def steps(self, id: str) -> dict[str, StepRow]:
        """Its steps."""
        return self.database.now(lambda rows: runs.steps_of(rows, id), look=True)

    def drained(self, ids: list[str], seconds: float = DRAIN_SECONDS) -> None:
        """Wait until runs are over."""
        until = time.monotonic() + seconds
        for id in ids:
            while not self.run(id).over:
                if time.monotonic() > until:
                    raise TimeoutError(f"run {id} is {self.run(id)}: {self.steps(id)}")
                time.sleep(0.05)

    def paid(self) -> Counter[str]:
        """How often the service was asked for each order."""
        log = self.folder / "payments.jsonl"
        lines = log.read_text().splitlines() if log.exists() else []
        return Counter(json.loads(each)["order"] for each in lines)


@contextlib.contextmanager
def agency(url: str = "", *, delay: float = 0.05, dead_after: float = 1.0) -> Iterator[Agency]:
    """The example, up. `url` is a PostgreSQL database that is ours alone."""
    folder = Path(tempfile.mkdtemp(prefix="flights-"))
    service: subprocess.Popen[bytes] | None = None
    made: Agency | None = None
    try:
        ignored = shutil.ignore_patterns("*.sqlite3*", "__pycache__")
        shutil.copytree(EXAMPLE, folder, dirs_exist_ok=True, ignore=ignored)
        subprocess.run([sys.executable, "store.py"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        service = subprocess.Popen(
            [
                *(sys.executable, "payment_server.py", "--port", "0", "--delay", str(delay)),
                *("--log", str(folder / "payments.jsonl")),
            ],
            cwd=folder,
            stdout=subprocess.PIPE,
        )
        assert service.stdout is not None
        port = service.stdout.readline().decode().strip().rpartition(":")[2]
        for name in ("schema.json", "skill.py"):
            file = folder / "units" / "pay" / name
            file.write_text(file.read_text().replace("18934", port))
        config = folder / "prowess.toml"
        kept = f'postgres = {{ env = "{URL}" }}' if url else 'sqlite = "runs.sqlite3"'
        text = re.sub(r'sqlite = "runs.sqlite3"', f"{kept}\ndead_after = {dead_after}", config.read_text())
        config.write_text(f'{text}\n[records]\nsqlite = "records.sqlite3"\n')
        where = Where(url=url) if url else Where(file=str(folder / "runs.sqlite3"))
        made = Agency(folder=folder, where=where, database=RunDatabase(where))
        yield made
    finally:
        for worker in list(made.workers) if made is not None else []:
            made.kill(worker)  # type: ignore[union-attr]  # there are workers
        if made is not None:
            made.database.close()
        if service is not None:
            service.kill()
            service.wait()
            if service.stdout is not None:
                service.stdout.close()
        shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True, kw_only=True)
class Result:
    """What became of it. `wrong` is empty when everything is as it must be."""

    kills: int
    states: Counter[str]
    payments: int
    wrong: tuple[str, ...]


def killed(
    kills: int, *, url: str = "", workers: int = 1, each: int = 2, longest: float = 2.5, seed: int = 0
) -> Result:
    """Kill workers `kills` times, `each` new runs before every kill, then let all runs come to their ends."""
    chance = random.Random(seed)
    with agency(url) as here:
        ids: list[str] = []
        alive = [here.spawn() for _ in range(workers)]
        for number in range(kills):
            victim = alive.pop(0)
            here.ready(victim)
            alive.append(here.spawn())
            ids += [here.put_in() for _ in range(each)]
            time.sleep(chance.uniform(0, longest) if number % 2 else chance.uniform(0, longest / 5))
            here.kill(victim)
        for worker in alive:
            here.ready(worker)
        here.drained(ids)
        return judged(here, kills, ids)


def judged(here: Agency, kills: int, ids: list[str]) -> Result:
    """Hold the runs against what the payment service was asked."""
    paid, wrong = here.paid(), []
    known: set[str] = set()
    states: Counter[str] = Counter()
    for id in ids:
        run, steps = here.run(id), here.steps(id)
        states[run.state] += 1
        order = steps["2"].value["order"]["id"] if "2" in steps else ""
        known.add(order)
        if run.state not in ("completed", "attention"):
            wrong.append(f"{id} is {run.state}: {run.error}")
        if run.state == "completed" and (paid[order] != 1 or run.output["order"] != order):
            wrong.append(f"{id} is completed and was paid {paid[order]} times")
        if run.state == "attention" and "pay" not in str(run.error):
            wrong.append(f"{id} does not say what is unknown: {run.error}")
    wrong += [f"{order} was paid {count} times" for order, count in paid.items() if count > 1]
    wrong += [f"{order} was paid for no run" for order in paid.keys() - known]
    return Result(kills=kills, states=states, payments=paid.total(), wrong=tuple(wrong))


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description="kill -9 of workers.")
    parser.add_argument("--kills", type=int, help="how many (default 200, with --url 100)")
    parser.add_argument("--url", default="", help="a PostgreSQL database that is ours alone; two workers")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    kills = options.kills or (100 if options.url else 200)
    began = time.monotonic()
    result = killed(kills, url=options.url, workers=2 if options.url else 1, seed=options.seed)
    states = ", ".join(f"{count} {state}" for state, count in sorted(result.states.items()))
    print(f"{result.kills} kills, {states}, {result.payments} payments, {time.monotonic() - began:.0f} s")
    for each in result.wrong:
        print(f"wrong: {each}")
    return 1 if result.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
