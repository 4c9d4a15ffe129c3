"""A Host of real units under a rollout: real calls, real records, a canary that fails."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from prowess.errors import UsageError
from prowess.host.host import Host
from prowess.host.storing import Store
from prowess.provider import Answered, Caller, ToolFailed
from prowess.store.database import Database, default_file
from prowess.store.reports import Filter, calls
from prowess.units.rollout_file import change, read_rollouts

SECONDS = 40
CODE = {
    "1.4.2": "class Weather:\n    async def execute(self, params):\n        return {'version': '1.4.2'}\n",
    "2.0.0": """\
class Weather:
    seen = 0
    async def execute(self, params):
        Weather.seen += 1
        if Weather.seen % 5 == 0 and params["mode"] == "bad":
            raise ValueError("the new service is down")
        return {"version": "2.0.0"}
""",
}
PARAMETERS: dict[str, Any] = {
    "1.4.2": {"type": "object", "properties": {"mode": {"type": "string"}}},
    "2.0.0": {"type": "object", "properties": {"mode": {"type": "string"}}, "required": ["mode"]},
}


@pytest.fixture
def units(tmp_path: Path) -> Path:
    root = tmp_path / "units"
    for version, code in CODE.items():
        folder = root / "query_weather" / version
        folder.mkdir(parents=True)
        said = {
            "name": "query_weather",
            "description": "Tells the weather of a city.",
            "triggers": ["weather"],
            "parameters": PARAMETERS[version],
            "version": version,
        }
        (folder / "schema.json").write_text(json.dumps(said))
        (folder / "skill.py").write_text(code)
    return root


def roll(units: Path, percent: float) -> None:
    text = 'format = 1\n[units.query_weather]\nstable = "1.4.2"\ncanary = "2.0.0"\n'
    (units / "rollout.toml").write_text(f"{text}percent = {percent}\n")


def percent_of(units: Path) -> float:
    return (read_rollouts(str(units / "rollout.toml")) or {})["query_weather"].percent


async def version_for(host: Host, principal: str, tool: str = "query_weather", mode: str = "good") -> str:
    outcome = await host.call(tool, {"mode": mode}, caller=Caller(principal=principal))
    assert isinstance(outcome, Answered), outcome
    return str(outcome.value["version"])


def run(work: Any) -> Any:
    return asyncio.run(asyncio.wait_for(work, SECONDS))


def test_callers_are_on_their_side_and_records_say_which_version_ran(units: Path) -> None:
    roll(units, 30)

    async def work() -> list[str]:
        async with Host.open(units) as host:
            got = [await version_for(host, f"user-{number}") for number in range(60)]
            again = [await version_for(host, f"user-{number}") for number in range(60)]
            assert got == again
            assert {await version_for(host, f"u-{n}", "query_weather@1") for n in range(30)} == {"1.4.2"}
            assert await version_for(host, "user-0", "query_weather@2.0.0") == "2.0.0"
            return got

    got = run(work())
    assert set(got) == {"1.4.2", "2.0.0"}
    database = Database(default_file())
    kept = database.now(lambda connection: calls(connection, Filter(tool="query_weather"), 1_000))
    database.close()
    sides = {each.principal: each.version for each in kept if each.principal.startswith("user-")}
    sides["user-0"] = got[0]
    assert [sides[f"user-{number}"] for number in range(60)] == got


def test_each_version_is_judged_by_its_own_schema(units: Path) -> None:
    roll(units, 100)

    async def work() -> None:
        async with Host.open(units) as host:
            refused = await host.call("query_weather", {})
            assert getattr(refused, "code", "") == "invalid-arguments"
            assert isinstance(await host.call("query_weather@1", {}), Answered)

    run(work())


def test_a_bad_canary_is_rolled_back_while_the_host_serves(units: Path) -> None:
    roll(units, 50)
    heard: list[str] = []

    async def work() -> int:
        failed = 0
        async with Host.open(units, sink=lambda event: heard.append(str(event["event"]))) as host:
            for number in range(600):
                caller = Caller(principal=f"user-{number}")
                outcome = await host.call("query_weather", {"mode": "bad"}, caller=caller)
                failed += isinstance(outcome, ToolFailed)
                if "rollout-rolled-back" in heard:
                    break
            else:
                pytest.fail("never rolled back")
            assert {await version_for(host, f"user-{number}") for number in range(40)} == {"1.4.2"}
        return failed

    assert run(work()) < 40, "a fifth of fewer than 200 calls"
    assert percent_of(units) == 0


def test_what_is_shown_follows_a_promotion_without_a_restart(units: Path) -> None:
    roll(units, 0)

    async def work() -> None:
        async with Host.open(units) as host:
            assert await shown(host) == "1.4.2"
            fields: Any = {"stable": "2.0.0", "canary": None, "percent": None}
            await change(str(units / "rollout.toml"), "query_weather", lambda _: fields)
            async with asyncio.timeout(2):
                while await shown(host) != "2.0.0":
                    await version_for(host, "somebody")

    async def shown(host: Host) -> str:
        (tool,) = await host.tools()
        return str(tool.wire["_meta"]["dev.prowess/version"])

    run(work())


def test_a_wrong_file_is_told_before_anything_is_served(units: Path) -> None:
    (units / "rollout.toml").write_text("format = 1\n[units.query_weather]\nstabel = 3\n")

    async def work() -> None:
        async with Host.open(units):
            pytest.fail("it opened")

    with pytest.raises(UsageError) as raised:
        run(work())
    assert "rollout.toml:3:" in raised.value.message


def test_where_records_cannot_be_read_again_it_is_said_that_nobody_guards(units: Path) -> None:
    roll(units, 10)
    heard: list[str] = []

    async def work() -> None:
        sink = lambda event: heard.append(str(event["event"]))  # noqa: E731
        async with Host.open(units, store=Store.in_memory(), sink=sink) as host:
            await version_for(host, "somebody")

    run(work())
    assert "rollout-unguarded" in heard
