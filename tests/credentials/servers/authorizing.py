"""A real MCP server that has people sign in, with its authorization server: both are the SDK's.

Whoever opens the authorization page is let in at once, unless `refuse` says otherwise. Tokens live
for `lifetime` seconds; a refresh token is good once.
"""

from __future__ import annotations

import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from mcp.server import MCPServer
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    TokenError,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken

Base = OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]


class Authorizing(Base):
    """What it gave, and what it was asked."""

    def __init__(self, url: str) -> None:
        self.url = f"{url}/mcp"
        self.lifetime: int | None = 3600
        self.refreshing = True
        self.refuse = ""
        self.clients: dict[str, OAuthClientInformationFull] = {}
        self.codes: dict[str, AuthorizationCode] = {}
        self.access: dict[str, AccessToken] = {}
        self.refresh: dict[str, RefreshToken] = {}
        self.given: list[str] = []  # every secret that was ever given
        self.refreshes = 0
        self.asked: list[AuthorizationParams] = []
        self.wanted = ""  # the scope that tools/call needs beside
        self.challenge = ""  # in place of the one that names it
        self.grants: set[str] | None = None  # no others are granted, whatever is asked for
        self.revoked: list[str] = []
        self.confidential = False  # clients are registered with a secret

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        if self.confidential:
            client_info.client_secret = secrets.token_hex(16)
            client_info.token_endpoint_auth_method = "client_secret_post"
        self.clients[client_info.client_id] = client_info
        self.given += [client_info.client_secret] if client_info.client_secret else []

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        self.asked.append(params)
        if self.refuse:
            return construct_redirect_uri(str(params.redirect_uri), error=self.refuse, state=params.state)
        code = AuthorizationCode(
            code=secrets.token_hex(16),
            scopes=[each for each in params.scopes or [] if self.grants is None or each in self.grants],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
        )
        self.codes[code.code] = code
        self.given.append(code.code)
        return construct_redirect_uri(str(params.redirect_uri), code=code.code, state=params.state)

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        del self.codes[authorization_code.code]
        return self._give(client.client_id, authorization_code.scopes, authorization_code.resource)

    async def load_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: str
    ) -> RefreshToken | None:
        self.refreshes += 1
        return self.refresh.get(refresh_token)

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str], **more: Any
    ) -> OAuthToken:
        if self.refresh.pop(refresh_token.token, None) is None:
            raise TokenError("invalid_grant")
        return self._give(client.client_id, scopes, refresh_token.resource)

    def _give(self, client_id: str, scopes: list[str], resource: str | None) -> OAuthToken:
        access, refresh = f"at_{secrets.token_hex(12)}", f"rt_{secrets.token_hex(12)}"
        self.given += [access, refresh]
        self.access[access] = AccessToken(
            token=access, client_id=client_id, scopes=scopes, resource=resource or self.url
        )
        if self.refreshing:
            self.refresh[refresh] = RefreshToken(
                token=refresh, client_id=client_id, scopes=scopes, resource=resource
            )
        return OAuthToken(
            access_token=access,
            expires_in=self.lifetime,
            scope=" ".join(scopes),
            refresh_token=refresh if self.refreshing else None,
        )

    def forget_access(self) -> None:
        """Every access token that was given is over."""
        self.access.clear()

    async def load_access_token(self, token: str) -> AccessToken | None:
        return self.access.get(token)

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        self.revoked.append(token.token)
        self.refresh.pop(token.token, None)
        self.access.clear()


class _Stepping:
    """Turns a tools/call away that does not come with the scope wanted for it."""

    def __init__(self, app: Any, provider: Authorizing) -> None:
        self._app, self._provider = app, provider

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        provider = self._provider
        headers = {name.decode().lower(): value.decode() for name, value in scope.get("headers", [])}
        token = provider.access.get(headers.get("authorization", "").removeprefix("Bearer "))
        called = headers.get("mcp-method") == "tools/call"
        if not called or token is None or not provider.wanted or provider.wanted in token.scopes:
            await self._app(scope, receive, send)
            return
        challenge = provider.challenge or f'Bearer error="insufficient_scope", scope="{provider.wanted}"'
        fields = [(b"www-authenticate", challenge.encode()), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 403, "headers": fields})
        await send({"type": "http.response.body", "body": b""})


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.up.set()


@contextmanager
def authorizing(*, revoking: bool = True) -> Iterator[Authorizing]:
    """Serve on a thread of its own until the block ends; `revoking` says that tokens can be ended."""
    listening = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    provider = Authorizing(url)
    settings: dict[str, Any] = {
        "issuer_url": url,
        "resource_server_url": provider.url,
        "validate_token_resource": True,
        "required_scopes": ["books"],
        "revocation_options": RevocationOptions(enabled=revoking),
        "client_registration_options": ClientRegistrationOptions(
            enabled=True, valid_scopes=["books", "ledger"], default_scopes=["books"]
        ),
    }
    mcp = MCPServer("books", auth_server_provider=provider, auth=AuthSettings(**settings))

    @mcp.tool()
    async def total(week: str) -> str:
        """The total of a week."""
        return f"{week}: 347540"

    server = _Server(
        uvicorn.Config(
            _Stepping(mcp.streamable_http_app(), provider),
            log_level="critical",
            timeout_graceful_shutdown=1,
        )
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    assert server.up.wait(10)
    try:
        yield provider
    finally:
        server.should_exit = True
        thread.join(timeout=10)
        listening.close()
