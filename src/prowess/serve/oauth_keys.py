"""The public keys of an authorization server (RFC 7517): fetched, kept for a while, fetched again.

A key that is not known makes them be fetched again, and never more often than every few seconds, so
that made-up tokens make no traffic. While the server is away the keys that are known go on holding,
for a day. Without a configured place, the issuer's metadata names it (RFC 8414, OpenID Connect
Discovery). Nothing is followed: no redirect, no link out of a token.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Awaitable, Callable, Mapping
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from prowess.credentials.endpoint import proxy_for
from prowess.credentials.urls import secret_may_go_to
from prowess.serve.auth import KeysAway

SECONDS = 10.0
MAX_BYTES = 256 * 1024
MOST_KEYS = 100
FRESH = 300.0
REST = 10.0  # between two attempts
STALE = 86_400.0
_HEADERS = {"accept": "application/json", "accept-encoding": "identity"}

Fetch = Callable[[str], Awaitable[bytes]]
Key = Mapping[str, Any]


class Keys:
    """The keys of one issuer; `fetch` and `clock` can be stood in for."""

    def __init__(
        self,
        issuer: str,
        jwks_uri: str,
        *,
        fetch: Fetch | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._issuer = issuer
        self._uri = jwks_uri
        self._fetch = fetch or fetched
        self._clock = clock
        self._keys: list[Key] = []
        self._read: float | None = None
        self._tried: float | None = None
        self._turn = asyncio.Lock()

    async def find(self, kid: str | None, fits: Callable[[Key], bool]) -> list[Key]:
        """The keys of that name (without a name, any) that fit. Raises KeysAway when none can be had."""
        if self._age() > FRESH:
            await self._again()
        found = self._named(kid, fits)
        if not found:
            await self._again()
            found = self._named(kid, fits)
        if not found and self._age() > STALE:
            raise KeysAway
        return found

    def _named(self, kid: str | None, fits: Callable[[Key], bool]) -> list[Key]:
        if self._age() > STALE:
            return []
        return [each for each in self._keys if kid in (None, each.get("kid")) and fits(each)]

    def _age(self) -> float:
        return STALE * 2 if self._read is None else self._clock() - self._read

    async def _again(self) -> None:
        """Fetch, unless that was tried a moment ago; one at a time."""
        async with self._turn:
            if self._tried is not None and self._clock() - self._tried < REST:
                return
            self._tried = self._clock()
            try:
                keys = _keys(await self._fetch(self._uri or await self._discovered()))
            except (KeysAway, ValueError, RecursionError):
                return  # what is known holds on
            self._keys, self._read = keys, self._clock()

    async def _discovered(self) -> str:
        """Where the issuer says that its keys are. Raises KeysAway and ValueError."""
        for url in metadata_urls(self._issuer):
            try:
                document = _object(await self._fetch(url))
            except (KeysAway, ValueError, RecursionError):
                continue
            uri = document.get("jwks_uri")
            if document.get("issuer") == self._issuer and isinstance(uri, str) and secret_may_go_to(uri):
                return uri
        raise KeysAway


def metadata_urls(issuer: str) -> list[str]:
    """Where an issuer's metadata may be: RFC 8414, then OpenID Connect."""
    parts = urlsplit(issuer)
    start, path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
    return [
        f"{start}/.well-known/oauth-authorization-server{path}",
        f"{start}{path}/.well-known/openid-configuration",
    ]


def _object(body: bytes) -> Mapping[str, Any]:
    found = json.loads(body)
    if not isinstance(found, dict):
        raise ValueError("no object")
    return found


def _keys(body: bytes) -> list[Key]:
    keys = _object(body).get("keys")
    if not isinstance(keys, list):
        raise ValueError("no keys")
    return list[Key]([each for each in keys if isinstance(each, dict)][:MOST_KEYS])


async def fetched(url: str) -> bytes:
    """The body of a GET that is answered with 200, in bounded time and size. Raises KeysAway."""
    import httpx2

    try:
        async with (
            asyncio.timeout(SECONDS),
            httpx2.AsyncClient(
                verify=True if url.startswith("https:") else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
                proxy=proxy_for(url),
                trust_env=False,
                follow_redirects=False,
                timeout=SECONDS,
            ) as client,
            client.stream("GET", url, headers=_HEADERS) as got,
        ):
            body = bytearray()
            async for chunk in got.aiter_raw():
                body += chunk
                if len(body) > MAX_BYTES:
                    raise KeysAway
            if got.status_code != 200:
                raise KeysAway
            return bytes(body)
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, TimeoutError):
        raise KeysAway from None
