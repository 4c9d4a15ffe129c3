"""Characters that a person does not see, or takes for others. Pure.

Unicode 15: format characters, tags (U+E0000 to U+E007F), variation selectors, bidirectional controls,
and letters of other scripts that look like Latin ones. Which of them are honest where is judged in
`scan_hidden`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# Joiners (U+200C, U+200D) are honest in many scripts and in emoji, and hide nothing by themselves;
# between ASCII letters they are taken out like the others.
INVISIBLE = (
    frozenset(
        "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063"
        "\u2064\u206a\u206b\u206c\u206d\u206e\u206f\u3164\ufeff\uffa0"
        "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    )
    | frozenset(map(chr, range(0xFE00, 0xFE10)))
    | frozenset(map(chr, range(0xE0000, 0xE0200)))
)

# Cyrillic and Greek letters that are drawn like Latin ones.
_PAIRS = (
    "аaеeоoрpсcхxуyіiјjѕsһhԁdԛqԝwАAВBЕEКKМMНHОOРPСCТTХXУYІIЈJЅSɡgαaοoνvρpτtυuιiκkΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX"
)
LOOKALIKES = {ord(other): latin for other, latin in zip(_PAIRS[::2], _PAIRS[1::2], strict=True)}

_TAGS = re.compile("[\U000e0020-\U000e007e]{2,}")
# A flag of a region (England, Scotland, Wales, ...) is written with tags, ended by a cancel tag.
_FLAG = "\U0001f3f4"
_CANCEL = "\U000e007f"


def tags_as_text(text: str) -> Iterator[tuple[int, str]]:
    """Where tags stand that are no flag, and the ASCII text that they spell."""
    for found in _TAGS.finditer(text):
        before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
        if before == _FLAG and after == _CANCEL and len(found[0]) <= 6:
            continue
        yield found.start(), "".join(chr(ord(c) - 0xE0000) for c in found[0])
