"""The agent in plain Python, end to end, in each dialect.

The catalogue goes in, the model calls with a wrong argument, reads the error, calls rightly and answers.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from examples.agent.plain_agent import CONVERSATIONS, PACKAGE, ask
from examples.agent.provider import Provider

import prowess
from prowess.cli import main
from prowess.store.database import Database
from prowess.store.reports import Filter, Story, calls, story

QUESTION = "Which invoices of week 31 are there? My key is sk-ant-api03-abcdefghijklmnopqrstuvwx."
SECRET = "abcdefghijkl"
DIALECTS = sorted(CONVERSATIONS)
SYSTEM = {"anthropic": "system", "gemini": "systemInstruction", "openai": "messages"}


@dataclass(frozen=True)
class Asked:
    """What came of one question: the answer, what the provider was sent, what is on record."""

    answer: str
    requests: list[dict[str, Any]]
    story: Story


async def latest_story() -> Story:
    database = Database()
    latest = await database.run(lambda connection: calls(connection, Filter(), 1))
    found = await database.run(lambda connection: story(connection, latest[0].trace_id))
    database.close()
    return found


@pytest.fixture(scope="module")
def state(environment: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where this module's records are kept."""
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="module")
def asked(provider: Provider, state: Path) -> Mapping[str, Asked]:
    """The question asked in each dialect, all through one Host."""

    async def one(host: prowess.Host, dialect: str) -> Asked:
        before = len(provider.requests)
        answer = await ask(host, dialect, provider.url, QUESTION)
        return Asked(answer, provider.requests[before:], await latest_story())

    async def work() -> dict[str, Asked]:
        async with prowess.Host.open(PACKAGE, only=["invoice-tools"]) as host:
            return {dialect: await one(host, dialect) for dialect in DIALECTS}

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(state))
        patch.setenv("XDG_DATA_HOME", str(state))
        return asyncio.run(work())


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_model_is_told_of_skills_and_tools(asked: Mapping[str, Asked], dialect: str) -> None:
    first = asked[dialect].requests[0]
    assert "- write-weekly-summary: " in json.dumps(first[SYSTEM[dialect]])
    assert "query_invoices" in json.dumps(first["tools"])
    assert json.dumps("^[0-9]{4}-W[0-9]{2}$") in json.dumps(first["tools"])


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_error_says_which_argument_what_is_expected_and_what_came(
    asked: Mapping[str, Asked], dialect: str
) -> None:
    request = asked[dialect].requests[1]
    last = request["contents" if dialect == "gemini" else "messages"][-1]
    told = json.dumps(last).replace("\\", "")
    assert '"refused": "invalid-arguments"' in told
    for each in ('"path": "/week"', '"rule": "pattern"', "^[0-9]{4}-W[0-9]{2}$", "2026-W31", "2026-31"):
        assert each in told


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_model_corrects_itself_and_answers(asked: Mapping[str, Asked], dialect: str) -> None:
    assert asked[dialect].answer == "Week 2026-W31: 4 invoices; open 3475.40, overdue 1200.00, paid 399.00."
    assert len(asked[dialect].requests) == 3


@pytest.mark.parametrize("dialect", DIALECTS)
def test_choice_and_both_calls_are_one_story(asked: Mapping[str, Asked], dialect: str) -> None:
    found = asked[dialect].story
    (decision,) = found.decisions
    assert [(each.outcome, each.code, each.attempts) for each in found.calls] == [
        ("refused", "invalid-arguments", 0),
        ("answered", "", 1),
    ]
    assert decision.calls == tuple(each.id for each in found.calls)
    assert (decision.shown, decision.chosen) == (("query_invoices",), "query_invoices")
    assert "Which invoices of week 31" in decision.utterance
    assert SECRET not in decision.utterance


def test_the_story_is_printed_by_the_command_line(
    asked: Mapping[str, Asked],
    state: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    monkeypatch.setenv("XDG_DATA_HOME", str(state))
    decision = asked["openai"].story.decisions[0]
    assert main(["calls", "--story", decision.id]) == 0
    printed = capsys.readouterr().out
    assert "Which invoices of week 31" in printed
    assert "refused (invalid-arguments)" in printed
    assert SECRET not in printed
