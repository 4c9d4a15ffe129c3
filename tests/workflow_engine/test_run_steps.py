"""What steps of a run do: data flows, loops, branches, errors; executed without the engine."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.workflow_engine.bench_of_runs import Desk, go

from prowess.provider import Lost, ToolFailed

FLIGHT = """
    name: book
    input: {type: object, required: [user], properties: {user: {type: object}}}
    steps:
      - id: search
        skill: search
        params: {to: "{{user.to}}"}
      - skill: compare
        params: {flights: "{{steps[0].result}}"}
      - skill: pay
        params: {order: "{{steps[1].result.best}}"}
    output: {ticket: "{{steps[2].result}}", text: "to {{user.to}}"}
"""


def flights(desk: Desk) -> None:
    desk.skill("search", [{"id": "A", "price": 2.5}, {"id": "B", "price": 1.5}])
    desk.skill("compare", lambda given: {"best": min(given["flights"], key=lambda each: each["price"])})
    desk.skill("pay", lambda given: {"paid": given["order"]["id"]}, safe=False)


def test_data_flows_from_step_to_step_with_its_types(desk: Desk) -> None:
    flights(desk)
    run = desk.done(FLIGHT, {"user": {"to": "Lagos"}})
    assert (run.state, run.output) == ("completed", {"ticket": {"paid": "B"}, "text": "to Lagos"})


def test_every_call_says_run_and_step_and_belongs_to_a_conversation_of_the_run(desk: Desk) -> None:
    flights(desk)
    run = desk.done(FLIGHT, {"user": {"to": "Lagos"}})
    keys = [each.meta["dev.prowess/idempotency-key"] for each in desk.told.sent]
    assert keys == [f"{run.run}:{step}" for step in ("search", "1", "2")]
    assert {each.caller.conversation for each in desk.told.sent} == {f"run:{run.run}"}


def test_a_step_whose_condition_is_false_is_skipped(desk: Desk) -> None:
    desk.skill("count", 3)
    run = desk.done(
        """
        name: few
        steps:
          - {id: n, skill: count}
          - {id: many, skill: count, when: n.result > 5}
        output: {many: "{{steps.many.status}}"}
        """
    )
    assert run.output == {"many": "skipped"}
    assert len(desk.calls("count")) == 1


def test_a_loop_keeps_the_order_and_its_concurrency(desk: Desk) -> None:
    busy, most = 0, 0

    async def work(given: dict[str, Any]) -> Any:
        nonlocal busy, most
        busy += 1
        most = max(most, busy)
        await asyncio.sleep(0.01 * (3 - given["n"] % 3))
        busy -= 1
        return given["n"] * 10

    desk.skill("times", work)
    run = desk.done(
        """
        name: each
        input: {type: object, properties: {numbers: {type: array}}}
        steps:
          - skill: times
            for_each: "{{numbers}}"
            concurrency: 3
            params: {n: "{{item}}", at: "{{index}}"}
        """,
        {"numbers": [1, 2, 3, 4, 5, 6, 7]},
    )
    assert run.output == [10, 20, 30, 40, 50, 60, 70]
    assert most == 3
    assert [each.arguments["at"] for each in desk.calls("times")] == [0, 1, 2, 3, 4, 5, 6]


def test_an_empty_loop_gives_an_empty_list(desk: Desk) -> None:
    desk.skill("times", 1)
    run = desk.done("name: none\nsteps: [{skill: times, for_each: []}]")
    assert (run.state, run.output) == ("completed", [])


def test_branches_run_side_by_side_and_give_their_last_results_by_name(desk: Desk) -> None:
    met = asyncio.Event()

    async def first(given: dict[str, Any]) -> Any:
        await met.wait()
        return "first"

    async def second(given: dict[str, Any]) -> Any:
        met.set()
        return "second"

    desk.skill("one", first)
    desk.skill("two", second)
    run = desk.done(
        """
        name: both
        steps:
          - parallel:
              left: [{skill: one}]
              right: [{skill: two}, {skill: two}]
        """
    )
    assert run.output == {"left": "first", "right": "second"}


def test_an_error_ends_the_run_and_says_where(desk: Desk) -> None:
    desk.skill("break", lambda given: ToolFailed(message="no seat left"))
    run = desk.done("name: bad\nsteps: [{id: seat, skill: break}, {skill: break}]")
    assert run.state == "failed"
    assert run.error == {"code": "tool-failed", "message": "no seat left", "step": "seat"}
    assert len(desk.told.sent) == 1


def test_a_step_may_be_left_failed_and_seen_by_others(desk: Desk) -> None:
    desk.skill("break", lambda given: ToolFailed(message="no"))
    run = desk.done(
        """
        name: goes_on
        steps: [{id: first, skill: break, on_error: continue}]
        output: {code: "{{first.error.code}}", message: "{{first.error.message}}"}
        """
    )
    assert (run.state, run.output) == ("completed", {"code": "tool-failed", "message": "no"})


def test_a_failed_step_is_compensated_for_and_the_run_fails(desk: Desk) -> None:
    desk.skill("hold", {"seat": "1A"})
    desk.skill("pay", lambda given: ToolFailed(message="no money"))
    desk.skill("free", lambda given: given)
    run = desk.done(
        """
        name: compensated
        steps:
          - {id: hold, skill: hold}
          - skill: pay
            on_error:
              compensate: {skill: free, params: {seat: "{{hold.result.seat}}", why: "{{error.message}}"}}
        """
    )
    assert run.state == "failed"
    assert run.error is not None and run.error["message"] == "no money"
    assert [dict(each.arguments) for each in desk.calls("free")] == [{"seat": "1A", "why": "no money"}]


RETRIED = "name: again\nsteps: [{skill: flaky, retry: {attempts: 3, delay: 0.01}}]"


def test_what_may_be_done_twice_is_tried_again(desk: Desk) -> None:
    desk.skill("flaky", lambda given: ToolFailed(message="not yet") if len(desk.told.sent) < 3 else "done")
    assert desk.done(RETRIED).output == "done"


def test_what_may_not_be_done_twice_is_not_tried_again(desk: Desk) -> None:
    desk.skill("flaky", lambda given: ToolFailed(message="not yet"), safe=False)
    assert desk.done(RETRIED).state == "failed"
    assert len(desk.told.sent) == 1


def test_a_call_that_must_not_happen_twice_and_got_no_answer_needs_attention(desk: Desk) -> None:
    desk.skill("pay", lambda given: Lost(reason="the line broke"), safe=False)
    run = desk.done("name: pays\nsteps: [{skill: pay}]")
    assert run.state == "attention"
    assert run.error is not None and run.error["step"] == "0" and "pay" in run.error["message"]


def test_a_step_has_its_time(desk: Desk) -> None:
    async def slow(given: dict[str, Any]) -> Any:
        await asyncio.sleep(30)

    desk.skill("slow", slow)
    run = desk.done("name: hurried\nsteps: [{skill: slow, timeout: 50ms}]")
    assert run.error is not None and (run.state, run.error["code"]) == ("failed", "timed-out")


def test_a_workflow_inside_is_the_one_of_the_start_whatever_becomes_of_its_file(desk: Desk) -> None:
    desk.skill("greet", lambda given: f"hello {given['name']}")
    inner = """
        name: inner
        input: {type: object, required: [who], properties: {who: {type: string}}}
        steps: [{id: greet, skill: greet, params: {name: "{{who}}"}}]
        output: {said: "{{greet.result}}"}
        """
    outer = "name: outer\nsteps: [{id: one, workflow: inner, params: {who: Kim}}]"
    run = desk.done(outer, {}, inner)
    assert run.output == {"said": "hello Kim"}
    assert list(desk.steps(run.run)) == ["one/greet"]


def test_an_input_that_does_not_fit_a_workflow_inside_fails_the_step(desk: Desk) -> None:
    desk.skill("greet", "hello")
    inner = "name: inner\ninput: {type: object, required: [who]}\nsteps: [{skill: greet}]"
    run = desk.done("name: outer\nsteps: [{workflow: inner}]", {}, inner)
    assert run.error is not None and (run.state, run.error["code"]) == ("failed", "invalid-input")


def test_hostile_values_of_a_tool_stay_data(desk: Desk) -> None:
    hostile = {
        "template": "{{steps[0].result}} {{input.__class__}}",
        "__class__": "x",
        "number": 10**400,
        "text": "\x00\u202e" + "y" * 100_000,
    }
    desk.skill("say", hostile)
    desk.skill("echo", lambda given: given["it"])
    run = desk.done(
        """
        name: hostile
        steps:
          - {skill: say}
          - {skill: echo, params: {it: "{{steps[0].result}}"}}
        """
    )
    assert (run.state, run.output) == ("completed", hostile)


def test_an_expression_that_finds_nothing_fails_the_step(desk: Desk) -> None:
    desk.skill("say", {"a": 1})
    run = desk.done('name: lost\nsteps: [{skill: say}, {skill: say, params: {x: "{{steps[0].result.b}}"}}]')
    assert run.error is not None and (run.state, run.error["code"]) == ("failed", "expression-undefined")


def test_a_skill_that_is_gone_fails_the_step(desk: Desk) -> None:
    run = desk.done("name: gone\nsteps: [{skill: nowhere}]")
    assert run.error is not None and (run.state, run.error["code"]) == ("failed", "not-found")


def test_no_secret_is_written_down(desk: Desk) -> None:
    token = "ghp_" + "aB3" * 12
    desk.skill("leak", lambda given: {"text": f"token {token}", "given": given["t"]})
    run = desk.done(
        """
        name: leaks
        input: {type: object, properties: {t: {type: string}}}
        steps: [{skill: leak, params: {t: "{{t}}"}}]
        """,
        {"t": token},
    )
    assert run.state == "completed"
    desk.database.close()
    kept = b"".join(each.read_bytes() for each in desk.file.parent.iterdir() if each.is_file())
    assert token.encode() not in kept


def test_a_run_has_its_time(desk: Desk) -> None:
    async def slow(given: dict[str, Any]) -> Any:
        await asyncio.sleep(30)

    desk.skill("slow", slow)
    run = desk.done("name: late\ntimeout: 100ms\nsteps: [{skill: slow}]")
    assert run.error is not None and (run.state, run.error["code"]) == ("failed", "timed-out")


def test_a_run_that_is_cancelled_sees_a_call_to_its_end_that_must_not_be_left_halfway(desk: Desk) -> None:
    begun, let_go = asyncio.Event(), asyncio.Event()

    async def pay(given: dict[str, Any]) -> Any:
        begun.set()
        await let_go.wait()
        return "paid"

    desk.skill("pay", pay, safe=False)
    id = desk.put_in("name: pays\nsteps: [{skill: pay}, {skill: pay}]")

    async def cancelled() -> None:
        mine = desk.execution(id)
        work = asyncio.ensure_future(mine.to_the_end())
        await begun.wait()
        for _ in range(3):  # as the watch does, until it is over
            mine.stop("cancelled")
            work.cancel()
            await asyncio.sleep(0.01)
        let_go.set()
        await work

    go(cancelled())
    assert desk.run(id).state == "cancelled"
    assert {key: row.state for key, row in desk.steps(id).items()} == {"0": "completed"}
    assert len(desk.told.sent) == 1
