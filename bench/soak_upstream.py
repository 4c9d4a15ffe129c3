"""The servers behind `bench.soak`: standard library alone, both protocol eras, one line a message.

`soak_upstream.py LABEL FOLDER HANG_EVERY HANG_SECONDS`: every execution of a tool is a line in FOLDER, so
that whoever calls can count them. With HANG_EVERY above 0 it does nothing at all for HANG_SECONDS, once
in so many calls, and writes down when.
"""

import json
import os
import sys
import threading
import time

MODERN = "2026-07-28"
LABEL, FOLDER, HANG_EVERY, HANG_SECONDS = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
INFO = {"name": LABEL, "version": "1.0.0"}
CAPABILITIES: dict[str, object] = {"tools": {}, "prompts": {}, "resources": {}}
SCHEMA = {
    "type": "object",
    "properties": {"token": {"type": "string"}, "seconds": {"type": "number"}},
    "required": ["token"],
}
SAFE = {"readOnlyHint": True}
TOOLS = [
    {"name": "look", "description": "Safe to repeat.", "inputSchema": SCHEMA, "annotations": SAFE},
    {"name": "act", "description": "Not safe to repeat.", "inputSchema": SCHEMA},
    {"name": "work", "description": "Takes a while and tells how far it is.", "inputSchema": SCHEMA},
]
PROMPT = {"name": f"say_{LABEL}", "arguments": [{"name": "token", "required": True}]}
RESOURCE = {"uri": f"memo://{LABEL}/note", "name": "note"}
COMPLETE = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
LISTS = {
    "tools/list": ("tools", TOOLS),
    "prompts/list": ("prompts", [PROMPT]),
    "resources/list": ("resources", [RESOURCE]),
    "resources/templates/list": ("resourceTemplates", []),
}
turn = threading.Lock()
taken_back: dict[object, threading.Event] = {}


def append(name: str, line: str) -> None:
    """One line to a file of this process, in one piece."""
    handle = os.open(
        os.path.join(FOLDER, f"{name}-{LABEL}-{os.getpid()}"), os.O_WRONLY | os.O_APPEND | os.O_CREAT
    )
    os.write(handle, line.encode() + b"\n")
    os.close(handle)


def send(message: dict[str, object]) -> None:
    """One message to the client."""
    with turn:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def done(token: str) -> dict[str, object]:
    """The result of a tool, with the token of its request."""
    value = {"token": token, "server": LABEL}
    return {
        **COMPLETE,
        "content": [{"type": "text", "text": json.dumps(value)}],
        "structuredContent": value,
    }


def work(id: object, params: dict[str, object]) -> None:
    """Tell of progress in ten steps, then answer, unless the request is taken back."""
    arguments = params["arguments"]
    progress = (params.get("_meta") or {}).get("progressToken")  # type: ignore[attr-defined]
    for step in range(10):
        if taken_back[id].wait(arguments.get("seconds", 0.05) / 10):  # type: ignore[attr-defined]
            break
        if progress is not None:
            told = {"progressToken": progress, "progress": step + 1, "message": arguments["token"]}  # type: ignore[index]
            send({"method": "notifications/progress", "params": told})
    else:
        send({"id": id, "result": done(arguments["token"])})  # type: ignore[index]
    taken_back.pop(id, None)


def answer(method: str, params: dict[str, object]) -> dict[str, object] | None:
    """The result of a method, or None when there is no such method."""
    if method == "server/discover":
        return {**COMPLETE, "supportedVersions": [MODERN], "capabilities": CAPABILITIES}
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": CAPABILITIES,
            "serverInfo": INFO,
        }
    if method in LISTS:
        key, listed = LISTS[method]
        return {**COMPLETE, key: listed}
    if method == "prompts/get":
        text = params["arguments"]["token"]  # type: ignore[index]
        return {**COMPLETE, "messages": [{"role": "user", "content": {"type": "text", "text": text}}]}
    if method == "resources/read" and params["uri"] == RESOURCE["uri"]:
        return {**COMPLETE, "contents": [{"uri": params["uri"], "text": LABEL}]}
    return {} if method == "ping" else None


def take(message: dict[str, object], calls: int) -> int:
    """One message; how many calls there have been."""
    method, params, id = message.get("method", ""), message.get("params") or {}, message.get("id")
    if method == "notifications/cancelled":
        event = taken_back.get(params.get("requestId"))  # type: ignore[attr-defined]
        if event is not None:
            event.set()
    if id is None:
        return calls
    if method == "tools/call":
        calls += 1
        if HANG_EVERY and calls % HANG_EVERY == 0:
            began = time.time()
            append("hung", f"{began} {began + HANG_SECONDS}")
            time.sleep(HANG_SECONDS)
        token = params["arguments"]["token"]  # type: ignore[index]
        append("ran", token)
        if params["name"] == "work":  # type: ignore[index]
            taken_back[id] = threading.Event()
            threading.Thread(target=work, args=(id, params), daemon=True).start()
        else:
            send({"id": id, "result": done(token)})
        return calls
    result = answer(method, params)  # type: ignore[arg-type]
    if result is None:
        send({"id": id, "error": {"code": -32601, "message": "no such method"}})
    else:
        send({"id": id, "result": result})
    return calls


def main() -> None:
    """Answer requests line by line until the client hangs up."""
    append("began", str(time.time()))
    calls = 0
    for line in sys.stdin:
        calls = take(json.loads(line), calls)


if __name__ == "__main__":
    main()
