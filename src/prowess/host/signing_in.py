"""A person signs in to a remote server, for a credential of a configuration, and what comes of it is kept.

The flow is in `link/`, which is imported when somebody signs in. Which page to open is said through
`show`; nothing is opened here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from prowess.errors import CredentialFailed, UsageError
from prowess.host.bringing import bring_up, offer_of
from prowess.provider import Provider

if TYPE_CHECKING:
    from prowess.credentials import Credentials, SignedIn

PERSON_SECONDS = 300.0

Show = Callable[[str], None]


class SignIns:
    """The sign-ins of one Host: what is wanted, and the way to it. Nothing is done unasked."""

    def __init__(self, credentials: Credentials | None, providers: Sequence[Provider]) -> None:
        self._credentials = credentials
        self._providers = providers

    def wanted(self) -> dict[str, str]:
        """The credentials that somebody has to sign in for, each with the scopes that servers want beside.

        The text is empty where nobody has signed in yet, or the sign-in is over.
        """
        return {} if self._credentials is None else self._credentials.wanted()

    async def sign_in(
        self,
        credential: str,
        show: Show,
        *,
        scope: str = "",
        port: int = 0,
        seconds: float = PERSON_SECONDS,
    ) -> SignedIn:
        """A person signs in at the page that `show` gets; servers that waited for it are brought up.

        What is wanted is asked for, `scope` as well, and what the last sign-in asked for. The person
        comes back to `port` of this machine within `seconds`. Raises CredentialFailed and UsageError.
        """
        found = await signed_in(self._known(), credential, show, scope=scope, port=port, seconds=seconds)
        await bring_up([each for each in self._providers if offer_of(each).status == "auth-required"])
        return found

    async def sign_out(self, credential: str) -> bool | None:
        """Forget a sign-in; None when there was none, else whether the authorization server ended it too."""
        return await self._known().sign_out(credential)

    def _known(self) -> Credentials:
        if self._credentials is None:
            raise UsageError("this host has no credentials", hint="[credentials.NAME] in a prowess.toml")
        return self._credentials


async def signed_in(
    credentials: Credentials,
    name: str,
    show: Show,
    *,
    scope: str = "",
    port: int = 0,
    seconds: float = PERSON_SECONDS,
) -> SignedIn:
    """What the sign-in for `name` gave, kept. Raises CredentialFailed and UsageError.

    `scope` is asked for as well, and so is what servers wanted since the last sign-in.
    """
    section = credentials.to_sign_in(name)
    from prowess.credentials.reading import read_secret
    from prowess.link.sign_in import sign_in

    secret = ""
    if section.client_secret is not None:
        secret = await asyncio.to_thread(read_secret, section.client_secret)
    before = await credentials.kept(name)
    found = await sign_in(
        section,
        secret,
        show,
        more=await credentials.scope_beside(name, scope),
        issuer=before.client.issuer if before is not None and before.client is not None else "",
        port=port,
        seconds=seconds,
    )
    try:
        await credentials.keep(name, found)
    except (TimeoutError, OSError) as error:
        why = getattr(error, "strerror", None) or "another process holds the lock"
        raise CredentialFailed(f"the tokens cannot be kept: {why}", code="credential-unreachable") from None
    return found
