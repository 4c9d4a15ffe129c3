"""Arguments that a tool's own schema lets through: its examples, or the least that is valid.

JSON Schema 2020-12, as far as an instance can be read off it. What is made is held against the schema;
where nothing fits, there is no example rather than a wrong one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Origin = Literal["unit", "schema", "made"]

DEPTH = 12
_FORMATS = {
    "date": "2026-01-31",
    "time": "12:00:00Z",
    "date-time": "2026-01-31T12:00:00Z",
    "duration": "P1D",
    "email": "somebody@example.com",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/",
    "uri-reference": "/",
    "uuid": "00000000-0000-4000-8000-000000000000",
}
_TEXTS = ("example", "a", "A", "1", "0", "a1", "2026-01-31", "2026-W31", "a@example.com", "AB12", "en", "EUR")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """Arguments, and where they come from: the unit's examples, those of the schema, or made."""

    arguments: dict[str, Any]
    origin: Origin


def example_of(schema: Mapping[str, Any], said: tuple[Any, ...] = ()) -> Example | None:
    """Arguments that `schema` accepts, or None. `said` are inputs that the tool's author shows."""
    from prowess.call.schemas import SchemaFault, Schemas

    compiled = Schemas().compiled(schema)
    if isinstance(compiled, SchemaFault):
        return None
    for value, origin in _candidates(schema, said):
        if isinstance(value, dict) and compiled.validator.is_valid(value):
            return Example(arguments=value, origin=origin)
    return None


def _candidates(schema: Mapping[str, Any], said: tuple[Any, ...]) -> Iterator[tuple[Any, Origin]]:
    for each in said:
        yield each, "unit"
    for each in _examples(schema):
        yield each, "schema"
    shown = _Maker(schema).object_with_examples()
    if shown is not None:
        yield shown, "schema"
    yield _Maker(schema).value(schema), "made"


def _examples(schema: Mapping[str, Any]) -> list[Any]:
    """What the schema itself gives as a value, best first."""
    found = list(given) if isinstance(given := schema.get("examples"), list) else []
    return found + [schema[key] for key in ("example", "const", "default") if key in schema]


class _Maker:
    """Makes values by a schema; `root` is where its local references lead."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root

    def object_with_examples(self) -> dict[str, Any] | None:
        """What is required, and every other member that has an example; None where none has one."""
        members = self._root.get("properties")
        if not isinstance(members, Mapping):
            return None
        shown = {
            name: examples[0]
            for name, each in members.items()
            if isinstance(each, Mapping) and (examples := _examples(each))
        }
        made = self.value(self._root)
        return {**made, **shown} if shown and isinstance(made, dict) else None

    def value(self, schema: Any, depth: int = DEPTH) -> Any:
        """The least value that `schema` seems to accept."""
        if not isinstance(schema, Mapping) or depth == 0:
            return "example"
        if examples := _examples(schema):
            return examples[0]
        if isinstance(choices := schema.get("enum"), list) and choices:
            return choices[0]
        if isinstance(reference := schema.get("$ref"), str):
            return self.value(self._referred(reference), depth - 1)
        merged = self._merged(schema, depth)
        return self._by_type(merged, depth)

    def _merged(self, schema: Mapping[str, Any], depth: int) -> Mapping[str, Any]:
        """The schema with all of `allOf` and the first of `anyOf` or `oneOf` in it."""
        parts = [
            *_list(schema.get("allOf")),
            *_list(schema.get("anyOf"))[:1],
            *_list(schema.get("oneOf"))[:1],
        ]
        merged = dict(schema)
        for part in parts if depth > 1 else []:
            if isinstance(part, Mapping) and isinstance(part.get("$ref"), str):
                part = self._referred(part["$ref"])
            if not isinstance(part, Mapping):
                continue
            part = self._merged(part, depth - 1)
            properties = {**_mapping(merged.get("properties")), **_mapping(part.get("properties"))}
            required = [*_list(merged.get("required")), *_list(part.get("required"))]
            merged |= {**part, "properties": properties, "required": required}
        return merged

    def _referred(self, reference: str) -> Any:
        """What a local reference leads to; another one is never followed."""
        here: Any = self._root
        for step in reference.removeprefix("#").split("/")[1:] if reference.startswith("#") else [""]:
            step = step.replace("~1", "/").replace("~0", "~")
            here = here.get(step) if isinstance(here, Mapping) else None
        return here

    def _by_type(self, schema: Mapping[str, Any], depth: int) -> Any:
        kind = schema.get("type")
        kind = next((each for each in kind if each != "null"), "null") if isinstance(kind, list) else kind
        if kind is None:
            kind = "object" if schema.get("properties") or schema.get("required") else "string"
        if kind == "object":
            members = _mapping(schema.get("properties"))
            wanted = [each for each in _list(schema.get("required")) if isinstance(each, str)]
            return {name: self.value(members.get(name, {}), depth - 1) for name in dict.fromkeys(wanted)}
        if kind == "array":
            return self._array(schema, depth)
        if kind in ("integer", "number"):
            return _number(schema, whole=kind == "integer")
        return {"boolean": False, "null": None}.get(str(kind), _text(schema) if kind == "string" else None)

    def _array(self, schema: Mapping[str, Any], depth: int) -> list[Any]:
        first = [self.value(each, depth - 1) for each in _list(schema.get("prefixItems"))]
        least = schema.get("minItems", 0)
        more = max(0, least - len(first)) if isinstance(least, int) and least <= 20 else 0
        return first[: max(least, 0)] + [self.value(schema.get("items", {}), depth - 1)] * more


def _number(schema: Mapping[str, Any], *, whole: bool) -> int | float:
    """The least number above the lower bound, or the greatest below the upper one; 1 where both let it."""
    said = schema.get("multipleOf")
    step = said if isinstance(said, int | float) and said > 0 else 1 if whole else 0
    low, high = _bound(schema, "minimum", step or 1), _bound(schema, "maximum", -(step or 1))
    if low is None and (high is None or high >= 1):
        wanted: int | float = 1
    else:
        wanted = low if low is not None else high if high is not None else 1
    if step:
        upward = low is not None or high is None or high >= 1
        wanted = (-(-wanted // step) if upward else wanted // step) * step
    return int(wanted) if whole else wanted


def _bound(schema: Mapping[str, Any], name: str, beyond: float) -> int | float | None:
    """A bound that may be reached; an exclusive one is passed by `beyond`."""
    given = schema.get(name)
    if isinstance(given, int | float):
        return given
    exclusive = schema.get(f"exclusive{name.capitalize()}")
    return exclusive + beyond if isinstance(exclusive, int | float) else None


def _text(schema: Mapping[str, Any]) -> str:
    if schema.get("format") in _FORMATS:
        return _FORMATS[schema["format"]]
    least = schema.get("minLength", 0)
    most = schema.get("maxLength")
    text = _matching(schema["pattern"]) if isinstance(schema.get("pattern"), str) else "example"
    if isinstance(least, int) and len(text) < least <= 10_000:
        text += text[-1] * (least - len(text))
    return text[:most] if isinstance(most, int) and most >= 0 else text


def _matching(pattern: str) -> str:
    """One of a few common texts that the pattern accepts; what fits no text is found out at the end."""
    from prowess.author.schemas_judging import hold_against

    fits = (each for each in _TEXTS if hold_against({"pattern": pattern}, each).fits)
    return next(fits, "example")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
