"""Tokens of an authorization server: what lets somebody in, and all that does not."""

from __future__ import annotations

import base64
import json
import time
from dataclasses import replace
from typing import Any

import httpx2
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.serve_http.fronted import ask, fronted, seen
from tests.serve_http.issuer import AUDIENCE, Issuer, jwk, private

from prowess.errors import UsageError
from prowess.host.serving import ServeSection
from prowess.serve.auth import KeysAway, ScopeMissing, Shown, TokenRefused
from prowess.serve.oauth import AuthorizationServer
from prowess.serve.oauth_keys import FRESH, REST, STALE, Keys, metadata_urls

pytestmark = pytest.mark.anyio


class Time:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def verifier(issuer: Issuer, clock: Time | None = None, **section: Any) -> AuthorizationServer:
    keys = Keys(issuer.url, f"{issuer.url}/keys", fetch=issuer.fetch, clock=clock or Time())
    return AuthorizationServer(issuer.section(**section), keys)


async def refused(issuer: Issuer, token: str, **section: Any) -> str:
    with pytest.raises(TokenRefused) as caught:
        await verifier(issuer, **section).verify(token)
    return str(caught.value)


@pytest.mark.parametrize("algorithm", ["RS256", "PS256", "ES256", "EdDSA"])
async def test_a_good_token_says_who_shows_it(algorithm: str) -> None:
    issuer = Issuer()
    issuer.keys = [jwk(algorithm, "one")]
    found = await verifier(issuer, algorithms=(algorithm,)).verify(
        issuer.token(algorithm, scope="read write", aud=["other", AUDIENCE])
    )
    assert found is not None and found.expires is not None and found.expires > time.time()
    assert replace(found, expires=None) == Shown(principal="oauth:ann", scopes=("read", "write"))


async def test_what_is_no_token_of_this_kind_is_left_to_others() -> None:
    assert await verifier(Issuer()).verify("abcdefghijklmnop") is None


class Ago(int):
    """So many seconds before the test runs, not before it was collected."""

    def seconds(self) -> int:
        return int(time.time()) - self


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": "https://other.example.com"},
        {"aud": None},
        {"aud": [1]},
        {"iss": "https://issuer.example.com/"},
        {"iss": None},
        {"exp": None},
        {"exp": Ago(31)},
        {"exp": "soon"},
        {"nbf": Ago(-90)},
        {"iat": Ago(-90)},
        {"sub": None},
        {"sub": ""},
        {"sub": "x" * 513},
        {"cnf": {"jkt": "x"}},
    ],
)
async def test_a_token_that_says_something_else_lets_nobody_in(claims: dict[str, Any]) -> None:
    issuer = Issuer()
    now: dict[str, Any] = {
        name: value.seconds() if isinstance(value, Ago) else value for name, value in claims.items()
    }
    await refused(issuer, issuer.token(**now))


async def test_clocks_may_differ_a_little_and_as_configured() -> None:
    issuer = Issuer()
    late = issuer.token(exp=int(time.time()) - 10)
    assert await verifier(issuer).verify(late)
    assert "expired" in await refused(issuer, late, skew_seconds=0)


async def test_another_claim_may_say_who() -> None:
    issuer = Issuer()
    shown = await verifier(issuer, principal_claim="client_id").verify(issuer.token(client_id="robot"))
    assert shown is not None and shown.principal == "oauth:robot"


@pytest.mark.parametrize(
    "header",
    [{"typ": "dpop+jwt"}, {"typ": "logout+jwt"}, {"typ": 7}, {"crit": ["x"], "x": 1}, {"kid": "two"}],
)
async def test_a_header_that_means_something_else_lets_nobody_in(header: dict[str, Any]) -> None:
    issuer = Issuer()
    await refused(issuer, issuer.token(header=header))


@pytest.mark.parametrize("kind", ["JWT", "at+jwt", "application/at+JWT"])
async def test_an_access_token_may_say_that_it_is_one(kind: str) -> None:
    issuer = Issuer()
    assert await verifier(issuer).verify(issuer.token(header={"typ": kind}))


def forged(issuer: Issuer, algorithm: str, secret: bytes = b"") -> str:
    """A token made by hand, since no library makes one like that."""
    parts = [{"alg": algorithm, "typ": "JWT", "kid": "one"}, issuer.claims()]
    text = b".".join(base64.urlsafe_b64encode(json.dumps(each).encode()).rstrip(b"=") for each in parts)
    if not secret:
        return f"{text.decode()}."
    mac = jwt.get_algorithm_by_name("HS256").sign(text, secret)
    return f"{text.decode()}.{base64.urlsafe_b64encode(mac).rstrip(b'=').decode()}"


@pytest.mark.parametrize("algorithm", ["none", "None", "NONE", ""])
async def test_a_token_that_nobody_signed_lets_nobody_in(algorithm: str) -> None:
    issuer = Issuer()
    await refused(issuer, forged(issuer, algorithm))


async def test_a_public_key_is_no_shared_secret() -> None:
    issuer = Issuer()
    public = private("RSA").public_key()
    pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    for secret in (pem, json.dumps(issuer.keys[0]).encode(), issuer.keys[0]["n"].encode()):
        for algorithm in ("HS256", "RS256"):
            await refused(issuer, forged(issuer, algorithm, secret))


@pytest.mark.parametrize("key", [{"kty": "oct", "k": "c2VjcmV0", "kid": "one"}, {"kid": "one"}, {"kty": 1}])
async def test_a_key_that_is_none_of_ours_checks_nothing(key: dict[str, Any]) -> None:
    issuer = Issuer()
    issuer.keys = [key]
    await refused(issuer, issuer.token())


async def test_a_key_is_used_for_what_it_is_meant_for() -> None:
    issuer = Issuer()
    for more in ({"alg": "PS256"}, {"use": "enc"}):
        issuer.keys = [jwk("RS256", "one", **more)]
        await refused(issuer, issuer.token())
    issuer.keys = [jwk("RS256", "one", alg="RS256", use="sig")]
    assert await verifier(issuer).verify(issuer.token())
    assert "way" in await refused(issuer, issuer.token(), algorithms=("ES256",))


async def test_a_short_key_checks_nothing() -> None:
    issuer = Issuer()
    short = rsa.generate_private_key(public_exponent=65_537, key_size=1_024)
    issuer.keys = [
        {**json.loads(jwt.get_algorithm_by_name("RS256").to_jwk(short.public_key())), "kid": "one"}
    ]
    with pytest.warns(jwt.InsecureKeyLengthWarning):
        token = issuer.token(key=short)
    await refused(issuer, token)


async def test_a_key_of_somebody_else_checks_nothing() -> None:
    issuer = Issuer()
    await refused(issuer, issuer.token(key=private("RSA", 1)))


async def test_a_token_without_a_name_of_its_key_is_held_against_each() -> None:
    issuer = Issuer()
    issuer.keys = [jwk("ES256", "a"), jwk("RS256", "b")]
    assert await verifier(issuer).verify(issuer.token(kid=None))


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(max_size=80), st.from_regex(r"[A-Za-z0-9_-]{0,60}\.[A-Za-z0-9_-]{0,60}\.[a-z]*")))
def test_whatever_is_shown_is_refused_and_never_a_fault(text: str) -> None:
    import asyncio

    issuer = Issuer()
    try:
        assert asyncio.run(verifier(issuer).verify(text)) is None
    except TokenRefused:
        pass


@pytest.mark.parametrize("claims", [{"scope": "other read"}, {"scp": ["read", 7]}])
async def test_required_scopes_are_in_either_claim(claims: dict[str, Any]) -> None:
    issuer = Issuer()
    assert await verifier(issuer, required_scopes=("read",)).verify(issuer.token(**claims))
    with pytest.raises(ScopeMissing):
        await verifier(issuer, required_scopes=("read", "write")).verify(issuer.token(**claims))


# -- keys


async def test_keys_are_kept_and_fetched_again_after_a_while() -> None:
    issuer, clock = Issuer(), Time()
    made = verifier(issuer, clock)
    for _ in range(3):
        await made.verify(issuer.token())
    assert issuer.asked == ["/keys"]
    clock.now += FRESH + 1
    await made.verify(issuer.token())
    assert issuer.asked == ["/keys"] * 2


async def test_a_new_key_is_found_at_once_and_made_up_ones_make_no_traffic() -> None:
    issuer, clock = Issuer(), Time()
    made = verifier(issuer, clock)
    await made.verify(issuer.token())
    clock.now += REST + 1
    issuer.keys.append(jwk("RS256", "two"))
    assert await made.verify(issuer.token(kid="two"))
    for number in range(20):
        with pytest.raises(TokenRefused):
            await made.verify(issuer.token(kid=f"made-up-{number}"))
    assert issuer.asked == ["/keys"] * 2


async def test_known_keys_go_on_holding_while_the_issuer_is_away_and_not_for_ever() -> None:
    issuer, clock = Issuer(), Time()
    made = verifier(issuer, clock)
    await made.verify(issuer.token())
    issuer.away = True
    clock.now += STALE - 1
    assert await made.verify(issuer.token())
    clock.now += REST + 1
    with pytest.raises(KeysAway):
        await made.verify(issuer.token())
    issuer.away = False
    clock.now += REST + 1
    assert await made.verify(issuer.token())


async def test_a_key_that_was_taken_back_checks_nothing_any_more() -> None:
    issuer, clock = Issuer(), Time()
    made = verifier(issuer, clock)
    await made.verify(issuer.token())
    issuer.keys = [jwk("RS256", "two")]
    clock.now += FRESH + 1
    with pytest.raises(TokenRefused):
        await made.verify(issuer.token())


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"keys": 7}', b"[" * 100_000, b"\xff"])
async def test_a_document_that_holds_no_keys_is_as_good_as_none(body: bytes) -> None:
    async def fetch(url: str) -> bytes:
        return body

    keys = Keys("https://issuer.example.com", "https://issuer.example.com/keys", fetch=fetch)
    with pytest.raises(KeysAway):
        await AuthorizationServer(Issuer().section(), keys).verify(Issuer().token())


def test_metadata_is_looked_for_where_the_rules_say() -> None:
    assert metadata_urls("https://a.example.com/tenant/") == [
        "https://a.example.com/.well-known/oauth-authorization-server/tenant",
        "https://a.example.com/tenant/.well-known/openid-configuration",
    ]


@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://other.example.com", "jwks_uri": "https://issuer.example.com/keys"},
        {"issuer": "https://issuer.example.com", "jwks_uri": "http://issuer.example.com/keys"},
        {"issuer": "https://issuer.example.com", "jwks_uri": 7},
        {"issuer": "https://issuer.example.com"},
    ],
)
async def test_metadata_of_another_issuer_or_a_place_without_tls_names_no_keys(metadata: Any) -> None:
    async def fetch(url: str) -> bytes:
        return json.dumps(metadata if "well-known" in url else {"keys": Issuer().keys}).encode()

    keys = Keys("https://issuer.example.com", "", fetch=fetch)
    with pytest.raises(KeysAway):
        await keys.find("one", lambda _: True)


# -- on the wire


async def test_a_client_finds_the_issuer_and_comes_in(client: httpx2.AsyncClient) -> None:
    async with Issuer().serving() as issuer:
        section = ServeSection(oauth=issuer.section(required_scopes=("tools",)))
        async with fronted(section) as url:
            first = await ask(client, url)
            assert first.status_code == 401
            challenge = first.headers["www-authenticate"]
            place = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp"
            assert challenge == f'Bearer resource_metadata="{place}", scope="tools"'
            base = url.removesuffix("/mcp")
            for path in (
                "/.well-known/oauth-protected-resource",
                "/.well-known/oauth-protected-resource/mcp",
            ):
                assert (await client.get(base + path)).json() == {
                    "resource": AUDIENCE,
                    "authorization_servers": [issuer.url],
                    "bearer_methods_supported": ["header"],
                    "scopes_supported": ["tools"],
                }
            assert (await client.post(base + path)).status_code == 405
            bad = await ask(client, url, {"authorization": f"Bearer {issuer.token(aud='x')}"})
            assert bad.status_code == 401
            assert 'error="invalid_token"' in bad.headers["www-authenticate"]
            poor = await ask(client, url, {"authorization": f"Bearer {issuer.token(scope='other')}"})
            assert poor.status_code == 403
            assert 'error="insufficient_scope"' in poor.headers["www-authenticate"]
            good = await ask(client, url, {"authorization": f"Bearer {issuer.token(scope='tools')}"})
            assert seen(good)["principal"] == "oauth:ann"
        assert issuer.asked[-2:] == ["/.well-known/openid-configuration", "/keys"]


async def test_while_keys_cannot_be_had_a_client_is_told_to_come_again(client: httpx2.AsyncClient) -> None:
    async with Issuer().serving() as issuer:
        issuer.away = True
        async with fronted(ServeSection(oauth=issuer.section())) as url:
            answer = await ask(client, url, {"authorization": f"Bearer {issuer.token()}"})
            assert answer.status_code == 503
            assert answer.headers["retry-after"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"issuer": "http://issuer.example.com"},
        {"issuer": ""},
        {"audience": ""},
        {"audience": "not-a-url"},
        {"resource": "https://a.example.com/mcp#x"},
        {"jwks_uri": "http://issuer.example.com/keys"},
        {"algorithms": ()},
        {"skew_seconds": 301.0},
        {"skew_seconds": -1.0},
        {"principal_claim": ""},
    ],
)
def test_a_section_that_cannot_be_meant_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        Issuer().section(**wrong)
