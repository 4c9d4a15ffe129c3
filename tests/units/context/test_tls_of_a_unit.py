"""TLS at a pinned address: the certificate must be the name's, not the address's."""

from __future__ import annotations

import datetime
import ssl
from pathlib import Path

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from tests.units.context.conftest import NAME, Desk
from tests.units.context.upstream import serving

pytestmark = pytest.mark.anyio


def certificate(folder: Path, name: str) -> tuple[str, str]:
    """A self-signed certificate for one DNS name, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    pem, secret = folder / "cert.pem", folder / "key.pem"
    pem.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return str(pem), str(secret)


async def test_the_certificate_is_judged_by_the_name_that_was_declared(desk: Desk, tmp_path: Path) -> None:
    pem, key = certificate(tmp_path, NAME)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(pem, key)
    asked: list[str | None] = []
    server.sni_callback = lambda connection, name, context: asked.append(name)
    desk.options["tls"] = lambda: ssl.create_default_context(cafile=pem)
    desk.resolver.answers["other.test"] = ["127.0.0.1"]
    with serving(tls=server) as upstream:
        async with desk.context([f"{NAME}:{upstream.port}", f"other.test:{upstream.port}"]) as ctx:
            answer = await ctx.http.get(f"https://{NAME}:{upstream.port}/")
            assert answer.status_code == 200
            # the same address, and the same certificate, under a name that it is not for
            with pytest.raises(httpx2.ConnectError):
                await ctx.http.get(f"https://other.test:{upstream.port}/")
    assert asked == [NAME, "other.test"]
    assert len(upstream.seen) == 1


async def test_a_certificate_that_nobody_vouches_for_is_refused(desk: Desk, tmp_path: Path) -> None:
    pem, key = certificate(tmp_path, NAME)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(pem, key)
    with serving(tls=server) as upstream:
        async with desk.context([f"{NAME}:{upstream.port}"]) as ctx:
            with pytest.raises(httpx2.ConnectError):
                await ctx.http.get(f"https://{NAME}:{upstream.port}/", timeout=5)
        assert upstream.seen == []
