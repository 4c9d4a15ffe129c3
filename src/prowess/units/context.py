"""What a running unit works with: `ctx.http`, `ctx.secret`, `ctx.data_dir`, `ctx.log`, and a key.

Each part gives what the unit declares and refuses everything else with an Undeclared whose code says
what it was; every refusal is logged, also one that the unit swallows. Where secrets, credentials,
records and log lines come from and go to is passed in. Code that runs in this process could go
around all of it: the context makes least privilege the easy way, it is no wall (`confining.py` is).
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from prowess.credentials.injecting import Injector
from prowess.errors import CredentialFailed, Undeclared
from prowess.provider import KEY_META, Invocation
from prowess.redact import printable
from prowess.store.directories import create_private, data_home
from prowess.store.remembered import RequestRecord
from prowess.units.model import Unit
from prowess.units.resolving import Resolver, system

if TYPE_CHECKING:
    from pathlib import Path

    from httpx2 import AsyncClient

    from prowess.units.reaching import Trace

LONGEST_KEY = 500
_PLAIN = (str, int, float, bool, type(None))


def _no_secret(name: str) -> str:
    raise CredentialFailed(f"the secret {printable(name, 80)} is kept nowhere", code="credential-missing")


def _no_injector(unit: Unit, origin: str) -> Injector | None:
    return None


async def _no_record(record: RequestRecord) -> None:
    return None


def _no_log(event: str, **fields: Any) -> None:
    return None


def _no_trace() -> Trace | None:
    return None


class Contexts:
    """Makes the context of each call.

    `identity` keeps the data of units of one name from two places apart. `secret` reads a declared
    secret, `injector` gives what a unit's requests to an origin carry; both raise CredentialFailed.
    `record` keeps the record of a request and raises nothing, `log` takes an event of the Host's log,
    `trace` says where a call stands when it begins.
    """

    def __init__(
        self,
        *,
        identity: str = "",
        secret: Callable[[str], str] = _no_secret,
        injector: Callable[[Unit, str], Injector | None] = _no_injector,
        record: Callable[[RequestRecord], Awaitable[None]] = _no_record,
        log: Callable[..., None] = _no_log,
        trace: Callable[[], Trace | None] = _no_trace,
        resolver: Resolver = system,
        tls: Callable[[], ssl.SSLContext] | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.identity = identity
        self.secret = secret
        self.injector = injector
        self.record = record
        self.log = log
        self.trace = trace
        self.resolver = resolver
        self.monotonic = monotonic
        self.now = now
        self._tls = tls
        self._trust: ssl.SSLContext | None = None

    @asynccontextmanager
    async def __call__(self, unit: Unit, invocation: Invocation) -> AsyncIterator[Context]:
        """The context of one call; its connections are closed at the end."""
        seconds = min(unit.timeout_ms / 1_000, invocation.timeout)
        context = Context(unit, self, self.trace(), seconds, key_of(invocation))
        try:
            yield context
        finally:
            await context.close()

    def trust(self) -> ssl.SSLContext:
        """What certificates are judged by: this machine's rules, read once."""
        if self._trust is None:
            self._trust = self._tls() if self._tls is not None else _of_this_machine()
        return self._trust


def _of_this_machine() -> ssl.SSLContext:
    from httpx2 import create_ssl_context

    return create_ssl_context()


class Context:
    """The context of one call of one unit."""

    def __init__(
        self, unit: Unit, means: Contexts, trace: Trace | None, seconds: float, key: str = ""
    ) -> None:
        self._unit = unit
        self._key = key
        self._means = means
        self._trace = trace
        self._seconds = seconds
        self._deadline = means.monotonic() + seconds
        self._client: AsyncClient | None = None

    @property
    def http(self) -> AsyncClient:
        """An httpx2.AsyncClient that reaches the declared hosts only; closed after the call."""
        if self._client is None:
            self._client = self._made()
        return self._client

    def secret(self, name: str) -> str:
        """A declared secret. Raises Undeclared for any other, CredentialFailed when it is not there."""
        if name not in self._unit.permissions.secrets:
            shown = printable(name, 80)
            error = Undeclared(
                f"{printable(self._unit.title)} does not declare the secret {shown}",
                code="secret-undeclared",
                hint=f'"permissions": {{"secrets": ["{shown}"]}}, if it is to have it',
            )
            self.refused(error)
            raise error
        return self._means.secret(name)

    @property
    def data_dir(self) -> Path:
        """A directory of the unit's own, open to this user only; it outlives calls and versions."""
        from pathlib import Path

        path = data_dir(self._unit.name, self._means.identity)
        create_private(path)
        return Path(path)

    def log(self, event: str, /, **fields: Any) -> None:
        """One line in the Host's log: the event `unit-log`, with the unit and what it said."""
        said = {name: _plain(each) for name, each in fields.items()}
        self._means.log("unit-log", unit=self._unit.title, said=printable(event, 500), fields=said)

    @property
    def idempotency_key(self) -> str:
        """What is the same when this very call is made again, `run:step` of a workflow's; else empty."""
        return self._key

    def refused(self, error: Undeclared) -> None:
        """Log what was asked for and is not declared."""
        self._means.log("unit-refused", unit=self._unit.title, code=error.code, reason=error.message)

    async def close(self) -> None:
        """Close the connections, also while being cancelled."""
        if self._client is not None:
            await asyncio.shield(asyncio.ensure_future(self._client.aclose()))

    def _made(self) -> AsyncClient:
        from httpx2 import AsyncClient

        from prowess import __version__
        from prowess.units.reaching import Reach, Reaching

        unit, means = self._unit, self._means
        reach = Reach(
            unit=unit,
            resolver=means.resolver,
            injector=lambda origin: means.injector(unit, origin),
            record=means.record,
            refused=self.refused,
            tls=means.trust,
            trace=self._trace,
            deadline=self._deadline,
            monotonic=means.monotonic,
            now=means.now,
        )
        return AsyncClient(
            transport=Reaching(reach),
            headers={"user-agent": f"prowess/{__version__}"},
            timeout=self._seconds,
            trust_env=False,
        )


def key_of(invocation: Invocation) -> str:
    """The idempotency key of a call: as it is from a run of a workflow, and of a client made its own.

    Whoever calls from elsewhere could name a key of somebody else's run, and be given what was done for it.
    """
    key, who = invocation.meta.get(KEY_META), invocation.caller
    if not isinstance(key, str) or not key:
        return ""
    if who.conversation == f"run:{key.partition(':')[0]}" and key.isprintable() and len(key) <= LONGEST_KEY:
        return key
    return hashlib.sha256(json.dumps([who.principal, key]).encode()).hexdigest()


def data_dir(name: str, identity: str) -> str:
    """Where a unit's own data is kept; nothing is created. A judged name is one safe path step."""
    digest = hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return os.path.join(data_home(), "units", f"{name}-{digest}")


def _plain(value: Any, depth: int = 20) -> Any:
    """What a log line can hold."""
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, dict) and depth:
        return {str(key): _plain(each, depth - 1) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset) and depth:
        return [_plain(each, depth - 1) for each in value]
    return printable(repr(value), 500)
