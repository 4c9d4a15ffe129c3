"""A skill to begin with: one SKILL.md that says what it does and when, and its trigger cases.

Agent Skills: the directory is called as the skill is. It needs no tool; the skill of a plugin, which
leads to one, is in `plugin.py`.
"""

from __future__ import annotations

import os
import re

from prowess.author.scaffold import CASES, cases_of, titled, write_folder
from prowess.errors import UsageError
from prowess.redact import printable

LONGEST = 64
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

DESCRIPTION = (
    "Counts the words of a text and says whether it keeps to a limit. "
    "Use when somebody asks how many words a text has, or whether it is below a number of words."
)

SKILL = """\
---
name: {name}
description: {description}
---
# {title}

1. Take the text exactly as the user gave it; where there is none, ask for it.
2. {count}
3. Where the user named a limit, say how many words are left, or how many are too many.

Answer in one sentence that begins with the number.
"""

BY_HAND = "Count what stands between blanks and line ends. A word with a hyphen is one word."


def write_skill(name: str, folder: str) -> tuple[str, ...]:
    """Write the directory `name` with a skill into `folder`; the files. Raises UsageError."""
    insist_on_skill_name(name)
    files = {"SKILL.md": skill_text(name), CASES: cases_of(name)}
    return write_folder(os.path.join(folder, name), files)


def skill_text(name: str, count: str = BY_HAND) -> str:
    """The SKILL.md of a skill that counts words as `count` says."""
    return SKILL.format(name=name, description=DESCRIPTION, title=titled(name), count=count)


def insist_on_skill_name(name: str) -> None:
    """Raise UsageError for what cannot be a skill's name and its directory's."""
    if not _NAME.fullmatch(name) or len(name) > LONGEST:
        made = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:LONGEST].strip("-")
        hint = f"perhaps {made}" if made else "lower case letters, digits and single hyphens: count-words"
        raise UsageError(f"{printable(name, 80) or 'an empty text'} is no name for a skill", hint=hint)
