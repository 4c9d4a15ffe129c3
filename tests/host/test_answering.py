"""A server asks back while it works on a call: the Host's own answers, in both eras, with real servers."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.acceptance.packages import plugin

from prowess import Answered, Host, ToolFailed
from prowess.host.answering import ROUNDS_MAX, with_defaults

pytestmark = pytest.mark.anyio

CURIOUS = Path(__file__).parent / "servers" / "curious.py"
FORM = {
    "method": "elicitation/create",
    "params": {
        "message": "Which room?",
        "requestedSchema": {
            "type": "object",
            "properties": {
                "room": {"type": "string"},
                "beds": {"type": "integer", "default": 2},
                "view": {"type": "boolean", "default": False},
            },
        },
    },
}
SAMPLE = {"method": "sampling/createMessage", "params": {"messages": [], "maxTokens": 5}}


@pytest.fixture(params=["modern", "legacy"])
def era(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@asynccontextmanager
async def host_of(folder: Path, era: str, **answers: Any) -> AsyncIterator[Host]:
    entry = {"type": "stdio", "command": Path(sys.executable).name, "args": ["-S", str(CURIOUS), era]}
    async with Host.open(plugin(folder / "shop", {"rooms": entry}), timeout=10, **answers) as host:
        yield host


async def asked(host: Host, question: Any, times: int = 1) -> Any:
    """What the server got for its question, and what was declared to it."""
    outcome = await host.call("ask", {"question": question, "times": times}, timeout=10)
    assert isinstance(outcome, Answered), outcome
    return outcome.value


def the_answer(value: Mapping[str, Any], era: str) -> Any:
    return value["got"]["q"] if era == "modern" else value["got"][-1]["result"]


async def test_what_a_person_fills_in_reaches_the_server_with_the_forms_defaults(
    era: str, tmp_path: Path
) -> None:
    seen: list[tuple[str, Any]] = []

    async def elicit(server: str, params: Mapping[str, Any]) -> dict[str, Any]:
        seen.append((server, params))
        return {"room": "blue", "view": True}

    async with host_of(tmp_path, era, elicit=elicit) as host:
        value = await asked(host, FORM)
        filled = {"room": "blue", "beds": 2, "view": True}
        assert the_answer(value, era) == {"action": "accept", "content": filled}
        assert value["declared"] == {"elicitation": {"form": {}}}
        assert seen == [("rooms", FORM["params"])]
        await asked(host, FORM, times=3)
        assert len(seen) == 4


async def test_a_person_may_refuse(era: str, tmp_path: Path) -> None:
    async def elicit(server: str, params: Mapping[str, Any]) -> None:
        return None

    async with host_of(tmp_path, era, elicit=elicit) as host:
        assert the_answer(await asked(host, FORM), era) == {"action": "decline"}


async def test_a_model_is_asked_where_one_is_given(era: str, tmp_path: Path) -> None:
    said = {"role": "assistant", "content": {"type": "text", "text": "hm"}, "model": "m"}

    async def sample(server: str, params: Mapping[str, Any]) -> dict[str, Any]:
        assert (server, params) == ("rooms", SAMPLE["params"])
        return said

    async with host_of(tmp_path, era, sample=sample) as host:
        value = await asked(host, SAMPLE)
        assert the_answer(value, era) == said and value["declared"] == {"sampling": {}}


async def unasked(server: str, params: Mapping[str, Any]) -> dict[str, Any]:
    raise AssertionError("nobody is to be asked")


@pytest.mark.parametrize(
    "question",
    [SAMPLE, {"method": "elicitation/create", "params": {"mode": "url", "url": "https://a.example"}}],
)
async def test_what_was_not_declared_is_not_answered(era: str, tmp_path: Path, question: Any) -> None:
    async with host_of(tmp_path, era, elicit=unasked) as host:
        outcome = await host.call("ask", {"question": question, "times": 1}, timeout=10)
        if era == "modern":
            assert isinstance(outcome, ToolFailed) and outcome.wire["resultType"] == "input_required"
        else:
            assert isinstance(outcome, Answered) and "error" in outcome.value["got"][0]


@pytest.mark.parametrize("question", [5, {"params": {}}, {"method": 5}])
async def test_a_question_in_no_known_form_is_the_tools_failure(tmp_path: Path, question: Any) -> None:
    async with host_of(tmp_path, "modern", elicit=unasked) as host:
        outcome = await host.call("ask", {"question": question, "times": 1}, timeout=10)
        assert isinstance(outcome, ToolFailed)


async def test_a_server_that_only_wants_to_be_called_again_is_called_again(tmp_path: Path) -> None:
    async with host_of(tmp_path, "modern", elicit=unasked) as host:
        assert (await asked(host, None, times=ROUNDS_MAX))["got"] is None
        outcome = await host.call("ask", {"times": ROUNDS_MAX + 1}, timeout=10)
        assert isinstance(outcome, ToolFailed)


async def test_without_answers_nothing_is_declared_and_the_model_reads_why(tmp_path: Path) -> None:
    async with host_of(tmp_path, "modern") as host:
        assert (await asked(host, FORM, times=0))["declared"] == {}
        outcome = await host.call("ask", {"question": FORM, "times": 1}, timeout=10)
        assert isinstance(outcome, ToolFailed)


@given(st.dictionaries(st.sampled_from("abc"), st.integers()), st.sampled_from("abcd"))
def test_a_default_fills_only_what_is_left_out(content: dict[str, int], name: str) -> None:
    schema = {"properties": {name: {"default": "d"}, "e": {}, "f": 1}}
    expected = {**content, name: content.get(name, "d")}
    assert with_defaults(schema, content) == expected
    assert with_defaults(None, content) == with_defaults({"properties": 5}, content) == content
