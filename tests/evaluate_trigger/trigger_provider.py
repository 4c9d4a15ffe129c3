"""A provider on this machine that errs on purpose: chat completions and embeddings, and messages.

What it answers is said by utterance: a name, or one of the ways to err. Control questions are answered
rightly unless it is told otherwise. What it was sent is kept.
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

WORDS = ("coffee", "laundry", "plants", "towels", "fern")


class Provider:
    def __init__(self) -> None:
        self.answers: dict[str, list[str]] = {}
        self.controls = True
        self.usage = 100
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                status, headers, content = outer.answer(self.path, dict(self.headers), body)
                self.send_response(status)
                for name, value in {"content-length": str(len(content)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        class Quiet(ThreadingHTTPServer):
            def handle_error(self, *_: object) -> None:
                """Whoever asked has gone away meanwhile, as some tests want."""

        self._server = Quiet(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join(10)
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def on(self, utterance: str, *answers: str) -> None:
        """Answer `utterance` so, one after the other; the last one again."""
        self.answers[utterance] = list(answers)

    def asked(self, utterance: str) -> int:
        return sum(utterance in json.dumps(body, ensure_ascii=False) for _, _, body in self.requests)

    def answer(
        self, path: str, headers: dict[str, str], body: dict[str, Any]
    ) -> tuple[int, dict[str, str], bytes]:
        with self._lock:
            self.requests.append((path, headers, body))
            if path.endswith("/embeddings"):
                return 200, {}, json.dumps(_embedded(body)).encode()
            said = self._next(body["messages"][-1]["content"], _names(path, body))
        if said.startswith("status "):
            _, status, *more = said.split()
            key = next((value for name, value in headers.items() if "key" in name or "auth" in name), "")
            told = {"error": {"message": f"no, {key}"}}
            return int(status), {"retry-after": more[0]} if more else {}, json.dumps(told).encode()
        if said == "not json":
            return 200, {}, b"<html>"
        shape = _anthropic if path == "/v1/messages" else _openai
        return 200, {}, json.dumps(shape(said, self.usage)).encode()

    def _next(self, utterance: str, names: list[str]) -> str:
        for known, answers in self.answers.items():
            if known == utterance:
                return answers.pop(0) if len(answers) > 1 else answers[0]
        if utterance.startswith("Please use ") and self.controls:
            return next(name for name in names if name in utterance)
        return "none"


def _names(path: str, body: dict[str, Any]) -> list[str]:
    tool = body["tools"][0]
    schema = tool["input_schema"] if path == "/v1/messages" else tool["function"]["parameters"]
    names: list[str] = schema["properties"]["name"]["enum"]
    return names


def _openai(said: str, usage: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": None}
    if said == "words":
        message["content"] = "I would rather talk."
    elif said == "two":
        message["tool_calls"] = [_call("brew-coffee"), _call("fold-laundry")]
    elif said == "broken":
        message["tool_calls"] = [{"function": {"name": "choose_capability", "arguments": "{"}}]
    else:
        message["tool_calls"] = [_call(said)]
    return {"choices": [{"message": message}], "usage": {"total_tokens": usage}}


def _call(name: str) -> dict[str, Any]:
    return {"id": "1", "function": {"name": "choose_capability", "arguments": json.dumps({"name": name})}}


def _anthropic(said: str, usage: int) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": "Well."}]
    if said == "two":
        content += [_use("brew-coffee"), _use("fold-laundry")]
    elif said == "broken":
        content += [{"type": "tool_use", "name": "choose_capability", "input": "no object"}]
    elif said != "words":
        content += [_use(said)]
    return {"content": content, "usage": {"input_tokens": usage - 1, "output_tokens": 1}}


def _use(name: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": "1", "name": "choose_capability", "input": {"name": name}}


def _embedded(body: dict[str, Any]) -> dict[str, Any]:
    """A vector for each text: how often it holds some words, with one number that is never 0."""
    vectors = [[1.0, *(float(text.lower().count(word)) for word in WORDS)] for text in body["input"]]
    rows = [{"index": at, "embedding": each} for at, each in enumerate(vectors)]
    return {"data": rows[::-1], "usage": {"total_tokens": 7}}
