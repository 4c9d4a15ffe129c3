"""The static check: what is known to be wrong is refused, what cannot be known is let through."""

from __future__ import annotations

import textwrap

import pytest
from tests.workflow_definitions import test_workflow_reading as reading
from tests.workflow_definitions.conftest import (
    FLIGHT,
    FLIGHT_SKILLS,
    FOUR_STEPS,
    TEXT,
    an_object,
    checked,
    read,
    told,
    workflow,
)

from prowess.capability.offer import Tool
from prowess.spec.rules import RULES
from prowess.workflow.catalogue import MemoryCatalogue, Offered, newest, offered_of
from prowess.workflow.checking import check


def in_steps(text: str, head: str = "name: it") -> str:
    return f"{head}\nsteps:\n" + textwrap.indent(textwrap.dedent(text), "  ")


@pytest.mark.parametrize("text", [FLIGHT, FOUR_STEPS], ids=["whole", "four steps"])
def test_the_flights_pass_with_their_skills_and_without_any(text: str, catalogue: MemoryCatalogue) -> None:
    assert check(workflow(text), catalogue) == ()
    assert check(workflow(text), None) == ()


SEARCH = "{id: search, skill: search_flights, params: {from: a, to: b, date: c}}"

WRONG = {
    # -- skills, versions, parameters
    "an unknown skill": ("- {skill: pai}", "unknown-skill"),
    "an unknown version": ("- {skill: pay@2, params: {order: {}}}", "unknown-version"),
    "a version of what has none": ("- {skill: tool, version: '1'}", "unknown-version"),
    "a missing parameter": ("- {skill: pay}", "missing-parameter"),
    "an unknown parameter": (
        "- {skill: pay, params: {order: {}, now: '{{x}}'}}",
        "unknown-parameter",
    ),
    "a value of another kind": ("- {skill: pay, params: {order: none}}", "parameter"),
    "a text where an object is taken": ("- {skill: pay, params: {order: 'x{{y}}'}}", "type"),
    "a list where an object is taken": ("- {skill: pay, params: {order: ['{{y}}']}}", "parameter"),
    "a parameter of what compensates": (
        "- {skill: pay, params: {order: {}}, on_error: {compensate: {skill: pay}}}",
        "missing-parameter",
    ),
    "a parameter in a branch": ("- parallel: {a: {skill: pay}}", "missing-parameter"),
    "an unknown workflow": ("- {workflow: other}", "unknown-workflow"),
    "an unknown version of a workflow": (
        "- {workflow: book_hotel@3, params: {city: a}}",
        "unknown-version",
    ),
    "a missing parameter of a workflow": ("- {workflow: book_hotel}", "missing-parameter"),
    "an unknown parameter of a workflow": (
        "- {workflow: book_hotel, params: {city: a, town: b}}",
        "unknown-parameter",
    ),
    "itself": ("- {workflow: it}", "loop"),
    "itself as a skill of another": ("- {workflow: back}", "loop"),
    "a loop of others": ("- {workflow: round}", "loop"),
    # -- references
    "a step that stands later": (
        f"- {{skill: tool, params: {{a: '{{{{search}}}}'}}}}\n- {SEARCH}",
        "reference",
    ),
    "a step that stands later, by place": (
        f"- {{skill: tool, params: {{a: '{{{{steps[1].result}}}}'}}}}\n- {SEARCH}",
        "reference",
    ),
    "itself by id": ("- {id: a, skill: tool, params: {a: '{{a.result}}'}}", "reference"),
    "itself in its condition": ("- {id: a, skill: tool, when: a.result}", "reference"),
    "a step in another branch": (
        "- parallel: {x: {id: a, skill: tool}, y: {skill: tool, params: {b: '{{a.result}}'}}}",
        "reference",
    ),
    "no such place": ("- {skill: tool, when: 'steps[7].status == 1'}", "reference"),
    "a place from behind": ("- {skill: tool, when: 'steps[-1].status == 1'}", "reference"),
    "no such id": ("- {skill: tool, when: 'steps.serch.status == 1'}", "reference"),
    "a place that is computed": (
        "- {skill: tool, when: 'steps[n].status == 1'}",
        "reference",
    ),
    "all steps": ("- {skill: tool, params: {a: '{{steps}}'}}", "reference"),
    "a place by its number as a text": (
        f"- {SEARCH}\n- {{skill: tool, when: \"steps['0'].status == 'x'\"}}",
        "reference",
    ),
    "another part of a step": (
        f"- {SEARCH}\n- {{skill: tool, params: {{a: '{{{{search.output}}}}'}}}}",
        "reference",
    ),
    "the error of a step that ends the run": (
        f"- {SEARCH}\n- {{skill: tool, params: {{a: '{{{{search.error}}}}'}}}}",
        "reference",
    ),
    "a member that is never there": (
        f"- {SEARCH}\n- {{skill: tool, params: {{a: '{{{{search.result[0].prise}}}}'}}}}",
        "reference",
    ),
    "a member of a number": (
        f"- {SEARCH}\n- {{skill: tool, params: {{a: '{{{{search.result[0].price.cents}}}}'}}}}",
        "reference",
    ),
    "item outside of a loop": ("- {skill: tool, params: {a: '{{item}}'}}", "reference"),
    "item in a condition": ("- {skill: tool, for_each: [1], when: item > 0}", "reference"),
    "error outside of what compensates": (
        "- {skill: tool, params: {a: '{{error}}'}}",
        "reference",
    ),
    "a missing member behind default": (
        "- {skill: tool, params: {a: '{{later.result | default(1)}}'}}\n- {id: later, skill: tool}",
        "reference",
    ),
    # -- kinds
    "a condition that is a list": (
        f"- {SEARCH}\n- {{skill: tool, when: search.result}}",
        "type",
    ),
    "a condition that is a text": ("- {skill: tool, when: '\"yes\"'}", "type"),
    "a loop over a number": (
        f"- {SEARCH}\n- {{skill: tool, for_each: 'search.result | length'}}",
        "type",
    ),
    "an order of kinds that have none": (
        f"- {SEARCH}\n- {{skill: tool, when: search.result > 0}}",
        "type",
    ),
    "arithmetic with a text": (
        f"- {SEARCH}\n- {{skill: tool, params: {{a: '{{{{search.status - 1}}}}'}}}}",
        "type",
    ),
    "a function of another kind": (
        f"- {SEARCH}\n- {{skill: tool, params: {{a: '{{{{search.result | upper}}}}'}}}}",
        "type",
    ),
    "and with a number": ("- {skill: tool, when: '1 and true'}", "type"),
    "not of a text": ("- {skill: tool, when: \"not 'a'\"}", "type"),
    "in a number": ("- {skill: tool, when: '1 in 2'}", "type"),
    "a choice by a number": ("- {skill: tool, params: {a: '{{1 if 2 else 3}}'}}", "type"),
    "a key that is a number": ("- {skill: tool, params: {a: '{{ {1: 2} }}'}}", "type"),
    "a wait of a list": (f"- {SEARCH}\n- {{wait: '{{{{search.result}}}}'}}", "type"),
    "a time that is a list": (f"- {SEARCH}\n- {{wait: {{until: '{{{{search.result}}}}'}}}}", "type"),
    "minus of a text": ("- {skill: tool, params: {a: \"{{-'a'}}\"}}", "type"),
    # -- notes
    "a retry of what may not be done twice": ("- {skill: tool, retry: 2}", "retry-never"),
    "a condition that is false": ("- {skill: tool, when: false}", "dead-step"),
    "a condition that is never true": ("- {skill: tool, when: 1 > 2}", "dead-step"),
    "a loop over nothing": ("- {skill: tool, for_each: []}", "dead-step"),
    "a member that nobody declared": (
        "- {id: a, skill: open}\n- {skill: tool, params: {x: '{{a.result.bset}}'}}",
        "undeclared-member",
    ),
}

OTHERS = (
    workflow(
        "name: book_hotel\nversion: 2.0.0\n"
        "input: {required: [city], properties: {city: {}}}\nsteps: [{skill: a}]"
    ),
    workflow("name: back\nsteps: [{skill: it}]"),
    workflow("name: round\nsteps: [{parallel: [{workflow: about}]}]"),
    workflow("name: about\nsteps: [{skill: a}, {workflow: round}]"),
)
OPEN = Offered(name="open", output={"type": "object", "properties": {"best": TEXT}})


def found_in(text: str) -> list[tuple[str, int | None]]:
    made = workflow(text)
    return told(check(made, MemoryCatalogue([*FLIGHT_SKILLS, OPEN], [made, *OTHERS])))


@pytest.mark.parametrize(("text", "rule"), WRONG.values(), ids=WRONG)
def test_what_is_known_to_be_wrong_is_told_and_nothing_else(text: str, rule: str) -> None:
    found = found_in(in_steps(text))
    assert {each for each, _ in found} == {f"workflow-{rule}"}
    assert all(line is not None for _, line in found)


RIGHT = {
    "a step of a branch after all branches": """\
        - parallel: {a: {id: x, skill: tool}, b: {skill: tool}}
        - {skill: tool, params: {a: "{{x.result}} {{steps[0].result.a}}"}}""",
    "an earlier step of the same branch": """\
        - parallel: [[{id: x, skill: tool}, {skill: tool, params: {a: "{{x.result}}"}}]]""",
    "a loop over a list of objects": """\
        - {id: search, skill: search_flights, params: {from: a, to: b, date: c}}
        - {skill: pay, for_each: search.result, params: {order: {p: "{{item.price}}", n: "{{index}}"}}}""",
    "the results of a loop": """\
        - {id: pays, skill: pay, for_each: "{{orders}}", params: {order: "{{item}}"}}
        - {skill: tool, params: {n: "{{pays.result | length}}", first: "{{pays.result[0]}}"}}""",
    "an error that the run survives": """\
        - {id: a, skill: tool, on_error: continue}
        - {skill: tool, when: "a.status == 'failed'", params: {why: "{{a.error.message}}"}}""",
    "an error in what compensates": """\
        - skill: pay
          params: {order: {}}
          on_error: {compensate: {skill: tool, params: {why: "{{error.code}}"}}}""",
    "a member that may be missing, asked for": """\
        - {id: search, skill: search_flights, params: {from: a, to: b, date: c}}
        - {skill: tool, params: {a: "{{search.result[0].prise | default(0)}}"}}
        - {skill: tool, when: "search.result[0].prise is defined"}""",
    "a value of which nothing is known": """\
        - {id: a, skill: tool}
        - {skill: pay, params: {order: "{{a.result.x[0].y}}"}}
        - {skill: tool, when: a.result.ok, for_each: "{{a.result.list}}"}""",
    "a retry of what may": """\
        - {skill: pay, params: {order: {}}, retry: 2}
        - {skill: tool, retry: 1}""",
    "an event": """\
        - {id: paid, wait: {event: "paid-{{order}}"}, timeout: 1d, on_error: continue}
        - {skill: tool, params: {by: "{{paid.result.by}}"}}""",
    "another workflow": """\
        - {id: hotel, workflow: book_hotel, params: {city: "{{city}}"}}
        - {skill: tool, params: {a: "{{hotel.result.name}}"}}""",
    "a choice of kinds": """\
        - {skill: pay, params: {order: "{{order if order is not null else {'id': 1} }}"}}""",
}


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_what_may_be_right_is_let_through(text: str) -> None:
    assert found_in(in_steps(text)) == []


INPUT = (
    "name: it\ninput: {{type: object, properties: {{user: {{type: object}}, n: {{type: integer}}}}{more}}}"
)


@pytest.mark.parametrize(
    ("text", "more", "rules"),
    [
        ("{{user.from}} {{n}} {{input.n}}", "", set()),
        ("{{usr}}", "", {"workflow-reference"}),
        ("{{input.usr}}", "", {"workflow-reference"}),
        ("{{n.x}}", "", {"workflow-reference"}),
        ("{{usr}}", ", additionalProperties: true", {"workflow-undeclared-member"}),
        ("{{input.usr}}", ", additionalProperties: true", {"workflow-undeclared-member"}),
        ("{{usr}}", ", additionalProperties: {type: integer}", {"workflow-undeclared-member"}),
        ("{{usr}}", ", allOf: [{properties: {usr: {}}}]", set()),
    ],
)
def test_names_are_held_against_the_schema_of_the_input(text: str, more: str, rules: set[str]) -> None:
    made = in_steps(f"- {{skill: tool, params: {{a: '{text}'}}}}", INPUT.format(more=more))
    assert {rule for rule, _ in found_in(made)} == rules


@pytest.mark.parametrize(
    ("name", "rules"), [("search", {"workflow-shadow"}), ("steps", {"workflow-shadow"}), ("other", set())]
)
def test_an_input_cannot_have_the_name_of_something_else(name: str, rules: set[str]) -> None:
    head = f"name: it\ninput: {{properties: {{{name}: {{}}}}}}"
    assert {rule for rule, _ in found_in(in_steps(f"- {SEARCH}", head))} == rules


def test_an_input_that_cannot_judge_is_refused() -> None:
    head = "name: it\ninput: {properties: {a: {type: date}}}"
    assert {rule for rule, _ in found_in(in_steps("- {skill: tool}", head))} == {"workflow-input-schema"}


def test_the_output_is_checked_with_all_steps_ended() -> None:
    made = (
        in_steps("- {id: a, skill: tool}") + "\noutput: {x: '{{a.result}}', y: ['{{b.c}}', '{{steps[1]}}']}"
    )
    assert found_in(made) == [("workflow-reference", 4)]


def test_every_version_that_may_run_is_judged() -> None:
    class Rolling(MemoryCatalogue):
        def may_run(self, name: str, asked: str) -> tuple[Offered, ...]:
            return tuple(self.offered(name))

    skills = [
        Offered(name="pay", version="1.0.0", input=an_object(order=TEXT)),
        Offered(name="pay", version="2.0.0", input=an_object(order=TEXT, currency=TEXT)),
    ]
    made = workflow(in_steps("- {skill: pay, params: {order: a}}"))
    assert {each.rule for each in check(made, MemoryCatalogue(skills))} == {"workflow-missing-parameter"}
    assert len(check(made, Rolling(skills))) == 1
    both = workflow(in_steps("- {skill: pay, params: {order: a, currency: b}}"))
    assert [each.rule for each in check(both, Rolling(skills))] == ["workflow-unknown-parameter"]


COMPOSED = {
    "through a reference": {"$ref": "#/$defs/a", "$defs": {"a": an_object(x=TEXT)}},
    "through all of several": {"allOf": [an_object(x=TEXT)]},
    "deep inside": an_object(x=an_object(y=TEXT)),
}


IF_A = {"if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}}
BOTH = {"missing-parameter", "unknown-parameter"}


@pytest.mark.parametrize(
    ("schema", "params", "rules"),
    [
        (COMPOSED["through a reference"], "{}", {"missing-parameter"}),
        (COMPOSED["through a reference"], "{x: '{{v}}', z: 1}", {"unknown-parameter"}),
        (COMPOSED["through all of several"], "{z: '{{v}}'}", BOTH),
        (COMPOSED["deep inside"], "{x: {z: '{{v}}'}}", BOTH),
        (COMPOSED["deep inside"], "{x: '{{v}}'}", set()),
        (IF_A, "{a: '{{v}}'}", set()),
        (IF_A, "{a: 1}", {"missing-parameter"}),
        ({"anyOf": [an_object(a=TEXT), an_object(b=TEXT)]}, "{a: '{{v}}'}", set()),
        ({"anyOf": [an_object(a=TEXT), an_object(b=TEXT)]}, "{c: d}", {"parameter"}),
        ({"properties": {"a": {"enum": ["x", "y"]}}}, "{a: z}", {"parameter"}),
        ({"properties": {"a": {"enum": ["x", "y"]}}}, "{a: '{{v}}'}", set()),
        ({"properties": {"a": {"items": {"type": "integer"}}}}, "{a: ['{{v}}', x]}", {"parameter"}),
        ({"properties": {"a": {"type": "array", "maxItems": 1}}}, "{a: ['{{v}}', '{{v}}']}", {"parameter"}),
        ({"properties": {"a": {"uniqueItems": True}}}, "{a: ['{{v}}', '{{w}}']}", set()),
        ({"properties": {"a": {"type": ["string", "null"]}}}, "{a: '{{1}}'}", {"type"}),
        ({"properties": {"a": {"type": "integer"}}}, "{a: '{{1}}'}", set()),
        ({"properties": {"a": {"$ref": "#/$defs/t"}}, "$defs": {"t": TEXT}}, "{a: '{{1}}'}", {"type"}),
        ({"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}, "{a: '{{1}}'}", {"type"}),
        ({"properties": {"a": {"type": "text"}}}, "{a: 1}", {"parameter"}),
        ({"$ref": "https://example.org/schema"}, "{a: 1}", {"parameter"}),
    ],
)  # fmt: skip
def test_params_are_judged_by_the_schema_as_far_as_they_are_known(
    schema: dict[str, object], params: str, rules: set[str]
) -> None:
    made = workflow(in_steps(f"- {{skill: s, params: {params}}}"))
    found = check(made, MemoryCatalogue([Offered(name="s", input=schema)]))
    assert {each.rule.removeprefix("workflow-") for each in found} == rules


def test_a_finding_says_where_and_what_was_meant() -> None:
    made = workflow(FLIGHT.replace("skill: pay", "skill: pai").replace("user.from", "usr.from"))
    first, second = check(made, MemoryCatalogue(FLIGHT_SKILLS))
    assert (str(first.place), first.rule, "user" in first.hint) == ("it.yaml:9", "workflow-reference", True)
    assert (str(second.place), second.rule, "pay" in second.hint) == (
        "it.yaml:15",
        "workflow-unknown-skill",
        True,
    )


def test_findings_are_bounded_and_fit_to_print() -> None:
    listed = ", ".join(['{skill: "a\\e\\u202e"}'] * 400)
    found = check(workflow(f"name: it\nsteps: [{listed}]"), MemoryCatalogue())
    assert 0 < len(found) <= 200
    assert all(each.message.isprintable() for each in found)


def test_a_chain_of_a_thousand_workflows_is_no_loop_and_no_crash() -> None:
    chain = [workflow(f"name: w{n}\nsteps: [{{workflow: w{n + 1}}}]") for n in range(1_000)]
    last = workflow("name: w1000\nsteps: [{skill: tool}]")
    assert told(check(chain[0], MemoryCatalogue(FLIGHT_SKILLS, [*chain, last]))) == []
    back = workflow("name: w1000\nsteps: [{workflow: w999}]")
    assert told(check(chain[0], MemoryCatalogue(FLIGHT_SKILLS, [*chain, back]))) == [("workflow-loop", 2)]


def test_another_version_of_itself_is_no_loop() -> None:
    old = workflow("name: it\nversion: 1.0.0\nsteps: [{skill: tool}]")
    new = workflow("name: it\nversion: 2.0.0\nsteps: [{workflow: it@1}]")
    assert check(new, MemoryCatalogue(FLIGHT_SKILLS, [old, new])) == ()


@pytest.mark.parametrize(
    ("versions", "asked", "chosen"),
    [
        (["1.0.0", "2.0.0", "3.0.0-rc.1"], "", "2.0.0"),
        (["1.0.0", "2.0.0"], "^1", "1.0.0"),
        (["1.0.0-rc.1"], "", "1.0.0-rc.1"),
        ([""], "", ""),
        ([""], "1", None),
        ([], "", None),
        (["1.0.0"], "newest", None),
        (["one"], "1", None),
    ],
)
def test_a_call_runs_the_newest_version_that_its_range_admits(
    versions: list[str], asked: str, chosen: str | None
) -> None:
    assert newest(versions, asked) == chosen


def test_tools_are_offered_by_their_name_and_with_their_server() -> None:
    wire = {"name": "pay", "inputSchema": {"type": "object"}, "outputSchema": {"type": "array"}}
    plain = Tool(server="bank", wire=wire)
    unit = Tool(server="units", wire={**wire, "name": "add", "_meta": {"dev.prowess/version": "1.0.0"}})
    found = {each.name: each for each in offered_of([plain, unit])}
    assert set(found) == {"pay", "bank/pay", "add", "units/add"}
    assert (found["pay"].version, found["add"].version, found["pay"].output) == (
        "",
        "1.0.0",
        {"type": "array"},
    )


def test_every_rule_has_a_case() -> None:
    tried = {f"workflow-{rule}" for _, rule in WRONG.values()}
    tried |= {rule for _, rule in reading.WRONG_STEPS.values()}
    tried |= {rule for _, expected in reading.WRONG.values() for rule, _ in expected}
    elsewhere = {"workflow-input-schema", "workflow-shadow", "workflow-unreadable", "workflow-duplicate"}
    ours = {each for each in RULES if each.startswith("workflow-")}
    assert ours == tried | elsewhere


def test_a_definition_that_is_not_read_is_never_checked() -> None:
    assert read("name: it").workflow is None
    assert checked("name: it\nsteps: [{skill: tool}]") == []
