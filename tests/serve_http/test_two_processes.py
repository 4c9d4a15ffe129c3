"""Two servers and one database: what is settled at one of them holds at the other."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.acceptance.packages import plugin
from tests.bounds import bound
from tests.serve_http.fronted import ask
from tests.serve_http.processes import Machine
from tests.store.postgres_server import Server, programs, running

psycopg = pytest.importorskip("psycopg")
pytestmark = pytest.mark.anyio

MAILER = Path(__file__).parent / "servers" / "mailer.py"
CONFIG = """\
format = 1
[plugins]
post = "post"
[units]
paths = ["units"]
[store]
postgres = { env = "SHARED_URL" }
[[policy.rules]]
action = "ask"
tool = "send"
"""
UNIT = "class Version:\n    async def execute(self, params):\n        return {'version': '%s'}\n"


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    binaries = programs()
    if binaries is None:
        pytest.skip("needs the server programs of PostgreSQL (initdb, pg_ctl)")
    with running(binaries) as server:
        yield server


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A configuration with a server, and a unit in two versions."""
    entry = {"type": "stdio", "command": Path(sys.executable).name, "args": ["-S", str(MAILER)]}
    plugin(tmp_path / "post", {"mail": entry}, name="post")
    for version in ("1.0.0", "2.0.0"):
        folder = tmp_path / "units" / "tell_version" / version
        folder.mkdir(parents=True)
        said = {
            "name": "tell_version",
            "description": "Tells its version.",
            "triggers": ["version"],
            "parameters": {"type": "object", "properties": {}},
            "version": version,
        }
        (folder / "schema.json").write_text(json.dumps(said))
        (folder / "skill.py").write_text(UNIT % version)
    (tmp_path / "rollout.toml").write_text('format = 1\n[units.tell_version]\nstable = "1.0.0"\n')
    file = tmp_path / "prowess.toml"
    file.write_text(CONFIG)
    return file


def machine(tmp_path: Path, name: str, description: str, postgres: Server) -> Machine:
    home = tmp_path / name
    home.mkdir()
    (home / "description").write_text(description)
    return Machine(home=home, env={"SHARED_URL": postgres.url})


async def names(client: httpx2.AsyncClient, url: str) -> set[str]:
    answer = await ask(client, url, method="tools/list")
    return {each["name"] for each in answer.json()["result"]["tools"]}


async def called(client: httpx2.AsyncClient, url: str, name: str) -> tuple[bool, str]:
    result = (await ask(client, url, name=name)).json()["result"]
    return bool(result.get("isError")), json.dumps(result)


async def soon(found: Callable[[], Awaitable[Any]], wanted: Any) -> None:
    """Whatever is shared is seen within two seconds."""
    end = asyncio.get_running_loop().time() + bound(10)
    while await found() != wanted:
        assert asyncio.get_running_loop().time() < end
        await asyncio.sleep(0.1)  # it happens in another process


@pytest.mark.slow
async def test_pins_approvals_rollouts_and_records_are_shared(
    tmp_path: Path, config: Path, postgres: Server, client: httpx2.AsyncClient
) -> None:
    here, there = (machine(tmp_path, each, f"As {each} has it.", postgres) for each in ("here", "there"))
    look, send, unit = "look", "send", "tell_version"
    async with here.serving(str(config), "--names", "raw") as one:
        before = await names(client, one.url)
        assert {look, send, unit} <= before, before
        async with there.serving(str(config), "--names", "raw") as two:
            # The first sight of a tool was here, and it is another one there.
            assert await names(client, two.url) == before - {look}

            # A person there approves it, and now it is the one here that has changed.
            status, out, _ = await there.run("pins", "approve", str(config), "look")
            digest = re.search(r"digest (\S+)", out)
            assert status == 1 and digest is not None, "nobody said yes yet"
            status, _, said = await there.run("pins", "approve", str(config), "look", "--yes", digest[1])
            assert status == 0, said
            await soon(lambda: names(client, two.url), before)
            await soon(lambda: names(client, one.url), before - {look})

            # A call that waits here is approved there, and goes through there, once.
            failed, told = await called(client, one.url, send)
            assert failed and "approvals approve" in told
            status, out, _ = await there.run("approvals", "list", "--config", str(config), "--format", "json")
            (waiting,) = json.loads(out)["waiting"]
            assert (status, waiting["tool"]) == (1, "send")
            approve = ("approvals", "approve", "--config", str(config), "--yes", waiting["digest"])
            assert (await there.run(*approve))[0] == 0
            assert not (await called(client, two.url, send))[0]
            assert (await called(client, one.url, send))[0], "an answer is good for one call"

            # A rollout that is changed here is followed there.
            assert "1.0.0" in (await called(client, two.url, unit))[1]
            change = ("rollout", "set", str(config), "tell_version", "2.0.0", "100", "--reason", "new")
            assert (await here.run(*change))[0] == 0

            async def version() -> bool:
                return "2.0.0" in (await called(client, two.url, unit))[1]

            await soon(version, True)
            status, out, _ = await there.run("rollout", "status", str(config), "--format", "json")
            assert json.loads(out)["units"][0]["canary"] == "2.0.0"
    with psycopg.connect(postgres.url) as connection:
        kept = connection.execute(
            "SELECT tool, outcome, count(*) FROM prowess_calls GROUP BY 1, 2"
        ).fetchall()
    assert {("send", "answered", 1), ("send", "refused", 2)} <= set(kept), kept
    assert "canary" not in (tmp_path / "rollout.toml").read_text(), "the store says, and the file stays"
