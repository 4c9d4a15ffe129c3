"""An existing layout of Claude Code, Codex, Cursor or Gemini CLI as an Agent Plugins package.

Skills and servers are what the standard carries. A command becomes a prompt in our own namespace where it
says the same there; whatever else a layout holds (hooks, agents, rules, settings, a context file) has no
portable form and is told. The source is only read; a new directory is written, and nothing is half done.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from prowess.author.converting_commands import Command, of_markdown, of_toml
from prowess.author.converting_servers import Words, portable_entry
from prowess.author.packing_archives import PackedFile
from prowess.author.packing_files import Gathered, gather
from prowess.author.packing_project import CONTENT
from prowess.author.plugin import serving
from prowess.author.scaffold import json_file, there
from prowess.errors import PackageRejected, UsageError
from prowess.redact import printable
from prowess.spec import limits
from prowess.spec.names import suggested_name
from prowess.spec.strict_json import Malformed, parse
from prowess.spec.versions import SUPPORTED

Verdict = Literal["converted", "copied", "changed", "no portable form"]

_TEXTS = ("version", "description", "homepage", "license")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One layout: the file that tells it, its words, and the folders that have no portable form."""

    name: str
    manifest: str
    servers: tuple[str, ...]
    words: Words
    commands: tuple[str, str] | None  # the folder, and the ending of its files
    without: Mapping[str, str]


_CLAUDE_ONLY = {
    "hooks": "hooks run at moments of one client",
    "agents": "an agent is a setup of one client; its knowledge may be a skill",
    "output-styles": "an output style is a setting of one client",
    "themes": "a theme is a setting of one client",
    "monitors": "a monitor belongs to one client",
    ".lsp.json": "language servers are started by one client",
    "settings.json": "settings are of one client",
}
SOURCES = (
    Source(
        name="claude-code",
        manifest=".claude-plugin/plugin.json",
        servers=(".mcp.json",),
        words=Words(
            root=("${CLAUDE_PLUGIN_ROOT}",),
            data=("${CLAUDE_PLUGIN_DATA}",),
            given=("CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA"),
        ),
        commands=("commands", ".md"),
        without=_CLAUDE_ONLY,
    ),
    Source(
        name="codex",
        manifest=".codex-plugin/plugin.json",
        servers=(".codex.mcp.json", ".mcp.json"),
        words=Words(relative=True),
        commands=None,
        without={
            "hooks": _CLAUDE_ONLY["hooks"],
            "hooks.json": _CLAUDE_ONLY["hooks"],
            ".app.json": "an app of one client",
        },
    ),
    Source(
        name="cursor",
        manifest=".cursor-plugin/plugin.json",
        servers=(".cursor-plugin/mcp.json", "mcp.json", ".mcp.json"),
        words=Words(root=("${CURSOR_PLUGIN_ROOT}",), given=("CURSOR_PLUGIN_ROOT",)),
        commands=("commands", ".md"),
        without={
            **_CLAUDE_ONLY,
            "rules": "rules are always in one client's context; a skill is found when it is needed",
        },
    ),
    Source(
        name="gemini",
        manifest="gemini-extension.json",
        servers=(),
        words=Words(root=("${extensionPath}",), separator="${/}"),
        commands=("commands", ".toml"),
        without={
            "hooks": _CLAUDE_ONLY["hooks"],
            "agents": _CLAUDE_ONLY["agents"],
            "policies": "policies are the client's",
        },
    ),
)
# Members of a manifest that say where parts are; the standard has fixed places.
_PLACES = ("skills", "commands", "mcpServers")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What became of one part."""

    what: str
    verdict: Verdict
    detail: str = ""


@dataclass(slots=True, kw_only=True)
class Conversion:
    """A package made of a layout, and what became of each part of it."""

    source: Source
    root: str
    name: str = ""
    files: dict[str, PackedFile] = field(default_factory=dict)
    report: list[Told] = field(default_factory=list)

    def tell(self, what: str, verdict: Verdict, detail: str = "") -> None:
        """Add a line to the report."""
        self.report.append(Told(what=printable(what, 200), verdict=verdict, detail=printable(detail, 300)))

    @property
    def whole(self) -> bool:
        """Whether everything has a portable form."""
        return not any(each.verdict == "no portable form" for each in self.report)


def convert(path: str, *, layout: str = "") -> Conversion:
    """Read the layout in the directory `path` and make the package of it; nothing is written.

    `layout` says which, where there are several. Raises UsageError, Unreadable and PackageRejected.
    """
    source = _source(path, layout)
    made = Conversion(source=source, root=os.path.realpath(path))
    theirs = _document(made.root, source.manifest)
    _manifest(made, theirs)
    gathered = Gathered()
    gather(gathered, made.root, "", "", apart=_apart(made))
    _copy(made, gathered, theirs)
    served = list(_commands(made, theirs))
    _servers(made, theirs, served)
    _without(made, theirs)
    _judge(made)
    return made


def write_conversion(made: Conversion, out: str) -> tuple[str, ...]:
    """Write the package into the new directory `out`; the files. Raises UsageError."""
    from prowess.author.packing import write_files

    real = os.path.realpath(out)
    if real == made.root or made.root.startswith(real + os.sep):
        raise UsageError("--out is what is converted; nothing is written there", hint="name a new directory")
    if os.path.lexists(out) and (not os.path.isdir(out) or os.listdir(out)):
        raise there(out)
    try:
        os.makedirs(out, exist_ok=True)
        write_files(out, made.files)
    except OSError as error:
        raise UsageError(f"{printable(out, 300)}: {error.strerror}") from None
    return tuple(os.path.join(out, *each.split("/")) for each in sorted(made.files))


# -- what there is


def _source(path: str, layout: str) -> Source:
    if not os.path.isdir(path):
        raise UsageError(f"{printable(path, 300) or 'an empty path'}: no such directory")
    found = [each for each in SOURCES if os.path.isfile(os.path.join(path, *each.manifest.split("/")))]
    if layout:
        found = [each for each in found if each.name == layout]
    if not found:
        known = ", ".join(each.manifest for each in SOURCES)
        raise UsageError(f"{printable(path, 300)} has no layout that is known", hint=f"one of {known}")
    if len(found) > 1:
        raise UsageError(
            f"{printable(path, 300)} has several layouts: {', '.join(each.name for each in found)}",
            hint="--from says which is converted",
        )
    return found[0]


def _document(root: str, path: str) -> dict[str, Any]:
    from prowess.source.directory import DirectorySource

    data = DirectorySource(root).read(path, limits.JSON_BYTES)
    found = parse(data) if isinstance(data, bytes) else None
    if found is None or isinstance(found, Malformed) or not isinstance(found.value, dict):
        raise UsageError(f"{path} is no JSON object that can be read")
    return found.value


def _apart(made: Conversion) -> frozenset[str]:
    """What is not copied: what is converted, and what has no portable form."""
    names = [*made.source.without, "plugin.json", "mcp.json", "gemini-extension.json"]
    if made.source.commands is not None:
        names.append(made.source.commands[0])
    return frozenset(os.path.join(made.root, each) for each in names)


# -- the manifest


def _manifest(made: Conversion, theirs: Mapping[str, Any]) -> None:
    wanted = theirs.get("name") if isinstance(theirs.get("name"), str) else os.path.basename(made.root)
    made.name = suggested_name(str(wanted)) or suggested_name(os.path.basename(made.root)) or "converted"
    if made.name != wanted:
        made.tell("name", "changed", f"{wanted} is {made.name} here")
    said: dict[str, Any] = {"$schema": SUPPORTED[-1].plugin_schema, "name": made.name}
    said |= {key: theirs[key] for key in _TEXTS if isinstance(theirs.get(key), str)}
    author = theirs.get("author")
    if isinstance(author, str) and author:
        said["author"] = {"name": author}
    elif isinstance(author, dict):
        said["author"] = {
            key: author[key] for key in ("name", "email", "url") if isinstance(author.get(key), str)
        }
    repository = theirs.get("repository")
    repository = repository.get("url") if isinstance(repository, dict) else repository
    if isinstance(repository, str):
        said["repository"] = repository
    if isinstance(keywords := theirs.get("keywords"), list):
        said["keywords"] = [each for each in keywords if isinstance(each, str)]
    made.files["plugin.json"] = PackedFile(content=json_file(said).encode())
    made.tell(made.source.manifest, "converted", "plugin.json")
    known = {*said, *_PLACES, *made.source.without, "$schema", "contextFileName"}
    for key in theirs:
        if key not in known:
            made.tell(f"{made.source.manifest}: {key}", "no portable form")


# -- skills and other files


def _copy(made: Conversion, gathered: Gathered, theirs: Mapping[str, Any]) -> None:
    skills = set()
    context = _context_files(made, theirs)
    for path, file in gathered.files.items():
        if path in context:
            continue
        made.files[path] = file
        if path.startswith("skills/") and path.count("/") >= 2:
            skills.add(path.split("/")[1])
    for each in sorted(skills):
        made.tell(f"skills/{each}", "copied")
    for each in gathered.left_out:
        if not each.startswith(
            ("." + made.source.name.partition("-")[0], ".mcp.json", ".codex", ".app", ".lsp")
        ):
            made.tell(each.partition(":")[0], "no portable form", each.partition(": ")[2])
    for key in ("skills", "commands"):
        if (place := theirs.get(key)) not in (None, f"./{key}/", f"./{key}", f"{key}/", f"{key}"):
            made.tell(
                f"{made.source.manifest}: {key}", "no portable form", f"{key} at {place} are not looked for"
            )


def _context_files(made: Conversion, theirs: Mapping[str, Any]) -> list[str]:
    """Files that are always in the client's context."""
    if made.source.name != "gemini":
        return []
    said = theirs.get("contextFileName", "GEMINI.md")
    return [each for each in (said if isinstance(said, list) else [said]) if isinstance(each, str)]


# -- commands


def _commands(made: Conversion, theirs: Mapping[str, Any]) -> Iterator[str]:
    """Each command as a prompt; the folder of content that is to be served, if there is one."""
    if made.source.commands is None:
        return
    folder, ending = made.source.commands
    if not os.path.isdir(os.path.join(made.root, folder)):
        return
    gathered = Gathered()
    gather(gathered, made.root, folder, "")
    reader: Callable[[bytes], Command] = of_toml if ending == ".toml" else of_markdown
    place, prompts = f"{CONTENT}/{made.name}", 0
    for path, file in sorted(gathered.files.items()):
        if not path.endswith(ending):
            made.tell(f"{folder}/{path}", "no portable form", "no command")
            continue
        command = reader(file.content)
        if command.reason:
            made.tell(f"{folder}/{path}", "no portable form", command.reason)
            continue
        name = path.removesuffix(ending).replace("/", "-")
        made.files[f"{place}/prompts/{name}.md"] = PackedFile(content=command.text.encode())
        made.tell(f"{folder}/{path}", "converted", f"prompt {name}")
        for each in command.lost:
            made.tell(f"{folder}/{path}", "changed", each)
        prompts += 1
    if prompts:
        yield place


# -- servers


def _servers(made: Conversion, theirs: Mapping[str, Any], served: list[str]) -> None:
    entries: dict[str, Any] = {}
    for name, entry in _their_entries(made, theirs).items():
        converted = portable_entry(entry, made.source.words)
        if converted.entry is not None:
            entries[name] = converted.entry
            made.tell(f"server {name}", "converted", "mcp.json")
        for each in converted.lost:
            made.tell(f"server {name}", "no portable form", each)
        for each in converted.changed:
            made.tell(f"server {name}", "changed", each)
    if served:
        name = made.name if made.name not in entries else f"{made.name}-prompts"
        entries[name] = serving(tuple(served))
    if entries:
        document = {"$schema": SUPPORTED[-1].mcp_schema, "mcpServers": entries}
        made.files["mcp.json"] = PackedFile(content=json_file(document).encode())


def _their_entries(made: Conversion, theirs: Mapping[str, Any]) -> dict[str, Any]:
    """The servers, wherever the layout has them: in the manifest, in the file it names, or beside it."""
    said = theirs.get("mcpServers")
    if isinstance(said, dict):
        return said
    places = [said.removeprefix("./")] if isinstance(said, str) else list(made.source.servers)
    for each in places:
        if os.path.isfile(os.path.join(made.root, *each.split("/"))):
            document = _document(made.root, each)
            inner = document.get("mcpServers", document.get("mcp_servers", document))
            return dict(inner) if isinstance(inner, dict) else {}
    if isinstance(said, str):
        made.tell(f"{made.source.manifest}: mcpServers", "no portable form", f"there is no {said}")
    return {}


# -- the rest


def _without(made: Conversion, theirs: Mapping[str, Any]) -> None:
    for name, why in made.source.without.items():
        if os.path.lexists(os.path.join(made.root, name)) or name in theirs:
            made.tell(name, "no portable form", why)
    for each in _context_files(made, theirs):
        if os.path.isfile(os.path.join(made.root, *each.split("/"))):
            made.tell(
                each, "no portable form", "it is always in one client's context; its knowledge may be a skill"
            )


def _judge(made: Conversion) -> None:
    """What of the package would not load is told too; a manifest that is rejected is no conversion."""
    import tempfile

    from prowess.author.packing import write_files
    from prowess.source.judging import judge

    with tempfile.TemporaryDirectory(prefix="prowess-convert-") as folder:
        write_files(folder, made.files)
        judgement = judge(folder)
    if judgement.rejected is not None:
        raise PackageRejected(f"what it would become is rejected: {judgement.rejected.message}")
    for each in judgement.skipped:
        made.tell(each.subject, "no portable form", f"{each.message} [{each.rule}]")
