"""The steps of a trace, as OpenTelemetry spans when somebody has configured OpenTelemetry.

Names and attributes follow the OpenTelemetry conventions for generative AI (`execute_tool` around a
whole call) and for MCP (`tools/call`, a client span for each attempt). Our trace id and span id are
those of the span, so that records, log lines and spans tell one story. Nothing is imported here: who
configured OpenTelemetry has imported it; without that a step is two ids in a context variable.
Arguments and results are never attributes of a span.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextvars import Token
from types import TracebackType
from typing import Any, Literal

from prowess.call import tracing
from prowess.call.resolving import Found
from prowess.call.tracing import Trace
from prowess.provider import Answered, Caller, InputRequired, Lost, Outcome, Refused, TimedOut
from prowess.redact import printable

Kind = Literal["INTERNAL", "CLIENT"]
Attributes = Mapping[str, str | int]

# Types of offers whose tools are called by MCP, and what carries the messages.
TRANSPORTS = {"stdio": "pipe", "streamable-http": "tcp", "sse": "tcp"}
LONGEST_NAME = 200


class Step:
    """One step of a trace: current while its `with` block runs, and a span if somebody traces."""

    def __init__(self, trace: Trace, span: Any = None) -> None:
        self.trace = trace
        self._span = span
        self._outer: Token[Trace | None] | None = None
        self._attached: Any = None
        self._ended = False

    @property
    def seen(self) -> bool:
        """Whether this step is a span that somebody reads."""
        return self._span is not None and bool(self._span.is_recording())

    @property
    def carried(self) -> Mapping[str, str]:
        """What a request takes along, so that its server continues the trace (MCP, `_meta`)."""
        carried = {"traceparent": self.trace.traceparent}
        if self._span is not None:
            state = self._span.get_span_context().trace_state.to_header()
            if state:
                carried["tracestate"] = state
        return carried

    def note(self, attributes: Attributes) -> None:
        """More attributes."""
        self._tell(lambda span: span.set_attributes(attributes))

    def ended(self, outcome: Outcome) -> None:
        """How it went; what is no answer is an error of that kind."""
        self._ended = True
        self._failed(_error_type(outcome))

    def _failed(self, kind: str) -> None:
        if kind:
            self._tell(lambda span: span.set_attribute("error.type", kind))
            self._tell(lambda span: span.set_status(sys.modules["opentelemetry.trace"].StatusCode.ERROR))

    def _tell(self, work: Callable[[Any], object]) -> None:
        if self._span is None:
            return
        try:
            work(self._span)
        except Exception:  # noqa: BLE001  # boundary: whoever traces never fails a call
            return

    def __enter__(self) -> Step:
        self._outer = tracing.current.set(self.trace)
        if self._span is not None:
            from opentelemetry import context, trace

            self._attached = context.attach(trace.set_span_in_context(self._span))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, stack: TracebackType | None
    ) -> None:
        if self._span is not None:
            from opentelemetry import context

            context.detach(self._attached)
            if kind is not None and not self._ended:
                self._failed(kind.__name__)
            self._tell(lambda span: span.end())
        if self._outer is not None:
            tracing.current.reset(self._outer)


def _error_type(outcome: Outcome) -> str:
    match outcome:
        case Answered() | InputRequired():
            return ""
        case Refused():
            return outcome.code
        case TimedOut():
            return "timeout"
        case Lost():
            return "lost"
        case _:
            return "tool_error"


def of_call(found: Found, caller: Caller, *, traceparent: str | None, call: str) -> Step:
    """The step around one whole call: looking at the arguments, asking, every attempt."""
    name = printable(found.tool.name, LONGEST_NAME)
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.type": "function",
        "prowess.call.id": call,
        "prowess.server": printable(found.tool.server, LONGEST_NAME),
        "prowess.server.type": found.kind,
    }
    if caller.conversation:
        attributes["gen_ai.conversation.id"] = printable(caller.conversation, LONGEST_NAME)
    return begun(f"execute_tool {name}", "INTERNAL", attributes, traceparent=traceparent, call=call)


def of_attempt(found: Found, above: Step, number: int) -> Step:
    """The step around one attempt: a span of its own where the tool is called by MCP."""
    if found.kind not in TRANSPORTS or not above.seen:
        return Step(above.trace)
    name = printable(found.tool.name, LONGEST_NAME)
    attributes: dict[str, str | int] = {
        "mcp.method.name": "tools/call",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "network.transport": TRANSPORTS[found.kind],
        "prowess.server": printable(found.tool.server, LONGEST_NAME),
        "prowess.attempt": number,
    }
    return begun(f"tools/call {name}", "CLIENT", attributes, call=above.trace.call)


def begun(
    name: str, kind: Kind, attributes: Attributes, *, traceparent: str | None = None, call: str = ""
) -> Step:
    """A step below `traceparent`, below the current one, or at the start of a new trace."""
    api = sys.modules.get("opentelemetry.trace")
    if api is not None:
        try:
            return _begun(api, name, kind, attributes, traceparent, call)
        except Exception:  # noqa: BLE001  # boundary: whoever traces never fails a call
            pass
    return Step(tracing.step(traceparent, call=call))


def _begun(
    api: Any, name: str, kind: Kind, attributes: Attributes, traceparent: str | None, call: str
) -> Step:
    given, ours, ambient = tracing.parent(traceparent), tracing.current.get(), _ambient(api)
    provider = api.get_tracer_provider()
    if not isinstance(provider, api.ProxyTracerProvider):  # which stands where nobody has configured one
        above = given or ambient or ours
        span = provider.get_tracer("prowess").start_span(
            name, kind=api.SpanKind[kind], attributes=attributes, context=_below(api, above)
        )
        own = span.get_span_context()
        if own.is_valid and (above is None or own.span_id != int(above.span_id, 16)):
            return Step(_trace(own, above.span_id if above else "", call), span)
    # Nobody makes spans, so a step of ours in the same trace has begun below the current context.
    if ours is not None and ambient is not None and ours.trace_id == ambient.trace_id:
        ambient = None
    above = given or ambient or ours
    return Step(tracing.step(above.traceparent if above else None, call=call))


def _ambient(api: Any) -> Trace | None:
    """What is current in OpenTelemetry: a span, or what an incoming request said."""
    found = api.get_current_span().get_span_context()
    return _trace(found, "", "") if found.is_valid else None


def _below(api: Any, above: Trace | None) -> Any:
    """The OpenTelemetry context in which a span is a child of `above`; what else is in it stays."""
    if above is None:
        return None
    current = api.get_current_span().get_span_context()
    if current.is_valid and f"{current.span_id:016x}" == above.span_id:
        return None  # the current span itself: as it is, with its trace state
    remote = api.SpanContext(
        trace_id=int(above.trace_id, 16),
        span_id=int(above.span_id, 16),
        is_remote=True,
        trace_flags=api.TraceFlags(int(above.flags, 16)),
    )
    return api.set_span_in_context(api.NonRecordingSpan(remote))


def _trace(context: Any, parent: str, call: str) -> Trace:
    return Trace(
        trace_id=f"{context.trace_id:032x}",
        span_id=f"{context.span_id:016x}",
        parent_id=parent,
        flags=f"{int(context.trace_flags):02x}",
        call=call,
    )
