"""What a server offers, when parts of that are wrong: each costs itself, and is noted."""

from __future__ import annotations

import pytest
from tests.link.probing import Bench, use

from prowess.link import survey
from prowess.provider import Answered

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("behaviour", "tools", "note"),
    [
        ("tools-fail", 0, "tools/list failed: no list today"),
        ("tools-unreadable", 0, "not a JSON-RPC message"),
        ("tools-no-list", 0, "no list of tools"),
        ("tools-unfinished", 0, "no list of tools"),
        ("page-fails", 2, "failed after 2 entries"),
        ("page-unreadable", 2, "failed after 2 entries"),
        ("cursor-no-text", 1, "leads nowhere new"),
        ("not-a-number", 1, "holds NaN"),
    ],
)
async def test_a_list_that_is_wrong_costs_what_is_wrong_of_it(
    bench: Bench, behaviour: str, tools: int, note: str
) -> None:
    offer = await bench.link(behaviour, "only-tools").open()
    assert (offer.status, len(offer.tools)) == ("connected", tools)
    assert note in offer.notes[0]


async def test_a_list_that_fails_leaves_the_other_lists_alone(bench: Bench) -> None:
    offer = await bench.link("tools-fail").open()
    assert offer.prompts and offer.resources and offer.templates and len(offer.notes) == 1


@pytest.mark.parametrize(
    ("limit", "value", "note"),
    [("PAGES_MAX", 3, "more than 3 pages"), ("ITEMS_MAX", 3, "more than 3 entries")],
)
async def test_a_list_without_end_is_cut_off(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, limit: str, value: int, note: str
) -> None:
    monkeypatch.setattr(survey, limit, value)
    offer = await bench.link("endless", "only-tools").open()
    assert (offer.status, len(offer.tools)) == ("connected", 3)
    assert note in offer.notes[0]


@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_a_schema_that_is_none_costs_its_tool_and_says_why(bench: Bench, era: str) -> None:
    offer = await bench.link("bad-schemas", "only-tools", era).open()
    kept = {"echo", "header"} if era == "legacy" else {"echo"}  # x-mcp-header is younger than that
    assert {tool.name for tool in offer.tools} == kept
    assert len([note for note in offer.notes if note.startswith("tools: left out")]) == 6 - len(kept)


async def test_a_server_that_asks_while_it_lists_is_answered(bench: Bench) -> None:
    link = bench.link("asks-while-listing", "only-tools", "legacy")
    assert (await link.open()).status == "connected"
    assert bench.logged("answered") == ["answered ping", "answered no such thing"]
    assert isinstance(await use(link), Answered)


async def test_names_that_deceive_are_kept_as_sent_and_shown_as_escapes(bench: Bench) -> None:
    offer = await bench.link("deceptive", "only-tools").open()
    assert sorted(tool.name for tool in offer.tools) == ["a\x1b[31m", "long" + "g" * 100_000]
    assert "\x1b" not in "".join(offer.notes) and max(map(len, offer.notes)) < 400
