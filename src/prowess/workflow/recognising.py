"""Which directories mean a folder of workflows by itself, and where the runs of such a folder are kept.

There is no manifest that says so, so the beginnings of its YAML files are looked at: one has `steps:` at
its margin. It judges nothing.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping

_STEPS = re.compile(rb"""^(\{.*)?["']?steps["']?\s*:""", re.MULTILINE)
ENDINGS = (".yaml", ".yml")  # as in `finding`, which costs more to import than a look may
LOOKED_AT = 65_536  # bytes of a file
MOST_FILES = 50
_OTHERS = ("plugin.json", "prowess.toml", "mcp.json", "SKILL.md")


def holds_workflows(path: str) -> bool:
    """Whether the directory `path` means a folder of workflows: `*.yaml` of which one has steps."""
    if any(os.path.lexists(os.path.join(path, each)) for each in _OTHERS):
        return False
    try:
        names = sorted(os.listdir(path))
    except OSError:
        return False
    files = [each for each in names if each.endswith(ENDINGS) and not each.startswith(".")]
    return any(_has_steps(os.path.join(path, each)) for each in files[:MOST_FILES])


def _has_steps(file: str) -> bool:
    if not os.path.isfile(file):
        return False
    try:
        with open(file, "rb") as opened:
            return _STEPS.search(opened.read(LOOKED_AT)) is not None
    except OSError:
        return False


def file_of_runs(folder: str, environment: Mapping[str, str]) -> str:
    """Where the runs of a folder are kept that no `prowess.toml` speaks of.

    For a plugin's server that is the plugin's own data (`PLUGIN_DATA`), else a file of this folder alone:
    a worker goes on with every run in its file, and does not have the skills of another folder's.
    """
    if data := environment.get("PLUGIN_DATA", ""):
        return os.path.join(data, "workflows.sqlite3")
    from prowess.store.directories import data_home

    known = hashlib.sha256(os.fsencode(os.path.realpath(folder))).hexdigest()[:16]
    return os.path.join(data_home(), f"workflows-{known}.sqlite3")
