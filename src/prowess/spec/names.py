"""The plugin name, Agent Plugins 1.0.0 section 5.5, and the name that an author probably meant."""

from __future__ import annotations

import re

LONGEST = 64

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?")
_FOREIGN = re.compile(r"[^a-z0-9.-]+")
_REPEATED = re.compile(r"-{2,}|\.{2,}")


def name_problem(name: str) -> str | None:
    """What is wrong with a plugin name, or None; the pattern has to match all of it."""
    if len(name) > LONGEST:
        return f"has {len(name)} characters, and may have {LONGEST}"
    if name != name.lower() and _NAME.fullmatch(name.lower()):
        return "holds capital letters"
    if not _NAME.fullmatch(name):
        return "may hold only a-z, 0-9, - and ., and begins and ends with a letter or digit"
    if "--" in name or ".." in name:
        return "holds -- or .."
    return None


def suggested_name(name: str) -> str | None:
    """A valid name close to `name`, if one can be made."""
    made = _FOREIGN.sub("-", name.strip().lower())
    made = _REPEATED.sub(lambda found: found[0][0], made).strip("-.")[:LONGEST].strip("-.")
    return made if made and name_problem(made) is None else None
