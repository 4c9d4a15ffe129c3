"""What fixtures are frozen of: a plugin, a skill, units, content or workflows, each by its parts.

    manifest     plugin.json, where there is one
    components   mcp.json, the names of what loads, and a digest of every file that a component is made of
    snapshot     what is on offer, with everything up; of a skill alone, without anything to start

A Subject is read from the disk and starts nothing; `brought_up` does.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from prowess.errors import Unreadable, UsageError
from prowess.redact import printable
from prowess.spec import limits
from prowess.spec.diagnostics import Diagnostic, Reach
from prowess.spec.model import Judgement, Manifest, Plugin
from prowess.spec.strict_json import Malformed, parse

if TYPE_CHECKING:
    from prowess.capability.snapshot import Snapshot
    from prowess.host.host import Host
    from prowess.provider import Starting

Kind = Literal["plugin", "skill", "units", "content", "workflows"]
KINDS: tuple[Kind, ...] = get_args(Kind)

FOLDER = "fixtures"
# Where components stand in a plugin; of anything else every file is a part of it.
_COMPONENTS = ("skills", "dev.prowess", "prompts", "resources", "templates", "units", "content", "workflows")
_BESIDE = frozenset({FOLDER, "evals", "__pycache__", "node_modules"})
MOST_FILES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One PATH as it is now. `documents` are `plugin.json` and `mcp.json` as values, where they are there."""

    kind: Kind
    root: str
    name: str
    judgement: Judgement
    documents: dict[str, Any] = field(default_factory=dict)
    components: dict[str, Any] = field(default_factory=dict)

    @property
    def faults(self) -> tuple[Diagnostic, ...]:
        """What keeps something of it from loading."""
        return tuple(each for each in self.judgement.diagnostics if each.reach >= Reach.ENTRY)


def kind_of(path: str) -> Kind:
    """What the directory `path` is. Raises UsageError for what fixtures are not frozen of."""
    from prowess.content.recognising import holds_content
    from prowess.units.scanning import holds_units
    from prowess.workflow.recognising import holds_workflows

    if not os.path.isdir(path):
        raise UsageError(f"{printable(path, 300) or 'an empty path'}: no such directory")
    if os.path.lexists(os.path.join(path, "plugin.json")):
        return "plugin"
    if holds_units(path):
        return "units"
    if os.path.lexists(os.path.join(path, "SKILL.md")):
        return "skill"
    if holds_content(path):
        return "content"
    if holds_workflows(path):
        return "workflows"
    raise UsageError(
        f"{printable(path, 300)} is no plugin, skill, folder of units, content or workflows",
        hint="prowess new plugin NAME writes one",
    )


def read_subject(path: str) -> Subject:
    """What is at `path`, judged. Raises UsageError and Unreadable."""
    kind = kind_of(path)
    root = os.path.realpath(path)
    name = printable(os.path.basename(root), 64)
    judgement, counts = _JUDGES[kind](root, name)
    files = {each: _digest(os.path.join(root, *each.split("/"))) for each in _files(root, kind)}
    documents = {
        each: value for each in ("plugin.json", "mcp.json") if (value := _json(root, each)) is not None
    }
    return Subject(
        kind=kind,
        root=root,
        name=name,
        judgement=judgement,
        documents=documents if kind == "plugin" else {},
        components={**counts, "files": files},
    )


def _plugin(root: str, name: str) -> tuple[Judgement, dict[str, Any]]:
    from prowess.source.judging import judge

    judgement = judge(root)
    plugin = judgement.plugin
    servers = {each.id: each.type for each in plugin.servers} if plugin else {}
    return judgement, {"skills": [each.name for each in plugin.skills] if plugin else [], "servers": servers}


def _skill(root: str, name: str) -> tuple[Judgement, dict[str, Any]]:
    from prowess.source.skills_folder import judge_skill

    found = judge_skill(root)
    stand_in = Plugin(manifest=Manifest(name=name, spec=""), skills=found.skills)
    judgement = Judgement(plugin=stand_in, diagnostics=found.judgement.diagnostics)
    return judgement, {"skills": [each.name for each in found.skills]}


def _units(root: str, name: str) -> tuple[Judgement, dict[str, Any]]:
    from prowess.units.discovery import judge

    found = judge(root)
    units = sorted(f"{each.unit.name}@{each.unit.version}" for each in found.units)
    return Judgement(plugin=None, diagnostics=tuple(found.diagnostics)), {"units": units}


def _content(root: str, name: str) -> tuple[Judgement, dict[str, Any]]:
    from prowess.content.judging import judge

    found = judge(root)
    names = {part: sorted(map(str, getattr(found, part))) for part in ("prompts", "resources", "templates")}
    return Judgement(plugin=None, diagnostics=tuple(found.diagnostics)), names


def _workflows(root: str, name: str) -> tuple[Judgement, dict[str, Any]]:
    from prowess.workflow.judging import judge

    found = judge(root)
    titles = sorted(each.title for each in found.workflows)
    return Judgement(plugin=None, diagnostics=found.diagnostics), {"workflows": titles}


_JUDGES: dict[Kind, Callable[[str, str], tuple[Judgement, dict[str, Any]]]] = {
    "plugin": _plugin,
    "skill": _skill,
    "units": _units,
    "content": _content,
    "workflows": _workflows,
}


def _json(root: str, name: str) -> Any:
    """The document as a value; None where there is none, or none that can be read (`check` says why)."""
    from prowess.source.directory import DirectorySource

    data = DirectorySource(root).read(name, limits.JSON_BYTES)
    found = parse(data) if isinstance(data, bytes) else None
    return None if found is None or isinstance(found, Malformed) else found.value


def _files(root: str, kind: Kind) -> Iterator[str]:
    tops = [each for each in _COMPONENTS if os.path.isdir(os.path.join(root, each))]
    found = sorted(_walk(root, "", tops if kind == "plugin" else None))
    if len(found) > MOST_FILES:
        raise Unreadable(f"{printable(root, 300)} has more than {MOST_FILES} files")
    yield from found


def _walk(root: str, below: str, only: Sequence[str] | None = None) -> Iterator[str]:
    with os.scandir(os.path.join(root, below)) as entries:
        listed = sorted(entries, key=lambda each: each.name)
    for each in listed:
        if each.name.startswith(".") or each.name in _BESIDE or (only is not None and each.name not in only):
            continue
        path = f"{below}{each.name}"
        if each.is_dir(follow_symlinks=False):
            yield from _walk(root, f"{path}/")
        elif each.is_file(follow_symlinks=False) and not path.endswith((".pyc", ".pyo")):
            yield path


def _digest(file: str) -> str:
    try:
        with open(file, "rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise Unreadable(f"{printable(file, 300)}: {error.strerror}") from None


@asynccontextmanager
async def brought_up(
    subject: Subject, *, timeout: float, on_start: Callable[[Starting], None] | None = None
) -> AsyncIterator[Host]:
    """A Host of the subject with everything up that it needs; what it remembers is forgotten again."""
    from prowess.host.host import Host
    from prowess.host.storing import Store

    async with Host.open(subject.root, timeout=timeout, on_start=on_start, store=Store.in_memory()) as host:
        yield host


def without_starting(subject: Subject) -> Snapshot:
    """The snapshot of a skill, which needs nothing to be started."""
    from prowess.capability.snapshot import Snapshot

    return Snapshot.of(subject.judgement)
