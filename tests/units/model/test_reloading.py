"""Units change while they are served: a reload is a difference, and nobody sees half of one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.units.model.conftest import Units, run

from prowess import Answered, Host
from prowess.capability.change import Change
from prowess.host.storing import Store
from prowess.units.memory_context import MemoryContexts
from prowess.units.provider import UnitProvider
from prowess.units.registry import Registry

GIVING = "class A:\n    async def execute(self, params): return {{'value': {value!r}}}\n"


def words(changes: Sequence[Change]) -> list[tuple[str, str, str]]:
    return [(each.what, each.key, each.field + each.pointer) for each in changes]


def test_a_reload_tells_what_came_went_and_changed(units: Units) -> None:
    units.unit("one", "one")
    units.unit("two", "two")
    registry = Registry([str(units.root)])
    assert words(registry.refresh()) == [("added", "one@1.0.0", ""), ("added", "two@1.0.0", "")]
    assert registry.refresh() == ()
    properties = {"town": {"type": "string"}}
    parameters = {"type": "object", "properties": properties, "required": ["town"]}
    units.unit("one", "one", parameters=parameters, timeout=100)
    (units.root / "two" / "schema.json").unlink()
    (units.root / "two" / "skill.py").unlink()
    units.unit("three", "three")
    changes = registry.refresh()
    assert ("removed", "two@1.0.0", "") in words(changes)
    assert ("added", "three@1.0.0", "") in words(changes)
    assert ("changed", "one@1.0.0", "timeout") in words(changes)
    assert "breaking" in {each.effect for each in changes if each.field == "inputSchema"}
    assert all(each.kind == "unit" and each.to_text() for each in changes)


def test_a_unit_that_broke_is_removed_and_the_others_stay(units: Units) -> None:
    units.unit("one", "one")
    units.unit("two", "two")
    registry = Registry([str(units.root)])
    registry.refresh()
    units.write("one/schema.json", "{")
    assert words(registry.refresh()) == [("removed", "one@1.0.0", "")]
    assert [each.rule for each in registry.diagnostics] == ["unit-malformed"]


def test_tools_that_did_not_change_stay_the_same_objects(units: Units) -> None:
    units.unit("one", "one")
    units.unit("two", "two")
    registry = Registry([str(units.root)])
    registry.refresh()
    before = registry.tools
    registry.refresh()
    assert registry.tools is before
    units.unit("two", "two", timeout=1)
    registry.refresh()
    assert registry.tools[0] is before[0]
    assert registry.tools[1] is not before[1]


def test_code_that_changed_twice_in_one_moment_runs_as_it_is_now(units: Units) -> None:
    registry = Registry([str(units.root)])
    for value in (1, 2, 3):
        units.unit("one", "one", GIVING.format(value=value))
        changes = registry.refresh()
        assert words(changes) == (
            [("added", "one@1.0.0", "")] if value == 1 else [("changed", "one@1.0.0", "code")]
        )
        runner = registry.load(registry.unit("one", "1.0.0"))
        assert run(runner.run({}, None)) == {"value": value}  # type: ignore[arg-type]  # it asks for no context
    registry.close()


def test_a_neighbour_that_changed_changes_the_unit(units: Units) -> None:
    units.unit("one", "one", "import client\n" + GIVING.format(value="").replace("''", "client.SKY"))
    units.write("one/client.py", "SKY = 1")
    registry = Registry([str(units.root)])
    registry.refresh()
    registry.load(registry.unit("one", "1.0.0"))
    units.write("one/client.py", "SKY = 2")
    assert words(registry.refresh()) == [("changed", "one@1.0.0", "code")]
    runner = registry.load(registry.unit("one", "1.0.0"))
    assert run(runner.run({}, None)) == {"value": 2}  # type: ignore[arg-type]
    registry.close()


class Heard:
    """What a watcher told, and a way to wait for it."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self._event = asyncio.Event()

    def __call__(self, changes: Sequence[Change]) -> None:
        self.changes += changes
        self._event.set()

    async def until(self, write: Any) -> None:
        """Write until it is heard: a watcher needs a moment until it sees anything."""
        self._event.clear()
        for number in range(100):
            write(number)
            try:
                await asyncio.wait_for(self._event.wait(), 0.2)
            except TimeoutError:
                continue
            return
        raise AssertionError("nothing was heard")


def test_a_watched_folder_is_reloaded_while_it_is_served(units: Units) -> None:
    units.unit("one", "one")

    async def work() -> None:
        heard = Heard()
        provider = UnitProvider([str(units.root)], MemoryContexts(), on_change=heard)
        offer = await provider.open()
        assert [each.name for each in offer.tools] == ["one"]
        await heard.until(lambda number: units.unit("two", "two", timeout=1_000 + number))
        assert heard.changes[0].to_text().startswith("+ unit two@1.0.0")
        assert [each.name for each in provider.offer().tools] == ["one", "two"]
        await provider.close()

    run(work())


@pytest.mark.field("units.paths", "units.watch")
def test_a_host_of_a_configuration_watches_its_units_and_logs_what_changed(
    units: Units, tmp_path: Path
) -> None:
    units.unit("one", "one", GIVING.format(value=0))
    (tmp_path / "prowess.toml").write_text('format = 1\n[units]\npaths = ["units"]\nwatch = true\n')

    async def work() -> None:
        heard = asyncio.Event()

        def sink(line: Mapping[str, Any]) -> None:
            if line["event"] == "units-changed":
                heard.set()

        async with Host.open(tmp_path, store=Store.in_memory(), sink=sink) as host:
            assert (await host.call("one")) == Answered(
                value={"value": 0}, wire={"structuredContent": {"value": 0}}
            )
            for number in range(1, 100):
                units.unit("one", "one", GIVING.format(value=number))
                try:
                    await asyncio.wait_for(heard.wait(), 0.2)
                    break
                except TimeoutError:
                    continue
            match await host.call("one"):
                case Answered(value={"value": value}):
                    assert value > 0
                case other:
                    raise AssertionError(other)

    run(work())
