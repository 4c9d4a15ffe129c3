"""A stdio server whose tools are partly useless; its first argument says how it behaves.

`mixed` lists one good tool and two that nobody can use; `gone` says why and leaves; `named` offers the tools
that the other arguments name. Standard library only.
"""

from __future__ import annotations

import json
import sys
from typing import Any

GOOD = {"name": "count_boxes", "description": "Counts boxes.", "inputSchema": {"type": "object"}}
BAD = [
    {"name": "weigh_boxes", "description": "Weighs boxes.", "inputSchema": {"type": "array"}},
    {"name": "</script><script>document.title='taken'</script>", "inputSchema": 7},
]


def main(how: str, *names: str) -> None:
    """Answer every line until the input ends."""
    if how == "gone":
        print("the licence of <b>boxes</b> has ended\u202e", file=sys.stderr)
        raise SystemExit(3)
    tools: list[Any] = [{**GOOD, "name": each} for each in names] if how == "named" else [GOOD, *BAD]
    results = {
        "initialize": {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "leaving", "version": "1"},
        },
        "tools/list": {"tools": tools},
    }
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            result = results.get(message["method"])
            reply = {"result": result} if result else {"error": {"code": -32601, "message": "unknown"}}
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)


main(*sys.argv[1:])
