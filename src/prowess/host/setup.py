"""What a Host is made from: one plugin, or a `prowess.toml` with plugins, policy, limits and credentials.

Which one a path means is told by names alone: a directory that holds `plugin.json` is a plugin, one
that holds `prowess.toml` is what that file says, one with `*/schema.json` beside `skill.py` is a folder
of units, one with `prompts/`, `resources/` or `templates/` (and no `*/SKILL.md`) is a folder of content,
one with `*.yaml` that has steps is a folder of workflows, and any other directory is judged as a plugin.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from prowess.call.limits import Limits
from prowess.call.log_lines import LogSection
from prowess.call.policy import Policy
from prowess.content.recognising import holds_content
from prowess.credentials.sections import CredentialSection, ServerSection
from prowess.errors import UsageError
from prowess.host.local_skills import holds_skills
from prowess.host.sections import ContentSection, RecordsSection, RedactionSection, StoreSection, UnitsSection
from prowess.host.serving import ServeSection
from prowess.redact import printable
from prowess.store.installed_opening import located
from prowess.units.scanning import holds_units
from prowess.workflow.queues import WorkflowsSection
from prowess.workflow.recognising import file_of_runs, holds_workflows

CONFIG = "prowess.toml"
MANIFEST = "plugin.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """Where the plugins are, and all that is settled about their use.

    `plugins` are labels and paths; without a label a plugin is called what its manifest says. `skills`
    are labels and paths of folders of skills.
    `place` is the path that pins belong to.
    """

    place: str
    plugins: tuple[tuple[str, str], ...]
    skills: tuple[tuple[str, str], ...] = ()
    policy: Policy = field(default_factory=Policy)
    limits: Limits = field(default_factory=Limits)
    redaction: RedactionSection = field(default_factory=RedactionSection)
    records: RecordsSection = field(default_factory=RecordsSection)
    store: StoreSection = field(default_factory=StoreSection)
    log: LogSection = field(default_factory=LogSection)
    units: UnitsSection = field(default_factory=UnitsSection)
    content: ContentSection = field(default_factory=ContentSection)
    workflows: WorkflowsSection = field(default_factory=WorkflowsSection)
    serve: ServeSection = field(default_factory=ServeSection)
    credentials: Mapping[str, CredentialSection] = field(default_factory=dict)
    servers: Mapping[str, ServerSection] = field(default_factory=dict)


def config_file(path: str) -> str | None:
    """The `prowess.toml` that `path` means, or None when it means a plugin."""
    if path.endswith(".toml") and not os.path.isdir(path):
        return path
    if os.path.lexists(os.path.join(path, MANIFEST)):
        return None
    file = os.path.join(path, CONFIG)
    return file if os.path.lexists(file) else None


def setup_of(path: str | os.PathLike[str] | Sequence[str]) -> Setup:
    """The setup at `path`, or of several that are no `prowess.toml`; `installed:NAME` is a path too.

    Raises NotFound, UsageError and Unreadable for what cannot be used.
    """
    if isinstance(path, str | os.PathLike):
        return _setup_at(located(os.fspath(path)))
    paths = list(dict.fromkeys(map(located, path)))
    if len(paths) == 1:
        return _setup_at(paths[0])
    if not paths:
        raise UsageError("no path is given", hint="a plugin, a prowess.toml, units or content")
    if (file := next((each for each in paths if config_file(each) is not None), None)) is not None:
        raise UsageError(
            f"{printable(file, 300)} is a prowess.toml, which says by itself what is served",
            hint="give it alone, or name the other paths in it",
        )
    return _joined([_setup_at(each) for each in paths])


def _joined(setups: Sequence[Setup]) -> Setup:
    """Several places as one; pins and records belong to the first."""
    return Setup(
        place=setups[0].place,
        plugins=tuple(each for setup in setups for each in setup.plugins),
        skills=tuple(each for setup in setups for each in setup.skills),
        units=UnitsSection(paths=tuple(each for setup in setups for each in setup.units.paths)),
        content=ContentSection(paths=tuple(each for setup in setups for each in setup.content.paths)),
        workflows=_joined_workflows([each.workflows for each in setups if each.workflows.paths]),
    )


def _joined_workflows(sections: Sequence[WorkflowsSection]) -> WorkflowsSection:
    """Folders of workflows as one; their runs are kept where those of the first are."""
    if not sections:
        return WorkflowsSection()
    paths = tuple(each for section in sections for each in section.paths)
    return WorkflowsSection(paths=paths, sqlite=sections[0].sqlite)


def _setup_at(path: str) -> Setup:
    """The setup at `path`. Raises UsageError and Unreadable for a configuration that cannot be used."""
    file = config_file(path)
    if file is None:
        if holds_units(path):
            return Setup(place=path, plugins=(), units=UnitsSection(paths=(path,)))
        if holds_content(path):
            return Setup(place=path, plugins=(), content=ContentSection(paths=(path,)))
        if not os.path.lexists(os.path.join(path, MANIFEST)) and holds_skills(path):
            label = printable(os.path.basename(os.path.abspath(path)), 64) or "skills"
            return Setup(place=path, plugins=(), skills=((label, path),))
        if holds_workflows(path):
            kept = file_of_runs(path, os.environ)
            return Setup(place=path, plugins=(), workflows=WorkflowsSection(paths=(path,), sqlite=kept))
        return Setup(place=path, plugins=(("", path),))
    from prowess.host.config import load_config

    config = load_config(file)
    return Setup(
        place=file,
        plugins=config.plugins,
        policy=config.policy,
        limits=config.limits,
        redaction=config.redaction,
        records=config.records,
        store=config.store,
        log=config.log,
        units=config.units,
        content=config.content,
        workflows=config.workflows,
        serve=config.serve,
        credentials=config.credentials,
        servers=config.servers,
    )
