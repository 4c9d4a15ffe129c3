"""Schemas of a unit held against themselves, its examples and what a `schema.json` would hold of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from prowess.call.validation import problems
from prowess.evaluate.checks import Check
from prowess.redact import printable
from prowess.spec.diagnostics import Place
from prowess.units.lint import examples_of, resolved
from prowess.units.metadata import read_unit
from prowess.units.model import Unit
from prowess.units.offering import said_of


def check_schemas(unit: Unit) -> Iterator[Check]:
    """Three checks: the values that a unit gives as examples, the round trip, what has to be refused."""
    yield _check("examples fit the schemas", _values(unit))
    yield _check("metadata read again is the same", _round_trip(unit))
    yield _check("what is missing or unknown is refused", _refusals(unit))


def misfits(schema: Mapping[str, Any] | None, value: Any) -> str:
    """Why `value` does not fit; empty when it does, or when nothing is said."""
    if schema is None:
        return ""
    found = problems(dict(schema), value)
    return "; ".join(each.hint.removesuffix("; nothing was sent") for each in found[:3])


def _check(name: str, faults: Iterator[str]) -> Check:
    detail = next(faults, "")
    return Check(kind="schema", name=name, status="failed" if detail else "ok", detail=detail)


def _values(unit: Unit) -> Iterator[str]:
    for number, example in enumerate(unit.examples, 1):
        said = misfits(unit.parameters, example.get("input", {}))
        if said and "error" not in example:
            yield f"input of example {number}: {said}"
        said = misfits(unit.returns, example["output"]) if "output" in example else ""
        if said:
            yield f"output of example {number}: {said}"
    members = unit.parameters.get("properties", {})
    for name, member in members.items():
        schema = resolved(member, unit.parameters)
        values = [*examples_of(schema), *([schema["default"]] if "default" in schema else [])]
        whole = {
            **schema,
            **{key: unit.parameters[key] for key in ("$defs", "definitions") if key in unit.parameters},
        }
        for value in values:
            said = misfits(whole, value)
            if said:
                yield f"example or default of {printable(name, 80)}: {said}"


def _round_trip(unit: Unit) -> Iterator[str]:
    try:
        said = json.loads(json.dumps(said_of(unit), allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        yield f"it is no JSON: {printable(str(error), 200)}"
        return
    again, told = read_unit(said, place=Place(file="schema.json"), subject="", form=unit.form)
    if again is None:
        yield f"it cannot be read again: {'; '.join(each.message for each in told[:3])}"
    elif said_of(again) != said_of(unit):
        before, after = said_of(unit), said_of(again)
        names = [name for name in before if before[name] != after.get(name)]
        yield f"{printable(', '.join(names), 200)} is another after it was written and read"


def _refusals(unit: Unit) -> Iterator[str]:
    given = next((each.get("input", {}) for each in unit.examples if "error" not in each), None)
    if given is None or misfits(unit.parameters, given):
        return
    for name in unit.parameters.get("required", []):
        left = {key: value for key, value in given.items() if key != name}
        if not misfits(unit.parameters, left):
            yield f"{printable(name, 80)} is required, and a call without it passes"
    unknown = {**given, "no such parameter": None}
    if unit.parameters.get("additionalProperties") is False and not misfits(unit.parameters, unknown):
        yield "a parameter that there is not passes"
