"""One walk through two JSON Schemas: does every value that the sender's allows pass the taker's?

JSON Schema Core 2020-12, sections 7 and 10. Every keyword of the taker has to be implied by the
sender's same keyword (`schema_keywords`) or, for keywords that hold schemas, by the sender's schemas
in the same position (`schema_parts`, `schema_composition`). What cannot be settled that way is
`unknown`. The walk is bounded in depth and in work, so that no pair of schemas keeps it busy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from prowess.capability.canonical import canonical
from prowess.capability.effect import Effect, contrast, excerpt, worst
from prowess.capability.schema_composition import COMPOSED, compare_composed
from prowess.capability.schema_documents import (
    bare,
    binding,
    followed,
    is_annotation,
    same_definitions,
)
from prowess.capability.schema_keywords import RULES, Schema, effect
from prowess.capability.schema_parts import PARTS, compare_parts
from prowess.spec.strict_json import pointer

# The work of one comparison: about 4,000 pairs of schemas, or four million characters of text. The
# largest published tool schemas hold some hundred schemas.
BUDGET = 20_000
PAIR_COST = 5
CHARACTERS = 200
DEPTH = 48

# Keywords that are compared as one text: the same, dropped, or beyond this comparison.
_OPAQUE = (
    ("not",),
    ("if", "then", "else"),
    ("contains", "minContains", "maxContains"),
    ("propertyNames",),
    ("dependentSchemas",),
    ("unevaluatedProperties",),
    ("unevaluatedItems",),
)
_KNOWN = frozenset(
    {key for keys, _, _ in RULES for key in keys} | {key for keys in _OPAQUE for key in keys} | PARTS
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaChange:
    """One change: where (a JSON pointer, through references), which keyword, from what to what."""

    pointer: str
    keyword: str
    message: str
    effect: Effect
    old: Any = None
    new: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where the walk is: steps from the root, schemas above, and how deep inside the value.

    `declares` says whether the sender's schema alone names all properties that are sent: yes, no, or
    (None) if it names any.
    """

    steps: tuple[str | int, ...] = ()
    depth: int = 0
    inside: int = 0
    declares: bool | None = None

    def part(self, *steps: str | int) -> Spot:
        """The schema of a part of the value: a property, an item."""
        return Spot(
            steps=(*self.steps, *steps),
            depth=self.depth + 1,
            inside=self.inside + 1,
            declares=False if self.declares is False else None,
        )

    def open(self) -> Spot:
        """The same spot, where other schemas may name further properties."""
        return replace(self, declares=False)

    def again(self, *steps: str | int) -> Spot:
        """Another schema of the same value."""
        return replace(self, steps=(*self.steps, *steps), depth=self.depth + 1)


class Exhausted(Exception):
    """The budget is spent."""


class Walk:
    """One comparison: both documents, what was found, which references are being followed."""

    def __init__(self, old: Any, new: Any, *, output: bool, legacy: bool) -> None:
        self.found: list[SchemaChange] = []
        self.legacy = legacy
        self._output = output
        self._sender, self._taker = (new, old) if output else (old, new)
        self._same_definitions = same_definitions(old, new)
        self._following: dict[tuple[str, str], int] = {}
        self._left = BUDGET

    def compare_roots(self) -> None:
        """Compare the two documents; what differs is then in `found`."""
        self.compare(self._sender, self._taker, Spot(declares=True))

    def compare(self, sent: Any, taken: Any, spot: Spot) -> None:
        """Compare two schemas of the same value."""
        self._spend(PAIR_COST)
        if spot.depth > DEPTH:
            if not self.same(sent, taken):
                self.record(spot, "", sent, taken, "unknown", "nested too deep to compare")
        elif sent is False or taken is False:
            self._nothing(sent, taken, spot)
        else:
            self._schemas({} if sent is True else sent, {} if taken is True else taken, spot)

    def keywords(self, sent: Schema, taken: Schema, spot: Spot) -> None:
        """Compare two schema objects that hold only keywords that bind."""
        if not COMPOSED.isdisjoint(sent.keys() | taken.keys()):
            compare_composed(self, sent, taken, spot)
            return
        for keys, speaks_of, rule in RULES:
            if any(self.differ(key, sent, taken) for key in keys):
                settled = effect(rule, speaks_of, sent, taken)
                for key in keys:
                    self.differing(key, sent, taken, spot, settled)
        compare_parts(self, sent, taken, spot)
        for keys in _OPAQUE:
            self._opaque(keys, sent, taken, spot)
        for key in sorted((sent.keys() | taken.keys()) - _KNOWN):
            self.differing(key, sent, taken, spot, "unknown")

    def record(
        self, spot: Spot, keyword: str, sent: Any, taken: Any, effect: Effect, message: str = ""
    ) -> None:
        """Note a change. `sent` and `taken` are the two sides' values; `...` is absence."""
        old, new = (taken, sent) if self._output else (sent, taken)
        self.found.append(
            SchemaChange(
                pointer=pointer(*spot.steps),
                keyword=keyword,
                message=message or _difference(keyword, old, new),
                effect=effect,
                old=None if old is ... else old,
                new=None if new is ... else new,
            )
        )

    def differing(self, key: str, sent: Schema, taken: Schema, spot: Spot, effect: Effect) -> None:
        """Note `key` if it differs."""
        if self.differ(key, sent, taken):
            self.record(spot, key, sent.get(key, ...), taken.get(key, ...), effect)

    def fate(self, *, of_taker: bool) -> str:
        """What happened to what only one side has, seen from the old schema."""
        return "removed" if of_taker is self._output else "added"

    def trial(self, sent: Any, taken: Any, spot: Spot) -> list[SchemaChange]:
        """What comparing two schemas would find."""
        kept, self.found = self.found, []
        try:
            self.compare(sent, taken, spot)
            return self.found
        finally:
            self.found = kept

    def fits(self, sent: Any, taken: Any, spot: Spot) -> Effect:
        """The worst that comparing two schemas would find."""
        return worst(change.effect for change in self.trial(sent, taken, spot))

    def same(self, one: Any, other: Any) -> bool:
        """Whether two schemas bind alike word by word, their references included."""
        text = self.text(bare(one))
        return text == self.text(bare(other)) and (self._same_definitions or '"$ref"' not in text)

    def text(self, value: Any) -> str:
        """The canonical text of a value, paid for from the budget."""
        text = canonical(value)
        self._spend(1 + len(text) // CHARACTERS)
        return text

    def differ(self, key: str, one: Schema, other: Schema) -> bool:
        """Whether `key` is not the same JSON value in both, absence being a value of its own."""
        if key not in one or key not in other:
            return key in one or key in other
        return self.text(one[key]) != self.text(other[key])

    def resolved_taken(self, schema: Any) -> Any:
        """A schema of the taker's with its own reference followed, as far as that leads anywhere."""
        try:
            return followed(schema, self._taker, legacy=self.legacy) if isinstance(schema, dict) else schema
        except LookupError:
            return schema

    def _spend(self, work: int) -> None:
        self._left -= work
        if self._left < 0:
            raise Exhausted

    def _nothing(self, sent: Any, taken: Any, spot: Spot) -> None:
        """`false`, the schema that nothing passes, on at least one side."""
        if sent is not taken:
            settled: Effect = "compatible" if sent is False else "breaking"
            fate = self.fate(of_taker=sent is False)
            message = "something is allowed now" if fate == "added" else "nothing is allowed any more"
            self.record(spot, "", sent, taken, settled, message)

    def _schemas(self, sent: Any, taken: Any, spot: Spot) -> None:
        if not isinstance(sent, dict) or not isinstance(taken, dict):
            if self.text(sent) != self.text(taken):
                self.record(spot, "", sent, taken, "unknown")
            return
        for key in sorted(key for key in sent.keys() | taken.keys() if is_annotation(key)):
            self.differing(key, sent, taken, spot, "compatible")
        if "$ref" in sent or "$ref" in taken:
            self._references(sent, taken, spot)
        else:
            legacy = self.legacy
            self.keywords(binding(sent, legacy=legacy), binding(taken, legacy=legacy), spot)

    def _references(self, sent: Schema, taken: Schema, spot: Spot) -> None:
        """Follow references on both sides.

        Meeting the same pair again further inside the value is the recursion of the schema itself and
        holds if all else does; meeting it at the same value would go on for ever.
        """
        legacy = self.legacy
        pair = (self.text(binding(sent, legacy=legacy)), self.text(binding(taken, legacy=legacy)))
        if pair in self._following:
            if self._following[pair] == spot.inside:
                self.record(spot, "$ref", sent, taken, "unknown", "a reference that leads back to itself")
            return
        try:
            targets = (
                followed(sent, self._sender, legacy=legacy),
                followed(taken, self._taker, legacy=legacy),
            )
        except LookupError:
            self.differing("$ref", sent, taken, spot, "unknown")
            return
        self._following[pair] = spot.inside
        self.compare(*targets, spot.again())
        del self._following[pair]

    def _opaque(self, keys: tuple[str, ...], sent: Schema, taken: Schema, spot: Spot) -> None:
        has = {key: sent[key] for key in keys if key in sent}
        wants = {key: taken[key] for key in keys if key in taken}
        settled: Effect = "compatible" if not wants or self.same(has, wants) else "unknown"
        for key in keys:
            self.differing(key, sent, taken, spot, settled)
        if settled == "unknown" and self.text(has) == self.text(wants):
            self.record(spot, keys[0], has, wants, "unknown", f"{keys[0]}: what it refers to changed")


def _difference(keyword: str, old: Any, new: Any) -> str:
    name = keyword or "schema"
    if old is ...:
        return f"{name} added: {excerpt(new)}"
    if new is ...:
        return f"{name} removed: {excerpt(old)}"
    return f"{name}: {contrast(old, new)}"
