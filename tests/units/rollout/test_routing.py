from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.choose.versions import admitted
from prowess.errors import NotFound, UsageError
from prowess.provider import Caller
from prowess.units.rollout import Rollout, key_of
from prowess.units.router import MOST_PLANS, Router
from prowess.units.routing import plan

VERSIONS = ("1.4.1", "1.4.2", "1.5.0", "2.0.0")
TEN = Rollout(stable="1.4.2", canary="2.0.0", percent=10)
ANYBODY = Caller()


def text(percent: float, *more: str) -> str:
    head = ["format = 1", "[units.query_weather]", 'stable = "1.4.2"', 'canary = "2.0.0"']
    return "\n".join([*head, f"percent = {percent}", *more, ""])


def sides(choose: Callable[[Caller], str], keys: int = 10_000) -> list[str]:
    return [choose(Caller(principal=f"user-{number}")) for number in range(keys)]


def by_router(router: Router, asked: str = "") -> Callable[[Caller], str]:
    return lambda caller: router("query_weather", VERSIONS, asked, caller)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "rollout.toml"


def settled_long_ago(file: Path, content: str) -> None:
    """Lay a file whose time of change is old enough to be trusted."""
    file.write_text(content)
    os.utime(file, (1_700_000_000, 1_700_000_000))


# -- who gets what


def test_ten_percent_of_ten_thousand_callers_get_the_canary() -> None:
    got = sides(plan("query_weather", VERSIONS, "", TEN).choose)
    assert set(got) == {"1.4.2", "2.0.0"}
    assert 900 <= got.count("2.0.0") <= 1_100


def test_whoever_has_the_canary_keeps_it_while_the_share_grows() -> None:
    before: set[int] = set()
    for percent in (1, 10, 10.5, 50, 99, 100):
        rollout = Rollout(stable="1.4.2", canary="2.0.0", percent=percent)
        got = sides(plan("query_weather", VERSIONS, "", rollout).choose, 2_000)
        now = {number for number, version in enumerate(got) if version == "2.0.0"}
        assert before <= now
        before = now
    assert len(before) == 2_000


def test_the_same_key_is_always_on_the_same_side() -> None:
    made = plan("query_weather", VERSIONS, "", TEN)
    for number in range(200):
        caller = Caller(principal=str(number))
        assert len({made.choose(caller) for _ in range(5)}) == 1


@pytest.mark.parametrize(
    ("kind", "caller", "key"),
    [
        ("user", Caller(principal="ann", conversation="c"), "ann"),
        ("session", Caller(principal="ann", conversation="c"), "c"),
        ("session", Caller(principal="ann"), "ann"),
        ("request", Caller(principal="ann", conversation="c"), ""),
        ("user", Caller(principal="ann", rollout_key="k"), "k"),
        ("session", Caller(principal="ann", conversation="c", rollout_key="k"), "k"),
        ("request", Caller(rollout_key="k"), "k"),
    ],
)
def test_what_a_side_is_drawn_by(kind: Any, caller: Caller, key: str) -> None:
    assert key_of(kind, caller) == key


def test_requests_without_a_key_are_on_a_side_by_chance() -> None:
    half = Rollout(stable="1.4.2", canary="2.0.0", percent=50, key="request")
    made = plan("query_weather", VERSIONS, "", half)
    assert {made.choose(ANYBODY) for _ in range(200)} == {"1.4.2", "2.0.0"}
    assert len({made.choose(Caller(rollout_key="request-7")) for _ in range(50)}) == 1


ALL = Rollout(stable="1.4.2", canary="2.0.0", percent=100)
NONE = Rollout(stable="1.4.2", canary="2.0.0", percent=0)
MINOR = Rollout(stable="1.4.2", canary="1.5.0", percent=100)


@pytest.mark.parametrize(
    ("rollout", "asked", "wanted"),
    [
        (None, "", "2.0.0"),
        (None, "1", "1.5.0"),
        (ALL, "", "2.0.0"),
        (ALL, "1", "1.4.2"),
        (ALL, "1.5", "1.5.0"),
        (ALL, "1.4.1", "1.4.1"),
        (ALL, "2", "2.0.0"),
        (NONE, "", "1.4.2"),
        (NONE, "2", "2.0.0"),
        (NONE, "2.0.0", "2.0.0"),
        (MINOR, "", "1.5.0"),
        (MINOR, "^1.4", "1.5.0"),
        (MINOR, "~1.4", "1.4.2"),
        (MINOR, "2", "2.0.0"),
    ],
)
def test_a_range_and_a_rollout_are_both_kept(rollout: Rollout | None, asked: str, wanted: str) -> None:
    assert plan("query_weather", VERSIONS, asked, rollout).choose(ANYBODY) == wanted


@given(
    st.lists(st.sampled_from(["1.4.2", "1.5.0", "1.5.0-rc.1", "2.0.0"]), min_size=1, unique=True),
    st.sampled_from(["", "1", "^1.4", "~1.5", "2", "2.0.0", "1.5.0-rc.1"]),
    st.sampled_from(["1.4.2", "9.9.9"]),
    st.sampled_from(["", "1.5.0", "1.5.0-rc.1", "2.0.0"]),
    st.floats(0, 100),
)
def test_nobody_gets_what_is_not_there_or_not_asked_for(
    versions: list[str], asked: str, stable: str, canary: str, percent: float
) -> None:
    rollout = Rollout(stable=stable, canary=canary, percent=percent if canary else 0)
    try:
        made = plan("u", versions, asked, rollout)
    except NotFound:
        assert not admitted(asked, versions)
        return
    for caller in (Caller(principal="a"), Caller(principal="b")):
        got = made.choose(caller)
        assert got in versions
        assert not asked or got in admitted(asked, versions)


def test_a_range_that_nothing_meets_names_what_there_is() -> None:
    with pytest.raises(NotFound) as raised:
        plan("query_weather", VERSIONS, "3", TEN)
    assert "1.4.2" in raised.value.hint
    with pytest.raises(UsageError):
        plan("query_weather", VERSIONS, ">=1", TEN)


# -- the file


def test_a_changed_file_counts_within_two_seconds(file: Path) -> None:
    settled_long_ago(file, text(0))
    router = Router(str(file))
    assert set(sides(by_router(router), 50)) == {"1.4.2"}
    file.write_text(text(100))
    waited = wait_for(lambda: set(sides(by_router(router), 50)) == {"2.0.0"})
    assert waited < 2


def wait_for(met: Callable[[], bool], seconds: float = 10.0) -> float:
    begun = time.monotonic()
    while not met():
        assert time.monotonic() - begun < seconds
    return time.monotonic() - begun


def later(router: Router) -> None:
    """As if the next look were due."""
    router._next = 0.0


PROCESS = """
import sys
from prowess.provider import Caller
from prowess.units.router import Router
router = Router(sys.argv[1])
versions = ("1.4.1", "1.4.2", "1.5.0", "2.0.0")
for line in sys.stdin:
    got = [router("query_weather", versions, "", Caller(principal=f"user-{n}")) for n in range(10_000)]
    print(",".join(str(n) for n, version in enumerate(got) if version == "2.0.0"), flush=True)
"""


def test_two_processes_agree_on_every_key_and_follow_the_file(file: Path) -> None:
    settled_long_ago(file, text(10))
    running = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS, str(file)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    try:
        first = {answer(each) for each in running}
        assert len(first) == 1 and 900 <= first.pop().count(",") + 1 <= 1_100
        file.write_text(text(20))
        written = time.monotonic()
        for each in running:
            wait_for(lambda each=each: 1_850 <= answer(each).count(",") + 1 <= 2_150)  # type: ignore[misc]
        assert time.monotonic() - written < 2
    finally:
        for each in running:
            each.kill()
            each.communicate()


def answer(process: subprocess.Popen[str]) -> str:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return process.stdout.readline().strip()


def test_without_a_file_everybody_gets_the_newest_until_there_is_one(file: Path) -> None:
    router = Router(str(file))
    assert by_router(router)(ANYBODY) == "2.0.0"
    file.write_text(text(0))
    later(router)
    assert by_router(router)(ANYBODY) == "1.4.2"


def test_a_wrong_file_at_the_start_is_an_error_with_its_line(file: Path) -> None:
    file.write_text(text(10, "percnt = 3"))
    with pytest.raises(UsageError) as raised:
        Router(str(file))
    assert f"{file}:6:" in raised.value.message


@pytest.mark.parametrize("content", ["", "format = 1\n[units", text(400), None])
def test_a_file_that_goes_wrong_or_away_changes_nothing_and_is_reported_once(
    file: Path, content: str | None
) -> None:
    heard: list[str] = []
    settled_long_ago(file, text(100))
    router = Router(str(file), report=lambda event, **_: heard.append(event))
    file.unlink() if content is None else file.write_text(content)
    for _ in range(3):
        later(router)
        assert by_router(router)(ANYBODY) == "2.0.0"
    assert heard == ["rollout-unreadable"]
    file.write_text(text(0))
    later(router)
    assert by_router(router)(ANYBODY) == "1.4.2"
    assert heard == ["rollout-unreadable", "rollout-changed"]


def test_two_writes_of_one_time_are_both_seen(file: Path) -> None:
    file.write_text(text(100))
    router = Router(str(file))
    before = file.stat()
    with file.open("r+") as opened:  # in place, of the same length, at the same time
        opened.write(text(100).replace('"2.0.0"', '"1.5.0"'))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    later(router)
    assert by_router(router)(ANYBODY) == "1.5.0"


def test_a_link_that_is_turned_is_seen(file: Path, tmp_path: Path) -> None:
    settled_long_ago(tmp_path / "one.toml", text(0))
    settled_long_ago(tmp_path / "two.toml", text(100))
    file.symlink_to("one.toml")
    router = Router(str(file))
    turned = tmp_path / "turned"
    turned.symlink_to("two.toml")
    turned.replace(file)
    later(router)
    assert by_router(router)(ANYBODY) == "2.0.0"


def test_a_version_that_is_not_there_is_reported_and_nobody_goes_without(file: Path) -> None:
    heard: list[tuple[str, Any]] = []
    file.write_text(text(100))
    router = Router(str(file), report=lambda event, **fields: heard.append((event, fields.get("version"))))
    assert router("query_weather", ("1.4.2",), "", ANYBODY) == "1.4.2"
    assert router("query_weather", ("1.0.0", "2.0.0"), "1", ANYBODY) == "1.0.0"
    assert heard == [("rollout-version-missing", "2.0.0"), ("rollout-version-missing", "1.4.2")]


def test_ranges_that_callers_make_up_do_not_fill_the_memory(file: Path) -> None:
    router = Router(str(file))
    for number in range(MOST_PLANS + 50):
        router("query_weather", VERSIONS, f"^1.0.{number}", ANYBODY)
    assert len(router._plans) <= MOST_PLANS


def test_a_route_takes_less_than_20_microseconds(file: Path) -> None:
    settled_long_ago(file, text(10))
    router = Router(str(file))
    callers = [Caller(principal=f"user-{number}") for number in range(1_000)]
    times = []
    for _ in range(5):
        begun = time.perf_counter()
        for caller in callers:
            router("query_weather", VERSIONS, "", caller)
        times.append((time.perf_counter() - begun) / len(callers))
    assert min(times) < 20e-6
