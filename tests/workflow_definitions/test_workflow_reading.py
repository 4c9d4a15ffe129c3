"""A YAML file becomes a definition; every fault is told with its line, and nothing is guessed."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest
from tests.workflow_definitions.conftest import FLIGHT, FOUR_STEPS, read, steps, told, workflow

from prowess.errors import UsageError
from prowess.workflow.definition import Call, Nested, OnError, Parallel, Retry, Wait
from prowess.workflow.expressions import Expression
from prowess.workflow.located import DEEPEST, LARGEST
from prowess.workflow.reading import MOST_STEPS, read_document, read_workflow
from prowess.workflow.reading_steps import MOST_ATTEMPTS
from prowess.workflow.templates import Fixed


def test_the_flights_are_read_as_they_are_written() -> None:
    made = workflow(FLIGHT)
    assert (made.name, made.version, made.title) == ("book_flight", "1.0.0", "book_flight@1.0.0")
    assert made.triggers == ("book a flight", "订机票")
    assert [each.id for each in made.steps] == ["search", "1", "2", "3"]
    assert [each.title for each in made.steps] == ["search", "compare_prices", "select_seat", "pay"]
    assert made.steps[2].when == Expression(text="steps[1].result.best.seats > 0", line=13)
    assert [each.line for each in made.steps] == [7, 10, 12, 15]


def test_steps_with_a_skill_and_params_alone_are_enough() -> None:
    made = workflow(FOUR_STEPS)
    assert [each.title for each in made.steps] == ["search_flights", "compare_prices", "select_seat", "pay"]
    assert (made.version, made.output, dict(made.input)) == ("1.0.0", None, {"type": "object"})


def test_the_recorded_document_gives_the_same_workflow_again() -> None:
    for text in (FLIGHT, FOUR_STEPS):
        again = read_document(read_document(workflow(text).document).document)
        assert again == read_document(workflow(text).document)
        assert (again.title, len(again.steps)) == ("book_flight@1.0.0", 4)


def test_a_recorded_document_that_is_none_is_an_error() -> None:
    with pytest.raises(UsageError):
        read_document({"name": "it"})


def test_every_kind_of_step_is_read() -> None:
    made = steps("""\
        - {skill: pay@^1.2}
        - {skill: pay, version: "~2.1"}
        - {workflow: book_hotel, version: "1", params: {city: Rome}}
        - {wait: 1h30m}
        - {wait: {seconds: "{{delay}}"}}
        - {wait: {until: "{{date}}"}}
        - {wait: {event: "paid-{{order}}"}, timeout: 2d}
        - parallel: [{skill: a}, [{skill: b}, {skill: c}]]
        - parallel: {left: [{skill: a}], right: {skill: b}}
    """)
    first, second, third, *waits, listed, named = (each.action for each in made.steps)
    assert isinstance(first, Call) and (first.skill, first.version) == ("pay", "^1.2")
    assert isinstance(second, Call) and second.version == "~2.1"
    assert isinstance(third, Nested) and (third.workflow, third.version) == ("book_hotel", "1")
    assert all(isinstance(each, Wait) for each in waits)
    assert waits[0] == Wait(seconds=Fixed(value=5_400.0, line=6))
    assert waits[1] == Wait(seconds=Expression(text="delay", line=7))
    assert made.steps[6].timeout == 172_800.0
    assert isinstance(listed, Parallel) and not listed.named
    assert [[each.id for each in branch.steps] for branch in listed.branches] == [
        ["7.0.0"],
        ["7.1.0", "7.1.1"],
    ]
    assert isinstance(named, Parallel) and named.named
    assert [branch.name for branch in named.branches] == ["left", "right"]
    assert [each.id for each in named.branches[1].steps] == ["8.right.0"]


def test_what_stands_around_a_step_is_read() -> None:
    made = steps("""\
        - skill: pay
          for_each: "{{orders}}"
          concurrency: 4
          retry: {attempts: 5, delay: 2s, factor: 3, max_delay: 1m}
          timeout: 30
          on_error: {compensate: {skill: refund, params: {why: "{{error.code}}"}}}
        - {skill: pay, retry: 3, on_error: continue, for_each: [1, 2], when: true}
        - {skill: pay, on_error: fail}
    """)
    first, second, third = made.steps
    assert first.for_each is not None and first.for_each.concurrency == 4
    assert first.for_each.items == Expression(text="orders", line=4)
    assert first.retry == Retry(attempts=5, delay=2.0, factor=3.0, max_delay=60.0)
    assert first.timeout == 30.0
    assert first.on_error.action == "compensate" and first.on_error.step is not None
    assert first.on_error.step.id == "0.compensate"
    assert second.retry == Retry(attempts=3) and second.on_error == OnError(action="continue")
    assert second.when is not None and second.when.evaluate({}) is True
    assert third.on_error == OnError()
    assert [each.id for each in made.all_steps()] == ["0", "0.compensate", "1", "2"]


def test_the_input_is_closed_unless_it_says_that_it_is_open() -> None:
    closed = workflow("name: it\ninput: {properties: {a: {}}}\nsteps: [{skill: b}]")
    said = workflow("name: it\ninput: {properties: {a: {}}, additionalProperties: true}\nsteps: [{skill: b}]")
    assert closed.input["additionalProperties"] is False and closed.input["type"] == "object"
    assert said.input["additionalProperties"] is True


def test_plain_scalars_follow_the_core_schema_and_no_more() -> None:
    made = workflow("""\
        name: it
        steps: [{skill: a}]
        output: [no, 2026-01-31, 1:30, 007, 1.5, -2e3, null, ~, True, 0x1F, 1_000, 'true', 1.0.0]
    """)
    expected = [
        "no",
        "2026-01-31",
        "1:30",
        7,
        1.5,
        -2000.0,
        None,
        None,
        True,
        "0x1F",
        "1_000",
        "true",
        "1.0.0",
    ]
    assert made.document["output"] == expected


WRONG: dict[str, tuple[str, list[tuple[str, int | None]]]] = {
    "no name": ("steps: [{skill: a}]", [("workflow-required-field", 1)]),
    "no steps": ("name: it", [("workflow-required-field", 1)]),
    "steps of another kind": ("name: it\nsteps: {a: b}", [("workflow-field", 2)]),
    "no steps in the list": ("name: it\nsteps: []", [("workflow-field", 2)]),
    "a name that is none": ("name: book flight\nsteps: [{skill: a}]", [("workflow-field", 1)]),
    "a list": ("- name: it", [("workflow-field", 1)]),
    "an unknown field": ("name: it\nretries: 1\nsteps: [{skill: a}]", [("workflow-unknown-field", 2)]),
    "a version that is none": ("name: it\nversion: one\nsteps: [{skill: a}]", [("workflow-field", 2)]),
    "a version without quotation marks": (
        "name: it\nversion: 1.0\nsteps: [{skill: a}]",
        [("workflow-field", 2)],
    ),
    "an input of another kind": (
        "name: it\ninput: {type: string}\nsteps: [{skill: a}]",
        [("workflow-field", 2)],
    ),
    "an input that is no schema": ("name: it\ninput: [a]\nsteps: [{skill: a}]", [("workflow-field", 2)]),
    "properties that are no mapping": (
        "name: it\ninput: {properties: 1}\nsteps: [{skill: a}]",
        [("workflow-field", 2)],
    ),
    "triggers that are no list": ("name: it\ntriggers: book\nsteps: [{skill: a}]", [("workflow-field", 2)]),
    "an empty description": ("name: it\ndescription: ' '\nsteps: [{skill: a}]", [("workflow-field", 2)]),
    "a time limit that is none": ("name: it\ntimeout: soon\nsteps: [{skill: a}]", [("workflow-field", 2)]),
    "an expression in the output": (
        "name: it\nsteps: [{skill: a}]\noutput: '{{a b}}'",
        [("workflow-expression", 3)],
    ),
    "two ids": (
        "name: it\nsteps:\n- {id: a, skill: a}\n- {parallel: [{id: a, skill: a}]}",
        [("workflow-duplicate-id", 4)],
    ),
    "YAML that is none": ("name: [it", [("workflow-yaml", 2)]),
    "a brace without quotation marks": ("name: it\nsteps: {{a}}", [("workflow-yaml-feature", 2)]),
    "an empty file": ("", [("workflow-yaml", 1)]),
    "a tab": ("name: it\nsteps:\n\t- skill: a", [("workflow-yaml", 3)]),
    "a key that stands twice": ("name: it\nname: it\nsteps: [{skill: a}]", [("workflow-duplicate-key", 2)]),
    "a tag": ("name: !!python/object:os.system it\nsteps: []", [("workflow-yaml-feature", 1)]),
    "a merge key": ("name: it\nx: &x {a: 1}\nsteps: [{<<: *x}]", [("workflow-yaml-feature", 3)]),
    "a second document": ("name: it\n---\nname: it", [("workflow-yaml-feature", 2)]),
    "an alias of nothing": ("name: *it", [("workflow-yaml", 1)]),
    "a number beyond all bounds": ("name: it\noutput: 1e999\nsteps: [{skill: a}]", [("workflow-bounds", 2)]),
    "a number of many digits": (f"name: it\noutput: {'9' * 5_000}", [("workflow-bounds", 2)]),
}


@pytest.mark.parametrize(("text", "expected"), WRONG.values(), ids=WRONG)
def test_a_fault_of_the_file_is_told_with_its_line(text: str, expected: list[tuple[str, int | None]]) -> None:
    found = read(text)
    assert found.workflow is None
    assert told(found.diagnostics) == expected


WRONG_STEPS = {
    "nothing": ("{id: a}", "workflow-step-kind"),
    "no mapping": ("pay", "workflow-field"),
    "two things": ("{skill: a, wait: 5}", "workflow-step-kind"),
    "an unknown field": ("{skill: a, retyr: 3}", "workflow-unknown-field"),
    "an id that is none": ("{skill: a, id: my-step}", "workflow-field"),
    "an id of the language": ("{skill: a, id: steps}", "workflow-shadow"),
    "an id that is a word": ("{skill: a, id: not}", "workflow-shadow"),
    "a skill of another kind": ("{skill: 3}", "workflow-field"),
    "a skill without a name": ("{skill: '@1'}", "workflow-field"),
    "a range that is none": ("{skill: a, version: newest}", "workflow-field"),
    "a range that is none after the name": ("{skill: a@newest}", "workflow-field"),
    "two ranges": ("{skill: a@1, version: '2'}", "workflow-field"),
    "params of another kind": ("{skill: a, params: [1]}", "workflow-field"),
    "an expression that is none": ("{skill: a, params: {b: '{{1 +}}'}}", "workflow-expression"),
    "an expression deep inside": ("{skill: a, params: {b: [{c: '{{f()}}'}]}}", "workflow-expression"),
    "braces that stay open": ("{skill: a, params: {b: '{{a'}}", "workflow-expression"),
    "a condition of another kind": ("{skill: a, when: 3}", "workflow-field"),
    "a condition that is none": ("{skill: a, when: 'a ='}", "workflow-expression"),
    "an approval of another kind": ("{skill: a, approve: true}", "workflow-field"),
    "a loop of another kind": ("{skill: a, for_each: 3}", "workflow-field"),
    "a loop of branches": ("{parallel: [{skill: a}], for_each: [1]}", "workflow-field"),
    "concurrency without a loop": ("{skill: a, concurrency: 2}", "workflow-field"),
    "concurrency of none": ("{skill: a, for_each: [1], concurrency: 0}", "workflow-field"),
    "too much concurrency": ("{skill: a, for_each: [1], concurrency: 1000}", "workflow-field"),
    "a retry of none": ("{skill: a, retry: 0}", "workflow-field"),
    "too many attempts": (f"{{skill: a, retry: {MOST_ATTEMPTS + 1}}}", "workflow-field"),
    "a retry that is true": ("{skill: a, retry: true}", "workflow-field"),
    "a retry without a number": ("{skill: a, retry: {delay: 1}}", "workflow-required-field"),
    "a factor below one": ("{skill: a, retry: {attempts: 2, factor: 0.5}}", "workflow-field"),
    "a delay that is none": ("{skill: a, retry: {attempts: 2, delay: -1}}", "workflow-field"),
    "a retry of a wait": ("{wait: 5, retry: 2}", "workflow-field"),
    "a time limit of nothing": ("{skill: a, timeout: 0}", "workflow-field"),
    "a time limit of ages": ("{skill: a, timeout: 1000d}", "workflow-field"),
    "another word on error": ("{skill: a, on_error: retry}", "workflow-field"),
    "a list on error": ("{skill: a, on_error: [continue]}", "workflow-field"),
    "nothing that compensates": ("{skill: a, on_error: {}}", "workflow-required-field"),
    "a wait that compensates": ("{skill: a, on_error: {compensate: {wait: 5}}}", "workflow-field"),
    "a condition that compensates": (
        "{skill: a, on_error: {compensate: {skill: b, when: c}}}",
        "workflow-field",
    ),
    "a wait of nothing": ("{wait: {}}", "workflow-field"),
    "a wait for two": ("{wait: {seconds: 5, event: a}}", "workflow-field"),
    "a wait that is no duration": ("{wait: soon}", "workflow-field"),
    "a wait with text around": ("{wait: 'x{{a}}'}", "workflow-field"),
    "no branches": ("{parallel: []}", "workflow-field"),
    "no named branches": ("{parallel: {}}", "workflow-field"),
    "a branch without steps": ("{parallel: [[]]}", "workflow-field"),
    "a branch with an odd name": ("{parallel: {a-b: [{skill: a}]}}", "workflow-field"),
}


@pytest.mark.parametrize(("text", "rule"), WRONG_STEPS.values(), ids=WRONG_STEPS)
def test_a_fault_of_a_step_is_told_with_its_line(text: str, rule: str) -> None:
    found = read(f"name: it\nsteps:\n  - {text}\n")
    assert found.workflow is None
    assert set(told(found.diagnostics)) >= {(rule, 3)}
    assert all(each.place.file == "it.yaml" for each in found.diagnostics)


def test_all_faults_are_told_at_once() -> None:
    found = read("name: a b\nsteps:\n- {skill: a, retyr: 1}\n- {wait: x}\n")
    assert told(found.diagnostics) == [
        ("workflow-field", 1),
        ("workflow-unknown-field", 3),
        ("workflow-field", 4),
    ]


def test_the_nearest_field_is_named() -> None:
    assert "retry" in read("name: it\nsteps: [{skill: a, retyr: 1}]").diagnostics[0].hint


def test_aliases_are_followed() -> None:
    made = workflow("""\
        name: it
        steps:
          - {skill: a, params: &place {city: Rome}}
          - {skill: b, params: *place}
    """)
    assert made.document["steps"][1]["params"] == {"city": "Rome"}


def bomb(levels: int) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, levels)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    "text",
    [
        bomb(30),
        "name: it\noutput: " + "[" * (DEEPEST + 2) + "]" * (DEEPEST + 2),
        "\n".join(["a0: &a0 []", *(f"a{n}: &a{n} [[[[[[[[*a{n - 1}]]]]]]]]" for n in range(1, 20))]),
        "name: it\noutput: [" + "1," * 60_000 + "]",
        "name: it\n#" + "x" * LARGEST,
        "name: it\noutput: " + "{a: " * 10_000,
    ],
    ids=["aliases", "depth", "depth through aliases", "values", "bytes", "open braces"],
)
def test_what_is_too_large_is_refused(text: str) -> None:
    found = read_workflow(text.encode(), "it.yaml")
    assert [each.rule for each in found.diagnostics] == ["workflow-bounds"]


def test_too_many_steps_are_refused() -> None:
    listed = ", ".join(["{skill: a}"] * (MOST_STEPS + 1))
    assert told(read(f"name: it\nsteps: [{listed}]").diagnostics) == [("workflow-field", 2)]


def test_a_file_that_is_not_utf_8_is_refused_with_its_line() -> None:
    found = read_workflow(b"name: it\nsteps: \xff", "it.yaml")
    assert told(found.diagnostics) == [("workflow-yaml", 2)]


def test_a_hostile_name_is_shown_without_control_characters() -> None:
    found = read('name: "a\\e[31m\\u202e"\nsteps: [{skill: a}]')
    assert found.diagnostics and all(each.message.isprintable() for each in found.diagnostics)


def test_a_byte_order_mark_is_passed_over() -> None:
    assert read_workflow(b"\xef\xbb\xbf" + FLIGHT.encode(), "it.yaml").workflow is not None


@pytest.mark.parametrize("value", ["30", 30, 30.0, "30s", "0.5m", "30000ms", "1d", "1h30m"])
def test_durations_are_read_as_people_write_them(value: Any) -> None:
    made = workflow(textwrap.dedent(f"name: it\ntimeout: {value}\nsteps: [{{skill: a}}]"))
    assert made.timeout == {"1d": 86_400.0, "1h30m": 5_400.0}.get(str(value), 30.0)
