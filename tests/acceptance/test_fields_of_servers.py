"""`[plugins]`, `[servers]` and `[credentials]`, through a Host opened from a file: each field acts.

What a server was given is what reached it: the headers that the web server saw, the environment
that the stdio server answers with.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import keyring
import pytest
from tests.acceptance.configured import Bench, Moved, ledger
from tests.acceptance.packages import entry, plugin
from tests.acceptance.servers.web_faults import Web, serving
from tests.credentials.test_reading import Ring
from tests.credentials.token_endpoint import CLIENT, CLIENT_SECRET, FIRST_REFRESH, Endpoint
from tests.credentials.token_endpoint import serving as endpoint_serving

from prowess.errors import UsageError
from prowess.host import Host
from prowess.provider import Answered

pytestmark = pytest.mark.anyio

TOKEN, OTHER = "tok-4f9a77c1e0b2", "tok-8c21d5e6f7a9"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def web() -> Iterator[Web]:
    with serving() as running:
        yield running


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with endpoint_serving() as running:
        yield running


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The same token in an environment variable, a private file and a keyring."""
    monkeypatch.setenv("LEDGER_TOKEN", TOKEN)
    monkeypatch.setenv("OTHER_TOKEN", OTHER)
    monkeypatch.setenv("CLIENT_SECRET", CLIENT_SECRET)
    monkeypatch.setenv("REFRESH_TOKEN", FIRST_REFRESH)
    file = tmp_path / "token"
    file.write_text(TOKEN)
    file.chmod(0o600)
    before, ring = keyring.get_keyring(), Ring()
    ring.set_password("ledger", "me", TOKEN)
    keyring.set_keyring(ring)
    yield
    keyring.set_keyring(before)


def remote(web: Web) -> dict[str, Any]:
    return {"ledger": {"type": "streamable-http", "url": web.url}}


async def headers(bench: Bench, web: Web, text: str) -> dict[str, str]:
    """What came with the call."""
    async with bench.real(text, remote(web)) as host:
        assert isinstance(await host.call("write"), Answered)
    return web.headers[-1]


async def environment(bench: Bench, text: str) -> tuple[str, str]:
    """FAULTS_TOKEN as the server answers it, and the digest of what it really has."""
    async with bench.real(text, {"ledger": entry()}) as host:
        outcome = await host.call("write", {"do": "environment"})
    assert isinstance(outcome, Answered)
    return outcome.value["token"], outcome.value["sha256"]


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def pool(*tokens: str, more: str = "") -> str:
    """A credential `c` with these tokens, for the server."""
    tables = "".join(f"[[credentials.c.tokens]]\n{each}\n" for each in tokens)
    return f'[servers."books/ledger"]\ncredential = "c"\n[credentials.c]\n{more}\n{tables}'


@pytest.mark.field("format")
async def test_a_newer_format_is_not_read(bench: Bench) -> None:
    file = bench.write("")
    file.write_text(file.read_text().replace("format = 1", "format = 2"))
    with pytest.raises(UsageError):
        async with Host.open(file):
            raise AssertionError("it never opens")


@pytest.mark.field("plugins.*")
async def test_plugins_are_all_in_one_host_under_their_labels(bench: Bench) -> None:
    file = bench.write("", {"ledger": entry()})
    plugin(bench.folder / "more", {"ledger": entry(FAULTS_DESCRIPTION="Another.")}, name="sample")
    file.write_text('[plugins]\nbooks = "books"\nb = "more"\n')
    async with Host.open(file) as host:
        assert [(each.id, each.status) for each in host.offers] == [
            ("b/ledger", "connected"),
            ("books/ledger", "connected"),
        ]
        assert isinstance(await host.call("b/ledger/write"), Answered)
        assert [each.id for each in host.snapshot("b").servers] == ["b/ledger"]
        assert {tool.server for tool in host.snapshot("b").tools} == {"b/ledger"}
        names = [each["name"] for each in await host.tools("anthropic", read_on=False)]
        assert len(set(names)) == 8
        assert host.activate("b/greet").name == "b/greet"


async def test_a_rejected_plugin_keeps_no_other_away_and_its_sections_are_no_mistake(bench: Bench) -> None:
    file = bench.write("", {"ledger": entry()})
    broken = plugin(bench.folder / "more", {}) / "plugin.json"
    broken.write_text("{}")
    file.write_text('[plugins]\nbooks = "books"\nb = "more"\n[servers."b/ledger"]\ntimeout = 3\n')
    async with Host.open(file) as host:
        assert list(host.rejected) == ["b"]
        assert isinstance(await host.call("books/ledger/write"), Answered)
        names = [each["name"] for each in await host.tools("anthropic", read_on=False)]
    assert "write" not in names, "names do not depend on which plugins load today"


@pytest.mark.field("servers.*.credential", "credentials.*.tokens.env")
async def test_a_credential_is_the_bearer_token_of_a_server(bench: Bench, web: Web) -> None:
    assert (await headers(bench, web, pool('env = "LEDGER_TOKEN"')))["authorization"] == f"Bearer {TOKEN}"


@pytest.mark.parametrize(
    "place",
    [
        pytest.param('file = "token"', marks=pytest.mark.field("credentials.*.tokens.file")),
        pytest.param('keyring = "ledger/me"', marks=pytest.mark.field("credentials.*.tokens.keyring")),
    ],
)
async def test_a_token_is_read_from_where_it_is_kept(bench: Bench, web: Web, place: str) -> None:
    assert (await headers(bench, web, pool(place)))["authorization"] == f"Bearer {TOKEN}"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param('value = "north"', "north", marks=pytest.mark.field("servers.*.headers.*.value")),
        pytest.param('env = "LEDGER_TOKEN"', TOKEN, marks=pytest.mark.field("servers.*.headers.*.env")),
        pytest.param('file = "token"', TOKEN, marks=pytest.mark.field("servers.*.headers.*.file")),
        pytest.param('keyring = "ledger/me"', TOKEN, marks=pytest.mark.field("servers.*.headers.*.keyring")),
        pytest.param('credential = "c"', OTHER, marks=pytest.mark.field("servers.*.headers.*.credential")),
        pytest.param(
            'env = "LEDGER_TOKEN", prefix = "Key "',
            f"Key {TOKEN}",
            marks=pytest.mark.field("servers.*.headers.*.prefix"),
        ),
    ],
)
async def test_a_header_goes_with_every_request(bench: Bench, web: Web, given: str, expected: str) -> None:
    text = f'[servers."books/ledger".headers]\nX-Given = {{ {given} }}\n'
    seen = await headers(bench, web, f'{text}[[credentials.c.tokens]]\nenv = "OTHER_TOKEN"\n')
    assert seen["x-given"] == expected
    assert all(each.get("x-given") == expected for each in web.headers)


@pytest.mark.parametrize(
    ("given", "has", "shown"),
    [
        pytest.param('value = "north"', "north", "north", marks=pytest.mark.field("servers.*.env.*.value")),
        pytest.param('env = "LEDGER_TOKEN"', TOKEN, "***", marks=pytest.mark.field("servers.*.env.*.env")),
        pytest.param('file = "token"', TOKEN, "***", marks=pytest.mark.field("servers.*.env.*.file")),
        pytest.param(
            'keyring = "ledger/me"', TOKEN, "***", marks=pytest.mark.field("servers.*.env.*.keyring")
        ),
        pytest.param('credential = "c"', OTHER, "***", marks=pytest.mark.field("servers.*.env.*.credential")),
        pytest.param(
            'file = "token", prefix = "Key "',
            f"Key {TOKEN}",
            "Key ***",
            marks=pytest.mark.field("servers.*.env.*.prefix"),
        ),
    ],
)
async def test_a_server_starts_with_a_variable_and_never_tells_what_is_secret_in_it(
    bench: Bench, given: str, has: str, shown: str
) -> None:
    text = f'[servers."books/ledger".env]\nFAULTS_TOKEN = {{ {given} }}\n'
    found = await environment(bench, f'{text}[[credentials.c.tokens]]\nenv = "OTHER_TOKEN"\n')
    assert found == (shown, sha256(has))


@pytest.mark.field("servers.*.timeout")
async def test_a_server_has_so_long_to_come_up(bench: Bench) -> None:
    mute = {"type": "stdio", "command": "python3", "args": ["-c", "import sys; sys.stdin.read()"]}
    began = time.monotonic()
    async with bench.real('[servers."books/ledger"]\ntimeout = 0.3', {"ledger": mute}) as host:
        assert host.offers[0].status == "timed-out"
    assert time.monotonic() - began < 15


async def test_a_section_for_no_server_is_a_mistake(bench: Bench) -> None:
    with pytest.raises(UsageError):
        async with bench.told('[servers."books/ledgr"]\ntimeout = 3', ledger()):
            raise AssertionError("it never opens")


# -- grants ----------------------------------------------------------------------------------------


def grant(endpoint: Endpoint, more: str = "", kind: str = "client-credentials") -> str:
    secret = 'client_secret = { env = "CLIENT_SECRET" }'
    if kind == "refresh-token":
        secret += '\nrefresh_token = { env = "REFRESH_TOKEN" }'
    return f'grant = "{kind}"\ntoken_url = "{endpoint.url}"\nclient_id = "{CLIENT}"\n{secret}\n{more}'


@pytest.mark.field(
    "credentials.*.tokens.grant",
    "credentials.*.tokens.token_url",
    "credentials.*.tokens.client_id",
    "credentials.*.tokens.client_secret",
)
async def test_a_token_is_obtained_with_the_clients_own_credentials(
    bench: Bench, web: Web, endpoint: Endpoint
) -> None:
    seen = await headers(bench, web, pool(grant(endpoint)))
    assert seen["authorization"].startswith("Bearer at-1-")
    (asked,) = endpoint.requests
    assert asked[1]["grant_type"] == "client_credentials"


@pytest.mark.field("credentials.*.tokens.refresh_token")
async def test_a_token_is_obtained_with_a_refresh_token(bench: Bench, web: Web, endpoint: Endpoint) -> None:
    seen = await headers(bench, web, pool(grant(endpoint, kind="refresh-token")))
    assert seen["authorization"].startswith("Bearer at-1-")
    assert endpoint.requests[0][1]["refresh_token"] == FIRST_REFRESH


@pytest.mark.field("credentials.*.tokens.client_auth")
@pytest.mark.parametrize(("way", "in_form"), [("basic", False), ("post", True)])
async def test_a_client_names_itself_as_it_is_told(
    bench: Bench, web: Web, endpoint: Endpoint, way: str, in_form: bool
) -> None:
    await headers(bench, web, pool(grant(endpoint, f'client_auth = "{way}"')))
    sent, form = endpoint.requests[0]
    assert ("client_secret" in form) is in_form
    assert any(name.lower() == "authorization" for name in sent) is not in_form


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("scope", "read write", marks=pytest.mark.field("credentials.*.tokens.scope")),
        pytest.param(
            "resource", "https://ledger.example/", marks=pytest.mark.field("credentials.*.tokens.resource")
        ),
        pytest.param("audience", "ledger", marks=pytest.mark.field("credentials.*.tokens.audience")),
    ],
)
async def test_a_token_is_asked_for_with_what_it_is_for(
    bench: Bench, web: Web, endpoint: Endpoint, name: str, value: str
) -> None:
    await headers(bench, web, pool(grant(endpoint, f'{name} = "{value}"')))
    assert endpoint.requests[0][1][name] == value


@pytest.mark.field("credentials.*.skew_seconds")
@pytest.mark.parametrize(("skew", "obtained"), [(60, 1), (100, 2)])
async def test_a_token_is_replaced_so_long_before_it_expires(
    bench: Bench, web: Web, endpoint: Endpoint, skew: int, obtained: int
) -> None:
    endpoint.lifetime = 1_000
    clock = Moved()
    text = pool(grant(endpoint), more=f"skew_seconds = {skew}")
    async with bench.real(text, remote(web), clock=clock) as host:
        clock.by = 920
        assert isinstance(await host.call("write"), Answered)
    assert len(endpoint.requests) == obtained


@pytest.mark.field("credentials.*.use")
@pytest.mark.parametrize(("use", "tokens"), [("failover", 1), ("round-robin", 2)])
async def test_tokens_take_turns_or_stand_in_for_each_other(
    bench: Bench, web: Web, use: str, tokens: int
) -> None:
    text = pool('env = "LEDGER_TOKEN"', 'env = "OTHER_TOKEN"', more=f'use = "{use}"')
    async with bench.real(text, remote(web)) as host:
        for _ in range(4):
            assert isinstance(await host.call("write"), Answered)
    assert len({each["authorization"] for each in web.headers}) == tokens


@pytest.mark.field("credentials.*.rest_seconds")
async def test_a_token_that_was_turned_away_rests_for_so_long(bench: Bench, web: Web) -> None:
    clock = Moved()
    text = pool('env = "LEDGER_TOKEN"', 'env = "OTHER_TOKEN"', more="rest_seconds = 500")
    async with bench.real(text, remote(web), clock=clock) as host:
        seen = []
        for web.refuse, later in (([f"Bearer {TOKEN}"], 0), ([], 400), ([], 600)):
            clock.by = later
            assert isinstance(await host.call("write"), Answered)
            seen.append(web.headers[-1]["authorization"])
    assert seen == [f"Bearer {OTHER}", f"Bearer {OTHER}", f"Bearer {TOKEN}"]


def files_with(token: str, *places: Path) -> tuple[int, list[Path]]:
    """How many files there are at and below these places, and which of them hold the token."""
    files = [each for place in places for each in (place, *place.rglob("*")) if each.is_file()]
    return len(files), [each for each in files if token.encode() in each.read_bytes()]


async def test_no_token_is_anywhere_but_where_it_was_kept(bench: Bench, web: Web, home: Path) -> None:
    text = pool('env = "LEDGER_TOKEN"') + '[log]\nto = "calls.log"\n'
    async with bench.real(text, remote(web)) as host:
        await host.call("write", {"do": f"echo {TOKEN}"})
        await host.call("write", {"wrong": TOKEN})
        await host.call("destroy", {"do": TOKEN})
    number, found = files_with(TOKEN, home, bench.folder / "calls.log")
    assert number >= 3
    assert found == []
