"""Tokens obtained from a real token endpoint: requests, answers, time, one refresh for all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.credentials.token_endpoint import CLIENT, CLIENT_SECRET, FIRST_REFRESH, Endpoint, Now, serving

from prowess.credentials import FileVault, MemoryVault
from prowess.credentials.endpoint import post, proxy_for
from prowess.credentials.sections import Secret, TokenSection
from prowess.credentials.source import GrantedToken
from prowess.credentials.vault import Vault
from prowess.errors import CredentialFailed, UsageError

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLIENT_SECRET", CLIENT_SECRET)
    monkeypatch.setenv("REFRESH_TOKEN", FIRST_REFRESH)


def section(endpoint: Endpoint, **more: Any) -> TokenSection:
    kind = more.pop("grant", "client-credentials")
    if kind == "client-credentials":
        more.setdefault("client_secret", Secret(env="CLIENT_SECRET"))
    else:
        more.setdefault("refresh_token", Secret(env="REFRESH_TOKEN"))
    return TokenSection(grant=kind, token_url=endpoint.url, client_id=CLIENT, **more)


def source(
    endpoint: Endpoint, *, now: Now | None = None, vault: Vault | None = None, skew: float = 60, **more: Any
) -> GrantedToken:
    return GrantedToken(
        section(endpoint, **more), skew=skew, vault=vault or MemoryVault(), post=post, now=now or Now()
    )


async def failure(source: GrantedToken) -> CredentialFailed:
    with pytest.raises(CredentialFailed) as caught:
        await source.token()
    text = f"{caught.value.message}{caught.value.hint}"
    assert CLIENT_SECRET not in text and FIRST_REFRESH not in text
    return caught.value


# -- what is asked


async def test_client_credentials_are_asked_for_with_http_basic(endpoint: Endpoint) -> None:
    token = await source(
        endpoint, scope="read write", resource="https://api.example/", audience="api"
    ).token()
    headers, form = endpoint.requests[0]
    assert token.value == endpoint.token and CLIENT_SECRET not in repr(token)
    assert headers["authorization"].startswith("Basic ") and "gzip" not in headers["accept-encoding"]
    assert form == {
        "grant_type": "client_credentials",
        "scope": "read write",
        "resource": "https://api.example/",
        "audience": "api",
    }


async def test_client_credentials_may_be_sent_as_fields(endpoint: Endpoint) -> None:
    await source(endpoint, client_auth="post").token()
    headers, form = endpoint.requests[0]
    assert "authorization" not in headers
    assert form == {
        "grant_type": "client_credentials",
        "client_id": CLIENT,
        "client_secret": CLIENT_SECRET,
    }


async def test_a_public_client_refreshes_by_its_id(endpoint: Endpoint) -> None:
    await source(endpoint, grant="refresh-token", scope="a b").token()
    headers, form = endpoint.requests[0]
    assert "authorization" not in headers
    assert form == {
        "grant_type": "refresh_token",
        "client_id": CLIENT,
        "refresh_token": FIRST_REFRESH,
        "scope": "a b",
    }


async def test_a_confidential_client_refreshes_with_its_secret(endpoint: Endpoint) -> None:
    await source(endpoint, grant="refresh-token", client_secret=Secret(env="CLIENT_SECRET")).token()
    assert endpoint.requests[0][0]["authorization"].startswith("Basic ")


# -- time


async def test_a_token_is_used_until_shortly_before_it_expires(endpoint: Endpoint) -> None:
    now = Now()
    tokens = source(endpoint, now=now)
    first = await tokens.token()
    now.passes(3600 - 61)
    assert await tokens.token() == first
    now.passes(2)
    assert (await tokens.token()).value == endpoint.token != first.value
    assert endpoint.count == 2


async def test_a_life_shorter_than_the_skew_is_half_used(endpoint: Endpoint) -> None:
    endpoint.lifetime = "20"
    now = Now()
    tokens = source(endpoint, now=now)
    await tokens.token()
    now.passes(9)
    await tokens.token()
    assert endpoint.count == 1
    now.passes(2)
    await tokens.token()
    assert endpoint.count == 2


@pytest.mark.parametrize("lifetime", [None, 0, -5])
async def test_a_token_of_unknown_life_is_used_until_it_is_turned_away(
    lifetime: int | None, endpoint: Endpoint
) -> None:
    endpoint.lifetime = lifetime
    now = Now()
    tokens = source(endpoint, now=now)
    first = await tokens.token()
    now.passes(10_000_000)
    assert await tokens.token() == first
    assert (await tokens.another(first.value)).value != first.value


async def test_while_the_endpoint_is_down_a_token_is_used_until_it_expires(endpoint: Endpoint) -> None:
    now = Now()
    tokens = source(endpoint, now=now)
    first = await tokens.token()
    endpoint.status = 503
    now.passes(3600 - 30)
    assert await tokens.token() == first
    now.passes(31)
    assert (await failure(tokens)).code == "credential-unreachable"


# -- rotation


async def test_a_rotated_refresh_token_is_kept_and_used_next(endpoint: Endpoint) -> None:
    now, vault = Now(), MemoryVault()
    for _ in range(3):  # each a new start of the program
        await source(endpoint, grant="refresh-token", now=now, vault=vault).token()
        now.passes(3600)
    sent = [form["refresh_token"].split("-")[1] for _, form in endpoint.requests]
    assert sent == ["0", "1", "2"]


async def test_a_refresh_token_that_is_not_rotated_stays_in_use(endpoint: Endpoint) -> None:
    endpoint.rotate = False
    now, vault = Now(), MemoryVault()
    for _ in range(2):
        await source(endpoint, grant="refresh-token", now=now, vault=vault).token()
        now.passes(3600)
    assert [form["refresh_token"] for _, form in endpoint.requests] == [FIRST_REFRESH] * 2


async def test_a_newly_configured_refresh_token_wins_over_the_kept_one(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, vault = Now(), MemoryVault()
    await source(endpoint, grant="refresh-token", now=now, vault=vault).token()
    endpoint.refresh = "rt-new-9e8d7c"
    monkeypatch.setenv("REFRESH_TOKEN", "rt-new-9e8d7c")
    now.passes(3600)
    await source(endpoint, grant="refresh-token", now=now, vault=vault).token()
    assert endpoint.requests[-1][1]["refresh_token"] == "rt-new-9e8d7c"


async def test_a_kept_token_serves_the_next_start_without_a_request(endpoint: Endpoint) -> None:
    vault = MemoryVault()
    first = await source(endpoint, vault=vault).token()
    assert await source(endpoint, vault=vault).token() == first
    assert endpoint.count == 1


@pytest.mark.parametrize("change", [{"scope": "more"}, {"resource": "https://b.example"}, {"audience": "b"}])
async def test_a_token_for_something_else_is_another_token(
    change: dict[str, Any], endpoint: Endpoint
) -> None:
    vault = MemoryVault()
    await source(endpoint, vault=vault).token()
    await source(endpoint, vault=vault, **change).token()
    assert endpoint.count == 2


# -- what goes wrong


async def test_a_refused_refresh_token_is_a_rejection_and_its_value_is_not_shown(endpoint: Endpoint) -> None:
    endpoint.refresh = "another"
    error = await failure(source(endpoint, grant="refresh-token"))
    assert error.code == "credential-rejected" and "invalid_grant" in error.message and "***" in error.message


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (200, b"<html>log in</html>", "credential-rejected"),
        (200, b"", "credential-rejected"),
        (200, b"[1]", "credential-rejected"),
        (200, b'"text"', "credential-rejected"),
        (200, b"{}", "credential-rejected"),
        (200, b'{"access_token": 5, "token_type": "bearer"}', "credential-rejected"),
        (200, b'{"access_token": "a\\nb", "token_type": "bearer"}', "credential-rejected"),
        (200, b'{"access_token": "abc", "token_type": "mac"}', "credential-rejected"),
        (200, b'{"access_token": "abc", "token_type": 1}', "credential-rejected"),
        (200, b'{"access_token": "abc", "token_type": "bearer", "expires_in": [1]}', "credential-rejected"),
        (200, b"[" * 100_000, "credential-rejected"),
        (200, b"\xff", "credential-rejected"),
        (200, b" " * 300_000, "credential-unreachable"),
        (400, b'{"access_token": "abc", "token_type": "bearer"}', "credential-rejected"),
        (401, b'{"error": "invalid_client"}', "credential-rejected"),
        (429, b"", "credential-unreachable"),
        (503, b"", "credential-unreachable"),
    ],
)
async def test_an_answer_without_a_bearer_token_is_an_error(
    status: int, body: bytes, code: str, endpoint: Endpoint
) -> None:
    endpoint.status, endpoint.body = status, body
    assert (await failure(source(endpoint))).code == code


async def test_a_scope_that_differs_from_the_asked_one_is_accepted(endpoint: Endpoint) -> None:
    endpoint.body = b'{"access_token": "abc", "token_type": "bearer", "scope": "less"}'
    assert (await source(endpoint, scope="more").token()).value == "abc"


async def test_a_redirect_of_a_token_request_is_not_followed(endpoint: Endpoint) -> None:
    with serving() as foreign:
        endpoint.status, endpoint.location = 307, foreign.url
        assert (await failure(source(endpoint))).code == "credential-rejected"
        assert foreign.requests == []


async def test_an_endpoint_that_is_not_there_is_unreachable() -> None:
    with serving() as gone:
        pass
    assert (await failure(source(gone))).code == "credential-unreachable"


async def test_a_secret_that_is_not_there_sends_nothing(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CLIENT_SECRET")
    assert (await failure(source(endpoint))).code == "credential-missing"
    assert endpoint.requests == []


class Busy(MemoryVault):
    """A vault whose lock somebody else holds for ever."""

    @asynccontextmanager
    async def lock(self, key: str) -> AsyncIterator[None]:
        raise TimeoutError
        yield


async def test_a_lock_that_is_not_to_be_had_is_told_and_nothing_is_sent(endpoint: Endpoint) -> None:
    assert (await failure(source(endpoint, vault=Busy()))).code == "credential-unreachable"
    assert endpoint.requests == []


async def test_a_store_that_cannot_be_used_is_told_and_nothing_is_sent(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    vault = FileVault(str(tmp_path / "file" / "vault"))
    assert (await failure(source(endpoint, vault=vault))).code == "credential-unreachable"
    assert endpoint.requests == []


async def test_an_endpoint_that_stays_silent_is_given_up(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prowess.credentials.endpoint.SECONDS", 0.05)
    endpoint.delay = 0.3
    assert (await failure(source(endpoint))).code == "credential-unreachable"


@pytest.mark.parametrize(
    ("url", "proxy"),
    [
        ("https://auth.example/token", "http://proxy.example:3128"),
        ("https://inside.example/token", None),
        ("https://127.0.0.1/token", None),
        ("http://localhost/token", None),
    ],
)
def test_a_proxy_serves_https_to_other_machines_only(
    url: str, proxy: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    monkeypatch.setenv("no_proxy", "inside.example")
    assert proxy_for(url) == proxy


@pytest.mark.parametrize(
    "url",
    [
        "http://auth.example/token",
        "ftp://a/b",
        "https://user:pass@a.example/",
        "https://",
        "no url",
        "https://a b/",
    ],
)
def test_a_token_url_that_would_give_the_secret_away_is_refused(url: str) -> None:
    with pytest.raises(UsageError):
        TokenSection(
            grant="client-credentials",
            token_url=url,
            client_id="c",
            client_secret=Secret(env="CLIENT_SECRET"),
        )


# -- one refresh for all


@pytest.mark.parametrize("grant", ["client-credentials", "refresh-token"])
async def test_200_callers_with_an_expired_token_cause_one_refresh(grant: str, endpoint: Endpoint) -> None:
    now = Now()
    tokens = source(endpoint, grant=grant, now=now)
    await tokens.token()
    now.passes(3600)
    endpoint.delay = 0.1
    found = await asyncio.gather(*(tokens.token() for _ in range(200)))
    assert len(endpoint.requests) == 2 and {each.value for each in found} == {endpoint.token}


async def test_200_callers_whose_token_is_turned_away_cause_one_refresh(endpoint: Endpoint) -> None:
    tokens = source(endpoint, grant="refresh-token")
    first = await tokens.token()
    endpoint.delay = 0.1
    found = await asyncio.gather(*(tokens.another(first.value) for _ in range(200)))
    late = await tokens.another(first.value)
    assert len(endpoint.requests) == 2 and {each.value for each in (*found, late)} == {endpoint.token}


async def test_a_caller_that_gives_up_does_not_lose_the_rotated_token(endpoint: Endpoint) -> None:
    endpoint.delay = 0.05
    vault = MemoryVault()
    tokens = source(endpoint, grant="refresh-token", vault=vault)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await tokens.token()
    await tokens.close()
    assert [each.refresh for each in vault.tokens.values()] == [endpoint.refresh]


async def test_one_failure_is_told_to_all_who_wait(endpoint: Endpoint) -> None:
    endpoint.status, endpoint.delay = 503, 0.05
    tokens = source(endpoint)
    found = await asyncio.gather(*(tokens.token() for _ in range(50)), return_exceptions=True)
    assert len(endpoint.requests) == 1 and all(isinstance(each, CredentialFailed) for each in found)


async def test_an_endpoint_that_gives_the_rejected_token_again_is_not_asked_for_ever(
    endpoint: Endpoint,
) -> None:
    tokens = source(endpoint)
    first = await tokens.token()
    endpoint.same_token = True
    with pytest.raises(CredentialFailed) as caught:
        await tokens.another(first.value)
    assert caught.value.code == "credential-rejected" and len(endpoint.requests) <= 3
