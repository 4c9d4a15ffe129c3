"""How much work it is to say what is wrong with a value, before the work begins.

Whether a value fits is always quick. Listing every fault of one that does not can take time that
doubles with each level when a schema refers to itself more than once for the same member: a hostile
server could stop a host with thirty levels. This bounds it: in-place subschemas (`allOf`, `anyOf`,
`oneOf`, `not`, `if`, `$ref`, ...) add up, and of the members of a value the dearest counts.

It estimates from above and knows local references only; others never compile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

# About a quarter of a second of explaining on an ordinary core.
MAX_STEPS = 20_000

_IN_PLACE_ONE = ("not", "if", "then", "else")
_IN_PLACE_LIST = ("allOf", "anyOf", "oneOf")
_IN_PLACE_MAP = ("dependentSchemas",)
_EVERY_MEMBER = ("items", "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "contains")
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_ANY = "*"


class Cost:
    """Steps to explain a value of some depth by one schema."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._root = schema
        self._known: dict[tuple[int, int], int] = {}
        self._recursive = any(_mentions_reference(schema))

    def affordable(self, depth: int) -> bool:
        """Whether every fault of a value `depth` levels deep can be listed within the bound."""
        return not self._recursive or self._steps(self._root, depth) <= MAX_STEPS

    def _steps(self, schema: Any, depth: int) -> int:
        key = (id(schema), depth)
        if key not in self._known:
            self._known[key] = MAX_STEPS + 1  # what meets itself at the same place never ends
            self._known[key] = self._counted(schema, depth)
        return self._known[key]

    def _counted(self, schema: Any, depth: int) -> int:
        here: list[Mapping[str, Any]] = []
        if not self._collect(schema, here):
            return MAX_STEPS + 1
        if depth == 0:
            return len(here)
        below: dict[str, int] = {}
        for each in here:
            for name, member in _members(each):
                below[name] = min(MAX_STEPS, below.get(name, 0)) + self._steps(member, depth - 1)
        every = below.pop(_ANY, 0)
        return len(here) + every + max(below.values(), default=0)

    def _collect(self, schema: Any, found: list[Mapping[str, Any]]) -> bool:
        """All that judges the same value as `schema`; False when there is no end to it."""
        waiting = [schema]
        while waiting:
            each = waiting.pop()
            if not isinstance(each, Mapping):
                continue
            found.append(each)
            if len(found) > MAX_STEPS:
                return False
            waiting.extend(self._in_place(each))
        return True

    def _in_place(self, schema: Mapping[str, Any]) -> Iterator[Any]:
        for word in _IN_PLACE_ONE:
            yield schema.get(word)
        for word in _IN_PLACE_LIST:
            yield from schema[word] if isinstance(schema.get(word), list | tuple) else ()
        for word in _IN_PLACE_MAP:
            yield from schema[word].values() if isinstance(schema.get(word), Mapping) else ()
        for word in _REFERENCES:
            if isinstance(schema.get(word), str):
                yield resolve(self._root, schema[word])


def _members(schema: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for word in _EVERY_MEMBER:
        yield _ANY, schema.get(word)
    for name, member in _mapping(schema.get("properties")).items():
        yield f"/{name}", member
    for member in _mapping(schema.get("patternProperties")).values():
        yield _ANY, member
    prefix = schema.get("prefixItems")
    for number, member in enumerate(prefix if isinstance(prefix, list | tuple) else ()):
        yield f"#{number}", member


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _mentions_reference(value: Any) -> Iterator[bool]:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Mapping):
            yield any(word in each for word in _REFERENCES)
            waiting.extend(each.values())
        elif isinstance(each, list | tuple):
            waiting.extend(each)


def resolve(root: Mapping[str, Any], reference: str) -> Any:
    """What a local reference such as `#/$defs/a` points at; the root itself for any other form."""
    if not reference.startswith("#/"):
        return root
    return at_pointer(
        root, [unquote(part).replace("~1", "/").replace("~0", "~") for part in reference[2:].split("/")]
    )


def at_pointer(root: Any, path: list[Any]) -> Any:
    """What lies at `path`, or None."""
    for part in path:
        if isinstance(root, Mapping):
            root = root.get(str(part))
        elif isinstance(root, list | tuple) and str(part).isdigit() and int(part) < len(root):
            root = root[int(part)]
        else:
            return None
    return root
