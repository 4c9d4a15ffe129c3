"""A stdio server with 5,000 tools and hostile texts, one of them of 10 MB. Standard library only."""

from __future__ import annotations

import json
import sys
from typing import Any

HOSTILE = (
    "</script><script>alert('taken')</script><img src=x onerror=alert(1)>\"'`{{7*7}}\u202e\u2066\x07\x1b[31m"
)
TOOLS = 5_000
LONG = 10_000_000  # characters


def tools() -> list[dict[str, Any]]:
    """A long one first, two with nothing but hostile names, the rest."""
    fields = {HOSTILE: {"type": "string", "title": HOSTILE, "description": HOSTILE, "default": HOSTILE}}
    schema = {"type": "object", "properties": fields, "required": [HOSTILE], "description": HOSTILE}
    every: list[dict[str, Any]] = [
        {"name": f"tool_{n}", "title": HOSTILE, "description": f"{n} {HOSTILE}"} for n in range(TOOLS - 2)
    ]
    every.insert(0, {"name": "a_long_one", "description": (HOSTILE * (LONG // len(HOSTILE) + 1))[:LONG]})
    every.insert(1, {"name": HOSTILE, "annotations": {"title": HOSTILE}, "description": HOSTILE})
    return [{"inputSchema": schema if n < 50 else {"type": "object"}, **each} for n, each in enumerate(every)]


def main() -> None:
    """Answer every line until the input ends."""
    print(HOSTILE, file=sys.stderr)
    results: dict[str, Any] = {
        "initialize": {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}, "prompts": {}, "resources": {}},
            "serverInfo": {"name": HOSTILE, "version": HOSTILE},
            "instructions": HOSTILE * 100,
        },
        "tools/list": {"tools": tools()},
        "prompts/list": {
            "prompts": [
                {
                    "name": f"p{HOSTILE}",
                    "description": HOSTILE,
                    "arguments": [{"name": HOSTILE, "required": True}],
                }
            ]
        },
        "resources/list": {"resources": [{"uri": f"x://{HOSTILE}", "name": HOSTILE, "mimeType": HOSTILE}]},
        "resources/templates/list": {
            "resourceTemplates": [{"uriTemplate": "x://{a}", "name": HOSTILE, "description": HOSTILE}]
        },
        "resources/read": {
            "contents": [
                {
                    "uri": "x://a",
                    "mimeType": "text/markdown",
                    "text": f"# {HOSTILE}\n[a](javascript:alert(1))",
                }
            ]
        },
        "prompts/get": {"messages": [{"role": "user", "content": {"type": "text", "text": HOSTILE}}]},
        "tools/call": {"content": [{"type": "text", "text": HOSTILE * 1_000}]},
    }
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            result = results.get(message["method"])
            reply = {"result": result} if result else {"error": {"code": -32601, "message": HOSTILE}}
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)


if __name__ == "__main__":
    main()
