"""Agents, providers and cassettes that mean no good: nothing hangs, nothing counts that was no answer."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.evaluate_trigger.test_scoring_trials import ROW, TWO
from tests.evaluate_trigger.trigger_provider import Provider

from prowess.errors import UsageError
from prowess.evaluate.selectors import Chosen, Failed, Identity, Meter, Selection
from prowess.evaluate.selectors_cassette import Cassette, read_cassette
from prowess.evaluate.selectors_command import Command
from prowess.evaluate.selectors_http import Endpoint, Key
from prowess.evaluate.selectors_replay import Replay

Write = Callable[..., Path]
COFFEE: dict[str, Any] = {"utterance": "an espresso, quick", "expect": ["brew-coffee"]}
HEAD = '{"prowess-cassette": 1}\n'

# -- commands


def asked(program: str, seconds: float) -> Selection:
    selector = Command(
        (sys.executable, "-c", program), Meter(most_calls=9, most_tokens=10_000), seconds=seconds
    )

    async def ask() -> Selection:
        await selector.begin(TWO, ["hello"])
        async with asyncio.timeout(20):
            return await selector.select("hello", 0)

    return asyncio.run(ask())


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_command_that_never_stops_writing_is_ended_in_time(stream: str) -> None:
    found = asked(f"import sys\nwhile True: sys.{stream}.write('x' * 65536)", 0.5)
    assert isinstance(found, Failed)
    assert found.code == "timeout"


def test_what_a_command_leaves_behind_does_not_hold_its_answer_back() -> None:
    left = "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(30)'], start_new_session=True)"
    found = asked(f"import subprocess, sys\nprint('a', flush=True)\n{left}", 15)
    assert found == Chosen(ids=("a",))


# -- providers


@pytest.mark.parametrize(
    ("said", "seconds", "kept"), [("not json", 30.0, 100), ("status 401", 30.0, 0), ("a", 0.0, 100)]
)
def test_what_may_have_cost_something_counts(
    provider: Provider, said: str, seconds: float, kept: int
) -> None:
    meter = Meter(most_calls=9, most_tokens=1_000)
    provider.on("hello", said)
    body = {
        "messages": [{"role": "user", "content": "hello"}],
        "tools": [{"input_schema": {"properties": {"name": {"enum": ["a"]}}}}],
    }

    async def ask() -> Any:
        endpoint = Endpoint(provider.url, Key(), {}, meter, seconds=seconds)
        try:
            return await endpoint.ask("/v1/messages", body, 100)
        finally:
            await endpoint.close()

    assert isinstance(asyncio.run(ask()), Failed)
    assert meter.tokens == kept


# -- cassettes


@pytest.mark.parametrize(
    "changed",
    [{"run": -1}, {"run": True}, {"run": 10**12}, {"tokens": -1}, {"tokens": float("inf")}, {"tokens": 1.5}],
)
def test_a_number_that_cannot_have_been_recorded_is_told_with_its_line(changed: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=r"c\.jsonl:2"):
        read_cassette(HEAD + json.dumps({**ROW, **changed}), "c.jsonl")


def test_a_recorded_name_that_nobody_has_is_no_choice() -> None:
    recorded = Identity(name="s", kind="choice", model="m", template="t")
    cassette = Cassette()
    cassette.put(recorded, TWO.digest, "here", 0, Chosen(ids=("c",)))
    cassette.put(recorded, "another", "then", 0, Chosen(ids=("c",)))
    replay = Replay(cassette)

    async def play() -> tuple[Selection, Selection]:
        await replay.begin(TWO, ["here", "then"])
        return await replay.select("here", 0), await replay.select("then", 0)

    here, then = asyncio.run(play())
    assert isinstance(here, Failed)
    assert here.code == "unknown-name"
    assert then == Chosen(ids=("c",), stale=True)


# -- what was paid for


@pytest.mark.parametrize("option", ["--record", "--matrix", "--write-baseline"])
def test_a_place_that_cannot_be_written_is_told_before_anything_is_asked(
    trigger: Any, skills: Path, cases: Write, provider: Provider, tmp_path: Path, option: str
) -> None:
    place = ("--selector", "openai-compatible", "--model", "m", "--url", provider.url)
    ran = trigger(skills, "--cases", cases(COFFEE), *place, option, tmp_path / "no" / "where")
    assert ran.status == 2
    assert not provider.requests


def test_a_baseline_of_another_selector_is_told_before_anything_is_asked(
    trigger: Any, skills: Path, cases: Write, provider: Provider, tmp_path: Path
) -> None:
    trigger(skills, "--cases", cases(COFFEE), "--write-baseline", tmp_path / "b.json")
    place = ("--selector", "openai-compatible", "--model", "m", "--url", provider.url)
    ran = trigger(skills, "--cases", cases(COFFEE), *place, "--baseline", tmp_path / "b.json")
    assert ran.status == 2
    assert not provider.requests


def test_a_report_is_printed_though_it_makes_no_baseline(
    trigger: Any, skills: Path, cases: Write, provider: Provider, tmp_path: Path
) -> None:
    provider.on(COFFEE["utterance"], "status 401")
    place = ("--selector", "openai-compatible", "--model", "m", "--url", provider.url, "--json")
    ran = trigger(skills, "--cases", cases(COFFEE), *place, "--write-baseline", tmp_path / "b.json")
    assert ran.status == 2
    assert ran.json["verdict"] == "error"
    assert not (tmp_path / "b.json").exists()


def test_a_repeat_that_no_cassette_could_hold_is_refused(trigger: Any, skills: Path, cases: Write) -> None:
    place = ("--selector", "command", "--command", "/bin/echo", "--repeats", "1001")
    assert trigger(skills, "--cases", cases(COFFEE), *place).status == 2
