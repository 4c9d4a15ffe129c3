"""The pytest plugin, used by tests of tests."""

from __future__ import annotations

import re
from importlib.metadata import entry_points
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
GUIDE = ROOT / "docs" / "guides" / "test-a-unit.md"

pytest_plugins = ["pytester"]

WEATHER = """
from typing import Annotated
from pydantic import Field
from prowess import unit

@unit(timeout=2000, permissions={"hosts": ["api.example.com"], "secrets": ["KEY"]})
async def query_weather(city: str, ctx) -> str:
    "Says what the weather is in a city now."
    ctx.log("asked", city=city)
    answer = await ctx.http.get("https://api.example.com/v1", params={"q": city, "key": ctx.secret("KEY")})
    answer.raise_for_status()
    return answer.json()["sky"]

@unit
async def reach_elsewhere(ctx) -> str:
    "Asks what it may not ask."
    await ctx.http.get("https://other.example.com/")
    return "it went"
"""

TESTS = """
import asyncio
import pytest
import prowess

def test_an_answer(unit_client, unit_http):
    unit_http.answer("https://api.example.com/v1", json={"sky": "grey"})
    outcome = unit_client.call("query_weather", city="Oslo")
    assert outcome == prowess.Answered(value={"result": "grey"}, wire=outcome.wire)
    assert unit_http.requests[0].url == "https://api.example.com/v1?q=Oslo&key=made-up-KEY"
    assert ("asked", {"city": "Oslo"}) in unit_client.logged

def test_answers_in_turn(unit_client, unit_http):
    unit_client.secrets["KEY"] = "k1"
    for sky in ("grey", "clear"):
        unit_http.answer("https://api.example.com/v1?q=Oslo&key=k1", json={"sky": sky})
    skies = [unit_client.call("query_weather", {"city": "Oslo"}).value["result"] for _ in range(3)]
    assert skies == ["grey", "clear", "clear"]

def test_wrong_arguments_never_reach_it(unit_client, unit_http):
    outcome = unit_client.call("query_weather", town="Oslo")
    assert outcome.code == "invalid-arguments"
    assert unit_http.requests == []

def test_an_undeclared_host_is_refused(unit_client, unit_http):
    outcome = unit_client.call("reach_elsewhere")
    assert isinstance(outcome, prowess.ToolFailed)
    assert unit_http.requests == []
    assert [event for event, _ in unit_client.logged] == ["unit-refused"]

def test_a_request_nobody_prepared_fails(unit_client, unit_http):
    assert isinstance(unit_client.call("query_weather", city="Oslo"), prowess.ToolFailed)
    assert len(unit_http.unanswered) == 1

@pytest.mark.timeout(5)
def test_a_timeout_takes_no_time(unit_client, unit_http, unit_clock):
    before = unit_clock.monotonic()
    unit_http.fail("timeout")
    outcome = unit_client.call("query_weather", city="Oslo")
    assert isinstance(outcome, (prowess.TimedOut, prowess.ToolFailed))
    assert unit_clock.monotonic() - before == pytest.approx(2, abs=0.1)

def test_a_late_answer_is_an_answer(unit_client, unit_http, unit_clock):
    unit_http.answer("https://api.example.com/v1", json={"sky": "grey"}, delay=1.9)
    assert unit_client.call("query_weather", city="Oslo").value == {"result": "grey"}

def test_a_coroutine_has_a_host(unit_client, unit_http):
    unit_http.answer("https://api.example.com/v1", json={"sky": "grey"})
    async def work():
        async with unit_client.host() as host:
            return await host.call("query_weather", {"city": "Oslo"})
    assert asyncio.run(work()).value == {"result": "grey"}

def test_units_at_another_place(unit_client, tmp_path):
    lines = ["from prowess import unit", "@unit", "async def say_hello() -> str:",
             "  'Hello.'", "  return 'hello'"]
    (tmp_path / "more.py").write_text("\\n".join(lines))
    assert unit_client.of(tmp_path / "more.py").call("say_hello").value == {"result": "hello"}

def test_a_name_that_is_not_there(unit_client):
    with pytest.raises(prowess.NotFound):
        unit_client.call("no_such_unit")
"""


def installed() -> bool:
    return any(each.value == "prowess.pytest_plugin" for each in entry_points(group="pytest11"))


def test_units_are_called_from_tests(pytester: pytest.Pytester) -> None:
    folder = pytester.mkdir("abilities")
    (folder / "weather.py").write_text(WEATHER)
    pytester.makeini("[pytest]\nprowess_units = abilities/weather.py\n")
    pytester.makepyfile(TESTS)
    plugin = [] if installed() else ["-p", "prowess.pytest_plugin"]
    ran = pytester.runpytest_subprocess(*plugin, "-q", "-W", "error", timeout=50)
    ran.assert_outcomes(passed=10)


def test_the_tests_in_the_guide_pass(pytester: pytest.Pytester) -> None:
    (shown,) = re.findall(r"^```py\n(.*?)^```$", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    pytester.makeini(f"[pytest]\nprowess_units = {ROOT / 'examples' / 'units'}\n")
    pytester.makepyfile(shown)
    plugin = [] if installed() else ["-p", "prowess.pytest_plugin"]
    pytester.runpytest_subprocess(*plugin, "-q", "-W", "error", timeout=50).assert_outcomes(passed=2)


def test_the_plugin_imports_nothing_heavy(pytester: pytest.Pytester) -> None:
    program = (
        "import sys, prowess.pytest_plugin; "
        "print([each for each in ('asyncio', 'httpx2', 'pydantic', 'mcp') if each in sys.modules])"
    )
    before = pytester.runpython_c("import sys, pytest; print([e for e in ('asyncio',) if e in sys.modules])")
    after = pytester.runpython_c(program)
    assert after.outlines == before.outlines
