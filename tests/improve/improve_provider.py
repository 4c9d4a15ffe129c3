"""A model on this machine that speaks both protocols: it chooses by the words of descriptions, and writes.

What it writes is given beforehand; it may also err in the ways that providers do. Nothing of what a
test expects reaches it but through the requests themselves.
"""

from __future__ import annotations

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

ENTRY = re.compile(r"<name>([^<]+)</name>\s*<description>([^<]*)</description>")


class Writer:
    def __init__(self) -> None:
        self.writes: list[str] = []  # one after the other; the last one again
        self.errs: list[int] = []  # statuses of the next answers
        self.malformed = 0  # choices that are no choice, one after the other
        self.written: list[dict[str, Any]] = []  # the briefs, as they came
        self.systems: list[str] = []
        self.controls: list[str] = []
        self.sane = True  # a control question comes out right
        self.chosen = 0
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                status, content = outer.answer(self.path, body)
                self.send_response(status)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
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

    def answer(self, path: str, body: dict[str, Any]) -> tuple[int, bytes]:
        anthropic = path == "/v1/messages"
        tool = body["tools"][0] if anthropic else body["tools"][0]["function"]
        system = body["system"] if anthropic else body["messages"][0]["content"]
        said = body["messages"][-1]["content"]
        with self._lock:
            if said.startswith(("Please use ", "Florb ")):
                self.controls.append(said)
                name = said.split()[2] if said.startswith("Please") and self.sane else "none"
                shape = _anthropic if anthropic else _openai
                return 200, json.dumps(shape(tool["name"], {"name": name})).encode()
            if self.errs:
                return self.errs.pop(0), json.dumps({"error": {"message": "no"}}).encode()
            if tool["name"] == "propose_description":
                self.written.append(json.loads(said))
                self.systems.append(system)
                text = self.writes.pop(0) if len(self.writes) > 1 else self.writes[0]
                arguments: dict[str, Any] = {"description": text}
            else:
                self.chosen += 1
                if self.malformed:
                    self.malformed -= 1
                    return 200, b'{"choices": [], "content": []}'
                arguments = {"name": chosen(system, said)}
        shape = _anthropic if anthropic else _openai
        return 200, json.dumps(shape(tool["name"], arguments)).encode()


def chosen(system: str, said: str) -> str:
    """Whose description holds most of the longer words of what was said."""
    words = {each for each in re.findall(r"[a-z]+", said.lower()) if len(each) > 4}
    best, name = 0, "none"
    for each, description in ENTRY.findall(system):
        held = len(words & set(re.findall(r"[a-z]+", description.lower())))
        if held > best:
            best, name = held, each
    return name


def _openai(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    call = {"id": "1", "function": {"name": name, "arguments": json.dumps(arguments)}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    return {"choices": [{"message": message}], "usage": {"total_tokens": 100}}


def _anthropic(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    use = {"type": "tool_use", "id": "1", "name": name, "input": arguments}
    return {"content": [use], "usage": {"input_tokens": 90, "output_tokens": 10}}
