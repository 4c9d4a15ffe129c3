"""A stdio MCP server of the standard library that asks back before it answers, in the era of its argument.

The tool `ask` asks what its arguments say, as often as `times`, and answers with what it got. In the newer
era its state counts the rounds.
"""

import json
import sys
from typing import Any

MODERN, LEGACY = "2026-07-28", "2025-11-25"
ERA = sys.argv[1]
Message = dict[str, Any]
declared: Message = {}


def send(message: Message) -> None:
    sys.stdout.buffer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    sys.stdout.buffer.flush()


def read() -> Message:
    line = sys.stdin.buffer.readline()
    if not line:
        sys.exit(0)
    message: Message = json.loads(line)
    return message


def answered(got: Any, params: Message) -> Message:
    meta = params.get("_meta", {})
    capabilities = meta.get("io.modelcontextprotocol/clientCapabilities", declared)
    return {"content": [], "structuredContent": {"got": got, "declared": capabilities}}


def in_rounds(params: Message) -> Message:
    """The newer era: the call ends with the question, and is made again."""
    arguments, state = params["arguments"], params.get("requestState", "0")
    if int(state) >= arguments["times"]:
        return answered(params.get("inputResponses"), params)
    asks = {"inputRequests": {"q": arguments["question"]}} if arguments.get("question") else {}
    return {"resultType": "input_required", "requestState": str(int(state) + 1), **asks}


def in_between(params: Message) -> Message:
    """The older era: the question is asked before the answer."""
    got: list[Message] = []
    for number in range(params["arguments"]["times"]):
        send({"id": f"q{number}", **params["arguments"]["question"]})
        while (message := read()).get("id") != f"q{number}":
            pass
        got.append({key: message[key] for key in ("result", "error") if key in message})
    return answered(got, params)


def answer(method: str, params: Message) -> Message | None:
    if method == "server/discover" and ERA == "modern":
        return {"supportedVersions": [MODERN], "capabilities": {"tools": {}}}
    if method == "initialize" and ERA == "legacy":
        declared.update(params["capabilities"])
        return {"protocolVersion": LEGACY, "capabilities": {"tools": {}}, "serverInfo": {"name": "c"}}
    if method == "tools/list":
        return {"tools": [{"name": "ask", "inputSchema": {"type": "object"}}]}
    if method == "tools/call":
        return in_rounds(params) if ERA == "modern" else in_between(params)
    return None


while True:
    request = read()
    if "id" in request and "method" in request:
        result = answer(request["method"], request.get("params", {}))
        unknown = {"error": {"code": -32601, "message": "not known"}}
        send({"id": request["id"], **({"result": result} if result is not None else unknown)})
