"""How much of a package is ever read: every bound of the judge, by name.

The specification sets none of these; a reader of untrusted packages needs them. All are far above
what published packages hold.
"""

from __future__ import annotations

JSON_BYTES = 1 << 20
"""The largest `plugin.json` or `mcp.json`."""

JSON_DEPTH = 64
"""How deep objects and arrays may nest."""

SKILL_BYTES = 1 << 20
"""The largest `SKILL.md`."""

FILE_BYTES = 16 << 20
"""The largest other file of a package that is read on demand."""

DIRECTORY_ENTRIES = 20_000
"""The most entries of one directory."""

POINTER_STEP = 200
"""The most characters of one key in a JSON pointer that is shown."""

MANIFEST_PROBLEMS = 1_000
"""The most diagnostics of one reach about one manifest; the verdict never depends on the rest."""

ENTRY_PROBLEMS = 100
"""The most diagnostics of one reach about one server entry; the verdict never depends on the rest."""

LINK_HOPS = 40
"""How many symbolic links one path may pass through (the limit that Linux has)."""

PATH_STEPS = 64
"""How many names one path may pass through, those of its links included."""
