"""Tools shown progressively: a few always, the others found by a query and called through one tool.

With many capabilities a list alone fills a model's context, and a model picks worse from it. Here it
sees the core ones and four tools of ours: search, describe, call, activate. What a search shows are
whole definitions within a budget of tokens, never shortened ones; what was left out is named with the
reason. A call goes the way of any other. Part of the choice is `choose/`; this asks and answers.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from html import escape
from typing import Any

from prowess.call.policy import LOCAL
from prowess.capability.offer import Tool
from prowess.choose.estimate import tokens
from prowess.choose.offered import is_core
from prowess.choose.searching import BUDGET, Findable, Searchable
from prowess.errors import ProwessError, UsageError
from prowess.host import Host
from prowess.host.packages import LocalSkill
from prowess.host.searching import Searchables
from prowess.redact import printable
from prowess.serve.catalogue import Entry
from prowess.serve.request import Request
from prowess.serve.skills_local import SCHEME, skill_paths

SEARCH, DESCRIBE, CALL, ACTIVATE = (
    "search_capabilities",
    "describe_capability",
    "call_capability",
    "activate_skill",
)

_NAME = {"type": "string", "description": "a name that search_capabilities gave"}
_READS = {"readOnlyHint": True, "openWorldHint": False}
OWN: tuple[dict[str, Any], ...] = (
    {
        "name": SEARCH,
        "description": "Find the tools and skills that fit what you need, before you say that there is none. "
        "Gives their whole definitions, the best first.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "what you need, in the user's own words"},
                "budget": {"type": "integer", "minimum": 1, "description": "tokens that the answer may take"},
            },
            "required": ["query"],
            "additionalProperties": False,
        },
        "annotations": _READS,
    },
    {
        "name": DESCRIBE,
        "description": "The whole definition of one tool or skill, with the schema of its arguments.",
        "inputSchema": {
            "type": "object",
            "properties": {"name": _NAME},
            "required": ["name"],
            "additionalProperties": False,
        },
        "annotations": _READS,
    },
    {
        "name": CALL,
        "description": "Use a tool that search_capabilities or describe_capability gave, with arguments that "
        "fit its schema.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "name": _NAME,
                "arguments": {"type": "object", "description": "the tool's arguments"},
            },
            "required": ["name"],
            "additionalProperties": False,
        },
    },
    {
        "name": ACTIVATE,
        "description": "The instructions of a skill that search_capabilities gave; follow them from then on.",
        "inputSchema": {
            "type": "object",
            "properties": {"name": _NAME},
            "required": ["name"],
            "additionalProperties": False,
        },
        "annotations": _READS,
    },
)

Call = Callable[[Request], Awaitable[dict[str, Any]]]


class Searching:
    """The four tools, over what a Host shows. `core` are always listed, beside those that say so."""

    def __init__(self, host: Host, *, core: Sequence[str] = (), budget: int = BUDGET) -> None:
        self._host = host
        self._core = frozenset(core)
        self._budget = budget
        self._searchables = Searchables(_defined)

    names = frozenset(each["name"] for each in OWN)

    def insist_on_core(self, tools: Mapping[str, Entry]) -> None:
        """Raises UsageError for a core name that there is not: it would never be shown."""
        for name in sorted(self._core - tools.keys()):
            near = get_close_matches(name, tools, 1)
            raise UsageError(
                f"no tool is called {printable(name)}, and it is to be shown always",
                hint=f"did you mean {near[0]}?" if near else f"tools: {_some(tools)}",
            )

    def listed(self, tools: Mapping[str, Entry]) -> list[dict[str, Any]]:
        """What `tools/list` holds: the core, then ours."""
        core = [
            {**each.wire, "name": known}
            for known, each in tools.items()
            if (known in self._core or _says_core(each)) and known not in self.names
        ]
        return [*core, *(dict(each) for each in OWN)]

    async def answer(self, request: Request, tools: Mapping[str, Entry], call: Call) -> dict[str, Any]:
        """The result of one of the four; `call` is how any other tool is called."""
        name, arguments = request.params.get("name"), request.params.get("arguments")
        arguments = arguments if isinstance(arguments, Mapping) else {}
        skills = self._skills(request)
        among = await self._among(tools, skills)
        if name == SEARCH:
            return self._search(arguments, among)
        wanted = arguments.get("name")
        if not isinstance(wanted, str):
            return _failed("`name` is required and is a string")
        if name == DESCRIBE:
            found = among.by_id.get(wanted)
            return _unknown(wanted, among) if found is None else _given(json.loads(found.definition))
        if name == ACTIVATE:
            return self._activate(wanted, request, among, skills)
        if wanted not in tools and wanted in among.by_id:
            return _failed(f"{printable(wanted, 200)} is a skill; {ACTIVATE} gives its instructions")
        if wanted in self.names or wanted not in tools:
            return _unknown(wanted, among)
        inner = {**request.params, "name": wanted, "arguments": arguments.get("arguments")}
        return await call(replace(request, params=inner))

    def _skills(self, request: Request) -> tuple[LocalSkill, ...]:
        """The skills of plugins that the caller may reach."""
        reach = self._host.reach(request.caller)
        return tuple(each for each in self._host.local_skills if reach.plugin(each.plugin))

    async def _among(self, tools: Mapping[str, Entry], skills: Sequence[LocalSkill]) -> Searchable:
        """What is searched: what is shown now, under the names that this endpoint gives it."""
        named = [(known, Tool(server=each.server, wire=each.wire)) for known, each in tools.items()]
        return await self._searchables.of(named, skills)

    def _search(self, arguments: Mapping[str, Any], among: Searchable) -> dict[str, Any]:
        query, budget = arguments.get("query"), arguments.get("budget", self._budget)
        if not isinstance(query, str) or not query.strip():
            return _failed("`query` is required and says what you need")
        if not isinstance(budget, int) or isinstance(budget, bool) or budget < 1:
            return _failed("`budget` is a number of tokens above 0")
        found = among.search(query, budget=min(budget, self._budget), core=())
        answer: dict[str, Any] = {
            "found": found.cleared,
            "capabilities": [json.loads(each.findable.definition) for each in found],
        }
        if found.left_out:
            answer["left_out"] = [
                {"name": each.findable.id, "why": each.left_out.why}
                for each in found.left_out
                if each.left_out
            ]
        if not found.cleared:
            answer["names"] = _within(found.ranking.names, found.budget)
            answer["hint"] = "nothing here says that; these are the names of all there are"
        return _given(answer)

    def _activate(
        self, name: str, request: Request, among: Searchable, skills: Sequence[LocalSkill]
    ) -> dict[str, Any]:
        wanted = name.removeprefix("skill:")
        meant = [f"{each.plugin}/{each.skill.name}" for each in skills if wanted in _names(each)]
        if not meant and name in among.by_id:
            return _failed(f"{printable(name, 200)} is a tool; {CALL} uses it")
        if not meant:
            return _unknown(name, among)
        if len(meant) > 1:
            return _failed(f"several skills are called that; say which: {printable(', '.join(meant), 500)}")
        try:
            # Which conversation asks is not known: a client may keep one session for many, or none.
            activated = self._host.activate(meant[0], request.caller, anew=True)
        except ProwessError as error:
            return _failed(f"{error.message}{f' ({error.hint})' if error.hint else ''}")
        text = activated.text
        if request.caller.principal != LOCAL:  # who is elsewhere reads the files as resources
            text = text.replace(escape(printable(activated.directory, 4_000)), escape(self._uri(meant[0])), 1)
        return {"content": [{"type": "text", "text": text}], "isError": False}

    def _uri(self, skill: str) -> str:
        """Where a skill's files are for a client, by the names of its plugin and its own."""
        paths = skill_paths(self._host.local_skills).items()
        return next(f"{SCHEME}{path}" for path, each in paths if f"{each.plugin}/{each.skill.name}" == skill)


def _some(tools: Mapping[str, Entry]) -> str:
    shown = ", ".join(list(tools)[:10])
    return printable(shown + (", ..." if len(tools) > 10 else "") if tools else "none", 700)


def _names(local: LocalSkill) -> tuple[str, ...]:
    return local.name, local.skill.name, f"{local.plugin}/{local.skill.name}"


def _unknown(name: str, among: Searchable) -> dict[str, Any]:
    near = get_close_matches(name, among.by_id, 3, 0.5)
    hint = f"; the nearest names are {', '.join(near)}" if near else f"; {SEARCH} finds what there is"
    return _failed(f"there is nothing called {printable(name, 200)}{hint}")


def _defined(findable: Findable, of: Tool | LocalSkill) -> str:
    """What a model reads of one here: all that a client would be told of a tool, and how to use a skill."""
    if isinstance(of, Tool):
        return _text({"kind": "tool", **of.wire, "name": findable.id})
    how = f"{ACTIVATE} gives its instructions"
    return _text({"kind": "skill", "name": findable.id, "description": of.skill.description, "how": how})


def _says_core(entry: Entry) -> bool:
    return is_core(Tool(server=entry.server, wire=entry.wire))


def _within(names: Sequence[str], budget: int) -> list[str]:
    """As many names as fit."""
    shown: list[str] = []
    for name in names:
        budget -= tokens(name) + 1
        if budget < 0:
            break
        shown.append(name)
    return shown


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def _given(value: dict[str, Any]) -> dict[str, Any]:
    content = [{"type": "text", "text": _text(value)}]
    return {"content": content, "structuredContent": value, "isError": False}


def _failed(message: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": message}], "isError": True}
