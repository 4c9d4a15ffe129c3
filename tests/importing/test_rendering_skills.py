"""What a server says becomes a skill that loads, whatever it says; data is told from knowledge."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.author.importing import Knowledge, Wanted, gather, read_again
from prowess.author.importing_provenance import Provenance, provenance_of
from prowess.author.importing_rendering import Said, content_digest, render
from prowess.author.importing_volatile import changes, marks
from prowess.capability.offer import Offer, Prompt, Resource, ResourceTemplate, Tool
from prowess.errors import ConnectionFailed, RequestFailed, UsageError

FROM = Provenance(source="https://desk.example/mcp", server="desk", date="2026-11-30")
Words = st.text(max_size=120)


def offer(**more: Any) -> Offer:
    return Offer(id="desk", type="memory", status="connected", **more)


def resource(uri: str, **wire: Any) -> Resource:
    return Resource(server="desk", wire={"uri": uri, "name": uri, **wire})


async def answers(method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
    if params.get("uri") == "x://gone":
        raise RequestFailed("Resource not found", number=-32602)
    if params.get("uri") == "x://picture":
        return {"contents": [{"uri": "x://picture", "blob": "AAAA"}]}
    if method == "prompts/get":
        return {"messages": [{"role": "user", "content": {"type": "text", "text": f"Do it for {params}"}}]}
    return {"contents": [{"uri": params["uri"], "text": "A rule.\n", "mimeType": "text/markdown"}]}


def gathered(offered: Offer, wanted: Wanted | None = None) -> Knowledge:
    return asyncio.run(gather(offered, answers, wanted or Wanted()))


@given(Words, Words, Words, st.lists(st.tuples(Words, Words), max_size=3))
def test_whatever_a_server_says_the_skill_loads(
    title: str, instructions: str, description: str, tools: list[tuple[str, str]]
) -> None:
    offered = offer(
        resources=(resource("x://a", name=title, description=description),),
        tools=tuple(Tool(server="desk", wire={"name": n, "description": d}) for n, d in tools),
        instructions=instructions,
        server_info={"name": title},
    )
    draft = render(gathered(offered), Said(name="desk-rules"), FROM)
    assert draft.skill.name == "desk-rules"
    assert 0 < len(draft.skill.description) <= 1024
    known = provenance_of(draft.skill.metadata)
    assert known is not None
    assert known.parts == draft.provenance.parts
    assert known.digest == content_digest(draft.files)


@given(st.lists(st.text(min_size=1, max_size=30), min_size=1, max_size=6))
def test_every_text_has_a_file_of_its_own_inside_the_skill(names: list[str]) -> None:
    resources = tuple(resource(f"x://{at}", name=name) for at, name in enumerate(names))
    draft = render(gathered(offer(resources=resources)), Said(name="desk-rules"), FROM)
    files = [each for each in draft.files if each != "SKILL.md"]
    assert len(files) == len(names)
    assert all(each.startswith("references/") and ".." not in each and each.count("/") == 1 for each in files)


def test_the_digest_does_not_depend_on_the_day_and_does_on_everything_else() -> None:
    known = gathered(offer(resources=(resource("x://a"),)))
    one = render(known, Said(name="a"), FROM)
    later = render(known, Said(name="a"), Provenance(source=FROM.source, server="desk", date="2027-01-01"))
    assert one.digest == later.digest
    other = render(
        known, Said(name="a"), Provenance(source="https://b.example", server="desk", date=FROM.date)
    )
    assert other.digest != one.digest


def test_what_is_no_text_is_left_out_and_said() -> None:
    known = gathered(offer(resources=(resource("x://picture"), resource("x://a"))))
    assert [each.uri for each in known.parts] == ["x://a"]
    assert "x://picture" in known.notes[0]


def test_what_is_too_much_is_left_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prowess.author.importing.LARGEST", 4)
    known = gathered(offer(resources=(resource("x://a"),)))
    assert (known.parts, known.left[0].uri) == ((), "x://a")


def test_a_prompt_without_its_values_is_left_out_and_said() -> None:
    prompt = Prompt(
        server="desk", wire={"name": "decide", "arguments": [{"name": "order", "required": True}]}
    )
    assert "--value order" in gathered(offer(prompts=(prompt,), tools=(TOOL,))).notes[0]
    known = gathered(offer(prompts=(prompt,)), Wanted(values={"order": "a b"}))
    assert known.parts[0].uri == "prompt:decide?order=a%20b"


TOOL = Tool(server="desk", wire={"name": "find", "description": "Find something."})


def test_a_template_without_its_values_is_left_where_it_is() -> None:
    template = ResourceTemplate(server="desk", wire={"uriTemplate": "x://{kind}/{id}", "name": "t"})
    known = gathered(offer(templates=(template,)))
    assert known.left[0].why == "it depends on kind, id"
    known = gathered(offer(templates=(template,)), Wanted(values={"kind": "a", "id": "1"}))
    assert known.parts[0].uri == "x://a/1"


def test_a_server_with_nothing_or_none_that_is_up_is_no_source() -> None:
    with pytest.raises(UsageError):
        gathered(offer())
    with pytest.raises(ConnectionFailed):
        gathered(Offer(id="desk", type="stdio", status="failed", reason="it ended"))


def test_what_is_gone_has_no_digest() -> None:
    assert asyncio.run(read_again(answers, "x://gone")) is None
    assert asyncio.run(read_again(answers, "x://picture")) is None
    assert asyncio.run(read_again(answers, "x://a")) == asyncio.run(read_again(answers, "x://b"))


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("price", "It costs $12.50."),
        ("price", "Preis: 12,50 €"),
        ("price", "价格 30 元"),
        ("date", "Due on 2026-11-30"),
        ("date", "Updated March 3, 2026"),
        ("id", "Order INV-20431"),
        ("id", "id 3f2504e0-4f89-11d3-9a0c-0305e82c3301"),
        ("count", "There are 1,204 users"),
        ("count", "12 orders are open"),
        ("state", "as of this morning"),
    ],
)
def test_a_place_that_changes_is_told_by_its_kind(what: str, text: str) -> None:
    assert what in {each.what for each in marks(text)}


def test_a_text_of_rules_stays_and_a_table_of_figures_does_not() -> None:
    rules = "# Refunds\n\nA refund is given within 30 days.\nAsk a lead above a limit.\nSince 2024-01-01.\n"
    assert changes(rules, "text/markdown") == ""
    assert "price" in changes("Chair $120.00\nTable $340.00\nLamp $45.50\n", "text/plain")
    assert changes("{}", "application/json") != ""
    assert changes("a,b\n", "text/csv; charset=utf-8") != ""


@given(st.text(max_size=400))
def test_any_text_can_be_looked_at_for_data(text: str) -> None:
    assert all(each.line >= 1 for each in marks(text))


@given(st.dictionaries(st.sampled_from(["imported-format", "imported-from", "imported-parts"]), st.text()))
def test_a_provenance_that_is_none_of_ours_is_none(metadata: dict[str, str]) -> None:
    known = provenance_of(metadata)
    assert known is None or metadata["imported-format"] == "1"
