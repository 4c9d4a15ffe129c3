"""Two plugins with a real server each, whose tools are pinned as something that they are not any more."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from prowess.host.storing import Store
from prowess.store.remembered import Pin

STUB = str(Path(__file__).resolve().parents[1] / "cli" / "stub_server.py")
SCHEMAS = "https://agent-plugins.org/schemas/1.0.0"
NASTY = '<script>alert(1)</script>"\u202e'
SECRET = "kept-very-secret-9471"  # what the server of `two` is given
OLD = {"name": "greet", "description": f"Greets {NASTY}.\nPolitely.", "inputSchema": {"type": "object"}}


def path_with_python() -> str:
    """A PATH on which this interpreter is found by its name."""
    return os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])


def two_plugins(folder: Path) -> Path:
    """`one` and `two`, each with the server `good` that offers `greet`, in a `prowess.toml`."""
    for name in ("one", "two"):
        written(folder / name / "plugin.json", {"$schema": f"{SCHEMAS}/plugin.schema.json", "name": name})
        command: dict[str, Any] = {
            "type": "stdio",
            "command": os.path.basename(sys.executable),
            "args": [STUB, "answer", "greet"],
        }
        if name == "two":
            command["env"] = {"API_TOKEN": SECRET}
        servers: dict[str, Any] = {"$schema": f"{SCHEMAS}/mcp.schema.json", "mcpServers": {"good": command}}
        written(folder / name / "mcp.json", servers)
    config = folder / "prowess.toml"
    config.write_text('[plugins]\none = "one"\ntwo = "two"\n[policy]\ndefault = "ask"\n')
    return config


def written(file: Path, value: Any) -> None:
    """A JSON file, and the folders it is in."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value))


def pinned(store: Store, config: Path, server: str, definition: dict[str, Any] = OLD) -> None:
    """Pin `greet` of a server as something else than it is."""
    scope = store.scope(str(config))
    pin = Pin(scope=scope, server=server, tool="greet", digest="sha256:before", definition=definition)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, store.pins.replace(pin)).result()
