"""The `[policy]` section of `prowess.toml`: which tools may be called, and which only when asked.

Rules are read from the top and the first that matches decides, so that what a rule does can be seen
from its place alone. Where none matches, a tool that says itself `destructiveHint: true` gets
`destructive` (the protocol's own default of true counts for nothing: it would make everything ask),
and all else gets `default`. Annotations are a server's own words: a rule that allows by annotation
trusts that server.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from math import inf
from typing import Literal

from prowess.call.retry import annotation, idempotent
from prowess.call.sections import read_section
from prowess.capability.offer import Tool
from prowess.errors import UsageError
from prowess.provider import Caller
from prowess.redact import printable

LOCAL = Caller().principal

Action = Literal["allow", "ask", "deny"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule. `tool`, `server` and `caller` are patterns with `*`, `?` and `[...]`; the case counts.

    `caller` is a principal: `local` without a front that knows better, or as `[serve]` says.

    The other conditions compare what the tool says of itself: `read_only`, `destructive` and
    `open_world` match an explicit annotation only, `idempotent` also follows from read-only.
    `reason` is told to whoever is refused or asked.
    """

    action: Action
    tool: str = "*"
    server: str = "*"
    caller: str = "*"
    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None
    reason: str = ""

    def matches(self, tool: Tool, principal: str = LOCAL) -> bool:
        """Whether every condition of the rule holds for `tool` and who asks."""
        if not fnmatchcase(principal, self.caller):
            return False
        if not (fnmatchcase(tool.name, self.tool) and fnmatchcase(tool.server, self.server)):
            return False
        said = (
            (self.read_only, annotation(tool, "readOnlyHint")),
            (self.destructive, annotation(tool, "destructiveHint")),
            (self.open_world, annotation(tool, "openWorldHint")),
            (self.idempotent, idempotent(tool)),
        )
        return all(wanted is None or wanted is value for wanted, value in said)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What one caller gets to see at all: patterns of servers and tools; none at all means every one."""

    servers: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()

    def server(self, name: str) -> bool:
        """Whether this server is within reach, and with it its prompts and resources."""
        return not self.servers or any(fnmatchcase(name, each) for each in self.servers)

    def plugin(self, label: str) -> bool:
        """Whether a plugin is, and with it its skills: a pattern speaks of it before the first slash."""
        return not self.servers or any(fnmatchcase(label, each.partition("/")[0]) for each in self.servers)

    def tool(self, tool: Tool) -> bool:
        """Whether this tool is within reach."""
        named = not self.tools or any(fnmatchcase(tool.name, each) for each in self.tools)
        return named and self.server(tool.server)


EVERYTHING = Reach()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the policy says of one tool, and why, in words for whoever is refused or asked."""

    action: Action
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Who may call what.

    `skills` is what happens when a skill that a server serves is activated for the first time, or after
    it changed. `approval_seconds` is how long an approval given beforehand stays good, `approver_seconds`
    how long an approver may think. `redact_results` names the tools (patterns) whose results go through
    the same redaction as logs before anybody sees them.
    """

    default: Action = "allow"
    destructive: Action = "ask"
    skills: Action = "ask"
    rules: tuple[Rule, ...] = ()
    approval_seconds: float = 600.0
    approver_seconds: float = 300.0
    redact_results: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("approval_seconds", "approver_seconds"):
            value = getattr(self, name)
            if not 0 < value < inf:
                raise UsageError(f"{name} must be {'a number with an end' if value == inf else 'above 0'}")

    @classmethod
    def from_mapping(cls, mapping: object) -> Policy:
        """The section as TOML gives it; unknown keys and wrong types raise UsageError."""
        return read_section(cls, mapping, "[policy]")

    def decide(self, tool: Tool, principal: str = LOCAL) -> Decision:
        """Allow, ask or deny, for one tool and who asks."""
        for number, rule in enumerate(self.rules, 1):
            if rule.matches(tool, principal):
                return Decision(
                    action=rule.action, reason=printable(rule.reason) or f"rule {number} of [policy]"
                )
        if annotation(tool, "destructiveHint") is True:
            return Decision(action=self.destructive, reason="the tool says that it is destructive")
        return Decision(action=self.default, reason="the default of [policy]")

    def redacts(self, tool: Tool) -> bool:
        """Whether this tool's results are redacted like a log."""
        return any(fnmatchcase(tool.name, pattern) for pattern in self.redact_results)


def how_to_allow(tool: Tool) -> str:
    """The rule that would let this tool through, as one writes it."""
    name, server = _exactly(tool.name), _exactly(tool.server)
    return f'put [[policy.rules]] with action = "allow", tool = {name}, server = {server} into prowess.toml'


def _exactly(name: str) -> str:
    """A TOML string whose pattern matches this name only: a tool may well call itself `*`."""
    return json.dumps(re.sub(r"([*?[])", r"[\1]", printable(name)), ensure_ascii=False)
