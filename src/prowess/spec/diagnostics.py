"""Diagnostics: what is worth reporting about a package, as values.

A diagnostic never stops anything by itself. Its reach says how far the fault goes, in the
specification's own order of failure boundaries (Agent Plugins 1.0.0, sections 4 to 11).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum


class Reach(IntEnum):
    """How far a fault goes, widest last; `--fail-on` compares with `>=`."""

    ADVICE = 0  # allowed, could be better
    NOTE = 1  # allowed and worth knowing: an unknown field, a byte-order mark
    CONNECTION = 2  # valid configuration; this server did not come up
    ENTRY = 3  # one skill or one server is skipped
    COMPONENT = 4  # one component type (skills, MCP servers) is disabled
    PLUGIN = 5  # the whole plugin is rejected

    @property
    def word(self) -> str:
        """The name people type: `entry`, `plugin`, ..."""
        return self.name.lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where: a package-relative file, and in it a line (from 1) or a JSON pointer (RFC 6901)."""

    file: str
    line: int | None = None
    pointer: str | None = None

    def __str__(self) -> str:
        if self.line is not None:
            return f"{self.file}:{self.line}"
        return f"{self.file}#{self.pointer}" if self.pointer else self.file


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """Something worth reporting.

    `rule` is a kebab-case id in `spec.rules.RULES`; `reach` is that rule's own. `message` says
    what is wrong, `hint` what to do, `section` where the specification says so. `subject` names
    what is skipped in the words of the load report (`skills/x`, `mcp.json#server`, `skills`,
    `mcp.json`), or the ignored field; it is empty where neither applies. Untrusted text in
    `message` and `hint` has been through `redact.printable`.
    """

    rule: str
    reach: Reach
    place: Place
    message: str
    hint: str = ""
    section: str = ""
    subject: str = ""


def first_of_each_reach(found: Iterable[Diagnostic], most: int) -> list[Diagnostic]:
    """`found` in order, at most `most` of each reach: what is told stays bounded, the worst is always in."""
    counted: Counter[Reach] = Counter()
    kept = []
    for each in found:
        counted[each.reach] += 1
        if counted[each.reach] <= most:
            kept.append(each)
    return kept
