"""What is written down of calls, choices and requests, and the trace that joins them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.call.told import run

from prowess.call import tracing
from prowess.call.recording import Journal, MemoryRecorder
from prowess.call.redaction import TOO_DEEP, redacted, secret_name
from prowess.store.remembered import DecisionRecord, RequestRecord


def mask(text: str) -> str:
    return text.replace("Ada", "***")


def test_a_choice_and_a_request_lose_what_is_personal_before_they_are_kept() -> None:
    recorder = MemoryRecorder()
    journal = Journal(recorder, redact=mask)
    choice = DecisionRecord(id="1", trace_id="t", utterance="invoices of Ada", shown=("find",), chosen="find")
    request = RequestRecord(
        id="2",
        trace_id="t",
        call="c",
        method="GET",
        url="https://api.example.com/Ada?token=x#y",
        status=200,
        duration_ms=1.0,
        started=0.0,
    )
    run(journal.commit(choice))
    run(journal.commit(request))
    kept: Any = recorder.records
    assert kept[0].utterance == "invoices of ***"
    assert kept[1].url == "https://api.example.com/***"
    assert recorder.calls == ()


def test_a_second_commit_of_one_id_replaces_the_first() -> None:
    recorder = MemoryRecorder()
    for chosen in ("a", "b"):
        run(recorder.commit(DecisionRecord(id="1", trace_id="", utterance="", shown=(), chosen=chosen)))
    (kept,) = recorder.records
    assert isinstance(kept, DecisionRecord)
    assert (kept.chosen, recorder.commits) == ("b", 2)


def test_an_event_outside_a_call_has_no_trace() -> None:
    events: list[Any] = []
    Journal(MemoryRecorder(), events.append).log("started", name="Ada")
    assert events == [{"event": "started", "name": "Ada"}]
    Journal(MemoryRecorder()).log("started")


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("password", True),
        ("db_password", True),
        ("Api-Key", True),
        ("X-Auth-Token", True),
        ("authorization", True),
        ("client_secret", True),
        ("max_tokens", False),
        ("secretary", False),
        ("key", False),
        ("customer", False),
    ],
)
def test_a_field_is_secret_by_its_name(name: str, secret: bool) -> None:
    assert secret_name(name) is secret


def test_redaction_keeps_order_and_types_and_ends_somewhere() -> None:
    value = {"z": [1, None, True, "Ada"], "Ada": 2.5, "token": 3, "password": "p"}
    assert list(redacted(value, mask).items()) == [
        ("z", [1, None, True, "***"]),
        ("***", 2.5),
        ("token", 3),
        ("password", "p"),
    ]
    assert redacted(value, mask, names=True)["password"] == "***"
    assert redacted([[["Ada"]]], mask, depth=2) == [[TOO_DEEP]]


PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"


def test_an_incoming_trace_is_continued() -> None:
    step = tracing.step(PARENT, call="c")
    assert (step.trace_id, step.parent_id, step.flags, step.call) == (
        "4bf92f3577b34da6a3ce929d0e0e4736",
        "00f067aa0ba902b7",
        "00",
        "c",
    )
    assert step.traceparent == f"00-{step.trace_id}-{step.span_id}-00"


@pytest.mark.parametrize(
    "parent",
    [
        None,
        "",
        "nonsense",
        PARENT.replace("4bf92f3577b34da6a3ce929d0e0e4736", "0" * 32),
        PARENT[:-21] + "0" * 16 + "-01",
    ],
)
def test_what_is_no_trace_begins_a_new_one(parent: str | None) -> None:
    step = tracing.step(parent)
    assert len(step.trace_id) == 32
    assert step.parent_id == ""


def test_a_step_inside_a_step_belongs_to_its_trace() -> None:
    outer = tracing.step()
    token = tracing.current.set(outer)
    try:
        inner = tracing.step()
    finally:
        tracing.current.reset(token)
    assert (inner.trace_id, inner.parent_id) == (outer.trace_id, outer.span_id)
