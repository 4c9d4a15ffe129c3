"""The seam between what offers capabilities and what uses them.

A Provider is opened once and closed once; in between it says what it offers and answers
invocations. The call path (part of a Host) knows tools only through this protocol. What a tool
answers is an Outcome, a value that a model can read; exceptions are for the caller's own mistakes.

A provider may do more than answer tool calls: `Asking` hands on any other request of the protocol
(prompts/get, resources/read, completion/complete), `Changing` says when what is on offer changed. What
it may say to who asks while it works goes through a `Peer`.

`MemoryProvider` is the in-memory twin: tests and embedders use it in place of a server.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from prowess.capability.offer import Offer, Tool
from prowess.errors import NotFound, ProwessError


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who asks. Activation, credentials, approvals, limits and result handles are keyed by it."""

    principal: str = "local"
    conversation: str = ""
    rollout_key: str = ""


_LOCAL = Caller()


class Peer(Protocol):
    """The client at the other end of a call, as far as a provider may speak with it while it answers.

    `capabilities` are what it declared, as sent. `session` tells 2025-11-25 sessions apart and is empty
    for a request that stands by itself (MCP 2026-07-28).
    """

    @property
    def session(self) -> str:
        """The session that the request belongs to, or an empty text."""
        ...

    @property
    def capabilities(self) -> Mapping[str, Any]:
        """The client's capabilities, as it sent them."""
        ...

    @property
    def wants_progress(self) -> bool:
        """Whether progress is listened to."""
        ...

    async def progress(self, params: Mapping[str, Any]) -> None:
        """Hand on the params of a `notifications/progress`; nobody hears it where none was asked for."""
        ...

    async def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Hand on another notification that belongs to this request, such as `notifications/message`."""
        ...

    async def ask(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Ask the client (2025-11-25: sampling, elicitation, roots). Raises RequestFailed."""
        ...


KEY_META = "dev.prowess/idempotency-key"  # of `_meta`: the same call made again has the same key


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """One use of a tool: the name on the wire, arguments as plain JSON values, who asks, seconds allowed.

    `meta` is the request's `_meta`, `further` every other member of its params (`inputResponses`,
    `requestState`, what is not known yet), both as sent; `peer` is the client, where there is one.
    """

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    caller: Caller = field(default_factory=Caller)
    timeout: float = 60.0
    meta: Mapping[str, Any] = field(default_factory=dict)
    further: Mapping[str, Any] = field(default_factory=dict)
    peer: Peer | None = None


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
class InputRequired:
    """The tool asks its client for more before it answers (MCP 2026-07-28, multi round-trip requests).

    `wire` is the whole result, `requestState` and unknown members included; the client calls again with
    `inputResponses` and that state. Only a call with a `Peer` ends like this.
    """

    wire: Mapping[str, Any]


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
    """Nothing was sent. `code` is a stable word, `reason` says why in words a model can act on.

    `retry_after` is in how many seconds the same call may go through, where that is known.
    """

    reason: str
    code: str = "refused"
    problems: tuple[Problem, ...] = ()
    retry_after: float | None = None


Outcome = Answered | ToolFailed | InputRequired | TimedOut | Lost | Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Starting:
    """What is about to be started or contacted, or run in this process; said before it is. Fit to print."""

    server: str
    type: str
    target: str
    again: bool = False

    def __str__(self) -> str:
        here = "running in this process what is in"
        verb = {"stdio": "running", "units": here, "content": here}.get(self.type, "contacting")
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

    def versions(self, tool: str) -> tuple[Tool, ...]:
        """Every version of a tool, the oldest first; none for a tool that is not on offer."""
        ...


class Asking(Protocol):
    """What a Provider has too that offers more than tools."""

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any],
        *,
        peer: Peer | None = None,
        caller: Caller = _LOCAL,
        timeout: float = 60.0,
    ) -> Mapping[str, Any]:
        """The raw result of any request but `tools/call`; names and URIs are the provider's own.

        Raises RequestFailed for the protocol's errors, with their code (-32602: no such prompt or
        resource, -32601: no such method), and ConnectionFailed.
        """
        ...


class Telling(Protocol):
    """What a Provider has too that keeps something for a client's session (MCP 2025-11-25)."""

    async def tell(self, method: str, params: Mapping[str, Any], *, peer: Peer) -> None:
        """Hand on a notification of the client's. Raises RequestFailed for what cannot be sent."""
        ...

    def keeps(self, session: str) -> bool:
        """Whether something is kept for this session that would be lost with a restart."""
        ...

    async def end_session(self, session: str) -> None:
        """The session is over."""
        ...


ChangeKind = Literal["tools", "prompts", "resources", "resource"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is on offer is not what it was: a list, or with `resource` the content at `uri`."""

    server: str
    kind: ChangeKind
    uri: str = ""


class Changing(Protocol):
    """What a Provider has too whose offer may change while it is open."""

    def listen(self, hear: Callable[[Change], None], resources: Collection[str] = ()) -> Callable[[], None]:
        """Tell `hear` of every change of a list, and of the content of `resources`; what comes back ends it.

        `offer()` already shows the new list when `hear` is told. `hear` does not block and does not raise.
        """
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
