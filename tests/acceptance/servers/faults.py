"""A stdio MCP server of the standard library that fails as each call asks it to, many calls at a time.

Every call that arrives is a line in the file that FAULTS_LOG names: what was attempted is counted
there, not where it was sent. FAULTS_DESCRIPTION is the description of the tool `read`, FAULTS_PATTERN
the pattern of its `week`.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import threading
import time
from typing import Any

MODERN, LEGACY = "2026-07-28", "2025-11-25"
SCHEMA = {
    "type": "object",
    "properties": {
        "do": {"type": "string", "description": "what to do instead of answering"},
        "call": {"type": "integer", "description": "which call this is"},
        "seconds": {"type": "number"},
        "size": {"type": "integer", "minimum": 1},
        "week": {"type": "string", "pattern": os.environ.get("FAULTS_PATTERN", "^[0-9]{4}-W[0-9]{2}$")},
    },
    "additionalProperties": False,
}
HINTS: dict[str, dict[str, bool]] = {
    "read": {"readOnlyHint": True},
    "put": {"idempotentHint": True},
    "write": {},
    "destroy": {"destructiveHint": True},
}
OUTPUT = {"type": "object", "properties": {"call": {"type": "integer"}}, "required": ["call"]}
_writing = threading.Lock()


def tools() -> list[dict[str, Any]]:
    described = os.environ.get("FAULTS_DESCRIPTION", "Reads.")
    return [
        {
            "name": name,
            "description": described if name == "read" else f"{name.capitalize()}s.",
            "inputSchema": SCHEMA,
            "annotations": hints,
            **({"outputSchema": OUTPUT} if name == "read" else {}),
        }
        for name, hints in HINTS.items()
    ]


def raw(data: bytes) -> None:
    with _writing:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def reply(request: dict[str, Any], **rest: Any) -> None:
    raw(json.dumps({"jsonrpc": "2.0", "id": request["id"], **rest}).encode() + b"\n")


def note(line: dict[str, Any]) -> None:
    if (path := os.environ.get("FAULTS_LOG")) is not None:
        with open(path, "a", encoding="utf-8") as file:  # one write each: lines of threads do not mix
            file.write(json.dumps(line) + "\n")


def answered(arguments: dict[str, Any]) -> dict[str, Any]:
    value: dict[str, Any] = {"call": arguments.get("call", 0)}
    if "size" in arguments:
        value["rows"] = list(range(arguments["size"]))
    if arguments.get("do") == "environment":
        given = os.environ.get("FAULTS_TOKEN", "")
        value |= {"token": given, "sha256": hashlib.sha256(given.encode()).hexdigest()}
    return {"content": [{"type": "text", "text": json.dumps(value)}], "structuredContent": value}


def call(request: dict[str, Any]) -> None:
    arguments = request["params"].get("arguments") or {}
    do = arguments.get("do", "")
    note({"tool": request["params"]["name"], "call": arguments.get("call", 0), "do": do})
    if do == "delay":
        time.sleep(arguments.get("seconds", 0.02))
    if do in ("drop", "hang"):
        return
    if do == "crash":
        os._exit(3)
    if do == "half":
        raw(b'{"jsonrpc": "2.0", "id": %d, "result": {"content": [{"type": "te' % request["id"])
        os._exit(0)
    if do == "noise":
        raw(b"half a thought\n")
    if do == "error":
        reply(request, error={"code": -32603, "message": "the ledger is closed"})
    elif do == "fail":
        reply(request, result={"isError": True, "content": [{"type": "text", "text": "no such week"}]})
    elif do == "shape":
        reply(request, result={"content": [], "structuredContent": {"call": "seven"}})
    elif do == "list":
        raw(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": [1, 2]}).encode() + b"\n")
    elif do == "empty":
        reply(request, result={})
    else:
        reply(request, result=answered(arguments))


def answer(request: dict[str, Any]) -> None:
    method = request["method"]
    info = {"name": "faults", "version": "1"}
    if method == "server/discover":
        result: dict[str, Any] = {
            "supportedVersions": [MODERN],
            "capabilities": {"tools": {}},
            "ttlMs": 0,
            "cacheScope": "public",
        }
    elif method == "initialize":
        result = {"protocolVersion": LEGACY, "capabilities": {"tools": {}}, "serverInfo": info}
    elif method == "tools/list":
        result = {"tools": tools()}
    elif method == "tools/call":
        threading.Thread(target=call, args=(request,), daemon=True).start()
        return
    else:
        reply(request, error={"code": -32601, "message": method})
        return
    reply(request, result=result)


def main() -> None:
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if "id" in request and "method" in request:
            answer(request)
    os._exit(0)  # calls that were told to hang do not keep it


if __name__ == "__main__":
    main()
