"""Packages that must fail, made from one that does not: each with one fault, and the rule that finds it.

A check that accepts everything passes every good package too; these show that it does not.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from prowess.author.fixtures_subject import Kind, Subject
from prowess.author.scaffold import json_file
from prowess.spec.diagnostics import Diagnostic
from prowess.spec.versions import SUPPORTED

ABOVE = "negative"


@dataclass(frozen=True, slots=True, kw_only=True)
class Negative:
    """One package that must fail: its folder below the fixtures, what is judged there, the rule, files."""

    path: str
    kind: Kind
    rule: str
    files: dict[str, str]


def negatives_of(subject: Subject) -> tuple[Negative, ...]:
    """Those that belong to what the subject is."""
    return tuple(_MAKERS[subject.kind](subject))


def findings(kind: Kind, folder: str) -> tuple[Diagnostic, ...]:
    """What judging the package in `folder` finds; nothing of it runs."""
    if kind == "plugin":
        from prowess.source.judging import judge

        return judge(folder).diagnostics
    if kind == "skill":
        from prowess.source.skills_folder import judge_skills

        return judge_skills(folder).judgement.diagnostics
    if kind == "units":
        from prowess.units.discovery import judge as judge_units

        return tuple(judge_units(folder).diagnostics)
    if kind == "workflows":
        from prowess.workflow.judging import judge as judge_workflows

        return judge_workflows(folder).diagnostics
    from prowess.content.judging import judge as judge_content

    return tuple(judge_content(folder).diagnostics)


def _of_plugin(subject: Subject) -> Iterator[Negative]:
    manifest = subject.documents["plugin.json"]
    capitals = {**manifest, "name": _in_capitals(str(manifest["name"]))}
    servers = subject.documents.get("mcp.json")
    files = {"plugin.json": json_file(capitals)}
    yield Negative(
        path=f"{ABOVE}/name-in-capitals",
        kind="plugin",
        rule="manifest-name-invalid",
        files={**files, **({"mcp.json": json_file(servers)} if servers is not None else {})},
    )
    yield Negative(
        path=f"{ABOVE}/entry-without-type",
        kind="plugin",
        rule="server-type-missing",
        files={"plugin.json": json_file(manifest), "mcp.json": json_file(_untyped(servers))},
    )


def _in_capitals(name: str) -> str:
    return name.upper() if name.upper() != name else f"A{name}"


def _untyped(servers: Any) -> dict[str, Any]:
    """The same configuration with one entry that states no type."""
    entries = dict(servers["mcpServers"]) if isinstance(servers, dict) else {}
    name, entry = next(iter(entries.items()), ("sample", {"command": "sample"}))
    entries[name] = {key: value for key, value in entry.items() if key != "type"}
    schema = servers["$schema"] if isinstance(servers, dict) else SUPPORTED[-1].mcp_schema
    return {"$schema": schema, "mcpServers": entries}


def _of_skill(subject: Subject) -> Iterator[Negative]:
    name = _in_capitals(re.sub(r"[^a-z0-9-]", "a", subject.name))
    head = f"name: {name}\ndescription: Its name stands in capitals. Use never.\n"
    yield Negative(
        path=f"{ABOVE}/name-in-capitals",
        kind="skill",
        rule="skill-name-invalid",
        files={f"{name}/SKILL.md": f"---\n{head}---\nA skill that must fail.\n"},
    )


def _of_units(subject: Subject) -> Iterator[Negative]:
    said = {"name": "undescribed", "parameters": {"type": "object", "properties": {}}}
    code = "class Undescribed:\n    async def execute(self, params: dict) -> dict:\n        return {}\n"
    yield Negative(
        path=f"{ABOVE}/unit-without-description",
        kind="units",
        rule="unit-required-field",
        files={"undescribed/schema.json": json_file(said), "undescribed/skill.py": code},
    )


def _of_content(subject: Subject) -> Iterator[Negative]:
    yield Negative(
        path=f"{ABOVE}/template-without-uri",
        kind="content",
        rule="content-required-field",
        files={"templates/nowhere.md": "---\ntitle: It says no uriTemplate\n---\n"},
    )


def _of_workflows(subject: Subject) -> Iterator[Negative]:
    yield Negative(
        path=f"{ABOVE}/workflow-without-steps",
        kind="workflows",
        rule="workflow-required-field",
        files={"do_nothing.yaml": "name: do_nothing\ndescription: It has no steps. Use never.\n"},
    )


_MAKERS = {
    "plugin": _of_plugin,
    "skill": _of_skill,
    "units": _of_units,
    "content": _of_content,
    "workflows": _of_workflows,
}


def folder_of(fixtures: str, negative: Negative) -> str:
    """Where a negative stands on the disk."""
    return os.path.join(fixtures, *negative.path.split("/"))
