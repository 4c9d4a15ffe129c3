"""Run-time keys that were written back into a package.

`plugin.json` and `mcp.json` say what a package declares (Agent Plugins 1.0.0, sections 5.2 and 7.2,
both closed). What was found at run time (which tools, with which schemas, whether a server is up,
how much of a skill is loaded) belongs in a snapshot: in a package it is out of date at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from prowess.redact import printable
from prowess.spec.diagnostics import Place
from prowess.spec.strict_json import pointer

RUNTIME_KEYS = {
    "tools": "a server answers tools/list",
    "status": "a snapshot says whether a server is up",
    "inputSchema": "a server answers tools/list with each tool's schema",
    "loaded": "a snapshot says how much of a skill is loaded",
}

# Members whose own keys are names that somebody chose, or that belong to another client.
FREE = frozenset({"env", "headers", "extensions", "inputSchema", "outputSchema", "metadata"})
# Deeper than any manifest; a document that nests on and on is judged elsewhere.
DEPTH = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeKey:
    """One key found: where, which, and where such a thing belongs."""

    place: Place
    key: str
    hint: str

    def to_text(self) -> str:
        """One printable line."""
        return f"! {printable(str(self.place))}: run-time key in a package ({self.hint})"

    def to_dict(self) -> dict[str, Any]:
        """The JSON value."""
        return {"file": self.place.file, "pointer": self.place.pointer, "key": self.key, "hint": self.hint}


def runtime_keys(document: Any, file: str) -> tuple[RuntimeKey, ...]:
    """The run-time keys in a parsed `plugin.json` or `mcp.json`, in the order of the document."""
    return tuple(
        RuntimeKey(
            place=Place(file=file, pointer=pointer(*path)), key=str(path[-1]), hint=RUNTIME_KEYS[path[-1]]
        )
        for path in _search(document, (), names_are_keys=True)
    )


def _search(value: Any, path: tuple[Any, ...], *, names_are_keys: bool) -> Iterator[tuple[Any, ...]]:
    if len(path) >= DEPTH:
        return
    if isinstance(value, list):
        for at, item in enumerate(value):
            yield from _search(item, (*path, at), names_are_keys=True)
    elif isinstance(value, Mapping):
        for key, member in value.items():
            inner = (*path, key)
            if names_are_keys and key in RUNTIME_KEYS:
                yield inner
            if not (names_are_keys and key in FREE):
                yield from _search(member, inner, names_are_keys=key != "mcpServers" or not names_are_keys)
