"""One token of a pool: kept somewhere, or obtained by a grant and replaced before it expires.

However many ask at once, a grant is asked once: callers of this process share one flight, and the
flight holds the lock of the vault, under which it first looks whether another process was quicker.
A caller that gives up does not end the flight, since a rotated refresh token must not be lost.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from typing import Protocol

from prowess.credentials.endpoint import Post
from prowess.credentials.grants import seed_of, token_of, token_request
from prowess.credentials.reading import read_secret
from prowess.credentials.sections import Secret, TokenSection
from prowess.credentials.token import Token
from prowess.credentials.vault import Vault
from prowess.errors import CredentialFailed

Now = Callable[[], float]


class TokenSource(Protocol):
    """What a pool takes one of its tokens from. Both raise CredentialFailed."""

    async def token(self) -> Token:
        """The token to use now."""
        ...

    async def another(self, rejected: str) -> Token:
        """A token that is not `rejected`, which a server turned away."""
        ...

    async def wider(self, lacking: str, scope: str) -> Token | None:
        """A token in place of `lacking`, which may not do what needs `scope`; None when there is no other."""
        ...

    def hopeless(self) -> CredentialFailed:
        """What to say when a token was rejected that had just been obtained."""
        ...

    async def close(self) -> None:
        """See a flight that is under way to its end."""
        ...


class KeptToken:
    """A static token. It is read when first used, and once more when it was turned away."""

    def __init__(self, secret: Secret) -> None:
        self._secret = secret
        self._token: Token | None = None

    async def token(self) -> Token:
        """The token as it was read."""
        if self._token is None:
            self._token = Token(value=await asyncio.to_thread(read_secret, self._secret))
        return self._token

    async def another(self, rejected: str) -> Token:
        """What stands there now, if it was replaced since."""
        self._token = None
        token = await self.token()
        if token.value == rejected:
            raise CredentialFailed(
                f"the token from {self._secret} was rejected",
                code="credential-rejected",
                hint="put a valid token there",
            )
        return token

    async def wider(self, lacking: str, scope: str) -> Token | None:
        """Whoever put it there decides what it may do."""
        return None

    def hopeless(self) -> CredentialFailed:
        """Nothing can be done here."""
        return rejected_again()

    async def close(self) -> None:
        """Nothing is under way."""


class GrantedToken:
    """A token that an OAuth grant gives."""

    def __init__(
        self, section: TokenSection, *, skew: float, vault: Vault, post: Post, now: Now, name: str = ""
    ) -> None:
        self._section = section
        self._skew = skew
        self._vault = vault
        self._post = post
        self._now = now
        self._key = key_of(section, name)
        self._token: Token | None = None
        self._flight: asyncio.Task[Token] | None = None

    async def token(self) -> Token:
        """The token in hand while it is fresh, else a new one."""
        token = self._token
        if token is not None and token.fresh(self._now()):
            return token
        return await self._share(None)

    async def another(self, rejected: str) -> Token:
        """The one that somebody else obtained meanwhile, or a new one."""
        for _ in range(2):  # the first may join a flight that began before anything was rejected
            token = self._token
            if token is not None and token.value != rejected and token.fresh(self._now()):
                return token
            token = await self._share(rejected)
            if token.value != rejected:
                return token
        raise CredentialFailed(
            "the token endpoint gives the rejected token again", code="credential-rejected"
        )

    async def wider(self, lacking: str, scope: str) -> Token | None:
        """Its scope is configured: a server does not change that."""
        return None

    def hopeless(self) -> CredentialFailed:
        """Nothing can be done here."""
        return rejected_again()

    async def close(self) -> None:
        """See the flight to its end: the vault must learn of a rotated refresh token."""
        if self._flight is not None:
            await asyncio.wait({self._flight})

    async def _share(self, rejected: str | None) -> Token:
        if self._flight is None:
            self._flight = asyncio.get_running_loop().create_task(self._obtain(rejected))
            self._flight.add_done_callback(self._landed)
        return await asyncio.shield(self._flight)

    def _landed(self, flight: asyncio.Task[Token]) -> None:
        self._flight = None
        if not flight.cancelled() and flight.exception() is None:
            self._token = flight.result()

    async def _obtain(self, rejected: str | None) -> Token:
        try:
            async with self._vault.lock(self._key):
                return await self._obtain_alone(rejected)
        except TimeoutError:
            raise CredentialFailed(
                "another process holds the lock of this token for too long", code="credential-unreachable"
            ) from None
        except OSError as error:
            raise CredentialFailed(
                f"the token store cannot be used: {error.strerror}", code="credential-unreachable"
            ) from None

    async def _obtain_alone(self, rejected: str | None) -> Token:
        kept = await asyncio.to_thread(self._vault.get, self._key)
        if kept is not None and kept.value != rejected and kept.fresh(self._now()):
            return kept
        try:
            token = await self._granted(kept)
        except CredentialFailed as error:
            # The old one is good for a little longer; the next call asks again.
            usable = kept is not None and kept.value != rejected and kept.usable(self._now())
            if kept is not None and usable and error.code in ("credential-unreachable", "credential-missing"):
                return kept
            raise
        await asyncio.to_thread(self._vault.put, self._key, token)
        return token

    async def _granted(self, kept: Token | None) -> Token:
        section = self._section
        secret = "" if section.client_secret is None else await _read(section.client_secret)
        refresh = seed = ""
        if section.refresh_token is not None:
            refresh = await _read(section.refresh_token)
            seed = seed_of(refresh)
            if kept is not None and kept.refresh and kept.seed == seed:
                refresh = kept.refresh  # the one it was rotated to
        status, body = await self._post(token_request(section, client_secret=secret, refresh=refresh))
        return token_of(
            body,
            status,
            now=self._now(),
            skew=self._skew,
            refresh=refresh if section.grant == "refresh-token" else "",
            seed=seed,
            secrets=tuple(each for each in (secret, refresh) if each),
        )


async def _read(secret: Secret) -> str:
    return await asyncio.to_thread(read_secret, secret)


def rejected_again() -> CredentialFailed:
    """A token was rejected that had just been obtained."""
    return CredentialFailed(
        "the token was rejected again after it was renewed",
        code="credential-rejected",
        hint="check which server the credential is for, and its scopes",
    )


def key_of(section: TokenSection, name: str = "") -> str:
    """What tells tokens apart in the vault: who asks whom for what. No secret is part of it.

    `name` is the credential's where a person signs in: two may be two accounts at one server.
    """
    parts = (
        *(section.grant, section.token_url, section.client_id, section.scope),
        *(section.resource, section.audience, str(section.client_secret), str(section.refresh_token)),
        *((name,) if section.grant == "sign-in" else ()),
    )
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
