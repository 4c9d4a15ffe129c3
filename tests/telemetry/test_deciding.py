"""Choices on record: what was asked, shown and chosen, which calls followed, one trace for all of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.call.told import Around, Told, run

from prowess.call import tracing
from prowess.call.recording import MemoryRecorder
from prowess.cli import main
from prowess.host import Host
from prowess.provider import Caller, Invocation, MemoryProvider, Outcome
from prowess.store.remembered import DecisionRecord, Record, RequestRecord

PLUGIN = {"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "sample"}


def decisions(recorder: MemoryRecorder) -> list[DecisionRecord]:
    return [each for each in recorder.records if isinstance(each, DecisionRecord)]


def two_tools() -> Told:
    told = Told()
    told.tool("find")
    told.tool("send")
    return told


def test_a_choice_names_the_calls_that_followed_in_its_own_trace() -> None:
    around = Around(two_tools(), redact=lambda text: text.replace("4711", "****"))
    ann = Caller(principal="ann", conversation="talk")

    async def work() -> None:
        async with around.path.decide("find 4711", ["find", "send"], caller=ann):
            await around.call("find", {"q": 1}, caller=ann)
            await around.call("send", {}, caller=ann)
        await around.call("find", {})

    run(work())
    (decision,) = decisions(around.recorder)
    first, second, later = around.recorder.calls
    assert decision.utterance == "find ****"
    assert decision.shown == ("find", "send")
    assert decision.chosen == "find"
    assert decision.calls == (first.id, second.id)
    assert (decision.principal, decision.conversation) == ("ann", "talk")
    assert decision.trace_id == first.trace_id == second.trace_id
    assert later.trace_id != decision.trace_id
    event = next(each for each in around.events if each["event"] == "decision")
    assert (event["utterance"], event["trace"]) == ("find ****", decision.trace_id)


def test_a_choice_is_kept_before_its_calls_are_made() -> None:
    around = Around(two_tools())

    async def work() -> None:
        async with around.path.decide("find it", ["find"], "find"):
            (kept,) = decisions(around.recorder)
            assert (kept.chosen, kept.calls) == ("find", ())

    run(work())


def test_a_named_choice_stands_whatever_is_called() -> None:
    around = Around(two_tools())

    async def work() -> None:
        async with around.path.decide("find it", ["find"], "a skill"):
            await around.call("find", {})

    run(work())
    assert decisions(around.recorder)[0].chosen == "a skill"


def test_a_choice_that_ends_in_an_error_is_on_record_with_its_calls() -> None:
    around = Around(two_tools())

    async def work() -> None:
        async with around.path.decide("find it", ["find"]):
            await around.call("find", {})
            raise LookupError

    with pytest.raises(LookupError):
        run(work())
    assert decisions(around.recorder)[0].calls == (around.recorder.calls[0].id,)


def test_a_call_that_a_tool_makes_itself_did_not_follow_from_the_choice() -> None:
    told = Told()
    around = Around(told)

    async def inner(invocation: Invocation) -> Outcome:
        return (await around.call("leaf", {})).outcome

    told.tool("outer", inner)
    told.tool("leaf")

    async def work() -> None:
        async with around.path.decide("do it", ["outer"]):
            await around.call("outer", {})

    run(work())
    outer = next(each for each in around.recorder.calls if each.tool == "outer")
    leaf = next(each for each in around.recorder.calls if each.tool == "leaf")
    (decision,) = decisions(around.recorder)
    assert decision.calls == (outer.id,)
    assert leaf.trace_id == outer.trace_id == decision.trace_id


class Broken(MemoryRecorder):
    async def commit(self, record: Record) -> None:
        if isinstance(record, DecisionRecord):
            raise OSError("full")
        await super().commit(record)


def test_a_choice_goes_on_without_its_record_and_says_so() -> None:
    around = Around(two_tools(), recorder=Broken())

    async def work() -> None:
        async with around.path.decide("find it", ["find"]):
            await around.call("find", {})

    run(work())
    assert [each["error"] for each in around.events if each["event"] == "decision-unrecorded"] == [
        "OSError"
    ] * 2
    assert len(around.recorder.calls) == 1


def test_a_choice_is_the_span_above_its_calls(exported: InMemorySpanExporter) -> None:
    around = Around(two_tools())

    async def work() -> None:
        async with around.path.decide("find 4711", ["find"]):
            await around.call("find", {})

    run(work())
    call, choice = exported.get_finished_spans()
    assert (call.name, choice.name) == ("execute_tool find", "prowess decide")
    assert call.parent is not None
    assert choice.context is not None
    assert call.parent.span_id == choice.context.span_id
    assert f"{choice.context.trace_id:032x}" == decisions(around.recorder)[0].trace_id
    assert "4711" not in choice.to_json()


def test_a_skill_that_is_activated_first_is_what_was_chosen(tmp_path: Path) -> None:
    root = tmp_path / "sample"
    (root / "skills" / "greet").mkdir(parents=True)
    (root / "plugin.json").write_text(json.dumps(PLUGIN))
    (root / "skills" / "greet" / "SKILL.md").write_text(
        "---\nname: greet\ndescription: Greets people. Use when somebody arrives.\n---\nSay hello.\n"
    )

    async def answer(arguments: Mapping[str, Any]) -> Any:
        return 1

    recorder = MemoryRecorder()
    provider = MemoryProvider("books", {"find": ({"inputSchema": {"type": "object"}}, answer)})

    async def work() -> None:
        async with Host.open(root, providers=[provider], records=recorder) as host:
            async with host.decide("hello", ["greet"]) as choice:
                host.activate("greet")
                await host.call("find", {})
            assert choice.chosen == "greet"

    asyncio.run(work())
    assert decisions(recorder)[0].chosen == "greet"
    assert recorder.calls[0].skill == "greet"


def test_choice_call_and_request_are_read_as_one_story(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "sample"
    root.mkdir()
    (root / "plugin.json").write_text(json.dumps(PLUGIN))

    async def use() -> str:
        async def find(arguments: Mapping[str, Any]) -> Any:
            here = tracing.current.get()
            assert here is not None
            sent = RequestRecord(
                id="r1",
                trace_id=here.trace_id,
                call=here.call,
                method="GET",
                url="https://api.example/invoices?key=1",
                status=200,
                duration_ms=3.0,
                started=2.0,
            )
            await host._calling.path.journal.commit(sent)
            return dict(arguments)

        provider = MemoryProvider("books", {"find": ({"inputSchema": {"type": "object"}}, find)})
        async with (
            Host.open(root, providers=[provider]) as host,
            host.decide("mail it to ann@example.com with sk-ant-api03-abcdefghijklmnopqrstuv", ["find"]),
        ):
            return (await host.call_recorded("find", {"q": 1})).record

    call = asyncio.run(use())
    assert main(["calls", "--story", call, "--json"]) == 0
    story = json.loads(capsys.readouterr().out)
    (decision,), (kept,), (request,) = story["decisions"], story["calls"], story["requests"]
    assert decision["calls"] == [kept["id"]] == [call] == [request["call"]]
    assert {each["trace_id"] for each in (decision, kept, request)} == {story["trace_id"]}
    assert request["url"] == "https://api.example/invoices"
    assert "abcdefghijkl" not in json.dumps(story)
