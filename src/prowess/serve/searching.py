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
from typing import Any

from prowess.capability.offer import Tool
from prowess.choose.documents import Document
from prowess.choose.estimate import tokens
from prowess.choose.offered import is_core, skill_document, tool_document
from prowess.choose.packing import Definition, pack
from prowess.choose.ranking import Index
from prowess.errors import ProwessError, UsageError
from prowess.host import Host
from prowess.host.packages import LocalSkill
from prowess.redact import printable
from prowess.serve.catalogue import Entry
from prowess.serve.request import Request

SEARCH, DESCRIBE, CALL, ACTIVATE = (
    "search_capabilities",
    "describe_capability",
    "call_capability",
    "activate_skill",
)
BUDGET_TOKENS = 2_000

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

    def __init__(self, host: Host, *, core: Sequence[str] = (), budget: int = BUDGET_TOKENS) -> None:
        self._host = host
        self._core = frozenset(core)
        self._budget = budget
        self._seen: tuple[object, ...] = ()
        self._index = Index()
        self._definitions: dict[str, dict[str, Any]] = {}

    names = frozenset(each["name"] for each in OWN)

    def insist_on_core(self, tools: Mapping[str, Entry]) -> None:
        """Raises UsageError for a core name that there is not: it would never be shown."""
        for name in sorted(self._core - tools.keys()):
            near = get_close_matches(name, tools, 1)
            raise UsageError(
                f"no tool is called {printable(name)}, and it is to be shown always",
                hint=f"did you mean {near[0]}?" if near else "",
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
        self._refresh(tools)
        if name == SEARCH:
            return self._search(arguments)
        wanted = arguments.get("name")
        if not isinstance(wanted, str):
            return _failed("`name` is required and is a string")
        if name == DESCRIBE:
            definition = self._definitions.get(wanted)
            return self._unknown(wanted) if definition is None else _given(definition)
        if name == ACTIVATE:
            return self._activate(wanted, request)
        if wanted in self.names or wanted not in tools:
            return self._unknown(wanted)
        inner = {**request.params, "name": wanted, "arguments": arguments.get("arguments")}
        return await call(replace(request, params=inner))

    def _refresh(self, tools: Mapping[str, Entry]) -> None:
        """Index what is shown now, unless it is what was shown before."""
        skills = self._host.local_skills
        seen = (*((known, id(each.wire)) for known, each in tools.items()), *map(_stamp, skills))
        if seen == self._seen:
            return
        documents: list[Document] = []
        self._definitions = {}
        for known, each in tools.items():
            tool = Tool(server=each.server, wire=each.wire)
            documents.append(tool_document(tool, known))
            self._definitions[known] = {"kind": "tool", **each.wire, "name": known}
        for skill in skills:
            called = skill.name if skill.name not in self._definitions else f"skill:{skill.name}"
            documents.append(skill_document(skill.skill, called))
            about = {"name": called, "description": skill.skill.description}
            self._definitions[called] = {
                "kind": "skill",
                **about,
                "how": f"{ACTIVATE} gives its instructions",
            }
        self._index, self._seen = Index.of(documents), seen

    def _search(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        query, budget = arguments.get("query"), arguments.get("budget", self._budget)
        if not isinstance(query, str) or not query.strip():
            return _failed("`query` is required and says what you need")
        if not isinstance(budget, int) or isinstance(budget, bool) or budget < 1:
            return _failed("`budget` is a number of tokens above 0")
        ranking = self._index.rank(query)
        ranked = [Definition(id=each.id, text=_text(self._definitions[each.id])) for each in ranking]
        packed = pack((), ranked, min(budget, self._budget), tokens)
        answer: dict[str, Any] = {
            "found": ranking.cleared,
            "capabilities": [self._definitions[each] for each in packed.ids],
        }
        if packed.left_out:
            answer["left_out"] = [{"name": each.id, "why": each.why} for each in packed.left_out]
        if not ranking.cleared:
            answer["names"] = _within(ranking.names, min(budget, self._budget))
            answer["hint"] = "nothing here says that; these are the names of all there are"
        return _given(answer)

    def _activate(self, name: str, request: Request) -> dict[str, Any]:
        try:
            activated = self._host.activate(name.removeprefix("skill:"), request.caller)
        except ProwessError as error:
            return _failed(f"{error.message}{f' ({error.hint})' if error.hint else ''}")
        return {"content": [{"type": "text", "text": activated.text}], "isError": False}

    def _unknown(self, name: str) -> dict[str, Any]:
        near = get_close_matches(name, self._definitions, 3, 0.5)
        hint = f"; the nearest names are {', '.join(near)}" if near else f"; {SEARCH} finds what there is"
        return _failed(f"there is nothing called {printable(name, 200)}{hint}")


def _says_core(entry: Entry) -> bool:
    return is_core(Tool(server=entry.server, wire=entry.wire))


def _stamp(skill: LocalSkill) -> tuple[str, int]:
    return skill.name, id(skill.skill)


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
