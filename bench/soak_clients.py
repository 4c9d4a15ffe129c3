"""Clients of `bench.soak` that speak raw JSON-RPC and miss nothing: an answer that comes twice, or to nobody.

Either era, over stdio (a gateway of its own) or over HTTP (one that several share).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx2

Era = Literal["modern", "legacy"]
Message = dict[str, Any]
VERSIONS: dict[Era, str] = {"modern": "2026-07-28", "legacy": "2025-11-25"}
ME = {"name": "soak", "version": "1"}
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
LONGEST_LINE = 16 * 1024 * 1024


@dataclass
class Client(ABC):
    """What is the same over both transports."""

    name: str
    era: Era
    gateway: int = 0  # the process
    told: dict[str, list[Message]] = field(default_factory=dict)  # progress, by token
    faults: list[str] = field(default_factory=list)
    _number: int = 0

    def request(self, method: str, params: Message, progress: str = "") -> Message:
        """A message with the next id and what the era says with each request."""
        self._number += 1
        meta: Message = {"progressToken": progress} if progress else {}
        if self.era == "modern":
            meta["io.modelcontextprotocol/protocolVersion"] = VERSIONS["modern"]
            meta["io.modelcontextprotocol/clientInfo"] = ME
            meta["io.modelcontextprotocol/clientCapabilities"] = {}
        sent = {**params, "_meta": meta} if meta else params
        return {"jsonrpc": "2.0", "id": self._number, "method": method, "params": sent}

    @abstractmethod
    async def ask(self, method: str, params: Message, *, progress: str = "") -> Message:
        """The answer, a result or an error. Cancelled, the request is taken back."""

    def hear(self, message: Message) -> None:
        """A notification."""
        if message.get("method") == "notifications/progress":
            params = message["params"]
            token = str(params["progressToken"])
            if token in self.told:
                self.told[token].append(params)


@dataclass
class Stdio(Client):
    """A client with a gateway of its own."""

    _waiting: dict[int, asyncio.Future[Message]] = field(default_factory=dict)
    _taken_back: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._process: asyncio.subprocess.Process

    async def ask(self, method: str, params: Message, *, progress: str = "") -> Message:
        request = self.request(method, params, progress)
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._waiting[request["id"]] = answer
        self._write(request)
        try:
            return await answer
        except asyncio.CancelledError:
            self._taken_back.add(request["id"])
            self._write(
                {
                    "jsonrpc": "2.0",
                    "method": "notifications/cancelled",
                    "params": {"requestId": request["id"]},
                }
            )
            raise
        finally:
            del self._waiting[request["id"]]

    def _write(self, message: Message) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")

    async def read(self) -> None:
        """Take what comes until the gateway is gone."""
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            message = json.loads(line)
            id = message.get("id")
            if "method" in message:
                self.hear(message)
            elif id in self._waiting and not self._waiting[id].done():
                self._waiting[id].set_result(message)
            elif id in self._waiting and self._waiting[id].cancelled():
                pass  # it is being taken back just now
            elif id in self._taken_back:
                self._taken_back.discard(id)  # it had been answered already; once is enough
            else:
                self.faults.append(f"{self.name}: an answer to nobody, or a second one: {str(message)[:200]}")

    @asynccontextmanager
    async def running(self, command: Sequence[str], log: int) -> AsyncIterator[None]:
        """The gateway runs while the block does; stderr goes to `log`."""
        self._process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            limit=LONGEST_LINE,
        )
        self.gateway = self._process.pid
        reading = asyncio.ensure_future(self.read())
        try:
            await self._shake_hands()
            yield
        finally:
            assert self._process.stdin is not None
            self._process.stdin.close()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), 20)
            if self._process.returncode is None:
                self.faults.append(f"{self.name}: the gateway did not end")
                self._process.kill()
            await asyncio.wait({reading}, timeout=5)
            reading.cancel()

    async def _shake_hands(self) -> None:
        if self.era == "legacy":
            hello = {"protocolVersion": VERSIONS["legacy"], "capabilities": {}, "clientInfo": ME}
            assert "result" in await asyncio.wait_for(self.ask("initialize", hello), 60)
            self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})


@dataclass
class Http(Client):
    """A client of a gateway that others use too."""

    _url: str = ""
    _session: str = ""

    def __post_init__(self) -> None:
        self._http: httpx2.AsyncClient

    async def ask(self, method: str, params: Message, *, progress: str = "") -> Message:
        request = self.request(method, params, progress)
        try:
            return await self._post(request)
        except asyncio.CancelledError:
            if self.era == "legacy":  # in the newer era going away says it
                told = {"method": "notifications/cancelled", "params": {"requestId": request["id"]}}
                await self._post({"jsonrpc": "2.0", **told})
            raise

    async def _post(self, message: Message) -> Message:
        headers = {
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": VERSIONS[self.era],
        }
        if self.era == "modern":
            headers["mcp-method"] = message["method"]
            if message["method"] in NAMED:
                headers["mcp-name"] = message["params"][NAMED[message["method"]]]
        if self._session:
            headers["mcp-session-id"] = self._session
        try:
            async with self._http.stream("POST", self._url, json=message, headers=headers) as response:
                self._session = response.headers.get("mcp-session-id", self._session)
                if response.status_code == 202:
                    return {}
                return await self._answer(message, response)
        except httpx2.HTTPError as error:
            said = f"{type(error).__name__}: {error}"
            self.faults.append(f"{self.name}: {message['method']} with id {message.get('id')}: {said}")
            return {"error": {"code": 0, "message": said}}

    async def _answer(self, message: Message, response: httpx2.Response) -> Message:
        answers = []
        async for each in _messages(response):
            if "method" in each:
                self.hear(each)
            else:
                answers.append(each)
        if [each.get("id") for each in answers] != [message["id"]]:
            said = f"HTTP {response.status_code}, answers to {[each.get('id') for each in answers]}"
            self.faults.append(f"{self.name}: {message['method']} with id {message['id']}: {said}")
            return {"error": {"code": 0, "message": said}}
        return answers[0]

    @asynccontextmanager
    async def running(self, url: str) -> AsyncIterator[None]:
        """Connected while the block runs."""
        self._url = url
        limits = httpx2.Limits(max_connections=64)
        async with httpx2.AsyncClient(trust_env=False, timeout=60, limits=limits) as self._http:
            if self.era == "legacy":
                hello = {"protocolVersion": VERSIONS["legacy"], "capabilities": {}, "clientInfo": ME}
                assert "result" in await self.ask("initialize", hello)
                await self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})
            yield


async def _messages(response: httpx2.Response) -> AsyncIterator[Message]:
    if response.headers.get("content-type", "").startswith("text/event-stream"):
        async for line in response.aiter_lines():
            if line.startswith("data:") and line[5:].strip():
                yield json.loads(line[5:])
        return
    text = await response.aread()
    if text:
        try:
            yield json.loads(text)
        except ValueError:
            yield {"id": None, "error": {"code": 0, "message": os.fsdecode(text[:200])}}
