"""A Host opened from a `prowess.toml` that a test writes, around servers that do as they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from tests.acceptance.packages import plugin
from tests.call.told import Told

from prowess.call.clock import FakeClock, SystemClock
from prowess.host import Host
from prowess.host.storing import Store

HINTS = {
    "read": {"readOnlyHint": True},
    "put": {"idempotentHint": True},
    "destroy": {"destructiveHint": True},
    "browse": {"openWorldHint": True},
    "write": {},
}


class Bench:
    """Writes the file; opens the Host."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = FakeClock()
        self.store = Store.in_memory(clock=self.clock.now)

    def write(self, text: str, servers: Mapping[str, Any] | None = None) -> Path:
        plugin(self.folder / "books", servers or {})
        file = self.folder / "prowess.toml"
        file.write_text(f'format = 1\n[plugins]\nbooks = "books"\n{text}\n')
        return file

    def told(self, text: str, *providers: Told, **settings: Any) -> AbstractAsyncContextManager[Host]:
        """Around providers of this process, in time that passes as needed, all in memory."""
        given: dict[str, Any] = {"clock": self.clock, "store": self.store, **settings}
        return Host.open(self.write(text), providers=providers, **given)

    def real(
        self, text: str, servers: Mapping[str, Any], **settings: Any
    ) -> AbstractAsyncContextManager[Host]:
        """Around real servers."""
        return Host.open(self.write(text, servers), **settings)


def ledger(label: str = "ledger", kind: str = "memory", *, tools: Sequence[str] = tuple(HINTS)) -> Told:
    """A provider with the tools of every kind, which echo what they get."""
    told = Told(label, kind)
    for name in tools:
        told.tool(name, annotations=HINTS.get(name, {}))
    return told


class Moved(SystemClock):
    """The machine's clock, whose time of day a test moves."""

    def __init__(self) -> None:
        self.by = 0.0

    def now(self) -> float:
        return super().now() + self.by
