"""All credentials of a configuration: one pool each, shared by every server that uses it."""

from __future__ import annotations

import time
from collections.abc import Mapping

from prowess.credentials.binding import Bindings, FileBindings
from prowess.credentials.endpoint import Post, post
from prowess.credentials.injecting import Injector, ServerInjector, bindings_of
from prowess.credentials.pool import Pool
from prowess.credentials.sections import CredentialSection, Given, ServerSection
from prowess.credentials.source import KeptToken, Now, source_of
from prowess.credentials.urls import secret_may_go_to
from prowess.credentials.vault import FileVault, Vault
from prowess.errors import UsageError
from prowess.redact import printable
from prowess.spec.model import HttpServer, Server


class Credentials:
    """The pools, made when first used; `vault`, `bindings`, `post` and `now` can be stood in for."""

    def __init__(
        self,
        sections: Mapping[str, CredentialSection],
        *,
        vault: Vault | None = None,
        bindings: Bindings | None = None,
        post: Post = post,
        now: Now = time.time,
    ) -> None:
        self._sections = dict(sections)
        self._vault = vault if vault is not None else FileVault()
        self._bindings = bindings if bindings is not None else FileBindings()
        self._post = post
        self._now = now
        self._pools: dict[str, Pool] = {}

    def pool(self, name: str) -> Pool:
        """The pool of one credential; UsageError for a name that is not configured."""
        if name not in self._pools:
            section = self._section(name)
            sources = [
                source_of(each, skew=section.skew_seconds, vault=self._vault, post=self._post, now=self._now)
                for each in section.tokens
            ]
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
        pools = {key: pool for key, value in given.items() if (pool := self._pool_of(value)) is not None}
        # Secrets that are no credential are bound under a name of their own place.
        bound = (*section.credentials, *sorted({str(each.secret) for each in given.values() if each.secret}))
        return ServerInjector(
            entry, given, pools, self._bindings, bindings_of(bound, server=name, plugin=plugin, entry=entry)
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
