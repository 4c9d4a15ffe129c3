"""What one server is given: environment or headers, made when they are needed, never stored.

A link asks an Injector for the current values when it starts a process or sends a request, and
tells it how a request fared. The values are masked in everything that the server says; the link
learns them from the Injection itself. `FixedInjector` is the in-memory twin.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from prowess.credentials.binding import Binding, Bindings, target_of, unapproved
from prowess.credentials.pool import Held, Pool
from prowess.credentials.sections import Given
from prowess.errors import CredentialFailed
from prowess.redact import printable
from prowess.spec.model import HttpServer, Server


@dataclass(frozen=True, slots=True, kw_only=True)
class Injection:
    """The values of one start or one request; `secrets` are those among them that must not be seen."""

    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)
    held: Mapping[str, Held] = field(default_factory=dict, repr=False)

    def due(self, now: float) -> bool:
        """Whether a token among them is to be replaced."""
        return not all(each.token.fresh(now) for each in self.held.values())


class Injector(Protocol):
    """Gives one server what it is to have. Raises CredentialFailed."""

    async def current(self) -> Injection:
        """The values to use now."""
        ...

    async def turned_away(self, injection: Injection) -> Injection:
        """A request with these was answered with 401: what to try instead."""
        ...

    async def insufficient(self, injection: Injection, scope: str) -> Injection | None:
        """A request with these was answered with 403 for want of `scope`: what to try instead, if any."""
        ...

    async def exhausted(self, injection: Injection, retry_after: float | None) -> Injection | None:
        """A request with these was answered with 429: what to try at once instead, if anything."""
        ...


class FixedInjector:
    """Always the same values."""

    def __init__(self, injection: Injection) -> None:
        self._injection = injection

    async def current(self) -> Injection:
        """The values given."""
        return self._injection

    async def turned_away(self, injection: Injection) -> Injection:
        """There are no others."""
        raise CredentialFailed("the credential was rejected", code="credential-rejected")

    async def insufficient(self, injection: Injection, scope: str) -> Injection | None:
        """There are no others."""
        return None

    async def exhausted(self, injection: Injection, retry_after: float | None) -> Injection | None:
        """There are no others."""
        return None


class ServerInjector:
    """The values of one server of `prowess.toml`, from its pools, as long as its bindings hold."""

    def __init__(
        self,
        server: Server,
        given: Mapping[str, Given],
        pools: Mapping[str, Pool],
        bindings: Bindings,
        bound: tuple[Binding, ...],
    ) -> None:
        """`given` are environment variables or headers, whichever the server takes.

        `pools` are the sources of those that are secret, by the same names; `bound` is what has to
        hold before any is given away.
        """
        self._http = isinstance(server, HttpServer)
        self._given = given
        self._pools = pools
        self._bindings = bindings
        self._bound = bound
        self._checked = False

    async def current(self) -> Injection:
        """The values to use now. Bindings are looked at once: this server's place cannot change meanwhile."""
        if not self._checked:
            await self._check()
        tokens: dict[Pool, Held] = {}
        for pool in self._pools.values():
            if pool not in tokens:
                tokens[pool] = await pool.take()
        return self._made({name: tokens[pool] for name, pool in self._pools.items()})

    async def turned_away(self, injection: Injection) -> Injection:
        """Every token that was sent is renewed, or its next takes over."""
        others: dict[Pool, Held] = {}
        for name, held in injection.held.items():
            pool = self._pools[name]
            if pool not in others:
                others[pool] = await pool.turned_away(held)
        return self._made({name: others[pool] for name, pool in self._pools.items()})

    async def insufficient(self, injection: Injection, scope: str) -> Injection | None:
        """The tokens that people signed in for since."""
        return await self._others(injection, lambda pool, held: pool.insufficient(held, scope))

    async def exhausted(self, injection: Injection, retry_after: float | None) -> Injection | None:
        """Another token for each that has one."""
        return await self._others(injection, lambda pool, held: pool.exhausted(held, retry_after))

    async def _others(
        self, injection: Injection, other: Callable[[Pool, Held], Awaitable[Held | None]]
    ) -> Injection | None:
        """What `other` finds, each pool asked once; None when it finds nothing."""
        others: dict[Pool, Held | None] = {}
        for name, held in injection.held.items():
            pool = self._pools[name]
            if pool not in others:
                others[pool] = await other(pool, held)
        if not any(others.values()):
            return None
        return self._made({name: others[self._pools[name]] or held for name, held in injection.held.items()})

    async def _check(self) -> None:
        for binding in self._bound:
            before = await self._bindings.check(binding)
            if before is not None:
                raise unapproved(binding, before)
        self._checked = True

    def _made(self, held: Mapping[str, Held]) -> Injection:
        values: dict[str, str] = {}
        for name, given in self._given.items():
            values[name] = given.prefix + held[name].token.value if name in held else given.value
        secrets = tuple(dict.fromkeys(each.token.value for each in held.values()))
        injection = Injection(secrets=secrets, held=dict(held))
        if not self._http:
            return replace(injection, env=values)
        for name, value in values.items():
            if not value.isascii():
                raise CredentialFailed(
                    f"the value for header {printable(name)} cannot be sent: it is not ASCII",
                    code="credential-missing",
                )
        return replace(injection, headers=values)


def bindings_of(
    credentials: tuple[str, ...], *, server: str, plugin: str, entry: Server
) -> tuple[Binding, ...]:
    """What has to hold before `entry` gets those credentials."""
    target = target_of(entry)
    return tuple(
        Binding(credential=each, server=server, plugin=plugin, target=target) for each in credentials
    )
