"""An authorization server of the tests' own: keys, tokens, and the documents that lead to the keys."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from prowess.host.serving import OAuthSection

AUDIENCE = "https://mcp.example.com/mcp"


@cache
def private(kind: str, number: int = 0) -> Any:
    """The private key of a kind; another number is another key."""
    if kind == "RSA":
        return rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    return ec.generate_private_key(ec.SECP256R1()) if kind == "EC" else ed25519.Ed25519PrivateKey.generate()


_MAKERS = {"RS256": "RSA", "PS256": "RSA", "ES256": "EC", "EdDSA": "OKP"}


def jwk(algorithm: str, kid: str | None, **more: Any) -> dict[str, Any]:
    """The public key that checks signatures of `algorithm`."""
    public = private(_MAKERS[algorithm]).public_key()
    found = json.loads(jwt.get_algorithm_by_name(algorithm).to_jwk(public))
    found.pop("key_ops", None)
    return {**found, **({"kid": kid} if kid else {}), **more}


class Issuer:
    """One issuer; `documents` are what it answers by path, `asked` the paths that were asked for."""

    def __init__(self, url: str = "https://issuer.example.com") -> None:
        self.url = url
        self.keys: list[dict[str, Any]] = [jwk("RS256", "one")]
        self.asked: list[str] = []
        self.away = False

    def claims(self, **more: Any) -> dict[str, Any]:
        now = int(time.time())
        usual = {"iss": self.url, "aud": AUDIENCE, "sub": "ann", "iat": now, "exp": now + 60}
        return {key: value for key, value in {**usual, **more}.items() if value is not None}

    def token(
        self,
        algorithm: str = "RS256",
        *,
        kid: str | None = "one",
        header: dict[str, Any] | None = None,
        key: Any = None,
        **claims: Any,
    ) -> str:
        """A token; a claim that is None is left out."""
        headers = {**({"kid": kid} if kid else {}), **(header or {})}
        signer = key if key is not None else private(_MAKERS[algorithm])
        return jwt.encode(self.claims(**claims), signer, algorithm=algorithm, headers=headers)

    def section(self, **more: Any) -> OAuthSection:
        given: dict[str, Any] = {"issuer": self.url, "audience": AUDIENCE, **more}
        return OAuthSection(**given)

    def answered(self, path: str) -> tuple[int, bytes]:
        """What it answers."""
        self.asked.append(path)
        documents: dict[str, Any] = {
            "/keys": {"keys": self.keys},
            "/.well-known/openid-configuration": {"issuer": self.url, "jwks_uri": f"{self.url}/keys"},
        }
        if self.away or path not in documents:
            return 404, b"{}"
        return 200, json.dumps(documents[path]).encode()

    async def fetch(self, url: str) -> bytes:
        """The same without a network."""
        from prowess.serve.auth import KeysAway

        status, body = self.answered(url.removeprefix(self.url))
        if status != 200:
            raise KeysAway
        return body

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[Issuer]:
        """On a port of this machine, which becomes its URL."""

        async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            head = await reader.readuntil(b"\r\n\r\n")
            status, body = self.answered(head.split()[1].decode())
            start = f"HTTP/1.1 {status} x\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
            writer.write(start.encode() + body)
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(one, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()
