"""`Host.search` and what it is made of: what a caller may see, ranked, packed, and told why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.serve.offering import Offering

from prowess import Caller, Host, Policy
from prowess.call.policy import Rule
from prowess.capability.offer import Tool
from prowess.choose.estimate import tokens
from prowess.choose.searching import Searchable, skill_findable, tool_findable
from prowess.errors import UsageError
from prowess.spec.model import Skill

TOOLS: list[dict[str, Any]] = [
    {"name": "query_invoices", "description": "List unpaid invoices of a customer."},
    {"name": "book_flight", "description": "Book a flight for a person on a date."},
    {
        "name": "ping",
        "description": "Says pong.",
        "_meta": {"dev.prowess/core": True, "dev.prowess/triggers": []},
    },
]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    (tmp_path / "plugin.json").write_text(
        '{"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "books",'
        ' "version": "1.0.0", "description": "Unpaid invoices, flights and everything else."}'
    )
    skill = tmp_path / "skills" / "close-month"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text(
        "---\nname: close-month\ndescription: Close the month. Use when it ends.\n---\nTell the auditor.\n"
    )
    return tmp_path


@pytest.mark.anyio
async def test_the_core_is_shown_and_then_what_answers_best(package: Path) -> None:
    async with Host.open(package, providers=[Offering(tools=TOOLS)]) as host:
        found = await host.search("which invoices are unpaid?")
    assert found.cleared
    assert found.ids == ("ping", "query_invoices")
    assert [each.findable.kind for each in found] == ["unit", "tool"]
    assert len(found) == 2
    core, best = found.shown
    assert core.ranked is None and best.ranked is not None
    assert set(best.ranked.matched["description"]) == {"invoices", "unpaid"}
    assert '"input_schema"' in found.text


@pytest.mark.anyio
async def test_a_skill_is_found_by_its_body_which_nobody_asked_for_before(package: Path) -> None:
    async with Host.open(package, providers=[Offering(tools=TOOLS)]) as host:
        found = await host.search("auditor", core=())
        assert found.ids == ("close-month",)
        assert host.judgement.accepted.skills[0].body is None
    assert "Tell the auditor" not in found.text, "a body helps to find and is shown on activation"


@pytest.mark.anyio
async def test_a_skill_whose_body_is_gone_is_found_by_the_rest(package: Path) -> None:
    async with Host.open(package, providers=[Offering(tools=TOOLS)]) as host:
        (package / "skills" / "close-month" / "SKILL.md").unlink()
        assert (await host.search("close the month", core=())).ids == ("close-month",)


@pytest.mark.anyio
async def test_what_a_caller_may_not_see_is_not_found_by_that_caller(package: Path) -> None:
    policy = Policy(rules=(Rule(tool="query_*", caller="guest", action="deny"),))
    async with Host.open(package, providers=[Offering(tools=TOOLS)], policy=policy) as host:
        guest = await host.search("unpaid invoices", caller=Caller(principal="guest"), core=())
        clerk = await host.search("unpaid invoices", caller=Caller(principal="clerk"), core=())
    assert "query_invoices" not in [*guest.ids, *guest.ranking.names]
    assert clerk.ids == ("query_invoices",)


@pytest.mark.anyio
async def test_the_index_is_kept_while_nothing_changes(package: Path) -> None:
    provider = Offering(tools=TOOLS)
    async with Host.open(package, providers=[provider]) as host:
        first = await host.searchable()
        assert await host.searchable() is first
        provider._offer = Offering(tools=TOOLS[:1]).offer()
        assert await host.searchable() is not first


@pytest.mark.anyio
async def test_what_is_left_out_has_its_score_and_its_reason(package: Path) -> None:
    many = [{"name": f"invoices_{at}", "description": f"Unpaid invoices, part {at}."} for at in range(30)]
    async with Host.open(package, providers=[Offering(tools=many)]) as host:
        found = await host.search("unpaid invoices", budget=120, limit=10)
    assert 0 < found.tokens <= 120
    assert found.ranking.found == 30
    assert len(found.shown) + len(found.left_out) == 10
    said = found.to_dict()
    assert said["left_out"][0]["reason"] == "budget"
    assert said["left_out"][0]["score"] > 0
    assert said["runner_up"]["first"] == said["shown"][0]["id"]
    assert said["shown"][0]["terms"]


@pytest.mark.anyio
async def test_nothing_that_answers_is_said_with_the_names_there_are(package: Path) -> None:
    async with Host.open(package, providers=[Offering(tools=TOOLS)]) as host:
        found = await host.search("qqq zzz", core=())
    assert not found.cleared and found.ids == ()
    assert found.to_dict()["names"] == ["book_flight", "close-month", "ping", "query_invoices"]
    assert found.to_dict()["unknown"] == ["qqq", "zzz"]


@pytest.mark.anyio
@pytest.mark.parametrize("wrong", [{"budget": -1}, {"limit": 0}, {"core": ["pong"]}])
async def test_a_wrong_question_is_an_error(package: Path, wrong: dict[str, Any]) -> None:
    async with Host.open(package, providers=[Offering(tools=TOOLS)]) as host:
        with pytest.raises(UsageError):
            await host.search("invoices", **wrong)


@pytest.mark.anyio
async def test_tokens_are_counted_by_whoever_is_given(package: Path) -> None:
    async with Host.open(package, providers=[Offering(tools=TOOLS)]) as host:
        found = await host.search("unpaid invoices", budget=10, estimate=lambda text: 7, core=())
    assert (found.tokens, found.ids) == (7, ("query_invoices",))


def test_the_manifest_is_never_ranked() -> None:
    tool = tool_findable(Tool(server="s", wire={"name": "a", "description": "Counts."}), "a")
    assert not Searchable([tool]).search("unpaid invoices flights").cleared


@given(
    st.lists(st.text("abc xyz.", min_size=1, max_size=60), max_size=12),
    st.text("abcxyz ", min_size=1, max_size=30),
    st.integers(0, 300),
)
def test_a_budget_is_kept_and_nobody_is_lost(texts: list[str], query: str, budget: int) -> None:
    skills = [
        skill_findable(Skill(name=f"skill-{at}", description=text, path=f"{at}/SKILL.md"), f"skill-{at}")
        for at, text in enumerate(texts)
    ]
    found = Searchable(skills).search(query, budget=budget)
    assert found.tokens <= budget
    assert found.tokens == sum(tokens(each.findable.definition) for each in found)
    ranked = set(found.ranking.ids)
    assert {each.findable.id for each in (*found.shown, *found.left_out)} == ranked
