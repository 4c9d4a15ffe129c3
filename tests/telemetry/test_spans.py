"""Spans of calls: their names, parents, attributes and errors, and that nothing happens unconfigured."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF
from opentelemetry.trace import SpanKind, StatusCode
from tests.call.told import Around, Told, run

from prowess.call import tracing
from prowess.call.policy import Policy, Rule
from prowess.provider import Answered, Caller, Invocation, Lost, Outcome, ToolFailed

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = f"00-{TRACE}-b7ad6b7169203331-01"
READ_ONLY = {"annotations": {"readOnlyHint": True}}


def by_name(exporter: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    return {each.name: each for each in exporter.get_finished_spans()}


def attributes(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


def context(span: ReadableSpan) -> trace.SpanContext:
    own = span.get_span_context()
    assert own is not None
    return own


def test_a_call_of_an_mcp_server_is_a_tool_execution_around_a_client_span(
    exported: InMemorySpanExporter,
) -> None:
    told = Told("crm", "stdio")
    told.tool("find")
    result = run(Around(told).call("find", {"q": 1}, caller=Caller(conversation="talk")))
    spans = by_name(exported)
    whole, attempt = spans["execute_tool find"], spans["tools/call find"]
    assert (whole.kind, attempt.kind) == (SpanKind.INTERNAL, SpanKind.CLIENT)
    assert whole.parent is None
    assert attempt.parent is not None
    assert attempt.parent.span_id == context(whole).span_id
    assert attributes(whole) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "find",
        "gen_ai.tool.type": "function",
        "gen_ai.conversation.id": "talk",
        "prowess.call.id": result.record,
        "prowess.server": "crm",
        "prowess.server.type": "stdio",
        "prowess.outcome": "answered",
        "prowess.attempts": 1,
    }
    assert attributes(attempt) == {
        "mcp.method.name": "tools/call",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "find",
        "network.transport": "pipe",
        "prowess.server": "crm",
        "prowess.attempt": 1,
    }


def test_record_span_and_what_the_server_is_sent_share_one_trace(exported: InMemorySpanExporter) -> None:
    told = Told("crm", "streamable-http")
    told.tool("find")
    around = Around(told)
    run(around.call("find", {}, traceparent=PARENT))
    spans = by_name(exported)
    attempt = context(spans["tools/call find"])
    assert f"{context(spans['execute_tool find']).trace_id:032x}" == TRACE
    assert around.recorder.calls[0].trace_id == TRACE
    assert told.sent[0].meta == {"traceparent": f"00-{TRACE}-{attempt.span_id:016x}-01"}
    assert {event["trace"] for event in around.events} == {TRACE}


def test_an_incoming_traceparent_is_the_remote_parent_and_goes_before_the_current_span(
    exported: InMemorySpanExporter,
) -> None:
    told = Told()
    told.tool("find")
    with trace.get_tracer_provider().get_tracer("app").start_as_current_span("app"):
        run(Around(told).call("find", {}, traceparent=PARENT))
    parent = by_name(exported)["execute_tool find"].parent
    assert parent is not None
    assert (f"{parent.span_id:016x}", parent.is_remote) == ("b7ad6b7169203331", True)


@pytest.mark.parametrize("broken", ["", "nonsense", f"00-{'0' * 32}-b7ad6b7169203331-01", f"ff{PARENT[2:]}"])
def test_without_a_usable_traceparent_the_current_span_is_the_parent(
    exported: InMemorySpanExporter, broken: str
) -> None:
    told = Told()
    told.tool("find")
    around = Around(told)
    with trace.get_tracer_provider().get_tracer("app").start_as_current_span("app") as above:
        run(around.call("find", {}, traceparent=broken))
    parent = by_name(exported)["execute_tool find"].parent
    assert parent is not None
    assert parent.span_id == above.get_span_context().span_id
    assert around.recorder.calls[0].trace_id == f"{above.get_span_context().trace_id:032x}"


def test_what_a_tool_does_itself_stands_below_its_call(exported: InMemorySpanExporter) -> None:
    told = Told()
    around = Around(told)

    async def inner(invocation: Invocation) -> Outcome:
        with trace.get_tracer_provider().get_tracer("http").start_as_current_span("GET"):
            return (await around.call("leaf", {})).outcome

    told.tool("outer", inner)
    told.tool("leaf")
    run(around.call("outer", {}))
    spans = by_name(exported)
    outer, request, leaf = (spans[name] for name in ("execute_tool outer", "GET", "execute_tool leaf"))
    assert request.parent is not None
    assert leaf.parent is not None
    assert request.parent.span_id == context(outer).span_id
    assert leaf.parent.span_id == context(request).span_id


async def transient_once(invocation: Invocation, seen: list[str]) -> Outcome:
    seen.append(invocation.meta["traceparent"])
    return ToolFailed(message="busy", transient=True) if len(seen) == 1 else Answered(value=1)


def test_each_attempt_is_a_span_and_tells_the_server_its_own(exported: InMemorySpanExporter) -> None:
    told, seen = Told("crm", "sse"), list[str]()
    told.tool("find", lambda invocation: transient_once(invocation, seen), **READ_ONLY)
    run(Around(told).call("find", {}))
    attempts = [each for each in exported.get_finished_spans() if each.name == "tools/call find"]
    assert [each.split("-")[2] for each in seen] == [f"{context(each).span_id:016x}" for each in attempts]
    assert [attributes(each).get("error.type") for each in attempts] == ["tool_error", None]
    assert [each.status.status_code for each in attempts] == [StatusCode.ERROR, StatusCode.UNSET]
    whole = by_name(exported)["execute_tool find"]
    assert attributes(whole)["prowess.attempts"] == 2
    assert "error.type" not in attributes(whole)


async def never(invocation: Invocation) -> Outcome:
    await asyncio.sleep(3_600)
    return Answered(value=None)


async def lost(invocation: Invocation) -> Outcome:
    return Lost(reason="gone")


async def failed(invocation: Invocation) -> Outcome:
    return ToolFailed(message="the customer 4711 is secret")


@pytest.mark.parametrize(
    ("behaviour", "arguments", "kind"),
    [
        (never, {}, "timeout"),
        (lost, {}, "lost"),
        (failed, {}, "tool_error"),
        (failed, [], "invalid-arguments"),
    ],
)
def test_what_is_no_answer_is_an_error_of_its_kind(
    exported: InMemorySpanExporter, behaviour: Any, arguments: Any, kind: str
) -> None:
    told = Told()
    told.tool("find", behaviour)
    run(Around(told).call("find", arguments, timeout=1.0))
    (span,) = exported.get_finished_spans()
    assert span.status.status_code is StatusCode.ERROR
    assert attributes(span)["error.type"] == kind
    assert "4711" not in span.to_json()


def test_a_refusal_by_the_policy_is_a_span_without_an_attempt(exported: InMemorySpanExporter) -> None:
    told = Told("crm", "stdio")
    told.tool("find")
    policy = Policy(rules=(Rule(action="deny", tool="find"),))
    run(Around(told, policy=policy).call("find", {}))
    (span,) = exported.get_finished_spans()
    assert attributes(span)["error.type"] == "denied"


def test_a_cancelled_call_ends_its_spans(exported: InMemorySpanExporter) -> None:
    told = Told("crm", "stdio")
    entered = asyncio.Event()

    async def wait(invocation: Invocation) -> Outcome:
        entered.set()
        return await never(invocation)

    told.tool("find", wait)

    async def work() -> None:
        task = asyncio.ensure_future(Around(told).call("find", {}))
        await entered.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(work())
    kinds = {name: attributes(span)["error.type"] for name, span in by_name(exported).items()}
    assert kinds == {"execute_tool find": "lost", "tools/call find": "CancelledError"}


def test_a_trace_that_is_not_sampled_is_continued_without_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", TracerProvider(sampler=ALWAYS_OFF, shutdown_on_exit=False))
    told = Told("crm", "stdio")
    told.tool("find")
    around = Around(told)
    run(around.call("find", {}, traceparent=PARENT))
    assert around.recorder.calls[0].trace_id == TRACE
    sent = told.sent[0].meta["traceparent"].split("-")
    assert (sent[1], sent[3]) == (TRACE, "00")


def test_without_a_tracer_provider_the_ids_are_our_own_and_a_current_context_is_continued() -> None:
    told = Told("crm", "stdio")
    told.tool("find")
    around = Around(told)
    run(around.call("find", {}))
    outside = trace.SpanContext(int(TRACE, 16), 7, is_remote=True, trace_flags=trace.TraceFlags(1))
    with trace.use_span(trace.NonRecordingSpan(outside)):
        run(around.call("find", {}))
    first, second = around.recorder.calls
    assert len(first.trace_id) == 32
    assert second.trace_id == TRACE
    assert told.sent[1].meta["traceparent"].startswith(f"00-{TRACE}-")
    assert tracing.current.get() is None


def test_a_trace_state_goes_along(exported: InMemorySpanExporter) -> None:
    told = Told("crm", "stdio")
    told.tool("find")
    state = trace.TraceState([("vendor", "1")])
    above = trace.SpanContext(int(TRACE, 16), 7, True, trace.TraceFlags(1), state)
    with trace.use_span(trace.NonRecordingSpan(above)):
        run(Around(told).call("find", {}))
    assert told.sent[0].meta["tracestate"] == "vendor=1"


class Broken(SpanProcessor):
    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        if "start" in self.where:
            raise OSError

    def on_end(self, span: ReadableSpan) -> None:
        raise OSError

    def __init__(self, where: str) -> None:
        self.where = where


@pytest.mark.parametrize("where", ["start", "end"])
def test_whoever_traces_fails_no_call(monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(Broken(where))
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", provider)
    told = Told("crm", "stdio")
    told.tool("find")
    around = Around(told)
    assert run(around.call("find", {}, traceparent=PARENT)).word == "answered"
    assert around.recorder.calls[0].trace_id == TRACE
    assert tracing.current.get() is None
    assert not trace.get_current_span().get_span_context().is_valid


def test_the_call_path_imports_no_opentelemetry_of_its_own() -> None:
    program = "import sys, prowess.call.path; sys.exit(any('opentelemetry' in each for each in sys.modules))"
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=30).returncode == 0
