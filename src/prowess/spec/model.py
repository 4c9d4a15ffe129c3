"""What a package is, once read and judged: frozen values, every one of them checked.

Agent Plugins 1.0.0, sections 5 (manifest), 7.1 (skills), 7.2 (MCP servers). These types hold no
path of this machine: paths are package-relative, written with `/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from prowess.errors import PackageRejected
from prowess.spec.diagnostics import Diagnostic, Reach

Profile = Literal["spec", "lenient"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """A valid `plugin.json`. `spec` is the Agent Plugins version, such as `1.0.0`.

    `metadata` holds the other declared fields as given (author, license, keywords, ...).
    """

    name: str
    spec: str
    version: str | None = None
    description: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """One Agent Skill as far as its frontmatter. `path` is `skills/x/SKILL.md`, `name` is in NFKC.

    `body` stays None until somebody reads it: that is what a snapshot's `loaded` reports.
    """

    name: str
    description: str
    path: str
    license: str | None = None
    compatibility: str | None = None
    allowed_tools: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None

    @property
    def directory(self) -> str:
        """`skills/x`."""
        return self.path.rpartition("/")[0]

    @property
    def loaded(self) -> Literal["metadata", "body"]:
        """How much of the skill is in memory."""
        return "metadata" if self.body is None else "body"


@dataclass(frozen=True, slots=True, kw_only=True)
class StdioServer:
    """A stdio entry of `mcp.json`, placeholders not yet expanded (Agent Plugins 7.2, 9)."""

    id: str
    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str | None = None

    @property
    def type(self) -> Literal["stdio"]:
        """The declared transport."""
        return "stdio"


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpServer:
    """A streamable-http or sse entry of `mcp.json`; url and headers are literal (Agent Plugins 7.2)."""

    id: str
    type: Literal["streamable-http", "sse"]
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)


Server = StdioServer | HttpServer


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """An Agent Plugins package that was not rejected; skills and servers sorted by name and id."""

    manifest: Manifest
    skills: tuple[Skill, ...] = ()
    servers: tuple[Server, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What the loader found: a plugin, or none when it is rejected, and every diagnostic in order.

    `profile` is the one judged by. `skipped` is what did not load and `reported` the fields that
    were ignored, both in the words of the load report. `strict_skills` is how many skills the
    letter of the specification loads, whatever the profile.
    """

    plugin: Plugin | None
    diagnostics: tuple[Diagnostic, ...] = ()
    profile: Profile = "spec"
    strict_skills: int = 0

    @property
    def rejected(self) -> Diagnostic | None:
        """The first diagnostic that rejects the plugin, if any."""
        return next((d for d in self.diagnostics if d.reach is Reach.PLUGIN), None)

    @property
    def accepted(self) -> Plugin:
        """The plugin, for whoever cannot go on without; PackageRejected names the first fatal fault."""
        if self.plugin is not None:
            return self.plugin
        fault = self.rejected
        if fault is None:
            raise PackageRejected("the plugin was rejected")
        raise PackageRejected(f"{fault.place}: {fault.message}", hint=fault.hint)

    @property
    def skipped(self) -> tuple[Diagnostic, ...]:
        """Diagnostics of skipped entries and disabled component types, one for each subject."""
        first: dict[str, Diagnostic] = {}
        for each in self.diagnostics:
            if each.reach in (Reach.ENTRY, Reach.COMPONENT) and each.subject:
                first.setdefault(each.subject, each)
        return tuple(first[subject] for subject in sorted(first))

    @property
    def reported(self) -> tuple[str, ...]:
        """Manifest fields that were reported and ignored."""
        return tuple(sorted({d.subject for d in self.diagnostics if d.rule in IGNORED_FIELD_RULES}))


IGNORED_FIELD_RULES = frozenset({"manifest-unknown-field", "manifest-extensions-not-object"})
