"""A person signs in to a remote MCP server: the SDK's OAuth flow, once, for tokens that are kept.

MCP 2026-07-28, "Authorization": the server answers 401, the SDK finds its authorization server
(RFC 9728, RFC 8414), registers a client (RFC 7591, or a metadata document), sends the person to the
authorization page with PKCE and a resource (RFC 8707) and trades the code for tokens. Here is what
stands around it: which URLs may be asked, who listens for the code, what is given back. Tokens are
refreshed by `credentials/`, which needs no SDK for that; where they are kept is its matter too.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Callable
from typing import Any, Literal
from urllib.parse import parse_qs

import httpx2
from mcp.client.auth import OAuthClientProvider
from mcp.client.auth.exceptions import OAuthFlowError
from mcp.client.auth.utils import extract_scope_from_www_auth, issuers_match
from mcp.shared.auth import (
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthMetadata,
    OAuthToken,
)
from mcp_types.version import LATEST_MODERN_VERSION
from pydantic import AnyUrl, Field, ValidationError

from prowess import __version__
from prowess.credentials import Registration, SignedIn
from prowess.credentials.endpoint import proxy_for
from prowess.credentials.scopes import beyond, together
from prowess.credentials.sections import TokenSection
from prowess.credentials.urls import is_loopback, secret_may_go_to
from prowess.errors import CredentialFailed, UsageError
from prowess.link.redirect import Redirect
from prowess.redact import Redactor, printable

_SECRETS = ("code", "code_verifier", "client_secret")
SECONDS = 20.0  # for each request; the person has more
MAX_BYTES = 256 * 1024

# The SDK logs a failed flow with its traceback, and so with what a token endpoint said about a code.
_log = logging.getLogger("mcp.client.auth")
_log.addHandler(logging.NullHandler())
_log.propagate = False

Show = Callable[[str], None]


async def sign_in(
    section: TokenSection,
    secret: str,
    show: Show,
    *,
    more: str = "",
    issuer: str = "",
    port: int = 0,
    seconds: float = 300.0,
) -> SignedIn:
    """What a sign-in for `section` gives; `show` gets the URL that the person has to open.

    `secret` is the client's, where one is registered already, and `issuer` the authorization server
    that knows it, once one is known: it is shown to no other. `more` are scopes to ask for beside the
    section's, or the server's own. The person comes back to `port` of this machine, whichever is free
    for 0, within `seconds`. Raises CredentialFailed and UsageError.
    """
    async with Redirect(port, seconds) as redirect:
        provider = _provider(section, secret, redirect, show, more, issuer)
        flow = _Flow(section.resource)
        try:
            async with httpx2.AsyncClient(
                transport=flow, auth=provider, trust_env=False, follow_redirects=False, timeout=SECONDS
            ) as client:
                answer = await client.post(section.resource, json=_PROBE, headers=_HEADERS)
        except (OAuthFlowError, ValidationError, ValueError) as error:
            raise _failed(error, provider, (secret, redirect.code, *flow.sent)) from None
        except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError, OSError) as error:
            raise CredentialFailed(
                f"the sign-in broke: {type(error).__name__} {printable(str(error), 200)}".rstrip(),
                code="credential-unreachable",
            ) from None
    return _signed_in(provider, answer, configured=bool(secret))


_PROBE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "server/discover",
    "params": {
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": LATEST_MODERN_VERSION,
            "io.modelcontextprotocol/clientInfo": {"name": "prowess", "version": __version__},
            "io.modelcontextprotocol/clientCapabilities": {},
        }
    },
}
_HEADERS = {
    "accept": "application/json, text/event-stream",
    "accept-encoding": "identity",
    "user-agent": f"prowess/{__version__}",
    "mcp-protocol-version": LATEST_MODERN_VERSION,
    "mcp-method": "server/discover",
}


class _Wanting(OAuthClientMetadata):
    """The client as it registers. The server's scope takes no configured one's place; `more` joins either."""

    configured: str = Field(default="", exclude=True)
    more: str = Field(default="", exclude=True)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "scope":
            value = together(self.configured or value or "", self.more) or None
        super().__setattr__(name, value)


class _Provider(OAuthClientProvider):
    """The SDK's flow; a client that one authorization server knows is not taken to another."""

    def __init__(self, *given: Any, known_to: str = "", **more: Any) -> None:
        super().__init__(*given, **more)
        self._known_to = known_to

    def _select_authorization_server(self, advertised: list[str]) -> str:
        if not self._known_to:
            return super()._select_authorization_server(advertised)
        for each in advertised:
            if issuers_match(each, self._known_to):
                return each
        named = printable(", ".join(advertised[:3]), 300)
        raise OAuthFlowError(
            f"the server's authorization server is now {named}; client_id was for {printable(self._known_to)}"
        )


class _Kept:
    """The SDK's storage: it finds a client that is registered already, and keeps nothing."""

    def __init__(self, client: OAuthClientInformationFull | None) -> None:
        self._client = client

    async def get_tokens(self) -> OAuthToken | None:
        return None

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """They are in the provider's context, from where they are taken."""

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self._client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """As with the tokens."""


def _provider(
    section: TokenSection, secret: str, redirect: Redirect, show: Show, more: str, issuer: str
) -> OAuthClientProvider:
    uris = [AnyUrl(redirect.url)]
    document = section.client_id if section.client_id.startswith("https://") and not secret else None
    client = None
    if section.client_id and document is None:
        method = f"client_secret_{section.client_auth}" if secret else "none"
        client = OAuthClientInformationFull(
            client_id=section.client_id,
            client_secret=secret or None,
            redirect_uris=uris,
            token_endpoint_auth_method=method,
        )

    async def go(url: str) -> None:
        if not secret_may_go_to(url):
            raise OAuthFlowError("the authorization page is not an https URL (or http on this machine)")
        redirect.expect(url)
        show(url)

    metadata = _Wanting(
        redirect_uris=uris,
        client_name="Prowess",
        token_endpoint_auth_method="none",  # noqa: S106  # the name of a method
        configured=section.scope,
        more=more,
        software_id="prowess",
        software_version=__version__,
    )
    try:
        return _Provider(
            section.resource,
            metadata,
            _Kept(client),
            go,
            redirect.wait,
            client_metadata_url=document,
            known_to=issuer if client is not None else "",
        )
    except ValueError as error:
        raise UsageError(f"client_id: {printable(str(error), 300)}") from None


class _Flow(httpx2.AsyncBaseTransport):
    """Sends what the flow asks for: over https, or http to this machine if the server is on it too.

    Of the MCP server's own answers only the status and the challenge count; a body may be endless.
    """

    def __init__(self, resource: str) -> None:
        self._resource = httpx2.URL(resource)
        self._local = is_loopback(self._resource.host)
        self.sent: list[str] = []  # secrets that an endpoint may repeat

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = str(request.url)
        if not secret_may_go_to(url) or (request.url.scheme == "http" and not self._local):
            raise OAuthFlowError(
                f"the sign-in leads to {request.url.scheme}://{request.url.host}, over no https"
            )
        if not self._is_probe(request):
            form = parse_qs(request.content.decode("utf-8", "replace"))
            self.sent += [form[name][0] for name in _SECRETS if name in form]
        secure = request.url.scheme == "https"
        async with (
            asyncio.timeout(SECONDS),
            httpx2.AsyncHTTPTransport(
                verify=True if secure else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), proxy=proxy_for(url)
            ) as network,
        ):
            response = await network.handle_async_request(request)
            try:
                body = b"" if self._is_probe(request) else await _bounded(response)
            finally:
                await response.aclose()
        headers = [
            (name, value)
            for name, value in response.headers.raw
            if name.lower() not in (b"content-length", b"transfer-encoding")
        ]
        return httpx2.Response(response.status_code, headers=headers, content=body)

    def _is_probe(self, request: httpx2.Request) -> bool:
        return request.method == "POST" and request.url == self._resource


async def _bounded(response: httpx2.Response) -> bytes:
    body = bytearray()
    async for chunk in response.stream:  # type: ignore[union-attr]
        body += chunk
        if len(body) > MAX_BYTES:
            raise OAuthFlowError("an answer of the authorization server is too long")
    return bytes(body)


def _signed_in(provider: OAuthClientProvider, answer: httpx2.Response, *, configured: bool) -> SignedIn:
    context = provider.context
    token, client = context.current_tokens, context.client_info
    if token is None or client is None:
        raise CredentialFailed(
            f"the server did not ask for a sign-in (it answered HTTP {answer.status_code})",
            code="credential-rejected",
            hint="resource is the URL of the MCP server itself",
        )
    if answer.status_code in (401, 403):
        wanted = beyond(extract_scope_from_www_auth(answer) or "", token.scope or "")
        raise CredentialFailed(
            f"the server does not take the token that the sign-in gave (HTTP {answer.status_code})",
            code="credential-rejected",
            hint=f"it wants the scope {wanted}" if wanted else "it may want another scope than it suggests",
        )
    if not token.access_token.isprintable() or not token.access_token.isascii():
        raise CredentialFailed("the token cannot be sent: it is not ASCII", code="credential-rejected")
    auth: Literal["basic", "post"] = "basic"
    if client.token_endpoint_auth_method != "client_secret_basic":  # noqa: S105  # so is this
        auth = "post"
    resource = context.should_include_resource_param(LATEST_MODERN_VERSION)
    return SignedIn(
        value=token.access_token,
        refresh=token.refresh_token or "",
        lifetime=token.expires_in,
        client=Registration(
            issuer=client.issuer or context.auth_server_url or "",
            token_url=provider._get_token_endpoint(),
            client_id=client.client_id,
            client_auth=auth,
            client_secret="" if configured else client.client_secret or "",
            resource=context.get_resource_url() if resource else "",
            revoke_url=_revocation(context.oauth_metadata),
        ),
        scope=together(token.scope or ""),
        asked=together(context.client_metadata.scope or ""),
    )


def _revocation(metadata: OAuthMetadata | None) -> str:
    url = str(metadata.revocation_endpoint or "") if metadata is not None else ""
    return url if url and secret_may_go_to(url) else ""


def _failed(error: Exception, provider: OAuthClientProvider, secrets: tuple[str, ...]) -> CredentialFailed:
    """The SDK's words, which may repeat an endpoint's, which may repeat what it was sent."""
    client = provider.context.client_info
    known = (*secrets, client.client_secret or "" if client is not None else "")
    words = Redactor([each for each in known if each]).text(str(error))
    return CredentialFailed(
        f"the sign-in failed: {printable(words, 400) or type(error).__name__}", code="credential-rejected"
    )
