"""The loader as a conversation: it asks, in the specification's own order, and judges the answers.

Agent Plugins 1.0.0: the manifest first and alone (5.1), then skills (7.1), then MCP servers (7.2).
Nothing here touches a disk; `prowess.source` answers the questions of `questions.py`.
"""

from __future__ import annotations

from collections.abc import Generator

from prowess.redact import printable
from prowess.spec import hints, limits
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.entry_place import FILE as SERVERS
from prowess.spec.entry_place import EntryPlace
from prowess.spec.manifest import ManifestVerdict, judge_manifest
from prowess.spec.manifest_fields import FILE as MANIFEST
from prowess.spec.model import Judgement, Plugin, Profile, Server, StdioServer
from prowess.spec.placeholders import has_placeholder
from prowess.spec.questions import (
    Answer,
    Conversation,
    Entry,
    Failure,
    Listing,
    Question,
    confined,
    kind,
    listing,
    read,
)
from prowess.spec.rules import report
from prowess.spec.servers import ServersVerdict, disabled, judge_servers
from prowess.spec.skill_directories import find_skills, skills_elsewhere
from prowess.spec.stdio_fields import root_path
from prowess.spec.versions import SUPPORTED, Version, Versions

_OTHER_MANIFESTS = (
    ".plugin",
    ".claude-plugin",
    ".codex-plugin",
    ".cursor-plugin",
    ".github/plugin",
)


def load(*, profile: Profile = "spec", versions: Versions = SUPPORTED) -> Conversation[Judgement]:
    """Ask what a plugin holds and return the judgement."""
    entries = yield from listing("")
    verdict = yield from _manifest(entries, versions)
    if isinstance(entries, Failure) or verdict.manifest is None or verdict.version is None:
        return Judgement(plugin=None, diagnostics=verdict.diagnostics, profile=profile)
    skills = yield from find_skills(entries.get("skills"), profile)
    skills.diagnostics.extend(skills_elsewhere(entries))
    found = yield from _servers(entries, verdict.version, versions)
    plugin = Plugin(
        manifest=verdict.manifest,
        skills=skills.skills,
        servers=found.servers,
    )
    return Judgement(
        plugin=plugin,
        diagnostics=(*verdict.diagnostics, *skills.diagnostics, *found.diagnostics),
        profile=profile,
        strict_skills=skills.strict,
    )


def _rejected(rule: str, message: str, hint: str = "") -> ManifestVerdict:
    found = report(rule, Place(file=MANIFEST), message, hint=hint)
    return ManifestVerdict(manifest=None, version=None, diagnostics=(found,))


def _manifest(entries: Listing | Failure, versions: Versions) -> Conversation[ManifestVerdict]:
    if isinstance(entries, Failure):
        reason = printable(entries.detail or entries.reason)
        return _rejected("package-no-manifest", f"the plugin directory cannot be listed: {reason}")
    entry = entries.get(MANIFEST)
    if entry is None:
        hint = yield from _where_else(entries, versions[-1].plugin_schema)
        return _rejected("package-no-manifest", "there is no plugin.json at the plugin root", hint)
    if entry.kind == "link" and not (yield from confined(MANIFEST)):
        return _rejected("manifest-outside", "plugin.json resolves outside the plugin", hints.INSIDE)
    if entry.kind != "file" and (yield from kind(MANIFEST)) != "file":
        return _rejected("manifest-unreadable", "plugin.json is no regular file")
    data = yield from read(MANIFEST, limits.JSON_BYTES)
    if isinstance(data, Failure):
        reason = printable(data.detail or data.reason)
        return _rejected("manifest-unreadable", f"plugin.json cannot be read: {reason}")
    return judge_manifest(data, versions)


def _where_else(entries: Listing, schema: str) -> Conversation[str]:
    """The hint for a package that has its manifest where another client looks."""
    for name in sorted(entries):
        if name.lower() == MANIFEST:
            return f"rename {printable(name)} to {MANIFEST}"
    for place in _OTHER_MANIFESTS:
        if place.partition("/")[0] in entries and (yield from kind(f"{place}/{MANIFEST}")) == "file":
            return (
                f"{place}/{MANIFEST} is another client's manifest; at the plugin root "
                f'write {MANIFEST}: {{"$schema": "{schema}", "name": "..."}}'
            )
    return f'write {MANIFEST}: {{"$schema": "{schema}", "name": "..."}}'


def _servers(entries: Listing, version: Version, versions: Versions) -> Conversation[ServersVerdict]:
    entry = entries.get(SERVERS)
    if entry is None:
        return ServersVerdict(diagnostics=_elsewhere(entries, version.mcp_schema))
    data = yield from _configuration(entry)
    if isinstance(data, Diagnostic):
        return ServersVerdict(diagnostics=(data,))
    verdict = judge_servers(data, version, versions)
    kept: list[Server] = []
    found = list(verdict.diagnostics)
    for server in verdict.servers:
        problem, notes = (yield from _placed(server)) if isinstance(server, StdioServer) else (None, [])
        found.extend([problem, *notes] if problem else notes)
        if problem is None:
            kept.append(server)
    return ServersVerdict(servers=tuple(kept), diagnostics=tuple(found))


def _elsewhere(entries: Listing, schema: str) -> tuple[Diagnostic, ...]:
    for name in sorted(entries):
        if name == ".mcp.json" or name.lower() == SERVERS:
            message = f"{printable(name)} is not read: servers are declared in {SERVERS}"
            hint = f'write {SERVERS}: {{"$schema": "{schema}", "mcpServers": {{...}}}}, a type in each entry'
            return (report("mcp-elsewhere", Place(file=name), message, hint=hint),)
    return ()


def _configuration(entry: Entry) -> Generator[Question, Answer, bytes | Diagnostic]:
    """The bytes of `mcp.json`, or why MCP is disabled."""
    if entry.kind == "link" and not (yield from confined(SERVERS)):
        return disabled("mcp-outside", "mcp.json resolves outside the plugin", hint=hints.INSIDE)
    if entry.kind != "file" and (yield from kind(SERVERS)) != "file":
        return disabled("mcp-unreadable", "mcp.json is no regular file")
    data = yield from read(SERVERS, limits.JSON_BYTES)
    if isinstance(data, Failure):
        reason = printable(data.detail or data.reason)
        return disabled("mcp-unreadable", f"mcp.json cannot be read: {reason}")
    return data


def _placed(server: StdioServer) -> Conversation[tuple[Diagnostic | None, list[Diagnostic]]]:
    """Where a server's command and working directory really are: what skips it, and notes (4.1, 7.2.1)."""
    at = EntryPlace.named(server.id)
    notes: list[Diagnostic] = []
    problem = yield from _command_place(server, at, notes)
    if problem is None and server.cwd is not None:
        problem = yield from _directory_place(server.cwd, at, notes)
    return problem, notes


def _command_place(
    server: StdioServer, at: EntryPlace, notes: list[Diagnostic]
) -> Conversation[Diagnostic | None]:
    if not server.command.startswith("./"):
        return None
    path = server.command[2:]
    # What there is to see is inside, so that only of the rest it has to be asked where it would be.
    what = yield from kind(path)
    if what == "missing" and not (yield from confined(path)):
        message = "command resolves outside the plugin"
        return at.report("server-outside", message, "command", hint=hints.INSIDE)
    if what == "directory":
        return at.report("server-command-invalid", "command is a directory", "command")
    if what != "file":
        hint = "it has to be there when the server starts; a ./ path begins at the plugin root, not at cwd"
        message = "command names no file of the package"
        notes.append(at.report("server-command-missing", message, "command", hint=hint))
    return None


def _directory_place(cwd: str, at: EntryPlace, notes: list[Diagnostic]) -> Conversation[Diagnostic | None]:
    path = root_path(cwd)
    # A second placeholder inside the path has no value yet; it is settled before a start.
    if path is None or has_placeholder(path):
        return None
    what = yield from kind(path)
    if what == "missing" and not (yield from confined(path)):
        return at.report("server-outside", "cwd resolves outside the plugin", "cwd", hint=hints.INSIDE)
    if what != "directory":
        hint = "it has to be there when the server starts"
        notes.append(
            at.report("server-cwd-missing", "cwd names no directory of the package", "cwd", hint=hint)
        )
    return None
