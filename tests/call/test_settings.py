"""`[policy]` and `[limits]`: unknown keys, wrong types, and one test for each field that it acts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

import pytest
from tests.call.told import Around, Told, echo, run

from prowess.call.approvals import MemoryApprovals
from prowess.call.clock import FakeClock
from prowess.call.limits import Limits, ToolLimits
from prowess.call.policy import Policy, Rule
from prowess.errors import NotFound, UsageError
from prowess.provider import Answered, Caller, Invocation, Lost, Outcome, Refused, TimedOut
from prowess.store.remembered import ApprovalRequest

TESTED: dict[type, set[str]] = {Limits: set(), ToolLimits: set(), Policy: set(), Rule: set()}
Test = TypeVar("Test", bound=Callable[..., None])


def acts(section: type, *names: str) -> Callable[[Test], Test]:
    """Say which fields a test shows at work."""
    TESTED[section].update(names)
    return lambda test: test


def limited(crm: Told, **mapping: Any) -> Around:
    return Around(crm, limits=Limits.from_mapping(mapping))


def ruled(crm: Told, **mapping: Any) -> Around:
    return Around(crm, policy=Policy.from_mapping(mapping))


async def hang(invocation: Invocation) -> Outcome:
    await asyncio.Event().wait()
    raise AssertionError


async def lose(invocation: Invocation) -> Outcome:
    return Lost(reason="gone")


def told(kind: str = "memory", **tools: Any) -> Told:
    crm = Told(kind=kind)
    for name, behaviour in (tools or {"a": echo}).items():
        crm.tool(name, behaviour)
    return crm


def code(result: Any) -> str:
    assert isinstance(result.outcome, Refused), result.outcome
    return result.outcome.code


# Enforced by the Host and not by the call path: tests/skills_mcp/test_using_remote_skills.py.
ELSEWHERE: dict[type, set[str]] = {Policy: {"skills"}}


def test_every_field_of_every_section_has_a_test_that_it_acts() -> None:
    for section, tested in TESTED.items():
        known = tested | ELSEWHERE.get(section, set())
        assert known == {each.name for each in fields(section)}, section.__name__


@acts(Limits, "timeout")
def test_timeout_ends_a_call_to_a_server() -> None:
    around = limited(told(a=hang), timeout=7)
    assert run(around.call("a")).outcome == TimedOut(seconds=7.0)
    assert around.clock.monotonic() == 1_007.0


@acts(Limits, "unit_timeout")
def test_unit_timeout_ends_a_call_to_a_unit() -> None:
    assert run(limited(told("unit", a=hang), unit_timeout=2).call("a")).outcome == TimedOut(seconds=2.0)


@acts(Limits, "max_timeout")
def test_max_timeout_bounds_what_a_caller_or_a_tool_asks_for() -> None:
    crm = told(a=hang)
    crm.tool("b", hang, _meta={"dev.prowess/timeout": 1_000})
    around = limited(crm, max_timeout=9)
    assert run(around.call("a", timeout=100)).outcome == TimedOut(seconds=9.0)
    assert run(around.call("b")).outcome == TimedOut(seconds=9.0)


@acts(Limits, "attempts")
def test_attempts_bounds_the_repetition_of_an_idempotent_tool() -> None:
    crm = Told()
    crm.tool("a", lose, annotations={"idempotentHint": True})
    assert run(limited(crm, attempts=2).call("a")).attempts == 2
    assert run(limited(crm).call("a")).attempts == 3


@acts(Limits, "max_retry_after")
def test_max_retry_after_bounds_what_a_server_asks_us_to_wait() -> None:
    async def later(invocation: Invocation) -> Outcome:
        return Lost(reason="busy", retry_after=20)

    crm = Told()
    crm.tool("a", later, annotations={"readOnlyHint": True})
    assert run(limited(crm).call("a")).attempts == 3
    result = run(limited(crm, max_retry_after=10).call("a"))
    assert result.attempts == 1
    assert "wait longer than 10 seconds" in result.notes[0]


@acts(Limits, "breaker_failures", "breaker_seconds")
def test_a_breaker_opens_after_so_many_failures_and_for_so_long() -> None:
    crm = told(a=lose)
    around = limited(crm, breaker_failures=2, breaker_seconds=50)

    async def story() -> list[str]:
        words: list[str] = [(await around.call("a")).word for _ in range(3)]
        around.clock.advance(49)
        words.append((await around.call("a")).word)
        around.clock.advance(2)
        words.append((await around.call("a")).word)
        return words

    assert run(story()) == ["lost", "lost", "refused", "refused", "lost"]
    assert len(crm.sent) == 3


def busiest(crm: Told, clock: FakeClock) -> list[int]:
    """Give `crm` a tool that takes a second; the most calls that ran at once are counted."""
    seen, now = [0], [0]

    async def slow(invocation: Invocation) -> Outcome:
        now[0] += 1
        seen[0] = max(seen[0], now[0])
        await clock.sleep(1)
        now[0] -= 1
        return Answered(value={})

    crm.tool("a", slow)
    return seen


@acts(Limits, "per_server")
def test_per_server_bounds_the_calls_of_all_callers_together() -> None:
    crm, clock = Told(), FakeClock()
    seen = busiest(crm, clock)
    around = Around(crm, clock=clock, limits=Limits.from_mapping({"per_server": 3}))

    async def story() -> set[str]:
        calls = (around.call("a", caller=Caller(principal=str(n))) for n in range(20))
        return {result.word for result in await asyncio.gather(*calls)}

    assert run(story()) == {"answered"}
    assert seen == [3]


@acts(Limits, "per_caller")
def test_per_caller_bounds_the_calls_of_one_caller() -> None:
    crm, clock = Told(), FakeClock()
    seen = busiest(crm, clock)
    around = Around(crm, clock=clock, limits=Limits.from_mapping({"per_caller": 2}))

    async def story() -> set[str]:
        mine = (around.call("a", caller=Caller(principal="me")) for _ in range(10))
        yours = (around.call("a", caller=Caller(principal="you")) for _ in range(10))
        return {result.word for result in await asyncio.gather(*mine, *yours)}

    assert run(story()) == {"answered"}
    assert seen == [4]


@acts(Limits, "argument_bytes")
def test_argument_bytes_bounds_what_is_sent() -> None:
    crm = told()
    around = limited(crm, argument_bytes=20)
    assert run(around.call("a", {"x": "y" * 10})).word == "answered"
    assert code(run(around.call("a", {"x": "y" * 20}))) == "arguments-too-large"
    assert len(crm.sent) == 1


@acts(Limits, "result_bytes")
def test_result_bytes_is_the_size_of_a_page() -> None:
    around = limited(told(), result_bytes=50)
    assert run(around.call("a", {"x": [1] * 3})).page is None
    page = run(around.call("a", {"x": [1] * 30})).page
    assert page is not None
    assert page.parts > 1


def read_next(around: Around, result: Any) -> Any:
    return around.path.read_on(result.page.handle)


@acts(Limits, "held_seconds")
def test_held_seconds_is_how_long_the_rest_can_be_read() -> None:
    around = limited(told(), result_bytes=50, held_seconds=30)
    result = run(around.call("a", {"x": [1] * 30}))
    around.clock.advance(29)
    assert read_next(around, result).part == 2
    around.clock.advance(2)
    with pytest.raises(NotFound):
        read_next(around, result)


@acts(Limits, "held_bytes")
def test_held_bytes_lets_the_oldest_result_go() -> None:
    around = limited(told(), result_bytes=50, held_bytes=200)
    first = run(around.call("a", {"x": [1] * 30}))
    second = run(around.call("a", {"x": [1] * 30}))
    assert read_next(around, second).part == 2
    with pytest.raises(NotFound):
        read_next(around, first)


@acts(Limits, "tools")
@acts(ToolLimits, "tool", "server", "timeout", "attempts", "result_bytes")
def test_the_limits_of_a_tool_go_before_the_general_ones() -> None:
    crm = Told()
    crm.tool("slow_a", hang)
    crm.tool("big_a")
    crm.tool("weak_a", lose, annotations={"idempotentHint": True})
    around = limited(
        crm,
        timeout=7,
        tools=[
            {"tool": "slow_*", "server": "other", "timeout": 1},
            {"tool": "slow_*", "server": "c?m", "timeout": 3},
            {"tool": "big_*", "result_bytes": 30},
            {"tool": "weak_*", "attempts": 2},
        ],
    )
    assert run(around.call("slow_a")).outcome == TimedOut(seconds=3.0)
    assert run(around.call("big_a", {"x": [1] * 30})).page is not None
    assert run(around.call("weak_a")).attempts == 2


def test_a_tool_says_its_own_timeout_in_its_metadata() -> None:
    crm = Told()
    crm.tool("a", hang, _meta={"dev.prowess/timeout": 4})
    crm.tool("b", hang, _meta={"dev.prowess/timeout": "soon"})
    crm.tool("c", hang, _meta={"dev.prowess/timeout": True})
    assert [run(Around(crm).call(name)).outcome for name in "abc"] == [
        TimedOut(seconds=4.0),
        TimedOut(seconds=60.0),
        TimedOut(seconds=60.0),
    ]


@acts(Policy, "default")
def test_default_decides_where_no_rule_does() -> None:
    assert run(ruled(told()).call("a")).word == "answered"
    assert code(run(ruled(told(), default="deny").call("a"))) == "denied"
    assert code(run(ruled(told(), default="ask").call("a"))) == "approval-needed"


@acts(Policy, "destructive")
def test_destructive_decides_for_tools_that_say_so() -> None:
    crm = Told()
    crm.tool("a", annotations={"destructiveHint": True})
    crm.tool("b", annotations={"destructiveHint": False})
    crm.tool("c", annotations={"readOnlyHint": False})
    assert code(run(ruled(crm).call("a"))) == "approval-needed"
    assert code(run(ruled(crm, destructive="deny").call("a"))) == "denied"
    assert run(ruled(crm, destructive="allow").call("a")).word == "answered"
    assert [run(ruled(crm).call(name)).word for name in "bc"] == ["answered", "answered"]


@acts(Policy, "rules")
@acts(Rule, "action", "tool", "server", "reason")
def test_the_first_rule_that_matches_decides() -> None:
    crm = told(read_a=echo, read_b=echo, write=echo)
    around = ruled(
        crm,
        rules=[
            {"action": "allow", "tool": "read_a"},
            {"action": "deny", "tool": "read_*", "server": "crm", "reason": "not on Mondays"},
            {"action": "deny", "server": "other"},
        ],
    )
    assert [run(around.call(name)).word for name in ("read_a", "read_b", "write")] == [
        "answered",
        "refused",
        "answered",
    ]
    outcome = run(around.call("read_b")).outcome
    assert isinstance(outcome, Refused)
    assert "not on Mondays" in outcome.reason


@acts(Rule, "caller")
def test_a_rule_may_be_for_some_callers_only() -> None:
    around = ruled(told(write=echo), rules=[{"action": "deny", "caller": "guest-*"}])
    words = [run(around.call("write", caller=Caller(principal=who))).word for who in ("guest-7", "ann")]
    assert words == ["refused", "answered"]
    shown = [run(around.path.shown(Caller(principal=who))) for who in ("guest-7", "ann")]
    assert [[each.name for each in tools] for tools in shown] == [[], ["write"]]


@pytest.mark.parametrize(
    ("condition", "annotations"),
    [
        ({"read_only": True}, {"readOnlyHint": True}),
        ({"read_only": False}, {"readOnlyHint": False}),
        ({"destructive": True}, {"destructiveHint": True}),
        ({"destructive": False}, {"destructiveHint": False}),
        ({"open_world": True}, {"openWorldHint": True}),
        ({"idempotent": True}, {"idempotentHint": True}),
        ({"idempotent": True}, {"readOnlyHint": True}),
    ],
)
@acts(Rule, "read_only", "destructive", "open_world", "idempotent")
def test_a_rule_can_ask_for_what_a_tool_says_of_itself(condition: Any, annotations: Any) -> None:
    crm = Told()
    crm.tool("says", annotations=annotations)
    crm.tool("silent")
    crm.tool("nonsense", annotations=[])
    around = ruled(crm, rules=[{"action": "deny", **condition}])
    assert [run(around.call(name)).word for name in ("says", "silent", "nonsense")] == [
        "refused",
        "answered",
        "answered",
    ]


def test_a_rule_can_ask_for_tools_that_do_not_say_that_they_are_idempotent() -> None:
    crm = told()
    assert code(run(ruled(crm, rules=[{"action": "deny", "idempotent": False}]).call("a"))) == "denied"


@acts(Policy, "approval_seconds")
def test_approval_seconds_is_how_long_a_request_stays_open() -> None:
    store = MemoryApprovals(clock=FakeClock().now)
    around = Around(
        told(), policy=Policy.from_mapping({"default": "ask", "approval_seconds": 30}), approvals=store
    )
    run(around.call("a"))
    (request,) = run(store.pending())
    assert request.expires - request.asked == 30


@acts(Policy, "approver_seconds")
def test_approver_seconds_is_how_long_somebody_may_think() -> None:
    class Asleep:
        async def approve(self, request: ApprovalRequest) -> bool:
            await asyncio.Event().wait()
            return True

    around = Around(
        told(), policy=Policy.from_mapping({"default": "ask", "approver_seconds": 12}), approver=Asleep()
    )
    assert code(run(around.call("a"))) == "approval-timeout"
    assert around.clock.monotonic() == 1_012.0


@acts(Policy, "redact_results")
def test_redact_results_names_the_tools_whose_results_are_redacted() -> None:
    crm = told(people=echo, places=echo)
    policy = Policy.from_mapping({"redact_results": ["peop*"]})
    around = Around(crm, policy=policy, redact=lambda text: text.replace("Ada", "***"))
    given = {"name": "Ada", "password": "x"}
    assert run(around.call("people", given)).outcome == Answered(value={"name": "***", "password": "***"})
    assert run(around.call("places", given)).outcome == Answered(value=given)


@pytest.mark.parametrize(
    ("read", "mapping", "said"),
    [
        (Limits, [], "[limits] must be a table"),
        (Limits, {"timeot": 3}, "[limits] has no field timeot"),
        (Limits, {"timeout": "3"}, "[limits] timeout must be a number"),
        (Limits, {"timeout": True}, "[limits] timeout must be a number"),
        (Limits, {"attempts": 1.5}, "[limits] attempts must be a whole number"),
        (Limits, {"attempts": 4}, "[limits] attempts must be at most 3"),
        (Limits, {"timeout": 0}, "[limits] timeout must be above 0"),
        (Limits, {"breaker_seconds": float("inf")}, "[limits] breaker_seconds must be a number with an end"),
        (Limits, {"timeout": float("nan")}, "[limits] timeout must be above 0"),
        (Limits, {"max_timeout": 4_000}, "[limits] max_timeout must be at most 3600"),
        (Limits, {"tools": 3}, "[limits] tools must be a list"),
        (Limits, {"tools": [{"tool": 3}]}, "[limits] tools[0] tool must be a string"),
        (Limits, {"tools": [{"attempts": 0}]}, "[limits] tools[0] attempts must be above 0"),
        (Policy, {"default": "maybe"}, "[policy] default must be one of allow, ask, deny"),
        (Policy, {"default": 3}, "[policy] default must be one of"),
        (Policy, {"rules": [{}]}, "[policy] rules[0] lacks action"),
        (
            Policy,
            {"rules": [{"action": "deny", "read_only": "yes"}]},
            "rules[0] read_only must be true or false",
        ),
        (Policy, {"approval_seconds": -1}, "[policy] approval_seconds must be above 0"),
        (
            Policy,
            {"approver_seconds": float("inf")},
            "[policy] approver_seconds must be a number with an end",
        ),
        (Policy, {"redact_results": [1]}, "[policy] redact_results[0] must be a string"),
        (Policy, {"zzz": 1}, "[policy] has no field zzz"),
    ],
)
def test_a_setting_that_is_wrong_is_refused_with_its_place(read: Any, mapping: Any, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read.from_mapping(mapping)
    assert said in caught.value.message


def test_an_unknown_field_names_the_nearest_or_all() -> None:
    with pytest.raises(UsageError) as near:
        Limits.from_mapping({"timeot": 3})
    assert near.value.hint == "did you mean timeout?"
    with pytest.raises(UsageError) as far:
        Policy.from_mapping({"zzz": 1})
    assert far.value.hint.startswith("fields of [policy]: default, ")


def test_a_timeout_of_zero_is_the_callers_mistake() -> None:
    with pytest.raises(UsageError):
        run(Around(told()).call("a", timeout=0))
