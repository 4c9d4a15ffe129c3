"""The server of an imported skill joins the `mcp.json` of the plugin that the skill is for.

Agent Plugins 1.0.0, 7.2: knowledge and tools in one package. Headers and environment are not copied,
since they may hold what belongs to one machine; a server whose files lie in another plugin cannot be.
"""

from __future__ import annotations

import json
import os
from typing import Any

from prowess.author.importing_opening import Opened
from prowess.author.importing_places import Place
from prowess.errors import UsageError
from prowess.redact import printable
from prowess.source.directory import DirectorySource
from prowess.spec import limits
from prowess.spec.model import HttpServer, StdioServer
from prowess.spec.questions import Failure

FILE = "mcp.json"
SCHEMA = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"


def joined(place: Place, up: Opened) -> tuple[bytes | None, tuple[str, ...]]:
    """The plugin's new `mcp.json`, or None where nothing changes; and what a person should know.

    Raises UsageError where the server cannot join, and for an `mcp.json` that cannot be read.
    """
    if not place.is_plugin or _is_of(place, up):
        return None, ()
    entry, notes = _entry(place, up)
    name = up.offer.id.rpartition("/")[2]
    document = _document(place)
    servers = document["mcpServers"]
    if name in servers:
        if servers[name] == entry:
            return None, ()
        raise UsageError(
            f"the plugin has a server called {printable(name)} already, and it is another one",
            hint="rename it in mcp.json, or import into another plugin",
        )
    servers[name] = entry
    return json.dumps(document, ensure_ascii=False, indent=2).encode() + b"\n", notes


def _is_of(place: Place, up: Opened) -> bool:
    """Whether the server is one of this very plugin."""
    return up.reference.kind == "plugin" and os.path.realpath(up.root) == os.path.realpath(place.base)


def _document(place: Place) -> dict[str, Any]:
    data = DirectorySource(place.base).read(FILE, limits.JSON_BYTES)
    if isinstance(data, Failure):
        if data.reason != "missing":
            raise UsageError(f"{FILE} of the plugin cannot be read: {printable(data.detail or data.reason)}")
        return {"$schema": SCHEMA, "mcpServers": {}}
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or not isinstance(document.get("mcpServers"), dict):
        raise UsageError(f"{FILE} of the plugin is malformed", hint="prowess check tells what is wrong")
    return document


def _entry(place: Place, up: Opened) -> tuple[dict[str, Any], tuple[str, ...]]:
    server = up.server
    if isinstance(server, HttpServer):
        return {"type": server.type, "url": server.url}, ("its headers are not copied",) * bool(
            server.headers
        )
    if not isinstance(server, StdioServer):
        raise UsageError(f"how {printable(up.offer.id)} is started is not known, so it cannot join a plugin")
    if up.reference.kind == "plugin":
        return _of_another_plugin(server)
    words, notes = _placed([server.command, *server.args], place)
    entry: dict[str, Any] = {"type": "stdio", "command": words[0]}
    return ({**entry, "args": words[1:]} if words[1:] else entry), notes


def _of_another_plugin(server: StdioServer) -> tuple[dict[str, Any], tuple[str, ...]]:
    told = [server.command, *server.args, server.cwd or "", *server.env.values()]
    if server.command.startswith(("./", "../")) or server.cwd or any("${PLUGIN_" in each for each in told):
        raise UsageError(
            f"the files of {printable(server.id)} lie in another plugin, so it cannot join this one",
            hint="import into that plugin, or into project or personal",
        )
    entry: dict[str, Any] = {"type": "stdio", "command": server.command}
    notes = ("its environment is not copied",) * bool(server.env)
    return ({**entry, "args": list(server.args)} if server.args else entry), notes


def _placed(words: list[str], place: Place) -> tuple[list[str], tuple[str, ...]]:
    """A command's words with the files among them named as they are seen from the plugin."""
    base = os.path.realpath(place.base)
    found, notes = [], []
    for at, word in enumerate(words):
        real = os.path.realpath(word)
        if word.startswith("-") or not os.path.isfile(real) or (at == 0 and "/" not in word):
            found.append(word)
        elif real.startswith(base + os.sep):
            inside = os.path.relpath(real, base).replace(os.sep, "/")
            found.append(f"./{inside}" if at == 0 else f"${{PLUGIN_ROOT}}/{inside}")
        else:
            found.append(os.path.abspath(word))
            notes.append(
                f"{printable(word, 200)} lies outside of the plugin, so the package works here alone"
            )
    return found, tuple(notes)
