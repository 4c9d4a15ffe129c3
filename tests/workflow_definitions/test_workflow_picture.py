"""A definition as a Mermaid flowchart: every step, every way, and nothing that a text could bring in."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.workflow_definitions.conftest import FLIGHT, steps, workflow

from prowess.workflow.picture import STATES, label, picture

_TEXT = r'[^"\[\]{}<>|`\\\n]*'
_OPEN, _CLOSE = r"(\(\(|\[/|\[\[|\[|\(\[|\{\{|\{)", r"(\)\)|/\]|\]\]|\]|\]\)|\}\}|\})"
LINE = re.compile(
    r"flowchart TD"
    rf'|  n\d+{_OPEN}"{_TEXT}(<br/>{_TEXT})*"{_CLOSE}'
    r'|  n\d+ (-->|-\.->)(\|"[^"|<>\n]*"\|)? n\d+'
    r"|  classDef [a-z]+ [a-z:#0-9,-]+"
    r"|  class n\d+(,n\d+)* [a-z]+"
)


def test_the_flights_are_drawn_with_their_condition_and_approval() -> None:
    drawn = picture(workflow(FLIGHT)).splitlines()
    assert '  n1["search: search_flights"]' in drawn
    assert sum("{" in line for line in drawn) == 1
    assert sum("approve" in line for line in drawn) == 1
    assert sum('|"yes"|' in line for line in drawn) == sum('|"no"|' in line for line in drawn) == 1
    assert all(LINE.fullmatch(line) for line in drawn)


def test_a_run_is_drawn_with_the_state_of_each_step() -> None:
    drawn = picture(workflow(FLIGHT), {"search": "completed", "1": "running", "2": "no such state"})
    assert "class n1 completed" in drawn and "class n2 running" in drawn
    assert "search_flights<br/>completed" in drawn
    assert "no such state" in drawn and "classDef no" not in drawn


@pytest.mark.parametrize("state", STATES)
def test_every_state_has_a_colour(state: str) -> None:
    drawn = picture(steps("- {id: a, skill: b}"), {"a": state})
    assert f"classDef {state} " in drawn and f"class n1 {state}" in drawn


def test_every_kind_of_step_is_drawn() -> None:
    drawn = picture(
        steps("""\
        - parallel: {left: [{skill: a}, {skill: b}], right: {workflow: c@1}}
        - {wait: 5m}
        - {wait: {until: "{{date}}"}}
        - {wait: {event: paid}}
        - {skill: d, for_each: "{{x}}", concurrency: 3, retry: 4, on_error: continue}
        - {skill: e, on_error: {compensate: {skill: undo}}}
        """)
    )
    for text in ("c@1", "wait 300", "wait until", "wait for event paid", "3 at a time", "at most 4 attempts"):
        assert text in drawn
    assert "goes on after an error" in drawn and '-.->|"on error"|' in drawn
    assert '|"left"|' in drawn and '|"right"|' in drawn
    assert all(LINE.fullmatch(line) for line in drawn.splitlines())


HOSTILE = [
    '"]; click n0 "javascript:alert(1)"',
    "<script>x</script>",
    "a|b`c`",
    "end",
    "#quot;",
    "%%{init: {}}%%",
    "a\nb",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_is_a_label_and_nothing_else(text: str) -> None:
    made = workflow('{"name": "it", "steps": [{"skill": "a", "approve": "?"}]}'.replace("?", "PLACE"))
    assert "PLACE" in picture(made)
    assert not set(label(text)) & set('"<>[]{}|`\\\n%')


@given(st.text())
def test_any_text_gives_a_label_of_one_plain_line(text: str) -> None:
    made = label(text)
    assert re.fullmatch(r"[^\"<>\[\]{}|`\\\n%;#]*(#\d+;[^\"<>\[\]{}|`\\\n%;#]*)*", made)
    assert len(made) < 2_000
