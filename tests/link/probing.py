"""Links to real servers: the probe programs of `servers/`, started as a plugin's would be."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prowess.link import EraMemory, Link, MemoryEras, Starting
from prowess.provider import Invocation, Outcome
from prowess.spec.model import StdioServer

PROBE = str(Path(__file__).parent / "servers" / "probe.py")
SECRET = "hunter2-secret-value"


@dataclass
class Bench:
    """Makes links to the probe in a plugin directory of its own, and closes them in the end."""

    place: Path
    started: list[Starting] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)

    @property
    def log(self) -> Path:
        return self.place / "log"

    def logged(self, prefix: str = "") -> list[str]:
        """What the probe wrote down: the methods that reached it, the children that it started."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [line for line in lines if line.startswith(prefix)]

    def link(
        self,
        *behaviours: str,
        startup: float = 10.0,
        eras: EraMemory | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Link:
        server = StdioServer(
            id="probe",
            command=Path(sys.executable).name,
            args=("-S", PROBE, *behaviours),
            env={"PROBE_LOG": str(self.log), "API_TOKEN": SECRET, **(env or {})},
        )
        link = Link(
            server,
            root=str(self.place),
            data=str(self.place / "data"),
            startup=startup,
            eras=eras if eras is not None else MemoryEras(),
            on_start=self.started.append,
        )
        self.links.append(link)
        return link


async def use(link: Link, do: str = "", timeout: float = 10.0, **arguments: Any) -> Outcome:
    """Call the probe's tool."""
    return await link.call(Invocation(tool="echo", arguments={"do": do, **arguments}, timeout=timeout))


async def until(condition: Callable[[], object], seconds: float = 5.0) -> None:
    """Wait until `condition` holds; TimeoutError when it does not come to that."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110  # what is waited for happens in another process
            await asyncio.sleep(0.01)


def children() -> list[int]:
    """The child processes of this one, zombies too."""
    found: list[int] = []
    for task in Path("/proc/self/task").iterdir():
        found += [int(pid) for pid in (task / "children").read_text().split()]
    return found


def alive(pid: int) -> bool:
    """Whether a process runs (a zombie does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
