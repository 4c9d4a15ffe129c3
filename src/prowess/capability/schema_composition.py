"""Schemas made of schemas: `allOf`, `anyOf`, `oneOf`.

JSON Schema Core 2020-12, section 10.2.1. A taker's alternative may serve more than one of the
sender's, and a schema without alternatives is one alternative: that is how a parameter that also
takes null now is seen as wider and not as changed. `oneOf` counts as `anyOf` where no value can pass
two of its schemas.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from prowess.capability.canonical import canonical
from prowess.capability.effect import Effect, excerpt, worst
from prowess.capability.schema_keywords import ALL_TYPES, Malformed, Schema, types

if TYPE_CHECKING:
    from prowess.capability.schema_walk import SchemaChange, Spot, Walk

COMPOSED = frozenset({"allOf", "anyOf", "oneOf"})

# Keywords whose meaning depends on each other: put together only from one schema.
_GROUPS = (
    frozenset({"properties", "patternProperties", "additionalProperties"}),
    frozenset({"prefixItems", "items"}),
    frozenset({"contains", "minContains", "maxContains"}),
    frozenset({"if", "then", "else"}),
)


# More schemas in one list than this are not paired off against each other.
_MANY = 64


def compare_composed(walk: Walk, sent: Schema, taken: Schema, spot: Spot) -> None:
    """Compare two schema objects at least one of which is composed."""
    if not (_well_formed(sent) and _well_formed(taken)):
        for key in sorted(COMPOSED):
            walk.differing(key, sent, taken, spot, "unknown")
        return
    for key in sorted(COMPOSED & sent.keys() & taken.keys()):
        if walk.same({key: sent[key]}, {key: taken[key]}):
            walk.differing(key, sent, taken, spot, "compatible")
            sent, taken, spot = _without(sent, key), _without(taken, key), spot.open()
    if "oneOf" in taken and not _exclusive(walk, taken["oneOf"]):
        walk.differing("oneOf", sent, taken, spot, "unknown")
        sent, taken, spot = _without(sent, "oneOf"), _without(taken, "oneOf"), spot.open()
    word = "anyOf" if "anyOf" in sent or "anyOf" in taken else "oneOf"
    sent, taken = _as_any_of(sent), _as_any_of(taken)
    if "anyOf" in taken:
        _alternatives(walk, sent, taken, spot, word)
    elif "anyOf" in sent:
        _alternatives_dropped(walk, sent, taken, spot, word)
    elif "allOf" in sent or "allOf" in taken:
        _conditions(walk, sent, taken, spot)
    else:
        walk.keywords(sent, taken, spot)


def _well_formed(schema: Schema) -> bool:
    lists = [schema[key] for key in COMPOSED if key in schema]
    return all(isinstance(each, list) and 0 < len(each) <= _MANY for each in lists)


def _without(schema: Schema, key: str) -> dict[str, Any]:
    return {each: value for each, value in schema.items() if each != key}


def _as_any_of(schema: Schema) -> dict[str, Any]:
    """`schema` with its `oneOf`, whose schemas exclude each other or which is the sender's, as `anyOf`."""
    rest = _without(schema, "oneOf")
    if "oneOf" not in schema:
        return rest
    if "anyOf" not in schema:
        return {**rest, "anyOf": schema["oneOf"]}
    return {**rest, "allOf": [*schema.get("allOf", []), {"anyOf": schema["oneOf"]}]}


def _exclusive(walk: Walk, members: Sequence[Any]) -> bool:
    """Whether no value passes two of the schemas: by type, or by a required property with one value."""
    marks = [_marks(walk.resolved_taken(each)) for each in members]
    return all(_apart(one, other) for at, one in enumerate(marks) for other in marks[:at])


def _marks(schema: Any) -> tuple[frozenset[str], dict[str, str]]:
    """The types that a schema allows, and the properties that it requires to have one certain value."""
    if not isinstance(schema, dict) or "$ref" in schema:
        return ALL_TYPES, {}
    try:
        allowed = types(schema)
    except Malformed:
        return ALL_TYPES, {}
    tags: dict[str, str] = {}
    properties, required = schema.get("properties"), schema.get("required")
    if isinstance(properties, dict) and isinstance(required, list):
        required = {name for name in required if isinstance(name, str)}
        for name, each in properties.items():
            if name in required and isinstance(each, dict) and "const" in each:
                tags[name] = canonical(each["const"])
    return allowed, tags


def _apart(one: tuple[frozenset[str], dict[str, str]], other: tuple[frozenset[str], dict[str, str]]) -> bool:
    shared = one[0] & other[0]
    if not shared:
        return True
    return shared == {"object"} and any(one[1][name] != other[1].get(name, one[1][name]) for name in one[1])


def _alternatives(walk: Walk, sent: Schema, taken: Schema, spot: Spot, word: str) -> None:
    """The taker has alternatives: each of the sender's has to fit one of them."""
    rest = _without(taken, "anyOf")
    if "anyOf" in sent:
        walk.keywords(_without(sent, "anyOf"), rest, spot.open())
    elif rest:
        walk.keywords(sent, rest, spot)
    senders, takers = _alternatives_of(walk, sent), taken["anyOf"]

    def trial(at: int, to: int) -> list[SchemaChange]:
        return walk.trial(senders[at], takers[to], spot.again(word, to))

    lost, unused = _pair_off(walk, senders, takers, trial)
    shown = sent.get("anyOf", senders)
    if len(lost) == len(unused):
        for (at, _), to in zip(lost, unused, strict=True):
            walk.compare(senders[at], takers[to], spot.again(word, to))
        return
    for at, effect in lost:
        message = f"alternative {excerpt(shown[at])} {walk.fate(of_taker=False)}"
        walk.record(spot.again(word, at), word, shown[at], ..., effect, message)
    for to in unused:
        message = f"alternative {excerpt(takers[to])} {walk.fate(of_taker=True)}"
        walk.record(spot.again(word, to), word, ..., takers[to], "compatible", message)


def _alternatives_dropped(walk: Walk, sent: Schema, taken: Schema, spot: Spot, word: str) -> None:
    """Only the sender has alternatives: each has to fit what the taker asks for."""
    changes = walk.trial(_without(sent, "anyOf"), taken, spot.open().again())
    if worst(change.effect for change in changes) == "compatible":
        walk.found.extend(changes)
        walk.record(spot, word, sent["anyOf"], ..., "compatible")
        return
    found: list[Effect] = []
    for at, each in enumerate(_alternatives_of(walk, sent)):
        found.append(walk.fits(each, taken, spot.again(word, at)))
        if found[-1] != "compatible":
            message = f"alternative {excerpt(sent['anyOf'][at])} {walk.fate(of_taker=False)}"
            walk.record(spot.again(word, at), word, sent["anyOf"][at], ..., found[-1], message)
    if worst(found) == "compatible":
        walk.record(spot, word, sent["anyOf"], ..., "compatible")


def _conditions(walk: Walk, sent: Schema, taken: Schema, spot: Spot) -> None:
    """Conditions that all bind: each of the taker's has to follow from one of the sender's."""
    one, other = _inlined(walk, sent), _inlined(walk, taken)
    if one is not sent or other is not taken:
        walk.compare(one, other, spot.again())
        return
    spot = spot.open()
    rest = _without(sent, "allOf")
    has, within = sent.get("allOf", []), spot.again("allOf")
    walk.keywords(rest, _left_to_ask(walk, rest, has, _without(taken, "allOf"), within), spot)
    wanted = [each for each in taken.get("allOf", []) if walk.fits(rest, each, within) != "compatible"]

    def trial(at: int, to: int) -> list[SchemaChange]:
        return walk.trial(has[to], wanted[at], spot.again("allOf", to))

    lost, unused = _pair_off(walk, wanted, has, trial)
    if len(lost) == len(unused):
        for (at, _), to in zip(lost, unused, strict=True):
            walk.compare(has[to], wanted[at], spot.again("allOf", to))
        return
    for at, effect in lost:
        message = f"condition {excerpt(wanted[at])} {walk.fate(of_taker=True)}"
        walk.record(spot.again("allOf"), "allOf", ..., wanted[at], effect, message)
    for to in unused:
        message = f"condition {excerpt(has[to])} {walk.fate(of_taker=False)}"
        walk.record(spot.again("allOf", to), "allOf", has[to], ..., "compatible", message)


def _left_to_ask(
    walk: Walk, rest: Schema, conditions: Sequence[Any], taken: Schema, spot: Spot
) -> dict[str, Any]:
    """What the taker asks for, without what does not follow from `rest` but from one of `conditions`."""
    left = dict(taken)
    for group in sorted(_groups(taken)) if conditions else ():
        asked = {key: each for key, each in taken.items() if group in _groups({key: each})}
        follows = (walk.fits(each, asked, spot) == "compatible" for each in conditions)
        if walk.fits(rest, asked, spot) != "compatible" and any(follows):
            left = {key: each for key, each in left.items() if key not in asked}
    return left


def _pair_off(
    walk: Walk, needs: Sequence[Any], offers: Sequence[Any], trial: Callable[[int, int], list[SchemaChange]]
) -> tuple[list[tuple[int, Effect]], list[int]]:
    """Which needs no offer meets, with the best that can be said, and which offers meet no need.

    Notes what changed between a need and the offer that meets it.
    """
    used: set[int] = set()
    waiting = []
    for at, need in enumerate(needs):
        alike = (to for to, offer in enumerate(offers) if to not in used and walk.same(need, offer))
        to = next(alike, None)
        waiting.append(at) if to is None else used.add(to)
    lost: list[tuple[int, Effect]] = []
    for at in waiting:
        effects: set[Effect] = set()
        for to in range(len(offers)):
            changes = trial(at, to)
            effects.add(worst(change.effect for change in changes))
            if "compatible" in effects:
                walk.found.extend(changes)
                used.add(to)
                break
        else:
            lost.append((at, "unknown" if "unknown" in effects else "breaking"))
    return lost, [to for to in range(len(offers)) if to not in used]


def _alternatives_of(walk: Walk, schema: Schema) -> list[Any]:
    """The alternatives of a schema, several types being alternatives too."""
    if "anyOf" in schema:
        rest = _without(schema, "anyOf")
        return [_together(walk, rest, each) for each in schema["anyOf"]]
    named = schema.get("type")
    return [{**schema, "type": each} for each in named] if isinstance(named, list) and named else [schema]


def _inlined(walk: Walk, schema: Schema) -> Any:
    """A schema with one condition as one schema object, where that means the same."""
    if len(schema.get("allOf", [])) != 1:
        return schema
    together = _together(walk, _without(schema, "allOf"), schema["allOf"][0])
    return schema if isinstance(together, dict) and "allOf" in together else together


def _together(walk: Walk, rest: Schema, schema: Any) -> Any:
    """Both schemas as one object, or as two conditions where keywords of one bear on the other's."""
    if schema is True:
        return rest
    if schema is False or not rest:
        return schema
    if not isinstance(schema, dict) or (walk.legacy and "$ref" in schema) or _groups(rest) & _groups(schema):
        return {"allOf": [rest, schema]}
    return {**rest, **schema}


def _groups(schema: Schema) -> set[str]:
    """The keywords of a schema, each by the group that it belongs to."""
    return {min(next((group for group in _GROUPS if key in group), {key})) for key in schema}
