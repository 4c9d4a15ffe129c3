"""What a gateway adds to a call: `prowess serve` against FastMCP's mounted proxy, in one run.

One upstream program, one client (the MCP SDK's), one era of the protocol, everything warm. The client
calls the upstream itself, through our gateway and through FastMCP's, taking turns in another order each
time; what a gateway adds is taken in each round and the median counts. Ours has everything on: arguments
validated, tool pinned, policy asked, an injected secret masked in the result, the call on record in
SQLite before it is sent (the tool does not say that it is safe to repeat) and again before the answer.

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
from bench.processes import children, cpu_ms
from bench.result import Figure, Goal, Result

PEER = Path(__file__).with_name("fastmcp_gateway.py")
TOOL, ARGUMENTS = "list_records", {"week": "2026-W31", "limit": 20}
ERA = "2026-07-28"
STDIO_SHARE, HTTP_SHARE = 0.5, 0.7
AT_ONCE = 16
WARM = 50  # calls before anything counts
TOOLS_LISTED = 1_000
LISTINGS = 10
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
    """One way to the tool, what each call took, and what the process in between worked for it."""

    name: str
    client: Any
    tool: str
    process: int
    ms: list[float] = field(default_factory=list)
    together_ms: list[float] = field(default_factory=list)
    cpu: float | None = None

    async def call(self) -> None:
        """One call; one that fails ends the benchmark."""
        result = await self.client.call_tool(self.tool, ARGUMENTS)
        assert not result.is_error, result

    async def measure(self) -> None:
        """One call, timed."""
        began = time.perf_counter()
        await self.call()
        self.ms.append((time.perf_counter() - began) * 1_000)

    async def together(self) -> None:
        """`AT_ONCE` calls at a time, timed."""
        began = time.perf_counter()
        await asyncio.gather(*(self.call() for _ in range(AT_ONCE)))
        self.together_ms.append((time.perf_counter() - began) * 1_000)

    def added(self, direct: Subject) -> float:
        """The median of what each call took longer than the direct one of its round."""
        return statistics.median(mine - its for mine, its in zip(self.ms, direct.ms, strict=True))


@contextmanager
def listening(command: Sequence[str], port: int, log: int = subprocess.DEVNULL) -> Iterator[str]:
    """A server over HTTP, until the block ends; gives the URL of its endpoint. stderr goes to `log`."""
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, stdout=quiet, stderr=log, stdin=quiet)
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


async def connect(stack: AsyncExitStack, name: str, command: list[str], port: int = 0) -> Subject:
    """A subject whose client is connected and has called once; over HTTP where there is a port.

    Gateways rename the tool, so it is looked up.
    """
    from mcp import Client, StdioServerParameters

    before = children()
    target: Any = StdioServerParameters(command=command[0], args=command[1:], env=environment())
    if port:
        target = stack.enter_context(listening(command, port))
    client = await stack.enter_async_context(Client(target, read_timeout_seconds=60))
    assert client.protocol_version == ERA, (name, client.protocol_version)
    listed = (await client.list_tools()).tools
    started = children() - before
    subject = Subject(
        name, client, next(each.name for each in listed if TOOL in each.name), max(started, default=0)
    )
    await subject.call()
    return subject


def environment() -> dict[str, str]:
    """What a process gets beside the SDK's own choice."""
    return {key: value for key, value in os.environ.items() if key.startswith(("XDG_", "BENCH_"))}


def fastmcp(*arguments: str) -> list[str]:
    """The command line of FastMCP's gateway."""
    return [str(installed()), str(PEER), *arguments]


async def subjects_of(stack: AsyncExitStack, home: Path, peers: bool) -> dict[str, Subject]:
    """Every way to the tool."""
    program = str(write_package(home / "ours" / "probe", ["probe"]) / "probe")
    config = home / "ours" / "prowess.toml"
    config.write_text(CONFIG, encoding="utf-8")
    port = free_port()
    over_http = ours(config, "--http", f"127.0.0.1:{port}")
    found = {
        "direct": await connect(stack, "direct, stdio", [program]),
        "ours": await connect(stack, "prowess, stdio to stdio", ours(config, "--stdio")),
        "ours http": await connect(stack, "prowess, HTTP to stdio", over_http, port),
    }
    if peers:
        port = free_port()
        found["peer"] = await connect(stack, "FastMCP, stdio to stdio", fastmcp("stdio", program))
        over_http = fastmcp("http", str(port), program)
        found["peer http"] = await connect(stack, "FastMCP, HTTP to stdio", over_http, port)
    return found


async def take_turns(found: Sequence[Subject], calls: int) -> None:
    """Measure all, in an order that moves on by one each round."""
    for _ in range(WARM if calls > WARM else 1):
        for each in found:
            await each.call()
    upstream = [children(each.process) for each in found]
    before = [cpu_ms(each.process) for each in found]
    for number in range(calls):
        turn = number % len(found)
        for each in (*found[turn:], *found[:turn]):
            await each.measure()
    for each, then in zip(found, before, strict=True):
        now = cpu_ms(each.process)
        each.cpu = None if now is None or then is None else (now - then) / calls
    for number in range(max(1, calls // AT_ONCE)):
        turn = number % len(found)
        for each in (*found[turn:], *found[:turn]):
            await each.together()
    assert upstream == [children(each.process) for each in found], "an upstream was started anew"


async def measured(home: Path, calls: int, peers: bool) -> tuple[dict[str, Subject], dict[str, list[float]]]:
    """Every subject after taking turns, and what lists of many tools take."""
    async with AsyncExitStack() as stack:
        found = await subjects_of(stack, home, peers)
        await take_turns(list(found.values()), calls)
    async with AsyncExitStack() as stack:
        return found, await long_lists(stack, home, peers)


async def long_lists(stack: AsyncExitStack, home: Path, peers: bool) -> dict[str, list[float]]:
    """The milliseconds of each `tools/list` with many tools, over stdio, taking turns."""
    from mcp import Client, StdioServerParameters

    folder = write_package(home / "many", ["probe"])
    program = folder / "probe"
    text = program.read_text(encoding="utf-8")
    many = f"TOOLS = [{{**TOOLS[0], 'name': f'list_{{n}}'}} for n in range({TOOLS_LISTED})]\n"
    program.write_text(text.replace("ROWS = [", many + "ROWS = [", 1), encoding="utf-8")
    commands = {"direct, stdio": [str(program)], "prowess, stdio to stdio": ours(folder, "--stdio")}
    if peers:
        commands["FastMCP, stdio to stdio"] = fastmcp("stdio", str(program))
    clients = {}
    for name, command in commands.items():
        target = StdioServerParameters(command=command[0], args=command[1:], env=environment())
        clients[name] = await stack.enter_async_context(Client(target, read_timeout_seconds=60))
        await clients[name].list_tools(cache_mode="bypass")
    times: dict[str, list[float]] = {name: [] for name in clients}
    for _ in range(LISTINGS):
        for name, client in clients.items():
            began = time.perf_counter()
            page = await client.list_tools(cache_mode="bypass")
            times[name].append((time.perf_counter() - began) * 1_000)
            assert len(page.tools) == TOOLS_LISTED
    return times


def row(subject: Subject, direct: Subject) -> dict[str, Figure]:
    """One line of the table."""
    ordered = sorted(subject.ms)
    return {
        "what": subject.name,
        "ms, median": statistics.median(ordered),
        "ms, p95": ordered[len(ordered) * 95 // 100],
        "ms added": None if subject is direct else subject.added(direct),
        "CPU ms of its process": subject.cpu,
        f"calls/s, {AT_ONCE} at once": round(AT_ONCE * 1_000 / statistics.median(subject.together_ms)),
    }


def shares(found: dict[str, Subject]) -> list[Goal]:
    """What ours adds, as a share of what the peer adds."""
    direct, goals = found["direct"], []
    for key, share in (("", STDIO_SHARE), (" http", HTTP_SHARE)):
        if f"peer{key}" in found:
            mine, its = found[f"ours{key}"], found[f"peer{key}"]
            name = f"{mine.name}: added, as a share of what FastMCP adds"
            value = mine.added(direct) / its.added(direct)
            goals.append(Goal(name=name, value=value, limit=share, keep="at most"))
    return goals


def run(calls: int, peers: bool) -> Result:
    """Measure in a directory that also holds the state of the run."""
    with tempfile.TemporaryDirectory(prefix="prowess-bench-") as home:
        for variable in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
            os.environ[variable] = str(Path(home, variable))
        os.environ["BENCH_TOKEN"] = "tok-5f0c9a7be2d14"
        found, listed = asyncio.run(measured(Path(home), calls, peers))
    rows = [row(each, found["direct"]) for each in found.values()]
    nothing: dict[str, Figure] = dict.fromkeys(rows[0])
    for name, times in listed.items():
        what = f"list of {TOOLS_LISTED} tools: {name}"
        rows.append({**nothing, "what": what, "ms, median": statistics.median(times), "ms, p95": max(times)})
    return Result(bench="gateway", settings={"calls": calls}, rows=rows, goals=shares(found))


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
