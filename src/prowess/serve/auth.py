"""Who asks: the Authorization header of a request, and what it proves (RFC 6750, RFC 9728).

Every request has to show a token, except for the document that says where tokens come from; a stream
without an end lasts as long as its token. What is found out is left as a Caller in the state of the
request; the token itself goes no further, neither to the protocol nor to a server behind it. A session
of 2025-11-25 belongs to the principal that opened it, which the SDK makes sure of by `scope["user"]`.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from prowess.credentials.reading import read_secret
from prowess.errors import CredentialFailed, UsageError
from prowess.host.serving import BearerSection
from prowess.provider import Caller
from prowess.redact import printable
from prowess.serve.answers import App, Receive, Scope, Send, answer, header, refuse
from prowess.serve.draining import is_endless, until
from prowess.serve.request import CALLER_STATE
from prowess.serve.resource import Resource

SHORTEST = 16  # characters; fewer can be guessed
LONGEST = 16_384  # characters of a token that are looked at
_TOKEN = re.compile(r"[A-Za-z0-9\-._~+/]+=*")  # b64token, RFC 6750, section 2.1


class TokenRefused(Exception):
    """A token that lets nobody in; the words name no part of it."""


class ScopeMissing(Exception):
    """A good token that is not for this."""


class KeysAway(Exception):
    """Nobody can say now whether the token is good."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a token proved, and until when it does, in seconds since 1970."""

    principal: str
    scopes: tuple[str, ...] = ()
    expires: float | None = None


class Verifier(Protocol):
    """Something that knows one kind of token."""

    async def verify(self, token: str) -> Shown | None:
        """Who shows it; None for a token of another kind. Raises TokenRefused, ScopeMissing and KeysAway."""
        ...


class Kept:
    """The tokens of `[serve.tokens]`, as digests; the tokens are read once, and not kept."""

    def __init__(
        self, sections: Mapping[str, BearerSection], *, now: Callable[[], float] = time.time
    ) -> None:
        """Raises UsageError for a token that cannot be read, is too short, or is there twice."""
        self._now = now
        self._known: list[tuple[bytes, str, float | None]] = []
        for name, section in sections.items():
            digest = _digest(_read(name, section))
            if any(hmac.compare_digest(digest, each) for each, _, _ in self._known):
                raise UsageError(f"[serve.tokens.{printable(name)}] is the same token as another one")
            ends = section.expires.timestamp() if section.expires is not None else None
            self._known.append((digest, section.principal or name, ends))

    async def verify(self, token: str) -> Shown | None:
        """Who shows it; every token is compared, so that time tells nothing of which is near."""
        digest = _digest(token)
        found = [each for each in self._known if hmac.compare_digest(digest, each[0])]
        if not found:
            return None
        _, principal, ends = found[0]
        if ends is not None and self._now() >= ends:
            raise TokenRefused("the token has expired")
        return Shown(principal=principal, expires=ends)


def _read(name: str, section: BearerSection) -> str:
    try:
        token = read_secret(section.token)
    except CredentialFailed as error:
        raise UsageError(f"[serve.tokens.{printable(name)}]: {error.message}", hint=error.hint) from None
    if len(token) < SHORTEST or not _TOKEN.fullmatch(token):
        raise UsageError(
            f"[serve.tokens.{printable(name)}]: the token must have at least {SHORTEST} characters, "
            "of letters, digits and -._~+/",
            hint="openssl rand -hex 32 makes a good one",
        )
    return token


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


class Authentication:
    """Lets through who shows a token that one of `verifiers` knows."""

    def __init__(self, app: App, verifiers: list[Verifier], resource: Resource | None) -> None:
        self._app = app
        self._verifiers = verifiers
        self._resource = resource

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the lifespan."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if self._resource is not None and self._resource.at(scope["path"]):
            await self._document(self._resource, scope, send)
            return
        token = _token(scope)
        if token is None:
            await self._challenge(send, 401, "", "show a bearer token")
            return
        try:
            shown = await self._verified(token)
        except TokenRefused as refused:
            await self._challenge(send, 401, "invalid_token", str(refused))
        except ScopeMissing:
            await self._challenge(send, 403, "insufficient_scope", "the token is not for this")
        except KeysAway:
            await refuse(
                send, 503, "temporarily_unavailable", "tokens cannot be checked now",
                headers=[("retry-after", "10")],
            )  # fmt: skip
        else:
            await self._passed(shown, scope, receive, send)

    async def _passed(self, shown: Shown, scope: Scope, receive: Receive, send: Send) -> None:
        """What asks for a stream without an end has it until the token ends."""
        known, expires = _known(scope, shown), shown.expires
        if expires is None or not is_endless(scope):
            await self._app(known, receive, send)
            return

        async def over() -> None:
            await asyncio.sleep(expires - time.time())

        await until(over, self._app, known, receive, send)

    async def _verified(self, token: str) -> Shown:
        for each in self._verifiers:
            shown = await each.verify(token)
            if shown is not None:
                return shown
        raise TokenRefused("no such token")

    async def _challenge(self, send: Send, status: int, error: str, words: str) -> None:
        parts = [f'error="{error}"', f'error_description="{words}"'] if error else []
        if self._resource is not None:
            parts += self._resource.challenge()
        value = f"Bearer {', '.join(parts)}".strip()
        await refuse(send, status, error or "unauthorized", words, headers=[("www-authenticate", value)])

    async def _document(self, resource: Resource, scope: Scope, send: Send) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            await refuse(send, 405, "method_not_allowed", "GET only", headers=[("allow", "GET")])
            return
        await answer(send, 200, resource.document(), headers=[("cache-control", "max-age=300")])


def _token(scope: Scope) -> str | None:
    """The bearer token of the one Authorization header; None where there is none that can be one."""
    scheme, _, token = (header(scope, b"authorization") or "").partition(" ")
    token = token.strip(" ")
    if scheme.lower() != "bearer" or len(token) > LONGEST or not _TOKEN.fullmatch(token):
        return None
    return token


def _known(scope: Scope, shown: Shown) -> Scope:
    """The request with who asks, and without the token."""
    from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
    from mcp.server.auth.provider import AccessToken

    access = AccessToken(
        token="", client_id=shown.principal, scopes=list(shown.scopes), subject=shown.principal
    )
    state = {**(scope.get("state") or {}), CALLER_STATE: Caller(principal=shown.principal)}
    headers = [each for each in scope["headers"] if each[0] != b"authorization"]
    return {**scope, "headers": headers, "state": state, "user": AuthenticatedUser(access)}
