"""A soak of `prowess serve`: mixed load while one server is killed and another one hangs.

Five clients (both eras, stdio and HTTP), three gateways, three servers behind each: `steady`; `killed`, which
gets SIGKILL every few seconds; `hanging`, which does nothing for a while now and then. Calls safe and unsafe
to repeat, lists, reads, prompts, progress, requests taken back. Each answer has to carry the token of its
request, the servers write down what they execute, and an error needs a kill or a hang that explains it.

    python -m bench.soak [--minutes 30] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import re
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.gateway import free_port, listening
from bench.packages import SCHEMAS, write_json
from bench.processes import rss_mib
from bench.result import Figure, Goal, Result
from bench.soak_clients import Client, Http, Message, Stdio

UPSTREAM = Path(__file__).with_name("soak_upstream.py")
SERVERS = ("steady", "killed", "hanging")
WORKERS = 3  # for each client
PAUSE_SECONDS = 0.03  # at most, between two actions of a worker
KILL_SECONDS = 10.0
HANG_EVERY, HANG_SECONDS = 150, 4.0
PATIENCE_SECONDS = 2.0  # the gateway's, with the server that hangs
BREAKER_SECONDS = 2.0
LOST_SECONDS = 45.0  # an answer that takes longer is lost
# How long after a kill a request may still have gone to the dead process, and the start of another one take.
AFTERMATH_SECONDS = 3.0
GROWN_MIB = 8.0
SETTLED = 0.3  # of the time; what memory there is then is what it is held against
CONFIG = f"""\
[plugins]
soak = "soak"
[serve]
names = "qualified"
idle_seconds = 0
[[policy.rules]]
action = "allow"
tool = "*"
[limits]
breaker_seconds = {BREAKER_SECONDS}
per_caller = 64
[[limits.tools]]
server = "*hanging"
timeout = {PATIENCE_SECONDS}
"""


@dataclass
class Findings:
    """What came of everything that was asked."""

    latency: dict[str, list[float]] = field(default_factory=dict)
    explained: Counter[str] = field(default_factory=Counter)
    unexplained: list[str] = field(default_factory=list)
    mixed_up: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    errors: list[tuple[str, str, float, float, str]] = field(default_factory=list)
    answered: set[str] = field(default_factory=set)  # tokens of calls
    sent: dict[str, str] = field(default_factory=dict)  # the tool, by token
    kills: list[float] = field(default_factory=list)
    taken_back: int = 0
    rss: dict[int, list[tuple[float, float]]] = field(default_factory=dict)

    def explain(self, hangs: Sequence[tuple[float, float]]) -> None:
        """Which errors a kill or a hang accounts for."""
        for action, server, began, ended, said in self.errors:
            if server == "killed":
                good = any(began - AFTERMATH_SECONDS <= kill <= ended for kill in self.kills)
            elif server == "hanging":
                after = PATIENCE_SECONDS + BREAKER_SECONDS + AFTERMATH_SECONDS
                good = any(start <= ended and began <= end + after for start, end in hangs)
            else:
                good = False
            if good:
                self.explained[action] += 1
            else:
                self.unexplained.append(f"{action} at {server}: {said}")


class Worker:
    """Does one thing after another on a client, and holds every answer against what was asked."""

    def __init__(self, client: Client, findings: Findings, number: int) -> None:
        self.client = client
        self.findings = findings
        self._random = random.Random(number)
        self._name = f"{client.name}-{number}"
        self._names: dict[tuple[str, str], str] = {}  # what a tool or prompt of a server is called here
        self._count = 0

    async def run(self, until: float) -> None:
        """Until then."""
        for method, key in (("tools/list", "tools"), ("prompts/list", "prompts")):
            listed = (await self.client.ask(method, {}))["result"][key]
            for server in SERVERS:
                for name in ("look", "act", "work", f"say_{server}"):
                    for each in listed:
                        if re.search(f"(?:^|_){server}_+{name}(?:_[0-9a-f]+)?$", each["name"]):
                            self._names[server, name] = each["name"]
        actions = [self.call, self.call, self.call, self.list, self.read, self.prompt, self.work, self.leave]
        while time.time() < until:
            await self._random.choice(actions)(self._random.choice(SERVERS))
            await asyncio.sleep(self._random.random() * PAUSE_SECONDS)

    def _token(self, tool: str) -> str:
        self._count += 1
        token = f"{self._name}-{self._count}"
        self.findings.sent[token] = tool
        return token

    async def _asked(
        self, action: str, server: str, method: str, params: Message, **more: Any
    ) -> Message | None:
        """The result, where there is one and it is no error."""
        began = time.time()
        try:
            async with asyncio.timeout(LOST_SECONDS):
                answer = await self.client.ask(method, params, **more)
        except TimeoutError:
            self.findings.lost.append(f"{self._name}: {action} at {server}")
            return None
        ended = time.time()
        self.findings.latency.setdefault(action, []).append((ended - began) * 1_000)
        result = answer.get("result")
        if isinstance(result, dict) and not result.get("isError"):
            return result
        self.findings.errors.append((action, server, began, ended, str(answer)[:300]))
        return None

    def _hold(self, token: str, said: Any, action: str) -> None:
        if said != token:
            self.findings.mixed_up.append(f"{action}: {token} was answered with {said}")

    async def call(self, server: str) -> None:
        """A tool, safe to repeat or not."""
        tool = self._random.choice(("look", "act"))
        token = self._token(tool)
        params = {"name": self._names[server, tool], "arguments": {"token": token}}
        result = await self._asked(tool, server, "tools/call", params)
        if result is not None:
            self.findings.answered.add(token)
            self._hold(token, result["structuredContent"]["token"], tool)

    async def list(self, server: str) -> None:
        """All tools of all servers, whatever has become of them."""
        result = await self._asked("list", "steady", "tools/list", {})
        if result is not None and len(result["tools"]) != 3 * len(SERVERS):
            self.findings.unexplained.append(f"a list of {len(result['tools'])} tools")

    async def read(self, server: str) -> None:
        """A resource."""
        result = await self._asked("read", server, "resources/read", {"uri": f"memo://{server}/note"})
        if result is not None:
            self._hold(server, result["contents"][0]["text"], "read")

    async def prompt(self, server: str) -> None:
        """A prompt."""
        token = f"{self._name}-{self._random.random()}"
        params = {"name": self._names[server, f"say_{server}"], "arguments": {"token": token}}
        result = await self._asked("prompt", server, "prompts/get", params)
        if result is not None:
            self._hold(token, result["messages"][0]["content"]["text"], "prompt")

    async def work(self, server: str) -> None:
        """A tool that takes a while, with progress that comes before its result, in order."""
        token = self._token("work")
        told = self.client.told.setdefault(token, [])
        params = {"name": self._names[server, "work"], "arguments": {"token": token, "seconds": 0.05}}
        result = await self._asked("work", server, "tools/call", params, progress=token)
        del self.client.told[token]
        if result is not None:
            self.findings.answered.add(token)
            self._hold(token, result["structuredContent"]["token"], "work")
            if [each["progress"] for each in told] != list(range(1, 11)):
                self.findings.mixed_up.append(f"work: {token} heard {[each['progress'] for each in told]}")
        for each in told:
            self._hold(token, each["message"], "progress")

    async def leave(self, server: str) -> None:
        """A request that is taken back."""
        token = self._token("work")
        params = {"name": self._names[server, "work"], "arguments": {"token": token, "seconds": 30}}
        asked = asyncio.ensure_future(self._asked("leave", server, "tools/call", params))
        await asyncio.wait({asked}, timeout=self._random.random() * 0.1)
        self.findings.taken_back += asked.cancel()
        await asyncio.wait({asked})


# -- what is served --------------------------------------------------------------------------------


def write_configuration(home: Path) -> Path:
    """The package of the three servers and the configuration around it."""
    folder = home / "soak"
    folder.mkdir()
    (home / "log").mkdir()
    program = folder / "upstream"
    program.write_text(f"#!{sys.executable} -IS\n" + UPSTREAM.read_text(encoding="utf-8"), encoding="utf-8")
    program.chmod(0o755)
    servers = {
        name: {
            "type": "stdio",
            "command": "./upstream",
            "args": [name, str(home / "log"), str(HANG_EVERY if name == "hanging" else 0), str(HANG_SECONDS)],
        }
        for name in SERVERS
    }
    write_json(folder / "plugin.json", {"$schema": f"{SCHEMAS}/plugin.schema.json", "name": "soak"})
    write_json(folder / "mcp.json", {"$schema": f"{SCHEMAS}/mcp.schema.json", "mcpServers": servers})
    file = home / "prowess.toml"
    file.write_text(CONFIG, encoding="utf-8")
    return file


@asynccontextmanager
async def clients(home: Path, file: Path) -> AsyncIterator[list[Client]]:
    """Five clients of three gateways."""
    command = [sys.executable, "-m", "prowess", "serve", str(file)]
    with (home / "stderr").open("wb") as log:
        async with AsyncExitStack() as stack:
            over_stdio = [Stdio("stdio", "modern"), Stdio("stdio-old", "legacy")]
            for each in over_stdio:
                await stack.enter_async_context(each.running([*command, "--stdio"], log.fileno()))
            port = free_port()
            http = [*command, "--http", f"127.0.0.1:{port}"]
            url = stack.enter_context(listening(http, port, log.fileno()))
            over_http = [Http("http", "modern"), Http("http-too", "modern"), Http("http-old", "legacy")]
            for other in over_http:
                other.gateway = _listener(home, file)
                await stack.enter_async_context(other.running(url))
            yield [*over_stdio, *over_http]


def _listener(home: Path, file: Path) -> int:
    """The gateway over HTTP, as the list of our processes tells it."""
    return next((pid for pid, command in _processes() if "--http" in command and str(file) in command), 0)


def _processes() -> Iterator[tuple[int, str]]:
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            with contextlib.suppress(OSError):
                yield int(each.name), (each / "cmdline").read_bytes().replace(b"\0", b" ").decode()


def upstreams(home: Path, label: str = "") -> list[int]:
    """The servers of this run that are there now."""
    marker = f"{home}/log" if not label else f" {label} {home}/log"
    return [pid for pid, command in _processes() if "upstream" in command and marker in command]


# -- what goes on meanwhile --------------------------------------------------------------------------


async def kill(home: Path, findings: Findings, every: float) -> None:
    """SIGKILL for `killed`, again and again."""
    while True:
        await asyncio.sleep(every)
        for pid in await asyncio.to_thread(upstreams, home, "killed"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        findings.kills.append(time.time())


async def watch(gateways: set[int], findings: Findings) -> None:
    """The memory of the gateways, once a second."""
    while True:
        await asyncio.sleep(1)
        for pid in gateways:
            memory = rss_mib(pid)
            if memory is not None:
                findings.rss.setdefault(pid, []).append((time.time(), memory))


async def soak(home: Path, minutes: float) -> tuple[Findings, list[str]]:
    """Everything at once, for so long; what the clients complain of."""
    findings = Findings()
    file = write_configuration(home)
    async with clients(home, file) as found:
        until = time.time() + minutes * 60
        workers = [Worker(each, findings, number) for each in found for number in range(WORKERS)]
        every = min(KILL_SECONDS, minutes * 60 / 4)
        meanwhile = [
            asyncio.ensure_future(kill(home, findings, every)),
            asyncio.ensure_future(watch({each.gateway for each in found if each.gateway}, findings)),
        ]
        try:
            await asyncio.gather(*(each.run(until) for each in workers))
        finally:
            for each in meanwhile:
                each.cancel()
    findings.explain(hangs(home))
    return findings, [fault for each in found for fault in each.faults]


def lines(home: Path, name: str) -> list[str]:
    """All lines of the servers' files of that name."""
    files = sorted((home / "log").glob(f"{name}-*"))
    return [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def hangs(home: Path) -> list[tuple[float, float]]:
    """When a server did nothing."""
    return [(float(a), float(b)) for a, b in (line.split() for line in lines(home, "hung"))]


def grown(findings: Findings) -> float:
    """The MiB that the gateway which grew most has more at the end than once it was settled."""
    found = []
    for samples in findings.rss.values():
        memory = [each for _, each in samples]
        settled = memory[int(len(memory) * SETTLED) :]
        part = max(1, len(settled) // 5)
        if settled:
            found.append(statistics.median(settled[-part:]) - statistics.median(settled[:part]))
    return max(found, default=0.0)


# -- the outcome -------------------------------------------------------------------------------------


def rows(findings: Findings) -> list[dict[str, Figure]]:
    """What was asked, how often, how fast."""
    table: list[dict[str, Figure]] = []
    for action, times in sorted(findings.latency.items()):
        ordered = sorted(times)
        table.append(
            {
                "what": action,
                "answers": len(ordered),
                "errors, explained": findings.explained[action],
                "ms, median": statistics.median(ordered),
                "ms, p99": ordered[len(ordered) * 99 // 100],
            }
        )
    return table


def goals(findings: Findings, home: Path, faults: Sequence[str], left: int) -> list[Goal]:
    """What must not have happened."""
    ran = Counter(lines(home, "ran"))
    twice = [token for token, times in ran.items() if times > 1 and findings.sent.get(token) != "look"]
    unheard = [token for token in findings.answered if not ran[token]]
    complaints = {
        "answers that were not their request's": [*findings.mixed_up, *unheard],
        "answers that came twice or to nobody": list(faults),
        "answers lost": findings.lost,
        "calls unsafe to repeat that ran twice": twice,
        "errors that no kill or hang explains": findings.unexplained,
    }
    for what, each in complaints.items():
        for line in each[:5]:
            print(f"{what}: {line}", file=sys.stderr)
    never = [Goal(name=what, value=len(each), limit=0, keep="at most") for what, each in complaints.items()]
    return [
        *never,
        Goal(name="processes left", value=left, limit=0, keep="at most"),
        Goal(name="MiB that a gateway grew by", value=grown(findings), limit=GROWN_MIB, keep="at most"),
    ]


def run(minutes: float) -> Result:
    """Soak in a directory that also holds the state of the run."""
    with tempfile.TemporaryDirectory(prefix="prowess-soak-") as place:
        home = Path(place)
        for variable in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
            os.environ[variable] = str(home / variable)
        findings, faults = asyncio.run(soak(home, minutes))
        left = len(upstreams(home))
        found = goals(findings, home, faults, left)
        if not all(goal.met for goal in found):
            print((home / "stderr").read_text(encoding="utf-8")[-20_000:], file=sys.stderr)
        settings: dict[str, Figure] = {
            "minutes": minutes,
            "kills": len(findings.kills),
            "hangs": len(hangs(home)),
            "requests taken back": findings.taken_back,
            "gateways": len(findings.rss),
        }
    return Result(bench="soak", settings=settings, rows=rows(findings), goals=found)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    return run(given.minutes).report(as_json=given.json)


if __name__ == "__main__":
    sys.exit(main())
