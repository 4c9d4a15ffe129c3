"""`[serve]`, what an endpoint shows: each field acts, through the command as a client starts it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.bounds import bound

ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
SCHEMA = "https://agent-plugins.org/schemas/1.0.0"
SERVER = """\
import json, os, sys
open(os.environ["STARTED"], "a").write("started\\n")
TOOLS = [
    {"name": name, "description": f"To {name} something of the ledger." + " More." * 40,
     "inputSchema": {"type": "object"}}
    for name in ("read", "write", "total")
]
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    result = {
        "server/discover": {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}},
        "tools/list": {"tools": TOOLS},
        "tools/call": {"content": [{"type": "text", "text": "done"}]},
    }[message["method"]]
    common = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {**common, **result}}), flush=True)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two plugins, `books` and `shop`, with a server each."""
    monkeypatch.setenv("STARTED", str(tmp_path / "started"))
    for name, server in (("books", "ledger"), ("shop", "till")):
        plugin = tmp_path / name
        plugin.mkdir()
        manifest = {"$schema": f"{SCHEMA}/plugin.schema.json", "name": name}
        (plugin / "plugin.json").write_text(json.dumps(manifest))
        (plugin / "server").write_text(f"#!{sys.executable} -IS\n{SERVER}")
        (plugin / "server").chmod(0o755)
        entry = {
            "type": "stdio",
            "command": "./server",
            "env": {"STARTED": str(tmp_path / "started")},
        }
        mcp = {"$schema": f"{SCHEMA}/mcp.schema.json", "mcpServers": {server: entry}}
        (plugin / "mcp.json").write_text(json.dumps(mcp))
    return tmp_path


def starts(folder: Path) -> int:
    file = folder / "started"
    return len(file.read_text().splitlines()) if file.exists() else 0


def asked(folder: Path, text: str, *requests: tuple[str, Mapping[str, Any]], plugins: str = "") -> list[Any]:
    """The results of requests to `prowess serve`, one after the other; their errors too."""
    plugins = plugins or 'books = "books"\nshop = "shop"\n'
    (folder / "prowess.toml").write_text(f"[plugins]\n{plugins}\n{text}\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "prowess", "serve", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONWARNINGS": "error"},
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    results = []
    try:
        for number, (method, params) in enumerate(requests):
            message = {"jsonrpc": "2.0", "id": number, "method": method}
            process.stdin.write(json.dumps({**message, "params": {**params, "_meta": ENVELOPE}}) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            assert answer["id"] == number
            results.append(answer.get("result", answer.get("error")))
        process.stdin.close()
        assert process.wait(bound(20)) == 0
    finally:
        process.kill()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()
    return results


LIST: tuple[str, Mapping[str, Any]] = ("tools/list", {})


def names(result: Any) -> list[str]:
    return [each["name"] for each in result["tools"]]


def search(query: str) -> tuple[str, Mapping[str, Any]]:
    return "tools/call", {"name": "search_capabilities", "arguments": {"query": query}}


@pytest.mark.field("serve.names")
@pytest.mark.parametrize(
    ("text", "expected"), [("", ["read", "write", "total"]), ('[serve]\nnames = "qualified"', 3)]
)
def test_tools_of_one_server_are_called_what_names_says(folder: Path, text: str, expected: Any) -> None:
    (result,) = asked(folder, text, LIST, plugins='books = "books"\n')
    if expected == 3:
        assert len(names(result)) == 3
        assert all(each.startswith("books") and each != "read" for each in names(result))
    else:
        assert names(result) == expected


@pytest.mark.field("serve.expose", "serve.core", "serve.budget", "serve.idle_seconds")
def test_a_model_sees_the_core_and_finds_the_rest_within_its_budget(folder: Path) -> None:
    (everything,) = asked(folder, "[serve]\nidle_seconds = 0", LIST)
    core = names(everything)[0]
    assert starts(folder) == 2
    text = f'[serve]\nexpose = "search"\ncore = ["{core}"]\nbudget = 150'
    listed, found = asked(folder, text, LIST, search("write something of the ledger"))
    assert names(listed)[0] == core
    assert len(names(listed)) == 5
    assert len(found["structuredContent"]["capabilities"]) == 1
    assert found["structuredContent"]["left_out"]


@pytest.mark.field("serve.idle_seconds")
def test_servers_that_are_known_start_when_they_are_first_used(folder: Path) -> None:
    asked(folder, "", LIST)
    assert starts(folder) == 2
    (listed,) = asked(folder, "", LIST)
    assert len(names(listed)) == 6
    before = starts(folder)
    assert before == 2
    tool = next(each for each in names(listed) if "till" in each)
    (called,) = asked(folder, "", ("tools/call", {"name": tool}))
    assert called["content"] == [{"type": "text", "text": "done"}]
    assert starts(folder) == before + 1
    asked(folder, "[serve]\nidle_seconds = 0", LIST)
    assert starts(folder) == before + 3
