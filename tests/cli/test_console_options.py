"""What the options of `prowess console` do: its port, whether servers start, whether a browser opens."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.bounds import bound

from prowess.cli import main

SCHEMAS = "https://agent-plugins.org/schemas/1.0.0"
SERVER = "from pathlib import Path\nPath(__file__).with_name('started').touch()\n"


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """A plugin whose server leaves a file behind when it is started, and nothing else."""
    folder = tmp_path / "desk"
    folder.mkdir()
    manifest = {"$schema": f"{SCHEMAS}/plugin.schema.json", "name": "desk", "version": "1.0.0"}
    (folder / "plugin.json").write_text(json.dumps(manifest))
    entry = {"type": "stdio", "command": "python3", "args": ["./server.py"]}
    servers = {"$schema": f"{SCHEMAS}/mcp.schema.json", "mcpServers": {"offer": entry}}
    (folder / "mcp.json").write_text(json.dumps(servers))
    (folder / "server.py").write_text(SERVER)
    return folder


@contextmanager
def console(folder: Path, *options: str) -> Iterator[str]:
    """The link that a console printed, which runs until the block ends and then ends as told."""
    browser = folder.with_name("browser")
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {folder.with_name("opened")}\n')
    browser.chmod(0o700)
    homes = {f"XDG_{each}_HOME": str(folder.with_name("home")) for each in ("STATE", "DATA", "CACHE")}
    command = [sys.executable, "-m", "prowess", "console", str(folder), *options]
    environment = {**os.environ, **homes, "BROWSER": str(browser)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        found = (re.search(r"console at (\S+)", line) for line in process.stderr)
        link = next(each for each in found if each)[1]
        try:
            yield link
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=bound(20))
        assert process.returncode == 128 + signal.SIGTERM


def test_it_listens_at_the_port_that_is_given(plugin: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with console(plugin, "--no-browser", "--no-connect", "--port", str(port)) as link:
        assert link.startswith(f"http://127.0.0.1:{port}/")


def test_a_port_that_is_taken_or_none_is_an_error(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for port in (str(taken.getsockname()[1]), "70000", "-1"):
            assert main(["console", str(plugin), "--no-browser", "--no-connect", "--port", port]) == 2
            assert "port" in capsys.readouterr().err


@pytest.mark.parametrize(("options", "started"), [([], True), (["--no-connect"], False)])
def test_servers_start_unless_that_is_not_wanted(plugin: Path, options: list[str], started: bool) -> None:
    with console(plugin, "--no-browser", *options):
        assert plugin.joinpath("started").exists() is started


@pytest.mark.parametrize(("options", "opened"), [([], True), (["--no-browser"], False)])
def test_a_browser_opens_unless_that_is_not_wanted(plugin: Path, options: list[str], opened: bool) -> None:
    with console(plugin, "--no-connect", *options) as link:
        pass
    record = plugin.with_name("opened")
    assert (record.read_text() if record.exists() else None) == (link if opened else None)
