"""A tool's JSON Schema (2020-12) made ready to judge values, or refused.

A schema comes from a server that nobody has to trust: it is bounded in size, depth and number of
subschemas, its patterns run with a bound on backtracking, and a reference that leaves the document
is refused, never fetched (MCP 2026-07-28, tools, JSON Schema security). It does not word problems.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from prowess.call.schema_cost import judgeable
from prowess.capability.canonical import canonical
from prowess.redact import printable

if TYPE_CHECKING:
    from jsonschema_rs import Validator

# The largest tool schemas seen in public are some 100 kB and 12 levels deep.
MAX_SCHEMA_CHARACTERS = 1_000_000
MAX_SCHEMA_DEPTH = 64
MAX_SUBSCHEMAS = 10_000
MAX_BACKTRACKS = 100_000
MAX_PATTERN_BYTES = 1_000_000
KEPT = 2_000

_DIALECT = re.compile(
    r"^https?://json-schema\.org/(draft/2020-12/schema|draft/2019-09/schema|draft-0[467]/schema)#?$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaFault:
    """A schema that judges nothing: `code` is a stable word, `reason` fit to print."""

    code: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """A schema ready to judge."""

    schema: Mapping[str, Any]
    validator: Validator = field(repr=False)


class Schemas:
    """Compiled schemas, kept by their content and found again by identity first."""

    def __init__(self) -> None:
        self._by_identity: OrderedDict[int, tuple[object, Compiled | SchemaFault]] = OrderedDict()
        self._by_text: OrderedDict[str, Compiled | SchemaFault] = OrderedDict()

    def compiled(self, schema: object) -> Compiled | SchemaFault:
        """`schema` ready to judge, or why not. A schema that was handed in must not change afterwards."""
        known = self._by_identity.get(id(schema))
        if known is not None and known[0] is schema:
            return known[1]
        made = self._measured(schema)
        _remember(self._by_identity, id(schema), (schema, made))
        return made

    def _measured(self, schema: object) -> Compiled | SchemaFault:
        if not isinstance(schema, Mapping):
            return SchemaFault(code="schema-invalid", reason="the schema is not an object")
        fault = _out_of_bounds(schema)
        if fault is not None:
            return fault
        try:
            text = canonical(schema)
        except (ValueError, OverflowError):
            reason = "the schema holds a number that JSON does not have"
            return SchemaFault(code="schema-invalid", reason=reason)
        if len(text) > MAX_SCHEMA_CHARACTERS:
            return SchemaFault(
                code="schema-too-large", reason=f"the schema is over {MAX_SCHEMA_CHARACTERS} characters"
            )
        made = self._by_text.get(text) or _compile(schema)
        _remember(self._by_text, text, made)
        return made


def _remember(kept: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    kept[key] = value
    kept.move_to_end(key)
    if len(kept) > KEPT:
        kept.popitem(last=False)


def _out_of_bounds(schema: Mapping[str, Any]) -> SchemaFault | None:
    """Too deep, or too many objects: found without recursion, before anything else looks at it."""
    level: list[Any] = [schema]
    objects = 0
    for _ in range(MAX_SCHEMA_DEPTH):
        below: list[Any] = []
        for each in level:
            objects += isinstance(each, Mapping)
            below.extend(_children(each))
        if objects > MAX_SUBSCHEMAS:
            return SchemaFault(
                code="schema-too-large", reason=f"the schema has over {MAX_SUBSCHEMAS} objects"
            )
        if not below:
            return None
        level = below
    return SchemaFault(code="schema-too-large", reason=f"the schema is over {MAX_SCHEMA_DEPTH} levels deep")


def _children(value: object) -> list[Any]:
    children = (
        value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    )
    return [each for each in children if isinstance(each, Mapping | list | tuple)]


def _compile(schema: Mapping[str, Any]) -> Compiled | SchemaFault:
    import jsonschema_rs  # on first use: it costs more than the rest of the call path

    dialect = schema.get("$schema")
    if dialect is not None and not (isinstance(dialect, str) and _DIALECT.match(dialect)):
        reason = f"the schema's dialect is not supported: {printable(str(dialect))}"
        return SchemaFault(code="schema-dialect", reason=reason)
    patterns = jsonschema_rs.FancyRegexOptions(backtrack_limit=MAX_BACKTRACKS, size_limit=MAX_PATTERN_BYTES)
    try:
        validator = jsonschema_rs.validator_for(
            dict(schema), validate_formats=True, retriever=_refuse, pattern_options=patterns
        )
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        return _fault(str(getattr(error, "message", error)))
    if not judgeable(schema):
        return SchemaFault(
            code="schema-too-costly", reason="the schema refers to its own parts too often to be judged"
        )
    return Compiled(schema=schema, validator=validator)


def _refuse(uri: str) -> Any:
    raise ValueError(f"a reference out of the schema is never fetched: {printable(uri)}")


def _fault(message: str) -> SchemaFault:
    shown = printable(message.splitlines()[0] if message else "", 300)
    if "not present in a registry" in message:
        return SchemaFault(code="schema-remote-reference", reason=f"the schema refers out of itself: {shown}")
    return SchemaFault(code="schema-invalid", reason=f"the schema is not valid JSON Schema: {shown}")
