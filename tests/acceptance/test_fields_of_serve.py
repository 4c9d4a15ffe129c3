"""`[serve]` and `[store]`, through a Host opened from a file and served over HTTP: each field acts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from tests.acceptance.configured import Bench, ledger
from tests.bounds import bound
from tests.call.told import Told
from tests.serve_http.fronted import HELLO, TOKEN, ask, fronted, legacy
from tests.serve_http.issuer import AUDIENCE, Issuer, jwk
from tests.store.postgres_server import Server, programs, running

from prowess.errors import UsageError
from prowess.host import Host
from prowess.host.setup import setup_of
from prowess.provider import Answered, Caller, Invocation, Outcome
from prowess.serve.api import api_app
from prowess.serve.endpoint import Endpoint
from prowess.serve.protocol import server_of
from prowess.workflow import records_runs as runs

pytestmark = pytest.mark.anyio

BOB = "a-token-of-bob-9876543210"
ANN = f"Bearer {TOKEN}"
TOKENS = '[serve.tokens.ann]\ntoken = { env = "ANN_TOKEN" }\n'
WHO = ["read", "write"]
GREET = """
from prowess import unit

@unit(idempotent=True)
async def greet(name: str) -> str:
    "Greets somebody."
    return f"hello {name}"
"""


@pytest.fixture
def bench(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setenv("ANN_TOKEN", TOKEN)
    monkeypatch.setenv("BOB_TOKEN", BOB)
    return Bench(tmp_path)


@pytest.fixture
async def client() -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(trust_env=False, timeout=10) as made:
        yield made


@asynccontextmanager
async def served(bench: Bench, text: str, *providers: Told, **given: Any) -> AsyncIterator[tuple[str, Host]]:
    """The URL of what `text` serves."""
    async with bench.told(text, *(providers or (ledger(tools=WHO),)), clock=None, **given) as host:
        section = setup_of(str(bench.folder / "prowess.toml")).serve
        async with fronted(section, server=server_of(Endpoint(host))) as url:
            yield url, host


async def status(client: httpx2.AsyncClient, url: str, name: str = "read", **headers: str) -> int:
    return (await ask(client, url, headers, name=name)).status_code


async def listed(client: httpx2.AsyncClient, url: str, token: str = "") -> list[str]:
    headers: Mapping[str, str] = {"authorization": f"Bearer {token}"} if token else {}
    answer = await ask(client, url, headers, method="tools/list")
    return [each["name"] for each in answer.json()["result"]["tools"]]


@pytest.mark.field("serve.allowed_hosts")
@pytest.mark.parametrize(("text", "expected"), [("", 421), ('allowed_hosts = ["mcp.example.com"]', 200)])
async def test_a_name_is_answered_when_it_is_allowed(
    bench: Bench, client: httpx2.AsyncClient, text: str, expected: int
) -> None:
    async with served(bench, f"[serve]\n{text}") as (url, _):
        assert await status(client, url, host="mcp.example.com") == expected


@pytest.mark.field("serve.allowed_origins")
@pytest.mark.parametrize(("text", "expected"), [("", 403), ('allowed_origins = ["https://a.example"]', 200)])
async def test_a_page_may_ask_when_it_is_allowed(
    bench: Bench, client: httpx2.AsyncClient, text: str, expected: int
) -> None:
    async with served(bench, f"[serve]\n{text}") as (url, _):
        assert await status(client, url, origin="https://a.example") == expected


@pytest.mark.field("serve.body_bytes")
async def test_a_body_has_so_many_bytes_at_most(bench: Bench, client: httpx2.AsyncClient) -> None:
    async with served(bench, "[serve]\nbody_bytes = 3_000") as (url, _):
        assert (await ask(client, url, name="read", more="x" * 3_000)).status_code == 413
        assert await status(client, url) == 200


@pytest.mark.field("serve.request_seconds")
async def test_a_request_has_so_many_seconds_to_arrive(bench: Bench) -> None:
    async with served(bench, "[serve]\nrequest_seconds = 0.2") as (url, _):
        port = httpx2.URL(url).port
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST /mcp HTTP/1.1\r\n")
        assert b" 408 " in await asyncio.wait_for(reader.read(), bound(10))
        writer.close()


@pytest.mark.field("serve.requests_per_minute", "serve.burst")
async def test_a_caller_may_ask_so_often(bench: Bench, client: httpx2.AsyncClient) -> None:
    async with served(bench, "[serve]\nrequests_per_minute = 1\nburst = 2") as (url, _):
        assert [await status(client, url) for _ in range(3)] == [200, 200, 429]


class Waiting:
    """A provider whose tool waits until it is let go."""

    def __init__(self) -> None:
        self.begun, self.go = asyncio.Event(), asyncio.Event()
        self.told = Told("ledger")
        self.told.tool("read")
        self.told.tool("wait", self._wait)

    async def _wait(self, invocation: Invocation) -> Outcome:
        self.begun.set()
        await self.go.wait()
        return Answered(value={"content": []})


@pytest.mark.field("serve.per_caller_concurrency")
async def test_a_caller_may_have_so_much_open(bench: Bench, client: httpx2.AsyncClient) -> None:
    slow = Waiting()
    async with served(bench, "[serve]\nper_caller_concurrency = 1", slow.told) as (url, _):
        asked = asyncio.ensure_future(status(client, url, "wait"))
        await asyncio.wait_for(slow.begun.wait(), bound(10))
        assert await status(client, url) == 429
        slow.go.set()
        await asked
        assert await status(client, url) == 200


@pytest.mark.field("serve.max_connections")
async def test_so_many_connections_are_open_at_once(bench: Bench, client: httpx2.AsyncClient) -> None:
    async with served(bench, "[serve]\nmax_connections = 1") as (url, _):
        _, writer = await asyncio.open_connection("127.0.0.1", httpx2.URL(url).port)
        assert await status(client, url) == 503
        writer.close()


@pytest.mark.field("serve.sessions")
@pytest.mark.parametrize(("text", "kept"), [("", True), ("sessions = false", False)])
async def test_sessions_are_kept_unless_it_says_otherwise(
    bench: Bench, client: httpx2.AsyncClient, text: str, kept: bool
) -> None:
    async with served(bench, f"[serve]\n{text}") as (url, _):
        assert ("mcp-session-id" in (await client.post(url, **HELLO)).headers) is kept
        if not kept:
            assert '"read"' in (await client.post(url, **legacy("tools/list", 2))).text


@pytest.mark.field("serve.max_sessions", "serve.session_idle_seconds")
async def test_so_many_sessions_live_so_long_without_a_request(
    bench: Bench, client: httpx2.AsyncClient
) -> None:
    text = "[serve]\nmax_sessions = 1\nsession_idle_seconds = 0.2"
    async with served(bench, text) as (url, _):
        assert [(await client.post(url, **HELLO)).status_code for _ in range(2)] == [200, 503]
        await asyncio.sleep(0.5)
        assert (await client.post(url, **HELLO)).status_code == 200


@pytest.mark.field("serve.shutdown_seconds")
@pytest.mark.parametrize(("seconds", "answered"), [("0", False), ("9", True)])
async def test_what_is_under_way_has_so_many_seconds_to_end(
    bench: Bench, client: httpx2.AsyncClient, seconds: str, answered: bool
) -> None:
    slow = Waiting()
    async with served(bench, f"[serve]\nshutdown_seconds = {seconds}", slow.told) as (url, _):
        asked = asyncio.ensure_future(status(client, url, "wait"))
        await asyncio.wait_for(slow.begun.wait(), bound(10))
        if answered:
            asyncio.get_running_loop().call_later(0.3, slow.go.set)
        began = time.monotonic()
    (result,) = await asyncio.gather(asked, return_exceptions=True)
    assert (result == 200) is answered
    assert time.monotonic() - began < bound(9)


@pytest.mark.field("serve.tokens.*.token")
async def test_a_kept_token_lets_its_caller_in(bench: Bench, client: httpx2.AsyncClient) -> None:
    async with served(bench, TOKENS) as (url, _):
        assert await status(client, url) == 401
        assert await status(client, url, authorization=ANN) == 200


async def test_a_token_written_out_is_refused(bench: Bench) -> None:
    with pytest.raises(UsageError) as caught:
        async with bench.told(f'[serve.tokens.ann]\ntoken = "{TOKEN}"', ledger()):
            pass
    assert TOKEN not in caught.value.message + caught.value.hint


@pytest.mark.field("serve.tokens.*.principal")
async def test_a_caller_is_recorded_under_the_name_of_its_token_or_its_principal(
    bench: Bench, client: httpx2.AsyncClient
) -> None:
    text = TOKENS + '[serve.tokens.two]\ntoken = { env = "BOB_TOKEN" }\nprincipal = "bob"\n'
    from prowess.call.recording import MemoryRecorder

    records = MemoryRecorder()
    async with served(bench, text, records=records) as (url, _):
        for token in (TOKEN, BOB):
            await status(client, url, authorization=f"Bearer {token}")
    assert [each.principal for each in records.calls] == ["ann", "bob"]


def refused(answer: httpx2.Response) -> bool:
    """Whether a call came to nothing: unknown, or known and not allowed."""
    body = answer.json()
    return "error" in body or bool(body["result"].get("isError"))


@pytest.mark.field("serve.tokens.*.servers", "serve.tokens.*.tools")
async def test_a_caller_sees_and_calls_what_it_may_reach(bench: Bench, client: httpx2.AsyncClient) -> None:
    text = (
        f'{TOKENS}servers = ["books"]\n'
        '[serve.tokens.bob]\ntoken = { env = "BOB_TOKEN" }\ntools = ["rea*"]\n'
    )
    books, shop = ledger("books", tools=WHO), ledger("shop", tools=WHO)
    async with served(bench, text, books, shop) as (url, _):
        assert await listed(client, url, TOKEN) == ["books__read", "books__write"]
        assert await listed(client, url, BOB) == ["books__read", "shop__read"]
        for token, name, word in (
            (TOKEN, "books__write", False),
            (TOKEN, "shop__read", True),
            (BOB, "shop__read", False),
            (BOB, "shop__write", True),
        ):
            answer = await ask(client, url, {"authorization": f"Bearer {token}"}, name=name)
            assert refused(answer) is word, (token, name)


@asynccontextmanager
async def a_run_that_asks(bench: Bench, text: str, principal: str) -> AsyncIterator[tuple[str, str]]:
    """The URL of an API, and a run of the workflow `pay_now` that waits; nobody works on it."""
    (bench.folder / "workflows").mkdir()
    definition = "name: pay_now\nsteps: [{id: pay, skill: greet, params: {name: Kim}, approve: 'Pay?'}]\n"
    (bench.folder / "workflows" / "pay_now.yaml").write_text(definition)
    (bench.folder / "tools.py").write_text(GREET)
    (bench.folder / "prowess.toml").write_text(
        '[units]\npaths = ["."]\n[workflows]\npaths = ["workflows"]\nsqlite = "runs.sqlite3"\nwork = false\n'
        + text
    )
    async with Host.open(bench.folder, store=bench.store) as host:
        provider = host.workflows
        assert provider is not None
        made = await provider.start(provider.workflows[0], {}, caller=Caller(principal=principal))
        owned = await provider.database.run(lambda rows: runs.claim(rows, made.run, 1, "here", "here/1"))
        assert owned is not None
        asked = {"text": "Pay?"}
        await provider.database.run(
            lambda rows: runs.begin(rows, owned, "pay?approve", "approval", "waiting", asked)
        )
        section = setup_of(str(bench.folder / "prowess.toml")).serve
        async with fronted(section, server=server_of(Endpoint(host)), api=api_app(host)) as url:
            yield url.removesuffix("/mcp"), made.run


@pytest.mark.field("serve.tokens.*.approves")
@pytest.mark.parametrize(("approves", "expected"), [("", 403), ('approves = ["pay_*"]', 200)])
async def test_a_caller_decides_on_runs_that_are_named(
    bench: Bench, client: httpx2.AsyncClient, approves: str, expected: int
) -> None:
    async with a_run_that_asks(bench, f"{TOKENS}{approves}\n", "ann") as (url, run):
        answer = await client.post(f"{url}/runs/{run}/approve", json={}, headers={"authorization": ANN})
        assert answer.status_code == expected


@pytest.mark.field("serve.oauth.approves")
@pytest.mark.parametrize(("approves", "expected"), [("", 404), ('approves = ["pay_*"]', 200)])
async def test_callers_of_an_issuer_decide_on_runs_that_are_named(
    bench: Bench, client: httpx2.AsyncClient, approves: str, expected: int
) -> None:
    async with Issuer().serving() as issuer:
        table = f'[serve.oauth]\nissuer = "{issuer.url}"\naudience = "{AUDIENCE}"\n{approves}\n'
        async with a_run_that_asks(bench, table, "somebody") as (url, run):
            bearer = {"authorization": f"Bearer {issuer.token()}"}
            answer = await client.post(f"{url}/runs/{run}/approve", json={}, headers=bearer)
            assert answer.status_code == expected


@pytest.mark.field("serve.tokens.*.expires")
@pytest.mark.parametrize(("when", "expected"), [("2020-01-01T00:00:00Z", 401), ("2999-01-01T00:00:00Z", 200)])
async def test_a_token_holds_until_it_expires(
    bench: Bench, client: httpx2.AsyncClient, when: str, expected: int
) -> None:
    async with served(bench, f"{TOKENS}expires = {when}") as (url, _):
        assert await status(client, url, authorization=ANN) == expected


@asynccontextmanager
async def issued(bench: Bench, text: str = "", *providers: Told) -> AsyncIterator[tuple[Issuer, str]]:
    """An issuer, and the URL of an endpoint that takes its tokens."""
    async with Issuer().serving() as issuer:
        table = f'[serve.oauth]\nissuer = "{issuer.url}"\naudience = "{AUDIENCE}"\n{text}'
        async with served(bench, table, *providers) as (url, _):
            yield issuer, url


async def shown(client: httpx2.AsyncClient, url: str, token: str) -> int:
    return await status(client, url, authorization=f"Bearer {token}")


@pytest.mark.field("serve.oauth.issuer", "serve.oauth.audience")
async def test_a_token_of_the_issuer_for_the_audience_lets_in(
    bench: Bench, client: httpx2.AsyncClient
) -> None:
    async with issued(bench) as (issuer, url):
        assert await shown(client, url, issuer.token()) == 200
        assert await shown(client, url, issuer.token(aud="other")) == 401
        assert await shown(client, url, issuer.token(iss="https://other.example.com")) == 401


@pytest.mark.field("serve.oauth.resource")
async def test_the_resource_is_what_clients_are_told(bench: Bench, client: httpx2.AsyncClient) -> None:
    async with issued(bench, 'resource = "https://other.example.com/a/mcp"') as (_, url):
        challenge = (await ask(client, url)).headers["www-authenticate"]
        assert "https://other.example.com/.well-known/oauth-protected-resource/a/mcp" in challenge
        place = url.removesuffix("/mcp") + "/.well-known/oauth-protected-resource"
        assert (await client.get(place)).json()["resource"] == "https://other.example.com/a/mcp"


@pytest.mark.field("serve.oauth.jwks_uri")
async def test_the_keys_may_be_at_a_place_that_is_said(bench: Bench, client: httpx2.AsyncClient) -> None:
    async with Issuer().serving() as keys:
        table = (
            f'[serve.oauth]\nissuer = "https://issuer.example.com"\naudience = "{AUDIENCE}"\n'
            f'jwks_uri = "{keys.url}/keys"\n'
        )
        async with served(bench, table) as (url, _):
            assert await shown(client, url, keys.token(iss="https://issuer.example.com")) == 200
        assert keys.asked == ["/keys"]


@pytest.mark.field("serve.oauth.required_scopes")
async def test_a_token_needs_the_scopes_that_are_required(bench: Bench, client: httpx2.AsyncClient) -> None:
    async with issued(bench, 'required_scopes = ["tools"]') as (issuer, url):
        assert await shown(client, url, issuer.token()) == 403
        assert await shown(client, url, issuer.token(scope="tools")) == 200


@pytest.mark.field("serve.oauth.algorithms")
async def test_a_token_is_signed_in_a_way_that_is_accepted(bench: Bench, client: httpx2.AsyncClient) -> None:
    async with issued(bench, 'algorithms = ["PS256"]') as (issuer, url):
        issuer.keys = [jwk("RS256", "one")]  # of the same type
        assert await shown(client, url, issuer.token("RS256")) == 401
        assert await shown(client, url, issuer.token("PS256")) == 200


@pytest.mark.field("serve.oauth.principal_claim", "serve.oauth.servers", "serve.oauth.tools")
async def test_callers_of_an_issuer_are_named_by_a_claim_and_reach_what_is_said(
    bench: Bench, client: httpx2.AsyncClient
) -> None:
    text = 'principal_claim = "client_id"\nservers = ["books"]\ntools = ["read"]'
    async with issued(bench, text, ledger("books", tools=WHO), ledger("shop", tools=WHO)) as (issuer, url):
        assert await shown(client, url, issuer.token()) == 401
        token = issuer.token(client_id="robot")
        assert await listed(client, url, token) == ["books__read"]


@pytest.mark.field("serve.oauth.skew_seconds")
@pytest.mark.parametrize(("seconds", "expected"), [("0", 401), ("60", 200)])
async def test_clocks_may_differ_by_so_much(
    bench: Bench, client: httpx2.AsyncClient, seconds: str, expected: int
) -> None:
    async with issued(bench, f"skew_seconds = {seconds}") as (issuer, url):
        assert await shown(client, url, issuer.token(exp=int(time.time()) - 20)) == expected


# -- [store]


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    binaries = programs()
    if binaries is None:
        pytest.skip("needs the server programs of PostgreSQL (initdb, pg_ctl)")
    with running(binaries) as server:
        yield server


@pytest.mark.field("store.postgres", "store.name")
async def test_what_is_remembered_is_kept_in_the_shared_store_under_its_name(
    bench: Bench, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    psycopg = pytest.importorskip("psycopg")
    monkeypatch.setenv("SHARED_URL", postgres.url)
    text = '[store]\npostgres = { env = "SHARED_URL" }\nname = "team"\n[policy]\ndefault = "ask"'
    async with bench.told(text, ledger(tools=WHO), store=None, clock=None) as host:
        await host.call("write")
    with psycopg.connect(postgres.url) as connection:
        pins = connection.execute("SELECT scope, tool FROM prowess_pins ORDER BY tool").fetchall()
        assert pins == [("team", "write")]
        assert connection.execute("SELECT tool FROM prowess_approvals").fetchall() == [("write",)]
        assert connection.execute("SELECT tool FROM prowess_calls").fetchall() == [("write",)]
