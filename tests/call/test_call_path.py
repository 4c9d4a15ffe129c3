"""The one call path: every call that begins ends with exactly one outcome and one record."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.call.told import Around, Behaviour, Told, run

from prowess.call.path import CallPath
from prowess.call.recording import MemoryRecorder
from prowess.call.running import CallResult
from prowess.errors import NotFound, UsageError
from prowess.provider import (
    Answered,
    Caller,
    Invocation,
    Lost,
    MemoryProvider,
    Outcome,
    Refused,
    TimedOut,
    ToolFailed,
)
from prowess.store.remembered import CallRecord, Record

WEEK = {
    "type": "object",
    "properties": {
        "week": {"type": "string", "pattern": "^[0-9]{4}-W[0-9]{2}$"},
        "limit": {"type": "integer"},
    },
    "required": ["week"],
}
CARD = "4111-1111"


def hide(text: str) -> str:
    return text.replace(CARD, "***")


def answering(outcome: Any) -> Behaviour:
    async def answer(invocation: Invocation) -> Outcome:
        return outcome  # type: ignore[no-any-return]  # whatever a test wants to see come back

    return answer


def around(outcome: Any = None, *, wire: Any = None, **settings: Any) -> Around:
    crm = Told()
    behaviour = None if outcome is None else answering(outcome)
    crm.tool("find", behaviour, **(wire or {"inputSchema": WEEK}))
    return Around(crm, **settings)


GOOD = {"week": "2026-W31"}


def test_a_good_call_is_sent_answered_and_recorded() -> None:
    made = around()
    caller = Caller(principal="me", conversation="c")
    result = run(made.call("find", GOOD, caller=caller))
    assert result.outcome == Answered(value=GOOD)
    assert (result.attempts, result.notes, result.coercions, result.page) == (1, (), (), None)
    (sent,) = made.provider.sent
    assert (sent.tool, sent.arguments, sent.caller, sent.timeout) == ("find", GOOD, caller, 60.0)
    (record,) = made.recorder.calls
    assert (record.id, record.tool, record.server) == (result.record, "find", "crm")
    assert (record.outcome, record.code, record.attempts) == ("answered", "", 1)
    assert (record.principal, record.conversation, record.skill) == ("me", "c", "")
    assert record.argument_bytes == record.result_bytes == 20


def test_bad_arguments_are_refused_with_every_problem_and_nothing_is_sent() -> None:
    made = around()
    result = run(made.call("find", {"week": "2026-31", "limit": "5"}))
    assert isinstance(result.outcome, Refused)
    assert result.outcome.code == "invalid-arguments"
    assert [each.path for each in result.problems] == ["/limit", "/week"]
    assert "`week` must match" in result.outcome.reason
    assert made.provider.sent == []
    assert made.recorder.calls[0].code == "invalid-arguments"


def test_coercion_is_off_until_asked_for_and_reported() -> None:
    made = around()
    given = {**GOOD, "limit": "5"}
    assert run(made.call("find", given)).word == "refused"
    result = run(made.call("find", given, coerce=True))
    assert result.outcome == Answered(value={**GOOD, "limit": 5})
    assert [each.path for each in result.coercions] == ["/limit"]
    assert given["limit"] == "5"


def test_a_name_that_the_schema_does_not_declare_is_sent_and_noted() -> None:
    result = run(around().call("find", {**GOOD, "limt": 5}))
    assert result.outcome == Answered(value={**GOOD, "limt": 5})
    assert result.notes == ("`limt` is not declared by the tool; did you mean `limit`?",)


@pytest.mark.parametrize(
    ("arguments", "place", "rule"),
    [
        ([], "", "type"),
        ("x", "", "type"),
        ({"a": float("nan")}, "/a", "json"),
        ({"a": [1, float("inf")]}, "/a/1", "json"),
        ({"a": {1, 2}}, "/a", "json"),
        ({"a": b"x"}, "/a", "json"),
        ({"a": {3: 4}}, "/a", "json"),
        ({"a": "\ud800"}, "/a", "json"),
        ({"a": 10**5_000}, "/a", "json"),
    ],
)
def test_what_json_cannot_carry_is_a_problem_of_the_arguments(arguments: Any, place: str, rule: str) -> None:
    made = around(wire={"inputSchema": {"type": "object"}})
    result = run(made.call("find", arguments))
    assert [(each.path, each.rule) for each in result.problems] == [(place, rule)]
    assert made.provider.sent == []


def test_arguments_nested_without_end_are_a_problem_and_no_crash() -> None:
    deep: Any = []
    for _ in range(10_000):
        deep = [deep]
    result = run(around().call("find", {"a": deep}))
    assert [each.rule for each in result.problems] == ["depth"]


def test_no_arguments_and_tuples_and_numbers_are_plain_json() -> None:
    made = around(wire={"inputSchema": {}})
    assert run(made.call("find")).outcome == Answered(value={})
    assert run(made.call("find", {"a": (1, 2.5, None, True)})).outcome == Answered(
        value={"a": [1, 2.5, None, True]}
    )


def test_a_tool_whose_schema_cannot_judge_is_refused_by_the_code_of_the_fault() -> None:
    made = around(wire={"inputSchema": {"$ref": "http://127.0.0.1:9/x"}})
    outcome = run(made.call("find")).outcome
    assert isinstance(outcome, Refused)
    assert outcome.code == "schema-remote-reference"
    assert made.provider.sent == []


def test_a_tool_without_a_schema_takes_anything() -> None:
    made = Around(Told())
    made.provider.tool("find")
    object.__setattr__(made.provider.offer().tools[0], "wire", {"name": "find"})
    assert run(made.call("find", {"a": 1})).word == "answered"


OUT = {"inputSchema": {}, "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}}}


def test_a_result_that_does_not_fit_its_schema_is_kept_and_noted() -> None:
    result = run(around(Answered(value={"n": "x"}), wire=OUT).call("find"))
    assert result.outcome == Answered(value={"n": "x"})
    assert result.notes == (
        "the result does not fit the tool's outputSchema: `n` must be an integer; received the string `x`",
    )
    assert run(around(Answered(value={"n": 1}), wire=OUT).call("find")).notes == ()


def test_a_missing_structured_result_is_noted() -> None:
    outcome = Answered(value=[], wire={"content": []})
    result = run(around(outcome, wire=OUT).call("find"))
    assert result.outcome == outcome
    assert "without structured content" in result.notes[0]


def test_an_output_schema_that_cannot_judge_is_noted() -> None:
    result = run(
        around(Answered(value={}), wire={"inputSchema": {}, "outputSchema": {"type": 3}}).call("find")
    )
    assert result.word == "answered"
    assert "not valid JSON Schema" in result.notes[0]
    assert "nothing was sent" not in result.notes[0]


def test_a_result_too_large_to_judge_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prowess.call.results.MAX_JUDGED_BYTES", 5)
    assert (
        "too large to be held against"
        in run(around(Answered(value={"n": "x"}), wire=OUT).call("find")).notes[0]
    )


@pytest.mark.parametrize(
    ("outcome", "word", "result"),
    [
        (Answered(value={"n": 1}), "answered", {"n": 1}),
        (ToolFailed(message="no such week"), "tool-failed", "no such week"),
        (Lost(reason="gone"), "lost", "gone"),
        (Refused(reason="not open", code="not-open"), "refused", "not open"),
        (TimedOut(seconds=3), "timed-out", "no answer within 3 seconds; the tool may or may not have acted"),
    ],
)
def test_every_outcome_is_recorded_and_printed_by_its_word(outcome: Outcome, word: str, result: Any) -> None:
    made = around(outcome)
    got = run(made.call("find", GOOD))
    assert made.recorder.calls[0].outcome == got.word == word
    shown = got.to_json()
    assert (shown["outcome"], shown["result"], shown["attempts"], shown["record"]) == (
        word,
        result,
        1,
        got.record,
    )
    assert shown.get("code") == ("not-open" if word == "refused" else None)


def test_json_shows_problems_coercions_notes_and_pages_where_there_are_some() -> None:
    made = around()
    problem = run(made.call("find", {})).to_json()["problems"][0]
    assert set(problem) == {"path", "rule", "expected", "received", "hint"}
    shown = run(made.call("find", {**GOOD, "limit": "5", "x": ["y " * 50_000] * 3}, coerce=True)).to_json()
    assert shown["coercions"][0]["path"] == "/limit"
    assert shown["page"]["part"] == 1
    assert shown["page"]["next"]
    assert len(shown["notes"]) == 2


def test_what_is_written_down_and_what_is_refused_is_redacted_and_results_only_of_injected_values() -> None:
    secret = "inj-123"
    value = {"card": CARD, "key": f"Bearer {secret}", secret: [secret]}
    made = around(
        Answered(value=value, wire={"structuredContent": value}),
        wire={"inputSchema": {}},
        redact=hide,
        secrets=lambda text: text.replace(secret, "***"),
    )
    result = run(made.call("find", {"card": CARD, "password": "x"}))
    cleaned = {"card": CARD, "key": "Bearer ***", "***": ["***"]}
    assert result.outcome == Answered(value=cleaned, wire={"structuredContent": cleaned})
    assert made.provider.sent[0].arguments == {"card": CARD, "password": "x"}
    assert CARD not in repr(made.events)
    assert secret not in repr(made.events)
    assert made.events[0]["arguments"] == {"card": "***", "password": "***"}


@pytest.mark.parametrize("outcome", [Lost(reason=f"at {CARD}"), Refused(reason=f"at {CARD}")])
def test_reasons_are_redacted(outcome: Outcome) -> None:
    got = run(around(outcome, redact=hide).call("find", GOOD)).to_json()
    assert got["result"] == "at ***"


def test_a_failure_is_for_the_model_and_loses_injected_values() -> None:
    made = around(
        ToolFailed(message=f"no {CARD} inj"), redact=hide, secrets=lambda text: text.replace("inj", "***")
    )
    assert run(made.call("find", GOOD)).to_json()["result"] == f"no {CARD} ***"


def test_the_three_log_points_carry_trace_and_call() -> None:
    made = around(wire={"inputSchema": {}})
    parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    result = run(made.call("find", {"a": 1}, traceparent=parent))
    assert [each["event"] for each in made.events] == ["call-arguments", "call-result"]
    assert {each["trace"] for each in made.events} == {"4bf92f3577b34da6a3ce929d0e0e4736"}
    assert {each["call"] for each in made.events} == {result.record}
    assert made.recorder.calls[0].trace_id == "4bf92f3577b34da6a3ce929d0e0e4736"
    carried = made.provider.sent[0].meta["traceparent"]
    assert carried.startswith("00-4bf92f3577b34da6a3ce929d0e0e4736-")
    assert carried != parent


def test_the_active_skill_and_the_version_are_recorded() -> None:
    made = around(
        wire={"inputSchema": {}, "_meta": {"dev.prowess/version": "1.2.0"}}, skill=lambda caller: "invoices"
    )
    run(made.call("find", version="1.2.0"))
    assert (made.recorder.calls[0].skill, made.recorder.calls[0].version) == ("invoices", "1.2.0")


def test_a_mistake_of_the_callers_is_an_exception_and_no_record() -> None:
    made = around()
    with pytest.raises(NotFound):
        run(made.call("fnd"))
    with pytest.raises(UsageError):
        run(made.call("find", timeout=-1))
    assert made.recorder.records == ()


@pytest.mark.parametrize(
    ("settings", "sent"),
    [({"skill": None}, 0), ({"credential": None}, 0), ({"secrets": lambda text: 1 / 0}, 1)],
)
def test_a_fault_of_ours_is_one_outcome_and_one_record_too(settings: Any, sent: int) -> None:
    made = around(Answered(value={"a": "x"}), **settings)
    result = run(made.call("find", GOOD))
    assert result.word == ("lost" if sent else "refused")
    assert len(made.provider.sent) == sent
    assert len(made.recorder.calls) == 1
    assert "x" not in repr(result.outcome).replace("Prowess", "")
    assert [each["event"] for each in made.events].count("call-exception") == 1


async def hang(invocation: Invocation) -> Outcome:
    await asyncio.Event().wait()
    raise AssertionError


class Thinking:
    async def approve(self, request: Any) -> bool:
        await asyncio.Event().wait()
        return True


async def cancelled_in_the_middle(path: CallPath) -> None:
    calling = asyncio.ensure_future(path.call("find", GOOD))
    for _ in range(10):
        await asyncio.sleep(0)
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling


def test_a_call_cancelled_after_it_was_sent_is_lost_and_recorded() -> None:
    crm = Told()
    crm.tool("find", hang, inputSchema=WEEK)
    made = Around(crm)
    run(cancelled_in_the_middle(made.path))
    (record,) = made.recorder.calls
    assert (record.outcome, record.attempts) == ("lost", 1)


def test_a_call_cancelled_before_anything_was_sent_is_refused_and_recorded() -> None:
    from prowess.call.policy import Policy

    made = around(policy=Policy(default="ask"), approver=Thinking())
    run(cancelled_in_the_middle(made.path))
    (record,) = made.recorder.calls
    assert (record.outcome, record.code, record.attempts) == ("refused", "cancelled", 0)


def test_a_call_cancelled_while_it_is_recorded_is_recorded_once_with_its_true_outcome() -> None:
    class Slow(MemoryRecorder):
        async def commit(self, record: Record) -> None:
            for _ in range(20 if self.commits else 0):
                await asyncio.sleep(0)
            await super().commit(record)

    made = around(recorder=Slow())
    run(cancelled_in_the_middle(made.path))
    (record,) = made.recorder.calls
    assert record.outcome == "answered"
    assert made.recorder.commits == 2  # before it was sent, and at the end


class Failing(MemoryRecorder):
    async def commit(self, record: Record) -> None:
        raise OSError("disk full")


class FailingLater(MemoryRecorder):
    async def commit(self, record: Record) -> None:
        for _ in range(20):
            await asyncio.sleep(0)
        raise OSError("disk full")


class Stuck(MemoryRecorder):
    async def commit(self, record: Record) -> None:
        await asyncio.Event().wait()


@pytest.mark.parametrize("recorder", [Failing(), FailingLater(), Stuck()])
def test_a_cancellation_comes_through_whatever_the_recorder_does(recorder: MemoryRecorder) -> None:
    crm = Told()
    crm.tool("find", hang, inputSchema=WEEK)
    run(cancelled_in_the_middle(Around(crm, recorder=recorder).path))


@pytest.mark.parametrize("recorder", [FailingLater(), Stuck()])
def test_a_cancellation_while_recording_comes_through(recorder: MemoryRecorder) -> None:
    run(cancelled_in_the_middle(around(recorder=recorder).path))


@pytest.mark.parametrize(("recorder", "error"), [(Failing(), "OSError"), (Stuck(), "TimeoutError")])
def test_a_result_is_not_withheld_because_it_cannot_be_recorded(recorder: MemoryRecorder, error: str) -> None:
    result = run(around(recorder=recorder).call("find", GOOD))
    assert result.outcome == Answered(value=GOOD)
    assert result.notes == (f"the record of this call could not be written: {error}",)


def test_the_record_is_committed_before_the_call_answers() -> None:
    order: list[str] = []

    class Noting(MemoryRecorder):
        async def commit(self, record: Record) -> None:
            await asyncio.sleep(0)
            assert isinstance(record, CallRecord)
            order.append(f"committed {record.outcome} {record.code}".strip())

    async def find(invocation: Invocation) -> Outcome:
        order.append("sent")
        return Answered(value=1)

    async def story() -> None:
        await made.call("find", GOOD)
        order.append("answered")

    crm = Told()
    crm.tool("find", find, inputSchema=WEEK)
    made = Around(crm, recorder=Noting())
    run(story())
    assert order == ["committed lost unfinished", "sent", "committed answered", "answered"]


@pytest.mark.parametrize(
    ("arguments", "annotations"), [({}, {}), (GOOD, {"readOnlyHint": True}), (GOOD, {"idempotentHint": True})]
)
def test_nothing_is_recorded_before_the_end_of_what_is_not_sent_or_can_be_repeated(
    arguments: dict[str, Any], annotations: dict[str, Any]
) -> None:
    made = around(wire={"inputSchema": WEEK, "annotations": annotations})
    run(made.call("find", arguments))
    assert made.recorder.commits == 1


def test_a_sink_that_fails_never_fails_a_call() -> None:
    def broken(event: Any) -> None:
        raise OSError("log volume is full")

    crm = Told()
    crm.tool("find")
    assert run(CallPath([crm], sink=broken).call("find")).word == "answered"


def test_a_call_path_needs_nothing_but_providers() -> None:
    async def double(arguments: Any) -> Any:
        return {"n": arguments["n"] * 2}

    async def story() -> CallResult:
        provider = MemoryProvider("math", {"double": ({"inputSchema": {"type": "object"}}, double)})
        await provider.open()
        return await CallPath([provider]).call("double", {"n": 2})

    assert run(story()).outcome == Answered(value={"n": 4})


def test_what_a_model_is_shown_leaves_out_what_is_denied() -> None:
    from prowess.call.policy import Policy, Rule

    crm = Told()
    crm.tool("find")
    crm.tool("drop")
    made = Around(crm, policy=Policy(rules=(Rule(action="deny", tool="drop"),)))
    assert [tool.name for tool in run(made.path.shown())] == ["find"]
    assert made.path.find("drop").name == "drop"


def test_numbers_that_json_does_not_have_give_way_to_null_and_that_is_noted() -> None:
    value = {"a": [float("nan"), 1.5], "b": float("-inf"), "c": 10**5_000}
    made = around(Answered(value=value, wire={"structuredContent": value}))
    result = run(made.call("find", GOOD))
    assert isinstance(result.outcome, Answered)
    assert result.outcome.value == {"a": [None, 1.5], "b": None, "c": None}
    assert result.outcome.wire == {"structuredContent": result.outcome.value}
    assert len(result.notes) == 1


@pytest.mark.parametrize(
    "number", [float("nan"), float("inf"), 10**5_000], ids=["nan", "infinity", "endless"]
)
def test_a_tool_whose_schema_holds_no_json_is_pinned_and_refused(number: float) -> None:
    made = around(wire={"inputSchema": {**WEEK, "maximum": number}})
    outcome = run(made.call("find", GOOD)).outcome
    assert isinstance(outcome, Refused)
    assert outcome.code == "schema-invalid"
    assert run(made.path.pins.changed(made.path.pinned())) == ()
