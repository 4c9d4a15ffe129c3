"""A stdio server with the tools `look` and `send`; `look` is described by the file `description` in HOME.

Standard library only, for a quick start.
"""

from __future__ import annotations

import json
import os
import sys


def tools() -> list[dict[str, object]]:
    with open(os.path.expanduser("~/description"), encoding="utf-8") as file:
        described = file.read()
    schema = {"type": "object"}
    return [
        {"name": "look", "description": described, "inputSchema": schema},
        {"name": "send", "description": "Sends.", "inputSchema": schema},
    ]


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        results: dict[str, object] = {
            "initialize": {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "mailer", "version": "1"},
            },
            "tools/list": {"tools": tools()},
            "tools/call": {"content": [{"type": "text", "text": f"done by {os.getppid()}"}]},
        }
        result = results.get(message["method"])
        reply = {"result": result} if result else {"error": {"code": -32601, "message": "unknown"}}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)


main()
