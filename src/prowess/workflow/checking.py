"""The static check: what can be known to be wrong with a workflow before it runs.

A definition that passes never ends a run because of a skill, a version or a workflow that is not there, a
parameter that is unknown or missing, or a step that has not run yet; as long as what is on offer stays the
same. What cannot be known before the run is let through. Nothing is called.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from prowess.call.schemas import SchemaFault, Schemas
from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic
from prowess.workflow.catalogue import Catalogue, Offered, workflow_of
from prowess.workflow.checking_params import judge_params, leaves
from prowess.workflow.definition import Call, Nested, Parallel, Step, Wait, Workflow
from prowess.workflow.expressions import Expression
from prowess.workflow.faults import ExpressionFault
from prowess.workflow.fields import Telling, nearest
from prowess.workflow.inferring import View, infer
from prowess.workflow.loops import loop_from
from prowess.workflow.scope import RESERVED
from prowess.workflow.templates import Fields, Fixed, Items, Template, Text
from prowess.workflow.types import ALL, UNKNOWN, Typed, list_of, mapping_of, of_kinds, typed, words

_ERROR = mapping_of({"code": of_kinds("string"), "message": of_kinds("string")})
_SCHEMAS = Schemas()


def check(
    workflow: Workflow, catalogue: Catalogue | None, beside: Iterable[Workflow] = ()
) -> tuple[Diagnostic, ...]:
    """Everything that is wrong with a workflow that was read, and what is worth knowing.

    Without a catalogue nothing is said about skills, and of other workflows only which loops there are
    with those that stand `beside` it.
    """
    checking = _Checking(workflow, catalogue, beside)
    checking.run()
    return tuple(sorted(checking.telling.found, key=lambda each: each.place.line or 0))


class _Checking:
    def __init__(self, workflow: Workflow, catalogue: Catalogue | None, beside: Iterable[Workflow]) -> None:
        self.telling = Telling(workflow.file)
        self._workflow = workflow
        self._catalogue = catalogue
        others = beside if catalogue is None else catalogue.workflows()
        self._workflows = (*(each for each in others if each.title != workflow.title), workflow)
        self._input = UNKNOWN
        self._ids = frozenset(step.id for step in workflow.all_steps() if step.named)
        self._order = tuple(step.id for step in workflow.steps)

    def run(self) -> None:
        """Check all of it."""
        self._judge_input()
        seen = self._steps(self._workflow.steps, {})
        if self._workflow.output is not None:
            self._template(self._workflow.output, self._view(seen), "output")

    def _judge_input(self) -> None:
        schema = self._workflow.input
        fault = _SCHEMAS.compiled(schema)
        if isinstance(fault, SchemaFault):
            self.telling.tell("workflow-input-schema", self._line("input"), f"input: {fault.reason}")
            return
        self._input = typed(schema)
        for name in self._input.named():
            if name in (*RESERVED, *self._ids):
                what = "has a meaning of its own" if name in RESERVED else "is also the id of a step"
                message = f"the input's property {printable(name, 60)} {what} in expressions"
                self.telling.tell("workflow-shadow", self._line("input"), message, "rename one of the two")

    def _line(self, name: str) -> int | None:
        return self._workflow.lines.get(name)

    # -- steps

    def _steps(self, steps: Sequence[Step], before: Mapping[str, Typed]) -> dict[str, Typed]:
        """The records that can be seen after `steps`, which run one after the other."""
        seen = dict(before)
        for step in steps:
            inside, result = self._step(step, self._view(seen))
            seen |= inside
            seen[step.id] = _record(step, result)
        return seen

    def _view(self, seen: Mapping[str, Typed]) -> View:
        return View(input=self._input, order=self._order, ids=self._ids, steps=seen)

    def _step(self, step: Step, view: View) -> tuple[dict[str, Typed], Typed]:
        """The records of steps inside, and what is known of the result."""
        self._conditions(step, view)
        inner = view if step.for_each is None else self._looping(step, view)
        inside: dict[str, Typed] = {}
        result = UNKNOWN
        match step.action:
            case Call() as call:
                result = self._call(step, call, inner)
            case Nested() as nested:
                self._nested(step, nested, inner)
            case Wait() as wait:
                result = self._wait(step, wait, view)
            case Parallel() as parallel:
                inside, result = self._parallel(parallel, view)
        if step.on_error.step is not None:
            self._step(step.on_error.step, replace(view, extra={"error": _ERROR}))
        return inside, result if step.for_each is None else list_of(result)

    def _conditions(self, step: Step, view: View) -> None:
        if step.when is not None:
            found = self._expression(step.when, view, f"step {step.id}: when")
            if found.excludes(("boolean",)):
                message = f"step {step.id}: when must be true or false; this is {found.words}"
                hint = "compare it: VALUE > 0, VALUE | length > 0, VALUE is not null"
                self.telling.tell("workflow-type", step.when.line, message, hint)
            elif _always(step.when) is False:
                self.telling.tell(
                    "workflow-dead-step", step.when.line, f"step {step.id} never runs: when is false"
                )
        if step.approve is not None:
            self._template(step.approve, view, f"step {step.id}: approve")

    def _looping(self, step: Step, view: View) -> View:
        """What params see inside of `for_each`."""
        assert step.for_each is not None
        items, where = step.for_each.items, f"step {step.id}: for_each"
        if isinstance(items, Items) and not items.items:
            self.telling.tell(
                "workflow-dead-step", items.line, f"step {step.id} never runs: there are no items"
            )
        found = self._template(items, view, where)
        if found.excludes(("array",)):
            self.telling.tell("workflow-type", items.line, f"{where} must be a list; this is {found.words}")
        return replace(view, extra={"item": found.item or found.member(0), "index": of_kinds("number")})

    def _wait(self, step: Step, wait: Wait, view: View) -> Typed:
        for template, kinds in (
            (wait.seconds, ("number", "string")),
            (wait.until, ("string",)),
            (wait.event, ALL),
        ):
            if template is not None:
                found = self._template(template, view, f"step {step.id}: wait")
                if found.excludes(kinds):
                    message = f"step {step.id}: wait must be {words(kinds)}; this is {found.words}"
                    self.telling.tell("workflow-type", template.line, message)
        return UNKNOWN if wait.event is not None else of_kinds("null")

    def _parallel(self, parallel: Parallel, view: View) -> tuple[dict[str, Typed], Typed]:
        inside: dict[str, Typed] = {}
        results: dict[str, Typed] = {}
        for branch in parallel.branches:
            after = self._steps(branch.steps, view.steps)
            inside |= {id: each for id, each in after.items() if id not in view.steps}
            results[branch.name] = UNKNOWN
        return inside, mapping_of(results) if parallel.named else of_kinds("array")

    # -- calls

    def _call(self, step: Step, call: Call, view: View) -> Typed:
        kinds = self._params(step, call.params, view)
        if self._catalogue is None:
            self._loop(step)
            return UNKNOWN
        offered = self._catalogue.offered(call.skill)
        if not offered:
            hint = nearest(call.skill, [each for each in self._catalogue.names() if "/" not in each])
            self._tell(step, "workflow-unknown-skill", f"there is no skill {printable(call.skill, 80)}", hint)
            return UNKNOWN
        chosen = self._catalogue.may_run(call.skill, call.version)
        if not chosen:
            self._no_version(step, call.skill, call.version, (each.version for each in offered))
            return UNKNOWN
        for each in chosen:
            self._given(step, call.params, each.input, kinds, _title(each))
        if (
            step.retry is not None
            and step.retry.attempts > 1
            and any(each.repeatable is False for each in chosen)
        ):
            message = (
                f"{printable(call.skill, 80)} does not say that it may be done twice, so it is tried once"
            )
            self._tell(step, "workflow-retry-never", message, "leave retry out, or make the skill idempotent")
        self._loop(step)
        outputs = [each.output for each in chosen]
        return typed(outputs[0]) if len(outputs) == 1 and outputs[0] is not None else UNKNOWN

    def _nested(self, step: Step, nested: Nested, view: View) -> None:
        kinds = self._params(step, nested.params, view)
        if self._catalogue is None:
            self._loop(step)
            return
        found = workflow_of(self._workflows, nested.workflow, nested.version)
        if found is None:
            named = [each.version for each in self._workflows if each.name == nested.workflow]
            if named:
                self._no_version(step, nested.workflow, nested.version, named)
                return
            message = f"there is no workflow {printable(nested.workflow, 80)}"
            hint = nearest(nested.workflow, sorted({each.name for each in self._workflows}))
            self._tell(step, "workflow-unknown-workflow", message, hint)
            return
        self._given(step, nested.params, found.input, kinds, found.title)
        self._loop(step)

    def _no_version(self, step: Step, name: str, asked: str, versions: Iterable[str]) -> None:
        known = ", ".join(printable(each, 40) for each in versions if each)[:300]
        message = f"no version of {printable(name, 80)} fits {asked or 'a call that asks for none'}"
        self._tell(
            step, "workflow-unknown-version", message, f"there are {known}" if known else "it has no versions"
        )

    def _given(self, step: Step, params: Fields, schema: Mapping[str, Any], kinds: Any, title: str) -> None:
        def tell(rule: str, line: int | None, message: str, hint: str) -> None:
            shown = f"step {step.id}: {printable(title, 80)}: {message}"
            self.telling.tell(rule, step.line if line is None else line, shown, hint)

        judge_params(params, schema, kinds, tell)

    def _loop(self, step: Step) -> None:
        path = loop_from(step.action, self._workflow, self._workflows)
        if path:
            message = f"step {step.id} leads into a loop: {printable(' runs '.join(path), 300)}"
            self._tell(
                step, "workflow-loop", message, "a workflow cannot run itself, also not through others"
            )

    # -- values

    def _params(self, step: Step, params: Fields, view: View) -> dict[tuple[str | int, ...], Typed]:
        """What is known of each value that an expression gives."""
        where = f"step {step.id}: params"
        return {
            path: self._template(each, view, where)
            for path, each in leaves(params)
            if not isinstance(each, Fixed)
        }

    def _template(self, template: Template, view: View, where: str) -> Typed:
        match template:
            case Expression():
                return self._expression(template, view, where)
            case Text(parts=parts):
                for each in parts:
                    if isinstance(each, Expression):
                        self._expression(each, view, where)
                return of_kinds("string")
            case Items(items=items):
                found = [self._template(each, view, where) for each in items]
                alike = bool(found) and all(each == found[0] for each in found)
                return list_of(found[0]) if alike else of_kinds("array")
            case Fields(fields=fields):
                return mapping_of({name: self._template(each, view, where) for name, each in fields.items()})
            case Fixed(value=value):
                return typed({"const": value})

    def _expression(self, expression: Expression, view: View, where: str) -> Typed:
        def tell(rule: str, message: str, hint: str) -> None:
            self.telling.tell(rule, expression.line, f"{where}: {message}", hint)

        try:
            return infer(expression.tree, view, tell)
        except ExpressionFault as fault:
            self.telling.tell("workflow-expression", expression.line, f"{where}: {fault.message}", fault.hint)
            return UNKNOWN

    def _tell(self, step: Step, rule: str, message: str, hint: str = "") -> None:
        self.telling.tell(rule, step.line, f"step {step.id}: {message}", hint)


def _record(step: Step, result: Typed) -> Typed:
    """What later steps find under a step."""
    members = {"status": of_kinds("string"), "result": result}
    if step.on_error.action == "continue":
        members["error"] = _ERROR
    return mapping_of(members)


def _title(offered: Offered) -> str:
    return f"{offered.name}@{offered.version}" if offered.version else offered.name


def _always(expression: Expression) -> Any:
    """What an expression gives that refers to nothing; None when it does, or gives nothing."""
    try:
        return None if any(expression.references()) else expression.evaluate({})
    except ExpressionFault:
        return None
