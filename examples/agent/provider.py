"""A model provider to try agents with: three real protocols on a local port, and a script for a model.

It answers OpenAI's chat completions (`POST /v1/chat/completions`), Anthropic's messages
(`POST /v1/messages`) and Gemini's `POST /v1beta/models/NAME:generateContent`, and is as strict as
they are where it matters to an agent: names of tools, results that belong to no call, calls without
a result. The script asks for invoices of the week `2026-31`, which is no ISO week, reads the error,
calls again as the error says, and answers with what it was told. It is told nothing beforehand.
"""

from __future__ import annotations

import argparse
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
WEEK_SHOWN = re.compile(r"[0-9]{4}-W[0-9]{2}")
WRONG_WEEK = "2026-31"


class Refuse(Exception):
    """A request that the provider would answer with status 400."""


@dataclass(frozen=True)
class Seen:
    """One request as the script sees it: the names of tools, and what the last calls came to."""

    tools: list[str]
    results: list[str]


@dataclass(frozen=True)
class Use:
    """The model wants a tool."""

    name: str
    arguments: dict[str, Any]


def next_step(seen: Seen) -> Use | str:
    """What the model does next: it uses a tool, or says its answer."""
    name = next((each for each in seen.tools if each.endswith("query_invoices")), None)
    if name is None:
        return "I have no tool that knows invoices."
    if not seen.results:
        return Use(name, {"week": WRONG_WEEK})
    last = seen.results[-1]
    try:
        found = json.loads(last)
        totals = ", ".join(f"{state} {cents / 100:.2f}" for state, cents in found["totals_cents"].items())
        return f"Week {found['week']}: {len(found['invoices'])} invoices; {totals}."
    except (ValueError, TypeError, KeyError):
        shown = WEEK_SHOWN.search(last)  # the error says how a week is written
    if shown is None or len(seen.results) > 3:
        return "I could not find out."
    return Use(name, {"week": shown[0]})


# -- the protocols: each reads a request, and writes what the script does next


def openai(path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Chat completions."""
    tools = [each["function"]["name"] for each in body.get("tools", [])]
    asked: list[str] = []
    results: list[str] = []
    for message in body["messages"]:
        if message["role"] == "tool":
            if message["tool_call_id"] not in asked:
                raise Refuse("a tool message that answers no tool call")
            asked.remove(message["tool_call_id"])
            results.append(text_of(message["content"]))
        elif asked:
            raise Refuse("tool calls without a tool message")
        asked += [call["id"] for call in message.get("tool_calls") or []]
    step = next_step(Seen(named(tools), results))
    said: dict[str, Any] = {"role": "assistant", "content": step}
    if isinstance(step, Use):
        function = {"name": step.name, "arguments": json.dumps(step.arguments)}
        call = {"id": f"call_{len(results)}", "type": "function", "function": function}
        said = {"role": "assistant", "content": None, "tool_calls": [call]}
    reason = "tool_calls" if isinstance(step, Use) else "stop"
    choice = {"index": 0, "message": said, "finish_reason": reason}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [choice],
        "usage": usage,
    }


def anthropic(path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Messages."""
    if "max_tokens" not in body:
        raise Refuse("max_tokens: Field required")
    tools = [each["name"] for each in body.get("tools", [])]
    asked: set[str] = set()
    results: list[str] = []
    for message in body["messages"]:
        blocks = message["content"] if isinstance(message["content"], list) else []
        answered = {block["tool_use_id"] for block in blocks if block["type"] == "tool_result"}
        if answered != asked:
            raise Refuse("tool_use and tool_result blocks do not match")
        results += [text_of(block["content"]) for block in blocks if block["type"] == "tool_result"]
        asked = {block["id"] for block in blocks if block["type"] == "tool_use"}
    step = next_step(Seen(named(tools), results))
    content: dict[str, Any] = {"type": "text", "text": step}
    if isinstance(step, Use):
        content = {
            "type": "tool_use",
            "id": f"toolu_{len(results)}",
            "name": step.name,
            "input": step.arguments,
        }
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [content],
        "stop_reason": "tool_use" if isinstance(step, Use) else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def gemini(path: str, body: dict[str, Any]) -> dict[str, Any]:
    """generateContent."""
    tools = [each["name"] for tool in body.get("tools", []) for each in tool["functionDeclarations"]]
    asked: list[str] = []
    results: list[str] = []
    for content in body["contents"]:
        answers = [part["functionResponse"] for part in content["parts"] if "functionResponse" in part]
        if sorted(each["name"] for each in answers) != sorted(asked):
            raise Refuse("functionCall and functionResponse parts do not match")
        results += [text_of(next(iter(each["response"].values()))) for each in answers]
        asked = [part["functionCall"]["name"] for part in content["parts"] if "functionCall" in part]
    step = next_step(Seen(named(tools), results))
    part: dict[str, Any] = {"text": step}
    if isinstance(step, Use):
        part = {"functionCall": {"name": step.name, "args": step.arguments}}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    return {"candidates": [candidate], "modelVersion": path.rpartition("/")[2].partition(":")[0]}


def named(tools: list[str]) -> list[str]:
    for each in tools:
        if not TOOL_NAME.fullmatch(each):
            raise Refuse(f"the tool name {each!r} is not allowed")
    return tools


def text_of(content: Any) -> str:
    """A result as text, whichever way it was written."""
    if isinstance(content, str):
        return content
    if isinstance(content, list) and all(isinstance(each, dict) and "text" in each for each in content):
        return "".join(each["text"] for each in content)
    return json.dumps(content)


Protocol = Callable[[str, dict[str, Any]], dict[str, Any]]


def protocol_of(path: str) -> Protocol | None:
    """The protocol that a path belongs to."""
    if path.endswith(":generateContent"):
        return gemini
    return {"/v1/chat/completions": openai, "/v1/messages": anthropic}.get(path)


# -- the server


class Provider(ThreadingHTTPServer):
    """The server; `requests` are the bodies that it was sent, in their order."""

    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.requests: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Provider
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:  # the standard library's name
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        path = self.path.partition("?")[0]
        protocol = protocol_of(path)
        self.server.requests.append(body)
        if protocol is None:
            self.answer(404, {"error": {"message": f"no {path}"}})
        elif body.get("stream"):
            self.answer(400, {"error": {"message": "this provider does not stream"}})
        else:
            try:
                self.answer(200, protocol(path, body))
            except (Refuse, KeyError, TypeError) as error:
                self.answer(400, {"error": {"type": "invalid_request_error", "message": str(error)}})

    def answer(self, status: int, body: dict[str, Any]) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def running(port: int = 0) -> Iterator[Provider]:
    """A provider that listens while the block runs."""
    with Provider(port) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join(10)


def main() -> None:
    parser = argparse.ArgumentParser(description="A scripted model behind three providers' protocols.")
    parser.add_argument("--port", type=int, default=8123)
    with Provider(parser.parse_args().port) as server:
        print(f"listening on {server.url}", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
