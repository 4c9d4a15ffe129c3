"""Ranking: how fast, and how often the right one is among the first, against four peers in one run.

Speed is CPU time over made-up descriptions (`descriptions.py`); each subject lives in a process of its
own (`choose_worker.py`). Quality needs labelled utterances: ours in Chinese and Japanese are in the
checkout, others are read from a folder (`--data DIR`, or PROWESS_TRIGGERING) and left out without it.
Recall is of a shortlist made by words alone; it says nothing of what a model would choose.

    python -m bench.choose [--documents 200,5000,10000] [--queries 200] [--data DIR] [--no-peers] [--json]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bench import peers
from bench.descriptions import made_up
from bench.result import Figure, Goal, Result
from prowess.choose.catalogue import Entry, entry_text
from prowess.choose.estimate import tokens
from prowess.choose.packing import Definition, pack

OURS = ("prowess", "prowess-store")
PEERS = ("rank-bm25", "bm25s", "tantivy", "fts5")
OWN = Path(__file__).resolve().parents[1] / "tests" / "choose" / "utterances.json"
BEST, ALL = 10, 1_000
# Median of a query in ms by the number of documents, and seconds to index the largest.
QUERY_MS = {200: 0.5, 10_000: 5.0}
INDEX_SECONDS = {10_000: 3.0}
COMPARED, TIMES_LESS = "rank-bm25", 5.0
# Share of utterances that find theirs: at rank 1, at rank 5, within 1,000 tokens.
RECALL = {"siblings": (0.60, 0.87, 0.88), "tools": (0.56, None, None), "own": (None, 0.85, None)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """One set: documents, and utterances with the place of the right document."""

    name: str
    documents: list[dict[str, str]]
    utterances: list[tuple[str, int]]


@dataclass(slots=True, kw_only=True)
class Measured:
    """What one subject took and found over one set of documents."""

    build: float
    seconds: list[float] = field(default_factory=list)
    places: list[list[int]] = field(default_factory=list)

    @property
    def query_ms(self) -> float:
        """The median of a query."""
        return statistics.median(self.seconds) * 1_000


class Worker:
    """A process that holds one subject."""

    def __init__(self, subject: str, python: str, documents: Sequence[dict[str, str]]) -> None:
        self.subject = subject
        self._process = subprocess.Popen(
            [python, str(Path(__file__).with_name("choose_worker.py")), subject],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.build: float = self._ask(documents)["build"]

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

    def search(self, queries: Iterable[str], best: int) -> Measured:
        """All queries once, after the first few were asked to warm up."""
        asked = list(queries)
        self._ask({"best": best, "queries": asked[:20]})
        return Measured(build=self.build, **self._ask({"best": best, "queries": asked}))

    def _ask(self, question: Any) -> dict[str, Any]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        stdin.write(json.dumps(question) + "\n")
        stdin.flush()
        line = stdout.readline()
        if not line:
            raise SystemExit(f"{self.subject}: the worker ended, see its message above")
        answer: dict[str, Any] = json.loads(line)
        return answer


def measured(
    subject: str, documents: Sequence[dict[str, str]], queries: Iterable[str], best: int
) -> Measured:
    """One subject over one set."""
    python = sys.executable if subject in OURS else str(peers.installed())
    with Worker(subject, python, documents) as worker:
        return worker.search(queries, best)


# -- quality


def labelled(folder: Path | None) -> list[Labelled]:
    """Our own set, and those of the folder that are there."""
    own = json.loads(OWN.read_text(encoding="utf-8"))
    pairs = [(each["utterance"], each["expect"]) for each in own["utterances"]]
    sets = [_set("own", own["documents"], pairs)]
    for name, documents in (("siblings", "siblings-skills.json"), ("tools", "tools-descriptions.json")):
        if folder is not None and (folder / documents).exists():
            lines = (folder / f"{name}-utterances.jsonl").read_text(encoding="utf-8").splitlines()
            rows = [json.loads(line) for line in lines]
            positive = [(each["utterance"], each["expect"][0]) for each in rows if each["expect"]]
            known = json.loads((folder / documents).read_text(encoding="utf-8"))
            sets.append(_set(name, known, positive))
    return sets


def _set(name: str, documents: Sequence[dict[str, str]], pairs: Sequence[tuple[str, str]]) -> Labelled:
    places = {each["name"]: place for place, each in enumerate(documents)}
    plain = [{part: each.get(part, "") for part in ("name", "description", "body")} for each in documents]
    return Labelled(name=name, documents=plain, utterances=[(text, places[right]) for text, right in pairs])


def unseen(utterance: str) -> bool:
    """Whether no constant was chosen by it: a fixed half of each set."""
    return hashlib.sha256(utterance.encode()).digest()[0] % 2 == 1


def recall(found: Sequence[tuple[Sequence[int], int]], at: int) -> float:
    """The share whose right document is among the first `at`."""
    return sum(right in places[:at] for places, right in found) / len(found)


def recall_within(
    found: Sequence[tuple[Sequence[int], int]], documents: Sequence[dict[str, str]], budget: int
) -> float:
    """The share whose right document is shown when the catalogue may take `budget` tokens."""
    entries = [entry_text(Entry(name=e["name"], description=e["description"])) for e in documents]
    known = {text: tokens(text) for text in entries}
    shown = 0
    for places, right in found:
        ranked = [Definition(id=str(place), text=entries[place]) for place in places]
        shown += str(right) in pack([], ranked, budget, known.__getitem__).ids
    return shown / len(found)


def quality_row(subject: str, data: Labelled, done: Measured) -> dict[str, Figure]:
    """One line of the table."""
    found = [(places, right) for places, (_, right) in zip(done.places, data.utterances, strict=True)]
    half = [each for each, (text, _) in zip(found, data.utterances, strict=True) if unseen(text)]
    return {
        "what": f"quality: {data.name}, {len(data.documents)} documents, {len(found)} utterances",
        "subject": subject,
        "index s": done.build,
        "query ms": done.query_ms,
        "R@1": recall(found, 1),
        "R@5": recall(found, 5),
        "1,000 tokens": recall_within(found, data.documents, 1_000),
        "2,000 tokens": recall_within(found, data.documents, 2_000),
        "R@1 unseen half": recall(half, 1),
        "R@5 unseen half": recall(half, 5),
    }


def quality_goals(row: dict[str, Figure], name: str) -> list[Goal]:
    """What ours has to reach on a set."""
    columns = zip(("R@1", "R@5", "1,000 tokens"), RECALL[name], strict=True)
    return [
        Goal(name=f"{name}: {column}", value=float(row[column] or 0), limit=limit, keep="at least")
        for column, limit in columns
        if limit is not None
    ]


# -- speed


def speed_row(subject: str, count: int, done: Measured) -> dict[str, Figure]:
    """One line of the table."""
    recalls = dict.fromkeys(
        ("R@1", "R@5", "1,000 tokens", "2,000 tokens", "R@1 unseen half", "R@5 unseen half")
    )
    return {
        "what": f"speed: {count} documents",
        "subject": subject,
        "index s": done.build,
        "query ms": done.query_ms,
        **recalls,
    }


def speed_goals(count: int, done: dict[str, Measured]) -> list[Goal]:
    """What ours may take, and how it compares."""
    ours = done[OURS[0]]
    goals = []
    if count in QUERY_MS:
        limit = QUERY_MS[count]
        name = f"{count} documents: query, ms"
        goals.append(Goal(name=name, value=ours.query_ms, limit=limit, keep="less than"))
    if count in INDEX_SECONDS:
        limit = INDEX_SECONDS[count]
        name = f"{count} documents: index, s"
        goals.append(Goal(name=name, value=ours.build, limit=limit, keep="less than"))
    if COMPARED in done and count >= 5_000:
        times = done[COMPARED].query_ms / ours.query_ms
        name = f"{count} documents: query, times less than {COMPARED}"
        goals.append(Goal(name=name, value=times, limit=TIMES_LESS, keep="at least"))
    return goals


def run(counts: Sequence[int], queries: int, folder: Path | None, *, with_peers: bool) -> Result:
    """Measure every subject over every set."""
    subjects = (*OURS, *(PEERS if with_peers else ()))
    rows: list[dict[str, Figure]] = []
    goals: list[Goal] = []
    for count in counts:
        documents, asked = made_up(count, queries)
        done = {each: measured(each, documents, asked, BEST) for each in subjects}
        rows += [speed_row(each, count, done[each]) for each in subjects]
        goals += speed_goals(count, done)
    for data in labelled(folder):
        texts = [text for text, _ in data.utterances]
        for each in subjects:
            rows.append(quality_row(each, data, measured(each, data.documents, texts, ALL)))
            if each == OURS[0]:
                goals += quality_goals(rows[-1], data.name)
    settings: dict[str, Figure] = {"queries": queries, "data": "given" if folder else "own set only"}
    return Result(bench="choose", settings=settings, rows=rows, goals=goals)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.choose", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--documents", default="200,5000,10000", help="numbers of made-up descriptions")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--data", default=os.environ.get("PROWESS_TRIGGERING"), metavar="DIR")
    parser.add_argument("--no-peers", action="store_true", help="our own figures only")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    counts = [int(each) for each in given.documents.split(",") if each]
    folder = Path(given.data) if given.data else None
    done = run(counts, given.queries, folder, with_peers=not given.no_peers)
    return done.report(as_json=given.json)


if __name__ == "__main__":
    sys.exit(main())
