"""A token that a person signed in for: used and refreshed like any other, until a person is needed again.

MCP 2026-07-28, "Authorization", scope challenges (RFC 6750, section 3.1): a server may want more
scopes for one request than it wanted before. Nobody is asked in the middle of a call; what is wanted
is said, with the command, and a sign-in that happens meanwhile, here or in another process, is used.
"""

from __future__ import annotations

import asyncio
import shlex
from dataclasses import replace

from prowess.credentials.endpoint import Post
from prowess.credentials.grants import token_of, token_request
from prowess.credentials.reading import read_secret
from prowess.credentials.scopes import beyond, together
from prowess.credentials.sections import TokenSection
from prowess.credentials.source import GrantedToken, Now
from prowess.credentials.token import Registration, Token
from prowess.credentials.vault import Vault
from prowess.errors import CredentialFailed
from prowess.redact import printable


class SignedInToken(GrantedToken):
    """A token that came of a person's sign-in; the next ones come of its refresh token.

    `command` signs in. A refresh token that was refused is not sent again. `wanted` is None, or the
    scopes that somebody has to sign in for: empty where any sign-in would do.
    """

    def __init__(
        self,
        section: TokenSection,
        *,
        skew: float,
        vault: Vault,
        post: Post,
        now: Now,
        name: str,
        command: str,
    ) -> None:
        super().__init__(section, skew=skew, vault=vault, post=post, now=now, name=name)
        self._command = command
        self.wanted: str | None = None
        self._dead = ""
        self._rejected: str | None = None

    async def another(self, rejected: str) -> Token:
        """As with every grant; what was turned away is not handed out again, however long it was to live."""
        self._rejected = rejected
        if self._token is not None and self._token.value == rejected:
            self._token = None
        return await super().another(rejected)

    async def wider(self, lacking: str, scope: str) -> Token | None:
        """The token of a sign-in that happened since; CredentialFailed says what to sign in for."""
        if self._token is not None and self._token.value == lacking:
            self._token = None  # the vault may have another
        token = await self.token()
        if token.value != lacking:
            return token
        missing = beyond(scope, token.scope)
        if scope and not beyond(missing, token.asked):
            why = "and was not granted" if missing else "and has it"
            raise _forbidden(f"the server wants the scope {scope}; the sign-in asked for it {why}")
        self.wanted = together(self.wanted or "", missing)
        if not missing:
            raise _forbidden(
                "the server wants more scopes than the sign-in has, and does not say which",
                f"sign in: {self._command} --scope SCOPE",
            )
        raise _forbidden(
            f"the server wants the scope {missing}, which the sign-in does not have",
            f"sign in: {self._command} --scope {shlex.quote(missing)}",
        )

    def hopeless(self) -> CredentialFailed:
        """A refreshed token was rejected too."""
        return self._person_needed("the server takes no token of this sign-in any more")

    def arrived(self) -> None:
        """Somebody signed in."""
        self._token = self._rejected = self.wanted = None
        self._dead = ""

    async def _obtain_alone(self, rejected: str | None) -> Token:
        token = await super()._obtain_alone(self._rejected if rejected is None else rejected)
        self.wanted = beyond(self.wanted or "", token.scope, token.asked) or None
        return token

    async def _granted(self, kept: Token | None) -> Token:
        if kept is None or kept.client is None:
            raise self._person_needed("nobody has signed in yet")
        if not kept.refresh or kept.refresh == self._dead:
            raise self._person_needed("the sign-in is over")
        secret = await self._secret(kept.client)
        status, body = await self._post(
            token_request(kept.client, client_secret=secret, refresh=kept.refresh)
        )
        try:
            token = token_of(
                body,
                status,
                now=self._now(),
                skew=self._skew,
                refresh=kept.refresh,
                seed=kept.seed,
                secrets=tuple(each for each in (secret, kept.refresh) if each),
            )
        except CredentialFailed as error:
            if error.code != "credential-rejected":
                raise
            self._dead = kept.refresh
            raise self._person_needed(f"the sign-in is over ({error.message})") from None
        return replace(token, client=kept.client, scope=token.scope or kept.scope, asked=kept.asked)

    async def _secret(self, client: Registration) -> str:
        configured = self._section.client_secret
        return (
            client.client_secret if configured is None else await asyncio.to_thread(read_secret, configured)
        )

    def _person_needed(self, why: str) -> CredentialFailed:
        self.wanted = self.wanted or ""
        return CredentialFailed(why, code="credential-missing", hint=f"sign in: {self._command}")


def _forbidden(why: str, hint: str = "") -> CredentialFailed:
    return CredentialFailed(printable(why, 500), code="credential-forbidden", hint=printable(hint, 800))
