"""Where a Host keeps what it remembers: pins, approvals and records, on disk, shared or in memory.

On disk is the one SQLite file of this user, opened when the first call needs it. A shared store keeps
pins, approvals and rollouts in PostgreSQL; records are written here, where no network holds a call up,
and sent on. `Store.in_memory` forgets everything at the end, and so pins nothing from one run to the next.
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
    from prowess.host.config import Config
    from prowess.host.setup import Setup
    from prowess.store.database import Database
    from prowess.store.shared import SharedDatabase
    from prowess.units.rollout_shared import SharedPlace


def _nothing() -> None:
    """What closing a store of values takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """A database that several machines share. `name` is what this Host is called there, if it is said."""

    database: SharedDatabase
    name: str = ""

    def rollouts(self, file: str) -> SharedPlace:
        """What is rolled out, beginning as `file` says."""
        from prowess.units.rollout_shared import SharedPlace

        return SharedPlace(self.database, scope=self.name or file, file=file)


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """What outlives a call; `close` is called once, when the Host is closed."""

    pins: PinStore
    approvals: ApprovalStore
    recorder: Recorder
    close: Callable[[], None] = _nothing
    database: Database | None = None
    shared: Shared | None = None

    def scope(self, place: str) -> str:
        """What the pins of `place`, a package or a configuration, are kept under."""
        from prowess.store.pins import scope_of

        return (self.shared.name if self.shared is not None else "") or scope_of(place)

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
    def shared_by(cls, url: str, *, name: str = "", file: str | None = None) -> Store:
        """Pins and approvals in PostgreSQL, records in the file. Raises UsageError for what is no URL."""
        from prowess.store.database import Database
        from prowess.store.records import Records
        from prowess.store.shared import SharedDatabase
        from prowess.store.shared_approvals import SharedApprovals
        from prowess.store.shared_pins import SharedPins

        database, shared = Database(file), SharedDatabase(url)

        def close() -> None:
            shared.close()
            database.close()

        return cls(
            pins=SharedPins(shared),
            approvals=SharedApprovals(shared),
            recorder=Records(database),
            close=close,
            database=database,
            shared=Shared(database=shared, name=name),
        )

    @classmethod
    def of(cls, setup: Setup | Config) -> Store:
        """The store that a configuration asks for. Raises UsageError and CredentialFailed."""
        file = setup.records.sqlite or None
        if setup.store.postgres is None:
            return cls.on_disk(file)
        from prowess.credentials.reading import read_secret

        return cls.shared_by(read_secret(setup.store.postgres), name=setup.store.name, file=file)

    @classmethod
    def in_memory(cls, *, clock: Callable[[], float] = time.time) -> Store:
        """Nothing is kept; for tests, and for whoever keeps pins elsewhere."""
        return cls(pins=MemoryPins(), approvals=MemoryApprovals(clock=clock), recorder=MemoryRecorder())
