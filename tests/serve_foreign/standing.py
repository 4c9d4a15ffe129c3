"""Mirrors and gateways as processes: started together, and ended with the tests that use them."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import PIPE

from tests.bounds import bound
from tests.serve_foreign.raw import Pipe

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MIRROR = HERE / "servers" / "run.py"
SCHEMAS = "https://agent-plugins.org/schemas/1.0.0"
READY = re.compile(rb"ready at (\S+)")


@dataclass(slots=True)
class Standing:
    """What runs; `place` holds its files."""

    place: Path
    stack: ExitStack = field(default_factory=ExitStack)

    def start(
        self, command: list[str], stderr: int | None = None, environment: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """A process that ends with the stack; what it says on stderr goes to a file."""
        home = {f"XDG_{each}_HOME": str(self.place / each.lower()) for each in ("DATA", "STATE", "CACHE")}
        log = self.stack.enter_context((self.place / "stderr.log").open("ab"))
        process = subprocess.Popen(
            command,
            env={**os.environ, **home, **(environment or {})},
            start_new_session=True,
            stdin=PIPE,
            stdout=PIPE,
            stderr=log.fileno() if stderr is None else stderr,
        )
        self.stack.callback(_ended, process)
        return process

    def mirror(self, *options: str) -> Pipe:
        """A mirror over stdio."""
        return Pipe(self.start(mirror_command(*options)))

    def mirror_http(self, *options: str) -> str:
        """The URL of a mirror over HTTP."""
        process = self.start(mirror_command(*options, "--http"))
        assert process.stdout is not None
        return f"http://127.0.0.1:{int(process.stdout.readline())}/mcp"

    def gateway(self, path: Path | str, *options: str) -> Pipe:
        """`prowess serve` over stdio."""
        return Pipe(self.start(serve_command(path, *options)))

    def gateway_http(self, path: Path | str, *options: str) -> str:
        """The URL of `prowess serve` over HTTP."""
        process = self.start(serve_command(path, "--http", "127.0.0.1:0", *options), stderr=PIPE)
        assert process.stderr is not None
        said = []
        for line in process.stderr:
            said.append(line)
            if found := READY.search(line):
                threading.Thread(target=process.stderr.read, daemon=True).start()
                return found[1].decode()
        raise AssertionError("the gateway ended before it was ready: " + b"".join(said).decode())


def mirror_command(*options: str) -> list[str]:
    """The mirror's command line."""
    return [sys.executable, "-S", str(MIRROR), *options]


def serve_command(path: Path | str, *options: str) -> list[str]:
    """The gateway's command line."""
    return [sys.executable, "-m", "prowess", "serve", str(path), *options]


def _ended(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        with suppress(OSError):
            process.stdin.close()
    process.terminate()
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
    try:
        process.wait(bound(10))
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(bound(10))


def stdio_server(folder: Path, name: str, *options: str) -> dict[str, str]:
    """The entry of a mirror that the package in `folder` runs."""
    program = folder / "bin" / name
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f"#!/bin/sh\nexec {shlex.join(mirror_command(*options))}\n")
    program.chmod(0o755)
    return {"type": "stdio", "command": f"./bin/{name}"}


def package(folder: Path, servers: Mapping[str, Mapping[str, str]], name: str = "mirrors") -> Path:
    """A package with these servers."""
    folder.mkdir(parents=True, exist_ok=True)
    manifest = {"$schema": f"{SCHEMAS}/plugin.schema.json", "name": name, "version": "1.0.0"}
    declared = {"$schema": f"{SCHEMAS}/mcp.schema.json", "mcpServers": dict(servers)}
    (folder / "plugin.json").write_text(json.dumps(manifest))
    (folder / "mcp.json").write_text(json.dumps(declared))
    return folder
