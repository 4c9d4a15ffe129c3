"""Where an imported skill came from, as its frontmatter keeps it.

Agent Skills, `metadata`: a map of texts. Each key begins with `imported-`; what has parts is JSON in
one text. A skill without `imported-from` was not imported. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

FORMAT = "1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a skill came from, and all that is needed to ask there again.

    `source` is the server as it was named, relative to where the skill lives; `server` its label.
    `parts` are address and digest by file, `tools` the names that the skill leads to. `wanted` is what
    was asked for: uris, values, live, keep, description, triggers. `date` is a day, `digest` what was
    approved.
    """

    source: str
    server: str
    date: str
    parts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    tools: tuple[str, ...] = ()
    wanted: Mapping[str, Any] = field(default_factory=dict)
    digest: str = ""

    def with_parts(self, parts: Mapping[str, tuple[str, str]]) -> Provenance:
        """The same, of these files."""
        return replace(self, parts=dict(parts))

    def approved(self, digest: str) -> Provenance:
        """The same, with what a person is asked about."""
        return replace(self, digest=digest)

    @property
    def metadata(self) -> dict[str, str]:
        """What stands in the frontmatter."""
        return {
            "imported-format": FORMAT,
            "imported-from": self.source,
            "imported-server": self.server,
            "imported-at": self.date,
            "imported-digest": self.digest,
            "imported-parts": _json({name: list(each) for name, each in self.parts.items()}),
            "imported-tools": " ".join(self.tools),
            "imported-asked": _json(dict(self.wanted)),
        }


def provenance_of(metadata: Mapping[str, str]) -> Provenance | None:
    """The provenance in a skill's metadata; None for a skill that was not imported, or not by us."""
    if metadata.get("imported-format") != FORMAT or not metadata.get("imported-from"):
        return None
    parts, wanted = _read(metadata.get("imported-parts")), _read(metadata.get("imported-asked"))
    if parts is None or wanted is None:
        return None
    known = {
        name: (str(each[0]), str(each[1]))
        for name, each in parts.items()
        if isinstance(each, list) and len(each) == 2
    }
    return Provenance(
        source=metadata["imported-from"],
        server=metadata.get("imported-server", ""),
        date=metadata.get("imported-at", ""),
        parts=known,
        tools=tuple(metadata.get("imported-tools", "").split()),
        wanted=wanted,
        digest=metadata.get("imported-digest", ""),
    )


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True) if value else ""


def _read(text: str | None) -> dict[str, Any] | None:
    if not text:
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
