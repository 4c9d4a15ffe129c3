"""Two plots of calls, worked out as rectangles: how long they took, and when they failed.

A column is what was answered, and on top of it what was not. The page draws it and has the same numbers
as a table. Lengths are in the units of the drawing's view box.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from prowess.console.calls_telling import milliseconds, when
from prowess.store.remembered import UNFINISHED
from prowess.store.reports import Ending, percentile

MOST_ENDINGS = 20_000  # the latest calls that are drawn
MOST_COLUMNS = 40
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 480.0, 170.0, 34.0, 22.0, 8.0
MOST_LABELS = 6
DAY = 86_400
_SERIES = (0.0, *(float(f"{digit}e{power}") for power in range(-1, 9) for digit in (1, 2, 5)))  # milliseconds
_STEPS = (1, 5, 15, 60, 300, 900, 3_600, 10_800, 43_200, 86_400, 604_800, 2_592_000, 31_536_000)  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: what it is of, what stands below it, how many calls in it were answered and were not."""

    label: str
    tick: str
    answered: int
    failed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One rectangle; `kind` is answered or failed."""

    kind: str
    x: float
    y: float
    width: float
    height: float
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A word at a place on an axis."""

    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """One drawing, with the numbers that it shows. `note` says in words what matters most."""

    name: str
    title: str
    unit: str
    columns: tuple[Column, ...]
    bars: tuple[Bar, ...]
    across: tuple[Label, ...]
    up: tuple[Label, ...]
    note: tuple[tuple[str, str], ...]
    width: float = WIDTH
    height: float = HEIGHT
    left: float = LEFT
    ground: float = HEIGHT - BOTTOM


def latencies(ends: Sequence[Ending]) -> Plot:
    """How long the calls took that were sent and have ended."""
    sent = [each for each in ends if each.outcome != "refused" and each.code != UNFINISHED]
    times = sorted(each.duration_ms for each in sent)
    bounds = _bounds(times[0], times[-1]) if times else []
    counts = [[0, 0] for _ in bounds]
    for each in sent:
        counts[_place(bounds, each.duration_ms)][each.outcome != "answered"] += 1
    columns = [
        Column(label=f"{_short(low)}–{_short(_above(low))}", tick=_short(low), answered=good, failed=bad)
        for low, (good, bad) in zip(bounds, counts, strict=True)
    ]
    note = [(f"p{share}", milliseconds(percentile(times, share))) for share in (50, 95)] if times else []
    return _plot("latency", "How long calls took", "Time", columns, note)


def over_time(ends: Sequence[Ending]) -> Plot:
    """When calls that were sent began, and how many of them were not answered."""
    sent = [each for each in ends if each.outcome != "refused"]
    if not sent:
        return _plot("failures", "Failures over time", "Beginning at", [], [])
    first, last = min(each.started for each in sent), max(each.started for each in sent)
    step = _step(last - first)
    start = math.floor(first / step)
    counts = [[0, 0] for _ in range(min(MOST_COLUMNS + 1, math.floor(last / step) - start + 1))]
    for each in sent:
        counts[min(len(counts) - 1, math.floor(each.started / step) - start)][each.outcome != "answered"] += 1
    columns = [_moment((start + at) * step, step, good, bad) for at, (good, bad) in enumerate(counts)]
    failed = sum(each.failed for each in columns)
    note = [("not answered", f"{failed:,} / {len(sent):,}")]
    return _plot("failures", "Failures over time", "Beginning at", columns, note)


def _moment(began: float, step: float, answered: int, failed: int) -> Column:
    label = when(began, "minutes" if step >= 60 else "seconds")
    date, _, time = label.partition(" ")
    return Column(label=label, tick=date if step >= DAY else time, answered=answered, failed=failed)


def _step(span: float) -> float:
    """The width of a column, in seconds, so that there are not too many of them."""
    for each in _STEPS:
        if span / each < MOST_COLUMNS:
            return float(each)
    return span / (MOST_COLUMNS - 1)


def _bounds(low: float, high: float) -> list[float]:
    """The lower ends of columns of the series 1, 2, 5, so that all from `low` to `high` fall into one."""
    return list(_SERIES[_place(_SERIES, low) : _place(_SERIES, high) + 1])


def _place(bounds: Sequence[float], value: float) -> int:
    return max((at for at, each in enumerate(bounds) if each <= value), default=0)


def _above(low: float) -> float:
    """Where the column ends that begins at `low`."""
    return next((each for each in _SERIES if each > low), low)


def _short(value: float) -> str:
    return f"{value:g} ms" if value < 1_000 else f"{value / 1_000:g} s"


def _plot(
    name: str, title: str, unit: str, columns: Sequence[Column], note: Sequence[tuple[str, str]]
) -> Plot:
    highest = max((each.answered + each.failed for each in columns), default=0) or 1
    wide = (WIDTH - LEFT) / max(1, len(columns))
    tall = HEIGHT - BOTTOM - TOP
    bars: list[Bar] = []
    for at, each in enumerate(columns):
        bars += _stacked(each, LEFT + at * wide, wide, tall / highest)
    every = max(1, math.ceil(len(columns) / MOST_LABELS))
    across = [
        Label(x=round(LEFT + at * wide, 2), y=HEIGHT - 6, text=each.tick)
        for at, each in enumerate(columns)
        if at % every == 0
    ]
    up = [
        Label(x=LEFT - 4, y=round(HEIGHT - BOTTOM - tall * part + 4, 2), text=f"{highest * part:g}")
        for part in (0, 1)
    ]
    return Plot(
        name=name,
        title=title,
        unit=unit,
        columns=tuple(columns),
        bars=tuple(bars),
        across=tuple(across),
        up=tuple(up),
        note=tuple(note),
    )


def _stacked(column: Column, x: float, wide: float, each: float) -> list[Bar]:
    ground, made = HEIGHT - BOTTOM, []
    for kind, count in (("answered", column.answered), ("failed", column.failed)):
        if count:
            ground -= count * each
            made.append(
                Bar(
                    kind=kind,
                    x=round(x + wide * 0.08, 2),
                    y=round(ground, 2),
                    width=round(wide * 0.84, 2),
                    height=round(count * each, 2),
                    title=f"{column.label}: {count:,}",
                )
            )
    return made
