"""Clients that speak raw JSON-RPC, over the standard streams of a process or over HTTP, in either era.

Nothing is parsed but the JSON itself, so that two servers can be held against each other member by
member. Without asyncio, for the property tests.
"""

from __future__ import annotations

import http.client
import itertools
import json
import queue
import socket
import subprocess
import threading
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

from tests.bounds import bound

Message = dict[str, Any]
Reply = Message | Callable[[], Message]  # a result or an error, or what gives one when it is asked
Era = Literal["modern", "legacy"]
MODERN, LEGACY = "2026-07-28", "2025-11-25"
PREFIX = "io.modelcontextprotocol/"
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
SECONDS = bound(20)


@dataclass(slots=True, kw_only=True)
class Said:
    """The answer to a request, and what came before it: notifications, and questions of the server's."""

    answer: Message
    before: list[Message] = field(default_factory=list)

    @property
    def result(self) -> Any:
        """The result; an assertion where there is an error."""
        assert "result" in self.answer, self.answer
        return self.answer["result"]

    @property
    def error(self) -> Any:
        """The error; an assertion where there is none."""
        assert "error" in self.answer, self.answer
        return self.answer["error"]


class Pipe:
    """One process, a message a line."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._waiting: dict[Any, queue.SimpleQueue[Message]] = {}
        self.unasked: queue.SimpleQueue[Message] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with suppress(ValueError):  # closed under our feet, or a last line that was cut off
            for line in self._process.stdout:
                self._sort(json.loads(line))

    def _sort(self, message: Message) -> None:
        waiting = dict(self._waiting)  # others come and go meanwhile
        asked = waiting.get(message.get("id")) if "method" not in message else None
        if asked is not None:
            asked.put(message)
        elif len(waiting) == 1 and message.get("method") not in CHANGES:
            (only,) = waiting.values()
            only.put(message)  # a notification belongs to the one request that is open
        else:
            self.unasked.put(message)

    def send(self, message: Message) -> None:
        """Send one message."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def close(self) -> None:
        """Go away."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def begin(self, message: Message) -> queue.SimpleQueue[Message]:
        """Send a request; what comes until its answer is in the queue."""
        out: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._waiting[message["id"]] = out
        self.send(message)
        return out

    def end(self, id: Any) -> None:
        """Nobody waits for this request any more."""
        self._waiting.pop(id, None)


class Streams:
    """One endpoint over HTTP; every request has a connection of its own."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        assert parts.hostname is not None
        self._place = (parts.hostname, parts.port)
        self._path = parts.path
        self.session = ""
        self.version = ""
        self.unasked: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._open: dict[Any, http.client.HTTPConnection] = {}

    def _post(self, message: Message) -> http.client.HTTPConnection:
        headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        params = message.get("params") or {}
        meta = params.get("_meta") if isinstance(params, dict) else None
        version = meta.get(f"{PREFIX}protocolVersion") if isinstance(meta, dict) else None
        if version:
            headers |= {"mcp-protocol-version": version, "mcp-method": message["method"]}
            name = params.get(NAMED.get(message["method"], ""))
            if isinstance(name, str):
                headers["mcp-name"] = encoded(name)
        elif self.session:
            headers |= {"mcp-session-id": self.session, "mcp-protocol-version": self.version}
        connection = http.client.HTTPConnection(*self._place, timeout=SECONDS)
        connection.request("POST", self._path, json.dumps(message), headers)
        return connection

    def send(self, message: Message) -> None:
        """Send what has no answer."""
        connection = self._post(message)
        connection.getresponse().read()
        connection.close()

    def begin(self, message: Message) -> queue.SimpleQueue[Message]:
        """Send a request; what comes until its answer is in the queue."""
        out: queue.SimpleQueue[Message] = queue.SimpleQueue()
        connection = self._open[message["id"]] = self._post(message)
        threading.Thread(target=self._pass_on, args=(connection, out.put), daemon=True).start()
        return out

    def _pass_on(self, connection: http.client.HTTPConnection, put: Callable[[Message], None]) -> None:
        with closing(connection):
            self._read(connection, put)

    def _read(self, connection: http.client.HTTPConnection, put: Callable[[Message], None]) -> None:
        try:
            with connection.getresponse() as response:
                self._messages(response, put)
        except (OSError, ValueError, http.client.HTTPException, AttributeError):
            return  # hung up, by either side

    def _messages(self, response: http.client.HTTPResponse, put: Callable[[Message], None]) -> None:
        self.session = response.getheader("mcp-session-id") or self.session
        if "event-stream" not in (response.getheader("content-type") or ""):
            body = response.read()
            put(json.loads(body) if body else {"status": response.status})
            return
        data: list[str] = []
        for raw in response:
            line = raw.decode().rstrip("\r\n")
            if line.startswith("data:"):
                data.append(line[5:].removeprefix(" "))
            elif not line and "".join(data):
                put(json.loads("\n".join(data)))
                data = []

    def listen(self) -> None:
        """Open the session's own stream (2025-11-25); what comes there is in `unasked`."""
        connection = self._open["GET"] = http.client.HTTPConnection(*self._place, timeout=SECONDS)
        headers = {
            "accept": "text/event-stream",
            "mcp-session-id": self.session,
            "mcp-protocol-version": self.version,
        }
        connection.request("GET", self._path, headers=headers)
        threading.Thread(target=self._pass_on, args=(connection, self.unasked.put), daemon=True).start()

    def delete(self) -> None:
        """End the session (2025-11-25)."""
        connection = http.client.HTTPConnection(*self._place, timeout=SECONDS)
        headers = {"mcp-session-id": self.session, "mcp-protocol-version": self.version}
        connection.request("DELETE", self._path, headers=headers)
        connection.getresponse().read()
        connection.close()

    def close(self) -> None:
        """Hang up everywhere."""
        for id in list(self._open):
            self.end(id)

    def end(self, id: Any) -> None:
        """Hang up where the request is not answered yet."""
        connection = self._open.pop(id, None)
        if connection is not None:
            if connection.sock is not None:
                with suppress(OSError):  # a thread may be reading from it
                    connection.sock.shutdown(socket.SHUT_RDWR)
            connection.close()


CHANGES = (
    "notifications/tools/list_changed",
    "notifications/prompts/list_changed",
    "notifications/resources/list_changed",
    "notifications/resources/updated",
)


class Raw:
    """A client of one era. `capabilities` are what it declares."""

    def __init__(self, way: Pipe | Streams, era: Era, capabilities: Mapping[str, Any] | None = None) -> None:
        self.way = way
        self.era = era
        self.capabilities = dict(capabilities or {})
        self._numbers = itertools.count(1)
        self.greeting: Message = {}
        if era == "legacy":
            self._shake_hands()

    def _shake_hands(self) -> None:
        info = {"name": "raw", "version": "0"}
        said = self.ask(
            "initialize",
            {"protocolVersion": LEGACY, "capabilities": self.capabilities, "clientInfo": info},
        )
        self.greeting = said.result
        if isinstance(self.way, Streams):
            self.way.version = LEGACY
        self.tell("notifications/initialized")

    def tell(self, method: str, params: Message | None = None) -> None:
        """Send a notification."""
        self.way.send({"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})})

    def request(self, method: str, params: Message | None) -> Message:
        """A request as this era wants it, with a new id."""
        message: Message = {"jsonrpc": "2.0", "id": next(self._numbers), "method": method}
        if self.era == "modern":
            params = dict(params or {})
            params["_meta"] = {
                f"{PREFIX}protocolVersion": MODERN,
                f"{PREFIX}clientCapabilities": self.capabilities,
                f"{PREFIX}clientInfo": {"name": "raw", "version": "0"},
                **params.get("_meta", {}),
            }
        return message if params is None else {**message, "params": params}

    def begin(self, method: str, params: Message | None = None) -> tuple[Any, queue.SimpleQueue[Message]]:
        """Ask and do not wait: the id and what comes."""
        message = self.request(method, params)
        return message["id"], self.way.begin(message)

    def ask(
        self,
        method: str,
        params: Message | None = None,
        answers: Mapping[str, Reply] | None = None,
    ) -> Said:
        """Ask and wait; `answers` are the results (or errors) of what the server asks meanwhile."""
        id, out = self.begin(method, params)
        before: list[Message] = []
        try:
            while True:
                message = out.get(timeout=SECONDS)
                if "method" not in message:
                    return Said(answer=message, before=before)
                before.append(message)
                if "id" in message:
                    reply = (answers or {}).get(message["method"], {"error": {"code": -1, "message": "no"}})
                    reply = reply() if callable(reply) else reply
                    self.way.send({"jsonrpc": "2.0", "id": message["id"], **reply})
        finally:
            self.way.end(id)

    def abandon(self, id: Any) -> None:
        """Give up a request, in the way of this transport and era."""
        if isinstance(self.way, Pipe) or self.era == "legacy":
            self.tell("notifications/cancelled", {"requestId": id, "reason": "not wanted"})
        self.way.end(id)

    def play(
        self,
        *steps: Message,
        method: str = "tools/call",
        answers: Mapping[str, Reply] | None = None,
        meta: Message | None = None,
        **params: Any,
    ) -> Said:
        """Have the mirror follow a script."""
        if method == "tools/call":
            params = {"name": "do", "arguments": {}, **params}
        return self.ask(method, {**params, "_meta": {"test/script": list(steps), **(meta or {})}}, answers)


def encoded(name: str) -> str:
    """A name as a header has it (MCP 2026-07-28, Base64 where it is not plain)."""
    import base64

    plain = name.isascii() and name.isprintable() and name == name.strip() and name
    return name if plain else f"=?base64?{base64.b64encode(name.encode()).decode()}?="
