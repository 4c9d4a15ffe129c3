"""Kept tokens, sessions that belong to who opened them, and how much each caller may ask."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.bounds import bound
from tests.serve_http.fronted import BEARER, HELLO, TOKEN, Small, ask, fronted, legacy, seen

from prowess.call.policy import Reach
from prowess.credentials.sections import Secret
from prowess.errors import UsageError
from prowess.host.serving import BearerSection, ServeSection, reach_of
from prowess.serve.auth import Kept, TokenRefused
from prowess.serve.limits import Buckets

pytestmark = pytest.mark.anyio

BOB = "a-token-of-bob-9876543210"


@pytest.fixture(autouse=True)
def _kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANN_TOKEN", TOKEN)
    monkeypatch.setenv("BOB_TOKEN", BOB)


def bearer(name: str, **more: Any) -> BearerSection:
    return BearerSection(token=Secret(env=name), **more)


def section(**more: Any) -> ServeSection:
    return ServeSection(tokens={"ann": bearer("ANN_TOKEN"), "bob": bearer("BOB_TOKEN")}, **more)


async def test_a_token_says_who_asks_and_goes_no_further(client: httpx2.AsyncClient) -> None:
    async with fronted(section()) as url:
        told = seen(await ask(client, url, BEARER))
        assert told["principal"] == "ann"
        assert "authorization" not in told["headers"]
        assert seen(await ask(client, url, {"authorization": f"bearer  {BOB}"}))["principal"] == "bob"


@pytest.mark.parametrize(
    "shown",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        f"Bearer {TOKEN.upper()}",
        f"Basic {TOKEN}",
        TOKEN,
        f"Bearer {TOKEN} {TOKEN}",
        "Bearer " + "a" * 20_000,
        "Bearer \xe4\xf6\xfc",
    ],
)
def test_whoever_shows_no_known_token_stays_outside(shown: str | None) -> None:
    from prowess.serve.auth import Authentication

    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("nobody comes in")

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError("nothing is read of a stranger")

    headers = [] if shown is None else [(b"authorization", shown.encode("latin-1"))]
    scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": headers}
    guard = Authentication(app, [Kept({"ann": bearer("ANN_TOKEN")})], None)
    asyncio.run(guard(scope, receive, send))
    assert sent[0]["status"] == 401
    assert dict(sent[0]["headers"])[b"www-authenticate"].startswith(b"Bearer")


async def test_two_headers_are_none(client: httpx2.AsyncClient) -> None:
    async with fronted(section()) as url:
        headers = [("authorization", f"Bearer {TOKEN}"), ("authorization", f"Bearer {BOB}")]
        assert (await client.post(url, headers=headers)).status_code == 401


async def test_no_token_is_in_an_answer_or_a_log(
    client: httpx2.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger("httpcore2").setLevel(logging.WARNING)  # the tests' own client writes its requests
    async with fronted(section()) as url:
        good = await ask(client, url, BEARER)
        bad = await ask(client, url, {"authorization": "Bearer not-a-token-of-anybody"})
    text = good.text + str(good.headers) + bad.text + str(bad.headers)
    said = " ".join(f"{each.name} {each.getMessage()}" for each in caplog.records)
    assert TOKEN not in text + said and "not-a-token-of-anybody" not in text + said


async def test_a_token_ends_when_it_says() -> None:
    end = datetime(2027, 1, 1, tzinfo=UTC)
    now = [(end - timedelta(seconds=1)).timestamp()]
    kept = Kept({"ann": bearer("ANN_TOKEN", expires=end)}, now=lambda: now[0])
    assert (await kept.verify(TOKEN)) is not None
    now[0] += 1
    with pytest.raises(TokenRefused):
        await kept.verify(TOKEN)


@pytest.mark.parametrize("value", ["", "short", "with space in the middle", "ümläut-ümläut-ümläut"])
def test_a_token_that_cannot_be_good_is_said_by_the_name_of_its_table(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANN_TOKEN", value)
    with pytest.raises(UsageError) as caught:
        Kept({"ann": bearer("ANN_TOKEN")})
    assert "serve.tokens.ann" in caught.value.message
    assert not value or value not in caught.value.message + caught.value.hint


def test_a_token_that_others_can_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(TOKEN)
    file.chmod(0o644)
    with pytest.raises(UsageError):
        Kept({"ann": BearerSection(token=Secret(file=str(file)))})
    file.chmod(0o600)
    Kept({"ann": BearerSection(token=Secret(file=str(file)))})


def test_one_token_is_not_two_callers() -> None:
    with pytest.raises(UsageError):
        Kept({"ann": bearer("ANN_TOKEN"), "bob": bearer("ANN_TOKEN")})


@pytest.mark.parametrize(
    "tokens",
    [
        {"ann": {"principal": "oauth:ann"}},
        {"oauth:ann": {}},
        {"old": {"principal": "ann", "tools": ("a",)}, "new": {"principal": "ann", "tools": ("b",)}},
        {"ann": {"expires": datetime(2027, 1, 1)}},  # that is the point
    ],
)
def test_tokens_that_contradict_each_other_are_refused(tokens: dict[str, dict[str, Any]]) -> None:
    with pytest.raises(UsageError):
        ServeSection(tokens={name: bearer("ANN_TOKEN", **each) for name, each in tokens.items()})


def test_a_principal_reaches_what_its_token_says() -> None:
    from tests.serve_http.issuer import Issuer

    narrow = bearer("ANN_TOKEN", principal="robot", servers=("shop/*",), tools=("list_*",))
    made = ServeSection(
        tokens={"old": narrow, "new": narrow, "bob": bearer("BOB_TOKEN")},
        oauth=Issuer().section(servers=("books/*",)),
    )
    reach = reach_of(made)
    assert reach("robot") == Reach(servers=("shop/*",), tools=("list_*",))
    assert reach("bob") == reach("local") == Reach()
    assert reach("oauth:robot") == Reach(servers=("books/*",))
    assert reach("oauth:robot").server("books/api") and not reach("oauth:robot").server("shop/api")


async def test_a_session_belongs_to_who_opened_it(client: httpx2.AsyncClient) -> None:
    async with fronted(section()) as url:
        opened = await client.post(url, json=HELLO["json"], headers={**HELLO["headers"], **BEARER})
        listing = legacy("tools/list", 2)
        mine = {**listing["headers"], "mcp-session-id": opened.headers["mcp-session-id"]}
        theirs = await client.post(
            url, json=listing["json"], headers={**mine, "authorization": f"Bearer {BOB}"}
        )
        assert theirs.status_code == 404
        again = await client.post(url, json=listing["json"], headers={**mine, **BEARER})
        assert again.status_code == 200


# -- how often, how much


def test_tokens_of_a_bucket_come_back_at_a_steady_rate() -> None:
    now = [0.0]
    buckets = Buckets(60, 2, clock=lambda: now[0])
    assert [buckets.take("ann") for _ in range(3)] == [0, 0, 1.0]
    assert buckets.take("bob") == 0
    now[0] += 0.25
    assert buckets.take("ann") == pytest.approx(0.75)
    now[0] += 0.75
    assert buckets.take("ann") == 0
    now[0] += 3_600
    assert [buckets.take("ann") for _ in range(3)] == [0, 0, 1.0]


def test_no_number_of_callers_fills_the_memory() -> None:
    buckets = Buckets(60, 2, clock=lambda: 0.0, most=100)
    for number in range(1_000):
        buckets.take(str(number))
    assert len(buckets) == 100


async def test_who_asks_too_often_is_told_when_to_come_again(client: httpx2.AsyncClient) -> None:
    async with fronted(section(requests_per_minute=6, burst=2)) as url:
        answers = [await ask(client, url, BEARER) for _ in range(3)]
        assert [each.status_code for each in answers] == [200, 200, 429]
        assert 8 <= int(answers[2].headers["retry-after"]) <= 10
        assert (await ask(client, url, {"authorization": f"Bearer {BOB}"})).status_code == 200


async def test_who_has_too_much_open_has_to_wait(client: httpx2.AsyncClient) -> None:
    small = Small()
    async with fronted(section(per_caller_concurrency=1), small) as url:
        asked = asyncio.ensure_future(ask(client, url, BEARER, name="wait"))
        await asyncio.wait_for(small.waiting.wait(), bound(5))
        over = await ask(client, url, BEARER)
        assert (over.status_code, over.headers["retry-after"]) == (429, "1")
        assert (await ask(client, url, {"authorization": f"Bearer {BOB}"})).status_code == 200
        small.go.set()
        assert (await asked).status_code == 200
        assert (await ask(client, url, BEARER)).status_code == 200


@pytest.mark.parametrize(
    "wrong",
    [
        {"body_bytes": 0},
        {"per_caller_concurrency": 0},
        {"max_connections": 0},
        {"max_sessions": 0},
        {"request_seconds": 0.0},
        {"request_seconds": float("inf")},
        {"session_idle_seconds": float("nan")},
        {"shutdown_seconds": -1.0},
        {"requests_per_minute": 0.0},
        {"burst": 3},
        {"burst": 0, "requests_per_minute": 1.0},
        {"allowed_hosts": ("https://a.example.com",)},
        {"allowed_hosts": ("*",)},
        {"allowed_origins": ("a.example.com",)},
        {"allowed_origins": ("https://a.example.com/",)},
        {"allowed_origins": ("null",)},
    ],
)
def test_a_bound_that_bounds_nothing_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        ServeSection(**wrong)
