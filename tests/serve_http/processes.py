"""`prowess` as processes of their own, each on a machine of its own as far as it can tell."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bounds import bound

READY = re.compile(r"ready at (\S+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """A home and a state of its own, and what is set in its environment."""

    home: Path
    env: dict[str, str]

    def environment(self) -> dict[str, str]:
        """The whole environment of a process there."""
        kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "LANG") if name in os.environ}
        folders = {f"XDG_{each}_HOME": str(self.home / each.lower()) for each in ("STATE", "DATA", "CACHE")}
        return {**kept, **folders, "HOME": str(self.home), **self.env}

    async def run(self, *arguments: str) -> tuple[int, str, str]:
        """One command to its end: status, what it printed, what it said."""
        process = await asyncio.create_subprocess_exec(
            *_command(*arguments), env=self.environment(), cwd=self.home, **_PIPES
        )
        out, err = await asyncio.wait_for(process.communicate(), bound(40))
        assert process.returncode is not None
        assert b"Traceback" not in err, err.decode()
        return process.returncode, out.decode(), err.decode()

    @asynccontextmanager
    async def serving(self, *arguments: str) -> AsyncIterator[Serving]:
        """`prowess serve` while the block runs."""
        process = await asyncio.create_subprocess_exec(
            *_command("serve", *arguments, "--http", "127.0.0.1:0"),
            env=self.environment(),
            cwd=self.home,
            **_PIPES,
        )
        serving = Serving(process)
        try:
            await asyncio.wait_for(serving.up(), bound(40))
            yield serving
        finally:
            if process.returncode is None:
                process.terminate()
            await asyncio.wait_for(process.wait(), bound(40))
            serving.reading.cancel()


class Serving:
    """A running `prowess serve`: its URL, what it said, its process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.said: list[str] = []
        self.url = ""
        self._news = asyncio.Event()
        self.reading = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        assert self.process.stderr is not None
        async for line in self.process.stderr:
            self.said.append(line.decode())
            found = READY.search(line.decode())
            self.url = found[1] if found else self.url
            self._news.set()
        self._news.set()

    async def up(self) -> None:
        """Return when it answers."""
        await self.saying(READY.pattern)

    async def saying(self, pattern: str) -> None:
        """Return when it has said something like that."""
        while not any(re.search(pattern, each) for each in self.said):
            assert not self.reading.done(), "".join(self.said)
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), bound(40))


def _command(*arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "prowess", *arguments)


_PIPES: dict[str, Any] = {
    "stdin": asyncio.subprocess.DEVNULL,
    "stdout": asyncio.subprocess.PIPE,
    "stderr": asyncio.subprocess.PIPE,
}
