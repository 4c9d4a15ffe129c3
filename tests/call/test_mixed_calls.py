"""A thousand mixed calls through one path: delays, drops, failures, wrong shapes, crashes, cancellation."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from typing import Any

import pytest
from tests.call.told import Around, Behaviour, Told

from prowess.call.clock import FakeClock
from prowess.call.limits import Limits
from prowess.call.policy import Policy, Rule
from prowess.call.running import CallResult
from prowess.errors import ConnectionFailed
from prowess.provider import Answered, Caller, Invocation, Lost, Refused, TimedOut, ToolFailed

CALLS = 1_000
TIMEOUT = 20.0
SAID: dict[str, Any] = {"safe": {"idempotentHint": True}, "risky": {}, "drop": {"destructiveHint": True}}


def unreliable(chance: random.Random, clock: FakeClock) -> Behaviour:
    """A tool that does something else each time."""

    async def answer(invocation: Invocation) -> Any:
        await clock.sleep(chance.uniform(0, 2))
        match chance.randrange(12):
            case 0:
                await clock.sleep(100)
            case 1:
                return Lost(reason="connection reset")
            case 2:
                return ToolFailed(
                    message="503", transient=True, retry_after=chance.choice([None, 1.0, 500.0])
                )
            case 3:
                return ToolFailed(message="429", transient=True, retry_after=2.0)
            case 4:
                return {"not": "an outcome"}
            case 5:
                raise RuntimeError("crashed in the middle of the call")
            case 6:
                return Answered(value={"n": "a string"})
            case 7:
                raise asyncio.CancelledError
            case 8:
                raise ConnectionFailed("restarting")
            case 9:
                return Answered(value={"n": 1, "rows": [{"id": number} for number in range(400)]})
        return Answered(value={"n": 1})

    return answer


def mixed(seed: int) -> tuple[Around, random.Random]:
    chance, clock = random.Random(seed), FakeClock(chance=0.5)
    servers = [Told("crm"), Told("erp")]
    schema = {"type": "object", "properties": {"call": {"type": "integer"}}, "required": ["call"]}
    for each in servers:
        for name, said in SAID.items():
            each.tool(
                f"{each.label}_{name}",
                unreliable(chance, clock),
                inputSchema=schema,
                outputSchema={"type": "object", "properties": {"n": {"type": "integer"}}},
                annotations=said,
            )
    around = Around(
        servers[0],
        providers=servers,
        clock=clock,
        limits=Limits(
            per_server=40, per_caller=40, breaker_failures=8, breaker_seconds=5, result_bytes=2_000
        ),
        policy=Policy(rules=(Rule(action="allow", tool="crm_drop"),)),
    )
    return around, chance


async def one(around: Around, number: int, chance: random.Random) -> CallResult | None:
    """One call of one of ten callers; some are given up in the middle, some have wrong arguments."""
    await around.clock.sleep(number * 0.2)
    name = f"{chance.choice(['crm', 'erp'])}_{chance.choice(['safe', 'safe', 'risky', 'drop'])}"
    arguments: dict[str, Any] = {"call": number if chance.random() > 0.1 else str(number)}
    caller = Caller(principal=str(number % 10))
    calling = asyncio.ensure_future(around.call(name, arguments, caller=caller, timeout=TIMEOUT))
    if chance.random() < 0.1:
        await around.clock.sleep(chance.uniform(0, 1))
        calling.cancel()
    begun = around.clock.monotonic()
    try:
        result = await calling
    except asyncio.CancelledError:
        return None
    assert around.clock.monotonic() - begun <= TIMEOUT + 1e-6, "no call outlives its timeout"
    return result


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_thousand_mixed_calls_have_one_outcome_and_one_record_each(seed: int) -> None:
    around, chance = mixed(seed)

    async def story() -> list[CallResult | None]:
        return list(await asyncio.gather(*(one(around, number, chance) for number in range(CALLS))))

    results = [each for each in asyncio.run(asyncio.wait_for(story(), 50)) if each is not None]
    records = {record.id: record for record in around.recorder.calls}
    assert not any(record.code == "unfinished" for record in records.values())
    cancelled_before_begin = CALLS - len(records)
    assert cancelled_before_begin < CALLS / 50, "only what was given up before it began has no record"
    for result in results:
        assert records[result.record].outcome == result.word
        assert isinstance(result.outcome, Answered | ToolFailed | TimedOut | Lost | Refused)
    words = Counter(record.outcome for record in records.values())
    assert set(words) == {"answered", "tool-failed", "timed-out", "lost", "refused"}
    attempts = Counter(invocation_key(sent) for server in around.providers for sent in server.sent)
    assert all(number == 1 for (tool, _), number in attempts.items() if not tool.endswith("safe"))
    assert max(attempts.values()) == 3
    assert not any(tool == "erp_drop" for tool, _ in attempts), "what needs approval was not sent"


def invocation_key(sent: Invocation) -> tuple[str, int]:
    return sent.tool, sent.arguments["call"]
