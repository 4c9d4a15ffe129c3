"""The client's side of the wire: pages, entries, bytes, and answers that are none."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.call.told import run
from tests.skills_mcp.server_of_skills import ServerOfSkills

from prowess.errors import RequestFailed
from prowess.link.skills import asking, get_skill, list_skills, read_bytes, settings_of

pytestmark = pytest.mark.anyio

URI = "skill://pdf/SKILL.md"


def answering(*answers: Any) -> Any:
    """Asks that are answered in this order; an exception is raised."""
    waiting = list(answers)

    async def ask(method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        answer = waiting.pop(0)
        if isinstance(answer, Exception):
            raise answer
        found: Mapping[str, Any] = answer
        return found

    return ask


def page(*skills: Any, **more: Any) -> dict[str, Any]:
    return {"resultType": "complete", "skills": list(skills), "ttlMs": 10, "cacheScope": "public", **more}


def entry(path: str = "pdf") -> dict[str, Any]:
    server = ServerOfSkills("a")
    return server.entries[server.skill(path)]


async def test_pages_are_put_together_and_each_uri_counts_once() -> None:
    found = await list_skills(
        answering(
            page(entry("a"), nextCursor=""), page(entry("b"), entry("a"), ttlMs=5, cacheScope="private")
        )
    )
    assert [each.name for each in found.entries] == ["a", "b"]
    assert (found.ttl_ms, found.scope) == (5, "private")
    assert len(found.notes) == 1


@pytest.mark.parametrize(
    "second",
    [
        page(nextCursor="x"),
        page(nextCursor=7),
        {"resultType": "input_required"},
        {"skills": "none"},
        RequestFailed("no", number=-32603),
    ],
)
async def test_a_page_that_leads_nowhere_ends_the_list_with_a_note(second: Any) -> None:
    found = await list_skills(answering(page(entry("a"), nextCursor="x"), second))
    assert [each.name for each in found.entries] == ["a"]
    assert len(found.notes) == 1


async def test_a_list_that_cannot_be_had_at_all_is_an_error() -> None:
    with pytest.raises(RequestFailed):
        await list_skills(answering(RequestFailed("no", number=-32601)))


@pytest.mark.parametrize("ttl", [-5, None, "10", True])
async def test_a_time_that_is_none_counts_as_none(ttl: Any) -> None:
    assert (await list_skills(answering(page(ttlMs=ttl)))).ttl_ms == 0


async def test_an_entry_is_got_by_its_uri() -> None:
    assert (await get_skill(answering({"skill": entry()}), URI)).uri == URI


@pytest.mark.parametrize("answer", [{}, {"skill": None}, {"skill": {"uri": URI}}, {"skill": entry("other")}])
async def test_an_answer_without_that_entry_is_an_error(answer: Any) -> None:
    with pytest.raises(RequestFailed):
        await get_skill(answering(answer), URI)


@pytest.mark.parametrize(
    "content",
    [
        {"uri": URI, "text": "ü"},
        {"uri": URI, "blob": base64.b64encode("ü".encode()).decode()},
    ],
)
async def test_text_and_blobs_are_bytes(content: Any) -> None:
    other = {"uri": "skill://pdf/other.md", "text": "other"}
    assert await read_bytes(answering({"contents": [other, content]}), URI) == "ü".encode()


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"contents": []},
        {"contents": "text"},
        {"contents": [{"uri": "skill://pdf/other.md", "text": "x"}]},
        {"contents": [{"uri": URI, "text": "x"}, {"uri": URI, "text": "y"}]},
        {"contents": [{"uri": URI}]},
        {"contents": [{"uri": URI, "text": "x", "blob": "eA=="}]},
        {"contents": [{"uri": URI, "text": "\ud800"}]},
        {"contents": [{"uri": URI, "blob": "no base64!"}]},
        {"contents": [{"uri": URI, "blob": 7}]},
        {"resultType": "input_required", "contents": [{"uri": URI, "text": "x"}]},
    ],
)
async def test_an_answer_without_that_content_is_an_error(answer: Any) -> None:
    with pytest.raises(RequestFailed):
        await read_bytes(answering(answer), URI)


async def test_what_a_server_says_of_an_error_is_fit_to_print() -> None:
    server = ServerOfSkills("a")
    server.failing["skills/list"] = RequestFailed("\x1b[31m" + "x" * 9_000, number=-32050)
    with pytest.raises(RequestFailed) as failed:
        await list_skills(asking(server))
    assert failed.value.number == -32050
    assert failed.value.message.isprintable() and len(failed.value.message) < 1_000


def test_the_extension_is_declared_by_an_object_only() -> None:
    server = ServerOfSkills("a")
    assert settings_of(server.offer()) == {"directoryRead": True}
    server.settings = True  # type: ignore[assignment]
    assert settings_of(server.offer()) is None


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["skills", "skill", "contents", "nextCursor", "ttlMs"]), JSON))
def test_any_answer_is_a_list_or_an_error(answer: dict[str, Any]) -> None:
    run(list_skills(answering(answer, page(), page())))
    for work in (get_skill(answering(answer), URI), read_bytes(answering(answer), URI)):
        with pytest.raises(RequestFailed):
            run(work)
