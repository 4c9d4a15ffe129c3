"""All credentials of a configuration: one pool each, shared by every server that uses it."""

from __future__ import annotations

import asyncio
import shlex
import time
from collections.abc import Mapping

from prowess.credentials.binding import Bindings, FileBindings
from prowess.credentials.endpoint import Post, post
from prowess.credentials.grants import revocation_request, times
from prowess.credentials.injecting import Injector, ServerInjector, bindings_of
from prowess.credentials.pool import Pool
from prowess.credentials.reading import read_secret
from prowess.credentials.scopes import together
from prowess.credentials.sections import CredentialSection, Given, ServerSection, TokenSection
from prowess.credentials.signed_in import SignedInToken
from prowess.credentials.source import GrantedToken, KeptToken, Now, TokenSource, key_of
from prowess.credentials.token import SignedIn, Token
from prowess.credentials.urls import origin, secret_may_go_to
from prowess.credentials.vault import FileVault, Vault
from prowess.errors import CredentialFailed, UsageError
from prowess.redact import printable
from prowess.spec.model import HttpServer, Server


class Credentials:
    """The pools, made when first used; `vault`, `bindings`, `post` and `now` can be stood in for.

    `place` is the file that the sections stand in, for the words that say how to sign in.
    """

    def __init__(
        self,
        sections: Mapping[str, CredentialSection],
        *,
        place: str = "",
        vault: Vault | None = None,
        bindings: Bindings | None = None,
        post: Post = post,
        now: Now = time.time,
    ) -> None:
        self._sections = dict(sections)
        self._place = place
        self._vault = vault if vault is not None else FileVault()
        self._bindings = bindings if bindings is not None else FileBindings()
        self._post = post
        self._now = now
        self._pools: dict[str, Pool] = {}

    def pool(self, name: str) -> Pool:
        """The pool of one credential; UsageError for a name that is not configured."""
        if name not in self._pools:
            section = self._section(name)
            sources = [self._source(name, each, section.skew_seconds) for each in section.tokens]
            self._pools[name] = Pool(
                name, sources, use=section.use, rest_seconds=section.rest_seconds, now=self._now
            )
        return self._pools[name]

    def injector(self, name: str, section: ServerSection, entry: Server, *, plugin: str) -> Injector:
        """What `entry`, configured as `[servers."name"]`, is given.

        `plugin` is the identity of its plugin's source. UsageError when the section does not fit
        the server's transport.
        """
        given = _fitting(name, section, entry)
        if isinstance(entry, HttpServer):
            self._insist_on_resource(name, section, entry)
        pools = {key: pool for key, value in given.items() if (pool := self._pool_of(value)) is not None}
        # Secrets that are no credential are bound under a name of their own place.
        bound = (*section.credentials, *sorted({str(each.secret) for each in given.values() if each.secret}))
        return ServerInjector(
            entry, given, pools, self._bindings, bindings_of(bound, server=name, plugin=plugin, entry=entry)
        )

    def to_sign_in(self, name: str) -> TokenSection:
        """The token of a credential that a person signs in for; UsageError when it has none."""
        for each in self._section(name).tokens:
            if each.grant == "sign-in":
                return each
        raise UsageError(
            f"credential {printable(name)} is not one to sign in for",
            hint='tokens = [{ grant = "sign-in", resource = "https://mcp.example.com/mcp" }]',
        )

    def wanted(self) -> dict[str, str]:
        """The credentials that somebody has to sign in for, with the scopes that are wanted beside.

        The text is empty where nobody has signed in, or the sign-in is over.
        """
        found = {name: pool.wanted() for name, pool in self._pools.items()}
        return {name: scope for name, scope in found.items() if scope is not None}

    async def kept(self, name: str) -> Token | None:
        """What a sign-in gave, if there was one."""
        return await asyncio.to_thread(self._vault.get, key_of(self.to_sign_in(name), name))

    async def scope_beside(self, name: str, more: str = "") -> str:
        """What the next sign-in asks for beside what it always does: `more`, and what servers wanted since.

        What the last one asked for stays in it, so that nothing is lost that it gave.
        """
        wanted = together(self.wanted().get(name, ""), more)
        before = await self.kept(name) if wanted else None
        return together(before.asked, before.scope, wanted) if before is not None else wanted

    async def keep(self, name: str, signed_in: SignedIn) -> None:
        """Keep what a sign-in gave, in place of what was kept before. Raises TimeoutError and OSError."""
        key = key_of(self.to_sign_in(name), name)
        renew, expires = times(signed_in.lifetime, self._now(), self._section(name).skew_seconds)
        token = Token(
            value=signed_in.value,
            renew=renew,
            expires=expires,
            refresh=signed_in.refresh,
            client=signed_in.client,
            scope=signed_in.scope,
            asked=signed_in.asked,
        )
        async with self._vault.lock(key):
            await asyncio.to_thread(self._vault.put, key, token)
        if name in self._pools:
            self._pools[name].arrived()

    async def sign_out(self, name: str) -> bool | None:
        """Forget what a sign-in gave; None when there was nothing.

        The authorization server is told where it takes that (RFC 7009): whether it ended the token.
        Raises TimeoutError, OSError and CredentialFailed (its client secret cannot be read).
        """
        section = self.to_sign_in(name)
        key = key_of(section, name)
        async with self._vault.lock(key):
            token = await asyncio.to_thread(self._vault.get, key)
            if token is None:
                return None
            ended = await self._revoked(section, token)
            await asyncio.to_thread(self._vault.drop, key)
        if name in self._pools:
            self._pools[name].arrived()
        return ended

    async def _revoked(self, section: TokenSection, token: Token) -> bool:
        client = token.client
        if client is None or not client.revoke_url:
            return False
        given = section.client_secret
        secret = client.client_secret if given is None else await asyncio.to_thread(read_secret, given)
        kind = "refresh_token" if token.refresh else "access_token"
        request = revocation_request(
            client, client_secret=secret, token=token.refresh or token.value, kind=kind
        )
        try:
            status, _ = await self._post(request)
        except CredentialFailed:
            return False
        return status < 300

    def _source(self, name: str, token: TokenSection, skew: float) -> TokenSource:
        if token.grant == "static":
            return KeptToken(token.secret)
        if token.grant == "sign-in":
            return SignedInToken(
                token,
                skew=skew,
                vault=self._vault,
                post=self._post,
                now=self._now,
                name=name,
                command=self._command(name),
            )
        return GrantedToken(token, skew=skew, vault=self._vault, post=self._post, now=self._now)

    def _command(self, name: str) -> str:
        config = f" --config {shlex.quote(self._place)}" if self._place else ""
        return printable(f"prowess credentials sign-in {shlex.quote(name)}{config}", 500)

    def _insist_on_resource(self, name: str, section: ServerSection, entry: HttpServer) -> None:
        """A token that somebody signed in for goes to the server that they signed in to."""
        for credential in section.credentials:
            for each in self._section(credential).tokens:
                if each.grant == "sign-in" and origin(each.resource) != origin(entry.url):
                    raise UsageError(
                        f'[servers."{printable(name)}"]: credential {printable(credential)} is for '
                        f"{printable(origin(each.resource))}, and the server is at "
                        f"{printable(origin(entry.url))}",
                        hint="resource is the URL of the MCP server",
                    )

    async def close(self) -> None:
        """See every refresh that is under way to its end."""
        for pool in self._pools.values():
            await pool.close()

    def _pool_of(self, given: Given) -> Pool | None:
        if given.credential:
            return self.pool(given.credential)
        if (secret := given.secret) is None:
            return None
        key = f"[{secret}]"  # no credential has such a name
        if key not in self._pools:
            self._pools[key] = Pool(str(secret), [KeptToken(secret)], now=self._now)
        return self._pools[key]

    def _section(self, name: str) -> CredentialSection:
        try:
            return self._sections[name]
        except KeyError:
            known = ", ".join(sorted(self._sections)) or "none"
            raise UsageError(
                f"no credential named {printable(name)}", hint=f"configured: {printable(known, 500)}"
            ) from None


def _fitting(name: str, section: ServerSection, entry: Server) -> dict[str, Given]:
    """The part of the section that the server's transport can take."""
    where = f'[servers."{printable(name)}"]'
    if isinstance(entry, HttpServer):
        if section.env:
            raise UsageError(f"{where} env: an HTTP server has no environment of ours", hint="use headers")
        given = section.all_headers
        if any(each.secret or each.credential for each in given.values()) and not secret_may_go_to(entry.url):
            raise UsageError(
                f"{where}: a secret is sent over https, or to this machine, and nowhere else",
                hint=f"the server's URL begins with {printable(entry.url.partition(':')[0])}:",
            )
        return given
    if section.headers:
        raise UsageError(f"{where} headers: a stdio server takes no headers", hint="use env")
    if section.credential:
        raise UsageError(
            f"{where} credential: a stdio server takes it under the name of a variable",
            hint=f'env = {{ NAME = {{ credential = "{printable(section.credential)}" }} }}',
        )
    return dict(section.env)
