"""What a gateway adds to a call: `prowess serve` against FastMCP's mounted proxy, in one run.

One upstream program, one client (the MCP SDK's). The client calls the upstream itself, through our
gateway and through FastMCP's, taking turns; what a gateway adds is taken in each round and the median
counts. Ours has everything on: arguments validated, tool pinned, policy asked, an injected secret
masked in the result, the record committed to SQLite before the answer.

    python -m bench.gateway [--calls 400] [--json] [--no-peers]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.bring_up import write_package
from bench.peers import installed
from bench.result import Figure, Goal, Result

PEER = Path(__file__).with_name("fastmcp_gateway.py")
TOOL, ARGUMENTS = "list_records", {"week": "2026-W31", "limit": 20}
STDIO_SHARE, HTTP_SHARE = 0.5, 0.7
AT_ONCE = 16
TOOLS_LISTED = 1_000
CONFIG = """\
[plugins]
probe = "probe"
[policy]
redact_results = ["export_*"]
[[policy.rules]]
action = "allow"
tool = "list_*"
[servers."probe/probe".env]
PROBE_TOKEN = { env = "BENCH_TOKEN" }
"""


@dataclass
class Subject:
    """One way to the tool, and what each call took."""

    name: str
    client: Any
    tool: str
    ms: list[float] = field(default_factory=list)
    at_once: float = 0.0

    async def call(self) -> None:
        """One call; one that fails ends the benchmark."""
        result = await self.client.call_tool(self.tool, ARGUMENTS)
        assert not result.is_error, result

    async def measure(self) -> None:
        """One call, timed."""
        began = time.perf_counter()
        await self.call()
        self.ms.append((time.perf_counter() - began) * 1_000)

    async def together(self, calls: int) -> None:
        """`AT_ONCE` callers at a time; calls a second."""
        began = time.perf_counter()
        for _ in range(max(1, calls // AT_ONCE)):
            await asyncio.gather(*(self.call() for _ in range(AT_ONCE)))
        self.at_once = max(1, calls // AT_ONCE) * AT_ONCE / (time.perf_counter() - began)

    def added(self, direct: Subject) -> float:
        """The median of what each call took longer than the direct one of its round."""
        return statistics.median(mine - its for mine, its in zip(self.ms, direct.ms, strict=True))


@contextmanager
def listening(command: Sequence[str], port: int) -> Iterator[str]:
    """A server over HTTP, until the block ends; gives the URL of its endpoint."""
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, stdout=quiet, stderr=quiet, stdin=quiet)
    try:
        deadline = time.monotonic() + 60
        while not _answers(port):
            assert process.poll() is None and time.monotonic() < deadline, command
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait(timeout=30)


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 0.2).close()
    except OSError:
        return False
    return True


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def ours(config: Path, *more: str) -> list[str]:
    """The command line of our gateway."""
    return [sys.executable, "-m", "prowess", "serve", str(config), "--names", "qualified", *more]


async def connect(stack: AsyncExitStack, name: str, target: Any, tool: str) -> Subject:
    """A subject whose client is connected and has called once."""
    from mcp import Client, StdioServerParameters

    if isinstance(target, list):
        environment = {key: value for key, value in os.environ.items() if key.startswith(("XDG_", "BENCH_"))}
        target = StdioServerParameters(command=target[0], args=target[1:], env=environment)
    client = await stack.enter_async_context(Client(target, read_timeout_seconds=60))
    subject = Subject(name, client, tool)
    await subject.call()
    return subject


async def subjects_of(stack: AsyncExitStack, home: Path, peers: bool) -> dict[str, Subject]:
    """Every way to the tool."""
    program = str(write_package(home / "ours" / "probe", ["probe"]) / "probe")
    config = home / "ours" / "prowess.toml"
    config.write_text(CONFIG, encoding="utf-8")
    http = stack.enter_context(listening(ours(config, "--http", f"127.0.0.1:{(port := free_port())}"), port))
    found = {
        "direct": await connect(stack, "direct, stdio", [program], TOOL),
        "ours": await connect(stack, "prowess, stdio to stdio", ours(config, "--stdio"), f"probe__{TOOL}"),
        "ours http": await connect(stack, "prowess, HTTP to stdio", http, f"probe__{TOOL}"),
    }
    if peers:
        python = str(installed())
        peer = [python, str(PEER)]
        port = free_port()
        there = stack.enter_context(listening([*peer, "http", str(port), program], port))
        name = f"probe_{TOOL}"
        found["peer"] = await connect(stack, "FastMCP, stdio to stdio", [*peer, "stdio", program], name)
        found["peer http"] = await connect(stack, "FastMCP, HTTP to stdio", there, name)
    return found


async def measured(home: Path, calls: int, peers: bool) -> tuple[dict[str, Subject], float]:
    """Every subject after taking turns, and the seconds that a list of many tools takes through ours."""
    async with AsyncExitStack() as stack:
        found = await subjects_of(stack, home, peers)
        for _ in range(20):
            for each in found.values():
                await each.call()
        for _ in range(calls):
            for each in found.values():
                await each.measure()
        for each in found.values():
            await each.together(calls)
        return found, await long_list(stack, home)


async def long_list(stack: AsyncExitStack, home: Path) -> float:
    """The milliseconds of `tools/list` with many tools, through ours over stdio."""
    folder = write_package(home / "many", ["probe"])
    program = folder / "probe"
    text = program.read_text(encoding="utf-8")
    many = f"TOOLS = [{{**TOOLS[0], 'name': f'list_{{n}}'}} for n in range({TOOLS_LISTED})]\n"
    program.write_text(text.replace("ROWS = [", many + "ROWS = [", 1), encoding="utf-8")
    subject = await connect_list(stack, ours(folder, "--stdio"))
    times = []
    for _ in range(10):
        began = time.perf_counter()
        page = await subject.list_tools(cache_mode="bypass")
        times.append((time.perf_counter() - began) * 1_000)
        assert len(page.tools) == TOOLS_LISTED
    return statistics.median(times)


async def connect_list(stack: AsyncExitStack, command: list[str]) -> Any:
    """A client of a command."""
    from mcp import Client, StdioServerParameters

    environment = {key: value for key, value in os.environ.items() if key.startswith(("XDG_", "BENCH_"))}
    target = StdioServerParameters(command=command[0], args=command[1:], env=environment)
    return await stack.enter_async_context(Client(target, read_timeout_seconds=60))


def row(subject: Subject, direct: Subject) -> dict[str, Figure]:
    """One line of the table."""
    ordered = sorted(subject.ms)
    return {
        "what": subject.name,
        "ms, median": statistics.median(ordered),
        "ms, p95": ordered[len(ordered) * 95 // 100],
        "ms added": None if subject is direct else subject.added(direct),
        f"calls/s, {AT_ONCE} at once": round(subject.at_once),
    }


def run(calls: int, peers: bool) -> Result:
    """Measure in a directory that also holds the state of the run."""
    with tempfile.TemporaryDirectory(prefix="prowess-bench-") as home:
        for variable in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
            os.environ[variable] = str(Path(home, variable))
        os.environ["BENCH_TOKEN"] = "tok-5f0c9a7be2d14"
        found, listing = asyncio.run(measured(Path(home), calls, peers))
    direct = found["direct"]
    goals = []
    for key, share in (("", STDIO_SHARE), (" http", HTTP_SHARE)):
        if f"peer{key}" in found:
            mine, its = found[f"ours{key}"], found[f"peer{key}"]
            name = f"{mine.name}: added, as a share of what FastMCP adds"
            value = mine.added(direct) / its.added(direct)
            goals.append(Goal(name=name, value=value, limit=share, keep="at most"))
    rows = [row(each, direct) for each in found.values()]
    rows.append(
        {**dict.fromkeys(rows[0]), "what": f"prowess, list of {TOOLS_LISTED} tools", "ms, median": listing}
    )
    return Result(bench="gateway", settings={"calls": calls}, rows=rows, goals=goals)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.gateway", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--calls", type=int, default=400)
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    return run(given.calls, not given.no_peers).report(as_json=given.json)


if __name__ == "__main__":
    sys.exit(main())
