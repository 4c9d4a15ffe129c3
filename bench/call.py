"""What the call path adds to a call: a Host with everything on against a bare call of the MCP SDK.

All subjects call the same tool of the same program, over stdio each in a process of its own, in memory
over one connection. They take turns; what one adds is taken in each round and the median counts. With
everything on means: arguments validated, tool pinned, policy asked, log lines written, an injected
secret masked in the result, and the record committed to SQLite before the call answers.

    python -m bench.call [--calls 2000] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from bench.bring_up import write_package
from bench.probe import TOOLS, answer
from bench.result import Figure, Goal, Result

LIMIT_MS = 0.6
FULL = "stdio: Host, everything on"
TOOL = "list_records"
ARGUMENTS = {"week": "2026-W31", "limit": 20}
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
LOG = '[log]\nto = "calls.log"\n'

Call = Callable[[], Awaitable[Any]]


class Subject:
    """One way to make the call, and the milliseconds that each took."""

    def __init__(self, name: str, call: Call, bare: Subject | None = None) -> None:
        self.name = name
        self.call = call
        self.bare = bare
        self.ms: list[float] = []

    async def measure(self) -> None:
        """One call."""
        began = time.perf_counter()
        await self.call()
        self.ms.append((time.perf_counter() - began) * 1_000)

    @property
    def added(self) -> float:
        """The median of what each call took longer than the bare one of its round."""
        if self.bare is None:
            return 0.0
        return statistics.median(mine - its for mine, its in zip(self.ms, self.bare.ms, strict=True))

    def row(self) -> dict[str, Figure]:
        """One line of the table."""
        added = self.added if self.bare is not None else None
        ordered = sorted(self.ms)
        p95 = ordered[len(ordered) * 95 // 100]
        return {
            "what": self.name,
            "ms, median": statistics.median(ordered),
            "ms, p95": p95,
            "ms added": added,
        }


async def bare(stack: AsyncExitStack, server: Any) -> Call:
    """A call of the SDK alone; one that fails ends the benchmark."""
    from mcp import Client

    client = await stack.enter_async_context(Client(server))

    async def call() -> None:
        result = await client.call_tool(TOOL, ARGUMENTS)
        assert not result.is_error

    return call


async def through_host(stack: AsyncExitStack, path: Path, **settings: Any) -> Call:
    """A call through a Host opened from a configuration."""
    from prowess import Answered, Host

    host = await stack.enter_async_context(Host.open(path, **settings))

    async def call() -> None:
        assert isinstance(await host.call(TOOL, ARGUMENTS), Answered)

    return call


def write_config(home: Path, name: str, text: str) -> Path:
    """A configuration around the probe, in a folder of its own."""
    folder = home / name
    write_package(folder / "probe", ["probe"])
    (folder / "prowess.toml").write_text(text, encoding="utf-8")
    return folder / "prowess.toml"


async def over_stdio(stack: AsyncExitStack, home: Path) -> list[Subject]:
    """The subjects that call a process."""
    from mcp import StdioServerParameters

    from prowess.call.recording import MemoryRecorder

    program = write_package(home / "bare", ["probe"]) / "probe"
    sdk = Subject("stdio: the SDK alone", await bare(stack, StdioServerParameters(command=str(program))))
    full = write_config(home, "full", CONFIG + LOG)
    quiet = write_config(home, "quiet", CONFIG.partition("[servers")[0])
    unrecorded = await through_host(stack, full, records=MemoryRecorder())
    return [
        sdk,
        Subject(FULL, await through_host(stack, full), sdk),
        Subject("stdio: Host, records in memory only", unrecorded, sdk),
        Subject("stdio: Host, no log lines, nothing to mask", await through_host(stack, quiet), sdk),
    ]


class InMemory:
    """A Provider around a client of the SDK, for the path's own cost without any link of ours."""

    label = "probe"

    def __init__(self, client: Any) -> None:
        from prowess import Offer, Tool

        tools = tuple(Tool(server=self.label, wire=each) for each in TOOLS)
        self._client = client
        self._offer = Offer(id=self.label, type="memory", status="connected", tools=tools)

    async def open(self) -> Any:
        return self._offer

    def offer(self) -> Any:
        return self._offer

    async def call(self, invocation: Any) -> Any:
        from prowess import Answered

        result = await self._client.call_tool(invocation.tool, dict(invocation.arguments))
        return Answered(value=result.structured_content)

    async def close(self) -> None: ...


async def in_memory(stack: AsyncExitStack, home: Path) -> list[Subject]:
    """The subjects that call a server of this process."""
    import mcp_types as types
    from mcp import Client
    from mcp.server.lowlevel import Server

    async def listed(context: Any, params: Any) -> Any:
        return types.ListToolsResult.model_validate(answer("tools/list", {}))

    async def called(context: Any, params: Any) -> Any:
        return types.CallToolResult.model_validate(answer("tools/call", {"arguments": ARGUMENTS}))

    client = await stack.enter_async_context(
        Client(Server("probe", on_list_tools=listed, on_call_tool=called))
    )

    async def alone() -> None:
        result = await client.call_tool(TOOL, ARGUMENTS)
        assert not result.is_error

    sdk = Subject("in memory: the SDK alone", alone)
    config = write_config(home, "memory", CONFIG + LOG)
    host = await through_host(stack, config, providers=[InMemory(client)])
    return [sdk, Subject("in memory: Host, everything on", host, sdk)]


def parts(home: Path) -> list[Subject]:
    """Single steps of the path, each by itself."""
    from prowess.call.recording import Journal
    from prowess.call.redaction import redacted
    from prowess.call.schemas import Schemas
    from prowess.call.validation import problems
    from prowess.redact import Redactor
    from prowess.store.database import Database
    from prowess.store.records import Records

    schemas, redactor = Schemas(), Redactor([os.environ["BENCH_TOKEN"]])
    journal = Journal(Records(Database(str(home / "parts.sqlite3"))))
    result = (answer("tools/call", {"arguments": ARGUMENTS}) or {})["structuredContent"]

    async def validate() -> None:
        assert not problems(TOOLS[0]["inputSchema"], ARGUMENTS, schemas=schemas)

    async def redact() -> None:
        redacted(ARGUMENTS, redactor.text, names=True)
        redacted(result, redactor.text, names=True)
        redacted(result, redactor.known)

    async def record() -> None:
        await journal.commit(a_record())

    return [
        Subject("step: arguments validated", validate),
        Subject("step: arguments and result redacted", redact),
        Subject("step: record committed", record),
    ]


def a_record() -> Any:
    """A record as a call makes it."""
    import uuid

    from prowess.store.remembered import CallRecord

    number = uuid.uuid4().hex
    return CallRecord(
        id=number,
        tool=TOOL,
        server="probe",
        version="",
        outcome="answered",
        code="",
        attempts=1,
        duration_ms=1.0,
        argument_bytes=40,
        result_bytes=700,
        principal="local",
        conversation="",
        skill="",
        trace_id=number,
        started=time.time(),
    )


async def measured(home: Path, calls: int) -> list[Subject]:
    """Every subject, after taking turns."""
    async with AsyncExitStack() as stack:
        subjects = [*await over_stdio(stack, home), *await in_memory(stack, home)]
        subjects += parts(home)
        for each in subjects:
            await each.call()  # caches, pins, the file of records
        for _ in range(calls):
            for each in subjects:
                await each.measure()
    return subjects


def run(calls: int) -> Result:
    """Measure in a directory that also holds the state of the run."""
    with tempfile.TemporaryDirectory(prefix="prowess-bench-") as home:
        for variable in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
            os.environ[variable] = str(Path(home, variable))
        os.environ["BENCH_TOKEN"] = "tok-5f0c9a7be2d14"
        subjects = asyncio.run(measured(Path(home), calls))
    goals = [
        Goal(name=f"{each.name}, ms added", value=each.added, limit=LIMIT_MS, keep="less than")
        for each in subjects
        if each.name == FULL
    ]
    return Result(
        bench="call", settings={"calls": calls}, rows=[each.row() for each in subjects], goals=goals
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.call", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--calls", type=int, default=2_000)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    return run(given.calls).report(as_json=given.json)


if __name__ == "__main__":
    sys.exit(main())
