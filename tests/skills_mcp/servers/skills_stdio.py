"""An MCP server over stdio, standard library only, that serves the skills in the folder named last.

Each directory of that folder is a skill; entries are made of the files as they are when it is asked.
What it was asked is written to SKILLS_LOG, one line each.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(sys.argv[-1])
EXTENSION = "io.modelcontextprotocol/skills"
CACHED = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


def entry(skill: Path) -> dict[str, Any]:
    files = sorted(each for each in skill.rglob("*") if each.is_file())
    fields = (line.split(": ", 1) for line in (skill / "SKILL.md").read_text().split("---\n")[1].splitlines())
    return {
        "uri": f"skill://{skill.name}/SKILL.md",
        "frontmatter": dict(fields),
        "resources": [
            {
                "uri": f"skill://{each.relative_to(FOLDER)}",
                "digest": f"sha256:{hashlib.sha256(each.read_bytes()).hexdigest()}",
                "size": each.stat().st_size,
            }
            for each in files
        ],
    }


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    uri = params.get("uri", "").removeprefix("skill://")
    if method == "server/discover":
        capabilities: dict[str, Any] = {"resources": {}, "extensions": {EXTENSION: {}}}
        return {**CACHED, "supportedVersions": ["2026-07-28"], "capabilities": capabilities}
    if method == "skills/list":
        return {**CACHED, "skills": [entry(each) for each in sorted(FOLDER.iterdir())]}
    if method == "skills/get":
        return {**CACHED, "skill": entry((FOLDER / uri).parent)}
    if method == "resources/read":
        return {**CACHED, "contents": [{"uri": params["uri"], "text": (FOLDER / uri).read_text()}]}
    if method in ("resources/list", "resources/templates/list"):
        return {**CACHED, {"resources/list": "resources"}.get(method, "resourceTemplates"): []}
    return None


def main() -> None:
    log = os.environ.get("SKILLS_LOG")
    for line in sys.stdin:
        message = json.loads(line)
        if log:
            with open(log, "a") as file:
                file.write(f"{message['method']}\n")
        if "id" not in message:
            continue
        result = answer(message["method"], message.get("params", {}))
        said = {"result": result} if result else {"error": {"code": -32601, "message": "no such method"}}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **said}), flush=True)


main()
