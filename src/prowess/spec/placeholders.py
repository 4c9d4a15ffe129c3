"""The two placeholders of Agent Plugins 1.0.0, section 9.2, and their expansion.

One textual pass, not recursive: inserted text is never scanned again. Any other `${...}` is plain
text. Which fields are expanded is the caller's knowledge (`args`, `env` values, `cwd`; nothing else).
"""

from __future__ import annotations

import re

ROOT = "PLUGIN_ROOT"
DATA = "PLUGIN_DATA"
RESERVED = frozenset({ROOT, DATA})

ROOT_PLACEHOLDER = "${PLUGIN_ROOT}"
DATA_PLACEHOLDER = "${PLUGIN_DATA}"

_PLACEHOLDER = re.compile(r"\$\{(PLUGIN_ROOT|PLUGIN_DATA)\}")


def expand(text: str, *, root: str, data: str) -> str:
    """`text` with every exact placeholder replaced once."""
    if "${PLUGIN_" not in text:
        return text
    values = {ROOT: root, DATA: data}
    return _PLACEHOLDER.sub(lambda found: values[found[1]], text)


def has_placeholder(text: str) -> bool:
    """Whether expansion would change `text`."""
    return _PLACEHOLDER.search(text) is not None
