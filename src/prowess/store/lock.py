"""`prowess.lock`: what is installed, where it came from, what of it was agreed to, and what it consists of.

One JSON object with a format number, made to be read, kept under version control and compared line by
line. A lock that came with somebody's repository is text from elsewhere: every name, path and digest in
it is checked before it means anything. Writing replaces it whole, and that is the moment in which an
install counts.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from prowess.errors import SourceRefused, StoreFailed
from prowess.redact import printable
from prowess.source.archive_contents import are_words, digest_of
from prowess.source.archive_names import judged_steps
from prowess.spec.names import name_problem
from prowess.store.whole_file import replace_whole

FILE = "prowess.lock"
FORMAT = 1
MAX_BYTES = 64_000_000
READABLE_BY_ALL = 0o644
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_IDENTITY = re.compile(r"[0-9a-f]{16}")
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_LONGEST = 2_000  # characters of a path, a URL, a ref

Kind = Literal["directory", "archive", "git"]
KINDS: tuple[Kind, ...] = ("directory", "archive", "git")


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a package came from.

    `place` is a path (relative to the lock's folder where it is below it) or a URL, `ref` what was asked
    of a repository and `commit` what that was, `subdirectory` where in it the package stands.
    """

    kind: Kind
    place: str
    ref: str = ""
    commit: str = ""
    subdirectory: str = ""

    @property
    def words(self) -> str:
        """In one line, fit to print."""
        ref = f" at {self.ref}" if self.ref else ""
        commit = f" ({self.commit[:12]})" if self.commit else ""
        below = f", {self.subdirectory}" if self.subdirectory else ""
        return printable(f"{self.place}{ref}{commit}{below}", 500)


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """One installed package.

    `identity` tells packages of one name from different sources apart, and stays when a package is
    updated. `abilities` are what it may do, as it was agreed to. `trusted` says when each content digest
    was, and `tools` holds the digest of each tool's definition by server and tool, as far as they are pinned.
    """

    name: str
    version: str = ""
    origin: Origin
    identity: str
    digest: str
    files: Mapping[str, str]
    abilities: tuple[Mapping[str, str], ...] = ()
    trusted: Mapping[str, str] = field(default_factory=dict)
    tools: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def is_trusted(self) -> bool:
        """Whether somebody agreed to exactly this content."""
        return self.digest in self.trusted


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """Everything that one scope has installed, by name."""

    installed: Mapping[str, Installed] = field(default_factory=dict)

    def with_(self, one: Installed) -> Lock:
        """The same with `one` in the place of what had its name."""
        return replace(self, installed={**self.installed, one.name: one})

    def without(self, name: str) -> Lock:
        """The same without what has that name."""
        return replace(self, installed={key: each for key, each in self.installed.items() if key != name})


def read_lock(path: str) -> Lock | None:
    """The lock at `path`, None when there is none. Raises StoreFailed for one that cannot be used."""
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreFailed(f"{printable(path, 500)}: {error.strerror}") from None
    return parse_lock(data, path)


def parse_lock(data: bytes, path: str) -> Lock:
    """The lock in these bytes; `path` is what it is called in messages. Raises StoreFailed."""
    try:
        document = json.loads(data) if len(data) <= MAX_BYTES else None
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise _damaged(path, "it is no JSON object")
    found = document.get("format")
    if not isinstance(found, int) or isinstance(found, bool) or found < 1:
        raise _damaged(path, "it has no format number")
    if found > FORMAT:
        raise StoreFailed(
            f"{printable(path, 500)} was written by a newer Prowess (format {found}, known is {FORMAT})",
            hint="use that version",
        )
    installed = document.get("installed")
    if not isinstance(installed, dict):
        raise _damaged(path, "installed is no object")
    return Lock(installed={name: _installed(path, name, each) for name, each in installed.items()})


def write_lock(path: str, lock: Lock) -> None:
    """Replace the lock at `path`, in a folder that is there; OSError when that cannot be done."""
    replace_whole(path, lock_text(lock).encode("utf-8"), mode=READABLE_BY_ALL)


def lock_text(lock: Lock) -> str:
    """The lock as it is written."""
    installed = {name: _plain(lock.installed[name]) for name in sorted(lock.installed)}
    return json.dumps({"format": FORMAT, "installed": installed}, indent=2, ensure_ascii=True) + "\n"


def _plain(one: Installed) -> dict[str, Any]:
    origin = {name: said for name in Origin.__slots__ if (said := getattr(one.origin, name))}
    return {
        **({"version": one.version} if one.version else {}),
        "origin": origin,
        "identity": one.identity,
        "digest": one.digest,
        "trusted": dict(one.trusted),
        "abilities": [dict(each) for each in one.abilities],
        "tools": {server: dict(sorted(tools.items())) for server, tools in sorted(one.tools.items())},
        "files": {name: one.files[name] for name in sorted(one.files)},
    }


def _installed(path: str, name: str, said: Any) -> Installed:
    at = _At(path, name)
    if name_problem(name) is not None:
        raise at.damaged("its name is none that a package can have")
    if not isinstance(said, dict):
        raise at.damaged("is no object")
    digest = at.text(said, "digest", _DIGEST)
    files = _files(at, said.get("files"))
    if digest_of(files) != digest:
        raise at.damaged("its digest is not that of its files")
    return Installed(
        name=name,
        version=at.text(said, "version") if "version" in said else "",
        origin=_origin(at, said.get("origin")),
        identity=at.text(said, "identity", _IDENTITY),
        digest=digest,
        files=files,
        abilities=_abilities(at, said.get("abilities", [])),
        trusted=at.texts(said.get("trusted", {}), "trusted", _DIGEST, _TIME),
        tools=_tools(at, said.get("tools", {})),
    )


def _origin(at: _At, said: Any) -> Origin:
    if not isinstance(said, dict) or said.get("kind") not in KINDS:
        raise at.damaged("origin is of no known kind")
    subdirectory = at.text(said, "subdirectory") if "subdirectory" in said else ""
    if subdirectory:
        at.path(subdirectory)
    return Origin(
        kind=said["kind"],
        place=at.text(said, "place"),
        ref=at.text(said, "ref") if "ref" in said else "",
        commit=at.text(said, "commit", _COMMIT) if "commit" in said else "",
        subdirectory=subdirectory,
    )


def _files(at: _At, said: Any) -> dict[str, str]:
    if not isinstance(said, dict) or not said:
        raise at.damaged("files is no object, or empty")
    for name, words in said.items():
        at.path(name)
        if not are_words(words):
            raise at.damaged(f"files has no digest for {printable(name)}")
    return dict(said)


def _abilities(at: _At, said: Any) -> tuple[Mapping[str, str], ...]:
    if not isinstance(said, list):
        raise at.damaged("abilities is no list")
    return tuple(at.texts(each, "abilities") for each in said)


def _tools(at: _At, said: Any) -> dict[str, Mapping[str, str]]:
    if not isinstance(said, dict):
        raise at.damaged("tools is no object")
    return {server: at.texts(tools, "tools", words=_DIGEST) for server, tools in said.items()}


class _At:
    """Where in the lock something is wrong."""

    def __init__(self, path: str, name: str) -> None:
        self._path, self._name = path, name

    def damaged(self, what: str) -> StoreFailed:
        return _damaged(self._path, f"{printable(self._name, 80)}: {what}")

    def text(self, said: dict[str, Any], key: str, form: re.Pattern[str] | None = None) -> str:
        value = said.get(key)
        if not isinstance(value, str) or not value or len(value) > _LONGEST:
            raise self.damaged(f"{key} is no text")
        if form is not None and not form.fullmatch(value):
            raise self.damaged(f"{key} is not of its form")
        return value

    def texts(
        self, said: Any, key: str, names: re.Pattern[str] | None = None, words: re.Pattern[str] | None = None
    ) -> dict[str, str]:
        if not isinstance(said, dict) or not all(isinstance(each, str) for each in said.values()):
            raise self.damaged(f"{key} is no object of texts")
        if names is not None and not all(map(names.fullmatch, said)):
            raise self.damaged(f"{key} has a name that is not of its form")
        if words is not None and not all(map(words.fullmatch, said.values())):
            raise self.damaged(f"{key} has a text that is not of its form")
        return dict(said)

    def path(self, name: str) -> None:
        try:
            steps = judged_steps(name, most_steps=64, most_bytes=4_000)
        except SourceRefused as error:
            raise self.damaged(error.message) from None
        if not steps or "/".join(steps) != name:
            raise self.damaged(f"{printable(name)} is no path")


def _damaged(path: str, what: str) -> StoreFailed:
    where = printable(path, 500)
    return StoreFailed(f"{where} is damaged: {what}", hint="take it from version control, or install again")


def beside(path: str) -> str:
    """The lock of the folder `path`."""
    return os.path.join(path, FILE)
