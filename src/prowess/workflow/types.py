"""What is known of a value before a run: which kinds it may have, and what is said about its members.

Read from JSON Schemas (2020-12) as far as they say it plainly: `type`, `enum`, `const`, `properties`,
`items`, `additionalProperties`, references within the document, and alternatives. What is said in
another way counts as not known, and what is not known may be anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from prowess.call.schema_cost import resolve
from prowess.workflow.functions import kind_of

ALL = frozenset({"null", "boolean", "number", "string", "array", "object"})
MOST_ALTERNATIVES = 8
_MOST_STEPS = 16  # references and alternatives that are followed
_WORDS = {"integer": "number"}
_APPLIED = ("anyOf", "oneOf", "allOf", "if", "not", "dependentSchemas")
_NAMING = ("patternProperties", "unevaluatedProperties", "propertyNames")


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """`kinds` are the kinds that the value may have; `schema` and its `root` say more where there is one.

    `members` are those of a mapping that we make ourselves: it has these and no others.
    """

    kinds: frozenset[str] = ALL
    schema: Mapping[str, Any] = field(default_factory=dict)
    root: Mapping[str, Any] = field(default_factory=dict)
    members: Mapping[str, Typed] | None = None
    item: Typed | None = None

    def excludes(self, kinds: Iterable[str]) -> bool:
        """Whether it is known that the value is of none of these kinds."""
        return self.kinds.isdisjoint(kinds)

    @property
    def words(self) -> str:
        """The kinds in a message."""
        return words(self.kinds)

    def declared(self) -> list[str] | None:
        """The names of its members, where all that there may be are known."""
        if self.members is not None:
            return list(self.members)
        properties = self.schema.get("properties", {})
        closed = self.schema.get("additionalProperties") is False
        if not closed or not isinstance(properties, Mapping) or any(each in self.schema for each in _NAMING):
            return None
        return [str(each) for each in properties]

    def named(self) -> list[str]:
        """The names of members that are known to be possible."""
        properties = self.schema.get("properties")
        return self.declared() or (
            [str(each) for each in properties] if isinstance(properties, Mapping) else []
        )

    def member(self, key: str | int) -> Typed:
        """What is known of a member."""
        if self.members is not None:
            return self.members.get(str(key), UNKNOWN) if isinstance(key, str) else UNKNOWN
        if isinstance(key, int):
            return self.item or typed(self._item_schema(key), self.root)
        properties = self.schema.get("properties")
        found = properties.get(key) if isinstance(properties, Mapping) else None
        if found is None:
            found = self.schema.get("additionalProperties")
        return typed(found, self.root)

    def _item_schema(self, place: int) -> Any:
        first = self.schema.get("prefixItems")
        if isinstance(first, list) and 0 <= place < len(first):
            return first[place]
        return self.schema.get("items") if not isinstance(first, list) or place >= 0 else None


_ARTICLES = {"null": "null", "array": "an array", "object": "an object"}


def words(kinds: Iterable[str]) -> str:
    """Kinds in a message."""
    return " or ".join(_ARTICLES.get(each, f"a {each}") for each in sorted(kinds)) or "nothing"


UNKNOWN = Typed()


def of_kinds(*kinds: str) -> Typed:
    """A value of one of these kinds."""
    return Typed(kinds=frozenset(_WORDS.get(each, each) for each in kinds)) if kinds else UNKNOWN


def list_of(item: Typed) -> Typed:
    """A list of such values."""
    return Typed(kinds=frozenset({"array"}), item=item)


def mapping_of(members: Mapping[str, Typed]) -> Typed:
    """A mapping with exactly these members."""
    return Typed(kinds=frozenset({"object"}), members=dict(members))


def either(one: Typed, other: Typed) -> Typed:
    """One or the other."""
    return one if one == other else Typed(kinds=one.kinds | other.kinds)


def typed(schema: Any, root: Mapping[str, Any] | None = None, left: int = _MOST_STEPS) -> Typed:
    """What a schema says of its values; `root` is the document that its references lead through."""
    if not isinstance(schema, Mapping):
        return UNKNOWN
    root = schema if root is None else root
    reference = schema.get("$ref")
    if isinstance(reference, str):
        target = resolve(root, reference) if left > 0 else None
        below = typed(target, root, left - 1)
        beside = _plain({key: value for key, value in schema.items() if key != "$ref"}, root, left)
        # Beside a reference both hold; what the two say together of members is not put together here.
        return Typed(
            kinds=below.kinds & beside.kinds, schema=below.schema if len(schema) == 1 else {}, root=root
        )
    return _plain(schema, root, left)


def _plain(schema: Mapping[str, Any], root: Mapping[str, Any], left: int) -> Typed:
    kinds = _said(schema)
    for word in ("anyOf", "oneOf"):
        several = schema.get(word)
        if isinstance(several, list) and several and left > 0:
            each = [typed(one, root, left - 6).kinds for one in several[:MOST_ALTERNATIVES]]
            kinds &= ALL if len(several) > MOST_ALTERNATIVES else frozenset().union(*each)
    several = schema.get("allOf")
    if isinstance(several, list) and left > 0:
        for one in several[:MOST_ALTERNATIVES]:
            kinds &= typed(one, root, left - 6).kinds
    plain = not any(each in schema for each in _APPLIED)
    return Typed(kinds=kinds, schema=schema if plain else {}, root=root)


def _said(schema: Mapping[str, Any]) -> frozenset[str]:
    kinds = ALL
    said = schema.get("type")
    words = [said] if isinstance(said, str) else said if isinstance(said, list) else None
    if words is not None:
        kinds = frozenset(_WORDS.get(each, each) for each in words if isinstance(each, str)) & ALL
    if isinstance(schema.get("enum"), list):
        kinds &= frozenset(kind_of(each) for each in schema["enum"])
    if "const" in schema:
        kinds &= {kind_of(schema["const"])}
    return kinds
