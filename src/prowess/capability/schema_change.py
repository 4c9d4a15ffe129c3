"""What changed between two JSON Schemas (2020-12), and whether that breaks who relies on them.

For an input schema the question is: is what a caller could send before still accepted? For an
output schema: is what a caller may receive now covered by what it expected? Both are one question,
asked in one direction or the other: does every value that the sender's schema allows pass the
taker's?

The answer is read off keyword by keyword (`schema_walk`), never by trying values:

    breaking      something accepted before is refused now
    compatible    nothing accepted before is refused now
    unknown       it may break: the keyword, the dialect or the reference is beyond this comparison

`compatible` is the promise that is kept. `breaking` may be too strict where two keywords together
say no more than one of them. A caller is taken to send only properties that the old schema
declares; otherwise every new optional property would break somebody.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from prowess.capability.canonical import canonical, plain
from prowess.capability.effect import Effect, worst
from prowess.capability.schema_documents import (
    DEFAULT_DIALECT,
    bare,
    comparable,
    dialect,
    is_annotation,
    looks_everywhere,
)
from prowess.capability.schema_walk import Exhausted, SchemaChange, Walk


def compare_schemas(old: Any, new: Any, *, output: bool = False) -> tuple[SchemaChange, ...]:
    """What changed from `old` to `new`; empty exactly when they are the same JSON value.

    `output` asks the question the other way round, for what a tool answers.
    """
    old, new = plain(old), plain(new)
    if canonical(old) == canonical(new):
        return ()
    only_remarks = canonical(bare(old)) == canonical(bare(new))
    followed = dialect(old) == dialect(new) and comparable(old) and comparable(new)
    if not (only_remarks or followed):
        return (_whole("uses what this comparison does not follow", "unknown"),)
    walk = Walk(old, new, output=output, legacy=dialect(old) != DEFAULT_DIALECT)
    try:
        walk.compare_roots()
    except Exhausted:
        walk.found.append(_whole("too large to compare whole", "compatible" if only_remarks else "unknown"))
    changes = walk.found or [_whole("written differently, means the same", "compatible")]
    if not only_remarks and (looks_everywhere(old) or looks_everywhere(new)):
        changes = [_doubted(each) for each in changes]
        if worst(each.effect for each in changes) == "compatible":
            changes.append(_whole("what is unevaluated may have changed", "unknown"))
    return tuple(changes)


def _whole(message: str, effect: Effect) -> SchemaChange:
    return SchemaChange(pointer="", keyword="", message=message, effect=effect)


def _doubted(change: SchemaChange) -> SchemaChange:
    """`change` where what is evaluated elsewhere decides what is allowed here."""
    if change.effect == "compatible" and not is_annotation(change.keyword):
        return replace(change, effect="unknown")
    return change
