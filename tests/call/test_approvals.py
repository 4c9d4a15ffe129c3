"""Asking before a call: bound to arguments and caller, good once, closed when anything fails."""

from __future__ import annotations

from typing import Any

import pytest
from tests.call.told import Around, Told, run

from prowess.call.approvals import MemoryApprovals
from prowess.call.clock import FakeClock
from prowess.call.policy import Policy, Rule, how_to_allow
from prowess.call.running import Asked
from prowess.capability.offer import Tool
from prowess.provider import Answered, Caller, Refused
from prowess.store.remembered import ApprovalRequest

ASK = Policy(rules=(Rule(action="ask", reason="it sends money"),))
ME = Caller(principal="me", conversation="c1")


class Person:
    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.asked: list[ApprovalRequest] = []

    async def approve(self, request: ApprovalRequest) -> bool:
        self.asked.append(request)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer  # type: ignore[no-any-return]  # also what is no answer


class Unreadable(MemoryApprovals):
    async def spend(self, digest: str, *, now: float) -> bool | None:
        raise OSError("disk")


class Unwritable(MemoryApprovals):
    async def ask(self, request: ApprovalRequest) -> None:
        raise OSError("disk")


def asking(**settings: Any) -> Around:
    crm = Told()
    crm.tool("pay")
    return Around(crm, policy=settings.pop("policy", ASK), **settings)


def refused(around: Around, arguments: Any = None, caller: Caller = ME) -> Refused:
    outcome = run(around.call("pay", arguments, caller=caller)).outcome
    assert isinstance(outcome, Refused)
    return outcome


def test_without_anybody_to_ask_it_refuses_at_once_and_says_how_to_allow() -> None:
    outcome = refused(asking())
    assert outcome.code == "approval-needed"
    assert "it sends money" in outcome.reason
    assert 'action = "allow", tool = "pay", server = "crm"' in outcome.reason


def test_an_approver_lets_one_call_through() -> None:
    person = Person(True)
    around = asking(approver=person, redact=lambda text: text.replace("4111", "***"))
    result = run(around.call("pay", {"card": "4111", "password": "x"}, caller=ME))
    assert result.word == "answered"
    (request,) = person.asked
    assert (request.tool, request.server, request.caller, request.reason) == (
        "pay",
        "crm",
        ME,
        "it sends money",
    )
    assert request.arguments == {"card": "***", "password": "***"}
    run(around.call("pay", {"card": "4111", "password": "x"}, caller=ME))
    assert len(person.asked) == 2


def test_who_sits_before_a_call_is_asked_in_the_place_of_the_hosts_own_approver() -> None:
    nobody, there = Person(False), Person(True)
    around = asking(approver=nobody)
    result = run(around.call("pay", {"to": "a"}, caller=ME, asked=Asked(approver=there)))
    assert isinstance(result.outcome, Answered)
    assert (len(there.asked), nobody.asked) == (1, [])
    assert refused(around, {"to": "a"}).code == "approval-denied"


def test_what_the_policy_says_of_a_tool_can_be_told_beforehand() -> None:
    around = asking()
    told = around.path.decision(around.path.find("pay"), ME)
    assert (told.action, told.reason) == ("ask", "it sends money")


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (False, "approval-denied"),
        (None, "approval-denied"),
        ("yes", "approval-denied"),
        (OSError(), "approvals-unavailable"),
    ],
)
def test_anything_but_true_refuses(answer: Any, code: str) -> None:
    around = asking(approver=Person(answer))
    assert refused(around).code == code
    assert around.provider.sent == []


def test_another_process_can_answer_and_the_same_call_goes_through_once() -> None:
    store = MemoryApprovals(clock=FakeClock().now)
    around = asking(approvals=store)
    first = refused(around, {"to": "Ada"})
    (request,) = run(store.pending())
    assert f"approve request {request.digest.removeprefix('sha256:')[:12]}" in first.reason
    assert run(store.answer(request.digest, True, until=around.clock.now() + 60))
    assert run(store.pending()) == ()
    assert run(around.call("pay", {"to": "Ada"}, caller=ME)).word == "answered"
    assert refused(around, {"to": "Ada"}).code == "approval-needed"


@pytest.mark.parametrize(
    ("arguments", "caller"),
    [({"to": "Bob"}, ME), ({"to": "Ada"}, Caller(principal="you")), ({"to": "Ada"}, Caller(principal="me"))],
)
def test_other_arguments_or_another_caller_need_another_approval(arguments: Any, caller: Caller) -> None:
    store = MemoryApprovals(clock=FakeClock().now)
    around = asking(approvals=store)
    refused(around, {"to": "Ada"})
    (request,) = run(store.pending())
    run(store.answer(request.digest, True, until=around.clock.now() + 60))
    assert refused(around, arguments, caller).code == "approval-needed"


def test_a_tool_that_changed_needs_another_approval() -> None:
    store = MemoryApprovals(clock=FakeClock().now)
    refused(asking(approvals=store))
    (request,) = run(store.pending())
    run(store.answer(request.digest, True, until=1e12))
    crm = Told()
    crm.tool("pay", description="now to somebody else")
    again = Around(crm, policy=ASK, approvals=store)
    assert refused(again).code == "approval-needed"


def test_an_answer_that_is_too_old_or_no_counts_for_what_it_is() -> None:
    store = MemoryApprovals(clock=FakeClock().now)
    around = asking(approvals=store)
    refused(around)
    (request,) = run(store.pending())
    run(store.answer(request.digest, True, until=around.clock.now() - 1))
    assert refused(around).code == "approval-needed"
    run(store.answer(request.digest, False, until=around.clock.now() + 60))
    assert refused(around).code == "approval-denied"


def test_an_answer_that_nobody_asked_for_is_none() -> None:
    assert run(MemoryApprovals(clock=FakeClock().now).answer("sha256:x", True, until=1e12)) is False


def test_a_given_approval_goes_before_the_approver() -> None:
    store, person = MemoryApprovals(clock=FakeClock().now), Person(False)
    around = asking(approvals=store)
    refused(around)
    (request,) = run(store.pending())
    run(store.answer(request.digest, True, until=1e12))
    both = Around(around.provider, policy=ASK, approvals=store, approver=person)
    assert run(both.call("pay", caller=ME)).word == "answered"
    assert person.asked == []


@pytest.mark.parametrize("store", [Unreadable(), Unwritable()])
def test_a_store_that_fails_approves_nothing(store: MemoryApprovals) -> None:
    around = asking(approvals=store)
    assert refused(around).code == "approvals-unavailable"
    assert around.provider.sent == []


def test_what_is_refused_for_its_arguments_is_never_asked_about() -> None:
    person = Person(True)
    crm = Told()
    crm.tool("pay", inputSchema={"type": "object", "required": ["to"]})
    around = Around(crm, policy=ASK, approver=person)
    assert refused(around).code == "invalid-arguments"
    assert person.asked == []


def test_arguments_that_change_while_somebody_thinks_are_not_sent() -> None:
    given = {"to": ["Ada"]}

    class Slow(Person):
        async def approve(self, request: ApprovalRequest) -> bool:
            given["to"].append("Mallory")
            return True

    around = asking(approver=Slow(True))
    run(around.call("pay", given, caller=ME))
    assert around.provider.sent[0].arguments == {"to": ["Ada"]}


def test_pending_requests_are_bounded_and_the_oldest_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prowess.call.approvals.MOST_PENDING", 2)
    store = MemoryApprovals(clock=FakeClock().now)
    around = asking(approvals=store)
    for number in (1, 2, 3, 2):
        refused(around, {"n": number})
    assert sorted(each.arguments["n"] for each in run(store.pending())) == [2, 3]


def test_a_rule_to_paste_allows_this_tool_only() -> None:
    nasty = Tool(server="crm", wire={"name": '*"[', "inputSchema": {}})
    other = Tool(server="crm", wire={"name": "delete", "inputSchema": {}})
    import tomllib

    text = how_to_allow(nasty).removeprefix("put [[policy.rules]] with ").removesuffix(" into prowess.toml")
    rule = Rule(**tomllib.loads(text.replace(", ", "\n")))
    assert rule.matches(nasty)
    assert not rule.matches(other)
