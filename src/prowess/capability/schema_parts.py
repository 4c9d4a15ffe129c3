"""The parts of a value: properties and items, compared schema by schema.

JSON Schema Core 2020-12, section 10.3, and `required` (Validation, 6.5.3), whose message belongs
beside that of the property.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from prowess.capability.effect import Effect, excerpt
from prowess.capability.schema_keywords import Malformed, Schema, names, types

if TYPE_CHECKING:
    from prowess.capability.schema_walk import Spot, Walk

_PROPERTIES = frozenset({"properties", "patternProperties", "additionalProperties", "required"})
_ITEMS = frozenset({"prefixItems", "items"})
PARTS = _PROPERTIES | _ITEMS

# Keywords that may name properties of the same value, or of its parts, a second time.
_ELSEWHERE = frozenset({"patternProperties", "if", "dependentSchemas", "contains"})


def compare_parts(walk: Walk, sent: Schema, taken: Schema, spot: Spot) -> None:
    """Compare what two schema objects say of the parts of a value."""
    spot = spot if _ELSEWHERE.isdisjoint(sent) else spot.open()
    for keys, kind, compare in ((_PROPERTIES, "object", _objects), (_ITEMS, "array", _arrays)):
        if keys.isdisjoint(sent.keys() | taken.keys()):
            continue
        effect: Effect = "compatible"
        try:
            if kind in types(sent):
                compare(walk, sent, taken, spot)
                continue
        except Malformed:
            effect = "unknown"
        for key in sorted(keys):
            walk.differing(key, sent, taken, spot, effect)


def _objects(walk: Walk, sent: Schema, taken: Schema, spot: Spot) -> None:
    has, wants = _schemas(sent, "properties"), _schemas(taken, "properties")
    patterns = _schemas(sent, "patternProperties"), _schemas(taken, "patternProperties")
    required = names(sent.get("required", [])), names(taken.get("required", []))
    _required(walk, *required, spot)
    for name in sorted(has.keys() | wants.keys()):
        if name in has and name in wants:
            walk.compare(has[name], wants[name], spot.part("properties", name))
        elif name in wants:
            _only_taken(walk, name, sent, wants[name], spot)
        else:
            _only_sent(walk, name, has[name], taken, spot)
    _patterns(walk, *patterns, taken, spot)
    _additional(walk, sent, taken, spot)


def _schemas(schema: Schema, key: str) -> Mapping[str, Any]:
    found = schema.get(key, {})
    if not isinstance(found, Mapping):
        raise Malformed
    return found


def _required(walk: Walk, has: frozenset[str], wants: frozenset[str], spot: Spot) -> None:
    for name in sorted(has ^ wants):
        now = walk.fate(of_taker=name in wants) == "added"
        message = f"{excerpt(name)} is {'now' if now else 'no longer'} required"
        if name in wants:
            walk.record(spot, "required", ..., name, "breaking", message)
        else:
            walk.record(spot, "required", name, ..., "compatible", message)


def _declares(sent: Schema, spot: Spot) -> bool:
    """Whether the sender sends nothing that its schema does not name."""
    if "additionalProperties" in sent:
        return False
    return "properties" in sent if spot.declares is None else spot.declares


def _only_taken(walk: Walk, name: str, sent: Schema, schema: Any, spot: Spot) -> None:
    """A property that only the taker names: what did the sender send under that name?"""
    effect: Effect = "compatible"
    if "patternProperties" in sent:
        effect = "unknown"
    elif not _declares(sent, spot):
        effect = walk.fits(sent.get("additionalProperties", True), schema, spot.part("properties", name))
    message = f"property {excerpt(name)} {walk.fate(of_taker=True)}"
    walk.record(spot.part("properties", name), "", ..., schema, effect, message)


def _only_sent(walk: Walk, name: str, schema: Any, taken: Schema, spot: Spot) -> None:
    """A property that only the sender names: does the taker still let it through?"""
    if "patternProperties" in taken:
        effect: Effect = "unknown"
    else:
        effect = walk.fits(schema, taken.get("additionalProperties", True), spot.part("properties", name))
    fate = walk.fate(of_taker=False)
    still = ", still accepted" if (fate, effect) == ("removed", "compatible") else ""
    message = f"property {excerpt(name)} {fate}{still}"
    walk.record(spot.part("properties", name), "", schema, ..., effect, message)


def _patterns(
    walk: Walk, has: Mapping[str, Any], wants: Mapping[str, Any], taken: Schema, spot: Spot
) -> None:
    for pattern in sorted(has.keys() | wants.keys()):
        inner = spot.part("patternProperties", pattern)
        if pattern in has and pattern in wants:
            walk.compare(has[pattern], wants[pattern], inner)
        elif pattern in wants:
            walk.record(inner, "patternProperties", ..., wants[pattern], "unknown")
        else:
            free = taken.get("additionalProperties", True) is True and not wants
            walk.record(inner, "patternProperties", has[pattern], ..., "compatible" if free else "unknown")


def _additional(walk: Walk, sent: Schema, taken: Schema, spot: Spot) -> None:
    """What neither names. Where the sender names all that it sends, closing the door only may break."""
    has, wants = sent.get("additionalProperties", True), taken.get("additionalProperties", True)
    if _declares(sent, spot):
        effect: Effect = "compatible" if wants is True or wants == {} else "unknown"
        walk.differing("additionalProperties", sent, taken, spot, effect)
    elif "additionalProperties" in sent or "additionalProperties" in taken:
        walk.compare(has, wants, spot.part("additionalProperties"))


def _arrays(walk: Walk, sent: Schema, taken: Schema, spot: Spot) -> None:
    has, wants = sent.get("prefixItems", []), taken.get("prefixItems", [])
    rest, wanted = sent.get("items", True), taken.get("items", True)
    if (
        not all(isinstance(each, list) for each in (has, wants))
        or isinstance(rest, list)
        or isinstance(wanted, list)
    ):
        raise Malformed
    for at in range(max(len(has), len(wants))):
        one = has[at] if at < len(has) else rest
        other = wants[at] if at < len(wants) else wanted
        walk.compare(one, other, spot.part("prefixItems", at))
    walk.compare(rest, wanted, spot.part("items"))
