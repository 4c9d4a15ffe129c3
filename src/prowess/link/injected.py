"""What the host gives a server, on its way through the transport.

The Injector decides; here its errors become faults, and every secret that it hands out is masked in
what the server says before the first byte of it is sent.
"""

from __future__ import annotations

import httpx2
from mcp.client.auth.utils import extract_field_from_www_auth

from prowess.credentials.injecting import Injection, Injector
from prowess.credentials.scopes import together
from prowess.errors import CredentialFailed
from prowess.link.faults import Faulted
from prowess.link.shown import Shown
from prowess.redact import printable

TRIES_MAX = 16  # requests for one message; a pool renews or rests a token each time, so it ends before
NOTHING = Injection()
FORBIDDEN = "the current credential may not access this; check its scopes"


class Injected:
    """The injector of one link; without one it gives nothing."""

    def __init__(self, injector: Injector | None, show: Shown) -> None:
        self._injector = injector
        self._show = show

    async def current(self) -> Injection:
        """What to send now; CredentialFailed."""
        if self._injector is None:
            return NOTHING
        return self._learned(await self._injector.current())

    async def for_request(self) -> Injection:
        """What to send now; Faulted."""
        try:
            return await self.current()
        except CredentialFailed as error:
            raise fault_of(error) from None

    async def instead(self, injection: Injection, response: httpx2.Response) -> Injection | None:
        """What to send in place of `injection` after this answer; None when the answer stands."""
        if self._injector is None or not injection.secrets or response.status_code not in (401, 403, 429):
            return None
        try:
            if response.status_code == 401:
                return self._learned(await self._injector.turned_away(injection))
            if response.status_code == 429:
                other = await self._injector.exhausted(injection, seconds(response.headers))
                return None if other is None else self._learned(other)
            if extract_field_from_www_auth(response, "error") == "insufficient_scope":
                scope = extract_field_from_www_auth(response, "scope") or ""
                other = await self._injector.insufficient(injection, together(scope))
                if other is not None:
                    return self._learned(other)
        except CredentialFailed as error:
            raise fault_of(error, response.status_code) from None
        wanted = self._show(response.headers.get("www-authenticate", ""), 300)
        reason = f"{FORBIDDEN} (the server says: {wanted})" if wanted else FORBIDDEN
        raise Faulted("forbidden", reason, 403, code="credential-forbidden")

    def _learned(self, injection: Injection) -> Injection:
        self._show.learn(injection.secrets)
        return injection


def seconds(headers: httpx2.Headers) -> float | None:
    """Retry-After as a number of seconds; a date is not worth a clock."""
    value = headers.get("retry-after", "")
    return float(value) if value.isascii() and value.isdigit() and len(value) < 8 else None


def fault_of(error: CredentialFailed, http_status: int = 0) -> Faulted:
    """The fault that an error of the credentials is."""
    reason = printable(error.message, 500) + (f" ({printable(error.hint, 500)})" if error.hint else "")
    if error.code == "credential-exhausted":  # nothing was sent, and later it may be
        return Faulted("status", reason, 429, error.retry_after, code=error.code)
    if error.code == "credential-forbidden":
        return Faulted("forbidden", reason, http_status, code=error.code)
    return Faulted("auth", reason, http_status, code=error.code)
