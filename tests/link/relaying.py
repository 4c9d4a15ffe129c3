"""Links to the talker, and a client that keeps what it hears."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.bounds import bound

from prowess.errors import RequestFailed
from prowess.link import Link, MemoryEras
from prowess.provider import Answered, Change, Invocation, Outcome
from prowess.spec.model import StdioServer

TALKER = str(Path(__file__).parent / "servers" / "talker.py")
Json = Mapping[str, Any]


@dataclass
class Client:
    """A Peer that writes down what it is told, and answers what it is asked with `answers`."""

    session: str = ""
    capabilities: Json = field(default_factory=dict)
    wants_progress: bool = False
    told: list[tuple[str, Json]] = field(default_factory=list)
    asked: list[tuple[str, Json]] = field(default_factory=list)
    answers: dict[str, Json | RequestFailed] = field(default_factory=dict)
    hold: asyncio.Event | None = None  # nothing is heard before it is set

    async def progress(self, params: Json) -> None:
        """Write it down."""
        await self.notify("progress", params)

    async def notify(self, method: str, params: Json) -> None:
        """Write it down."""
        if self.hold is not None:
            await self.hold.wait()
        self.told.append((method, params))

    async def ask(self, method: str, params: Json) -> Json:
        """Write it down and answer."""
        self.asked.append((method, params))
        answer = self.answers[method]
        if isinstance(answer, RequestFailed):
            raise answer
        return answer


@dataclass
class Talk:
    """Makes links to talkers and closes them."""

    place: Path
    links: list[Link] = field(default_factory=list)

    def link(self, *modes: str) -> Link:
        """A link to a talker of these modes."""
        link = Link(
            StdioServer(
                id="talker",
                command=Path(sys.executable).name,
                args=("-S", TALKER, *modes),
                env={"TALKER_LOG": str(self.place / "log")},
            ),
            root=str(self.place),
            data=str(self.place / "data"),
            startup=bound(10),
            eras=MemoryEras(),
        )
        self.links.append(link)
        return link

    def heard(self, method: str) -> list[str]:
        """The process id and what follows, of each time that a talker met `method`."""
        log = self.place / "log"
        lines = [line.split(" ", 2) for line in log.read_text().splitlines()] if log.exists() else []
        return [" ".join((pid, *more)) for pid, name, *more in lines if name == method]


async def do(link: Link, what: str = "", peer: Client | None = None, **arguments: Any) -> Outcome:
    """Call the talker's tool."""
    return await link.call(
        Invocation(tool="do", arguments={"what": what, **arguments}, peer=peer, timeout=bound(10))
    )


async def state(link: Link, peer: Client | None = None) -> dict[str, Any]:
    """What the talker at the other end knows."""
    outcome = await do(link, "state", peer)
    assert isinstance(outcome, Answered), outcome
    value: dict[str, Any] = outcome.value
    return value


class Hearing:
    """Keeps the changes that it is told."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self._event = asyncio.Event()

    def __call__(self, change: Change) -> None:
        """Keep it."""
        self.changes.append(change)
        self._event.set()

    async def next(self) -> Change:
        """The next change that has not been given yet."""
        async with asyncio.timeout(bound(10)):
            while not self.changes:
                self._event.clear()
                await self._event.wait()
        return self.changes.pop(0)
