"""A unified diff that is right, and quick whatever the texts are."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from tests.bounds import bound

from prowess.author.differing import MOST_PAIRS, unified

LINES = st.lists(st.sampled_from(["a", "b", "c", "- d", "@@ e", ""]), max_size=40)
HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


def patched(text: Sequence[str], diff: Sequence[str]) -> list[str]:
    """`text` with a diff applied, every kept and removed line looked at."""
    made: list[str] = []
    at = olds = news = 0
    for line in diff[2:]:
        found = HUNK.fullmatch(line) if not (olds or news) else None
        if found:
            olds, news = (1 if each is None else int(each) for each in (found[2], found[4]))
            begin = int(found[1]) - (1 if olds else 0)
            made += text[at:begin]
            at = begin
            assert len(made) == int(found[3]) - (1 if news else 0)
            continue
        kind, said = line[0], line[1:]
        if kind in " -":
            assert text[at] == said
            at, olds = at + 1, olds - 1
        if kind in " +":
            made.append(said)
            news -= 1
    assert olds == news == 0
    return [*made, *text[at:]]


@given(LINES, LINES)
def test_what_it_tells_turns_one_text_into_the_other(before: list[str], after: list[str]) -> None:
    told = list(unified(before, after, "old", "new"))
    assert (told == []) == (before == after)
    assert told[:2] == ([] if before == after else ["--- old", "+++ new"])
    assert patched(before, told) == after


def test_only_what_is_near_a_change_is_told() -> None:
    before = [f"line {number}" for number in range(100)]
    assert list(unified(before, [*before[:50], "new", *before[51:]], "a", "b")) == [
        "--- a",
        "+++ b",
        "@@ -48,7 +48,7 @@",
        *(f" line {number}" for number in (47, 48, 49)),
        "-line 50",
        "+new",
        *(f" line {number}" for number in (51, 52, 53)),
    ]


def test_lines_laid_out_to_take_minutes_take_no_longer_than_others() -> None:
    before, after = (
        [f"shared {number % 300}" if number % 2 else f"{side} {number}" for number in range(20_000)]
        for side in ("old", "new")
    )
    assert len(before) * len(after) > MOST_PAIRS
    began = time.monotonic()
    told = list(unified(before, after))
    assert time.monotonic() - began < bound(5)
    assert patched(before, told) == after
