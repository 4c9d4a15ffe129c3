"""Where obtained tokens are kept between runs, and the lock under which they are replaced.

One file a token, in a folder of this user's data that nobody else can enter: refreshing one never
waits for another. Whoever holds the lock of a key reads first and obtains second, so that all
processes of this machine refresh a token once. `MemoryVault` is the in-memory twin.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import asdict, fields
from typing import Any, Protocol

from prowess.credentials.token import Registration, Token
from prowess.errors import Unreadable
from prowess.redact import printable
from prowess.store.directories import data_home
from prowess.store.file_lock import locked
from prowess.store.private_document import read_document, write_document

FORMAT = 3  # 1 had no registration, 2 no scopes
LOCK_SECONDS = 60.0  # longer than one token request can take


class Vault(Protocol):
    """Tokens by key. `get` and `put` may block for as long as a disk does."""

    def get(self, key: str) -> Token | None:
        """The token kept under `key`."""
        ...

    def put(self, key: str, token: Token) -> None:
        """Keep `token`, for good when this returns."""
        ...

    def drop(self, key: str) -> None:
        """Keep nothing under `key` any more."""
        ...

    def lock(self, key: str) -> AbstractAsyncContextManager[None]:
        """Held by whoever replaces the token under `key`; TimeoutError when it is not to be had."""
        ...


class MemoryVault:
    """Tokens of this process."""

    def __init__(self) -> None:
        self.tokens: dict[str, Token] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    def get(self, key: str) -> Token | None:
        """The token kept under `key`."""
        return self.tokens.get(key)

    def put(self, key: str, token: Token) -> None:
        """Keep `token`."""
        self.tokens[key] = token

    def drop(self, key: str) -> None:
        """Forget the token."""
        self.tokens.pop(key, None)

    def lock(self, key: str) -> AbstractAsyncContextManager[None]:
        """A lock among the tasks of one event loop."""
        return self._locks.setdefault(key, asyncio.Lock())


class FileVault:
    """Tokens of this user on this machine."""

    def __init__(self, folder: str | None = None) -> None:
        self._folder = folder or os.path.join(data_home(), "credentials")

    def get(self, key: str) -> Token | None:
        """The token kept under `key`; Unreadable for a damaged file or one of a newer Prowess."""
        document = read_document(self._path(key), FORMAT)
        return None if document is None else _token(document, self._path(key))

    def put(self, key: str, token: Token) -> None:
        """Keep `token`."""
        write_document(self._path(key), {"token": asdict(token)}, FORMAT)

    def drop(self, key: str) -> None:
        """Remove the file."""
        with suppress(FileNotFoundError):
            os.remove(self._path(key))

    def lock(self, key: str) -> AbstractAsyncContextManager[None]:
        """A lock among all processes of this user."""
        return locked(os.path.join(self._folder, f"{key}.lock"), LOCK_SECONDS)

    def _path(self, key: str) -> str:
        return os.path.join(self._folder, f"{key}.json")


_TEXTS = ("value", "refresh", "seed", "scope", "asked")
_TIMES = ("renew", "expires")
_ADDED: dict[int, dict[str, Any]] = {2: {"client": None}, 3: {"scope": "", "asked": ""}}
_CLIENT = {each.name for each in fields(Registration)}


def _token(document: dict[str, Any], path: str) -> Token:
    kept = document.get("token")
    if isinstance(kept, dict):
        kept = _upgraded(kept, document["format"])
    if isinstance(kept, dict) and kept.keys() == {*_TEXTS, *_TIMES, "client"} and kept["value"]:
        texts = all(isinstance(kept[name], str) for name in _TEXTS)
        times = all(isinstance(kept[name], int | float | None) for name in _TIMES)
        if texts and times and _is_registration(kept["client"]):
            client = kept["client"] and Registration(**kept["client"])
            return Token(**{**kept, "client": client})
    raise Unreadable(f"{printable(path)} is damaged", hint="move the file away; a new token is then obtained")


def _upgraded(kept: dict[str, Any], format: int) -> dict[str, Any]:
    """`kept` as the newest format has it; nothing, where it holds what its own format does not have."""
    for number, added in _ADDED.items():
        if format < number:
            if added.keys() & kept.keys():
                return {}
            kept = {**kept, **added}
    client = kept.get("client")
    if format < 3 and isinstance(client, dict):
        kept = {**kept, "client": {"revoke_url": "", **client}}
    return kept


def _is_registration(client: Any) -> bool:
    if client is None:
        return True
    if not isinstance(client, dict) or client.keys() != _CLIENT:
        return False
    return client["client_auth"] in ("basic", "post") and all(
        isinstance(each, str) for each in client.values()
    )
