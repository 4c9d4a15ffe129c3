"""The one way to use a tool through a Host: recorded before it answers, allowed, pinned, masked."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from prowess.call.limits import Limits
from prowess.call.policy import Policy, Rule
from prowess.call.recording import MemoryRecorder
from prowess.errors import NotFound, UsageError
from prowess.host import Host
from prowess.host.storing import Store
from prowess.provider import Answered, Caller, MemoryProvider, Refused
from prowess.store.database import Database
from prowess.store.remembered import ApprovalRequest
from prowess.store.reports import Filter, calls

pytestmark = pytest.mark.anyio

PLUGIN = {"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "sample"}
WEEK = {
    "type": "object",
    "properties": {"week": {"type": "string"}, "limit": {"type": "integer"}},
    "required": ["week"],
}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    root = tmp_path / "sample"
    root.mkdir()
    (root / "plugin.json").write_text(json.dumps(PLUGIN))
    return root


async def echo(arguments: Mapping[str, Any]) -> Any:
    return dict(arguments)


def provider(label: str = "books", **wire: Any) -> MemoryProvider:
    return MemoryProvider(label, {"find": ({"inputSchema": WEEK, **wire}, echo)})


async def test_a_call_is_in_the_file_when_it_answers(package: Path) -> None:
    async with Host.open(package, providers=[provider()]) as host:
        result = await host.call_recorded("find", {"week": "w1"}, caller=Caller(principal="ann"))
        assert result.outcome == Answered(value={"week": "w1"})
        kept = await Database().run(lambda connection: calls(connection, Filter(), 10))
    assert [(each.id, each.tool, each.server, each.outcome, each.principal) for each in kept] == [
        (result.record, "find", "books", "answered", "ann")
    ]


async def test_a_wrong_argument_is_refused_with_its_problems(package: Path) -> None:
    async with Host.open(package, providers=[provider()], store=Store.in_memory()) as host:
        outcome = await host.call("find", {"wek": "w1"})
    assert isinstance(outcome, Refused)
    assert outcome.code == "invalid-arguments"
    assert {each.rule for each in outcome.problems} == {"required"}


async def test_coercion_is_done_only_when_asked_for_and_is_reported(package: Path) -> None:
    async with Host.open(package, providers=[provider()], store=Store.in_memory()) as host:
        assert isinstance(await host.call("find", {"week": "w1", "limit": "5"}), Refused)
        result = await host.call_recorded("find", {"week": "w1", "limit": "5"}, coerce=True)
    assert result.outcome == Answered(value={"week": "w1", "limit": 5})
    assert [each.path for each in result.coercions] == ["/limit"]


async def test_a_changed_tool_is_hidden_and_refused_and_still_in_the_snapshot(package: Path) -> None:
    async with Host.open(package, providers=[provider(description="Finds.")]) as host:
        assert [each.name for each in await host.tools()] == ["find"]
    async with Host.open(package, providers=[provider(description="Finds, and sends it on.")]) as host:
        assert await host.tools() == ()
        outcome = await host.call("find", {"week": "w1"})
        assert isinstance(outcome, Refused)
        assert outcome.code == "tool-changed"
        assert [each.name for each in host.snapshot().tools] == ["find"]
        (changed,) = await host.changed()
        assert [each.path for each in changed.changes] == ["/description"]
        await host.approve("find")
        assert isinstance(await host.call("find", {"week": "w1"}), Answered)
    async with Host.open(package, providers=[provider(description="Finds, and sends it on.")]) as host:
        assert [each.name for each in await host.tools()] == ["find"]


async def test_pins_in_memory_pin_nothing_from_one_run_to_the_next(package: Path) -> None:
    for description in ("one", "two"):
        tools = [provider(description=description)]
        async with Host.open(package, providers=tools, store=Store.in_memory()) as host:
            assert isinstance(await host.call("find", {"week": "w1"}), Answered)


def damage(file: str) -> None:
    Path(file).parent.mkdir(parents=True)
    Path(file).write_bytes(b"no database" * 200)


async def test_an_unreadable_pin_store_closes(package: Path) -> None:
    damage(Database().file)
    async with Host.open(package, providers=[provider()]) as host:
        outcome = await host.call("find", {"week": "w1"})
        assert await host.tools() == ()
    assert isinstance(outcome, Refused)
    assert outcome.code == "pins-unreadable"


async def test_the_policy_given_is_the_one_that_acts(package: Path) -> None:
    policy = Policy(rules=(Rule(action="deny", tool="find"),))
    async with Host.open(package, providers=[provider()], policy=policy, store=Store.in_memory()) as host:
        outcome = await host.call("find", {"week": "w1"})
        assert await host.tools() == ()
    assert isinstance(outcome, Refused)
    assert outcome.code == "denied"


class Asked:
    """An approver that answers as told."""

    def __init__(self, answer: bool) -> None:
        self.answer = answer
        self.requests: list[ApprovalRequest] = []

    async def approve(self, request: ApprovalRequest) -> bool:
        self.requests.append(request)
        return self.answer


@pytest.mark.parametrize("answer", [True, False])
async def test_an_approver_is_asked_where_the_policy_asks(package: Path, answer: bool) -> None:
    asked = Asked(answer)
    tools = [provider(annotations={"destructiveHint": True})]
    async with Host.open(package, providers=tools, approver=asked, store=Store.in_memory()) as host:
        outcome = await host.call("find", {"week": "w1"})
    assert isinstance(outcome, Answered) is answer
    assert [each.arguments for each in asked.requests] == [{"week": "w1"}]


async def test_without_an_approver_the_question_waits_in_the_file(package: Path) -> None:
    from prowess.store.approvals import Approvals

    tools = [provider(annotations={"destructiveHint": True})]
    async with Host.open(package, providers=tools) as host:
        refused = await host.call("find", {"week": "w1"})
        assert isinstance(refused, Refused)
        assert refused.code == "approval-needed"
        approvals = Approvals(Database())
        (waiting,) = await approvals.pending()
        assert await approvals.answer(waiting.digest, True, until=waiting.expires)
        assert isinstance(await host.call("find", {"week": "w1"}), Answered)
        assert isinstance(await host.call("find", {"week": "w1"}), Refused)


async def test_the_limits_given_are_the_ones_that_act(package: Path) -> None:
    async def never(arguments: Mapping[str, Any]) -> Any:
        await asyncio.Event().wait()

    slow = MemoryProvider("slow", {"wait": ({"inputSchema": {"type": "object"}}, never)})
    limits = Limits(timeout=0.05)
    async with Host.open(package, providers=[slow], limits=limits, store=Store.in_memory()) as host:
        result = await host.call_recorded("wait")
    assert result.word == "timed-out"


async def test_a_large_result_is_read_on_by_its_caller_alone(package: Path) -> None:
    async def many(arguments: Mapping[str, Any]) -> Any:
        return list(range(1_000))

    tools = [MemoryProvider("many", {"list": ({"inputSchema": {"type": "object"}}, many)})]
    limits = Limits(result_bytes=1_000)
    async with Host.open(package, providers=tools, limits=limits, store=Store.in_memory()) as host:
        result = await host.call_recorded("list")
        page, items = result.page, list(getattr(result.outcome, "value", []))
        assert page is not None
        assert page.handle is not None
        with pytest.raises(NotFound):
            host.read_on(page.handle, caller=Caller(principal="eve"))
        while page.handle is not None:
            page = host.read_on(page.handle)
            items += page.value
    assert items == list(range(1_000))


async def test_who_asks_is_the_caller_given_when_opening_unless_the_call_says_otherwise(
    package: Path,
) -> None:
    records = MemoryRecorder()
    ann = Caller(principal="ann")
    opened = Host.open(package, providers=[provider()], caller=ann, records=records, store=Store.in_memory())
    async with opened as host:
        await host.call("find", {"week": "w1"})
        await host.call("find", {"week": "w1"}, caller=Caller(principal="bob"))
    assert [each.principal for each in records.calls] == ["ann", "bob"]


async def test_mistakes_of_the_caller_raise_and_leave_no_record(package: Path) -> None:
    store = Store.in_memory()
    async with Host.open(package, providers=[provider("a"), provider("b")], store=store) as host:
        with pytest.raises(NotFound):
            await host.call("fnd")
        with pytest.raises(UsageError):
            await host.call("find", {"week": "w1"})
        assert isinstance(await host.call("a/find", {"week": "w1"}), Answered)
        assert isinstance(await host.call("find", {"week": "w1"}, server="b"), Answered)
    assert isinstance(store.recorder, MemoryRecorder)
    assert [each.server for each in store.recorder.calls] == ["a", "b"]


async def test_log_events_are_redacted_and_share_a_trace(package: Path) -> None:
    events: list[Mapping[str, Any]] = []
    token = "ghp_" + "a1B2" * 9
    opened = Host.open(package, providers=[provider()], sink=events.append, store=Store.in_memory())
    async with opened as host:
        await host.call("find", {"week": token})
    assert [each["event"] for each in events] == ["call-arguments", "call-result"]
    assert len({each["trace"] for each in events}) == 1
    assert token not in json.dumps(events)


async def test_a_host_that_never_calls_makes_no_file(package: Path) -> None:
    async with Host.open(package, providers=[provider()]) as host:
        host.snapshot()
    assert not Database().exists()


async def test_a_closed_host_has_closed_its_file(package: Path) -> None:
    async with Host.open(package, providers=[provider()]) as host:
        await host.call("find", {"week": "w1"})
    with sqlite3.connect(Database().file) as connection:
        assert connection.execute("SELECT count(*) FROM calls").fetchone() == (1,)
        connection.execute("BEGIN EXCLUSIVE")
    connection.close()
