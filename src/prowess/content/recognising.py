"""Which directories mean a folder of content, told by names alone."""

from __future__ import annotations

import os

LABEL = "content"  # what a Host calls the server that its content makes
FOLDERS = ("prompts", "resources", "templates")
WIDEST = 10_000  # children looked at; a folder with more than that holds no skills by accident


def holds_content(path: str) -> bool:
    """Whether the directory `path` means a folder of content, told by names: it holds one of the three
    folders, and is no plugin and no folder of skills."""
    if not any(os.path.isdir(os.path.join(path, each)) for each in FOLDERS):
        return False
    if any(os.path.lexists(os.path.join(path, each)) for each in ("plugin.json", "prowess.toml")):
        return False
    try:
        children = sorted(os.listdir(path))[:WIDEST]
    except OSError:
        return False
    return not any(os.path.lexists(os.path.join(path, each, "SKILL.md")) for each in children)
