from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from prowess.store.database import Database, default_file
from prowess.store.records import Records
from prowess.store.remembered import CallRecord
from prowess.units.rollout import Rollout
from prowess.units.rollout_file import change, read_rollouts

VERSIONS = ("1.4.1", "1.4.2", "2.0.0")


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """A folder with one unit in three versions."""
    root = tmp_path / "units"
    for version in VERSIONS:
        folder = root / "query_weather" / version
        folder.mkdir(parents=True)
        said = {
            "name": "query_weather",
            "description": "Tells the weather of a city.",
            "triggers": ["weather"],
            "parameters": {"type": "object", "properties": {}},
            "version": version,
        }
        (folder / "schema.json").write_text(json.dumps(said))
        (folder / "skill.py").write_text("class Weather:\n    async def execute(self, params): return {}\n")
    return root


def now(units: Path) -> Rollout:
    return (read_rollouts(str(units / "rollout.toml")) or {})["query_weather"]


def halt(units: Path) -> None:
    fields: Any = {"halted": True, "reason": "it is slower"}
    asyncio.run(change(str(units / "rollout.toml"), "query_weather", lambda _: fields))


def failing(version: str, calls: int, bad: int) -> None:
    """Records of calls, the last of which failed."""

    async def keep() -> None:
        database = Database()
        for number in range(calls):
            one = CallRecord(
                id=f"{version}-{number}", tool="query_weather", server="units", version=version,
                outcome="tool-failed" if number >= calls - bad else "answered", code="", attempts=1,
                duration_ms=5.0, argument_bytes=2, result_bytes=2, principal="local", conversation="",
                skill="", trace_id="t", started=4_000_000_000.0,
            )  # fmt: skip
            await Records(database).commit(one)
        database.close()

    asyncio.run(keep())


def test_without_a_file_nothing_is_settled(prowess: Any, units: Path) -> None:
    ran = prowess("rollout", "status", units)
    assert (ran.status, ran.out) == (0, "")
    assert prowess("rollout", "status", units, "--json").json["units"] == []
    assert not Path(default_file()).exists(), "looking alone leaves nothing behind"


def test_a_rollout_from_its_beginning_to_its_end_and_back(prowess: Any, units: Path) -> None:
    ran = prowess("rollout", "set", units, "query_weather", "2.0.0", "10%", "--reason", "try it")
    assert (ran.status, ran.out) == (0, "query_weather: 1.4.2, and 2.0.0 to 10 % of users\n")
    assert (now(units).stable, now(units).canary, now(units).percent) == ("1.4.2", "2.0.0", 10)
    begun = now(units).since
    prowess("rollout", "set", units, "query_weather", "2.0.0", "50")
    assert (now(units).percent, now(units).since) == (50, begun), "what was seen still counts"
    ran = prowess("rollout", "promote", units, "query_weather")
    assert (ran.status, ran.out) == (0, "query_weather: 2.0.0 to everybody\n")
    assert (now(units).canary, now(units).previous) == ("", "1.4.2")
    ran = prowess("rollout", "rollback", units, "query_weather", "--reason", "it broke")
    assert (ran.status, ran.out) == (0, "query_weather: 1.4.2 to everybody, 2.0.0 to nobody\n")
    told = prowess("rollout", "status", units, "--json").json
    assert [each["action"] for each in told["history"]] == ["rollback", "promote", "set", "set"]
    assert [each["reason"] for each in told["history"]] == ["it broke", "", "", "try it"]
    assert (told["units"][0]["state"], told["units"][0]["reason"]) == ("stopped", "it broke")


def test_a_rollback_of_a_canary_stops_it_and_of_a_stopped_one_changes_nothing(
    prowess: Any, units: Path
) -> None:
    prowess("rollout", "set", units, "query_weather", "2.0.0", "10")
    assert prowess("rollout", "rollback", units, "query_weather").status == 0
    assert now(units).percent == 0
    ran = prowess("rollout", "rollback", units, "query_weather", "--json")
    assert (ran.status, ran.json["changed"]) == (0, False)


def test_what_is_halted_is_raised_and_promoted_only_anyway(prowess: Any, units: Path) -> None:
    prowess("rollout", "set", units, "query_weather", "2.0.0", "10")
    halt(units)
    ran = prowess("rollout", "status", units)
    assert ran.status == 1 and "halted" in ran.out and "it is slower" in ran.out
    for step in (("set", units, "query_weather", "2.0.0", "20"), ("promote", units, "query_weather")):
        ran = prowess("rollout", *step)
        assert ran.status == 1 and "--anyway" in ran.err
    assert now(units).percent == 10
    assert prowess("rollout", "set", units, "query_weather", "2.0.0", "5").status == 0
    assert (now(units).percent, now(units).halted) == (5, True), "less of it is no harm"
    assert prowess("rollout", "set", units, "query_weather", "2.0.0", "20", "--anyway").status == 0
    assert (now(units).percent, now(units).halted) == (20, False)


def test_status_shows_what_the_guard_rails_see(prowess: Any, units: Path) -> None:
    prowess("rollout", "set", units, "query_weather", "2.0.0", "10")
    failing("1.4.2", 40, 0)
    failing("2.0.0", 10, 4)
    ran = prowess("rollout", "status", units, "query_weather")
    assert ran.status == 0 and "failed   " in ran.out
    (unit,) = prowess("rollout", "status", units, "--json").json["units"]
    seen = unit["seen"]["errors"]
    assert (seen["stable"], seen["canary"]) == ({"calls": 40, "bad": 0}, {"calls": 10, "bad": 4})
    assert now(units).percent == 10, "looking stops nothing"


def test_the_file_itself_and_a_prowess_toml_mean_the_same(prowess: Any, units: Path) -> None:
    config = units.parent / "prowess.toml"
    config.write_text('format = 1\n[units]\npaths = ["units"]\n[records]\nsqlite = "kept/records.sqlite3"\n')
    assert prowess("rollout", "set", config, "query_weather", "2.0.0", "10").status == 0
    file = units.parent / "rollout.toml"
    assert file.exists() and (units.parent / "kept" / "records.sqlite3").exists()
    for path in (config, units.parent, file):
        told = prowess("rollout", "status", path, "--json").json
        assert (told["file"], len(told["history"])) == (str(file), 1)


def test_a_version_that_there_is_not_is_no_canary(prowess: Any, units: Path) -> None:
    ran = prowess("rollout", "set", units, "query_weather", "3.0.0", "10")
    assert ran.status == 2 and "2.0.0" in ran.err
    ran = prowess("rollout", "set", units, "query_weather", "2.0.0", "10", "--stable", "1.0.0")
    assert ran.status == 2
    ran = prowess(
        "rollout", "set", units, "query_weather", "2.0.0", "10", "--stable", "1.4.1", "--key", "session"
    )
    assert ran.status == 0
    assert (now(units).stable, now(units).key) == ("1.4.1", "session")


def test_versions_that_no_folder_tells_are_taken_on_trust(prowess: Any, units: Path) -> None:
    ran = prowess("rollout", "set", units, "another_unit", "2.0.0", "10")
    assert ran.status == 2 and "--stable" in ran.err
    ran = prowess("rollout", "set", units, "another_unit", "2.0.0", "10", "--stable", "1.0.0")
    assert ran.status == 0 and "not checked" in ran.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("set", "query_weather", "2.0.0"),
        ("set", "query_weather", "2.0.0", "ten"),
        ("set", "query_weather", "2.0.0", "101"),
        ("set", "query_weather", "2.0.0", "nan"),
        ("set", "query_weather", "2", "10"),
        ("promote",),
        ("promote", "query_weather"),
        ("promote", "query_weather", "2.0.0"),
        ("rollback", "query_weather"),
        ("status", "query_weather"),
        ("status", "query_weather", "2.0.0"),
        ("promote", "query_weather", "--stable", "1.4.2"),
        ("undo", "query_weather"),
    ],
)
def test_a_wrong_question_is_no_answer_and_changes_nothing(
    prowess: Any, units: Path, arguments: tuple[str, ...]
) -> None:
    action, *rest = arguments
    ran = prowess("rollout", action, units, *rest)
    assert (ran.status, ran.out) == (2, "") and ran.err
    assert not (units / "rollout.toml").exists()


def test_a_wrong_file_is_told_with_its_line(prowess: Any, units: Path) -> None:
    (units / "rollout.toml").write_text('format = 1\n[units.query_weather]\nstabel = "1.4.2"\n')
    ran = prowess("rollout", "status", units)
    assert ran.status == 2 and "rollout.toml:3:" in ran.err and "stable" in ran.err


def test_nothing_in_the_file_reaches_the_terminal_raw(prowess: Any, units: Path) -> None:
    (units / "rollout.toml").write_text(
        'format = 1\n[units."a\\u001b[31m"]\nstable = "1.4.2"\nreason = "b\\u001b[2J\\u202e"\n'
    )
    ran = prowess("rollout", "status", units)
    assert ran.status == 0 and not set(ran.out) & {"\x1b", "\u202e"}
    assert "\x1b" not in prowess("rollout", "status", units, "--json").out


def test_a_reason_is_kept_without_what_could_break_the_file(prowess: Any, units: Path) -> None:
    prowess("rollout", "set", units, "query_weather", "2.0.0", "10", "--reason", 'a "b"\n\x1b[31m\x7f # c')
    assert now(units).reason.startswith('a "b"') and now(units).reason.isprintable()


def test_there_must_be_something_to_promote_and_to_go_back_to(prowess: Any, units: Path) -> None:
    prowess("rollout", "set", units, "query_weather", "2.0.0", "100")
    assert "promote it" in prowess("rollout", "set", units, "query_weather", "2.0.0", "100").err
    prowess("rollout", "promote", units, "query_weather")
    assert prowess("rollout", "promote", units, "query_weather").status == 2
    prowess("rollout", "rollback", units, "query_weather")
    assert prowess("rollout", "rollback", units, "query_weather").status == 0, "nobody has it any more"
    asyncio.run(
        change(str(units / "rollout.toml"), "query_weather", lambda _: {"canary": None, "percent": None})
    )
    assert prowess("rollout", "rollback", units, "query_weather").status == 2


def test_a_change_that_no_record_can_be_kept_of_is_made_and_said(prowess: Any, units: Path) -> None:
    Path(default_file()).parent.mkdir(parents=True, exist_ok=True)
    Path(default_file()).write_bytes(b"no database" * 100)
    ran = prowess("rollout", "set", units, "query_weather", "2.0.0", "10")
    assert ran.status == 0 and "no record" in ran.err
    assert now(units).percent == 10
