"""schemathesis against the API of a real Host on a real port: every answer is as it is documented.

Its own command, with all checks: a few examples by default, many in the slow run.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from hypothesis import given
from hypothesis import strategies as st
from tests.bounds import bound
from tests.serve_api.conftest import MANIFEST, Tempers
from tests.workflow_engine.projects import Project

from prowess.choose.versions import LONGEST, RANGE_PATTERN, range_of
from prowess.errors import UsageError
from prowess.host import Host
from prowess.host.storing import Store
from prowess.provider import Caller
from prowess.serve.api import api_app

ROOT = Path(__file__).resolve().parents[2]

# Read by schemathesis: most of what it sends names a skill, or a plugin, that there is.
HOOKS = """
import zlib

import schemathesis

SKILLS = ("echo", "odd", "query", "crm/echo")
LONGEST = {"skill": 500, "version": 200, "key": 200}


def fits(body):
    if not isinstance(body, dict) or not isinstance(body.get("params"), dict) or "skill" not in body:
        return False
    texts = {name: each for name, each in body.items() if name != "params"}
    return all(
        name in LONGEST and isinstance(each, str) and 0 < len(each) <= LONGEST[name]
        for name, each in texts.items()
    )


@schemathesis.hook
def map_body(context, body):
    chosen = zlib.crc32(repr(body).encode("utf-8", "replace")) % (len(SKILLS) + 1)
    if not fits(body) or chosen == len(SKILLS):
        return body
    named = {name: each for name, each in body.items() if name != "version"} | {"skill": SKILLS[chosen]}
    return named | {"params": {"week": "2026-W31"}} if SKILLS[chosen] == "query" else named


@schemathesis.hook
def map_query(context, query):
    if isinstance(query, dict) and query.get("plugin") and len(query["plugin"]) % 3:
        query = {**query, "plugin": "sample"}
    return query
"""


RUNS = ("run", "ask", "0")
RUN_HOOKS = f"""
import schemathesis


@schemathesis.hook
def map_path_parameters(context, given):
    chosen = len(str((given or {{}}).get("run", ""))) % 4
    return {{**given, "run": {RUNS}[chosen - 1]}} if chosen else given
"""


class _Serving(threading.Thread):
    """An example Host and its API in a thread with a loop of its own; of workflows, runs that ask."""

    def __init__(self, plugin: Path, *, workflows: bool = False) -> None:
        super().__init__(daemon=True)
        self._plugin = plugin
        self._workflows = workflows
        self._listening = socket.create_server(("127.0.0.1", 0))
        # As the front has it: without it each answer waits for an acknowledgement.
        self._listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._up = threading.Event()
        self._server: uvicorn.Server | None = None
        self.crm: Tempers | None = None

    def run(self) -> None:
        asyncio.run(self._run())

    async def _run(self) -> None:
        self.crm = Tempers()
        self.crm.release.set()
        providers = None if self._workflows else [self.crm]
        async with Host.open(self._plugin, providers=providers, store=Store.in_memory()) as host:
            if host.workflows is not None:
                (asks,) = (each for each in host.workflows.workflows if each.name == "asks")
                for run in RUNS:
                    await host.workflows.start(asks, {}, caller=Caller(), id=run)
            config = uvicorn.Config(api_app(host), lifespan="off", log_level="critical")
            self._server = uvicorn.Server(config)
            self._up.set()
            await self._server.serve(sockets=[self._listening])

    def __enter__(self) -> _Serving:
        self.start()
        assert self._up.wait(20)
        return self

    def __exit__(self, *error: object) -> None:
        assert self._server is not None
        self._server.should_exit = True
        self.join(20)
        assert not self.is_alive()


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Serving]:
    plugin = tmp_path_factory.mktemp("sample")
    (plugin / "plugin.json").write_text(json.dumps(MANIFEST))
    with _Serving(plugin) as running:
        yield running


@pytest.fixture(scope="module")
def command() -> str:
    """schemathesis, in an environment of its own: it wants other versions than we do."""
    found = shutil.which(
        "schemathesis", path=f"{ROOT / '.venv-schemathesis' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    )
    if found is None:
        pytest.skip("needs schemathesis (make schemathesis)")
    return found


@given(st.from_regex(RANGE_PATTERN, fullmatch=True).filter(lambda text: len(text) <= LONGEST))
def test_a_documented_range_is_a_range(text: str) -> None:
    range_of(text)


@given(st.text("~^.-+01a", max_size=12))
def test_a_text_outside_of_the_documented_ranges_is_none(text: str) -> None:
    if re.fullmatch(RANGE_PATTERN, text) is None:
        with pytest.raises(UsageError):
            range_of(text)


def run(
    command: str,
    serving: _Serving,
    place: Path,
    examples: int,
    seconds: float,
    *more: str,
    hooks: str = HOOKS,
) -> str:
    """What schemathesis prints; every phase, every check."""
    arguments = ["--checks", "all", "--mode", "all", "--max-examples", str(examples), "--no-color"]
    (place / "hooks.py").write_text(hooks)
    done = subprocess.run(
        [command, "run", f"{serving.url}/openapi.json", *arguments, "--request-timeout", "20", *more],
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
        cwd=place,
        env={**os.environ, "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(place)},
    )
    assert done.returncode == 0, done.stdout[-8_000:] + done.stderr[-2_000:]
    return done.stdout


WITHOUT_RUNS = ("--exclude-path-regex", "/runs")  # which have a test of their own


@pytest.mark.slow
def test_schemathesis_finds_nothing(command: str, serving: _Serving, tmp_path: Path) -> None:
    quick = ("--seed", "7", *WITHOUT_RUNS)
    assert "No issues found" in run(command, serving, tmp_path, 4, bound(50), *quick)
    assert serving.crm is not None and serving.crm.calls  # it got further than to the door


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_schemathesis_finds_nothing_in_many_examples(command: str, serving: _Serving, tmp_path: Path) -> None:
    run(command, serving, tmp_path, 500, 850, *WITHOUT_RUNS)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_schemathesis_finds_nothing_about_runs(command: str, tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.workflow(
        "asks", "name: asks\nsteps: [{id: greet, skill: greet, params: {name: Kim}, approve: Greet?}]"
    )
    with _Serving(project.folder, workflows=True) as serving:
        run(command, serving, tmp_path, 20, 280, "--include-path-regex", "/runs", hooks=RUN_HOOKS)
