"""A probe server on stdin and stdout: it tells where and how it was started, and nothing else.

Standard library only. Its observation has the shape that the public suite's probe gives: `root` is
worked out from the probe's own file and not from PLUGIN_ROOT; `root`, `cwd` and `resolvedData` are
real paths. Before it answers anything it leaves a file named after its server in `started/`
beside itself: an entry that must not start is one whose file is missing.

Arguments: the name of the file that was executed, then the entry's own arguments, of which the first
is the server's id.
"""

from __future__ import annotations

import json
import os
import sys

ROOT = os.path.dirname(os.path.realpath(__file__))
TOOL = {
    "name": "observe",
    "description": "Tell how this server was started.",
    "inputSchema": {"type": "object", "properties": {}},
}
SHOWN = ("PLUGIN_ROOT", "PLUGIN_DATA", "APC_VALUE", "APC_EXPANSION", "APC_LITERAL", "APC_HOST_SECRET")


def observe() -> dict[str, object]:
    """Where and how this process runs."""
    data = os.environ.get("PLUGIN_DATA", "")
    return {
        "version": 1,
        "server": sys.argv[2],
        "executed": sys.argv[1],
        "root": ROOT,
        "cwd": os.path.realpath(os.getcwd()),
        "resolvedData": os.path.realpath(data) if data else None,
        "argv": sys.argv[2:],
        "env": {name: os.environ[name] for name in SHOWN if name in os.environ},
        "dataWrite": write_to(data),
    }


def write_to(directory: str) -> bool:
    """Whether a file written to `directory` reads back the same."""
    path = os.path.join(directory, f"written-by-{sys.argv[2]}")
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(sys.argv[2])
        with open(path, encoding="utf-8") as file:
            return file.read() == sys.argv[2]
    except OSError:
        return False


def answer(method: str) -> dict[str, object] | None:
    """The result for one request; None for a method this server does not have."""
    if method == "initialize":
        info = {"name": "probe", "version": "1"}
        return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        seen = observe()
        return {"content": [{"type": "text", "text": json.dumps(seen)}], "structuredContent": seen}
    return None


def main() -> None:
    """Say that it started; answer one line with one line until the input ends."""
    os.makedirs(os.path.join(ROOT, "started"), exist_ok=True)
    with open(os.path.join(ROOT, "started", sys.argv[2]), "w", encoding="utf-8"):
        pass
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = answer(message["method"])
        reply = {"result": result} if result is not None else {"error": {"code": -32601, "message": "no"}}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)


if __name__ == "__main__":
    main()
