"""Templates: an expression alone is a value, inside text it is text; what comes out is not read again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.workflow_definitions.conftest import FLIGHT, steps, workflow

from prowess.workflow.expressions import Expression
from prowess.workflow.faults import ExpressionFault
from prowess.workflow.functions import MOST_TEXT
from prowess.workflow.scope import Ended, scope_of
from prowess.workflow.templates import (
    Fields,
    Fixed,
    expression_of_text,
    expressions_in,
    render,
    render_text,
    template_of_text,
)

SCOPE: dict[str, Any] = {"a": 1, "b": [1, {"c": None}], "t": "x", "f": 2.0, "y": True}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("plain", "plain"),
        ("{{a}}", 1),
        ("{{ a }}", 1),
        ("{{b}}", [1, {"c": None}]),
        ("{{a}} ", "1 "),
        ("{{a}}{{a}}", "11"),
        ("{{t}}-{{a}}-{{f}}-{{y}}-{{b}}-{{b[1].c}}", 'x-1-2.0-true-[1,{"c":null}]-null'),
        ("{{ {'k': {'l': a}} }}", {"k": {"l": 1}}),
        ("{{{'k':a}}}", {"k": 1}),
        ("{{ '}}' }}", "}}"),
        ("{{ '{{' }}", "{{"),
        ('{{ "a\'}}\\"" }}', "a'}}\""),
        ("}} {", "}} {"),
        ("{ {a} }", "{ {a} }"),
        ("{% raw %}", "{% raw %}"),
        ("{# note #}", "{# note #}"),
        ("a\n{{a}}\n", "a\n1\n"),
    ],
)
def test_an_expression_alone_is_a_value_and_inside_text_it_is_text(text: str, value: Any) -> None:
    found = render(template_of_text(text), SCOPE)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    "text", ["{{", "{{a", "x {{ 'a }}", "{{}}", "{{ }}", "{{a b}}", "{{a}} {{", "{{{a}}"]
)
def test_braces_that_hold_no_expression_are_refused(text: str) -> None:
    with pytest.raises(ExpressionFault) as raised:
        template_of_text(text)
    assert raised.value.code == "syntax"


@pytest.mark.parametrize("text", ["a > 0", "{{a > 0}}", " {{ a > 0 }} "])
def test_a_condition_may_stand_with_or_without_braces(text: str) -> None:
    assert expression_of_text(text) == Expression(text="a > 0")


@pytest.mark.parametrize("text", ["{{a}} > {{a}}", "x {{a}}"])
def test_a_condition_is_one_expression(text: str) -> None:
    with pytest.raises(ExpressionFault):
        expression_of_text(text)


HOSTILE = [
    "{{ user.secret }}",
    "{{steps[0].result}}",
    "}} {{ a",
    "{% for x in y %}",
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "%s%n{0}${a}",
    "\u202e\x00\ud7ff",
    "[1, 2]",
    "true",
    "9" * 400,
]


@pytest.mark.parametrize("value", HOSTILE)
def test_a_hostile_value_stays_data_wherever_it_is_put(value: str) -> None:
    scope = {"x": value, "user": {"secret": "s3cret"}}
    fields = Fields(fields={"whole": template_of_text("{{x}}"), "inside": template_of_text("<{{x}}>")})
    assert render(fields, scope) == {"whole": value, "inside": f"<{value}>"}
    again = {"y": render(fields, scope)["inside"], **scope}
    assert render(template_of_text("{{y}}{{y}}"), again) == f"<{value}><{value}>"


@given(st.text())
def test_any_text_from_outside_passes_unchanged(value: str) -> None:
    assert render(template_of_text("{{x}}"), {"x": value}) == value
    assert render(template_of_text("a{{x}}b"), {"x": value}) == f"a{value}b"


def test_a_text_with_a_huge_value_in_it_is_a_fault() -> None:
    huge = "x" * MOST_TEXT
    with pytest.raises(ExpressionFault) as raised:
        render(template_of_text("a{{x}}{{x}}"), {"x": huge})
    assert raised.value.code == "limit"
    assert render(template_of_text("{{x}}"), {"x": huge}) is huge


def test_where_a_text_is_wanted_a_value_becomes_one() -> None:
    approve = workflow(FLIGHT).steps[3].approve
    assert approve is not None
    seen = {"steps": [None, {"result": {"best": {"price": 99.5}}}]}
    assert render_text(approve, seen) == "Pay 99.5?"
    assert render_text(Fixed(value="Sure?"), {}) == "Sure?"
    assert render_text(Expression(text="n"), {"n": [1]}) == "[1]"


def test_params_are_filled_in_at_every_depth() -> None:
    made = steps("- {skill: a, params: {x: [{y: '{{a}}'}, 2, null], z: 'n{{a}}'}}")
    params = made.steps[0].action.params  # type: ignore[union-attr]
    assert render(params, SCOPE) == {"x": [{"y": 1}, 2, None], "z": "n1"}
    assert [each.text for each in expressions_in(params)] == ["a", "a"]


# -- what a run sees


def test_steps_are_found_by_place_by_id_and_by_name() -> None:
    made = workflow(FLIGHT)
    ended = {
        "search": Ended(status="completed", result=["f"]),
        "1": Ended(status="completed", result={"n": 2}),
    }
    scope = scope_of(made, {"user": {"from": "Rome"}}, ended)
    for text in ("steps[0].result", "steps.search.result", "steps['search'].result", "search.result"):
        assert Expression(text=text).evaluate(scope) == ["f"]
    assert Expression(text="steps[1].result.n").evaluate(scope) == 2
    assert Expression(text="input.user.from + user.from").evaluate(scope) == "RomeRome"


@pytest.mark.parametrize(
    "text", ["steps[2].result", "steps[4].result", "steps[-1].result", "steps['1'].result", "steps[true]"]
)
def test_a_step_that_has_not_ended_is_not_there(text: str) -> None:
    scope = scope_of(workflow(FLIGHT), {}, {"1": Ended(status="completed")})
    with pytest.raises(ExpressionFault) as raised:
        Expression(text=text).evaluate(scope)
    assert raised.value.code == "undefined"


def test_a_skipped_step_has_a_status_and_no_result() -> None:
    made = workflow(FLIGHT)
    failed = Ended(status="failed", error={"code": "timeout", "message": "too slow"})
    scope = scope_of(made, {}, {"2": Ended(status="skipped"), "search": failed})
    assert Expression(text="steps[2].status").evaluate(scope) == "skipped"
    assert Expression(text="steps[2].result | default(null)").evaluate(scope) is None
    assert Expression(text="search.error.code").evaluate(scope) == "timeout"
    with pytest.raises(ExpressionFault) as raised:
        Expression(text="steps[2].result.order").evaluate(scope)
    assert "skipped" in raised.value.hint


def test_an_input_never_hides_what_the_run_itself_has() -> None:
    given = {"input": 1, "steps": 2, "search": 3, "other": 4}
    scope = scope_of(workflow(FLIGHT), given, {"search": Ended(status="completed", result="mine")})
    assert Expression(text="search.result").evaluate(scope) == "mine"
    assert Expression(text="input.search").evaluate(scope) == 3
    assert Expression(text="other").evaluate(scope) == 4


def test_a_loop_and_a_compensation_see_their_own_names() -> None:
    made = workflow(FLIGHT)
    scope = scope_of(made, {}, {}, item={"n": 1}, index=0, error={"code": "x", "message": "y"})
    assert render(template_of_text("{{item.n}} {{index}} {{error.code}}"), scope) == "1 0 x"
