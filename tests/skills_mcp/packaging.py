"""Packages with skills, written to disk, and requests as an endpoint gets them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from prowess.provider import Caller
from prowess.serve.request import Era, Request

SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"


class NoPeer:
    """A client that hears nothing and can do nothing."""

    session = ""
    wants_progress = False
    capabilities: Mapping[str, Any] = {}

    async def progress(self, params: Mapping[str, Any]) -> None:
        raise AssertionError("nobody asked for progress")

    async def notify(self, method: str, params: Mapping[str, Any]) -> None:
        raise AssertionError("nobody hears notifications")

    async def ask(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        raise AssertionError("nobody answers")


def request(method: str, era: Era = "modern", principal: str = "local", **params: Any) -> Request:
    version = "2026-07-28" if era == "modern" else "2025-11-25"
    caller = Caller(principal=principal)
    return Request(method=method, caller=caller, peer=NoPeer(), era=era, version=version, params=params)


def skill_text(name: str, description: str = "Does a thing. Use when asked.", body: str = "Do it.\n") -> str:
    return f"---\nname: {name}\ndescription: {description}\n---\n{body}"


class Packages:
    """Writes packages below one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def package(self, label: str, skills: Mapping[str, Mapping[str, str | bytes]]) -> Path:
        """A package whose skills have these files; a skill without SKILL.md gets a plain one."""
        root = self.folder / label
        root.mkdir()
        (root / "plugin.json").write_text(json.dumps({"$schema": SCHEMA, "name": label}))
        for name, files in skills.items():
            self.skill(root, name, files)
        return root

    def skill(self, root: Path, name: str, files: Mapping[str, str | bytes]) -> Path:
        folder = root / "skills" / name
        for path, content in {"SKILL.md": skill_text(name), **files}.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.encode() if isinstance(content, str) else content)
        return folder

    def config(self, *labels: str, more: str = "") -> Path:
        """A prowess.toml with these packages."""
        lines = ["format = 1", "[plugins]", *(f'{each} = "{each}"' for each in labels), more]
        file = self.folder / "prowess.toml"
        file.write_text("\n".join(lines) + "\n")
        return file
