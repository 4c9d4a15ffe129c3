"""Two texts compared line by line, in a time that neither of them can stretch.

`difflib` looks for the longest run that both have, over and over; lines can be arranged so that this takes
minutes for a text of some pages. What two texts have in common at both ends is passed over here, and of
what is left too much is told as removed and added, without a search. It knows nothing of what the texts are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

CONTEXT = 3  # lines around each change
MOST_PAIRS = 4_000_000  # of lines, one of each text: a second at the worst
Operation = tuple[str, int, int, int, int]


def unified(before: Sequence[str], after: Sequence[str], old: str = "", new: str = "") -> Iterator[str]:
    """The lines of a unified diff, without line ends; none where both are the same."""
    matcher = SequenceMatcher[str](autojunk=False)
    matcher.opcodes = _operations(before, after)  # type: ignore[attr-defined]  # it only groups them
    begun = False
    for group in matcher.get_grouped_opcodes(CONTEXT):
        if not begun:
            yield from (f"--- {old}", f"+++ {new}")
            begun = True
        first, last = group[0], group[-1]
        yield f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@"
        for tag, *places in group:
            yield from _told(tag, before[places[0] : places[1]], after[places[2] : places[3]])


def _told(tag: str, before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    if tag == "equal":
        yield from (f" {each}" for each in before)
        return
    yield from (f"-{each}" for each in before)
    yield from (f"+{each}" for each in after)


def _range(begin: int, end: int) -> str:
    """Lines as a unified diff counts them."""
    length = end - begin
    if length == 1:
        return f"{begin + 1}"
    return f"{begin + 1 if length else begin},{length}"


def _operations(before: Sequence[str], after: Sequence[str]) -> list[Operation]:
    """What turns one into the other, as `SequenceMatcher` says it."""
    head, tail = _ends(before, after)
    olds, news = before[head : len(before) - tail], after[head : len(after) - tail]
    found: list[Operation] = []
    if len(olds) * len(news) > MOST_PAIRS:
        found = [("replace", 0, len(olds), 0, len(news))]
    elif olds or news:
        found = list(SequenceMatcher(None, olds, news).get_opcodes())
    moved = [(tag, a + head, b + head, c + head, d + head) for tag, a, b, c, d in found]
    first = [("equal", 0, head, 0, head)] if head else []
    ends = len(before), len(after)
    last = [("equal", ends[0] - tail, ends[0], ends[1] - tail, ends[1])] if tail else []
    return [*first, *moved, *last]


def _ends(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """How many lines are the same at the beginning, and of the others at the end."""
    least, head, tail = min(len(before), len(after)), 0, 0
    while head < least and before[head] == after[head]:
        head += 1
    while tail < least - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return head, tail
