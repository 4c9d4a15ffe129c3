"""One entry in a client's configuration, whichever form it has: looked up, put in, taken out.

Pure: text in, text out. A result is read back, and differs from what was there in the one entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prowess.errors import ProwessError
from prowess.serve import clients_json, clients_toml
from prowess.serve.clients import Client


def entries(client: Client, text: str | None) -> dict[str, Any]:
    """The servers by name. Raises UsageError that says where the text is wrong."""
    if text is None:
        return {}
    if client.form == "toml":
        return clients_toml.servers(text, client.container)
    return clients_json.servers(text, client.container, comments=client.form == "jsonc")


def connected(client: Client, text: str | None, name: str, entry: Mapping[str, Any]) -> str:
    """The text with the entry under `name`; None is a file that is not there. Raises UsageError."""
    if client.form == "toml":
        result = clients_toml.added(text or "", client.container, name, entry)
    else:
        comments = client.form == "jsonc"
        result = clients_json.added(text or "", client.container, name, entry, comments=comments)
    return _insisted(client, result, {**entries(client, text), name: dict(entry)})


def disconnected(client: Client, text: str, name: str, before: str | None) -> str:
    """The text without the entry, by the character where nothing else changed since `before`."""
    found = entries(client, text)
    if name not in found:
        return text
    unchanged = before is not None and name not in entries(client, before)
    if unchanged and connected(client, before, name, found[name]) == text:
        return before or ""
    if client.form == "toml":
        result = clients_toml.removed(text, client.container, name)
    else:
        comments = client.form == "jsonc"
        result = clients_json.removed(text, client.container, name, comments=comments)
    return _insisted(client, result, {key: each for key, each in found.items() if key != name})


def _insisted(client: Client, text: str, wanted: dict[str, Any]) -> str:
    if repr(entries(client, text)) != repr(wanted) and entries(client, text) != wanted:
        raise ProwessError(
            "the entry could not be edited safely, so nothing was written", hint="edit it by hand"
        )
    return text
