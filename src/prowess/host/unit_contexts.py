"""What the units of a Host work with, tied to that Host: its secrets, credentials, records and log.

A credential is bound to the unit, to the place that the Host was made from and to the origin, as a
server's is to its plugin: a unit of that name from elsewhere gets nothing until somebody approves.
Every value handed out is masked from then on, in what is written down and in results.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from prowess.call import tracing
from prowess.call.recording import COMMIT_SECONDS
from prowess.credentials.injecting import Injector
from prowess.credentials.urls import origin as origin_of
from prowess.errors import CredentialFailed
from prowess.host.masking import Learning
from prowess.host.setup import Setup
from prowess.redact import printable
from prowess.spec.model import HttpServer
from prowess.store.directories import source_identity
from prowess.store.remembered import RequestRecord
from prowess.units.context import Contexts
from prowess.units.model import Unit

if TYPE_CHECKING:
    from prowess.host.calling import Calling

SERVER = "units"


def contexts(setup: Setup, calling: Calling) -> Contexts:
    """What makes the context of each call of a unit."""
    means = _Means(setup, calling)
    return Contexts(
        identity=means.identity,
        secret=means.secret,
        injector=means.injector,
        record=means.record,
        log=calling.log,
        trace=tracing.current.get,
    )


class _Means:
    """The Host's side of every context."""

    def __init__(self, setup: Setup, calling: Calling) -> None:
        self.identity = source_identity(setup.place)
        self._units = setup.units
        self._calling = calling
        self._origins = {origin_of(url): section for url, section in setup.units.origins.items()}
        self._injectors: dict[tuple[str, str], Injector] = {}

    def secret(self, name: str) -> str:
        """A secret from where `[units.secrets]` says that it is kept; read anew each time."""
        from prowess.credentials.reading import read_secret

        kept = self._units.secrets.get(name)
        if kept is None:
            shown = printable(name, 80)
            raise CredentialFailed(
                f"nothing says where the secret {shown} is kept",
                code="credential-missing",
                hint=f'[units.secrets] {shown} = {{ env = "{shown}" }} in prowess.toml',
            )
        value = read_secret(kept)
        self._calling.secrets.learn([value])
        return value

    def injector(self, unit: Unit, origin: str) -> Injector | None:
        """What the unit's requests to this origin carry. Raises UsageError."""
        section, credentials = self._origins.get(origin), self._calling.credentials
        if section is None or credentials is None or (section.units and unit.name not in section.units):
            return None
        key = (unit.name, origin)
        if key not in self._injectors:
            entry = HttpServer(id=SERVER, type="streamable-http", url=origin)
            name = f"{SERVER}/{unit.name}@{origin}"
            made = credentials.injector(name, section.as_server, entry, plugin=self.identity)
            self._injectors[key] = Learning(made, self._calling.secrets)
        return self._injectors[key]

    async def record(self, record: RequestRecord) -> None:
        """Keep the record of a request; one that cannot be kept is logged and fails nothing."""
        journal = self._calling.path.journal
        try:
            async with asyncio.timeout(COMMIT_SECONDS):
                await journal.commit(record)
        except Exception as error:  # noqa: BLE001  # boundary: the request was sent; its answer is not withheld
            journal.log("request-unrecorded", error=type(error).__name__)
