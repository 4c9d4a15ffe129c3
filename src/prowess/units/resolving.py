"""The names of hosts turned into addresses: a port, the machine's own resolver, and a twin.

Nothing is judged here. What the machine's resolver takes for a number (`2130706433`, `0x7f.1`) it
turns into the address that is meant, so such spellings are judged like any other name.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping, Sequence
from typing import Protocol


class Resolver(Protocol):
    """Says which addresses a name has."""

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        """The addresses, best first. Raises OSError when there are none."""
        ...


async def system(host: str, port: int) -> Sequence[str]:
    """What this machine says."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(each[4][0]) for each in found))


class MemoryResolver:
    """The in-memory twin: names and their addresses, which may be changed at any time."""

    def __init__(self, answers: Mapping[str, Sequence[str]]) -> None:
        self.answers = dict(answers)
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        """The addresses as they are now."""
        self.asked.append(host)
        if host not in self.answers:
            raise OSError(f"no such host: {host}")
        return self.answers[host]
