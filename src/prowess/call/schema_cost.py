"""How much work it makes to judge by a schema, before the work begins.

A schema whose definitions use one another twice can make work that doubles with every level: thirty
levels from a hostile server would stop a host. Judging (does it fit?) is quick and keeps what it
knows of definitions that refer to themselves, so those count once; subschemas of the same value
(`allOf`, `anyOf`, `$ref`, ...) add up, and of the members of a value the dearest counts. What it
costs to list faults depends on the value too: `listing.py`.

The estimate is from above. It knows local references only; others never compile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

# Some 50 milliseconds of judging on an ordinary core.
MAX_JUDGING_STEPS = 2_000_000
# As deep as a value can be that gets here.
MAX_DEPTH = 64
# How much the estimate itself may look at.
MAX_WORK = 200_000

_IN_PLACE_ONE = ("not", "if", "then", "else")
_IN_PLACE_LIST = ("allOf", "anyOf", "oneOf")
_EVERY_MEMBER = ("items", "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "contains")
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_ANY = "*"


class TooMuch(Exception):
    """The estimate is not worth finishing: it is over any bound."""


def judgeable(schema: Mapping[str, Any]) -> bool:
    """Whether any value can be judged within the bound."""
    if not any(_references(each) for each in _objects(schema)):
        return True
    try:
        if any(isinstance(each.get("$id"), str) for each in _objects(schema) if each is not schema):
            raise TooMuch  # references that start from another place are not followed here
        once = _recursive(schema)
        return _Estimate(schema, once).steps(schema, MAX_DEPTH) <= MAX_JUDGING_STEPS
    except TooMuch:
        return False


class _Estimate:
    """Steps for a value of some depth; references to what is in `once` are not followed."""

    def __init__(self, root: Mapping[str, Any], once: frozenset[int]) -> None:
        self._root = root
        self._once = once
        self._known: dict[tuple[int, int], int] = {}
        self._work = 0

    def steps(self, schema: Any, depth: int) -> int:
        key = (id(schema), depth)
        if key not in self._known:
            self._known[key] = self._counted(schema, depth)
        return self._known[key]

    def _counted(self, schema: Any, depth: int) -> int:
        here = list(self._same_value(schema))
        if depth == 0:
            return len(here)
        below: dict[str, int] = {}
        for each in here:
            for name, member in _members(each):
                below[name] = below.get(name, 0) + self.steps(member, depth - 1)
        every = below.pop(_ANY, 0)
        return len(here) + every + max(below.values(), default=0)

    def _same_value(self, schema: Any) -> Iterator[Mapping[str, Any]]:
        """All that judges the same value as `schema`."""
        waiting = [schema]
        while waiting:
            each = waiting.pop()
            if isinstance(each, Mapping):
                self._work += 1
                if self._work > MAX_WORK:
                    raise TooMuch
                yield each
                waiting.extend(in_place(self._root, each, self._once))


def in_place(
    root: Mapping[str, Any], schema: Mapping[str, Any], once: frozenset[int] = frozenset()
) -> Iterator[Any]:
    """What judges the same value as `schema` beside it; references to what is in `once` are not followed."""
    for word in _IN_PLACE_ONE:
        yield schema.get(word)
    for word in _IN_PLACE_LIST:
        yield from _list(schema.get(word))
    yield from _mapping(schema.get("dependentSchemas")).values()
    for reference in _references(schema):
        target = _followed(root, reference)
        if id(target) not in once:
            yield target


def _members(schema: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for word in _EVERY_MEMBER:
        yield _ANY, schema.get(word)
    for name, member in _mapping(schema.get("properties")).items():
        yield f"/{name}", member
    for member in _mapping(schema.get("patternProperties")).values():
        yield _ANY, member
    for number, member in enumerate(_list(schema.get("prefixItems"))):
        yield f"#{number}", member


def _recursive(root: Mapping[str, Any]) -> frozenset[int]:
    """The ids of the definitions that lead back to themselves. Raises TooMuch."""
    leads: dict[int, set[int]] = {}
    waiting: list[Any] = [root]
    work = 0
    while waiting:
        here = waiting.pop()
        if id(here) in leads:
            continue
        leads[id(here)] = set()
        for each in _objects(here):
            work += 1
            targets = [_followed(root, reference) for reference in _references(each)]
            leads[id(here)].update(id(target) for target in targets)
            waiting.extend(targets)
        if work > MAX_WORK:
            raise TooMuch
    return frozenset(each for each in leads if each in _reachable(leads, each))


def _reachable(leads: Mapping[int, set[int]], start: int) -> set[int]:
    if len(leads) ** 2 > MAX_WORK:
        raise TooMuch
    found: set[int] = set()
    waiting = list(leads[start])
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting.extend(leads[each])
    return found


def _references(schema: Mapping[str, Any]) -> list[str]:
    return [schema[word] for word in _REFERENCES if isinstance(schema.get(word), str)]


def _followed(root: Mapping[str, Any], reference: str) -> Any:
    target = resolve(root, reference)
    if target is None:
        raise TooMuch
    return target


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    """Every object in `value`, itself included, without recursion."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Mapping):
            yield each
            waiting.extend(each.values())
        elif isinstance(each, list | tuple):
            waiting.extend(each)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: Any) -> list[Any] | tuple[Any, ...]:
    return value if isinstance(value, list | tuple) else ()


def resolve(root: Mapping[str, Any], reference: str) -> Any:
    """What a local reference (`#`, `#/$defs/a`, `#name`) points at, or None."""
    if reference in ("", "#"):
        return root
    if not reference.startswith("#/"):
        return _anchored(root, reference[1:])
    return at_pointer(
        root, [unquote(part).replace("~1", "/").replace("~0", "~") for part in reference[2:].split("/")]
    )


def _anchored(root: Mapping[str, Any], name: str) -> Any:
    for each in _objects(root):
        if name in (each.get("$anchor"), each.get("$dynamicAnchor")):
            return each
    return None


def at_pointer(root: Any, path: list[Any]) -> Any:
    """What lies at `path`, or None."""
    for part in path:
        if isinstance(root, Mapping):
            root = root.get(str(part))
        elif isinstance(root, list | tuple) and str(part).isdecimal() and int(part) < len(root):
            root = root[int(part)]
        else:
            return None
    return root
