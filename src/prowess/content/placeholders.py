"""Values put into a text: `{name}` becomes the value, `{{name}}` is written out as {name}.

In one pass, so that a value means nothing but itself, and bounded: a long value that stands in many
places would fill any memory.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from prowess.errors import Unreadable

MOST_CHARACTERS = 1 << 22


def filled(text: str, values: Mapping[str, str]) -> str:
    """`text` with the values in place; other braces stay. Raises Unreadable when it grows too large."""
    if not values:
        return text
    grown = len(text) + sum(text.count(f"{{{name}}}") * len(value) for name, value in values.items())
    if grown > MOST_CHARACTERS:
        raise Unreadable(f"with these values the text has more than {MOST_CHARACTERS} characters")
    either = "|".join(sorted((re.escape(name) for name in values), key=len, reverse=True))
    pattern = re.compile(rf"\{{\{{({either})\}}\}}|\{{({either})\}}")
    return pattern.sub(lambda found: values[found[2]] if found[2] else f"{{{found[1]}}}", text)
