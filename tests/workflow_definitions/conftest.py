"""Definitions to read and skills that they may name."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from prowess.spec.diagnostics import Diagnostic
from prowess.workflow.catalogue import MemoryCatalogue, Offered
from prowess.workflow.checking import check
from prowess.workflow.definition import Workflow
from prowess.workflow.reading import Read, read_workflow

TEXT = {"type": "string"}

FLIGHT = """\
name: book_flight
description: Book a flight for a user; use when they want to travel by air on a date.
triggers: [book a flight, 订机票]
version: 1.0.0
input: {type: object, required: [user], properties: {user: {type: object, required: [from, to, date]}}}
steps:
  - id: search
    skill: search_flights
    params: {from: "{{user.from}}", to: "{{user.to}}", date: "{{user.date}}"}
  - skill: compare_prices
    params: {flights: "{{steps[0].result}}"}
  - skill: select_seat
    when: "steps[1].result.best.seats > 0"
    params: {flight: "{{steps[1].result.best}}"}
  - skill: pay
    approve: "Pay {{steps[1].result.best.price}}?"
    params: {order: "{{steps[2].result.order}}"}
output: {ticket: "{{steps[3].result}}"}
"""

FOUR_STEPS = """\
name: book_flight
steps:
  - skill: search_flights
    params: {from: "{{user.from}}", to: "{{user.to}}", date: "{{user.date}}"}
  - skill: compare_prices
    params: {flights: "{{steps[0].result}}"}
  - skill: select_seat
    params: {flight: "{{steps[1].result.best}}"}
  - skill: pay
    params: {order: "{{steps[2].result.order}}"}
"""


def an_object(required: Iterable[str] = (), **properties: Mapping[str, Any]) -> dict[str, Any]:
    """A closed schema of an object."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required or properties),
        "additionalProperties": False,
    }


FLIGHT_SKILLS = (
    Offered(
        name="search_flights",
        version="1.0.0",
        input=an_object(**{"from": TEXT, "to": TEXT, "date": TEXT}),
        output={"type": "array", "items": an_object(price={"type": "number"})},
    ),
    Offered(
        name="compare_prices",
        version="1.2.0",
        input=an_object(flights={"type": "array"}),
        output=an_object(best=an_object(price={"type": "number"}, seats={"type": "integer"})),
    ),
    Offered(
        name="select_seat",
        version="2.0.0",
        input=an_object(flight={"type": "object"}),
        output=an_object(order=an_object(id=TEXT)),
    ),
    Offered(name="pay", version="1.0.0", input=an_object(order={"type": "object"})),
    Offered(name="tool", input={"type": "object"}, repeatable=False),
)


def read(text: str) -> Read:
    """A definition as it is written in a test."""
    return read_workflow(textwrap.dedent(text).encode(), "it.yaml")


def workflow(text: str) -> Workflow:
    """The same where nothing is wrong."""
    found = read(text)
    assert found.workflow is not None, found.diagnostics
    return found.workflow


def steps(text: str) -> Workflow:
    """A workflow of which only the steps are said."""
    return workflow("name: it\nsteps:\n" + textwrap.indent(textwrap.dedent(text), "  "))


def told(diagnostics: Iterable[Diagnostic]) -> list[tuple[str, int | None]]:
    """Rules and lines."""
    return [(each.rule, each.place.line) for each in diagnostics]


@pytest.fixture
def catalogue() -> MemoryCatalogue:
    return MemoryCatalogue(FLIGHT_SKILLS)


def checked(text: str, *others: Workflow) -> list[tuple[str, int | None]]:
    """What the static check says of a definition, against the skills for flights."""
    made = workflow(text)
    return told(check(made, MemoryCatalogue(FLIGHT_SKILLS, [made, *others])))
