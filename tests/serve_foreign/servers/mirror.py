"""An MCP server of both eras that answers what the request's `_meta["test/script"]` says.

A script is a list of steps: `{"notify": [method, params]}`, `{"ask": [method, params]}`, `{"wait": name}`
(until somebody calls `go` with that name, or the request is cancelled), `{"result": ...}`, `{"error": ...}`,
`{"text": JSON}` (a result exactly as it is written). Without the last three the answer tells what arrived.
Stdlib alone.
"""

from __future__ import annotations

import itertools
import json
import os
import threading
from collections.abc import Callable
from typing import Any

from tests.serve_foreign.servers import offer

Message = dict[str, Any]
Say = Callable[[Message], None]
MODERN = "2026-07-28"
VERSION = "io.modelcontextprotocol/protocolVersion"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
PATIENCE = 30.0
PAGE = 2
NEWS = {
    "tools": "notifications/tools/list_changed",
    "prompts": "notifications/prompts/list_changed",
    "resources": "notifications/resources/list_changed",
    "resource": "notifications/resources/updated",
}
FILTERS = {"tools": "toolsListChanged", "prompts": "promptsListChanged", "resources": "resourcesListChanged"}


class Fault(Exception):
    """An error of the protocol, as it is sent."""

    def __init__(self, error: Message) -> None:
        self.error = error


class Text(str):
    """A result that is sent as it is written."""


def written(message: Message) -> bytes:
    """A message as it is sent."""
    result = message.get("result")
    if isinstance(result, Text):
        return f'{{"jsonrpc":"2.0","id":{json.dumps(message["id"])},"result":{result}}}'.encode()
    return json.dumps(message).encode()


class Session:
    """One client: its own way to be told things, what it declared and what it said."""

    def __init__(self, name: str, say: Say) -> None:
        self.name = name
        self.say = say
        self.initialize: Message = {}
        self.heard: list[Message] = []
        self.subscribed: list[str] = []
        self.level: Any = None
        self.cancelled: dict[Any, threading.Event] = {}
        self.answers: dict[str, tuple[threading.Event, Message]] = {}


class Mirror:
    """What all clients of one process share."""

    def __init__(self, *, paged: bool) -> None:
        self.paged = paged
        self.sessions: dict[str, Session] = {}
        self.numbers = itertools.count(1)
        self.going: dict[str, threading.Event] = {}
        self.log: list[str] = []
        self.waiting: list[str] = []
        self.streams: dict[Any, tuple[Message, Say]] = {}
        self.lists = {method: (key, list(known)) for method, (key, known) in offer.LISTS.items()}

    def event(self, name: str) -> threading.Event:
        return self.going.setdefault(name, threading.Event())

    # -- one message ---------------------------------------------------------------------------------

    def take(self, session: Session, message: Message, say: Say) -> None:
        """Act on a message; the answer and whatever comes before it goes through `say`."""
        method = message.get("method")
        if method is None:
            arrived, box = session.answers.pop(str(message.get("id")), (None, {}))
            if arrived is not None:
                box.update(message)
                arrived.set()
        elif "id" not in message:
            self.hear(session, message)
        else:
            reply: Message = {"jsonrpc": "2.0", "id": message["id"]}
            try:
                result = self.answer(session, message, say)
            except Fault as fault:
                say({**reply, "error": fault.error})
            else:
                if result is not None:
                    say({**reply, "result": result})

    def hear(self, session: Session, message: Message) -> None:
        session.heard.append({key: each for key, each in message.items() if key != "jsonrpc"})
        if message["method"] == "notifications/cancelled":
            self.cancel(session, message.get("params", {}).get("requestId"))

    def cancel(self, session: Session, request: Any) -> None:
        self.streams.pop(request, None)
        if (event := session.cancelled.get(request)) is not None:
            event.set()

    def answer(self, session: Session, message: Message, say: Say) -> Any:
        method, params = message["method"], message.get("params") or {}
        meta = params.get("_meta") or {}
        modern = VERSION in meta
        if "test/script" in meta:
            return self.play(session, message, say)
        if method == "initialize":
            session.initialize = params
            asked = params.get("protocolVersion")
            return {
                "protocolVersion": asked if asked != MODERN else "2025-11-25",
                "capabilities": offer.CAPABILITIES,
                "serverInfo": {"name": "mirror", "version": "1", "unknown": None},
                "instructions": offer.INSTRUCTIONS,
            }
        if method == "server/discover":
            return {
                "resultType": "complete",
                "supportedVersions": [MODERN],
                "capabilities": offer.CAPABILITIES,
                "instructions": offer.INSTRUCTIONS,
                "ttlMs": 5_000,
                "cacheScope": "public",
            }
        if method == "ping" and not modern:
            return {}
        if method in self.lists:
            return self.page(method, params, modern=modern)
        if method == "subscriptions/listen":
            return self.listen(message, say)
        if method in ("resources/subscribe", "resources/unsubscribe", "logging/setLevel"):
            return self.set(session, method, params)
        if method == "tools/call" and params.get("name") in ("state", "go", "change"):
            return self.own(session, params, modern=modern)
        if method in ("tools/call", "prompts/get", "resources/read", "completion/complete"):
            return self.told(method, params, [], modern=modern)
        raise Fault({"code": -32601, "message": "Method not found", "data": {"what": method, "null": None}})

    def page(self, method: str, params: Message, *, modern: bool) -> Message:
        key, known = self.lists[method]
        start = int(params.get("cursor") or 0)
        shown = known[start : start + PAGE] if self.paged else known
        result: Message = {key: shown}
        if self.paged and start + PAGE < len(known):
            result["nextCursor"] = str(start + PAGE)
        if modern:
            result |= {"resultType": "complete", "ttlMs": 60_000, "cacheScope": "public"}
        return result

    def set(self, session: Session, method: str, params: Message) -> Message:
        if method == "logging/setLevel":
            session.level = params.get("level")
        elif method == "resources/subscribe":
            session.subscribed.append(str(params.get("uri")))
        elif params.get("uri") in session.subscribed:
            session.subscribed.remove(str(params.get("uri")))
        return {}

    def told(self, method: str, params: Message, answers: list[Any], *, modern: bool) -> Message:
        """What arrived, in a form that the method's result may have."""
        result: Message = {"arrived": {"method": method, "params": params, "answers": answers}}
        shape: dict[str, Message] = {
            "tools/call": {"content": [{"type": "text", "text": str(params.get("name"))}]},
            "prompts/get": {"messages": []},
            "resources/read": {"contents": []},
            "completion/complete": {"completion": {"values": []}},
        }
        result |= shape.get(method, {})
        if params.get("name") == "typed":
            result["structuredContent"] = {"n": 1}
        return {**result, "resultType": "complete"} if modern else result

    # -- scripts -------------------------------------------------------------------------------------

    def play(self, session: Session, message: Message, say: Say) -> Any:
        params = message["params"]
        meta = params["_meta"]
        stopped = session.cancelled[message["id"]] = threading.Event()
        answers: list[Any] = []
        try:
            for step in meta["test/script"]:
                (kind, what), *_ = step.items()
                if kind == "result":
                    return what
                if kind == "text":
                    return Text(what)
                if kind == "error":
                    raise Fault(what)
                if kind == "notify":
                    method, sent = what
                    if sent is not None and sent.get("progressToken") == "$token":
                        sent = {**sent, "progressToken": meta.get("progressToken")}
                    say({"jsonrpc": "2.0", "method": method, **({} if sent is None else {"params": sent})})
                elif kind == "ask":
                    answers.append(self.ask(session, what[0], what[1], say))
                elif kind == "wait" and not self.wait(what, stopped):
                    return None  # a request that was cancelled gets no answer
        finally:
            del session.cancelled[message["id"]]
        return self.told(message["method"], params, answers, modern=VERSION in meta)

    def ask(self, session: Session, method: str, params: Message | None, say: Say) -> Message:
        number = f"q{next(self.numbers)}"
        arrived, box = session.answers[number] = (threading.Event(), {})
        say(
            {
                "jsonrpc": "2.0",
                "id": number,
                "method": method,
                **({} if params is None else {"params": params}),
            }
        )
        arrived.wait(PATIENCE)
        return {key: each for key, each in box.items() if key not in ("jsonrpc", "id")}

    def wait(self, name: str, stopped: threading.Event) -> bool:
        self.waiting.append(name)
        go = self.event(name)
        for _ in range(int(PATIENCE / 0.01)):
            if stopped.wait(0.01):
                self.log.append(f"cancelled {name}")
                return False
            if go.is_set():
                break
        return True

    # -- tools of its own ----------------------------------------------------------------------------

    def own(self, session: Session, params: Message, *, modern: bool) -> Message:
        given = params.get("arguments") or {}
        if params["name"] == "go":
            self.event(given["name"]).set()
        elif params["name"] == "change":
            self.change(given)
        value = {
            "pid": os.getpid(),
            "log": self.log,
            "waiting": self.waiting,
            "level": session.level,
            "subscribed": session.subscribed,
            "heard": session.heard,
            "initialize": session.initialize,
            "listening": [each for each, _ in self.streams.values()],
            "subscriptions": sorted({uri for each in self.sessions.values() for uri in each.subscribed}),
        }
        result: Message = {"content": [], "structuredContent": value}
        return {**result, "resultType": "complete"} if modern else result

    def change(self, given: Message) -> None:
        """Something changed: told to every session, and to every stream that asked for it."""
        kind, uri = given["kind"], given.get("uri")
        if "add" in given:
            self.lists[given["list"]][1].append(given["add"])
        params: Message = {} if uri is None else {"uri": uri}
        note: Message = {"jsonrpc": "2.0", "method": NEWS[kind]}
        for session in list(self.sessions.values()):
            if session.initialize and (uri is None or uri in session.subscribed):
                session.say({**note, **({"params": params} if params else {})})
        for id, (wanted, say) in list(self.streams.items()):
            told = (
                uri in wanted.get("resourceSubscriptions", ()) if uri else wanted.get(FILTERS.get(kind, ""))
            )
            if told:
                say({**note, "params": {**params, "_meta": {SUBSCRIPTION: id}}})

    def listen(self, message: Message, say: Say) -> None:
        """A stream of changes, which stays open."""
        wanted = message["params"].get("notifications", {})
        self.streams[message["id"]] = (wanted, say)
        meta = {SUBSCRIPTION: message["id"]}
        say(
            {
                "jsonrpc": "2.0",
                "method": "notifications/subscriptions/acknowledged",
                "params": {"notifications": wanted, "_meta": meta},
            }
        )
