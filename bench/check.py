"""`prowess check` over many packages: CPU per package against peers in the same run, and memory.

Each subject lives in one process (`worker.py`), so imports are paid before the clock starts. All judge
the same packages, batch by batch, taking turns; a ratio is taken for each batch and the median counts.
The first batch is judged once before the clock starts, for caches of files and of code.

    python -m bench.check [--packages 1000] [--batches 10] [--no-peers] [--json]
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bench import peers
from bench.packages import SERVERS, SKILLS, generate
from bench.result import Figure, Goal, Result
from bench.worker import EXPECTED

US = "prowess"
TIMES_LESS = {"skills-ref": 10.0, "skillsaw": 10.0, "agent-plugins": 1.0}
# A list that grows with the packages would show in tens of MiB; this is the allocator's own slack.
SLACK_KIB = 2048


class Subject:
    """A worker process: judges batches and remembers CPU seconds per package, and memory."""

    def __init__(self, name: str, python: str) -> None:
        self.name = name
        self.cpu: list[float] = []
        self.rss: list[int] = []
        self._process = subprocess.Popen(
            [python, str(Path(__file__).with_name("worker.py")), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._process.stdin:
            self._process.stdin.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def judge(self, packages: Sequence[Path]) -> dict[str, Any]:
        """One batch; an answer that is not the expected one ends the benchmark."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        stdin.write(json.dumps([str(package) for package in packages]) + "\n")
        stdin.flush()
        line = stdout.readline()
        if not line:
            raise SystemExit(f"{self.name}: the worker ended, see its message above")
        answer: dict[str, Any] = json.loads(line)
        if answer["found"] != [EXPECTED[self.name]]:
            raise SystemExit(f"{self.name}: found {answer['found']}, expected {EXPECTED[self.name]} in each")
        return answer

    def measure(self, packages: Sequence[Path]) -> None:
        """One batch that counts."""
        answer = self.judge(packages)
        self.cpu.append(answer["cpu"] / len(packages))
        self.rss.append(answer["rss_kib"])

    def times_more_than(self, other: Subject) -> float:
        """The median over the batches of this one's CPU time divided by the other's."""
        return statistics.median(mine / its for mine, its in zip(self.cpu, other.cpu, strict=True))


def run(count: int, batches: int, *, with_peers: bool) -> Result:
    """Generate, measure, compare."""
    with ExitStack() as stack:
        directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="prowess-bench-"))
        packages = generate(Path(directory), count)
        subjects = [stack.enter_context(Subject(US, sys.executable))]
        if with_peers:
            python = str(peers.installed())
            subjects += [stack.enter_context(Subject(name, python)) for name in TIMES_LESS]
        size = -(-count // batches)
        for subject in subjects:
            subject.judge(packages[:size])
        for start in range(0, count, size):
            for subject in subjects:
                subject.measure(packages[start : start + size])
        return result(subjects, count, size)


def result(subjects: Sequence[Subject], count: int, size: int) -> Result:
    """The figures and the goals."""
    us, *others = subjects
    goals = [
        Goal(
            name=f"CPU per package, times less than {peer.name}",
            value=peer.times_more_than(us),
            limit=TIMES_LESS[peer.name],
            keep="at least",
        )
        for peer in others
    ]
    grown = us.rss[-1] - us.rss[0]
    goals.append(
        Goal(
            name=f"memory grown from {size} to {count} packages, KiB",
            value=grown,
            limit=SLACK_KIB,
            keep="at most",
        )
    )
    settings: dict[str, Figure] = {"packages": count, "skills each": SKILLS, "servers each": SERVERS}
    return Result(bench="check", settings=settings, rows=[row(each, us) for each in subjects], goals=goals)


def row(subject: Subject, us: Subject) -> dict[str, Figure]:
    """One line of the table."""
    return {
        "subject": subject.name,
        "version": peers.PEERS.get(subject.name, "this checkout"),
        "CPU ms a package": statistics.median(subject.cpu) * 1000,
        "times ours": subject.times_more_than(us),
        "MiB after the first batch": subject.rss[0] / 1024,
        "MiB at the end": subject.rss[-1] / 1024,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.check", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--packages", type=int, default=1000)
    parser.add_argument("--batches", type=int, default=10)
    parser.add_argument("--no-peers", action="store_true", help="our own figures only")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    done = run(given.packages, given.batches, with_peers=not given.no_peers)
    return done.report(as_json=given.json)


if __name__ == "__main__":
    sys.exit(main())
