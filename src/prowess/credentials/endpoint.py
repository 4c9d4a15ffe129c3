"""The way to a token endpoint: one POST, no redirects, a bounded answer in bounded time.

A redirect is never followed: it would hand the client's secret to somebody else. A proxy from the
environment serves https only, where it sees nothing, and never this machine. httpx2 is what the MCP
SDK brings; it is imported when the first token is obtained.
"""

from __future__ import annotations

import ssl
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable
from urllib.parse import urlsplit

from prowess.credentials.grants import TokenRequest
from prowess.credentials.urls import is_loopback
from prowess.errors import CredentialFailed
from prowess.redact import printable

SECONDS = 20.0
MAX_BYTES = 256 * 1024

Post = Callable[[TokenRequest], Awaitable[tuple[int, bytes]]]


async def post(request: TokenRequest) -> tuple[int, bytes]:
    """Send the request; the HTTP status and the body, or CredentialFailed (`credential-unreachable`)."""
    import asyncio

    import httpx2

    parts = urlsplit(request.url)
    shown = printable(f"{parts.scheme}://{parts.netloc}")
    headers = {**request.headers, "accept-encoding": "identity"}
    try:
        async with (
            asyncio.timeout(SECONDS),
            httpx2.AsyncClient(
                verify=True if parts.scheme == "https" else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
                proxy=proxy_for(request.url),
                trust_env=False,
                follow_redirects=False,
                timeout=SECONDS,
            ) as client,
            client.stream("POST", request.url, headers=headers, content=request.body) as answer,
        ):
            return answer.status_code, await _bounded(answer.aiter_raw())
    except TimeoutError:
        raise _unreachable(f"{shown} gave no token within {SECONDS:g} s") from None
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        raise _unreachable(f"{shown} cannot be asked for a token: {type(error).__name__}") from None


async def _bounded(chunks: AsyncIterator[bytes]) -> bytes:
    body = bytearray()
    async for chunk in chunks:
        body += chunk
        if len(body) > MAX_BYTES:
            raise _unreachable("the token endpoint's answer is too long")
    return bytes(body)


def proxy_for(url: str) -> str | None:
    """The proxy that the environment names for `url`, if it may be used."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme != "https" or is_loopback(host) or urllib.request.proxy_bypass(host):
        return None
    proxies = urllib.request.getproxies()
    return proxies.get("https") or proxies.get("all")


def _unreachable(message: str) -> CredentialFailed:
    return CredentialFailed(message, code="credential-unreachable")
