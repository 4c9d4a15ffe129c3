"""`[limits]`, through a Host opened from a file: each field acts."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.acceptance.configured import Bench
from tests.call.told import Behaviour, Told

from prowess.errors import NotFound
from prowess.provider import Answered, Caller, Invocation, Lost, Outcome, Refused, TimedOut

pytestmark = pytest.mark.anyio


@pytest.fixture
def bench(tmp_path: Any) -> Bench:
    return Bench(tmp_path)


async def hang(invocation: Invocation) -> Outcome:
    await asyncio.Event().wait()
    raise AssertionError


async def lose(invocation: Invocation) -> Outcome:
    return Lost(reason="gone", retry_after=invocation.arguments.get("retry_after"))


async def rows(invocation: Invocation) -> Outcome:
    return Answered(value=list(range(1_000)))


def told(behaviour: Behaviour, label: str = "ledger", kind: str = "memory") -> Told:
    made = Told(label, kind)
    for name in ("use", "other"):
        made.tool(name, behaviour, annotations={"idempotentHint": True})
    return made


@pytest.mark.field("limits.timeout")
async def test_timeout_is_the_seconds_of_a_call_to_a_server(bench: Bench) -> None:
    async with bench.told("[limits]\ntimeout = 7", told(hang)) as host:
        assert await host.call("use") == TimedOut(seconds=7.0)


@pytest.mark.field("limits.unit_timeout")
async def test_unit_timeout_is_the_seconds_of_a_call_to_a_unit(bench: Bench) -> None:
    async with bench.told("[limits]\nunit_timeout = 2", told(hang, kind="unit")) as host:
        assert await host.call("use") == TimedOut(seconds=2.0)


@pytest.mark.field("limits.max_timeout")
async def test_max_timeout_bounds_what_a_caller_asks_for(bench: Bench) -> None:
    async with bench.told("[limits]\nmax_timeout = 70", told(hang)) as host:
        assert await host.call("use", timeout=500.0) == TimedOut(seconds=70.0)


@pytest.mark.field("limits.attempts")
async def test_attempts_is_how_often_an_idempotent_call_is_tried(bench: Bench) -> None:
    async with bench.told("[limits]\nattempts = 2", told(lose)) as host:
        assert (await host.call_recorded("use")).attempts == 2


@pytest.mark.field("limits.max_retry_after")
@pytest.mark.parametrize(("asked", "attempts"), [(9, 3), (11, 1)])
async def test_max_retry_after_is_how_long_a_server_may_make_us_wait(
    bench: Bench, asked: int, attempts: int
) -> None:
    async with bench.told("[limits]\nmax_retry_after = 10", told(lose)) as host:
        assert (await host.call_recorded("use", {"retry_after": asked})).attempts == attempts


@pytest.mark.field("limits.breaker_failures", "limits.breaker_seconds")
async def test_a_breaker_opens_after_so_many_failures_and_for_so_long(bench: Bench) -> None:
    text = "[limits]\nattempts = 1\nbreaker_failures = 2\nbreaker_seconds = 50"
    ledger = told(lose)
    async with bench.told(text, ledger) as host:
        words = [(await host.call_recorded("use")).word for _ in range(3)]
        assert (words, len(ledger.sent)) == (["lost", "lost", "refused"], 2)
        bench.clock.advance(49)
        assert (await host.call_recorded("use")).word == "refused"
        bench.clock.advance(2)
        assert (await host.call_recorded("use")).word == "lost"


class Counting:
    """How many calls run at once."""

    def __init__(self, clock: Any) -> None:
        self.clock, self.now, self.most = clock, 0, 0

    async def __call__(self, invocation: Invocation) -> Outcome:
        self.now += 1
        self.most = max(self.most, self.now)
        await self.clock.sleep(1)
        self.now -= 1
        return Answered(value=None)


@pytest.mark.field("limits.per_server")
async def test_per_server_is_how_many_calls_to_a_server_run_at_once(bench: Bench) -> None:
    counting = Counting(bench.clock)
    async with bench.told("[limits]\nper_server = 2", told(counting)) as host:
        await asyncio.gather(*(host.call("use", caller=Caller(principal=f"p{n}")) for n in range(6)))
    assert counting.most == 2


@pytest.mark.field("limits.per_caller")
async def test_per_caller_is_how_many_calls_of_a_caller_run_at_once(bench: Bench) -> None:
    counting = Counting(bench.clock)
    servers = [told(counting, label) for label in ("a", "b", "c")]
    async with bench.told("[limits]\nper_caller = 2", *servers) as host:
        await asyncio.gather(*(host.call("use", server=label) for label in ("a", "b", "c") * 2))
    assert counting.most == 2


@pytest.mark.field("limits.argument_bytes")
async def test_argument_bytes_is_how_much_is_sent(bench: Bench) -> None:
    ledger = told(hang)
    async with bench.told("[limits]\nargument_bytes = 100", ledger) as host:
        outcome = await host.call("use", {"text": "x" * 100})
    assert isinstance(outcome, Refused)
    assert (outcome.code, ledger.sent) == ("arguments-too-large", [])


@pytest.mark.field("limits.result_bytes")
async def test_result_bytes_is_the_size_of_a_part(bench: Bench) -> None:
    async with bench.told("[limits]\nresult_bytes = 2_000", told(rows)) as host:
        result = await host.call_recorded("use")
    assert result.page is not None
    assert len(str(result.page.value)) <= 2_000
    assert result.page.parts > 1


@pytest.mark.field("limits.held_bytes")
async def test_held_bytes_is_how_much_is_kept_for_reading_on(bench: Bench) -> None:
    async with bench.told("[limits]\nresult_bytes = 2_000\nheld_bytes = 7_000", told(rows)) as host:
        first, second = [(await host.call_recorded("use")).page for _ in range(2)]
        assert first is not None and first.handle is not None
        assert second is not None and second.handle is not None
        host.read_on(second.handle)
        with pytest.raises(NotFound):
            host.read_on(first.handle)


@pytest.mark.field("limits.held_seconds")
async def test_held_seconds_is_how_long_it_is_kept(bench: Bench) -> None:
    async with bench.told("[limits]\nresult_bytes = 2_000\nheld_seconds = 60", told(rows)) as host:
        page = (await host.call_recorded("use")).page
        assert page is not None and page.handle is not None
        bench.clock.advance(59)
        host.read_on(page.handle)
        bench.clock.advance(2)
        with pytest.raises(NotFound):
            host.read_on(page.handle)


@pytest.mark.field("limits.tools.tool", "limits.tools.timeout")
async def test_a_tool_has_a_timeout_of_its_own(bench: Bench) -> None:
    async with bench.told('[[limits.tools]]\ntool = "us*"\ntimeout = 3', told(hang)) as host:
        assert await host.call("use") == TimedOut(seconds=3.0)
        assert await host.call("other") == TimedOut(seconds=60.0)


@pytest.mark.field("limits.tools.server", "limits.tools.attempts")
async def test_the_tools_of_a_server_have_a_number_of_attempts_of_their_own(bench: Bench) -> None:
    text = '[[limits.tools]]\nserver = "a"\nattempts = 2'
    async with bench.told(text, told(lose, "a"), told(lose, "b")) as host:
        assert (await host.call_recorded("a/use")).attempts == 2
        assert (await host.call_recorded("b/use")).attempts == 3


@pytest.mark.field("limits.tools.result_bytes")
async def test_a_tool_has_a_size_of_parts_of_its_own(bench: Bench) -> None:
    async with bench.told('[[limits.tools]]\ntool = "use"\nresult_bytes = 500', told(rows)) as host:
        assert (await host.call_recorded("use")).page is not None
        assert (await host.call_recorded("other")).page is None
