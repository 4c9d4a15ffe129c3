"""A JSON Schema document as a whole: its dialect, its references, what of it binds values.

JSON Schema Core 2020-12, section 8; draft-07 as far as published tool schemas use it. References
are followed within the document only; nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from prowess.capability.canonical import canonical
from prowess.capability.schema_keywords import ANNOTATIONS, Schema

DEFAULT_DIALECT = "https://json-schema.org/draft/2020-12/schema"
LEGACY_DIALECTS = frozenset({f"http://json-schema.org/draft-0{number}/schema" for number in (6, 7)})

# Reference targets that are found by searching, not by a pointer from the root.
_SEARCHED = frozenset({"$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef"})
_UNEVALUATED = frozenset({"unevaluatedProperties", "unevaluatedItems"})
_DEFINITIONS = ("$defs", "definitions")
# Keywords whose members are schemas by a name of the author's choice, and those that hold plain values.
_MAPS = frozenset({"properties", "patternProperties", "dependentSchemas", *_DEFINITIONS})
_VALUES = frozenset({"enum", "const"})
# What 2020-12 knows and draft-07 passes over; beside a reference, draft-07 passes over everything.
_NOT_IN_LEGACY = _UNEVALUATED | {
    *("prefixItems", "dependentRequired", "dependentSchemas", "minContains", "maxContains")
}


def dialect(document: Any) -> str:
    """The dialect that a schema document states, or 2020-12, which MCP takes where none is."""
    stated = document.get("$schema", DEFAULT_DIALECT) if isinstance(document, Mapping) else DEFAULT_DIALECT
    return stated.rstrip("#") if isinstance(stated, str) else canonical(stated)


def comparable(document: Any) -> bool:
    """Whether the dialect is known and every reference is a pointer from the root."""
    if dialect(document) != DEFAULT_DIALECT and dialect(document) not in LEGACY_DIALECTS:
        return False
    return all(
        _SEARCHED.isdisjoint(each) and not (depth and "$id" in each) for depth, each in _objects(document)
    )


def looks_everywhere(document: Any) -> bool:
    """Whether a keyword is present whose meaning depends on every keyword around it."""
    return any(_UNEVALUATED & each.keys() for _, each in _objects(document))


def _objects(document: Any) -> Iterator[tuple[int, Schema]]:
    waiting = [(0, document)]
    while waiting:
        depth, each = waiting.pop()
        if isinstance(each, Mapping):
            yield depth, each
            waiting.extend((depth + 1, child) for child in each.values())
        elif isinstance(each, list):
            waiting.extend((depth + 1, child) for child in each)


def is_annotation(keyword: str) -> bool:
    """Whether a keyword says something to readers and refuses no value."""
    return keyword in ANNOTATIONS or keyword.startswith("x-")


def bare(schema: Any) -> Any:
    """`schema` without its annotations, at every level."""
    if isinstance(schema, list):
        return [bare(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept: dict[str, Any] = {}
    for key, value in schema.items():
        if is_annotation(key):
            continue
        if key in _VALUES:
            kept[key] = value
        elif key in _MAPS and isinstance(value, Mapping):
            kept[key] = {name: bare(each) for name, each in value.items()}
        else:
            kept[key] = bare(value)
    return kept


def target(root: Any, reference: Any) -> Any:
    """What a reference within the document points at; LookupError where it points at nothing."""
    if not isinstance(reference, str) or not (reference == "#" or reference.startswith("#/")):
        raise LookupError(reference)
    from urllib.parse import unquote  # on use: few schemas escape anything

    found = root
    for step in unquote(reference[1:]).split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list) and step.isascii() and step.isdigit() and len(step) < 9:
            found = found[int(step)]
        elif isinstance(found, Mapping):
            found = found[step]
        else:
            raise LookupError(reference)
    return found


def followed(schema: Schema, root: Any, *, legacy: bool) -> Any:
    """`schema` with its own reference, if any, replaced by what it points at.

    Assertions beside the reference bind as well: both stand in an `allOf` then.
    """
    if "$ref" not in schema:
        return schema
    found = target(root, schema["$ref"])
    beside = {} if legacy else binding(schema, legacy=False)
    beside.pop("$ref", None)
    if not beside:
        return found
    conditions = beside.pop("allOf", [])
    return (
        {**beside, "allOf": [*conditions, found]} if isinstance(conditions, list) else {"allOf": conditions}
    )


def binding(schema: Schema, *, legacy: bool) -> dict[str, Any]:
    """The keywords of one schema object that may refuse a value, by its dialect."""
    skipped = {"$schema", "$id", *_DEFINITIONS, *(_NOT_IN_LEGACY if legacy else ())}
    return {key: each for key, each in schema.items() if key not in skipped and not is_annotation(key)}


def same_definitions(one: Any, other: Any) -> bool:
    """Whether the same local reference means the same in both documents."""
    for root in (one, other):
        for _, each in _objects(root):
            pointer = each.get("$ref")
            if isinstance(pointer, str) and not pointer.startswith(("#/$defs/", "#/definitions/")):
                return False
    return all(_definitions(one, key) == _definitions(other, key) for key in _DEFINITIONS)


def _definitions(root: Any, key: str) -> str:
    return canonical(bare(root[key])) if isinstance(root, Mapping) and key in root else ""
