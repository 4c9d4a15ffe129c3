"""Whether a client's layout means what the portable package means: read back, and started on paper.

Both are expanded for the same two imagined directories, each by the rules of who reads it; then what
would be started (program, arguments, environment, directory) or contacted has to be the same.
"""

from __future__ import annotations

import os.path
import posixpath
from collections.abc import Iterator, Mapping
from typing import Any

from prowess.author.layouts import Client, Layout
from prowess.spec.placeholders import DATA, ROOT, expand

# Two directories that no package names by itself.
_ROOT = "/imagined/root"
_DATA = "/imagined/data"


def disagreements(
    layout: Layout, files: Mapping[str, Any], manifest: Mapping[str, Any], servers: Mapping[str, Any]
) -> tuple[str, ...]:
    """What differs between the client's `files` (JSON values by path) and the package, in words."""
    return tuple(_disagreements(layout, files, manifest, servers))


def _disagreements(
    layout: Layout, files: Mapping[str, Any], manifest: Mapping[str, Any], servers: Mapping[str, Any]
) -> Iterator[str]:
    client = layout.client
    theirs = files.get(client.manifest, {})
    for key in client.fields:
        if key != "author" and theirs.get(key) != manifest.get(key):
            yield f"{client.manifest}: {key} is not that of plugin.json"
    document = files.get(client.servers, {"mcpServers": {}})
    entries = document["mcpServers"]
    for name in sorted(set(entries) | set(servers) - set(layout.left_out)):
        if name not in entries or name not in servers:
            yield f"{client.servers}: server {name} is in one of the two alone"
        elif _theirs(client, entries[name]) != _ours(client, servers[name]):
            yield f"{client.servers}: server {name} would not be started as mcp.json says"


def _ours(client: Client, entry: Mapping[str, Any]) -> dict[str, Any]:
    """What a client of the standard does with an entry (Agent Plugins 9)."""
    if entry["type"] != "stdio":
        return {
            "type": client.types.get(entry["type"]),
            "url": entry["url"],
            "headers": entry.get("headers", {}),
        }

    def filled(text: str) -> str:
        return expand(text, root=_ROOT, data=_DATA)

    cwd = _placed(filled(entry.get("cwd", _ROOT)), _ROOT)
    env = {key: filled(each) for key, each in entry.get("env", {}).items()}
    given = {ROOT: client.root and _ROOT, DATA: client.data and _DATA}
    return {
        "command": _placed(entry["command"], _ROOT),
        "args": [_argument(filled(each), cwd) for each in entry.get("args", ())],
        "env": {key: _argument(each, cwd) for key, each in env.items()}
        | {key: value for key, value in given.items() if value},
        "cwd": cwd,
    }


def _theirs(client: Client, entry: Mapping[str, Any]) -> dict[str, Any]:
    """What the client does with its own entry."""
    if "url" in entry:
        return {"type": entry.get("type"), "url": entry["url"], "headers": entry.get("headers", {})}

    def filled(text: str) -> str:
        text = text.replace(client.root, _ROOT) if client.root else text
        return text.replace(client.data, _DATA) if client.data else text

    cwd = _placed(filled(entry["cwd"]), _ROOT)
    return {
        "command": _placed(filled(entry["command"]), cwd),
        "args": [_argument(filled(each), cwd) for each in entry.get("args", ())],
        "env": {key: _argument(filled(each), cwd) for key, each in entry.get("env", {}).items()},
        "cwd": cwd,
    }


def _placed(text: str, folder: str) -> str:
    """A path as it is meant from `folder`; a bare name stays one."""
    relative = text in (".", "..") or text.startswith(("./", "../"))
    return posixpath.normpath(posixpath.join(folder, text)) if relative or os.path.isabs(text) else text


def _argument(text: str, cwd: str) -> str:
    """An argument, and what stands after the `=` of one, with relative paths made whole."""
    name, equals, value = text.partition("=")
    if equals and name.startswith("-"):
        return f"{name}={_placed(value, cwd)}"
    return _placed(text, cwd)
