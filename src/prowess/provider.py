"""The seam between what offers capabilities and what uses them.

A Provider is opened once and closed once; in between it says what it offers and answers
invocations. The call path (part of a Host) knows tools only through this protocol. What a tool
answers is an Outcome, a value that a model can read; exceptions are for the caller's own mistakes.

`MemoryProvider` is the in-memory twin: tests and embedders use it in place of a server.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from prowess.capability.offer import Offer, Tool
from prowess.errors import NotFound, ProwessError


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who asks. Activation, credentials, approvals, limits and result handles are keyed by it."""

    principal: str = "local"
    conversation: str = ""
    rollout_key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """One use of a tool: the name on the wire, arguments as plain JSON values, who asks, seconds allowed."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    caller: Caller = field(default_factory=Caller)
    timeout: float = 60.0
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The tool answered. `value` is the structured content if there is any, else the content blocks."""

    value: Any
    wire: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFailed:
    """The tool ran and says that it failed; `message` is for the model to read.

    `transient` says that the same call may succeed later, `retry_after` in how many seconds.
    """

    message: str
    wire: Mapping[str, Any] = field(default_factory=dict)
    transient: bool = False
    retry_after: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedOut:
    """No answer within the time allowed; the tool may or may not have acted."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """Sent, and the connection ended before an answer; the tool may or may not have acted.

    `retry_after` is the number of seconds that the server asked to wait, if it did.
    """

    reason: str
    retry_after: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing wrong with the arguments, in words that let a model correct itself.

    `path` is a JSON pointer into the arguments, `rule` the schema keyword or a word of ours.
    """

    path: str
    rule: str
    expected: str
    received: str
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Nothing was sent. `code` is a stable word, `reason` says why in words a model can act on."""

    reason: str
    code: str = "refused"
    problems: tuple[Problem, ...] = ()


Outcome = Answered | ToolFailed | TimedOut | Lost | Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Starting:
    """What is about to be started or contacted, or run in this process; said before it is. Fit to print."""

    server: str
    type: str
    target: str
    again: bool = False

    def __str__(self) -> str:
        verb = {"stdio": "running", "units": "running in this process what is in"}.get(
            self.type, "contacting"
        )
        return f"{self.server}: {verb} {self.target}" + (" (once more)" if self.again else "")


class Provider(Protocol):
    """Anything that offers capabilities to a Host: a link to a server, units, content, workflows."""

    @property
    def label(self) -> str:
        """The id that its capabilities carry as `server`."""
        ...

    async def open(self) -> Offer:
        """Come up and say what is on offer; a failure of its own is a status, never an exception."""
        ...

    def offer(self) -> Offer:
        """What is on offer now (before `open`: status `not-started`)."""
        ...

    async def call(self, invocation: Invocation) -> Outcome:
        """Use one tool; raises NotFound for a tool that is not on offer."""
        ...

    async def close(self) -> None:
        """Leave nothing behind; safe to call twice."""
        ...


class Versioned(Protocol):
    """What a Provider has too whose tools exist in several versions: it says which one a caller gets."""

    def resolve(self, tool: str, asked: str, caller: Caller) -> Tool:
        """One version of a tool on offer; `asked` is a range, or empty. Raises NotFound and UsageError."""
        ...


Answer = Callable[[Mapping[str, Any]], Awaitable[Any]]


class MemoryProvider:
    """A Provider made of plain functions: `{tool wire object: async function of its arguments}`."""

    def __init__(self, label: str, tools: Mapping[str, tuple[Mapping[str, Any], Answer]]) -> None:
        self._label = label
        self._answers = {name: answer for name, (_, answer) in tools.items()}
        self._tools = tuple(
            Tool(server=label, wire={"name": name, **wire}) for name, (wire, _) in sorted(tools.items())
        )
        self._open = False

    @property
    def label(self) -> str:
        """The id that its capabilities carry as `server`."""
        return self._label

    async def open(self) -> Offer:
        """Come up at once."""
        self._open = True
        return self.offer()

    def offer(self) -> Offer:
        """The tools given, while open."""
        if not self._open:
            return Offer(id=self._label, type="memory", status="not-started", reason="not opened yet")
        return Offer(id=self._label, type="memory", status="connected", tools=self._tools)

    async def call(self, invocation: Invocation) -> Outcome:
        """Await the function; a ProwessError it raises is the tool's own failure."""
        if invocation.tool not in self._answers:
            raise NotFound(f"no tool named {invocation.tool!r} on {self._label}")
        if not self._open:
            return Refused(reason=f"{self._label} is not open")
        try:
            return Answered(value=await self._answers[invocation.tool](dict(invocation.arguments)))
        except ProwessError as error:
            return ToolFailed(message=error.message)

    async def close(self) -> None:
        """Offer nothing from now on."""
        self._open = False
