"""Which server is meant, and a connection to it.

    PATH#SERVER        a server of a plugin, or of a prowess.toml; PATH alone where there is one
    https://HOST/mcp   a server at a URL (http to this machine)
    "COMMAND ARGS..."  a command that speaks MCP on its standard streams
    @SERVER:URI        one word, as clients mention resources: a server of what is in this directory

Naming it consents to starting it; whatever is started or contacted is said before.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal
from urllib.parse import urlsplit

from prowess.author.importing import Ask
from prowess.author.importing_places import Place
from prowess.capability.offer import Offer
from prowess.credentials.urls import secret_may_go_to
from prowess.errors import UsageError
from prowess.provider import Starting
from prowess.redact import Redactor, printable
from prowess.spec.model import HttpServer, Server, StdioServer
from prowess.store.directories import create_private, data_home

Kind = Literal["plugin", "url", "command"]
OnStart = Callable[[Starting], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A server as it was named. `path` is a plugin's, `name` the server in it; `text` a URL or a command."""

    kind: Kind
    text: str = ""
    path: str = ""
    name: str = ""
    uris: tuple[str, ...] = ()

    def source(self, place: Place) -> str:
        """How a skill in `place` names it."""
        return f"{place.relative(self.path)}#{self.name}" if self.kind == "plugin" else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A server that is up: what it offers, a way to ask, and its configuration where it is known."""

    reference: Reference
    offer: Offer
    ask: Ask
    server: Server | None
    root: str = field(default="")


def reference_of(text: str) -> Reference:
    """The server that `text` names. Raises UsageError."""
    if text.startswith("@"):
        name, colon, uri = text[1:].partition(":")
        if not name:
            raise UsageError("@ is followed by a server's name", hint="@SERVER:URI")
        return Reference(kind="plugin", path=os.getcwd(), name=name, uris=(uri,) if colon and uri else ())
    if "://" in text.split(" ")[0]:
        return Reference(kind="url", text=_url(text))
    path, _, name = text.partition("#")
    if os.path.exists(path):
        return Reference(kind="plugin", path=os.path.abspath(path), name=name)
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UsageError(f"{printable(text, 200)}: is no command: {error}") from None
    if not words or ("/" in path and "#" in text):
        raise UsageError(f"{printable(text, 200)}: there is no such path, and it is no command")
    if os.path.isabs(words[0]) or words[0].startswith(".."):
        raise UsageError(
            f"{printable(words[0], 200)}: a command is a name on PATH, or ./FILE of this directory",
            hint="that is what a package may start, too (Agent Plugins 7.2.1)",
        )
    if Redactor().text(text) != text:
        raise UsageError(
            "the command holds something that looks like a secret, and would be kept in the skill",
            hint="put the server into a prowess.toml, and its secret into the environment",
        )
    return Reference(kind="command", text=shlex.join(words))


def _url(text: str) -> str:
    parts = urlsplit(text)
    if not secret_may_go_to(text) or not parts.hostname:
        raise UsageError(f"{printable(text, 200)}: must be https, or http to this machine")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError(
            "the URL of a server holds no user, query or fragment",
            hint="put the server into a prowess.toml, with its credential",
        )
    return text


def recorded(source: str, place: Place) -> Reference:
    """The server that a skill in `place` came from. Raises UsageError."""
    path, mark, name = source.partition("#")
    if mark and "://" not in source and not os.path.isabs(path):
        return reference_of(f"{place.absolute(path)}#{name}")
    return reference_of(source)


@asynccontextmanager
async def opened(reference: Reference, *, timeout: float, on_start: OnStart) -> AsyncIterator[Opened]:
    """The server, up for as long as the block lasts. Raises UsageError, NotFound and PackageRejected."""
    if reference.kind == "plugin":
        async with _of_a_plugin(reference, timeout, on_start) as up:
            yield up
        return
    from prowess.link import Link

    server = _server(reference)
    data = create_private(os.path.join(data_home(), "imports", "servers", server.id))
    link = Link(server, root=os.getcwd(), data=data, startup=timeout, on_start=on_start)
    try:
        offer = await link.open()

        async def ask(method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
            return await link.ask(method, params, timeout=timeout)

        called = str((offer.server_info or {}).get("name") or server.id)
        named = replace(offer, id=_id(called))
        yield Opened(reference=reference, offer=named, ask=ask, server=server, root=os.getcwd())
    finally:
        await link.close()


def _server(reference: Reference) -> Server:
    if reference.kind == "url":
        host = urlsplit(reference.text).hostname or "server"
        return HttpServer(id=_id(host), type="streamable-http", url=reference.text)
    command, *arguments = shlex.split(reference.text)
    return StdioServer(id=_id(_called(command, arguments)), command=command, args=tuple(arguments))


def _called(command: str, arguments: list[str]) -> str:
    """What a command is about: of an interpreter or a runner, what it runs."""
    name = os.path.basename(command)
    runners = (
        "python",
        "node",
        "npx",
        "uvx",
        "uv",
        "deno",
        "bun",
        "bunx",
        "docker",
        "pipx",
        "sh",
        "bash",
        "env",
    )
    if name.startswith(runners):
        plain = [
            each for each in arguments if not each.startswith("-") and each not in ("run", "tool", "exec")
        ]
        name = os.path.basename(plain[0]) if plain else name
    return os.path.splitext(name)[0] if name.endswith((".py", ".js", ".ts", ".sh")) else name


def _id(text: str) -> str:
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in text.lower()).strip("-")
    return kept[:60] or "server"


@asynccontextmanager
async def _of_a_plugin(reference: Reference, timeout: float, on_start: OnStart) -> AsyncIterator[Opened]:
    from prowess.host import Host

    async with Host.open(reference.path, timeout=timeout, connect=False) as still:
        ids = [each.id for each in still.offers]
        known = {
            server.id: server
            for judgement in still.judgements.values()
            for server in judgement.accepted.servers
        }
    name = reference.name or (ids[0] if len(ids) == 1 else "")
    if not name:
        raise UsageError(
            f"{printable(reference.path, 200)} has {len(ids) or 'no'} servers",
            hint=f"name one: PATH#{printable(' or #'.join(ids), 300)}" if ids else "",
        )
    async with Host.open(reference.path, timeout=timeout, only=[name], on_start=on_start) as host:
        label = next(each.id for each in host.offers if name in (each.id, each.id.rpartition("/")[2]))
        offer = next(each for each in host.offers if each.id == label)

        async def ask(method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
            return await host.ask(label, method, params, timeout=timeout)

        named = Reference(kind="plugin", path=reference.path, name=label, uris=reference.uris)
        yield Opened(reference=named, offer=offer, ask=ask, server=known.get(label), root=reference.path)
