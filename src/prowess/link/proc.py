"""What runs on this machine, as Linux's `/proc` tells it; nothing where there is none."""

from __future__ import annotations

import os
from collections.abc import Mapping


class Stat:
    """What `/proc/PID/stat` says: state, parent, group, session, start time."""

    __slots__ = ("group", "parent", "session", "started", "state")

    def __init__(self, text: str) -> None:
        # The name, in parentheses, may hold anything; the rest follows its last parenthesis.
        fields = text[text.rindex(")") + 2 :].split()
        self.state, self.started = fields[0], fields[19]
        self.parent, self.group, self.session = int(fields[1]), int(fields[2]), int(fields[3])


def processes() -> dict[int, Stat]:
    """Every process that can be seen; empty where there is no `/proc`."""
    found: dict[int, Stat] = {}
    try:
        names = os.listdir("/proc")
    except OSError:
        return found
    for name in names:
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    found[int(name)] = Stat(file.read())
            except (OSError, ValueError, IndexError):
                continue  # gone in between
    return found


def environ(pid: int) -> bytes:
    """The environment that a process was started with; empty when it cannot be seen."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return file.read()
    except OSError:
        return b""


def descendants(root: int, running: Mapping[int, Stat]) -> dict[int, str]:
    """The processes below `root` by parentage, with their start times."""
    below: dict[int, list[int]] = {}
    for pid, stat in running.items():
        below.setdefault(stat.parent, []).append(pid)
    family: dict[int, str] = {}
    waiting = list(below.get(root, ()))
    while waiting:
        pid = waiting.pop()
        if pid not in family:
            family[pid] = running[pid].started
            waiting.extend(below.get(pid, ()))
    return family
