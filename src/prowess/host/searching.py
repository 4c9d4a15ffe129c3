"""Search as a Host has it: over the tools that a caller may see, and the skills of its plugins.

An index is made when one is first asked and kept for the next time; what a caller may see decides
which. The bodies of skills are read for it, since a skill is found by its body too. It does not
search what servers list as skills: those are approved by name, one by one.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from prowess.capability.offer import Tool
from prowess.choose.offered import free_id
from prowess.choose.searching import Findable, Searchable, skill_findable, tool_findable
from prowess.errors import ProwessError
from prowess.host.packages import LocalSkill
from prowess.source.reading import read_body
from prowess.spec.model import Skill

KEPT = 8  # different sets of visible capabilities whose index is kept; the one unused for longest goes

Named = tuple[str, Tool]  # a tool under the name that it is called by
Defined = Callable[[Findable, Tool | LocalSkill], str]


class Searchables:
    """The sets that were searched last. `defined` writes what a model reads of one, where it differs."""

    def __init__(self, defined: Defined | None = None) -> None:
        self._defined = defined
        self._kept: OrderedDict[tuple[object, ...], tuple[Searchable, object]] = OrderedDict()
        self._bodies: dict[int, tuple[Skill, str]] = {}

    async def of(self, tools: Iterable[Named], skills: Sequence[LocalSkill]) -> Searchable:
        """The set of these, made now or the last time that they were the same."""
        named = list(tools)
        stamp = (*((name, id(each.wire)) for name, each in named), *((s.name, id(s.skill)) for s in skills))
        if stamp not in self._kept:
            made = await asyncio.to_thread(self._made, named, skills)
            self._kept[stamp] = made, (named, skills)  # an id of what is kept is nobody else's
        self._kept.move_to_end(stamp)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return self._kept[stamp][0]

    def _made(self, tools: Sequence[Named], skills: Sequence[LocalSkill]) -> Searchable:
        found: dict[str, Findable] = {}
        for name, tool in tools:
            found[name] = self._written(tool_findable(tool, name), tool)
        for skill in skills:
            name = free_id(skill.name, found)
            read = replace(skill.skill, body=self._body(skill))
            made = skill_findable(read, name, plugin=skill.plugin)
            found[name] = self._written(made, skill)
        searchable = Searchable(found.values())
        _ = searchable.index  # made here, in a thread, and not while everybody waits
        return searchable

    def _written(self, made: Findable, of: Tool | LocalSkill) -> Findable:
        return made if self._defined is None else replace(made, definition=self._defined(made, of))

    def _body(self, local: LocalSkill) -> str:
        """The body, read once; one that cannot be read is a skill that is found by the rest."""
        known = self._bodies.get(id(local.skill))
        if known is None or known[0] is not local.skill:
            known = self._bodies[id(local.skill)] = (local.skill, _read(local))
        return known[1]


def _read(local: LocalSkill) -> str:
    if local.skill.body is not None:
        return local.skill.body
    try:
        return read_body(local.source, local.skill)
    except ProwessError:
        return ""
