"""The snapshot in the fixtures of a package: read for a comparison, and replaced by what is on offer now.

A Host of several packages calls their servers `plugin/server`; fixtures are of a package by itself, so
the labels are taken back first. Replacing keeps the rest of the fixtures as it is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from prowess.author.fixtures import INDEX, SCHEMA_ID, digest, secret_in
from prowess.author.fixtures_subject import FOLDER
from prowess.author.scaffold import json_file
from prowess.capability.snapshot import Snapshot
from prowess.errors import Unreadable, UsageError
from prowess.redact import printable
from prowess.source.directory import DirectorySource

NAME = "snapshot.json"
PLACE = f"{FOLDER}/{NAME}"
MOST_BYTES = 64_000_000
MOST_INDEX_BYTES = 16_000_000
_WIRED = ("tools", "prompts", "resources", "resourceTemplates")


def read_frozen(source: DirectorySource, path: str = PLACE) -> Snapshot | None:
    """The snapshot in a file of the package; None where there is none. Raises Unreadable and UsageError."""
    content = source.read(path, MOST_BYTES)
    if not isinstance(content, bytes):
        if content.reason == "missing":
            return None
        raise Unreadable(f"{printable(path, 300)}: {content.detail}")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{printable(path, 300)} is not UTF-8 text, so it is no snapshot") from None
    return Snapshot.from_json(text, source=path)


def by_itself(snapshot: Snapshot, ids: Mapping[str, str]) -> Snapshot:
    """The same with each server called what `mcp.json` calls it; `ids` are those by the labels of a Host."""
    if all(label == id for label, id in ids.items()):
        return snapshot
    value = snapshot.to_dict()
    for each in value["mcpServers"]:
        each["id"] = ids.get(each["id"], each["id"])
    for part in _WIRED:
        for each in value[part]:
            each["server"] = ids.get(each["server"], each["server"])
    return Snapshot.from_json(json.dumps(value), source="the snapshot")


def has_fixtures(source: DirectorySource) -> bool:
    """Whether the package has fixtures that a snapshot can be replaced in."""
    return os.path.isfile(os.path.join(source.root, FOLDER, INDEX))


def replace_frozen(source: DirectorySource, snapshot: Snapshot) -> None:
    """Put `snapshot` into the fixtures of the package, and its digest into their index.

    Raises UsageError for a secret in it, and where the fixtures lead out of the package or are none.
    """
    from prowess.store.whole_file import replace_whole

    where = secret_in(snapshot.to_dict())
    if where is not None:
        raise UsageError(
            f"{PLACE} would hold a secret at {where or '/'}; nothing was written",
            hint="a package carries no secret: the server must not say one",
        )
    folder = os.path.join(source.root, FOLDER)
    if os.path.realpath(folder) != folder:
        raise UsageError(f"{FOLDER} leads out of the package; nothing was written")
    index, content = _index(source), snapshot.to_json().encode()
    index["files"] = dict(sorted({**index["files"], NAME: digest(content)}.items()))
    try:
        replace_whole(os.path.join(folder, NAME), content, mode=0o644, durable=False)
        replace_whole(os.path.join(folder, INDEX), json_file(index).encode(), mode=0o644, durable=False)
    except OSError as error:
        raise UsageError(f"{printable(folder, 300)}: {error.strerror}") from None


def _index(source: DirectorySource) -> dict[str, Any]:
    content = source.read(f"{FOLDER}/{INDEX}", MOST_INDEX_BYTES)
    try:
        index = json.loads(content) if isinstance(content, bytes) else None
    except (ValueError, RecursionError):
        index = None
    if isinstance(index, dict) and index.get("$schema") == SCHEMA_ID and isinstance(index.get("files"), dict):
        return index
    raise UsageError(
        f"{FOLDER}/{INDEX} is none that this version of prowess reads",
        hint="prowess fixtures PATH freezes all of it anew",
    )
