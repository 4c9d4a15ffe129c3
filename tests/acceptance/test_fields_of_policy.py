"""`[policy]` and a tool's own metadata, through a Host opened from a file: each field acts."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.acceptance.configured import Bench, ledger
from tests.call.told import Told

from prowess.call.approvals import MemoryApprovals
from prowess.call.clock import FakeClock
from prowess.errors import NotFound
from prowess.host import Host
from prowess.provider import Answered, Caller, Invocation, Lost, Outcome, Refused, TimedOut
from prowess.store.remembered import ApprovalRequest

pytestmark = pytest.mark.anyio

TOKEN = "ghp_" + "a1B2" * 9
WEEK = {"type": "object", "properties": {"week": {"type": "string"}}, "required": ["week"]}


@pytest.fixture
def bench(tmp_path: Any) -> Bench:
    return Bench(tmp_path)


async def code(host: Host, tool: str, arguments: object = None) -> str:
    """The code of the refusal; empty for an answer."""
    outcome = await host.call(tool, arguments)
    assert isinstance(outcome, Answered | Refused)
    return outcome.code if isinstance(outcome, Refused) else ""


@pytest.mark.field("policy.default")
async def test_default_is_for_tools_that_no_rule_is_about(bench: Bench) -> None:
    async with bench.told('[policy]\ndefault = "deny"', ledger()) as host:
        assert await code(host, "write") == "denied"
        assert [each.name for each in await host.tools()] == ["destroy"]


@pytest.mark.field("policy.destructive", "tool.annotations.destructiveHint")
async def test_destructive_is_for_tools_that_say_so_of_themselves(bench: Bench) -> None:
    async with bench.told('[policy]\ndestructive = "deny"', ledger()) as host:
        assert (await code(host, "destroy"), await code(host, "write")) == ("denied", "")
    async with bench.told("", ledger()) as host:
        assert (await code(host, "destroy"), await code(host, "write")) == ("approval-needed", "")


@pytest.mark.parametrize(
    ("rule", "met", "other"),
    [
        pytest.param('tool = "wr*"', "write", "put", marks=pytest.mark.field("policy.rules.tool")),
        pytest.param(
            "read_only = true",
            "read",
            "write",
            marks=pytest.mark.field("policy.rules.read_only", "tool.annotations.readOnlyHint"),
        ),
        pytest.param(
            "destructive = true", "destroy", "write", marks=pytest.mark.field("policy.rules.destructive")
        ),
        pytest.param(
            "idempotent = true",
            "put",
            "write",
            marks=pytest.mark.field("policy.rules.idempotent", "tool.annotations.idempotentHint"),
        ),
        pytest.param(
            "open_world = true",
            "browse",
            "write",
            marks=pytest.mark.field("policy.rules.open_world", "tool.annotations.openWorldHint"),
        ),
    ],
)
async def test_a_rule_is_for_the_tools_that_meet_its_condition(
    bench: Bench, rule: str, met: str, other: str
) -> None:
    async with bench.told(f'[[policy.rules]]\naction = "deny"\n{rule}', ledger()) as host:
        assert await code(host, met) == "denied"
        assert await code(host, other) == ""


@pytest.mark.field("policy.rules.server")
async def test_a_rule_is_for_the_tools_of_its_server(bench: Bench) -> None:
    text = '[[policy.rules]]\naction = "deny"\nserver = "a"'
    async with bench.told(text, ledger("a"), ledger("b")) as host:
        assert (await code(host, "a/write"), await code(host, "b/write")) == ("denied", "")


@pytest.mark.field("policy.rules.caller")
async def test_a_rule_is_for_the_callers_that_it_names(bench: Bench) -> None:
    text = '[[policy.rules]]\naction = "deny"\ncaller = "guest-*"'
    async with bench.told(text, ledger()) as host:
        guest = await host.call_recorded("write", caller=Caller(principal="guest-1"))
        ann = await host.call_recorded("write", caller=Caller(principal="ann"))
        assert (guest.word, ann.word) == ("refused", "answered")


@pytest.mark.field("policy.rules.action")
@pytest.mark.parametrize(
    ("action", "expected"), [("allow", ""), ("ask", "approval-needed"), ("deny", "denied")]
)
async def test_a_rule_allows_asks_or_denies(bench: Bench, action: str, expected: str) -> None:
    async with bench.told(f'[[policy.rules]]\naction = "{action}"\ntool = "destroy"', ledger()) as host:
        assert await code(host, "destroy") == expected


@pytest.mark.field("policy.rules.reason")
async def test_a_rules_reason_is_told_to_who_is_refused(bench: Bench) -> None:
    text = '[[policy.rules]]\naction = "deny"\nreason = "the ledger is closed in July"'
    async with bench.told(text, ledger()) as host:
        outcome = await host.call("write")
    assert isinstance(outcome, Refused)
    assert "the ledger is closed in July" in outcome.reason


@pytest.mark.field("policy.approval_seconds")
@pytest.mark.parametrize(("later", "expected"), [(90.0, ""), (110.0, "approval-needed")])
async def test_an_approval_given_beforehand_holds_for_so_long(
    bench: Bench, later: float, expected: str
) -> None:
    async with bench.told("[policy]\napproval_seconds = 100", ledger()) as host:
        assert await code(host, "destroy") == "approval-needed"
        assert isinstance(bench.store.approvals, MemoryApprovals)
        (waiting,) = await bench.store.approvals.pending()
        await bench.store.approvals.answer(waiting.digest, True, until=waiting.expires)
        bench.clock.advance(later)
        assert await code(host, "destroy") == expected


class Thinking:
    """An approver that never comes to an end."""

    async def approve(self, request: ApprovalRequest) -> bool:
        await asyncio.Event().wait()
        return True


@pytest.mark.field("policy.approver_seconds")
async def test_an_approver_may_think_for_so_long(bench: Bench) -> None:
    opened = bench.told("[policy]\napprover_seconds = 40", ledger(), approver=Thinking())
    async with opened as host:
        began = bench.clock.monotonic()
        assert await code(host, "destroy") == "approval-timeout"
    assert bench.clock.monotonic() - began == 40


@pytest.mark.field("policy.redact_results")
async def test_results_of_the_tools_named_are_redacted(bench: Bench) -> None:
    async with bench.told('[policy]\nredact_results = ["re*"]', ledger()) as host:
        hidden, kept = [await host.call(tool, {"note": f"use {TOKEN}"}) for tool in ("read", "write")]
    assert TOKEN not in str(hidden)
    assert TOKEN in str(kept)


# -- what a tool says of itself --------------------------------------------------------------------


@pytest.mark.field("tool.name")
async def test_a_tool_is_called_by_the_name_on_the_wire(bench: Bench) -> None:
    told = Told("ledger")
    told.tool("Find everything!")
    async with bench.told("", told) as host:
        (defined,) = await host.tools("anthropic", read_on=False)
        answer = await host.handle({"type": "tool_use", "id": "1", "name": defined["name"], "input": {}})
        assert "is_error" not in answer
    assert [each.tool for each in told.sent] == ["Find everything!"]
    assert defined["name"] != "Find everything!"


@pytest.mark.field("tool.description")
async def test_a_description_is_what_a_model_is_told(bench: Bench) -> None:
    told = Told("ledger")
    told.tool("find", description="Finds.")
    async with bench.told("", told) as host:
        (defined,) = await host.tools("anthropic", read_on=False)
    assert defined["description"] == "Finds."


@pytest.mark.field("tool.inputSchema")
async def test_arguments_are_held_against_the_input_schema(bench: Bench) -> None:
    told = Told("ledger")
    told.tool("find", inputSchema=WEEK)
    async with bench.told("", told) as host:
        assert await code(host, "find", {}) == "invalid-arguments"
        assert await code(host, "find", {"week": "w1"}) == ""
    assert len(told.sent) == 1


@pytest.mark.field("tool.outputSchema")
async def test_a_result_is_held_against_the_output_schema_and_kept(bench: Bench) -> None:
    told = Told("ledger")
    told.tool("find", outputSchema=WEEK)
    async with bench.told("", told) as host:
        fits = await host.call_recorded("find", {"week": "w1"})
        not_so = await host.call_recorded("find", {"week": 1})
    assert (fits.notes, not_so.outcome) == ((), Answered(value={"week": 1}))
    assert "outputSchema" in not_so.notes[0]


async def hang(invocation: Invocation) -> Outcome:
    await asyncio.Event().wait()
    raise AssertionError


@pytest.mark.field("tool._meta.dev.prowess/timeout")
async def test_a_tool_asks_for_a_timeout_of_its_own(bench: Bench) -> None:
    told = Told("ledger")
    told.tool("find", hang, _meta={"dev.prowess/timeout": 90})
    async with bench.told("", told) as host:
        assert await host.call("find") == TimedOut(seconds=90.0)


@pytest.mark.field("tool._meta.dev.prowess/version")
async def test_a_version_is_in_the_record_and_can_be_asked_for(bench: Bench) -> None:
    from prowess.call.recording import MemoryRecorder

    told, records = Told("ledger"), MemoryRecorder()
    told.tool("find", _meta={"dev.prowess/version": "2.1.0"})
    async with bench.told("", told, records=records) as host:
        await host.call_recorded("find", version="2.1.0")
        with pytest.raises(NotFound):
            await host.call_recorded("find", version="3.0.0")
    assert [each.version for each in records.calls] == ["2.1.0"]


async def lose(invocation: Invocation) -> Outcome:
    return Lost(reason="gone")


@pytest.mark.field("tool.annotations.readOnlyHint", "tool.annotations.idempotentHint")
@pytest.mark.parametrize(("tool", "attempts"), [("read", 3), ("put", 3), ("write", 1), ("destroy", 1)])
async def test_only_what_says_that_it_is_safe_is_tried_again(bench: Bench, tool: str, attempts: int) -> None:
    told, clock = ledger(), FakeClock()
    for name, tool_wire in [(each.name, each.wire) for each in told.offer().tools]:
        told.tool(name, lose, annotations=tool_wire["annotations"])
    async with bench.told('[policy]\ndestructive = "allow"', told, clock=clock) as host:
        result = await host.call_recorded(tool)
    assert (result.attempts, len(told.sent)) == (attempts, attempts)
