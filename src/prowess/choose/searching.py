"""What can be found, searched within a budget: ranked, packed, and told why. Pure.

A Findable is one capability as a ranker sees it, as a catalogue shows it and as a model reads it whole.
Tools and skills are found so. Prompts and resources are not: a person starts a prompt, and a resource
is read by whoever has its URI. It does not know where they come from, or who may see them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from prowess.capability.offer import Tool
from prowess.choose.catalogue import Entry, Kind, entry_text
from prowess.choose.documents import Document
from prowess.choose.estimate import Counter, tokens
from prowess.choose.finding import LIMIT
from prowess.choose.offered import definition_of, is_core, is_unit, skill_document, tool_document, triggers_of
from prowess.choose.packing import Definition, LeftOut, Shown, pack
from prowess.choose.ranked import Ranked, Ranking
from prowess.choose.ranking import Index
from prowess.errors import UsageError
from prowess.redact import printable
from prowess.spec.model import Skill

BUDGET = 2_000  # tokens; keeps 96 of 100 in a library of 200 (docs/decisions/0027-ranking.md)


@dataclass(frozen=True, slots=True, kw_only=True)
class Findable:
    """One capability that may be shown. `definition` is the whole text that a model would read of it.

    `server` is the label of its server, of a skill that of its plugin. A `core` one is shown whatever
    is asked.
    """

    document: Document
    entry: Entry
    definition: str
    server: str = ""
    core: bool = False

    @property
    def id(self) -> str:
        """What it is called here; unique in a set."""
        return self.document.id

    @property
    def kind(self) -> Kind:
        """`skill`, `unit` or `tool`."""
        return self.entry.kind


def tool_findable(tool: Tool, id: str) -> Findable:
    """A tool, or a unit, under the name that a model calls it by."""
    return Findable(
        document=tool_document(tool, id),
        entry=Entry(
            name=id,
            description=tool.description or "",
            triggers=triggers_of(tool),
            kind="unit" if is_unit(tool) else "tool",
        ),
        definition=definition_of(tool, id).text,
        server=tool.server,
        core=is_core(tool),
    )


def skill_findable(skill: Skill, id: str, *, plugin: str = "") -> Findable:
    """A skill, found by its body too where that has been read."""
    document = skill_document(skill, id)
    entry = Entry(name=id, description=skill.description, triggers=document.triggers, kind="skill")
    return Findable(document=document, entry=entry, definition=entry_text(entry), server=plugin)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One capability of an answer, with what it scored; without a score it is there because it is core."""

    findable: Findable
    tokens: int
    ranked: Ranked | None
    left_out: LeftOut | None = None

    def to_dict(self) -> dict[str, Any]:
        """The hit as a JSON value."""
        said: dict[str, Any] = {
            "id": self.findable.id,
            "kind": self.findable.kind,
            "server": self.findable.server,
            "core": self.findable.core,
            "tokens": self.tokens,
        }
        if self.ranked is not None:
            why = self.ranked.why
            said |= {name: why[name] for name in ("score", "share", "matched", "terms")}
        if self.left_out is not None:
            said |= {"reason": self.left_out.reason, "why": self.left_out.why}
        return said


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The answer to one query: what is shown, what is left out and why, and how it was ranked.

    `shown` has the core first, then the best that fit, each as a whole; `tokens` is what they take.
    `ranking` holds scores, the words that made them, the runner-up, and, where nothing cleared the
    floor, the names of all there are.
    """

    query: str
    budget: int
    tokens: int
    shown: tuple[Hit, ...]
    left_out: tuple[Hit, ...]
    ranking: Ranking

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.shown)

    def __len__(self) -> int:
        return len(self.shown)

    @property
    def cleared(self) -> bool:
        """Whether anything at all answers the query."""
        return self.ranking.cleared

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids shown, core first."""
        return tuple(each.findable.id for each in self.shown)

    @property
    def text(self) -> str:
        """The whole definitions shown, a line between two."""
        return "\n".join(each.findable.definition for each in self.shown)

    def to_dict(self) -> dict[str, Any]:
        """The report as a JSON value."""
        why = self.ranking.why
        said = {
            "query": self.query,
            "cleared": self.cleared,
            "found": self.ranking.found,
            "budget": self.budget,
            "tokens": self.tokens,
            "shown": [each.to_dict() for each in self.shown],
            "left_out": [each.to_dict() for each in self.left_out],
            "unknown": why["unknown"],
        }
        return said | {name: why[name] for name in ("runner_up", "names") if name in why}


class Searchable:
    """A set of Findables, ready to be searched."""

    def __init__(self, findables: Iterable[Findable]) -> None:
        self.by_id: Mapping[str, Findable] = {each.id: each for each in findables}

    @cached_property
    def index(self) -> Index:
        """The index, made when it is first searched."""
        return Index.of(each.document for each in self.by_id.values())

    def search(
        self,
        query: str,
        *,
        budget: int = BUDGET,
        limit: int = LIMIT,
        estimate: Counter = tokens,
        core: Collection[str] | None = None,
    ) -> Found:
        """The best `limit` for `query`, packed into `budget` tokens after what is always shown.

        `core` are the ids of those, by default what says of itself that it is. Raises UsageError for a
        budget below 0, a limit below 1 and a core id that there is not.
        """
        if limit < 1:
            raise UsageError(f"a limit of {limit}", hint="1 or more")
        ranking = self.index.rank(query, limit=limit)
        packed = pack(self._core(core), map(self._definition, ranking.ids), budget, estimate)
        ranked = {each.id: each for each in ranking}
        return Found(
            query=query,
            budget=budget,
            tokens=packed.tokens,
            shown=tuple(self._hit(each, ranked) for each in packed.shown),
            left_out=tuple(self._hit(each, ranked) for each in packed.left_out),
            ranking=ranking,
        )

    def _core(self, core: Collection[str] | None) -> list[Definition]:
        if core is None:
            return [self._definition(id) for id, each in self.by_id.items() if each.core]
        for id in core:
            if id not in self.by_id:
                near = get_close_matches(id, self.by_id, 1)
                hint = f"did you mean {printable(near[0], 200)}?" if near else ""
                raise UsageError(f"nothing is called {printable(id, 80)}, and it is always shown", hint=hint)
        return [self._definition(id) for id in core]

    def _definition(self, id: str) -> Definition:
        return Definition(id=id, text=self.by_id[id].definition)

    def _hit(self, packed: Shown | LeftOut, ranked: Mapping[str, Ranked]) -> Hit:
        return Hit(
            findable=self.by_id[packed.id],
            tokens=packed.tokens,
            ranked=ranked.get(packed.id),
            left_out=packed if isinstance(packed, LeftOut) else None,
        )
