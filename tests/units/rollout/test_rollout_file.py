from __future__ import annotations

import asyncio
import os
import stat
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.errors import Unreadable, UsageError
from prowess.units.rollout import Guard, Rollout, moment_of
from prowess.units.rollout_file import change, read_rollouts, rollout_file
from prowess.units.rollout_text import edited, read_text, written

WHOLE = """\
format = 1  # of this file

# The weather went to the new service; Ann watches it.
[units.query_weather]
stable = "1.4.2"
canary = "2.0.0"   # the new service
percent = 10       # since Monday
key = "session"
halted = false
previous = '1.4.1'
since = 2026-11-30T09:00:00Z
reason = "first \\"try\\" # not a comment"

[units.query_weather.guard]
errors = "halt"
latency = "off"
min_calls = 20
false_alarm = 0.05
tolerance = 1
slow_factor = 3
slow_ms = 800.5

[units."an odd name"]
stable = "1.0.0"
"""


def test_every_field_is_read() -> None:
    found = read_text(WHOLE, "rollout.toml")
    assert found == {
        "query_weather": Rollout(
            stable="1.4.2",
            canary="2.0.0",
            percent=10,
            key="session",
            previous="1.4.1",
            since=1796029200.0,
            reason='first "try" # not a comment',
            guard=Guard(
                errors="halt",
                latency="off",
                min_calls=20,
                false_alarm=0.05,
                tolerance=1,
                slow_factor=3,
                slow_ms=800.5,
            ),
        ),
        "an odd name": Rollout(stable="1.0.0"),
    }


UNIT = '[units.a]\nstable = "1.0.0"\n'


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("", ""),
        ("format = 2\n", ":1"),
        ("format = true\n", ":1"),
        ('format = "1"\n', ":1"),
        ("format = 1\nrollouts = 3\n", ":2"),
        ("format = 1\nunits = 3\n", ":2"),
        ("format = 1\n[units]\na = 3\n", ":3"),
        (f"format = 1\n{UNIT}percnt = 10\n", ":4"),
        (f"format = 1\n{UNIT}percent = 10\n", ":4"),
        (f'format = 1\n{UNIT}canary = "2.0.0"\npercent = 101\n', ":5"),
        (f'format = 1\n{UNIT}canary = "2.0.0"\npercent = nan\n', ":5"),
        (f'format = 1\n{UNIT}canary = "2.0.0"\npercent = true\n', ":5"),
        (f'format = 1\n{UNIT}canary = "2.0.0"\npercent = "10"\n', ":5"),
        (f"format = 1\n{UNIT}halted = true\n", ":4"),
        (f'format = 1\n{UNIT}canary = "1.0.0"\n', ":4"),
        (f'format = 1\n{UNIT}canary = "1.0.0+build"\n', ":4"),
        (f'format = 1\n{UNIT}canary = "2"\n', ":4"),
        (f"format = 1\n{UNIT}canary = 2.0\n", ":4"),
        (f'format = 1\n{UNIT}key = "tenant"\n', ":4"),
        (f'format = 1\n{UNIT}halted = "no"\n', ":4"),
        (f"format = 1\n{UNIT}since = 2026-11-30T09:00:00\n", ":4"),
        (f"format = 1\n{UNIT}reason = 3\n", ":4"),
        (f"format = 1\n{UNIT}guard = 3\n", ":4"),
        (f'format = 1\n{UNIT}[units.a.guard]\nerrors = "stop"\n', ":5"),
        (f"format = 1\n{UNIT}[units.a.guard]\nmin_calls = 0\n", ":5"),
        (f"format = 1\n{UNIT}[units.a.guard]\nmin_cals = 3\n", ":5"),
        (f"format = 1\n{UNIT}[units.a.guard]\nfalse_alarm = 0\n", ":5"),
        ('format = 1\n[units.a]\ncanary = "1.0.0"\n', ":2"),
        ("format = 1\n[units\n", ""),
    ],
)
def test_what_is_wrong_is_said_with_its_line(content: str, line: str) -> None:
    with pytest.raises(UsageError) as raised:
        read_text(content, "rollout.toml")
    assert raised.value.message.startswith(f"rollout.toml{line}")
    assert raised.value.message.isprintable()


def test_a_word_that_is_nearly_right_is_suggested() -> None:
    with pytest.raises(UsageError) as raised:
        read_text(f"format = 1\n{UNIT}percnt = 10\n", "rollout.toml")
    assert "percent" in raised.value.hint


# -- changing the text


def test_a_change_leaves_every_other_line_alone() -> None:
    new = edited(WHOLE, "query_weather", {"percent": 25, "reason": "looks good", "halted": None})
    wanted = WHOLE.replace("percent = 10       #", "percent = 25       #")
    wanted = wanted.replace("halted = false\n", "")
    wanted = wanted.replace('reason = "first \\"try\\" # not a comment"', 'reason = "looks good"')
    assert new == wanted


def test_a_new_field_goes_to_its_table_and_a_new_unit_to_the_end() -> None:
    new = edited(WHOLE, "an odd name", {"canary": "1.1.0", "percent": 5})
    assert new == WHOLE + 'canary = "1.1.0"\npercent = 5\n'
    new = edited("format = 1\n", "send mail", {"stable": "1.0.0", "since": 0.0})
    assert new == 'format = 1\n\n[units."send mail"]\nstable = "1.0.0"\nsince = 1970-01-01T00:00:00Z\n'


@pytest.mark.parametrize(
    "content",
    [
        'format = 1\nunits = { a = { stable = "1.0.0" } }\n',
        'format = 1\nunits.a.stable = "1.0.0"\n',
        'format = 1\n[units]\na.stable = "1.0.0"\na.reason = """two\nlines"""\n',
        'format = 1\n[units]\na = { stable = "1.0.0", guard = { min_calls = 9 } }\nb.stable = "1.0.0"\n',
        "",
    ],
)
def test_what_cannot_be_changed_by_lines_is_written_anew(content: str) -> None:
    before = read_text(content, "f") if content else {}
    new = edited(content, "a", {"stable": "1.0.0", "canary": "2.0.0", "percent": 0.5, "reason": None})
    after = read_text(new, "f")
    assert (after["a"].canary, after["a"].percent, after["a"].reason) == ("2.0.0", 0.5, "")
    assert {name: each for name, each in after.items() if name != "a"} == {
        name: each for name, each in before.items() if name != "a"
    }
    assert "a" not in before or after["a"].guard == before["a"].guard


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
fields = st.fixed_dictionaries(
    {"stable": st.sampled_from(["1.0.0", "1.2.3"]), "canary": st.sampled_from(["2.0.0", "2.0.0-rc.1"])},
    optional={
        "percent": st.floats(0, 100) | st.integers(0, 100),
        "reason": words | st.none(),
        "since": st.floats(0, 4_000_000_000).map(lambda value: round(value, 3)),
        "halted": st.booleans() | st.none(),
    },
)
comments = st.sampled_from(["", "# a note\n", "\n", "   # [units.x]\n"])


@given(st.lists(st.tuples(words, fields, comments), min_size=1, max_size=6))
def test_what_was_written_is_what_is_read(steps: list[tuple[str, dict[str, Any], str]]) -> None:
    text = ""
    wanted: dict[str, dict[str, Any]] = {}
    for unit, changes, comment in steps:
        text = edited(text, unit, changes) + comment
        now = {**wanted.get(unit, {}), **changes}
        wanted[unit] = {key: value for key, value in now.items() if value is not None}
    found = read_text(text, "f")
    assert set(found) == set(wanted)
    for unit, said in wanted.items():
        for key, value in said.items():
            read = getattr(found[unit], key)
            assert read == pytest.approx(value, abs=1e-5) if key == "since" else read == value


def test_a_whole_file_written_anew_says_the_same() -> None:
    document = tomllib.loads(WHOLE)
    assert tomllib.loads(written(document)) == document
    assert moment_of(0).isoformat() == "1970-01-01T00:00:00+00:00"


# -- changing the file


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rollout.toml"
    path.write_text(WHOLE)
    return path


def changed(file: Path, **fields: Any) -> tuple[Rollout | None, Rollout | None]:
    return asyncio.run(change(str(file), "query_weather", lambda _: fields))


def test_the_file_keeps_its_mode_and_leaves_nothing_behind(file: Path) -> None:
    file.chmod(0o640)
    before, after = changed(file, percent=20)
    assert before is not None and after is not None
    assert (before.percent, after.percent) == (10, 20)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert sorted(os.listdir(file.parent)) == [".rollout.toml.lock", "rollout.toml"]


def test_a_link_stays_a_link(file: Path) -> None:
    link = file.with_name("linked.toml")
    link.symlink_to(file.name)
    changed(link, percent=20)
    assert link.is_symlink()
    assert (read_rollouts(str(file)) or {})["query_weather"].percent == 20


def test_a_file_is_made_where_there_is_none(tmp_path: Path) -> None:
    file = tmp_path / "rollout.toml"
    assert read_rollouts(str(file)) is None
    changed(file, stable="1.0.0")
    assert read_rollouts(str(file)) == {"query_weather": Rollout(stable="1.0.0")}


def test_a_change_that_is_not_wanted_any_more_touches_nothing(file: Path) -> None:
    before = file.stat()
    asyncio.run(change(str(file), "query_weather", lambda _: None))
    assert file.stat().st_mtime_ns == before.st_mtime_ns and file.stat().st_ino == before.st_ino


@pytest.mark.parametrize(
    "fields",
    [{"canary": "1.4.2"}, {"percent": 400}, {"canary": None}],
    ids=["the stable version", "too much", "a share of none"],
)
def test_a_change_to_something_wrong_is_not_written(file: Path, fields: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        changed(file, **fields)
    assert file.read_text() == WHOLE


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    file = tmp_path / "rollout.toml"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(Unreadable):
        read_rollouts(str(file))
    file.write_bytes(b"#" * 1_000_001)
    with pytest.raises(Unreadable):
        read_rollouts(str(file))
    file.unlink()
    file.mkdir()
    with pytest.raises(Unreadable):
        read_rollouts(str(file))


WRITER = """
import asyncio, sys
from prowess.units.rollout_file import change
def step(now):
    return {"percent": now.percent + 1}
for _ in range(20):
    asyncio.run(change(sys.argv[1], "query_weather", step))
"""


def test_processes_that_change_it_at_once_lose_no_change(file: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(file)]
    writers = [subprocess.Popen(command) for _ in range(2)]
    while any(each.poll() is None for each in writers):
        assert (read_rollouts(str(file)) or {})["query_weather"].stable == "1.4.2", "never half a file"
    assert [each.wait(30) for each in writers] == [0, 0]
    assert (read_rollouts(str(file)) or {})["query_weather"].percent == 50


def test_which_file_belongs_to_a_path(tmp_path: Path) -> None:
    wanted = str(tmp_path / "rollout.toml")
    (tmp_path / "prowess.toml").touch()
    for each in (tmp_path, tmp_path / "prowess.toml", tmp_path / "tools.py", tmp_path / "rollout.toml"):
        assert rollout_file(str(each)) == wanted
