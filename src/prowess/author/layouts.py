"""What other clients want beside the portable package, made from it: their manifest and their servers.

Each client is one value here. The facts are from their public documents: Claude Code reads
`.claude-plugin/plugin.json` and `.mcp.json` and expands its own two variables; Cursor and Codex load
Agent Plugins as they are, and read `.cursor-plugin/` and `.codex-plugin/` where they are older. Cursor
has a variable for the plugin's directory and none for its data; Codex expands nothing and starts a
server in `cwd`, seen from the plugin's directory. What a client cannot say is left out and told.

The portable package stays the one source. `layouts_agreeing.py` reads what is written here back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from prowess.errors import UsageError
from prowess.redact import printable
from prowess.spec.placeholders import DATA, DATA_PLACEHOLDER, ROOT, ROOT_PLACEHOLDER
from prowess.spec.stdio_fields import data_path, root_path

PORTABLE = "agent-plugins"


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """One client. `root` and `data` are what it writes for the plugin's two directories, empty for none.

    `types` are its words for our transports; a transport without one is written without `type`.
    `fields` are the members of a manifest that it knows, `author` those of an author.
    """

    name: str
    manifest: str
    servers: str
    root: str = ""
    data: str = ""
    types: Mapping[str, str] = field(default_factory=dict)
    fields: tuple[str, ...] = (
        *("name", "version", "description", "author"),
        *("homepage", "repository", "license", "keywords"),
    )
    author: tuple[str, ...] = ("name", "email", "url")
    points: bool = False  # whether its manifest says where skills and servers are


CLIENTS = {
    each.name: each
    for each in (
        Client(
            name="claude-code",
            manifest=".claude-plugin/plugin.json",
            servers=".mcp.json",
            root="${CLAUDE_PLUGIN_ROOT}",
            data="${CLAUDE_PLUGIN_DATA}",
            types={"streamable-http": "http", "sse": "sse"},
        ),
        Client(
            name="cursor",
            manifest=".cursor-plugin/plugin.json",
            servers=".cursor-plugin/mcp.json",
            root="${CURSOR_PLUGIN_ROOT}",
            author=("name", "email"),
            points=True,
        ),
        Client(
            name="codex",
            manifest=".codex-plugin/plugin.json",
            servers=".codex.mcp.json",
            types={"streamable-http": "streamable_http"},
            points=True,
        ),
    )
}
TARGETS = (PORTABLE, *CLIENTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The files of one client, as JSON values by their paths, and what it cannot be told."""

    client: Client
    files: dict[str, Any]
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def targets_of(text: str) -> tuple[str, ...]:
    """The clients of `--for a,b`; the portable package is always there. Raises UsageError."""
    names = [each.strip() for each in text.split(",") if each.strip()]
    for each in names:
        if each not in TARGETS:
            raise UsageError(
                f"no layout is known for {printable(each, 60)}", hint=f"one of {', '.join(TARGETS)}"
            )
    return tuple(dict.fromkeys((PORTABLE, *names)))


def layout_of(
    client: Client, manifest: Mapping[str, Any], servers: Mapping[str, Any], *, skills: bool
) -> Layout:
    """What `client` reads of a package with this `plugin.json` and these entries of `mcp.json`."""
    written: dict[str, Any] = {}
    notes: list[str] = []
    left_out: list[str] = []
    for name, entry in servers.items():
        made = _entry(client, entry)
        if isinstance(made, str):
            left_out.append(name)
            notes.append(f"{client.name}: server {printable(name, 80)} is left out: {made}")
            continue
        written[name] = made
        if client.root and (others := _others(made)):
            what = printable(", ".join(others), 200)
            notes.append(f"{client.name}: server {printable(name, 80)} holds {what}, which it may expand")
    files: dict[str, Any] = {
        client.manifest: _manifest(client, manifest, skills=skills, servers=bool(written))
    }
    if written:
        files[client.servers] = {"mcpServers": written}
    return Layout(client=client, files=files, left_out=tuple(left_out), notes=tuple(notes))


def _manifest(client: Client, manifest: Mapping[str, Any], *, skills: bool, servers: bool) -> dict[str, Any]:
    said = {key: manifest[key] for key in client.fields if key in manifest}
    if isinstance(author := said.get("author"), dict):
        said["author"] = {key: author[key] for key in client.author if key in author}
        if "name" not in said["author"]:  # without one, none of them takes an author
            del said["author"]
    if client.points and skills:
        said["skills"] = "./skills/"
    if client.points and servers:
        said["mcpServers"] = f"./{client.servers}"
    return said


def _entry(client: Client, entry: Mapping[str, Any]) -> dict[str, Any] | str:
    """The entry as `client` writes it, or why it cannot."""
    if entry["type"] != "stdio":
        kind = client.types.get(entry["type"])
        if kind is None and client.types:
            return f"it has no {entry['type']}"
        shown = {key: entry[key] for key in ("url", "headers") if key in entry}
        return {"type": kind, **shown} if kind else shown
    texts = [*entry.get("args", ()), *entry.get("env", {}).values(), entry.get("cwd", "")]
    if not client.data and any(DATA_PLACEHOLDER in each for each in texts):
        return f"it has no {DATA_PLACEHOLDER}"
    return _stdio(client, entry)


def _stdio(client: Client, entry: Mapping[str, Any]) -> dict[str, Any]:
    cwd = entry.get("cwd", ROOT_PLACEHOLDER)
    below = root_path(cwd)
    root = client.root or _up_from(below or "")
    made: dict[str, Any] = {"command": _command(entry["command"], root)}
    if "args" in entry:
        made["args"] = [_filled(each, root, client.data) for each in entry["args"]]
    given = {ROOT: client.root, DATA: client.data}
    env = {key: _filled(each, root, client.data) for key, each in entry.get("env", {}).items()}
    env |= {key: value for key, value in given.items() if value}
    if env:
        made["env"] = env
    made["cwd"] = _directory(client, below, data_path(cwd))
    return made


def _directory(client: Client, below: str | None, in_data: str | None) -> str:
    if in_data is not None:
        return f"{client.data}/{in_data}".rstrip("/")
    if client.root:
        return f"{client.root}/{below}".rstrip("/")
    return f"./{below}".rstrip("/") or "."


def _up_from(below: str) -> str:
    """The plugin's directory as seen from the directory `below` it."""
    steps = [each for each in below.split("/") if each not in ("", ".")]
    return "/".join([".."] * len(steps)) or "."


def _command(command: str, root: str) -> str:
    return f"{root}/{command[2:]}" if command.startswith("./") else command


def _filled(text: str, root: str, data: str) -> str:
    return text.replace(ROOT_PLACEHOLDER, root).replace(DATA_PLACEHOLDER, data or DATA_PLACEHOLDER)


def _others(entry: Mapping[str, Any]) -> list[str]:
    """Placeholders that are text in a portable package; a client that expands some may expand these."""
    texts = [*entry.get("args", ()), *entry.get("env", {}).values()]
    found = {each for text in texts for each in re.findall(r"\$\{[^}]{1,100}\}", text)}
    return sorted(each for each in found if "PLUGIN_ROOT" not in each and "PLUGIN_DATA" not in each)
