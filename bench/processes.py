"""What other processes cost, as Linux's /proc tells; elsewhere nothing is known."""

from __future__ import annotations

import os
from pathlib import Path

PROC = Path("/proc")


def children(process: int | None = None) -> set[int]:
    """The processes that `process` (by default this one) has started and that are still there."""
    mine = os.getpid() if process is None else process
    found: set[int] = set()
    try:
        for thread in (PROC / str(mine) / "task").iterdir():
            found |= {int(each) for each in (thread / "children").read_text().split()}
    except OSError:
        pass
    return found


def cpu_ms(process: int) -> float | None:
    """The processor time that a process has used so far, in milliseconds."""
    try:
        fields = (PROC / str(process) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) * 1_000 / os.sysconf("SC_CLK_TCK")


def rss_mib(process: int) -> float | None:
    """The memory that a process has in RAM, in MiB."""
    try:
        pages = int((PROC / str(process) / "statm").read_text().split()[1])
    except (OSError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
