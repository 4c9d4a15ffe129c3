"""Improving descriptions without a model: what the words proposed are worth on utterances not learned from.

Every capability of a set gets the words that `prowess improve` would propose from its training
utterances; then the utterances held out are ranked before and after. One of ten utterances of each is held
out at a time, two times for each seed, another two with every seed. Beside that single capabilities
are improved alone, and their siblings' held-out utterances ranked: an improvement of one must
not cost the others. Needs labelled utterances (`--data DIR`, or PROWESS_TRIGGERING); without them only
our own small set is measured, which has no goal.

    python -m bench.improve [--seeds 5] [--data DIR] [--json]
"""

from __future__ import annotations

import argparse
import math
import os
import random
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.choose import Labelled, labelled
from bench.result import Figure, Goal, Result
from prowess.choose.documents import Document
from prowess.choose.ranking import Index
from prowess.evaluate.cases import Case
from prowess.evaluate.improving_words import proposed_words

UTTERANCES = 10  # of each capability that are used; where there are fewer, all
FOLDS = 2  # of as many as there are utterances, for each seed
ALONE = 10  # capabilities that are improved by themselves, for each fold
GAIN, LEAST = 0.05, 0.0  # of recall at rank 1: the mean over seeds, and its lower 95 % bound
LOST, ROUNDING = 0.02, 0.0005  # one utterance of 64; one of two thousand
_T = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 8: 2.365, 10: 2.262}  # Student's, by seeds


@dataclass(slots=True, kw_only=True)
class Tally:
    """Held-out utterances: how many found theirs before and after, and what changed."""

    asked: int = 0
    before: int = 0
    after: int = 0
    fixed: int = 0
    broken: int = 0
    words: int = 0
    capabilities: int = 0
    siblings_asked: int = 0
    siblings_before: int = 0
    siblings_after: int = 0

    @property
    def gain(self) -> float:
        """By how much recall at rank 1 rose."""
        return (self.after - self.before) / self.asked

    @property
    def siblings(self) -> float:
        """By how much that of siblings rose, where one capability alone was improved."""
        return (self.siblings_after - self.siblings_before) / max(1, self.siblings_asked)


def run_seed(data: Labelled, seed: int) -> Tally:
    """All folds of one seed."""
    chance, tally = random.Random(seed), Tally()
    own = _drawn(data, chance)
    for fold in range(min(FOLDS, max(map(len, own.values())))):
        _fold(data, own, fold, chance, tally)
    return tally


def _drawn(data: Labelled, chance: random.Random) -> dict[int, list[str]]:
    own: dict[int, list[str]] = {}
    for text, place in data.utterances:
        own.setdefault(place, []).append(text)
    for texts in own.values():
        chance.shuffle(texts)
    return {place: texts[: UTTERANCES + 1] for place, texts in own.items()}


def _fold(data: Labelled, own: dict[int, list[str]], fold: int, chance: random.Random, tally: Tally) -> None:
    documents = {place: _document(place, each) for place, each in enumerate(data.documents)}
    held = [(texts[fold], place) for place, texts in own.items() if fold < len(texts)]
    train = [
        Case(id=f"{place}-{at}", utterance=text, expect=(f"{place:06}",), split="train")
        for place, texts in own.items()
        for at, text in enumerate(texts)
        if at != fold
    ]
    index = Index.of(documents.values())
    before = [_right(index, text, place) for text, place in held]
    improved = {}
    for place, document in documents.items():
        words = proposed_words(index, document, train)
        tally.words += len(words)
        improved[place] = replace(document, triggers=tuple(each.word for each in words))
    tally.capabilities += len(documents)
    alone = [place for place in improved if improved[place].triggers]
    for place in chance.sample(alone, min(ALONE, len(alone))):
        index.put(improved[place])
        others = [(known, each) for known, each in zip(before, held, strict=True) if each[1] != place]
        tally.siblings_asked += len(others)
        tally.siblings_before += sum(known for known, _ in others)
        tally.siblings_after += sum(_right(index, *each) for _, each in others)
        index.put(documents[place])
    after_index = Index.of(improved.values())
    after = [_right(after_index, text, place) for text, place in held]
    tally.asked += len(held)
    tally.before += sum(before)
    tally.after += sum(after)
    tally.fixed += sum(new and not old for old, new in zip(before, after, strict=True))
    tally.broken += sum(old and not new for old, new in zip(before, after, strict=True))


def _document(place: int, said: dict[str, str]) -> Document:
    return Document(id=f"{place:06}", name=said["name"], description=said["description"], body=said["body"])


def _right(index: Index, text: str, place: int) -> bool:
    return index.rank(text, limit=1).ids == (f"{place:06}",)


def lower_bound(gains: Sequence[float]) -> float | None:
    """Of the mean, two-sided 95 %, over seeds (Student's t); None for a single one."""
    if len(gains) < 2:
        return None
    times = _T.get(len(gains), 2.0 if len(gains) > 10 else 4.303)
    return statistics.mean(gains) - times * statistics.stdev(gains) / math.sqrt(len(gains))


def row(data: Labelled, tallies: Sequence[Tally], seconds: float) -> dict[str, Figure]:
    """One line of the table."""
    asked = sum(each.asked for each in tallies)
    gains = [each.gain for each in tallies]
    return {
        "what": f"{data.name}, {len(data.documents)} capabilities",
        "seeds": len(tallies),
        "held out": asked,
        "R@1 before": sum(each.before for each in tallies) / asked,
        "R@1 after": sum(each.after for each in tallies) / asked,
        "gain": statistics.mean(gains),
        "lower bound": lower_bound(gains),
        "fixed": sum(each.fixed for each in tallies),
        "broken": sum(each.broken for each in tallies),
        "words each": sum(e.words for e in tallies) / sum(e.capabilities for e in tallies),
        "siblings, one alone": statistics.mean(each.siblings for each in tallies),
        "seconds": seconds,
    }


def goals(name: str, line: dict[str, Figure]) -> list[Goal]:
    """What is to be reached: a gain on the tools, and nothing lost on our own set, where all is found."""
    gain, least, alone = line["gain"], line["lower bound"], line["siblings, one alone"]
    if name == "own":
        return [Goal(name="own: gain of R@1", value=float(gain or 0), limit=-LOST, keep="at least")]
    if name != "tools":
        return []
    siblings = "tools: siblings, where one alone is improved"
    return [
        Goal(name="tools: gain of R@1", value=float(gain or 0), limit=GAIN, keep="at least"),
        Goal(
            name="tools: its lower bound",
            value=float(-1 if least is None else least),
            limit=LEAST,
            keep="at least",
        ),
        Goal(name=siblings, value=float(alone or 0), limit=-ROUNDING, keep="at least"),
    ]


def run(seeds: int, folder: Path | None) -> Result:
    """Every set that is there."""
    rows, wanted = [], []
    for data in labelled(folder):
        before = time.process_time()
        tallies = [run_seed(data, seed) for seed in range(seeds)]
        rows.append(row(data, tallies, time.process_time() - before))
        wanted += goals(data.name, rows[-1])
    settings: dict[str, Figure] = {"data": "given" if folder else "own set only"}
    return Result(bench="improve", settings=settings, rows=rows, goals=wanted)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.improve", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--data", default=os.environ.get("PROWESS_TRIGGERING"), metavar="DIR")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    return run(given.seeds, Path(given.data) if given.data else None).report(as_json=given.json)


if __name__ == "__main__":
    sys.exit(main())
