"""OAuth 2 token requests and their answers, through oauthlib; nothing is sent from here.

RFC 6749, sections 4.4 (client credentials), 6 (refresh), 5.2 (errors), 2.3.1 (client
authentication); RFC 8707 (resource). A refresh token that is not rotated stays in use (section 6).
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote_plus, urlencode

from prowess.credentials.scopes import together
from prowess.credentials.sections import TokenSection
from prowess.credentials.token import Registration, Token
from prowess.errors import CredentialFailed
from prowess.redact import Redactor, printable

MAX_LIFETIME = 10 * 365 * 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRequest:
    """One POST to a token endpoint."""

    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: str = field(repr=False)


def token_request(section: TokenSection | Registration, *, client_secret: str, refresh: str) -> TokenRequest:
    """The request for a token of `section`, or for the next one of a registration."""
    from oauthlib.oauth2 import BackendApplicationClient, LegacyApplicationClient

    basic = bool(client_secret) and section.client_auth == "basic"
    fields = {"resource": section.resource, "audience": section.audience}
    more = {name: value for name, value in fields.items() if value}
    if not basic:
        more["client_id"] = section.client_id
        if client_secret:
            more["client_secret"] = client_secret
    if section.grant == "client-credentials":
        client = BackendApplicationClient(section.client_id)
        body = client.prepare_request_body(
            scope=section.scope or None, include_client_id=False, **_without_id(more)
        )
        if "client_id" in more:
            body = f"{body}&client_id={quote_plus(section.client_id)}"
    else:
        body = LegacyApplicationClient(section.client_id).prepare_refresh_body(
            refresh_token=refresh, scope=section.scope or None, **more
        )
    headers = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}
    if basic:
        headers["authorization"] = _basic(section.client_id, client_secret)
    return TokenRequest(url=section.token_url, headers=headers, body=str(body))


def revocation_request(client: Registration, *, client_secret: str, token: str, kind: str) -> TokenRequest:
    """The request that ends `token`, an `access_token` or `refresh_token` (RFC 7009, section 2.1)."""
    basic = bool(client_secret) and client.client_auth == "basic"
    fields = {"token": token, "token_type_hint": kind}
    if not basic:
        fields["client_id"] = client.client_id
        if client_secret:
            fields["client_secret"] = client_secret
    headers = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}
    if basic:
        headers["authorization"] = _basic(client.client_id, client_secret)
    return TokenRequest(url=client.revoke_url, headers=headers, body=urlencode(fields))


def _without_id(more: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in more.items() if name != "client_id"}


def _basic(client_id: str, client_secret: str) -> str:
    pair = f"{quote_plus(client_id)}:{quote_plus(client_secret)}"
    return f"Basic {base64.b64encode(pair.encode()).decode()}"


def token_of(
    body: bytes, status: int, *, now: float, skew: float, refresh: str, seed: str, secrets: tuple[str, ...]
) -> Token:
    """The token that an endpoint answered with; CredentialFailed in its own words, `secrets` masked."""
    from oauthlib.oauth2 import OAuth2Error
    from oauthlib.oauth2.rfc6749.parameters import parse_token_response

    try:
        if not isinstance(json.loads(body), dict):
            raise ValueError("no JSON object")
        answer: Mapping[str, Any] = parse_token_response(body.decode())
    except OAuth2Error as error:
        words = Redactor(secrets).text(f"{error.error}: {error.description or ''}".rstrip(": "))
        raise _refused(printable(words), status) from None
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise _refused(f"HTTP {status} without a token", status) from None
    value, rotated = answer.get("access_token"), answer.get("refresh_token")
    if status >= 400 or not isinstance(value, str) or not value or not value.isprintable():
        raise _refused(f"HTTP {status} without a token", status)
    kind = answer.get("token_type", "bearer")
    if not isinstance(kind, str) or kind.lower() != "bearer":
        raise _refused(f"a token of type {printable(str(kind))}, which is not bearer", status)
    renew, expires = times(answer.get("expires_in"), now, skew)
    kept = rotated if isinstance(rotated, str) and rotated else refresh
    granted = answer.get("scope")
    return Token(
        value=value,
        renew=renew,
        expires=expires,
        refresh=kept,
        seed=seed,
        scope=together(granted) if isinstance(granted, str) else "",
    )


def times(lifetime: Any, now: float, skew: float) -> tuple[float | None, float | None]:
    """When to renew and when it expires; of a short life at least the first half is used."""
    if not isinstance(lifetime, int) or lifetime <= 0:
        return None, None
    seconds = min(float(lifetime), MAX_LIFETIME)
    return now + max(seconds - skew, seconds / 2), now + seconds


def _refused(words: str, status: int) -> CredentialFailed:
    if status >= 500 or status == 429:
        return CredentialFailed(f"the token endpoint failed: {words}", code="credential-unreachable")
    return CredentialFailed(
        f"the token endpoint refused: {words}",
        code="credential-rejected",
        hint="check client_id, client_secret, scope and refresh_token of the credential",
    )


def seed_of(secret: str) -> str:
    """A digest that tells whether the configured refresh token was replaced since."""
    return hashlib.sha256(b"prowess refresh token\0" + secret.encode()).hexdigest()[:32]
