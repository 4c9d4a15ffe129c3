"""An improvement in words: numbers before and after, what it rests on, what went to it wrongly."""

from __future__ import annotations

from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from prowess.evaluate.improving import Comparison, Improvement
    from prowess.evaluate.improving_evidence import FalseTrigger
    from prowess.evaluate.improving_records import Signals
    from prowess.evaluate.trials_report import Rate

SHOWN = 5  # utterances or false triggers that are told


def lines_of(found: Improvement, false: Sequence[FalseTrigger], signals: Signals | None) -> Iterator[str]:
    """All of it, but for the diff."""
    name = printable(found.id, 128)
    if found.wording is None:
        yield f"{name}: nothing to propose: {found.reason}"
    else:
        yield f"{name}: a proposal ({_WAYS[found.way]}), {found.measures} by {printable(found.selector, 80)}"
    if found.learned is not None:
        yield f"  on what it was learned from: {_gain(found.learned)}"
    if found.final is not None:
        yield from _final(found.final)
    for each in found.evidence if found.wording is not None else ():
        yield f"  {printable(each.word, 60)}: in {each.own} of its requests, {each.others} of others'"
        for utterance in each.utterances[:2]:
            yield f"      {printable(utterance, 100)}"
    for note in found.notes:
        yield f"  note: {printable(note, 300)}"
    if found.calls:
        yield f"  spent: {found.calls} calls, {found.spent} tokens"
    if signals is not None:
        yield from _recorded(signals)
    yield from _false(false, name)


_WAYS = {"words": "words of missed requests", "model": "written by a model", "shorter": "shorter"}


def _gain(each: Comparison) -> str:
    return f"own {_pair(each.before.own, each.after.own)}"


def _final(each: Comparison) -> Iterator[str]:
    before, after = each.before, each.after
    yield "  on cases that nothing was learned from:"
    for label, old, new in (
        ("own, first", before.own, after.own),
        ("own, among five", before.own_at_5, after.own_at_5),
        ("near misses that came", before.near_miss, after.near_miss),
        ("siblings' requests that came", before.taken, after.taken),
        ("siblings, first", before.siblings, after.siblings),
    ):
        if old.of:
            yield f"    {label}: {_pair(old, new)}"
    yield f"    tokens: {before.tokens} -> {after.tokens}"
    yield f"    {len(each.fixed)} fixed, {len(each.broken)} broken; {_sure(each)}"
    if after.errors:
        yield f"    {after.errors} cases have no answer and are part of no number"


def _pair(old: Rate, new: Rate) -> str:
    return f"{old.hits:g} -> {new.hits:g} of {old.of}"


def _sure(each: Comparison) -> str:
    if each.shown:
        return f"shown (McNemar, p = {each.chance:.3f})"
    return f"not shown: as much would come by chance (McNemar, p = {each.chance:.2f})"


def _recorded(signals: Signals) -> Iterator[str]:
    yield (
        f"  records: chosen {signals.chosen} times; {signals.count('not-chosen')} times only when asked "
        f"again, {signals.count('wrongly-chosen')} times in place of another, "
        f"{signals.count('abandoned')} times without an answer"
    )
    if signals.calls:
        yield f"  records: arguments did not fit in {signals.argument_errors} of {signals.calls} calls"
    for each in signals.found[:SHOWN]:
        instead = f" (then {printable(each.instead, 80)})" if each.kind == "wrongly-chosen" else ""
        yield f"    {each.kind}, {each.provenance}: {printable(each.utterance, 100)}{instead}"


def _false(false: Sequence[FalseTrigger], name: str) -> Iterator[str]:
    if not false:
        return
    yield f"  requests that came to {name} and are not for it: {len(false)}; evidence, and no proposal"
    for each in false[:SHOWN]:
        words = ", ".join(printable(word, 40) for word in each.words)
        yield f"    {printable(each.utterance, 100)}"
        yield f"      words: {words}; instead: {printable(each.instead, 80) or 'nobody'}"
        cost = f"costs {each.costs} of {each.of} right ones" if each.of else "costs nothing that is known"
        yield f"      a floor above {each.share:.2f} would stop it, and {cost}"
        yield f"      untried: {printable(each.clause, 200)}"
    if len(false) > SHOWN:
        yield f"    and {len(false) - SHOWN} more"
