"""The token store on disk: private, atomic, one refresh across processes."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from tests.credentials.token_endpoint import CLIENT, CLIENT_SECRET, FIRST_REFRESH, Endpoint

from prowess.credentials import FileVault, MemoryVault, Vault
from prowess.credentials.token import Registration, Token
from prowess.errors import Unreadable
from prowess.store.file_lock import locked

pytestmark = pytest.mark.anyio

TOKEN = Token(value="at-5", renew=10.0, expires=20.5, refresh="rt-5", seed="5eed")


@pytest.fixture(params=["memory", "file"])
def vault(request: pytest.FixtureRequest, tmp_path: Path) -> Vault:
    return MemoryVault() if request.param == "memory" else FileVault(str(tmp_path / "vault"))


async def test_a_vault_gives_back_what_was_put_last(vault: Vault) -> None:
    assert vault.get("k") is None
    vault.put("k", Token(value="old"))
    vault.put("k", TOKEN)
    vault.put("other", Token(value="x"))
    assert vault.get("k") == TOKEN


async def test_what_is_dropped_is_kept_no_more(vault: Vault) -> None:
    vault.put("k", TOKEN)
    for _ in range(2):
        vault.drop("k")
        assert vault.get("k") is None


async def test_the_lock_of_a_key_lets_one_in_at_a_time_and_leaves_other_keys_alone(vault: Vault) -> None:
    inside, most = 0, 0

    async def enter() -> None:
        nonlocal inside, most
        async with vault.lock("k"):
            inside += 1
            most = max(most, inside)
            async with vault.lock("other"):
                await asyncio.sleep(0)
            inside -= 1

    async with asyncio.timeout(10):
        await asyncio.gather(*(enter() for _ in range(5)))
    assert most == 1


async def test_tokens_are_kept_in_files_that_only_their_owner_can_open(tmp_path: Path, home: Path) -> None:
    old = os.umask(0)
    try:
        vault = FileVault()
        async with vault.lock("k"):
            vault.put("k", TOKEN)
    finally:
        os.umask(old)
    folder = home / "data" / "prowess" / "credentials"
    assert {each.name for each in folder.iterdir()} == {"k.json", "k.lock"}
    assert {stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


FORMAT_1 = {"format": 1, "token": {"value": "a", "renew": None, "expires": 2, "refresh": "", "seed": ""}}


KNOWN = {
    "issuer": "https://a.example",
    "token_url": "https://a.example/token",
    "client_id": "c",
    "client_auth": "post",
    "client_secret": "",
    "resource": "https://a.example/mcp",
}
FORMAT_2 = {"format": 2, "token": {**FORMAT_1["token"], "client": KNOWN}}  # type: ignore[dict-item]
NOW_KNOWN = {**KNOWN, "revoke_url": "https://a.example/revoke"}
FORMAT_3 = {
    "format": 3,
    "token": {**FORMAT_1["token"], "client": NOW_KNOWN, "scope": "r", "asked": "r w"},  # type: ignore[dict-item]
}


def test_format_3_is_read_and_written(tmp_path: Path) -> None:
    (tmp_path / "k.json").write_text(json.dumps(FORMAT_3))
    vault = FileVault(str(tmp_path))
    token = vault.get("k")
    client = Registration(**NOW_KNOWN)  # type: ignore[arg-type]
    assert token == Token(value="a", expires=2, client=client, scope="r", asked="r w")
    vault.put("k", token)
    assert json.loads((tmp_path / "k.json").read_text()) == FORMAT_3


def test_format_2_is_read(tmp_path: Path) -> None:
    (tmp_path / "k.json").write_text(json.dumps(FORMAT_2))
    token = FileVault(str(tmp_path)).get("k")
    assert token == Token(value="a", expires=2, client=Registration(**KNOWN))  # type: ignore[arg-type]


def test_format_1_is_read(tmp_path: Path) -> None:
    (tmp_path / "k.json").write_text(json.dumps(FORMAT_1))
    assert FileVault(str(tmp_path)).get("k") == Token(value="a", expires=2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"format": 0}',
        '{"format": true}',
        '{"format": "1"}',
        '{"format": 1}',
        '{"format": 1, "token": {"value": "a"}}',
        json.dumps({**FORMAT_1, "token": {**FORMAT_1["token"], "expires": "2"}}),  # type: ignore[dict-item]
        json.dumps({**FORMAT_1, "token": {**FORMAT_1["token"], "value": ""}}),  # type: ignore[dict-item]
        json.dumps({**FORMAT_1, "format": 2}),
        json.dumps({**FORMAT_2, "format": 3}),
        json.dumps({**FORMAT_3, "format": 4}),
        json.dumps({**FORMAT_3, "format": 2}),
        json.dumps({"format": 2, "token": {**FORMAT_1["token"], "client": {}}}),  # type: ignore[dict-item]
        json.dumps({"format": 2, "token": {**FORMAT_1["token"], "client": {**KNOWN, "client_auth": "x"}}}),  # type: ignore[dict-item]
    ],
)
def test_a_damaged_file_or_one_of_a_newer_program_is_an_error_and_is_left_alone(
    text: str, tmp_path: Path
) -> None:
    (tmp_path / "k.json").write_text(text)
    with pytest.raises(Unreadable):
        FileVault(str(tmp_path)).get("k")
    assert (tmp_path / "k.json").read_text() == text


async def test_a_lock_that_is_not_let_go_of_times_out(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    async with locked(path, 5):
        with pytest.raises(TimeoutError):
            async with locked(path, 0.05):
                raise AssertionError("entered twice")
    async with locked(path, 5):
        pass


async def test_a_lock_dies_with_its_holder(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    code = (
        "import asyncio, sys\nfrom prowess.store.file_lock import locked\n"
        "async def main():\n    async with locked(sys.argv[1], 5):\n"
        "        print('held', flush=True)\n        await asyncio.sleep(60)\n"
        "asyncio.run(main())"
    )
    holder = subprocess.Popen([sys.executable, "-c", code, path], stdout=subprocess.PIPE, text=True)  # noqa: ASYNC220
    with holder:
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        with pytest.raises(TimeoutError):
            async with locked(path, 0.05):
                raise AssertionError("entered twice")
        holder.kill()
        async with locked(path, 10):
            pass


CALLERS = """
import asyncio, sys
from prowess.credentials import Credentials
from prowess.credentials.sections import CredentialSection, Secret, TokenSection

token = TokenSection(
    grant="refresh-token", token_url=sys.argv[1], client_id=sys.argv[2],
    client_secret=Secret(env="CLIENT_SECRET"), refresh_token=Secret(env="REFRESH_TOKEN"),
)

async def main():
    pool = Credentials({"erp": CredentialSection(tokens=(token,))}).pool("erp")
    print("ready", flush=True)
    sys.stdin.readline()
    held = await asyncio.gather(*(pool.take() for _ in range(50)))
    print(*{each.token.value for each in held})

asyncio.run(main())
"""


def test_four_processes_with_fifty_callers_each_cause_one_refresh(
    endpoint: Endpoint, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLIENT_SECRET", CLIENT_SECRET)
    monkeypatch.setenv("REFRESH_TOKEN", FIRST_REFRESH)
    endpoint.delay = 0.2
    command = [sys.executable, "-c", CALLERS, endpoint.url, CLIENT]
    pipe = subprocess.PIPE
    processes = [subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) for _ in range(4)]
    try:
        for each in processes:
            assert each.stdout is not None and each.stdout.readline() == "ready\n"
        for each in processes:
            assert each.stdin is not None
            each.stdin.write("\n")
            each.stdin.flush()
        said = [each.communicate(timeout=30)[0].strip() for each in processes]
    finally:
        for each in processes:
            each.kill()
            each.wait(10)
    assert said == [endpoint.token] * 4
    assert len(endpoint.requests) == 1
