"""Where a server entry stands, and how a diagnostic about it is made."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from prowess.redact import printable
from prowess.spec import hints
from prowess.spec.diagnostics import Diagnostic, Place, Reach
from prowess.spec.json_kinds import kind_name
from prowess.spec.rules import RULES, report
from prowess.spec.strict_json import pointer

FILE = "mcp.json"

# What looks like an expansion: ${NAME}, ${NAME:-default}, ${env:NAME}.
_PLACEHOLDER_LIKE = re.compile(r"\$\{[^{}\s]{1,200}\}")
_EXPANDED = frozenset({"${PLUGIN_ROOT}", "${PLUGIN_DATA}"})


class EntryPlace(NamedTuple):
    """The entry named `id` under `mcpServers`; `subject` is the same in the words of the load report."""

    id: str
    subject: str

    @classmethod
    def named(cls, identifier: str) -> EntryPlace:
        """The place of an entry. Its subject is made once: an id may be long and its faults many."""
        return cls(identifier, f"{FILE}#{identifier}")

    def report(self, rule: str, message: str, *path: str | int, hint: str = "") -> Diagnostic:
        """A diagnostic at `path` inside the entry; rules that skip it carry its subject."""
        place = Place(file=FILE, pointer=pointer("mcpServers", self.id, *path))
        subject = self.subject if RULES[rule][0] >= Reach.ENTRY else ""
        return report(rule, place, message, hint=hint, subject=subject)

    def wrong_type(self, value: Any, wanted: str, *path: str | int) -> Diagnostic:
        """The diagnostic on a field of the wrong JSON type."""
        name = ".".join(printable(str(step), 60) for step in path)
        message = f"{name} has to be {wanted} and is {kind_name(value)}"
        return self.report("server-field-type", message, *path, hint=hints.wrong_type(value, wanted))


def literal_placeholders(
    at: EntryPlace, value: str, *path: str | int, expanded: bool
) -> Iterator[Diagnostic]:
    """The note on text that looks like an expansion and stays as it is (section 9.2)."""
    if "${" not in value:
        return
    for text in _PLACEHOLDER_LIKE.findall(value):
        if not (expanded and text in _EXPANDED):
            hint = f"{hints.NO_EXPANSION}; {hints.secret(str(path[0]))}"
            message = "text that looks like a placeholder is passed on as it is written"
            yield at.report("server-placeholder-literal", message, *path, hint=hint)
            return


def secrets(at: EntryPlace, key: str, value: str, *path: str | int) -> Iterator[Diagnostic]:
    """The note on a value that looks like a secret; the value itself is never repeated."""
    from prowess.redact import looks_secret

    if looks_secret(key, value):
        message = "the value looks like a secret, and everyone who has the package can read it"
        yield at.report("server-secret", message, *path, hint=hints.secret(str(path[0])))
