"""A document held against a schema of ours, and against a copy of another that the user has.

Two verdicts, each with every fault and its place. A schema from elsewhere is bounded, and nothing that it
refers to is ever fetched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from prowess.errors import UsageError
from prowess.redact import Redactor, printable

MOST = 20  # faults that are told of one document


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaVerdict:
    """Whether a document fits, and the first faults, each as a JSON pointer and what is wrong there."""

    fits: bool
    faults: tuple[tuple[str, str], ...] = ()


def hold_against(schema: Mapping[str, Any], document: Any, *, called: str = "the schema") -> SchemaVerdict:
    """`document` against `schema`. Raises UsageError for a schema that judges nothing."""
    from prowess.call.schemas import SchemaFault, Schemas

    compiled = Schemas().compiled(schema)
    if isinstance(compiled, SchemaFault):
        raise UsageError(f"{called} cannot be used: {compiled.reason}")
    found, redactor = [], Redactor()  # a message quotes what it found
    for error in compiled.validator.iter_errors(document):
        found.append((_pointer(error.instance_path), printable(redactor.text(error.message), 300)))
        if len(found) == MOST:
            break
    return SchemaVerdict(fits=not found, faults=tuple(found))


def _pointer(path: list[str | int]) -> str:
    return "".join("/" + printable(str(step), 80).replace("~", "~0").replace("/", "~1") for step in path)
