"""What a project consists of, and where each part of it stands in the package.

    project                                  package
    plugin.json, mcp.json, skills/, ...      as they are
    units/ (or the project is units)         dev.prowess/units/
    content/ (or the project is content)     dev.prowess/content/FOLDER/
    workflows/ (or the project is workflows) dev.prowess/workflows/

Our own files stand in the directory of our namespace (Agent Plugins 1.0.0, 8.2), and one entry of
`mcp.json` has `prowess serve` offer them. A folder of content keeps its name, because the URIs of its
resources are made of it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from prowess.author.packing_files import Gathered, gather
from prowess.author.plugin import NAMESPACE
from prowess.errors import PackageRejected, UsageError
from prowess.redact import printable
from prowess.spec import limits
from prowess.spec.strict_json import Malformed, parse

UNITS = f"{NAMESPACE}/units"
CONTENT = f"{NAMESPACE}/content"
WORKFLOWS = f"{NAMESPACE}/workflows"
_PROJECT = ("skills", "units", "content", "workflows", "evals")
_KEPT = ("README.md", "LICENSE", "LICENSE.md", "LICENSE.txt", "NOTICE", "CHANGELOG.md")


@dataclass(slots=True, kw_only=True)
class Project:
    """One project: its files as they will be packed, its two documents, and what `prowess serve` offers.

    `served` are directories of the package. A document that is not there is None.
    """

    root: str
    gathered: Gathered = field(default_factory=Gathered)
    manifest: dict[str, Any] | None = None
    servers: dict[str, Any] | None = None
    served: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read_project(path: str, *, apart: frozenset[str] = frozenset()) -> Project:
    """The project in the directory `path`; real paths in `apart` stay out.

    Raises UsageError for what is none, PackageRejected for what cannot be packed, Unreadable.
    """
    if not os.path.isdir(path):
        raise UsageError(f"{printable(path, 300) or 'an empty path'}: no such directory")
    project = Project(root=os.path.realpath(path))
    if os.path.lexists(os.path.join(project.root, "plugin.json")):
        _plugin(project, apart)
    elif not _one_part(project, apart):
        _parts(project, apart)
    if os.path.lexists(os.path.join(project.root, "prowess.toml")):
        project.gathered.files.pop("prowess.toml", None)
        project.notes.append("prowess.toml is not packed: what it says is for the host that uses the package")
    project.notes += [f"left out: {each}" for each in project.gathered.left_out]
    return project


def _plugin(project: Project, apart: frozenset[str]) -> None:
    moved = frozenset(os.path.join(project.root, each) for each, _ in _own_folders(project.root))
    gather(project.gathered, project.root, "", "", apart=apart | moved)
    for name in ("plugin.json", "mcp.json"):
        if name in project.gathered.files:
            document = _document(name, project.gathered.files[name].content)
            project.manifest, project.servers = (
                (document, project.servers) if name == "plugin.json" else (project.manifest, document)
            )
    _own(project, apart)


def _document(name: str, content: bytes) -> dict[str, Any]:
    found = parse(content)
    if isinstance(found, Malformed) or not isinstance(found.value, dict) or len(content) > limits.JSON_BYTES:
        raise PackageRejected(f"{name} is no JSON object", hint="prowess check tells what is wrong")
    return found.value


def _one_part(project: Project, apart: frozenset[str]) -> bool:
    """Take the project for units, a skill, skills, content or workflows, if it is one of them by itself."""
    from prowess.content.recognising import holds_content
    from prowess.units.scanning import METADATA, holds_units
    from prowess.workflow.recognising import holds_workflows

    root, name = project.root, os.path.basename(project.root)
    parts = apart | {os.path.join(root, "fixtures")}  # of the part, and another's in the package
    if holds_units(root):
        alone = os.path.isfile(os.path.join(root, METADATA))
        _gather_evals(project, parts)
        gather(
            project.gathered,
            root,
            "",
            f"{UNITS}/{name}" if alone else UNITS,
            apart=_without_evals(root, parts),
        )
        project.served.append(UNITS)
    elif os.path.isfile(os.path.join(root, "SKILL.md")):
        _gather_evals(project, parts)
        gather(project.gathered, root, "", f"skills/{name}", apart=_without_evals(root, parts))
    elif any(os.path.isfile(os.path.join(root, each, "SKILL.md")) for each in _folders(root)):
        gather(project.gathered, root, "", "skills", apart=parts)
    elif holds_content(root):
        gather(project.gathered, root, "", f"{CONTENT}/{name}", apart=parts)
        project.served.append(f"{CONTENT}/{name}")
    elif holds_workflows(root):
        _gather_evals(project, parts)
        gather(project.gathered, root, "", WORKFLOWS, apart=_without_evals(root, parts))
        project.served.append(WORKFLOWS)
    else:
        return False
    return True


def _gather_evals(project: Project, apart: frozenset[str]) -> None:
    """Trigger cases of a part are those of the package that it becomes."""
    if os.path.isdir(os.path.join(project.root, "evals")):
        gather(project.gathered, project.root, "evals", "evals", apart=apart)


def _without_evals(root: str, apart: frozenset[str]) -> frozenset[str]:
    return apart | {os.path.join(root, "evals")}


def _parts(project: Project, apart: frozenset[str]) -> None:
    """A project without a manifest: the folders that mean something, and who wrote it."""
    found = [each for each in _PROJECT if os.path.isdir(os.path.join(project.root, each))]
    if not set(found) - {"evals"}:
        raise UsageError(
            f"{printable(project.root, 300)} is no plugin and has none of {', '.join(_PROJECT[:-1])}",
            hint="prowess new plugin NAME writes one",
        )
    for each in ("skills", "evals"):
        if each in found:
            gather(project.gathered, project.root, each, each, apart=apart)
    for each in _KEPT:
        if os.path.isfile(os.path.join(project.root, each)):
            gather_file(project, each)
    _own(project, apart)


def gather_file(project: Project, name: str) -> None:
    """One file of the project's root."""
    others = frozenset(os.path.join(project.root, each) for each in os.listdir(project.root) if each != name)
    gather(project.gathered, project.root, "", "", apart=others)


def _own(project: Project, apart: frozenset[str]) -> None:
    for name, to in _own_folders(project.root):
        gather(project.gathered, project.root, name, to, apart=apart)
        project.served.append(to)


def _own_folders(root: str) -> list[tuple[str, str]]:
    """The folders of units, content and workflows, each with its place in the package."""
    return list(_each_own(root))


def _each_own(root: str) -> Iterator[tuple[str, str]]:
    from prowess.content.recognising import holds_content
    from prowess.units.scanning import holds_units

    if holds_units(os.path.join(root, "units")):
        yield "units", UNITS
    content = os.path.join(root, "content")
    if holds_content(content):
        yield "content", f"{CONTENT}/content"
    else:
        for name in _folders(content):
            if holds_content(os.path.join(content, name)):
                yield f"content/{name}", f"{CONTENT}/{name}"
    if any(each.endswith((".yaml", ".yml")) for each in _listed(os.path.join(root, "workflows"))):
        yield "workflows", WORKFLOWS


def _listed(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _folders(folder: str) -> list[str]:
    return [each for each in _listed(folder) if os.path.isdir(os.path.join(folder, each))]
