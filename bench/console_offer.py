"""What `bench.console` looks at: 500 packages, and a stdio server of the standard library with many tools.

python console_offer.py FILE     serves the tools that FILE lists, a JSON array of definitions
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

SCHEMAS = "https://agent-plugins.org/schemas/1.0.0"
SCHEMA = {"type": "object", "properties": {"week": {"type": "string"}, "limit": {"type": "integer"}}}


def write_packages(root: Path, packages: int, servers: int, documents: list[dict[str, str]]) -> Path:
    """`packages` plugins of two skills each, `servers` of them with a share of the tools; a `prowess.toml`.

    `documents` are names and descriptions, one tool each.
    """
    share = -(-len(documents) // servers)
    lines = []
    for number in range(packages):
        folder = root / f"package-{number:03}"
        for skill in ("collect", "report"):
            _write(folder / "skills" / f"{skill}-{number:03}" / "SKILL.md", _skill(skill, number))
        manifest = {"$schema": f"{SCHEMAS}/plugin.schema.json", "name": folder.name, "version": "1.0.0"}
        if number < servers:
            tools = [_tool(at, each) for at, each in enumerate(documents[number * share :][:share])]
            _write(folder / "tools.json", json.dumps(tools))
            _write(folder / "offer.py", Path(__file__).read_text(encoding="utf-8"))
            entry = {"type": "stdio", "command": "python3", "args": ["./offer.py", "./tools.json"]}
            servers_file = {"$schema": f"{SCHEMAS}/mcp.schema.json", "mcpServers": {"offer": entry}}
            _write(folder / "mcp.json", json.dumps(servers_file))
        _write(folder / "plugin.json", json.dumps(manifest))
        lines.append(f'{folder.name} = "{folder.name}"')
    _write(root / "prowess.toml", "\n".join(["[plugins]", *lines, ""]))
    return root / "prowess.toml"


def _skill(verb: str, number: int) -> str:
    about = f"{verb.capitalize()} the figures of department {number}; use when its week has ended."
    return f"---\nname: {verb}-{number:03}\ndescription: {about}\n---\n\nRead them, then write them down.\n"


def _tool(at: int, document: dict[str, str]) -> dict[str, object]:
    name = f"{document['name'][:40]}_{at}"
    return {"name": name, "description": document["description"], "inputSchema": SCHEMA}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def answer(method: str, params: dict[str, str], tools: object) -> dict[str, object] | None:
    """The result of a method, or None when there is no such method."""
    if method == "initialize":
        info = {"name": "offer", "version": "1.0.0"}
        version = params["protocolVersion"]
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
    return {"tools/list": {"tools": tools}, "ping": {}}.get(method)


def main(file: str) -> None:
    """Answer requests line by line until the client hangs up."""
    tools = json.loads(Path(file).read_text(encoding="utf-8"))
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = answer(message["method"], message.get("params") or {}, tools)
        given = (
            {"error": {"code": -32601, "message": "no such method"}} if result is None else {"result": result}
        )
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **given}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
