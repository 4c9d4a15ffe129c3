"""Prompts: what a file becomes, what is put in, and what is said to whoever asks wrongly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.content.conftest import ANALYZE, Asked

WIRE = {
    "name": "analyze-report",
    "title": "Analyse",
    "description": "Analyses a report.",
    "arguments": [
        {"name": "report_id", "description": "The report's number.", "required": True},
        {"name": "language", "required": False},
    ],
}


def prompt(body: str, *, fields: str = "description: A prompt.\n") -> Asked:
    return Asked({"prompts/ask.md": f"---\n{fields}---\n{body}"})


def test_a_file_becomes_the_protocols_own_prompt() -> None:
    asked = Asked({"prompts/a.md": ANALYZE})
    assert [each.wire for each in asked.offer.prompts] == [WIRE]
    assert asked.offer.notes == ()


def test_a_prompt_without_a_name_is_called_what_its_file_is() -> None:
    assert [each.wire for each in prompt("Do it.").offer.prompts] == [
        {"name": "ask", "description": "A prompt."}
    ]


def test_arguments_stand_where_their_placeholders_do() -> None:
    asked = Asked({"prompts/a.md": ANALYZE})
    result = asked.ask("prompts/get", name="analyze-report", arguments={"report_id": "7", "language": "中文"})
    assert result == {
        "description": "Analyses a report.",
        "messages": [{"role": "user", "content": {"type": "text", "text": "Analyse 7 in 中文."}}],
    }


def test_an_argument_that_is_left_out_becomes_nothing() -> None:
    assert Asked({"prompts/a.md": ANALYZE}).get("analyze-report", report_id="7") == [
        ("user", "Analyse 7 in .")
    ]


def test_other_braces_stay_and_doubled_ones_are_written_out() -> None:
    fields = "arguments: [{name: id}, {name: id_2}]\n"
    asked = prompt('{id} {id_2} {{id}} {other} {"id": 1} {id ${id}', fields=fields)
    assert asked.get("ask", id="A", id_2="B") == [("user", 'A B {id} {other} {"id": 1} {id $A')]


@given(
    st.text(st.characters(codec="utf-8"), max_size=30),
    st.sampled_from(["{y}", "{x}", "{{x}}", "\\1"]),
)
def test_a_value_is_put_in_as_it_is_whatever_it_holds(text: str, more: str) -> None:
    asked = prompt("<{x}|{y}>", fields="arguments: [{name: x}, {name: y}]\n")
    assert asked.get("ask", x=text + more, y="Y") == [("user", f"<{text}{more}|Y>")]


def test_marks_begin_messages_of_either_side() -> None:
    body = "First.\n<!-- assistant -->\nSecond.\n\n<!-- user -->\nThird, {x}.\n"
    asked = prompt(body, fields="arguments: [{name: x}]\n")
    assert asked.get("ask", x="yes") == [
        ("user", "First."),
        ("assistant", "Second."),
        ("user", "Third, yes."),
    ]


def test_a_missing_argument_is_refused_with_what_is_valid() -> None:
    refused = Asked({"prompts/a.md": ANALYZE}).refused("prompts/get", name="analyze-report")
    assert refused.number == -32602
    assert refused.data == {"missing": ["report_id"], "arguments": ["report_id", "language"]}
    assert "report_id (required)" in refused.message


def test_an_unknown_argument_is_refused_by_its_name() -> None:
    asked = Asked({"prompts/a.md": ANALYZE})
    refused = asked.refused("prompts/get", name="analyze-report", arguments={"report_id": "7", "lang": "de"})
    assert refused.number == -32602
    assert refused.data == {"missing": [], "arguments": ["report_id", "language"], "unknown": ["lang"]}


@pytest.mark.parametrize("arguments", [{"report_id": 7}, ["7"], "7", {"report_id": None}])
def test_arguments_that_are_no_texts_are_refused(arguments: object) -> None:
    refused = Asked({"prompts/a.md": ANALYZE}).refused(
        "prompts/get", name="analyze-report", arguments=arguments
    )
    assert refused.number == -32602
    assert refused.data == {"arguments": ["report_id", "language"]}


@pytest.mark.parametrize("name", ["analyse-report", None, 3, ["analyze-report"]])
def test_an_unknown_prompt_is_refused_with_those_that_there_are(name: object) -> None:
    refused = Asked({"prompts/a.md": ANALYZE}).refused("prompts/get", name=name)
    assert refused.number == -32602
    assert refused.data["prompts"] == ["analyze-report"]  # type: ignore[index]
    assert refused.data["nearest"] == (["analyze-report"] if isinstance(name, str) else [])  # type: ignore[index]


def test_a_method_that_is_no_prompts_or_resources_is_not_found() -> None:
    assert Asked({"prompts/a.md": ANALYZE}).refused("tasks/get").number == -32601


def test_prompts_are_in_the_order_of_their_names() -> None:
    files = {f"prompts/{n}.md": f"---\nname: {n}\n---\nDo {n}." for n in ("zeta", "alpha", "中", "Beta")}
    assert [each.name for each in Asked(files).offer.prompts] == ["Beta", "alpha", "zeta", "中"]


def test_of_two_prompts_of_one_name_the_first_is_offered_and_the_second_told() -> None:
    asked = Asked({f"prompts/{n}.md": f"---\nname: same\n---\nThis is {n}." for n in ("b", "a")})
    assert asked.get("same") == [("user", "This is a.")]
    assert len(asked.offer.prompts) == len(asked.offer.notes) == 1


def test_a_bad_prompt_costs_itself_alone() -> None:
    asked = Asked({"prompts/a.md": ANALYZE, "prompts/b.md": "no frontmatter", "prompts/c.md": b"\xff"})
    assert [each.name for each in asked.offer.prompts] == ["analyze-report"]
    assert len(asked.offer.notes) == 2
