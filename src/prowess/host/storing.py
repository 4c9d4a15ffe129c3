"""Where a Host keeps what it remembers: pins, approvals and records, on disk or in memory.

On disk is the one SQLite file of this user, opened when the first call needs it. `Store.in_memory`
forgets everything at the end, and so pins nothing from one run to the next.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prowess.call.approvals import ApprovalStore, MemoryApprovals
from prowess.call.pinning import MemoryPins, PinStore
from prowess.call.recording import MemoryRecorder, Recorder

if TYPE_CHECKING:
    from prowess.store.database import Database


def _nothing() -> None:
    """What closing a store of values takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """What outlives a call; `close` is called once, when the Host is closed."""

    pins: PinStore
    approvals: ApprovalStore
    recorder: Recorder
    close: Callable[[], None] = _nothing
    database: Database | None = None

    @classmethod
    def on_disk(cls, file: str | None = None) -> Store:
        """The file of this user, or another one."""
        from prowess.store.approvals import Approvals
        from prowess.store.database import Database
        from prowess.store.pins import Pins
        from prowess.store.records import Records

        database = Database(file)
        return cls(
            pins=Pins(database),
            approvals=Approvals(database),
            recorder=Records(database),
            close=database.close,
            database=database,
        )

    @classmethod
    def in_memory(cls, *, clock: Callable[[], float] = time.time) -> Store:
        """Nothing is kept; for tests, and for whoever keeps pins elsewhere."""
        return cls(pins=MemoryPins(), approvals=MemoryApprovals(clock=clock), recorder=MemoryRecorder())
