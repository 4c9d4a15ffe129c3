"""To whom a credential belongs: a plugin, one of its servers, and where that server is.

Writing a credential under `[servers."plugin/server"]` gives it to the server as it is then: the
plugin's identity, and the origin of its URL or the digest of its command. When either changes
afterwards (an update of the package points elsewhere, the label now means another folder), nothing
is injected until somebody approves the change. Bindings that cannot be read give nothing away.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from prowess.credentials.urls import origin
from prowess.errors import CredentialFailed, NotFound, Unreadable
from prowess.redact import printable
from prowess.spec.model import HttpServer, Server
from prowess.store.directories import data_home
from prowess.store.file_lock import locked
from prowess.store.private_document import read_document, write_document

FORMAT = 1
LOCK_SECONDS = 10.0
_FIELDS = ("credential", "server", "plugin", "target")


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """One credential, one server, one place. `server` is `plugin/server` as configured.

    `plugin` is the identity of the plugin's source; `target` is an origin or `command sha256:...`.
    """

    credential: str
    server: str
    plugin: str
    target: str

    @property
    def key(self) -> str:
        """What a change is a change of."""
        return f"{self.server} {self.credential}"

    @property
    def digest(self) -> str:
        """What somebody who approves it has seen."""
        text = "\0".join(getattr(self, name) for name in _FIELDS)
        return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def target_of(server: Server) -> str:
    """Where a credential for `server` would go."""
    if isinstance(server, HttpServer):
        return origin(server.url)
    declared = {
        "command": server.command,
        "args": list(server.args),
        "env": dict(server.env),
        "cwd": server.cwd,
    }
    text = json.dumps(declared, sort_keys=True, separators=(",", ":"))
    return f"command sha256:{hashlib.sha256(text.encode()).hexdigest()}"


class Bindings(Protocol):
    """What was bound, and the changes that wait for an answer."""

    async def check(self, binding: Binding) -> Binding | None:
        """None when it is as bound, or new and bound now; else what it was bound to, and it waits."""
        ...

    async def bindings(self) -> tuple[Binding, ...]:
        """What is bound."""
        ...

    async def pending(self) -> tuple[Binding, ...]:
        """The changes that wait."""
        ...

    async def approve(self, binding: Binding) -> None:
        """Bind anew; NotFound unless exactly this change waits."""
        ...


class MemoryBindings:
    """The in-memory twin."""

    def __init__(self) -> None:
        self.bound: dict[str, Binding] = {}
        self.waiting: dict[str, Binding] = {}

    async def check(self, binding: Binding) -> Binding | None:
        """Compare with what is bound."""
        return _check(self.bound, self.waiting, binding)

    async def bindings(self) -> tuple[Binding, ...]:
        """What is bound."""
        return tuple(self.bound.values())

    async def pending(self) -> tuple[Binding, ...]:
        """The changes that wait."""
        return tuple(self.waiting.values())

    async def approve(self, binding: Binding) -> None:
        """Bind anew."""
        _approve(self.bound, self.waiting, binding)


def _check(bound: dict[str, Binding], waiting: dict[str, Binding], binding: Binding) -> Binding | None:
    known = bound.setdefault(binding.key, binding)
    if known == binding:
        waiting.pop(binding.key, None)
        return None
    waiting[binding.key] = binding
    return known


def _approve(bound: dict[str, Binding], waiting: dict[str, Binding], binding: Binding) -> None:
    if waiting.get(binding.key) != binding:
        known = printable(", ".join(sorted(waiting)) or "nothing", 500)
        raise NotFound(
            f"no such change of {printable(binding.key)} waits for approval", hint=f"what waits: {known}"
        )
    bound[binding.key] = waiting.pop(binding.key)


class FileBindings:
    """Bindings of this user, shared by all processes. They hold no secret."""

    def __init__(self, file: str | None = None) -> None:
        self._file = file or os.path.join(data_home(), "credentials", "bindings.json")

    async def check(self, binding: Binding) -> Binding | None:
        """Compare with what is bound; the usual case takes no lock."""
        bound, waiting = await asyncio.to_thread(self._read)
        if bound.get(binding.key) == binding and binding.key not in waiting:
            return None
        async with locked(f"{self._file}.lock", LOCK_SECONDS):
            bound, waiting = await asyncio.to_thread(self._read)
            known = _check(bound, waiting, binding)
            await asyncio.to_thread(self._write, bound, waiting)
        return known

    async def bindings(self) -> tuple[Binding, ...]:
        """What is bound."""
        bound, _ = await asyncio.to_thread(self._read)
        return tuple(bound.values())

    async def pending(self) -> tuple[Binding, ...]:
        """The changes that wait."""
        _, waiting = await asyncio.to_thread(self._read)
        return tuple(waiting.values())

    async def approve(self, binding: Binding) -> None:
        """Bind anew."""
        async with locked(f"{self._file}.lock", LOCK_SECONDS):
            bound, waiting = await asyncio.to_thread(self._read)
            _approve(bound, waiting, binding)
            await asyncio.to_thread(self._write, bound, waiting)

    def _read(self) -> tuple[dict[str, Binding], dict[str, Binding]]:
        document = read_document(self._file, FORMAT) or {"bound": [], "waiting": []}
        try:
            return _bindings(document["bound"]), _bindings(document["waiting"])
        except (KeyError, TypeError, AttributeError):
            raise Unreadable(
                f"{printable(self._file)} is damaged", hint="move it away; bindings are then made anew"
            ) from None

    def _write(self, bound: Mapping[str, Binding], waiting: Mapping[str, Binding]) -> None:
        document = {"bound": _rows(bound), "waiting": _rows(waiting)}
        write_document(self._file, document, FORMAT)


def _bindings(rows: Any) -> dict[str, Binding]:
    found = [Binding(**{name: str(row[name]) for name in _FIELDS}) for row in rows]
    return {each.key: each for each in found}


def _rows(bindings: Mapping[str, Binding]) -> list[dict[str, str]]:
    return [{name: getattr(each, name) for name in _FIELDS} for each in bindings.values()]


def unapproved(now: Binding, before: Binding) -> CredentialFailed:
    """The error that says what changed and how to approve it."""
    if now.plugin != before.plugin:
        what = f"the plugin is now {printable(now.plugin)} and was {printable(before.plugin)}"
    else:
        what = f"the server is now at {printable(now.target)} and was at {printable(before.target)}"
    return CredentialFailed(
        f"credential {printable(now.credential)} is not given to {printable(now.server)}: {what}",
        code="credential-unapproved",
        hint=f"if that is right: prowess credentials approve {_quoted(now.server)} {_quoted(now.credential)}",
    )


def _quoted(word: str) -> str:
    return printable(shlex.quote(word))
