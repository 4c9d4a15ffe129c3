"""What the check promises: it never crashes, and what passes never ends a run for what it could have known.

The runs here are made by a small interpreter of our own that answers for the skills: it goes through a
definition in its order, fills in params as an engine does, and holds them against the skills' schemas.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.workflow_definitions.conftest import an_object, workflow

from prowess.call.validation import problems
from prowess.spec.diagnostics import Reach
from prowess.spec.rules import RULES
from prowess.workflow.catalogue import MemoryCatalogue, Offered, newest, workflow_of
from prowess.workflow.checking import check
from prowess.workflow.definition import Call, Nested, Parallel, Step, Workflow
from prowess.workflow.faults import ExpressionFault
from prowess.workflow.picture import picture
from prowess.workflow.reading import read_document, read_workflow
from prowess.workflow.scope import Ended, scope_of
from prowess.workflow.templates import render

# -- anything at all

WORDS = st.sampled_from(
    [
        *("name", "steps", "skill", "params", "id", "when", "for_each", "parallel", "wait", "on_error", "a"),
        *("compensate", "retry", "attempts", "timeout", "workflow", "version", "input", "output", "event"),
        *("seconds", "until", "it", "5m", "{{a}}", "{{steps[0].result}}", "{{", "continue", "object", "type"),
    ]
)
ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2**70) | st.floats() | WORDS | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(WORDS | st.text(max_size=4), inner, max_size=5)
    ),
    max_leaves=25,
)
NEARLY = st.fixed_dictionaries(
    {
        "name": st.just("it"),
        "steps": st.lists(st.dictionaries(WORDS, ANY, max_size=5), min_size=1, max_size=3),
    },
    optional={"input": ANY, "output": ANY, "version": ANY},
)


def judged(data: bytes, catalogue: MemoryCatalogue) -> None:
    read = read_workflow(data, "it.yaml")
    assert (read.workflow is None) is bool(read.diagnostics)
    found = read.diagnostics
    if read.workflow is not None:
        found = check(read.workflow, catalogue)
        picture(read.workflow)
    for each in found:
        assert each.rule in RULES and each.message.isprintable() and each.hint.isprintable()


@given(st.binary(max_size=200))
def test_any_bytes_are_a_workflow_or_faults(data: bytes) -> None:
    judged(data, MemoryCatalogue())


@given(st.one_of(ANY, NEARLY))
def test_any_document_is_a_workflow_or_faults(document: Any) -> None:
    judged(json.dumps(document).encode(), MemoryCatalogue([Offered(name="a")]))


# -- definitions that may be right

SKILLS = (
    Offered(
        name="one", version="1.0.0", input=an_object(x={}), output=an_object(n={"type": "integer"}, t={})
    ),
    Offered(
        name="one", version="2.0.0", input=an_object(x={}, y={}), output=an_object(n={"type": "integer"})
    ),
    Offered(name="two", input={"type": "object", "properties": {"x": {}}, "additionalProperties": False}),
    Offered(name="three", input={"$ref": "#/$defs/x", "$defs": {"x": an_object(x=an_object(y={}))}}),
)
INNER = workflow("name: inner\ninput: {required: [x], properties: {x: {}}}\nsteps: [{skill: two}]")
CATALOGUE = MemoryCatalogue(SKILLS, [INNER])

# What each target takes, as it has to be for a call to be sent.
TARGETS = {
    "one": ("x", "y"),
    "one@1": ("x",),
    "one@^2": ("x", "y"),
    "two": (),
    "three": ("x",),
    "inner": ("x",),
    "inner@1": ("x",),
}
LOOPS: tuple[Any, ...] = ([1, 2], "x", "input.x")
WRONG_TARGETS = ("one@3", "two@1", "four", "inner@2", "outer")
WRONG_NAMES = (
    "steps[0].result",
    "steps[3].status",
    "later.result",
    "item",
    "index",
    "error.code",
    "steps[9].status",
)


class Making:
    """Draws a definition that is right but for a few places, in which anything may stand."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw
        self._count = 0
        self._slips = draw(st.integers(0, 1))

    def slip(self) -> bool:
        """Whether to do wrong here."""
        if self._slips and self._draw(st.integers(0, 9)) == 0:
            self._slips -= 1
            return True
        return False

    def steps(self, seen: list[str], prefix: str, depth: int) -> list[dict[str, Any]]:
        """Steps one after the other; `seen` are the references that are right here, and grows."""
        made = []
        for place in range(self._draw(st.integers(1, 3))):
            step = self.step(seen, depth)
            if not prefix:
                seen.append(f"steps[{place}].status")
                if "on_error" not in step and "when" not in step:
                    seen.append(f"steps[{place}].result")
            made.append(step)
        return made

    def step(self, seen: list[str], depth: int) -> dict[str, Any]:
        before = list(seen)
        id = f"s{self._count}"
        self._count += 1
        if depth == 0 and self._draw(st.integers(0, 4)) == 0:
            branches = [self.branch(before) for _ in range(2)]
            seen += [each for _, found in branches for each in found]
            made: dict[str, Any] = {"parallel": [steps for steps, _ in branches]}
        else:
            made = self.call(before, ("item", "index"))
        if self._draw(st.booleans()):
            made["id"] = id
            seen += [f"{id}.status", f"steps.{id}.status"]
        if self._draw(st.integers(0, 3)) == 0:
            made["when"] = f"{self.name(before)} {self._draw(st.sampled_from(['is defined', '!= 1']))}"
        return made

    def branch(self, before: list[str]) -> tuple[list[dict[str, Any]], list[str]]:
        seen = list(before)
        steps = self.steps(seen, "branch", 1)
        return steps, seen[len(before) :]

    def call(self, seen: list[str], extra: tuple[str, ...]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        loop = bool(extra) and self._draw(st.integers(0, 3)) == 0
        if loop:
            made["for_each"] = self._draw(st.sampled_from(LOOPS))
        target = self._draw(st.sampled_from(WRONG_TARGETS if self.slip() else tuple(TARGETS)))
        made["workflow" if target.startswith(("inner", "outer")) else "skill"] = target
        inside = [*seen, *extra] if loop else seen
        names = list(TARGETS.get(target, ("x",)))
        if self.slip():
            fewer: bool = self._draw(st.booleans())
            names = names[:-1] if names and fewer else [*names, "z"]
        value = {"y": self.value(inside)} if target == "three" else None
        made["params"] = {each: value or self.value(inside) for each in names}
        if extra and self._draw(st.integers(0, 3)) == 0:
            compensate = self.call([*seen, "error.code"], ())
            made["on_error"] = self._draw(st.sampled_from(["continue", {"compensate": compensate}]))
        return made

    def value(self, seen: list[str]) -> Any:
        form = self._draw(st.sampled_from(["{{%s}}", "a {{%s}}", "{{%s | default(1)}}", "text", "[]"]))
        return form % self.name(seen) if "%" in form else form

    def name(self, seen: list[str]) -> str:
        return self._draw(st.sampled_from(WRONG_NAMES if self.slip() or not seen else tuple(seen)))


@st.composite
def definitions(draw: st.DrawFn) -> dict[str, Any]:
    making = Making(draw)
    seen = ["x", "input.x"]
    steps = making.steps(seen, "", 0)
    given = {"type": "object", "properties": {"x": {}}}
    return {"name": "outer", "input": given, "steps": steps, "output": making.value(seen)}


# -- a run


class Ends(Exception):
    """The run ends for what the check promises that no run ends for."""


class Running:
    """One run: `results` are what skills give, in the order of the calls; every third call fails."""

    def __init__(self, made: Workflow, given: Mapping[str, Any], results: list[Any]) -> None:
        self._workflow, self._given, self._results = made, given, results
        self.ended: dict[str, Ended] = {}
        self.calls = 0

    def run(self) -> None:
        """Go through all steps; an ordinary failure of a step ends nothing here, so that all are seen."""
        for step in self._workflow.steps:
            self.step(step)
        if self._workflow.output is not None:
            self.fill(self._workflow.output)

    def step(self, step: Step) -> None:
        if step.when is not None and self.fill(step.when) is False:
            self.skip(step)
            return
        if isinstance(step.action, Parallel):
            # Branches run at the same time: none of them sees another, whatever the order.
            before = dict(self.ended)
            after: dict[str, Ended] = {}
            for branch in step.action.branches:
                self.ended = dict(before)
                for each in branch.steps:
                    self.step(each)
                after |= self.ended
            self.ended = after
            self.ended[step.id] = Ended(status="completed", result=[])
            return
        items = [None] if step.for_each is None else self.fill(step.for_each.items)
        for index, item in enumerate(items if isinstance(items, list) else [None]):
            more = {} if step.for_each is None else {"item": item, "index": index}
            self.ended[step.id] = self.call(step, more)
        self.ended.setdefault(step.id, Ended(status="completed", result=[]))
        if step.on_error.step is not None:
            self.call(step.on_error.step, {"error": {"code": "x", "message": "y"}})

    def skip(self, step: Step) -> None:
        self.ended[step.id] = Ended(status="skipped")
        for each in step.below():
            self.skip(each)

    def fill(self, template: Any, **more: Any) -> Any:
        scope = scope_of(self._workflow, self._given, self.ended, **more)
        try:
            return render(template, scope)
        except ExpressionFault as fault:
            # What a value turned out to be is the run's own matter; that a step is not there is not.
            gone = fault.code == "undefined" and fault.message.endswith("is not there")
            name = fault.message.removesuffix(" is not there")
            if gone and "." not in name.removeprefix("steps.") and name != "x":
                raise Ends(fault.message) from None
            return None

    def call(self, step: Step, more: Mapping[str, Any]) -> Ended:
        action = step.action
        assert isinstance(action, Call | Nested)
        params = {name: self.fill(each, **more) for name, each in action.params.fields.items()}
        for rule in (
            each.rule for each in problems(self.schema(action), params) if each.path.count("/") <= 1
        ):
            if rule in ("required", "additionalProperties"):
                raise Ends(f"{rule}: {step.id}")
        self.calls += 1
        if self.calls % 3 == 0 and step.on_error.action == "continue":
            return Ended(status="failed", error={"code": "x", "message": "y"})
        return Ended(status="completed", result=self._results[self.calls % len(self._results)])

    def schema(self, action: Call | Nested) -> Mapping[str, Any]:
        if isinstance(action, Nested):
            found = workflow_of([INNER], action.workflow, action.version)
            if found is None:
                raise Ends(f"no workflow {action.workflow}")
            return found.input
        offered = [each for each in SKILLS if each.name == action.skill]
        chosen = newest((each.version for each in offered), action.version)
        for each in offered:
            if each.version == chosen:
                return each.input
        raise Ends(f"no skill {action.skill}")


RESULTS = st.lists(
    st.sampled_from([{"n": 1, "t": "x"}, {"n": 2}, [], [1, 2], "{{x}}", None, True]), min_size=1, max_size=4
)


@settings(max_examples=150)
@given(definitions(), RESULTS)
def test_what_passes_ends_no_run_for_what_could_be_known(
    document: dict[str, Any], results: list[Any]
) -> None:
    read = read_workflow(json.dumps(document).encode(), "it.yaml")
    assert read.workflow is not None, read.diagnostics
    if any(each.reach >= Reach.ENTRY for each in check(read.workflow, CATALOGUE)):
        return
    made = read_document(read.workflow.document)
    Running(made, {"x": 1}, results).run()


@settings(max_examples=30)
@given(definitions(), RESULTS)
def test_the_runs_above_do_end_when_nothing_is_checked(document: dict[str, Any], results: list[Any]) -> None:
    """The other way round, for definitions that break one promise in a known place: the runs can tell."""
    document["steps"].append({"skill": "one@1", "params": {"y": 1}})
    made = read_document(document)
    assert any(each.reach >= Reach.ENTRY for each in check(made, CATALOGUE))
    try:
        Running(made, {"x": 1}, results).run()
    except Ends:
        return
    raise AssertionError("a run went through that could not")
