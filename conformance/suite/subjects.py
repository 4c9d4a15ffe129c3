"""What is tested, and how each is started: in a directory of its own, on a free port, ended afterwards.

reference      the reference server, on the MCP SDK, by itself
own            a server of ours: a Host with a provider of the whole repertoire
gateway-stdio  `prowess serve` in front of the reference server, which it runs over stdio
gateway-http   `prowess serve` in front of the reference server, which it contacts over HTTP
skills         a package's skills, served by Prowess; and a host that loads the skills of the suite
host           a Prowess host as the client
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from conformance.suite.install import CannotRun
from conformance.suite.results import Role

HERE = Path(__file__).resolve().parents[1]
SCHEMAS = "https://agent-plugins.org/schemas/1.0.0"
STARTING_SECONDS = 60.0
ENDING_SECONDS = 10.0

OLDER, NEWER = "2025-11-25", "2026-07-28"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """One run of the suite: a role at a revision, with its requirement set or only some scenarios."""

    role: Role
    version: str
    only: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Something to test. A server is started by `start`, a client by the suite with `command`."""

    name: str
    legs: tuple[Leg, ...]
    start: Callable[[ExitStack, Path], str] | None = None
    command: tuple[str, ...] = ()


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _python(program: str, *arguments: str) -> list[str]:
    return [sys.executable, str(HERE / program), *arguments]


def _reference(stack: ExitStack, place: Path) -> str:
    return _listening(stack, place, lambda port: _python("reference_server.py", "--port", str(port)))


def _own(stack: ExitStack, place: Path) -> str:
    return _listening(stack, place, lambda port: _python("own.py", "--port", str(port)))


def _skills(stack: ExitStack, place: Path) -> str:
    return _listening(stack, place, lambda port: _python("skills_server.py", "--port", str(port)))


def _gateway_stdio(stack: ExitStack, place: Path) -> str:
    package = _package(place, {"type": "stdio", "command": "./bin/reference"})
    program = package / "bin" / "reference"
    program.parent.mkdir()
    line = shlex.join(_python("reference_server.py", "--stdio"))
    program.write_text(f"#!/bin/sh\nexec {line}\n", encoding="utf-8")
    program.chmod(0o755)
    return _gateway(stack, place, package)


def _gateway_http(stack: ExitStack, place: Path) -> str:
    upstream = _reference(stack, place)
    return _gateway(stack, place, _package(place, {"type": "streamable-http", "url": upstream}))


def _gateway(stack: ExitStack, place: Path, package: Path) -> str:
    def command(port: int) -> list[str]:
        return [sys.executable, "-m", "prowess", "serve", str(package), "--http", f"127.0.0.1:{port}"]

    return _listening(stack, place, command)


def _package(place: Path, server: dict[str, str]) -> Path:
    """A package whose one server is `server`."""
    package = place / "package"
    package.mkdir()
    manifest = {"$schema": f"{SCHEMAS}/plugin.schema.json", "name": "suite", "version": "1.0.0"}
    servers = {"$schema": f"{SCHEMAS}/mcp.schema.json", "mcpServers": {"reference": server}}
    (package / "plugin.json").write_text(json.dumps(manifest), encoding="utf-8")
    (package / "mcp.json").write_text(json.dumps(servers), encoding="utf-8")
    return package


def environment(place: Path) -> dict[str, str]:
    """This environment with a home of its own for whatever Prowess keeps."""
    homes = {f"XDG_{each}_HOME": str(place / each.lower()) for each in ("DATA", "STATE", "CACHE", "CONFIG")}
    return {**os.environ, **homes}


def _listening(stack: ExitStack, place: Path, command: Callable[[int], Sequence[str]]) -> str:
    port = free_port()
    stack.enter_context(_process(command(port), port, place))
    return f"http://127.0.0.1:{port}/mcp"


@contextmanager
def _process(command: Sequence[str], port: int, place: Path) -> Iterator[None]:
    """A server process from when it listens until the block ends. Raises CannotRun."""
    log = place / f"{port}.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            env=environment(place),
            start_new_session=True,
        )
    try:
        _wait(process, port, log)
        yield
        if process.poll() is not None:
            raise CannotRun(f"what was tested ended by itself: {_tail(log)}")
    finally:
        _end(process)


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + STARTING_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise CannotRun(f"it does not listen on port {port}: {_tail(log)}")


def _tail(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return " | ".join(lines[-3:]) or "it said nothing"


def _end(process: subprocess.Popen[bytes]) -> None:
    """The process and what it started: asked first, then made to."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, how)
            process.wait(ENDING_SECONDS)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue


_BOTH = (Leg(role="server", version=OLDER), Leg(role="server", version=NEWER))
_SKILLS = tuple(f"sep-2640-skills-{each}" for each in ("enumeration", "manifest", "directory"))
_SKILLS_HOST = tuple(
    f"sep-2640-client-{each}"
    for each in ("no-prefetch", "verify-digest", "verify-size", "verify-frontmatter")
)

SUBJECTS = (
    Subject(name="reference", legs=_BOTH, start=_reference),
    Subject(name="own", legs=_BOTH, start=_own),
    Subject(name="gateway-stdio", legs=_BOTH, start=_gateway_stdio),
    Subject(name="gateway-http", legs=_BOTH, start=_gateway_http),
    Subject(
        name="skills",
        legs=(
            Leg(role="server", version=NEWER, only=_SKILLS),
            Leg(role="client", version=NEWER, only=_SKILLS_HOST),
        ),
        start=_skills,
        command=tuple(_python("skills_client.py")),
    ),
    Subject(
        name="host",
        legs=(Leg(role="client", version=OLDER), Leg(role="client", version=NEWER)),
        command=tuple(_python("host_client.py")),
    ),
)
