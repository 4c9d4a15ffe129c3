"""The steps of a definition: which fields each kind of step has, and what they may hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from prowess.choose.versions import range_of
from prowess.choose.versions import split as split_name
from prowess.errors import UsageError
from prowess.redact import printable
from prowess.workflow.definition import (
    Action,
    Branch,
    Call,
    ForEach,
    Nested,
    OnError,
    Parallel,
    Retry,
    Step,
    Wait,
)
from prowess.workflow.expressions import Expression
from prowess.workflow.fields import Taking, Telling
from prowess.workflow.located import Located
from prowess.workflow.scope import RESERVED, WORDS
from prowess.workflow.templates import Fields, Fixed, Template

KINDS = ("skill", "workflow", "wait", "parallel")
STEP_FIELDS = (
    *("id", *KINDS, "version", "params", "when", "approve", "for_each", "concurrency"),
    *("retry", "timeout", "on_error"),
)
WAIT_FIELDS = ("seconds", "until", "event")
RETRY_FIELDS = ("attempts", "delay", "factor", "max_delay")
ID = r"[A-Za-z_][A-Za-z0-9_]{0,63}"
MOST_ATTEMPTS = 20
MOST_AT_ONCE = 100

# Which fields act on which kind of step; the others of STEP_FIELDS act on all.
_ONLY = {
    "version": ("skill", "workflow"),
    "params": ("skill", "workflow"),
    "for_each": ("skill", "workflow"),
    "concurrency": ("skill", "workflow"),
    "retry": ("skill",),
}
_NEEDS = "write skill: NAME, workflow: NAME, wait: 5m or parallel: [...]"


def read_steps(fields: Taking, telling: Telling) -> tuple[Step, ...]:
    """The steps under `steps`; told where there is none."""
    if not fields.has("steps"):
        fields.tell("steps", "is missing", "steps: [{skill: NAME}]", "workflow-required-field")
        return ()
    return _list(fields.fields["steps"], "", telling)


def _list(said: Located, above: str, telling: Telling) -> tuple[Step, ...]:
    """A list of steps; `above` is the place that their own places are added to."""
    if not isinstance(said.value, list) or not said.value:
        message = "steps are a list of at least one step"
        telling.tell("workflow-field", said.line, message, "begin each step with a dash: - skill: NAME")
        return ()
    return tuple(read_step(each, f"{above}{place}", telling) for place, each in enumerate(said.value))


def read_step(said: Located, place: str, telling: Telling) -> Step:
    """One step; what is wrong with it is told, and left out of it."""
    fields = Taking(said, f"step {place}", STEP_FIELDS, telling)
    id = _id(fields)
    return Step(
        id=id or place,
        named=bool(id),
        action=_action(fields, place, telling),
        when=fields.expression("when"),
        approve=_approve(fields),
        for_each=_for_each(fields),
        retry=_retry(fields, telling),
        timeout=fields.seconds("timeout"),
        on_error=_on_error(fields, place, telling),
        line=fields.line,
    )


def _id(fields: Taking) -> str:
    id = fields.text("id")
    if not id:
        return ""
    if not re.fullmatch(ID, id):
        fields.tell(
            "id", f"{printable(id, 60)} is no id", "letters, digits and _, not beginning with a digit"
        )
    elif id in RESERVED or id.lower() in WORDS:
        fields.tell(
            "id", f"{id} has a meaning of its own in expressions", "choose another name", "workflow-shadow"
        )
    else:
        return id
    return ""


def _action(fields: Taking, place: str, telling: Telling) -> Action:
    kinds = [each for each in KINDS if fields.has(each)]
    if len(kinds) != 1:
        what = f"has {' and '.join(kinds)}; a step does one thing" if kinds else "does nothing"
        fields.tell(None, what, _NEEDS, "workflow-step-kind")
        return Call(skill="")
    for name, allowed in _ONLY.items():
        if fields.has(name) and kinds[0] not in allowed:
            hint = f"{name} belongs to a step with {' or '.join(allowed)}"
            fields.tell(name, f"has no meaning beside {kinds[0]}", hint, "workflow-field")
    if kinds[0] == "parallel":
        return _parallel(fields, place, telling)
    if kinds[0] == "wait":
        return _wait(fields, telling)
    name, version = _target(fields, kinds[0])
    params = _params(fields)
    if kinds[0] == "skill":
        return Call(skill=name, version=version, params=params)
    return Nested(workflow=name, version=version, params=params)


def _target(fields: Taking, kind: str) -> tuple[str, str]:
    """The name and the range of a skill or a workflow: `NAME`, `NAME@RANGE`, or with `version` beside it."""
    name, asked = split_name(fields.text(kind))
    version = fields.text("version")
    if asked and version:
        fields.tell(
            "version", f"stands beside {printable(name, 60)}@{printable(asked, 60)}", "keep one of the two"
        )
    if fields.has(kind) and not name and fields.fields[kind].value:
        fields.tell(kind, "has no name", f"{kind}: NAME")
    wanted = version or asked
    try:
        if wanted:
            range_of(wanted)
    except UsageError as error:
        fields.tell("version" if version else kind, f"cannot be read: {error.message}", error.hint)
        wanted = ""
    return name, wanted


def _params(fields: Taking) -> Fields:
    if not fields.has("params"):
        return Fields(fields={}, line=fields.line)
    found = fields.template("params")
    if isinstance(found, Fields):
        return found
    fields.tell("params", "must be a mapping of parameters", 'params: {city: "{{city}}"}')
    return Fields(fields={}, line=fields.line)


def _approve(fields: Taking) -> Any:
    if not fields.has("approve"):
        return None
    text = fields.text("approve", hint='approve: "Pay {{price}}?"')
    return fields.filled_text(text, "approve", fields.fields["approve"].line) if text else None


def _for_each(fields: Taking) -> ForEach | None:
    at_once = fields.whole("concurrency", 1, MOST_AT_ONCE, 1)
    if not fields.has("for_each"):
        if fields.has("concurrency"):
            fields.tell("concurrency", "has no meaning without for_each")
        return None
    value = fields.fields["for_each"].value
    items: Template | None
    if isinstance(value, str):
        items = fields.expression("for_each")
    elif isinstance(value, list):
        items = fields.template("for_each")
    else:
        items = None
        fields.tell(
            "for_each", "must be a list, or an expression that gives one", 'for_each: "steps[0].result"'
        )
    return None if items is None else ForEach(items=items, concurrency=at_once)


def _retry(fields: Taking, telling: Telling) -> Retry | None:
    if not fields.has("retry"):
        return None
    said = fields.fields["retry"]
    if not isinstance(said.value, Mapping):
        return Retry(attempts=fields.whole("retry", 1, MOST_ATTEMPTS, 1))
    inner = Taking(said, f"{fields.where}: retry", RETRY_FIELDS, telling)
    if not inner.has("attempts"):
        inner.tell(None, "does not say how many attempts", "retry: {attempts: 3}", "workflow-required-field")
    base = Retry(attempts=inner.whole("attempts", 1, MOST_ATTEMPTS, 1))
    return Retry(
        attempts=base.attempts,
        delay=inner.seconds("delay") or base.delay,
        factor=_factor(inner, base.factor),
        max_delay=inner.seconds("max_delay") or base.max_delay,
    )


def _factor(inner: Taking, otherwise: float) -> float:
    if not inner.has("factor"):
        return otherwise
    value = inner.fields["factor"].value
    if isinstance(value, bool) or not isinstance(value, int | float) or not 1 <= value <= 10:
        inner.tell("factor", "must be a number from 1 to 10")
        return otherwise
    return float(value)


def _on_error(fields: Taking, place: str, telling: Telling) -> OnError:
    if not fields.has("on_error"):
        return OnError()
    said = fields.fields["on_error"]
    hint = "fail, continue, or {compensate: {skill: NAME}}"
    if said.value in ("fail", "continue"):
        return OnError(action=said.value)
    if not isinstance(said.value, Mapping):
        fields.tell("on_error", "is neither fail nor continue nor a step that compensates", hint)
        return OnError()
    inner = Taking(said, f"{fields.where}: on_error", ("compensate",), telling)
    if not inner.has("compensate"):
        inner.tell(None, "does not say what compensates", hint, "workflow-required-field")
        return OnError()
    step = read_step(inner.fields["compensate"], f"{place}.compensate", telling)
    if not isinstance(step.action, Call | Nested) or step.on_error.action != "fail":
        inner.tell(
            "compensate", "must be a call without an on_error of its own", "{compensate: {skill: NAME}}"
        )
    elif step.when or step.approve or step.for_each:
        inner.tell(
            "compensate", "runs whenever the step fails: when, approve and for_each have no meaning there"
        )
    return OnError(action="compensate", step=step)


def _parallel(fields: Taking, place: str, telling: Telling) -> Parallel:
    said = fields.fields["parallel"]
    hint = "a list of steps, or a mapping of names to lists of steps"
    if isinstance(said.value, list) and len(said.value) > 0:
        named = False
        each = {str(number): branch for number, branch in enumerate(said.value)}
    elif isinstance(said.value, Mapping) and said.value:
        named, each = True, dict(said.value)
    else:
        fields.tell("parallel", "has no branches", hint)
        return Parallel(branches=())
    branches = []
    for name, branch in each.items():
        if not re.fullmatch(ID if named else r"[0-9]+", name):
            fields.tell("parallel", f"{printable(name, 60)} is no name of a branch", "letters, digits and _")
        else:
            branches.append(Branch(name=name, steps=_branch(branch, f"{place}.{name}", telling)))
    return Parallel(branches=tuple(branches), named=named)


def _branch(said: Located, place: str, telling: Telling) -> tuple[Step, ...]:
    if isinstance(said.value, list):
        return _list(said, f"{place}.", telling)
    return (read_step(said, f"{place}.0", telling),)


def _wait(fields: Taking, telling: Telling) -> Wait:
    said = fields.fields["wait"]
    if not isinstance(said.value, Mapping):
        return Wait(seconds=_wait_seconds(fields, "wait"))
    inner = Taking(said, f"{fields.where}: wait", WAIT_FIELDS, telling)
    if len([each for each in WAIT_FIELDS if inner.has(each)]) != 1:
        inner.tell(None, "waits for one thing", "{seconds: 30}, {until: EXPR} or {event: NAME}")
    if inner.has("event"):
        return Wait(event=_wait_text(inner, "event"))
    if inner.has("until"):
        return Wait(until=_wait_text(inner, "until"))
    return Wait(seconds=_wait_seconds(inner, "seconds"))


def _wait_seconds(fields: Taking, name: str) -> Template | None:
    value = fields.fields[name].value if fields.has(name) else None
    if isinstance(value, str) and "{{" in value:
        found = fields.template(name)
        if isinstance(found, Expression):
            return found
        fields.tell(name, "must be a duration, or an expression that gives one", f'{name}: "{{{{seconds}}}}"')
        return None
    seconds = fields.seconds(name)
    return None if seconds is None else Fixed(value=seconds, line=fields.fields[name].line)


def _wait_text(fields: Taking, name: str) -> Template | None:
    text = fields.text(name)
    return fields.filled_text(text, name, fields.fields[name].line) if text else None
