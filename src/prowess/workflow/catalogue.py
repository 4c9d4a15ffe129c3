"""What a definition may use, as the check sees it: skills with their schemas, and other workflows.

A Host has such a catalogue of everything that it offers; `MemoryCatalogue` is the twin that holds what it
was given. Nothing here calls a skill.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from prowess.call.resolving import VERSION_META
from prowess.call.retry import idempotent
from prowess.capability.offer import Tool
from prowess.choose.versions import match, parse
from prowess.errors import UsageError
from prowess.workflow.definition import Workflow


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """One version of a skill, with JSON Schemas. `version` is empty where it has none, as a server's tools.

    `output` is the schema of its result, or None where nothing is said about it. `repeatable` is whether it
    says that a second time does no harm; None where that is not known.
    """

    name: str
    version: str = ""
    input: Mapping[str, Any] = field(default_factory=lambda: {"type": "object"})
    output: Mapping[str, Any] | None = None
    repeatable: bool | None = None


class Catalogue(Protocol):
    """Everything that steps may name."""

    def names(self) -> Sequence[str]:
        """The names of all skills."""
        ...

    def offered(self, name: str) -> Sequence[Offered]:
        """Every version of a skill; empty when there is no such skill."""
        ...

    def may_run(self, name: str, asked: str) -> Sequence[Offered]:
        """The versions that a call with the range `asked` may run: one, or more while one is rolled out."""
        ...

    def workflows(self) -> Sequence[Workflow]:
        """Every version of every workflow."""
        ...


class MemoryCatalogue:
    """A catalogue of what it was given; a call runs the newest version that its range admits."""

    def __init__(self, skills: Iterable[Offered] = (), workflows: Iterable[Workflow] = ()) -> None:
        self._skills: dict[str, list[Offered]] = {}
        for each in skills:
            self._skills.setdefault(each.name, []).append(each)
        self._workflows = tuple(workflows)

    def names(self) -> Sequence[str]:
        """The names of all skills."""
        return tuple(self._skills)

    def offered(self, name: str) -> Sequence[Offered]:
        """Every version of a skill."""
        return tuple(self._skills.get(name, ()))

    def may_run(self, name: str, asked: str) -> Sequence[Offered]:
        """The newest version that `asked` admits; a skill without versions, where none is asked for."""
        offered = self.offered(name)
        chosen = newest((each.version for each in offered), asked)
        return tuple(each for each in offered if each.version == chosen)

    def workflows(self) -> Sequence[Workflow]:
        """Every version of every workflow."""
        return self._workflows


def offered_of(tools: Iterable[Tool]) -> Iterator[Offered]:
    """Tools as what steps may call, by their own name and by `server/name`."""
    for tool in tools:
        meta, output = tool.wire.get("_meta"), tool.wire.get("outputSchema")
        version = meta.get(VERSION_META, "") if isinstance(meta, Mapping) else ""
        for name in (tool.name, f"{tool.server}/{tool.name}"):
            yield Offered(
                name=name,
                version=str(version),
                input=tool.input_schema,
                output=output if isinstance(output, Mapping) else None,
                repeatable=idempotent(tool),
            )


def newest(versions: Iterable[str], asked: str) -> str | None:
    """The version that `asked` means of these, where the empty one is what has no versions."""
    known = list(versions)
    if "" in known and not asked:
        return ""
    if len(known) == 1 and not asked:
        return known[0]  # also a prerelease, where there is nothing else
    try:
        return match(asked, [each for each in known if _is_version(each)])
    except UsageError:
        return None


def workflow_of(workflows: Iterable[Workflow], name: str, asked: str) -> Workflow | None:
    """The workflow that a step means: the newest version that `asked` admits."""
    named = [each for each in workflows if each.name == name]
    chosen = newest((each.version for each in named), asked)
    return next((each for each in named if each.version == chosen), None)


def _is_version(text: str) -> bool:
    try:
        parse(text)
    except UsageError:
        return False
    return True
