"""A stdio MCP server of the standard library alone: three tools, both protocol eras, ready in an instant.

`bench.bring_up` starts many of these, so that what it measures is the host and not the servers.
"""

import json
import sys

MODERN = "2026-07-28"
INFO = {"name": "probe", "version": "1.0.0"}
SCHEMA = {
    "type": "object",
    "properties": {
        "week": {"type": "string", "pattern": "^[0-9]{4}-W[0-9]{2}$"},
        "limit": {"type": "integer"},
    },
    "required": ["week"],
}
TOOLS = [
    {
        "name": f"{verb}_records",
        "description": f"{verb.capitalize()} the records of a week.",
        "inputSchema": SCHEMA,
    }
    for verb in ("list", "count", "export")
]
ROWS = [{"id": f"inv-{number:04}", "due": "2026-08-01", "amount": "120.00"} for number in range(10)]
COMPLETE = {
    "resultType": "complete",
    "ttlMs": 0,
    "cacheScope": "private",
    "_meta": {"io.modelcontextprotocol/serverInfo": INFO},
}


def answer(method: str, params: dict[str, object]) -> dict[str, object] | None:
    """The result of a method, or None when there is no such method."""
    if method == "server/discover":
        return {**COMPLETE, "supportedVersions": [MODERN], "capabilities": {"tools": {}}}
    if method == "initialize":
        version = params["protocolVersion"]
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": INFO}
    if method == "tools/list":
        return {**COMPLETE, "tools": TOOLS}
    if method == "tools/call":
        value = {"week": params["arguments"]["week"], "rows": ROWS}  # type: ignore[index]
        return {
            **COMPLETE,
            "content": [{"type": "text", "text": json.dumps(value)}],
            "structuredContent": value,
        }
    if method == "ping":
        return {}
    return None


def main() -> None:
    """Answer requests line by line until the client hangs up."""
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = answer(message.get("method", ""), message.get("params") or {})
        reply = (
            {"error": {"code": -32601, "message": "no such method"}} if result is None else {"result": result}
        )
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
