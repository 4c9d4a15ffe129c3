"""Packages in memory for tests: a valid one to start from, and ways to ask what was found."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from prowess.source.judging import judge
from prowess.source.memory import Content, MemorySource
from prowess.spec.diagnostics import Diagnostic
from prowess.spec.model import Judgement
from prowess.spec.questions import Failure, Kind, Listing, Source
from prowess.spec.versions import V1_0_0

SCHEMA = V1_0_0.plugin_schema
MCP_SCHEMA = V1_0_0.mcp_schema

SKILL = """---
name: {name}
description: Counts the lines of a text file. Use it when someone asks how long a file is.
---

Count them with care.
"""


def manifest(**fields: Any) -> str:
    """A valid manifest with `fields` added or replaced."""
    return json.dumps({"$schema": SCHEMA, "name": "sample", **fields})


def skill(name: str) -> str:
    """A valid SKILL.md."""
    return SKILL.format(name=name)


def mcp(servers: Mapping[str, Any]) -> str:
    """A valid `mcp.json` with these entries."""
    return json.dumps({"$schema": MCP_SCHEMA, "mcpServers": dict(servers)})


def stdio(**fields: Any) -> dict[str, Any]:
    """A valid stdio entry with `fields` added or replaced."""
    return {"type": "stdio", "command": "server", **fields}


def http(url: str = "https://example.com/mcp", **fields: Any) -> dict[str, Any]:
    """A streamable-http entry."""
    return {"type": "streamable-http", "url": url, **fields}


def package(files: Mapping[str, Content] | None = None, /, **manifest_fields: Any) -> MemorySource:
    """A package with a valid manifest and `files`."""
    return MemorySource({"plugin.json": manifest(**manifest_fields), **(files or {})})


def judged(files: Mapping[str, Content] | None = None, /, **manifest_fields: Any) -> Judgement:
    """The judgement of such a package."""
    return judge(package(files, **manifest_fields))


def judged_entry(entry: Any) -> Judgement:
    """The judgement of a package whose server `it` is `entry`, beside a good one."""
    return judged({"mcp.json": mcp({"good": stdio(), "it": entry}), "bin/run": "x", "data/keep": "x"})


def rules(judgement: Judgement) -> list[str]:
    """The rules found, advice on the sample texts included, in order."""
    return [each.rule for each in judgement.diagnostics]


def only(judgement: Judgement, rule: str) -> Diagnostic:
    """The one diagnostic of `rule`."""
    (found,) = [each for each in judgement.diagnostics if each.rule == rule]
    return found


def loaded(judgement: Judgement) -> tuple[list[str], list[str]]:
    """Names of the skills and ids of the servers that loaded."""
    assert judgement.plugin is not None
    return [each.name for each in judgement.plugin.skills], [each.id for each in judgement.plugin.servers]


class Recording:
    """A source that remembers every question it was asked."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.asked: list[tuple[str, str]] = []

    def kind(self, path: str) -> Kind:
        self.asked.append(("kind", path))
        return self.source.kind(path)

    def confined(self, path: str) -> bool:
        self.asked.append(("confined", path))
        return self.source.confined(path)

    def read(self, path: str, limit: int) -> bytes | Failure:
        self.asked.append(("read", path))
        return self.source.read(path, limit)

    def list(self, path: str) -> Listing | Failure:
        self.asked.append(("list", path))
        return self.source.list(path)
