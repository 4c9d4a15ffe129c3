"""Packages that the pages of packages are tried with: one for each way to be broken, and sound ones."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SERVER = Path(__file__).parent / "servers" / "leaving.py"
SCHEMAS = "https://agent-plugins.org/schemas/1.0.0"
HOSTILE = "<script>document.title='taken'</script>\u202eevil\x07"


def server(*arguments: str) -> dict[str, Any]:
    """The entry of the server beside this file."""
    return {"type": "stdio", "command": Path(sys.executable).name, "args": ["-S", str(SERVER), *arguments]}


def plugin(root: Path, servers: Mapping[str, Any] | None = None, **manifest: Any) -> Path:
    """A plugin in `root`, with these servers."""
    root.mkdir(parents=True, exist_ok=True)
    head = {"$schema": f"{SCHEMAS}/plugin.schema.json", "name": root.name, **manifest}
    (root / "plugin.json").write_text(json.dumps(head, indent=2))
    if servers is not None:
        document = {"$schema": f"{SCHEMAS}/mcp.schema.json", "mcpServers": servers}
        (root / "mcp.json").write_text(json.dumps(document, indent=2))
    return root


def skill(root: Path, name: str, description: str, said: str | None = None) -> None:
    """A skill below `root`; `said` is the name in its frontmatter, if that is another one."""
    folder = root / "skills" / name
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(f"---\nname: {said or name}\ndescription: {description}\n---\nDo it.\n")


def house(root: Path) -> Path:
    """A `prowess.toml` with everything below."""
    rejected(root / "rejected")
    dropped = plugin(root / "dropped", {"untyped": {"command": "x"}}, version="1.0.0", mystery=1)
    skill(dropped, "pack-boxes", "Helps", said="other-name")
    skill(dropped, "stack-boxes", "Helps with boxes")
    plugin(root / "mixed", {"boxes": server("mixed")}, version="2.1.0", description=HOSTILE)
    plugin(root / "gone", {"boxes": server("gone")})
    sound = plugin(root / "sound", version="1.2.0")
    skill(sound, "write-letters", "Writes letters to customers. Use when somebody asks for a letter.")
    units(root / "units")
    content(root / "words")
    flows = root / "workflows"
    flows.mkdir()
    (flows / "bad.yaml").write_text("name: [")
    file = root / "prowess.toml"
    plugins = "\n".join(f'{each} = "{each}"' for each in ("rejected", "dropped", "mixed", "gone", "sound"))
    rest = '[units]\npaths = ["units"]\n[content]\npaths = ["words"]\n'
    file.write_text(f"[plugins]\n{plugins}\n{rest}")
    return file


def rejected(root: Path) -> Path:
    """A plugin whose name is none, with a skill."""
    plugin(root, name="Not A Name")
    skill(root, "sort-boxes", "Sorts boxes by size. Use when boxes are to be sorted.")
    return root


def units(root: Path) -> Path:
    """A unit that works, and one whose name is none."""
    for name, said in (("add_boxes", "add_boxes"), ("lose_boxes", "Lose Boxes!")):
        folder = root / name
        folder.mkdir(parents=True)
        (folder / "schema.json").write_text(
            json.dumps(
                {
                    "name": said,
                    "version": "1.0.0",
                    "description": "Adds boxes.",
                    "parameters": {"type": "object"},
                }
            )
        )
        (folder / "skill.py").write_text(
            "class Skill:\n    async def execute(self, params: dict) -> dict:\n        return {}\n"
        )
    return root


def content(root: Path) -> Path:
    """A prompt that works, and one that lacks its description."""
    folder = root / "prompts"
    folder.mkdir(parents=True)
    (folder / "greet.md").write_text("---\nname: greet\ndescription: Greets.\n---\nSay hello.\n")
    (folder / "mute.md").write_text("---\nname: mute\nmystery: [\n---\nSay nothing.\n")
    return root
