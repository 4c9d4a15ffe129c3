"""The hosts that a unit declares, and whether a URL leads to one of them. Pure.

    api.example.com         that name, on the scheme's own port
    api.example.com:8443    that name, on that port only
    *.example.com           any name below it, not the name itself
    https://example.com     that name, by https only

Names are compared as they are sent (IDNA, lower case, without a final dot).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from prowess.units.addresses import parsed

_NAME = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?")
PORTS = {"https": 443, "http": 80}


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """One declared host. No port means the scheme's own; no scheme means either."""

    name: str
    below: bool = False
    port: int | None = None
    scheme: str = ""

    def covers(self, scheme: str, name: str, port: int) -> bool:
        """Whether it is this host that is asked for."""
        if self.scheme not in ("", scheme) or port != (self.port or PORTS[scheme]):
            return False
        return name.endswith(f".{self.name}") if self.below else name == self.name


def declared(hosts: Iterable[str]) -> tuple[tuple[Host, ...], tuple[str, ...]]:
    """What was declared, and what of it cannot be read and grants nothing."""
    found: list[Host] = []
    odd: list[str] = []
    for each in hosts:
        host = _host(each)
        if host is None:
            odd.append(each)
        else:
            found.append(host)
    return tuple(found), tuple(odd)


def _host(text: str) -> Host | None:
    scheme, _, rest = text.rpartition("://")
    below = rest.startswith("*.")
    if ":" in rest and parsed(rest) is not None:
        rest = f"[{rest}]"
    try:
        parts = urlsplit(f"//{rest.removeprefix('*.')}")
        name, port = sent(parts.hostname or ""), parts.port
    except ValueError:
        return None
    bare = not (parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc)
    readable = _NAME.fullmatch(name) is not None or parsed(name) is not None
    wide = below and "." not in name  # a whole top-level domain is nobody's host
    if not (bare and readable) or wide or port == 0 or scheme.lower() not in ("", *PORTS):
        return None
    return Host(name=name, below=below, port=port, scheme=scheme.lower())


def sent(name: str) -> str:
    """A host's name in the one form in which names are compared. Raises ValueError."""
    name = name.lower().removesuffix(".")
    if not name.isascii():
        from httpx2 import URL, InvalidURL

        try:
            name = URL(scheme="http", host=name).raw_host.decode("ascii")  # as a request would say it
        except InvalidURL as error:
            raise ValueError(str(error)) from None
    address = parsed(name)
    return name if address is None else str(address)


def netloc(scheme: str, name: str, port: int) -> str:
    """A place as a URL has it: the port only where it is not the scheme's own."""
    host = f"[{name}]" if ":" in name else name
    return host if port == PORTS.get(scheme) else f"{host}:{port}"
