"""What a benchmark hands back: rows of figures and goals met or missed; as a table and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Figure = str | float | int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """A measured value and the limit that it has to keep."""

    name: str
    value: float
    limit: float
    keep: Literal["at least", "at most", "less than"]

    @property
    def met(self) -> bool:
        """Whether the value keeps the limit."""
        if self.keep == "at least":
            return self.value >= self.limit
        return self.value < self.limit if self.keep == "less than" else self.value <= self.limit

    def to_text(self) -> str:
        """The goal as one line."""
        word = "met   " if self.met else "MISSED"
        return f"{word} {self.name}: {self.value:.2f} ({self.keep} {self.limit:.2f})"

    def to_json(self) -> dict[str, Figure]:
        """The goal as one flat object."""
        return {
            "name": self.name,
            "value": round(self.value, 4),
            "keep": self.keep,
            "limit": round(self.limit, 4),
            "met": self.met,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One run of one benchmark. The keys of a row are the columns, the same in each row."""

    bench: str
    settings: Mapping[str, Figure]
    rows: Sequence[Mapping[str, Figure]]
    goals: Sequence[Goal] = field(default=())

    @property
    def met(self) -> bool:
        """Whether no goal is missed."""
        return all(goal.met for goal in self.goals)

    def to_json(self) -> str:
        """Everything, for a script."""
        value = {
            "bench": self.bench,
            "settings": dict(self.settings),
            "rows": [dict(row) for row in self.rows],
            "goals": [goal.to_json() for goal in self.goals],
            "met": self.met,
        }
        return json.dumps(value, indent=2)

    def to_text(self) -> str:
        """Everything, for a person."""
        head = f"{self.bench}: " + ", ".join(f"{key} {value}" for key, value in self.settings.items())
        goals = [goal.to_text() for goal in self.goals]
        return "\n".join([head, *table(self.rows), *goals])

    def report(self, *, as_json: bool) -> int:
        """Print it; the exit status: 1 when a goal is missed."""
        print(self.to_json() if as_json else self.to_text(), flush=True)
        return 0 if self.met else 1


def table(rows: Sequence[Mapping[str, Figure]]) -> list[str]:
    """The rows as aligned Markdown."""
    if not rows:
        return []
    columns = list(rows[0])
    cells = [columns, *([shown(row[column]) for column in columns] for row in rows)]
    widths = [max(len(line[index]) for line in cells) for index in range(len(columns))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |"
        for line in cells
    ]
    return [lines[0], "| " + " | ".join("-" * width for width in widths) + " |", *lines[1:]]


def shown(value: Figure) -> str:
    """A figure as people read it."""
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 100 else f"{value:,.0f}"
    return "-" if value is None else str(value)
