"""A stdio server whose addresses, names and answers are long and many. Standard library only."""

from __future__ import annotations

import json
import sys
from typing import Any

LONG = 100_000  # characters of an address


def results() -> dict[str, Any]:
    """What is answered to each method."""
    uris = [f"http://{n}.example/" + "u" * LONG for n in range(60)]
    arguments = [{"name": f"a{n}" + "n" * 20_000} for n in range(60)] + [
        {"name": f"b{n}"} for n in range(200)
    ]
    variables = ",".join(f"v{n}" for n in range(3_000))
    text = {"type": "text", "text": "<" * 20_000}
    markdown = {"uri": "mem://short", "mimeType": "text/markdown", "text": "![](x)" * 10_000}
    return {
        "initialize": {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}, "prompts": {}, "resources": {}},
            "serverInfo": {"name": "wordy", "version": "1"},
        },
        "tools/list": {"tools": []},
        "prompts/list": {"prompts": [{"name": "ask", "arguments": arguments}]},
        "resources/list": {
            "resources": [
                *({"uri": each, "name": "long"} for each in uris),
                {"uri": "mem://short", "name": "short"},
            ]
        },
        "resources/templates/list": {
            "resourceTemplates": [{"uriTemplate": f"x://{{{variables}}}", "name": "many"}]
        },
        "resources/read": {"contents": [markdown] * 20},
        "prompts/get": {"messages": [{"role": "user", "content": [text] * 50}] * 30},
    }


def main() -> None:
    """Answer every line until the input ends."""
    known = results()
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" in asked:
            method = asked["method"]
            said = (
                {"result": known[method]} if method in known else {"error": {"code": -32601, "message": "no"}}
            )
            print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **said}), flush=True)


if __name__ == "__main__":
    main()
