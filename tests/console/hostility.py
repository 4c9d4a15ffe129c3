"""A folder with packages, units, content and a workflow that try everything that a text can try on a page."""

from __future__ import annotations

import json
from pathlib import Path

from tests.console.servers.hostile import HOSTILE

from prowess.spec.versions import SUPPORTED

SERVER = Path(__file__).resolve().parent / "servers" / "hostile.py"
SCHEMAS = SUPPORTED[-1]
IN_A_PATH = HOSTILE.replace("/", "∕")  # a file's name holds no slash


def hostile_folder(folder: Path) -> list[Path]:
    """Everything that the console is opened over."""
    return [_plugin(folder / "hostile"), _too_large(folder / "large"), _units(folder), _content(folder)]


def _plugin(root: Path) -> Path:
    manifest = {
        "$schema": SCHEMAS.plugin_schema,
        "name": "hostile",
        "version": HOSTILE,
        "description": HOSTILE * 5_000,
        "author": {"name": HOSTILE, "email": HOSTILE, "url": "javascript:alert(1)"},
        "homepage": "javascript:alert(1)",
        "repository": HOSTILE,
        "license": HOSTILE,
        "keywords": [HOSTILE] * 1_000,
        "extensions": {HOSTILE: {HOSTILE: HOSTILE}},
        HOSTILE: HOSTILE,
    }
    servers = {
        "big": {"type": "stdio", "command": "python", "args": ["./server.py"], "env": {"A": HOSTILE}},
        "gone": {"type": "stdio", "command": "python", "args": ["-c", f"raise SystemExit({HOSTILE!r})"]},
        HOSTILE: {"type": "stdio", "command": HOSTILE, "args": [HOSTILE], "env": {HOSTILE: HOSTILE}},
        f"x{HOSTILE}": {"type": HOSTILE, HOSTILE: HOSTILE},
    }
    _written(root / "plugin.json", json.dumps(manifest, ensure_ascii=False))
    _written(root / "mcp.json", json.dumps({"$schema": SCHEMAS.mcp_schema, "mcpServers": servers}))
    _written(root / "server.py", SERVER.read_text("utf-8"))
    _written(root / "skills" / "good" / "SKILL.md", _skill("good"))
    _written(root / "skills" / "good" / IN_A_PATH, HOSTILE * 100)
    _written(root / "skills" / IN_A_PATH / "SKILL.md", _skill(HOSTILE))
    _written(root / "skills" / "broken" / "SKILL.md", f"---\nname: {HOSTILE}\n{HOSTILE}: [\n---\n{HOSTILE}")
    return root


def _skill(name: str) -> str:
    front = f"name: {json.dumps(name)}\ndescription: {json.dumps(HOSTILE)}\nlicense: {json.dumps(HOSTILE)}"
    links = "[x](javascript:alert(1)) ![x](https://example.com/x.png)"
    return f"---\n{front}\n---\n# {HOSTILE}\n<script>alert(1)</script>\n{links}\n{HOSTILE * 500}"


def _too_large(root: Path) -> Path:
    manifest = {"$schema": SCHEMAS.plugin_schema, "name": "large", "description": HOSTILE * 100_000}
    return _written(root / "plugin.json", json.dumps(manifest, ensure_ascii=False)).parent


def _units(folder: Path) -> Path:
    metadata = {
        "name": "unit_of_theirs",
        "description": HOSTILE,
        "triggers": [HOSTILE] * 50,
        "parameters": {"type": "object", "properties": {"a": {"type": "string", "description": HOSTILE}}},
        "examples": [{"input": {"a": HOSTILE}, "output": HOSTILE}],
        HOSTILE: HOSTILE,
    }
    code = "class Unit:\n    def execute(self, a=''):\n        return a\n"
    _written(folder / "units" / "theirs" / "skill.py", code)
    _written(folder / "units" / "theirs" / "schema.json", json.dumps(metadata))
    _written(folder / "units" / IN_A_PATH / "schema.json", "{" + HOSTILE)
    return folder / "units"


def _content(folder: Path) -> Path:
    said = json.dumps(HOSTILE)
    front = f"---\ndescription: {said}\narguments:\n  - name: a\n    description: {said}\n---\n"
    _written(folder / "content" / "prompts" / "theirs.md", f"{front}{HOSTILE} {{{{a}}}}")
    _written(
        folder / "content" / "resources" / "theirs.md",
        f"# {HOSTILE}\n[x](javascript:alert(1))\n{HOSTILE * 500}",
    )
    return folder / "content"


def _written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path
