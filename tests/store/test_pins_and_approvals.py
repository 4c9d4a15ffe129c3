"""The stores that the call path uses, held against the same sentences as their in-memory twins."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from tests.store.remembering import asking, call, pin, rows

from prowess.call.approvals import ApprovalStore, MemoryApprovals
from prowess.call.path import CallPath
from prowess.call.pinning import MemoryPins, PinStore
from prowess.call.pinning import Pins as PinnedTools
from prowess.call.recording import MemoryRecorder, Recorder
from prowess.capability.offer import Tool
from prowess.errors import StoreFailed
from prowess.provider import Answered, Caller, MemoryProvider, Refused
from prowess.redact import Redactor
from prowess.store.approvals import MOST_PENDING, Approvals
from prowess.store.database import Database
from prowess.store.pins import Pins, listed, scope_of
from prowess.store.records import Records
from prowess.store.shared_approvals import SharedApprovals
from prowess.store.shared_pins import SharedPins

AWKWARD = ["", "ü/漢", "a\0b", "lone \ud800", "\udfff", "'; DROP TABLE pins; --", "x" * 10_000]


@pytest.fixture(params=["memory", "database", "shared"])
def pins(request: pytest.FixtureRequest, database: Database) -> PinStore:
    if request.param == "shared":
        return SharedPins(request.getfixturevalue("shared"))
    return MemoryPins() if request.param == "memory" else Pins(database)


@pytest.fixture(params=["memory", "database", "shared"])
def approvals(request: pytest.FixtureRequest, database: Database) -> ApprovalStore:
    clock = lambda: 1_100.0  # noqa: E731
    if request.param == "shared":
        return SharedApprovals(request.getfixturevalue("shared"), clock=clock)
    return MemoryApprovals(clock=clock) if request.param == "memory" else Approvals(database, clock=clock)


@pytest.fixture(params=["memory", "database"])
def recorder(request: pytest.FixtureRequest, database: Database) -> Recorder:
    return MemoryRecorder() if request.param == "memory" else Records(database)


# -- pins


def test_the_first_pin_counts_and_a_later_one_only_when_it_replaces(pins: PinStore) -> None:
    async def work() -> None:
        assert await pins.get("package", "invoices", "query_invoices") is None
        assert await pins.first(pin()) == pin()
        changed = pin(digest="sha256:two")
        assert await pins.first(changed) == pin()
        await pins.replace(changed)
        assert await pins.get("package", "invoices", "query_invoices") == changed
        await pins.forget("package", "invoices", "query_invoices")
        assert await pins.get("package", "invoices", "query_invoices") is None
        await pins.forget("package", "invoices", "query_invoices")

    asyncio.run(work())


def test_pins_of_a_scope_stand_by_server_and_tool_apart_from_others(pins: PinStore) -> None:
    async def work() -> None:
        mine = [pin(server=server, tool=tool) for server in "ba" for tool in "dc"]
        for each in [*mine, pin(scope="other")]:
            await pins.first(each)
        found = await pins.all("package")
        assert [(each.server, each.tool) for each in found] == [
            ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"),
        ]  # fmt: skip
        assert await pins.all("nobody") == ()

    asyncio.run(work())


@pytest.mark.parametrize("name", AWKWARD, ids=ascii)
def test_any_name_is_found_again_under_itself(name: str, pins: PinStore) -> None:
    async def work() -> None:
        odd = pin(scope=name, server=name, tool=name, definition={"name": name, "description": name})
        assert await pins.first(odd) == odd
        assert await pins.get(name, name, name) == odd
        assert await pins.all(name) == (odd,)
        await pins.forget(name, name, name)
        assert await pins.get(name, name, name) is None

    asyncio.run(work())


def test_a_definition_of_frozen_mappings_is_kept_and_what_is_no_json_is_not(database: Database) -> None:
    frozen = pin(definition=MappingProxyType({"inputSchema": MappingProxyType({"type": "object"})}))
    asyncio.run(Pins(database).first(frozen))
    (found,) = database.now(listed)
    assert found.definition == {"inputSchema": {"type": "object"}}
    with pytest.raises(TypeError):
        asyncio.run(Pins(database).replace(pin(definition={"name": object()})))


def test_pins_of_every_scope_can_be_listed(database: Database) -> None:
    async def work() -> None:
        await Pins(database).first(pin(scope="two"))
        await Pins(database).first(pin(scope="one"))

    asyncio.run(work())
    assert [each.scope for each in database.now(listed)] == ["one", "two"]


def test_a_package_named_in_another_way_has_the_same_scope(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert scope_of(".") == scope_of(str(tmp_path))


def test_what_one_process_resets_counts_in_another(database: Database) -> None:
    other = Database(database.file)

    async def work() -> None:
        await Pins(database).first(pin())
        await Pins(other).replace(pin(digest="sha256:two"))
        found = await Pins(database).get("package", "invoices", "query_invoices")
        assert found is not None and found.digest == "sha256:two"
        await Pins(other).forget("package", "invoices", "query_invoices")
        assert await Pins(database).get("package", "invoices", "query_invoices") is None

    asyncio.run(work())
    other.close()


def greeting() -> Tool:
    return Tool(server="stub", wire={"name": "greet", "inputSchema": {"type": "object"}})


def path_of(database: Database, **settings: Any) -> CallPath:
    """A call path over one tool, with everything of it in the database."""

    async def answer(arguments: Any) -> Any:
        return {"hello": "you"}

    provider = MemoryProvider("stub", {"greet": (dict(greeting().wire), answer)})
    asyncio.run(provider.open())
    return CallPath([provider], recorder=Records(database), pins=PinnedTools(Pins(database)), **settings)


@pytest.mark.parametrize("content", [b"no database" * 1_000, None], ids=["damaged", "not a file"])
def test_a_pin_store_that_cannot_be_read_closes(
    content: bytes | None, database: Database, file: Path
) -> None:
    file.parent.mkdir()
    if content is None:
        file.mkdir()
    else:
        file.write_bytes(content)
    result = asyncio.run(path_of(database).call("greet"))
    assert isinstance(result.outcome, Refused) and result.outcome.code == "pins-unreadable"


def test_a_damaged_pin_closes_until_it_is_reset(database: Database) -> None:
    path = path_of(database)
    assert isinstance(asyncio.run(path.call("greet")).outcome, Answered)
    database.now(lambda connection: connection.execute("UPDATE pins SET definition = '{' "))
    result = asyncio.run(path.call("greet"))
    assert isinstance(result.outcome, Refused) and result.outcome.code == "pins-unreadable"
    with pytest.raises(StoreFailed):
        asyncio.run(path.pins.listed())
    asyncio.run(Pins(database).forget("", "stub", "greet"))
    assert isinstance(asyncio.run(path.call("greet")).outcome, Answered)


# -- approvals


def test_an_answer_is_given_once_and_used_up_once(approvals: ApprovalStore) -> None:
    async def work() -> None:
        assert await approvals.answer("sha256:asked", True, until=2_000) is False, "nobody asked"
        assert await approvals.spend("sha256:asked", now=1_100) is None
        await approvals.ask(asking())
        assert await approvals.pending() == (asking(),)
        assert await approvals.spend("sha256:asked", now=1_100) is None, "nobody answered"
        assert await approvals.pending() == (asking(),)
        assert await approvals.answer("sha256:asked", True, until=2_000) is True
        assert await approvals.answer("sha256:asked", False, until=2_000) is False, "answered already"
        assert await approvals.pending() == ()
        assert await approvals.spend("sha256:other", now=1_100) is None
        assert await approvals.spend("sha256:asked", now=1_100) is True
        assert await approvals.spend("sha256:asked", now=1_100) is None

    asyncio.run(work())


def test_a_denial_is_an_answer(approvals: ApprovalStore) -> None:
    async def work() -> None:
        await approvals.ask(asking())
        await approvals.answer("sha256:asked", False, until=2_000)
        assert await approvals.spend("sha256:asked", now=1_100) is False

    asyncio.run(work())


def test_an_answer_whose_time_is_over_counts_for_nothing(approvals: ApprovalStore) -> None:
    async def work() -> None:
        await approvals.ask(asking())
        await approvals.answer("sha256:asked", True, until=1_200)
        assert await approvals.spend("sha256:asked", now=1_200) is None

    asyncio.run(work())


def test_the_same_question_waits_once_and_the_oldest_comes_first(approvals: ApprovalStore) -> None:
    async def work() -> None:
        await approvals.ask(asking())
        await approvals.ask(asking("sha256:other", asked=1_050.0))
        await approvals.ask(asking(asked=1_080.0, expires=1_700.0))
        assert [(each.digest, each.asked) for each in await approvals.pending()] == [
            ("sha256:other", 1_050.0),
            ("sha256:asked", 1_080.0),
        ]

    asyncio.run(work())


def test_a_model_in_a_loop_does_not_fill_the_store(approvals: ApprovalStore) -> None:
    async def work() -> None:
        for number in range(MOST_PENDING + 5):
            await approvals.ask(asking(f"sha256:{number}", asked=1_000.0 + number / 1_000))
        waiting = await approvals.pending()
        assert len(waiting) == MOST_PENDING
        assert waiting[0].digest == "sha256:5"

    asyncio.run(work())


@pytest.mark.parametrize("text", AWKWARD, ids=ascii)
def test_a_request_of_any_text_comes_back_as_it_was(text: str, database: Database) -> None:
    caller = Caller(principal=text, conversation=text, rollout_key=text)
    made = asking(tool=text, server=text, arguments={"id": [text, None, 1.5]}, caller=caller, reason=text)

    async def work() -> None:
        store = Approvals(database, clock=lambda: 1_100.0)
        await store.ask(made)
        assert await store.pending() == (made,)

    asyncio.run(work())


class Moved:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.time = 1_100.0

    def __call__(self) -> float:
        return self.time


@pytest.mark.parametrize("kind", ["memory", "database"])
def test_a_request_does_not_outlive_its_time(kind: str, database: Database) -> None:
    clock = Moved()
    store = MemoryApprovals(clock=clock) if kind == "memory" else Approvals(database, clock=clock)

    async def work() -> None:
        await store.ask(asking())
        clock.time = 1_600.0
        assert await store.pending() == ()
        assert await store.answer("sha256:asked", True, until=9_000) is False
        await store.ask(asking("sha256:later", asked=1_600.0, expires=2_000.0))
        clock.time = 1_100.0
        assert [each.digest for each in await store.pending()] == ["sha256:later"], "the first is gone"

    asyncio.run(work())
    if kind == "memory":
        return
    assert rows(database, "SELECT digest FROM approvals") == [("sha256:later",)]


def test_asking_again_does_not_take_away_an_answer_that_holds(approvals: ApprovalStore) -> None:
    async def work() -> None:
        store = approvals
        await store.ask(asking())
        await store.answer("sha256:asked", True, until=1_500)
        await store.ask(asking(asked=1_200.0))
        assert await store.spend("sha256:asked", now=1_300) is True
        await store.ask(asking())
        await store.answer("sha256:asked", True, until=1_500)
        await store.ask(asking(asked=1_500.0))
        assert [each.asked for each in await store.pending()] == [1_500.0], "it was over: asked anew"

    asyncio.run(work())


def test_a_damaged_request_is_an_error(database: Database) -> None:
    asyncio.run(Approvals(database).ask(asking()))
    database.now(lambda connection: connection.execute("UPDATE approvals SET arguments = ''"))
    with pytest.raises(StoreFailed):
        asyncio.run(Approvals(database, clock=lambda: 1_100.0).pending())


DESTRUCTIVE = {"name": "wipe", "inputSchema": {"type": "object"}, "annotations": {"destructiveHint": True}}


def test_another_process_gives_the_approval_that_a_call_waits_for(database: Database) -> None:
    async def wiped(arguments: Any) -> Any:
        return {"wiped": arguments["what"]}

    async def work() -> None:
        provider = MemoryProvider("stub", {"wipe": (DESTRUCTIVE, wiped)})
        await provider.open()
        path = CallPath([provider], approvals=Approvals(database), recorder=Records(database))
        first = (await path.call("wipe", {"what": "all"})).outcome
        assert isinstance(first, Refused) and first.code == "approval-needed"
        console = Approvals(Database(database.file))
        (waiting,) = await console.pending()
        assert waiting.arguments == {"what": "all"}
        assert await console.answer(waiting.digest, True, until=waiting.expires)
        for arguments, caller in ({"what": "none"}, Caller()), ({"what": "all"}, Caller(principal="other")):
            refused = (await path.call("wipe", arguments, caller=caller)).outcome
            assert isinstance(refused, Refused), "other arguments or another caller need another approval"
        assert (await path.call("wipe", {"what": "all"})).outcome == Answered(value={"wiped": "all"})
        again = (await path.call("wipe", {"what": "all"})).outcome
        assert isinstance(again, Refused), "an approval is good for one call"

    asyncio.run(work())


# -- records


def test_a_record_of_the_same_id_takes_the_place_of_the_first(recorder: Recorder, database: Database) -> None:
    async def work() -> None:
        first = call()
        await recorder.commit(first)
        await recorder.commit(call())
        await recorder.commit(replace(first, outcome="lost"))

    asyncio.run(work())
    kept = (
        [each.outcome for each in recorder.calls]
        if isinstance(recorder, MemoryRecorder)
        else [each for (each,) in rows(database, "SELECT outcome FROM calls ORDER BY id")]
    )
    assert kept == ["lost", "answered"]


def test_no_secret_reaches_a_row(database: Database, file: Path) -> None:
    token = "ghp_" + "0a1B" * 9
    redact = Redactor([token])
    wire = {**DESTRUCTIVE, "inputSchema": {"type": "object", "additionalProperties": True}}

    async def echo(arguments: Any) -> Any:
        return {"you said": arguments}

    async def work() -> None:
        provider = MemoryProvider("stub", {"wipe": (wire, echo), "greet": (dict(greeting().wire), echo)})
        await provider.open()
        path = CallPath(
            [provider],
            recorder=Records(database),
            approvals=Approvals(database),
            pins=PinnedTools(Pins(database)),
            redact=redact.text,
        )
        for tool in ("wipe", "greet"):
            await path.call(tool, {"token": token, token: 1, "text": f"my token is {token}"})

    asyncio.run(work())
    assert rows(database, "SELECT count(*) FROM calls") == [(2,)]
    assert rows(database, "SELECT count(*) FROM approvals") == [(1,)]
    database.close()
    dumped = "\n".join(sqlite3.connect(file).iterdump())
    assert json.loads(rows(database, "SELECT arguments FROM approvals")[0][0])
    assert token not in dumped
    assert token.encode() not in file.read_bytes()
