"""Units called: what they raise, what they give, who is affected."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.units.model.conftest import Units, run

from prowess import Answered, Caller, Host, NotFound, Refused, TimedOut, ToolFailed, UsageError
from prowess.call.limits import Limits
from prowess.host.storing import Store
from prowess.provider import Invocation
from prowess.units.memory_context import MemoryContexts

RAISING = """
import asyncio
{head}

class One:
    async def execute(self, params: dict, ctx):
        {line}
"""


def raising(units: Units, line: str, head: str = "", contexts: MemoryContexts | None = None) -> Any:
    units.unit("one", "one", RAISING.format(line=line, head=head))
    return units.call("one", contexts=contexts)


@pytest.mark.parametrize(
    ("line", "message", "transient"),
    [
        ('raise ValueError("no such city")', "ValueError: no such city", False),
        ("raise KeyError", "KeyError", False),
        ("raise SystemExit(1)", "SystemExit: 1", False),
        ('raise TimeoutError("late")', "TimeoutError: late", True),
    ],
)
def test_what_a_unit_raises_is_its_own_failure(
    line: str, message: str, transient: bool, units: Units
) -> None:
    contexts = MemoryContexts()
    assert raising(units, line, contexts=contexts) == ToolFailed(message=message, transient=transient)
    [(event, fields)] = contexts.made[0].events
    assert event == "unit-exception"
    assert "skill.py" in fields["stack"]


def test_an_error_of_ours_is_told_in_its_own_words(units: Units) -> None:
    outcome = raising(
        units, 'raise AccessDenied("not that host", hint="declare it")', "from prowess import AccessDenied"
    )
    assert (type(outcome), outcome.message) == (ToolFailed, "not that host (declare it)")
    assert outcome.wire["_meta"] == {"dev.prowess/code": "access-denied"}


@pytest.mark.parametrize(("status", "transient"), [(429, True), (503, True), (404, False)])
def test_an_http_answer_that_may_be_better_later_is_transient(
    status: int, transient: bool, units: Units
) -> None:
    line = f"httpx2.Response({status}, headers={{'Retry-After': '7'}}, request=REQUEST).raise_for_status()"
    head = "import httpx2\nREQUEST = httpx2.Request('GET', 'https://api.example.com')"
    match raising(units, line, head):
        case ToolFailed(transient=found, retry_after=7.0):
            assert found is transient
        case other:
            raise AssertionError(other)


def test_a_host_that_cannot_be_reached_is_transient(units: Units) -> None:
    match raising(units, 'raise httpx2.ConnectError("refused")', "import httpx2"):
        case ToolFailed(transient=True, retry_after=None):
            pass
        case other:
            raise AssertionError(other)


@pytest.mark.parametrize(
    "value", ["[1]", '"text"', "None", "{'a': object()}", "{'a': float('nan')}", "{'a': {1, 2}}"]
)
def test_what_is_no_json_object_is_no_result(value: str, units: Units) -> None:
    match raising(units, f"return {value}"):
        case ToolFailed(message=message):
            assert "one@1.0.0" in message
        case other:
            raise AssertionError(other)


def test_a_unit_that_does_not_load_refuses_and_says_where(units: Units) -> None:
    units.unit("one", "one", "\nimport nonsense_module\n")
    match units.call("one"):
        case Refused(code="unit-load-failed", reason=reason):
            assert "one/skill.py:2" in reason
        case other:
            raise AssertionError(other)


def test_a_unit_that_was_repaired_loads_at_the_next_call(units: Units) -> None:
    file = units.unit("one", "one", "import nonsense_module\n")

    async def work() -> None:
        provider = units.provider()
        await provider.open()
        assert isinstance(await provider.call(Invocation(tool="one")), Refused)
        file.write_text("class A:\n    async def execute(self, params): return {}\n")
        assert isinstance(await provider.call(Invocation(tool="one")), Answered)
        await provider.close()
        await provider.close()
        assert provider.offer().status == "not-started"

    run(work())


def test_a_folder_that_is_gone_is_a_failed_offer(units: Units) -> None:
    provider = units.provider()
    units.root.rmdir()
    offer = run(provider.open())
    assert (offer.status, offer.reason_code) == ("failed", "unreadable")


def test_broken_units_are_notes_and_the_others_are_offered(units: Units) -> None:
    units.unit("one", "one", timeout="soon")
    units.unit("two", "two")
    offer = run(units.provider().open())
    assert [each.name for each in offer.tools] == ["two"]
    [note] = offer.notes
    assert note.startswith("one/schema.json#/timeout: ")


# -- in a Host -----------------------------------------------------------------------------------------


WAITING = """
import asyncio
class One:
    async def execute(self, params):
        await asyncio.sleep(60)
"""


def hosted(units: Units, **more: Any) -> Any:
    return Host.open(units.root, store=Store.in_memory(), **more)


def test_the_declared_timeout_is_in_milliseconds_and_holds(units: Units) -> None:
    units.unit("one", "one", WAITING, timeout=50)

    async def work() -> None:
        async with hosted(units) as host:
            assert await host.call("one") == TimedOut(seconds=0.05)

    run(work())


def test_an_idempotent_unit_is_tried_again_and_another_is_not(units: Units) -> None:
    code = """
    calls = []
    class One:
        async def execute(self, params):
            calls.append(1)
            if len(calls) < 2:
                raise TimeoutError
            return {"calls": len(calls)}
    """
    units.unit("one", "one", code, idempotent=True)
    units.unit("two", "two", code)

    async def work() -> None:
        async with hosted(units) as host:
            first = await host.call_recorded("one")
            assert (first.outcome.value, first.attempts) == ({"calls": 2}, 2)
            second = await host.call_recorded("two")
            assert (second.word, second.attempts) == ("tool-failed", 1)

    run(work())


def test_a_unit_that_hangs_opens_no_breaker_for_the_others(units: Units) -> None:
    units.unit("one", "one", WAITING, timeout=1)
    units.unit("two", "two")

    async def work() -> None:
        async with hosted(units, limits=Limits(breaker_failures=2)) as host:
            for _ in range(2):
                assert isinstance(await host.call("one"), TimedOut)
            match await host.call("one"):
                case Refused(code="breaker-open"):
                    pass
                case other:
                    raise AssertionError(other)
            assert isinstance(await host.call("two"), Answered)

    run(work())


def versions(units: Units) -> None:
    for version in ("1.4.2", "1.5.0", "2.0.0", "3.0.0-rc.1"):
        code = f"class A:\n    async def execute(self, params): return {{'version': {version!r}}}"
        units.unit(f"weather/{version}", "query_weather", code)


@pytest.mark.parametrize(
    ("asked", "got"),
    [
        ("", "2.0.0"),
        ("@1", "1.5.0"),
        ("@~1.4", "1.4.2"),
        ("@1.4.2", "1.4.2"),
        ("@^1.4", "1.5.0"),
        ("@3.0.0-rc.1", "3.0.0-rc.1"),
    ],
)
def test_a_caller_may_ask_for_a_range_of_versions(asked: str, got: str, units: Units) -> None:
    versions(units)

    async def work() -> None:
        async with hosted(units) as host:
            assert (await host.call(f"query_weather{asked}")).value == {"version": got}
            assert (await host.call(f"units/query_weather{asked}")).value == {"version": got}
            if asked:
                assert (await host.call("query_weather", version=asked[1:])).value == {"version": got}

    run(work())


def test_a_version_that_there_is_not_is_the_callers_mistake(units: Units) -> None:
    versions(units)

    async def work() -> None:
        async with hosted(units) as host:
            with pytest.raises(NotFound):
                await host.call("query_weather@9")
            with pytest.raises(UsageError):
                await host.call("query_weather@newest")
            with pytest.raises(NotFound):
                await host.call("nothing@1")

    run(work())


def test_one_tool_is_offered_for_each_name_and_the_record_says_which_version_ran(units: Units) -> None:
    versions(units)

    async def work() -> None:
        store = Store.in_memory()
        async with Host.open(units.root, store=store) as host:
            [tool] = await host.tools()
            assert tool.wire["_meta"]["dev.prowess/version"] == "2.0.0"
            await host.call("query_weather@1")
        assert [each.version for each in store.recorder.records] == ["1.5.0"]  # type: ignore[attr-defined]

    run(work())


def test_who_gets_which_version_is_asked_of_whoever_is_to_say(units: Units) -> None:
    versions(units)

    def choice(name: str, known: Any, asked: str, caller: Caller) -> str:
        return "3.0.0-rc.1" if caller.principal == "brave" else "1.4.2"

    async def work() -> None:
        provider = units.provider(choice=choice)
        await provider.open()
        brave = Invocation(tool="query_weather", caller=Caller(principal="brave"))
        for invocation, version in ((brave, "3.0.0-rc.1"), (Invocation(tool="query_weather"), "1.4.2")):
            match await provider.call(invocation):
                case Answered(value=value):
                    assert value == {"version": version}
                case other:
                    raise AssertionError(other)
        await provider.close()

    run(work())


def test_a_unit_is_given_its_own_secrets_and_no_others(units: Units) -> None:
    code = """
    class A:
        async def execute(self, params, ctx):
            return {"key": ctx.secret(params["city"])}
    """
    units.unit("one", "one", code, permissions={"secrets": ["KEY"]})
    contexts = MemoryContexts(secrets={"KEY": "k", "OTHER": "o"})
    match units.call("one", contexts=contexts, city="KEY"):
        case Answered(value=value):
            assert value == {"key": "k"}
        case other:
            raise AssertionError(other)
    assert isinstance(units.call("one", contexts=contexts, city="OTHER"), ToolFailed)


def test_calls_at_once_have_each_their_own_context(units: Units) -> None:
    code = """
    import asyncio
    from skills.base import Skill
    class A(Skill):
        async def execute(self, params):
            before = self.ctx.data_dir
            await asyncio.sleep(0)
            return {"same": before == self.ctx.data_dir, "where": str(before)}
    """
    units.unit("one", "one", code)

    async def work() -> None:
        provider = units.provider()
        await provider.open()
        outcomes = await asyncio.gather(*(provider.call(Invocation(tool="one")) for _ in range(5)))
        values = [each.value for each in outcomes if isinstance(each, Answered)]
        assert all(each["same"] for each in values)
        assert len({each["where"] for each in values}) == 5
        await provider.close()

    run(work())


def test_a_cancelled_call_cancels_the_unit(units: Units) -> None:
    code = """
    import asyncio
    class A:
        async def execute(self, params, ctx):
            try:
                ctx.log("began")
                ctx.http.set()
                await asyncio.sleep(60)
            finally:
                ctx.log("ended")
    """
    units.unit("one", "one", code)

    async def work() -> None:
        began = asyncio.Event()
        contexts = MemoryContexts(http=began)
        provider = units.provider(contexts)
        await provider.open()
        task = asyncio.ensure_future(provider.call(Invocation(tool="one")))
        await began.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert [event for event, _ in contexts.made[0].events] == ["began", "ended"]
        await provider.close()

    run(work())


def test_units_are_never_pinned_because_they_are_the_users_own(units: Units) -> None:
    units.unit("one", "one")

    async def work() -> None:
        store = Store.in_memory()
        for description in ("Does it.", "Does it otherwise."):
            units.unit("one", "one", description=description)
            async with Host.open(units.root, store=store) as host:
                assert [each.description for each in await host.tools()] == [description]
                assert isinstance(await host.call("one"), Answered)
                assert await host.changed() == ()

    run(work())


def test_a_folder_that_is_gone_keeps_no_other_away(units: Units, tmp_path: Path) -> None:
    units.unit("one", "one")
    (tmp_path / "prowess.toml").write_text('format = 1\n[units]\npaths = ["gone", "units"]\n')

    async def work() -> None:
        async with Host.open(tmp_path, store=Store.in_memory()) as host:
            assert isinstance(await host.call("one"), Answered)
            [offer] = host.offers
            assert "gone" in offer.notes[0]
        units.root.rename(tmp_path / "away")
        with pytest.raises(NotFound):
            async with Host.open(tmp_path, store=Store.in_memory()):
                raise AssertionError("there is nothing to open")

    run(work())


def test_two_hosts_of_one_folder_do_not_disturb_each_other(units: Units) -> None:
    code = """
    class A:
        async def execute(self, params):
            import client
            client.calls.append(1)
            return {"calls": len(client.calls)}
    """
    units.unit("one", "one", code)
    units.write("one/client.py", "calls = []\n")

    async def work() -> None:
        async with hosted(units) as host:
            assert (await host.call("one")).value == {"calls": 1}
            async with hosted(units) as other:
                assert (await other.call("one")).value == {"calls": 1}
            assert (await host.call("one")).value == {"calls": 2}

    run(work())
