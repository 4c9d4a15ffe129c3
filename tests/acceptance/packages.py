"""Plugins around the fault-injecting server, and what it wrote down."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SCHEMAS = "https://agent-plugins.org/schemas/1.0.0"
FAULTS = Path(__file__).parent / "servers" / "faults.py"
SKILL = "---\nname: greet\ndescription: Greets people. Use when somebody arrives.\n---\nSay hello.\n"


def entry(log: Path | None = None, **env: str) -> dict[str, Any]:
    """The `mcp.json` entry of a stdio server that fails as it is told."""
    noted = {"FAULTS_LOG": str(log)} if log is not None else {}
    # `-S -E` for a quick start; the server is of the standard library alone.
    return {
        "type": "stdio",
        "command": Path(sys.executable).name,
        "args": ["-S", str(FAULTS)],
        "env": {**noted, **env},
    }


def plugin(root: Path, servers: Mapping[str, Any], name: str = "sample") -> Path:
    """A plugin in `root` with these servers and one skill."""
    folder = root / "skills" / "greet"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_text(SKILL)
    manifest = {"$schema": f"{SCHEMAS}/plugin.schema.json", "name": name}
    (root / "plugin.json").write_text(json.dumps(manifest))
    configuration = {"$schema": f"{SCHEMAS}/mcp.schema.json", "mcpServers": servers}
    (root / "mcp.json").write_text(json.dumps(configuration))
    return root


def arrived(log: Path) -> list[dict[str, Any]]:
    """The calls that reached the server."""
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
