"""The mirror over streamable HTTP: every answer is a stream of events, each `initialize` begins a session."""

from __future__ import annotations

import json
import queue
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.serve_foreign.servers.mirror import Message, Mirror, Session, written

IDLE = 0.2  # seconds between two looks at whether the client is still there


def serve(mirror: Mirror) -> None:
    """Serve on a free port, which is printed, until killed."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle(self) -> None:
            with suppress(ConnectionError):
                super().handle()

        def log_message(self, *_: Any) -> None:
            pass

        def do_POST(self) -> None:
            message = json.loads(self.rfile.read(int(self.headers["content-length"])))
            session = self.session(message)
            if session is None:
                self.short(404)
            elif "method" not in message or "id" not in message:
                mirror.take(session, message, lambda _: None)
                self.short(202)
            else:
                self.stream(session, message)

        def session(self, message: Message) -> Session | None:
            name = self.headers.get("mcp-session-id", "")
            if message.get("method") == "initialize":
                name = f"s{next(mirror.numbers)}"
                mirror.sessions[name] = Session(name, lambda _: None)
            elif not name:
                return Session("", lambda _: None)
            return mirror.sessions.get(name)

        def stream(self, session: Session, message: Message) -> None:
            out: queue.SimpleQueue[Message] = queue.SimpleQueue()
            threading.Thread(target=mirror.take, args=(session, message, out.put), daemon=True).start()
            self.begin(session)
            self.pass_on(out, message["id"], lambda: mirror.cancel(session, message["id"]))

        def do_GET(self) -> None:
            session = mirror.sessions.get(self.headers.get("mcp-session-id", ""))
            if session is None:
                self.short(405)
                return
            out: queue.SimpleQueue[Message] = queue.SimpleQueue()
            session.say = out.put
            self.begin(session)
            self.pass_on(out, None, lambda: None)

        def do_DELETE(self) -> None:
            mirror.sessions.pop(self.headers.get("mcp-session-id", ""), None)
            self.short(200)

        def begin(self, session: Session) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("transfer-encoding", "chunked")
            if session.name:
                self.send_header("mcp-session-id", session.name)
            self.end_headers()

        def pass_on(self, out: queue.SimpleQueue[Message], id: Any, gone: Any) -> None:
            """Everything as it comes, up to the answer to `id`; a client that left is told to `gone`."""
            try:
                while True:
                    try:
                        item = out.get(timeout=IDLE)
                    except queue.Empty:
                        self.chunk(b":\n\n")
                        continue
                    self.chunk(b"event: message\ndata: " + written(item) + b"\n\n")
                    if "method" not in item and id is not None and item.get("id") == id:
                        self.chunk(b"")
                        return
            except OSError:
                gone()
                self.close_connection = True

        def chunk(self, data: bytes) -> None:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            self.wfile.flush()

        def short(self, status: int) -> None:
            self.send_response(status)
            self.send_header("content-length", "0")
            self.end_headers()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    server.serve_forever()
