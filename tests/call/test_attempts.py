"""Attempts: when a call is made again, when not, and that none holds its caller past the timeout."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.call.told import Around, Behaviour, Told, run

from prowess.call.breaker import Breakers
from prowess.call.clock import FakeClock, SystemClock
from prowess.call.limits import Limits
from prowess.call.retry import may_repeat, wait_before
from prowess.call.slots import Slots
from prowess.errors import ConnectionFailed, NotFound
from prowess.provider import Answered, Caller, Invocation, Lost, Outcome, Refused, TimedOut, ToolFailed

SAFE = {"idempotentHint": True}
LOST = Lost(reason="gone")
TRANSIENT = ToolFailed(message="try later", transient=True)


def script(*outcomes: Any) -> Behaviour:
    """Answer with these one after the other, the last for ever; an exception is raised."""
    left = list(outcomes)

    async def answer(invocation: Invocation) -> Outcome:
        now = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(now, BaseException):
            raise now
        return now  # type: ignore[no-any-return]  # or something that is no outcome at all

    return answer


def around(behaviour: Behaviour, *, annotations: Any = SAFE, **settings: Any) -> Around:
    crm = Told()
    crm.tool("a", behaviour, annotations=annotations)
    return Around(crm, **settings)


def test_an_idempotent_call_that_is_lost_is_made_again_after_one_and_two_seconds() -> None:
    made = around(script(LOST, LOST, Answered(value=1)))
    result = run(made.call("a"))
    assert (result.outcome, result.attempts) == (Answered(value=1), 3)
    assert made.clock.monotonic() == 1_003.0


@pytest.mark.parametrize("annotations", [{"idempotentHint": True}, {"readOnlyHint": True}])
def test_three_attempts_are_the_end(annotations: Any) -> None:
    result = run(around(script(LOST), annotations=annotations).call("a"))
    assert (result.word, result.attempts) == ("lost", 3)


@pytest.mark.parametrize(
    "annotations",
    [None, {}, {"idempotentHint": False}, {"idempotentHint": "true"}, {"destructiveHint": False}],
)
@pytest.mark.parametrize("outcome", [LOST, TRANSIENT])
def test_what_does_not_say_that_it_is_safe_is_never_made_again(annotations: Any, outcome: Outcome) -> None:
    made = around(script(outcome), annotations=annotations)
    assert run(made.call("a")).attempts == 1
    assert len(made.provider.sent) == 1


@pytest.mark.parametrize(
    ("outcome", "again"),
    [
        (LOST, True),
        (TRANSIENT, True),
        (ToolFailed(message="no such customer"), False),
        (Answered(value=1), False),
        (TimedOut(seconds=1), False),
        (Refused(reason="not open"), False),
    ],
)
def test_only_what_can_end_otherwise_is_made_again(outcome: Outcome, again: bool) -> None:
    assert may_repeat(outcome) is again
    assert run(around(script(outcome)).call("a")).attempts == (3 if again else 1)


def test_waits_are_spread_by_a_quarter() -> None:
    waits = [wait_before(attempt, LOST, chance, 30) for attempt in (1, 2) for chance in (0.0, 0.5, 1.0)]
    assert waits == [0.75, 1.0, 1.25, 1.5, 2.0, 2.5]
    assert wait_before(7, LOST, 0.5, 30) == 2.0


def test_retry_after_is_honoured_and_bounded() -> None:
    asked = ToolFailed(message="slow down", transient=True, retry_after=17.0)
    assert wait_before(1, asked, 0.5, 30) == 17.0
    assert wait_before(1, asked, 0.5, 10) is None
    assert wait_before(1, Lost(reason="", retry_after=0.0), 0.5, 30) == 1.0
    made = around(script(asked, Answered(value=1)))
    assert run(made.call("a")).word == "answered"
    assert made.clock.monotonic() == 1_017.0


def test_a_wait_that_does_not_fit_into_the_timeout_is_not_begun() -> None:
    made = around(script(LOST))
    result = run(made.call("a", timeout=2.5))
    assert (result.word, result.attempts) == ("lost", 2)
    assert result.notes == ("not tried again: no time left of 2.5 seconds",)
    assert made.clock.monotonic() == 1_001.0


def test_all_attempts_share_one_timeout() -> None:
    async def slow(invocation: Invocation) -> Outcome:
        await made.clock.sleep(1)
        timeouts.append(invocation.timeout)
        return LOST

    timeouts: list[float] = []
    made = around(slow)
    assert run(made.call("a", timeout=5.5)).word == "timed-out"
    assert timeouts == [5.5, 3.5]
    assert made.clock.monotonic() == 1_005.5


def test_a_provider_that_ignores_its_cancellation_does_not_hold_its_caller() -> None:
    released = asyncio.Event()

    async def deaf(invocation: Invocation) -> Outcome:
        while not released.is_set():
            try:
                await released.wait()
            except asyncio.CancelledError:
                continue
        raise ValueError("too late for anybody")

    async def story() -> Any:
        result = await made.call("a", timeout=3)
        released.set()
        await asyncio.sleep(0.01)
        return result

    made = around(deaf)
    assert run(story()).outcome == TimedOut(seconds=3.0)
    assert made.clock.monotonic() == 1_003.0


@pytest.mark.parametrize(
    ("raised", "outcome"),
    [
        (NotFound("no tool named 'a' on crm"), Refused(code="not-found", reason="no tool named 'a' on crm")),
        (ConnectionFailed("crm is down"), Refused(code="connection-failed", reason="crm is down")),
        (ValueError("\x1bboom"), Lost(reason="ValueError: \\u{1b}boom")),
        (asyncio.CancelledError(), Lost(reason="the connection was closed during the call")),
        (None, ToolFailed(message="the provider answered with a NoneType and not with an outcome")),
        ({"content": []}, ToolFailed(message="the provider answered with a dict and not with an outcome")),
    ],
)
def test_whatever_a_provider_does_is_an_outcome(raised: Any, outcome: Outcome) -> None:
    assert run(around(script(raised), annotations={}).call("a")).outcome == outcome


def test_an_exception_is_logged_with_its_stack() -> None:
    made = around(script(ValueError("boom")), annotations={})
    run(made.call("a"))
    (event,) = [each for each in made.events if each["event"] == "call-exception"]
    assert event["error"] == "ValueError"
    assert "in answer" in event["stack"]


def test_a_caller_over_its_limit_is_refused_when_its_time_is_over() -> None:
    async def slow(invocation: Invocation) -> Outcome:
        await made.clock.sleep(20)
        return Answered(value=1)

    crm = Told()
    crm.tool("a", slow)
    made = Around(crm, limits=Limits(per_caller=1))

    async def story() -> list[Any]:
        return list(await asyncio.gather(made.call("a"), made.call("a", timeout=5)))

    first, second = run(story())
    assert (first.word, second.outcome.code) == ("answered", "busy")
    assert len(crm.sent) == 1


def test_a_server_over_its_limit_refuses_every_caller() -> None:
    async def slow(invocation: Invocation) -> Outcome:
        await made.clock.sleep(20)
        return Answered(value=1)

    crm = Told()
    crm.tool("a", slow)
    made = Around(crm, limits=Limits(per_server=1))

    async def story() -> list[Any]:
        other = made.call("a", timeout=5, caller=Caller(principal="other"))
        return list(await asyncio.gather(made.call("a"), other))

    assert run(story())[1].outcome.code == "busy"


def test_the_breaker_knows_credentials_apart() -> None:
    crm = Told()
    crm.tool("a", script(LOST))
    made = Around(crm, limits=Limits(breaker_failures=1), credential=lambda server, caller: caller.principal)

    async def story() -> list[str]:
        who = [Caller(principal="a"), Caller(principal="a"), Caller(principal="b")]
        return [(await made.call("a", caller=each)).word for each in who]

    assert run(story()) == ["lost", "refused", "lost"]


def test_an_open_breaker_says_how_long_not_to_call() -> None:
    made = around(script(LOST), annotations={}, limits=Limits(breaker_failures=1))
    run(made.call("a"))
    outcome = run(made.call("a")).outcome
    assert isinstance(outcome, Refused)
    assert outcome.code == "breaker-open"
    assert outcome.reason.endswith("Do not call again for 30 seconds")


def test_a_breaker_that_opens_between_attempts_leaves_the_last_outcome() -> None:
    made = around(script(LOST), limits=Limits(breaker_failures=2))
    result = run(made.call("a"))
    assert (result.word, result.attempts) == ("lost", 2)


def test_a_breaker_counts_only_failures_in_a_row_and_only_of_the_server() -> None:
    clock = FakeClock()
    breakers = Breakers(2, 30, clock)
    failed = ToolFailed(message="no")
    for outcome in (LOST, failed, LOST, None, Refused(reason=""), Answered(value=1), TimedOut(seconds=1)):
        assert breakers.refuses("k") is None
        breakers.heard("k", outcome)
    assert breakers.refuses("k") is None
    breakers.heard("k", LOST)
    assert breakers.refuses("k") == 30
    breakers.heard("other", None)
    assert breakers.refuses("other") is None


def test_after_the_pause_one_trial_decides() -> None:
    clock = FakeClock()
    breakers = Breakers(1, 30, clock)
    breakers.heard("k", LOST)
    clock.advance(30)
    assert breakers.refuses("k") is None
    assert breakers.refuses("k") == 30, "one trial at a time"
    breakers.heard("k", None)
    assert breakers.refuses("k") is None, "a trial that said nothing is made again"
    breakers.heard("k", LOST)
    assert breakers.refuses("k") == 30
    clock.advance(31)
    assert breakers.refuses("k") is None
    breakers.heard("k", Answered(value=1))
    assert breakers.refuses("k") is None
    breakers.heard("k", Answered(value=1))


def test_slots_are_handed_on_in_order_and_forgotten() -> None:
    async def story() -> list[int]:
        slots = Slots(1, FakeClock())
        order: list[int] = []

        async def use(number: int) -> None:
            assert await slots.take("k", 60)
            order.append(number)
            await asyncio.sleep(0)
            slots.give("k")

        await asyncio.gather(*(use(number) for number in range(5)))
        assert slots.busy == 0
        return order

    assert run(story()) == [0, 1, 2, 3, 4]


def test_who_gives_up_waiting_takes_no_place() -> None:
    async def story() -> None:
        slots = Slots(1, SystemClock())
        assert await slots.take("k", 60)
        waiting = asyncio.ensure_future(slots.take("k", 60))
        leaving = asyncio.ensure_future(slots.take("k", 60))
        await asyncio.sleep(0)
        leaving.cancel()
        await asyncio.sleep(0)
        slots.give("k")
        waiting.cancel()  # the place is already on its way to it
        await asyncio.gather(waiting, leaving, return_exceptions=True)
        assert waiting.cancelled() and leaving.cancelled()
        assert slots.busy == 0

    run(story())


def test_the_machines_clock_tells_time_and_waits() -> None:
    async def story() -> None:
        clock = SystemClock()
        before, date = clock.monotonic(), clock.now()
        await clock.sleep(0)
        never: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        assert not await clock.settled(never, -1)
        never.set_result(None)
        assert await clock.settled(never, 1)
        assert clock.monotonic() >= before
        assert clock.now() >= date > 1_600_000_000
        assert 0 <= clock.random() < 1

    run(story())


def test_a_call_without_annotations_has_one_attempt_whatever_the_limits_say() -> None:
    made = around(script(LOST), annotations={}, limits=Limits(attempts=3))
    assert run(made.call("a")).attempts == 1


def test_calls_that_one_crash_ended_together_are_one_failure() -> None:
    clock = FakeClock()
    breakers = Breakers(2, 30, clock)
    began = clock.monotonic()
    clock.advance(1)
    for _ in range(10):
        breakers.heard("k", LOST, began=began)
    assert breakers.refuses("k") is None
    breakers.heard("k", LOST, began=clock.monotonic())
    assert breakers.refuses("k") == 30


def test_a_server_that_never_answers_opens_the_breaker_however_many_wait_for_it() -> None:
    clock = FakeClock()
    breakers = Breakers(2, 30, clock)
    began = clock.monotonic()
    clock.advance(60)
    for _ in range(2):
        breakers.heard("k", TimedOut(seconds=60), began=began)
    assert breakers.refuses("k") == 30


def test_a_call_from_before_the_pause_neither_lengthens_it_nor_ends_the_trial() -> None:
    clock = FakeClock()
    breakers = Breakers(1, 30, clock)
    began = clock.monotonic()
    clock.advance(1)
    breakers.heard("k", LOST, began=clock.monotonic())
    clock.advance(31)
    assert breakers.refuses("k") is None  # the trial
    breakers.heard("k", TimedOut(seconds=30), began=began)
    breakers.heard("k", None, began=began)
    assert breakers.refuses("k") == 30  # for the trial is still under way
    breakers.heard("k", Answered(value=1), began=clock.monotonic())
    assert breakers.refuses("k") is None
