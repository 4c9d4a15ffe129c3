"""Package paths as text: written with `/`, relative to the plugin root, never resolved here.

Whether a path really stays inside is a question for a source, because only a real file system
knows its links (Agent Plugins 1.0.0, section 4.1). Where nothing real exists to ask, such as the
data directory of a plugin that is only being judged, the text alone decides.
"""

from __future__ import annotations


def climbs_out(path: str) -> bool:
    """Whether `..` steps lead above where a relative path starts, going by the text alone."""
    depth = 0
    for step in path.split("/"):
        if step == "..":
            depth -= 1
            if depth < 0:
                return True
        elif step not in ("", "."):
            depth += 1
    return False


def names_directory(path: str) -> bool:
    """Whether the text alone says that a path is a directory: it ends in `/`, `.` or `..`."""
    return path.rpartition("/")[2] in ("", ".", "..")
