"""What is written into `prowess.toml` for credentials and servers is what servers are given.

`tests/acceptance` sees to it that no field is left out.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import keyring
import pytest
from tests.credentials.test_reading import Ring
from tests.credentials.token_endpoint import CLIENT, CLIENT_SECRET, FIRST_REFRESH, Endpoint, Now, serving

from prowess.credentials import Credentials, Injection, Injector, MemoryBindings, MemoryVault
from prowess.errors import CredentialFailed, UsageError
from prowess.host.config import load_config
from prowess.spec.model import HttpServer, StdioServer

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, 10))


HTTP = HttpServer(id="s", type="streamable-http", url="https://api.example/mcp")
STDIO = StdioServer(id="s", command="node")
TOKEN = "tok-4f9a77c1e0"


class Bench:
    """Reads a configuration of one plugin `p` with one server `s`, and asks for what it is given."""

    def __init__(self, folder: Path, endpoint: Endpoint) -> None:
        self.folder, self.endpoint, self.now = folder, endpoint, Now()

    def injector(self, text: str, server: HttpServer | StdioServer = HTTP) -> Injector:
        (self.folder / "prowess.toml").write_text(f"format = 1\n{text}\n[plugins]\np = 'p'\n")
        config = load_config(str(self.folder / "prowess.toml"))
        credentials = Credentials(
            config.credentials, vault=MemoryVault(), bindings=MemoryBindings(), now=self.now
        )
        return credentials.injector("p/s", config.servers["p/s"], server, plugin="/p")

    def given(self, text: str, server: HttpServer | StdioServer = HTTP) -> Injection:
        return run(self.injector(text, server).current())

    def authorization(self, token: str) -> str:
        """The header that comes of one token of a pool."""
        text = f"[servers.'p/s']\ncredential = 'c'\n[[credentials.c.tokens]]\n{token}"
        return self.given(text).headers["Authorization"]

    def granted(self, more: str = "", grant: str = "client-credentials") -> dict[str, str]:
        """What reaches the token endpoint when one is asked for, and the answer is used."""
        token = f"grant = '{grant}'\ntoken_url = '{self.endpoint.url}'\nclient_id = '{CLIENT}'\n{more}"
        assert self.authorization(token) == f"Bearer {self.endpoint.token}"
        return self.endpoint.requests[-1][1]


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.setenv("A_TOKEN", TOKEN)
    monkeypatch.setenv("B_TOKEN", "tok-second-2")
    monkeypatch.setenv("CLIENT_SECRET", CLIENT_SECRET)
    monkeypatch.setenv("REFRESH_TOKEN", FIRST_REFRESH)
    handle = os.open(tmp_path / "secret", os.O_CREAT | os.O_WRONLY, 0o600)
    os.write(handle, b"tok-of-the-file\n")
    os.close(handle)
    before, ring = keyring.get_keyring(), Ring()
    ring.set_password("svc", "me", "tok-of-the-ring")
    keyring.set_keyring(ring)
    with serving() as endpoint:
        yield Bench(tmp_path, endpoint)
    keyring.set_keyring(before)


SECRET = "client_secret = { env = 'CLIENT_SECRET' }\n"
REFRESH = "refresh_token = { env = 'REFRESH_TOKEN' }\n"


@pytest.mark.field("format")
def test_format_is_the_one_that_this_program_reads(tmp_path: Path) -> None:
    file = tmp_path / "prowess.toml"
    file.write_text("format = 1")
    load_config(str(file))
    file.write_text("format = 2")
    with pytest.raises(UsageError):
        load_config(str(file))


# -- credentials


@pytest.mark.field("credentials.*.tokens.env", "credentials.*.tokens.file", "credentials.*.tokens.keyring")
@pytest.mark.parametrize(
    ("token", "value"),
    [
        ("env = 'A_TOKEN'", TOKEN),
        ("file = 'secret'", "tok-of-the-file"),
        ("keyring = 'svc/me'", "tok-of-the-ring"),
    ],
)
def test_a_token_is_taken_from_where_the_file_says(bench: Bench, token: str, value: str) -> None:
    assert bench.authorization(token) == f"Bearer {value}"


@pytest.mark.field(
    "credentials.*.tokens.grant",
    "credentials.*.tokens.token_url",
    "credentials.*.tokens.client_id",
    "credentials.*.tokens.client_secret",
    "credentials.*.tokens.refresh_token",
)
def test_a_token_is_obtained_by_the_grant_that_the_file_names(bench: Bench) -> None:
    assert bench.granted(SECRET)["grant_type"] == "client_credentials"
    form = bench.granted(REFRESH, "refresh-token")
    assert (form["grant_type"], form["refresh_token"]) == ("refresh_token", FIRST_REFRESH)


@pytest.mark.field("credentials.*.tokens.client_auth")
def test_client_auth_says_how_the_client_names_itself(bench: Bench) -> None:
    assert "client_secret" not in bench.granted(SECRET)
    assert bench.granted(SECRET + "client_auth = 'post'")["client_secret"] == CLIENT_SECRET


@pytest.mark.field(
    "credentials.*.tokens.scope", "credentials.*.tokens.resource", "credentials.*.tokens.audience"
)
@pytest.mark.parametrize("name", ["scope", "resource", "audience"])
def test_what_the_token_is_for_is_sent_along(bench: Bench, name: str) -> None:
    assert name not in bench.granted(SECRET)
    assert bench.granted(SECRET + f"{name} = 'https://api.example'")[name] == "https://api.example"


POOL = (
    "[servers.'p/s']\ncredential = 'c'\n"
    "[credentials.c]\ntokens = [{ env = 'A_TOKEN' }, { env = 'B_TOKEN' }]\n"
)


@pytest.mark.field("credentials.*.use")
@pytest.mark.parametrize(("use", "count"), [("failover", 1), ("round-robin", 2)])
def test_use_says_which_token_of_the_pool_is_next(bench: Bench, use: str, count: int) -> None:
    injector = bench.injector(POOL + f"use = '{use}'")

    async def four() -> set[str]:
        return {(await injector.current()).headers["Authorization"] for _ in range(4)}

    assert len(run(four())) == count


@pytest.mark.field("credentials.*.rest_seconds")
def test_rest_seconds_is_how_long_a_token_over_its_rate_rests(bench: Bench) -> None:
    injector = bench.injector(POOL + "rest_seconds = 5")

    async def story() -> list[str]:
        seen = [await injector.current()]
        await injector.exhausted(seen[0], None)
        bench.now.passes(4)
        seen.append(await injector.current())
        bench.now.passes(2)
        seen.append(await injector.current())
        return [each.headers["Authorization"].removeprefix("Bearer ") for each in seen]

    assert run(story()) == [TOKEN, "tok-second-2", TOKEN]


@pytest.mark.field("credentials.*.skew_seconds")
def test_skew_seconds_is_how_long_before_its_end_a_token_is_replaced(bench: Bench) -> None:
    text = (
        "[servers.'p/s']\ncredential = 'c'\n[credentials.c]\nskew_seconds = 600\n[[credentials.c.tokens]]\n"
        f"grant = 'client-credentials'\ntoken_url = '{bench.endpoint.url}'\nclient_id = '{CLIENT}'\n{SECRET}"
    )
    injector = bench.injector(text)

    async def story() -> list[int]:
        counts = []
        for seconds in (0, 2_999, 2):  # of 3600
            bench.now.passes(seconds)
            await injector.current()
            counts.append(bench.endpoint.count)
        return counts

    assert run(story()) == [1, 1, 2]


# -- servers


@pytest.mark.field("servers.*.credential")
def test_credential_is_a_bearer_token_in_the_authorization_header(bench: Bench) -> None:
    given = bench.given("[servers.'p/s']\ncredential = 'c'\n[credentials.c]\ntokens = [{ env = 'A_TOKEN' }]")
    assert (given.headers, given.secrets) == ({"Authorization": f"Bearer {TOKEN}"}, (TOKEN,))


@pytest.mark.field(
    "servers.*.env.*.value",
    "servers.*.env.*.env",
    "servers.*.env.*.file",
    "servers.*.env.*.keyring",
    "servers.*.env.*.credential",
    "servers.*.env.*.prefix",
    "servers.*.headers.*.value",
    "servers.*.headers.*.env",
    "servers.*.headers.*.file",
    "servers.*.headers.*.keyring",
    "servers.*.headers.*.credential",
    "servers.*.headers.*.prefix",
)
@pytest.mark.parametrize("kind", ["env", "headers"])
@pytest.mark.parametrize(
    ("written", "value", "secret"),
    [
        ("'fast'", "fast", None),
        ("{ value = 'fast' }", "fast", None),
        ("{ env = 'A_TOKEN' }", TOKEN, TOKEN),
        ("{ file = 'secret' }", "tok-of-the-file", "tok-of-the-file"),
        ("{ keyring = 'svc/me' }", "tok-of-the-ring", "tok-of-the-ring"),
        ("{ credential = 'c' }", "tok-second-2", "tok-second-2"),
        ("{ credential = 'c', prefix = 'Key ' }", "Key tok-second-2", "tok-second-2"),
    ],
)
def test_a_variable_or_header_is_given_what_the_file_says(
    bench: Bench, kind: str, written: str, value: str, secret: str | None
) -> None:
    text = f"[servers.'p/s'.{kind}]\nNAME = {written}\n[credentials.c]\ntokens = [{{ env = 'B_TOKEN' }}]"
    given = bench.given(text, HTTP if kind == "headers" else STDIO)
    assert getattr(given, kind) == {"NAME": value}
    assert given.secrets == (() if secret is None else (secret,))


def test_a_secret_that_is_not_there_is_told_by_its_place(bench: Bench) -> None:
    with pytest.raises(CredentialFailed) as caught:
        bench.authorization("file = 'absent'")
    assert str(bench.folder / "absent") in caught.value.message
