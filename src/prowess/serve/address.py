"""Where an HTTP front listens, and by which names it may be asked.

A page in a browser can make its own host name lead to this machine (DNS rebinding): the Host header
tells it apart, and the Origin header says which page asks (MCP 2026-07-28, Streamable HTTP, security).
A host name is looked up once; what was judged is what is bound.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from prowess.errors import UsageError
from prowess.redact import printable

if TYPE_CHECKING:
    from prowess.host.serving import ServeSection

PATH = "/mcp"
BACKLOG = 256
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """What was asked for, and the socket addresses that it means."""

    host: str
    port: int
    family_and_place: tuple[tuple[socket.AddressFamily, tuple[str, int]], ...]

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return all(_is_loopback(place[0]) for _, place in self.family_and_place)


def parse(text: str) -> tuple[str, int]:
    """HOST:PORT as somebody writes it: `127.0.0.1:8000`, `[::1]:8000`, `8000`. Raises UsageError."""
    host, colon, port = text.rpartition(":")
    host = host if colon else "127.0.0.1"
    bracketed = host.startswith("[") and host.endswith("]")
    number = int(port) if port.isascii() and port.isdigit() and len(port) < 6 else -1
    if not host or not 0 <= number <= 65_535 or (":" in host and not bracketed):
        raise UsageError(
            f"{printable(text, 200)} is no HOST:PORT", hint="such as 127.0.0.1:8000, or [::1]:8000"
        )
    return host[1:-1] if bracketed else host, number


def resolve(host: str, port: int) -> Address:
    """The addresses of `host`, which may be a name. Raises UsageError where it has none."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise UsageError(
            f"{printable(host, 200)} is no address of this machine",
            hint="such as 127.0.0.1, localhost or 0.0.0.0",
        ) from None
    places = {(family, (str(each[0]), port)): None for family, _, _, _, each in found}
    return Address(host=host, port=port, family_and_place=tuple(places))


def insist_on_protected(address: Address, section: ServeSection) -> None:
    """UsageError for an address that others can reach, when nobody has to show a token."""
    if address.loopback or section.protected:
        return
    raise UsageError(
        f"{printable(address.host, 200)} can be reached from other machines, and nobody would have to show "
        "who they are: whoever connects could call every tool",
        hint="write [serve.tokens.NAME] or [serve.oauth] into prowess.toml, or listen on 127.0.0.1",
    )


def bound(address: Address) -> list[socket.socket]:
    """Listening sockets, one for each address; port 0 is the same free port for all. Raises UsageError."""
    made: list[socket.socket] = []
    port = address.port
    try:
        for family, (place, _) in address.family_and_place:
            each = socket.create_server((place, port), family=family, backlog=BACKLOG)
            # Connections inherit it; the loop sets it only where a socket says that it is TCP's. Without
            # it an answer in two writes waits for the other side's delayed acknowledgement, 40 ms.
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            each.set_inheritable(True)
            made.append(each)
            port = port or each.getsockname()[1]
    except OSError as error:
        for each in made:
            each.close()
        where = printable(f"{address.host}:{port}", 200)
        raise UsageError(
            f"{where} cannot be listened on: {error.strerror}", hint="choose another port"
        ) from None
    return made


def url_of(host: str, sockets: Sequence[socket.socket]) -> str:
    """The URL that clients of this machine are given."""
    shown = host or "127.0.0.1"
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{sockets[0].getsockname()[1]}{PATH}"


class Allowed:
    """The names and pages that may ask: those of this machine, the address itself, and what is configured."""

    def __init__(self, section: ServeSection, host: str) -> None:
        own = [] if _is_wildcard(host) else [f"[{host}]" if ":" in host else host]
        self._hosts = {each.lower() for each in (*LOOPBACK_NAMES, *own, *section.allowed_hosts)}
        self._origins = {each.lower() for each in section.allowed_origins}

    def host(self, text: str) -> bool:
        """Whether a Host header names this endpoint; a name without a port goes with every port."""
        text = text.lower()
        name, colon, port = text.rpartition(":")
        if colon and port.isascii() and port.isdigit() and name in self._hosts:
            return True
        return text in self._hosts

    def origin(self, text: str) -> bool:
        """Whether an Origin header is of a page that may ask. `null` never is."""
        text = text.lower()
        if text in self._origins:
            return True
        try:
            parts = urlsplit(text)
            host = parts.hostname or ""
            port = parts.port  # raises for what is none
        except ValueError:
            return False
        shown = f"[{host}]" if ":" in host else host
        whole = f"{parts.scheme}://{shown}" + ("" if port is None else f":{port}")
        return parts.scheme == "http" and shown in LOOPBACK_NAMES and whole == text


def _is_wildcard(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return not host


def _is_loopback(place: str) -> bool:
    found = ipaddress.ip_address(place.partition("%")[0])
    mapped = getattr(found, "ipv4_mapped", None)
    return bool((mapped or found).is_loopback)
