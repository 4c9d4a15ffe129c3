"""Server addresses, read by RFC 3986 and nothing looser; Agent Plugins 1.0.0 section 7.2.1.

Written by hand because URL libraries repair what they read (they drop an empty fragment or user
part, strip control characters, accept any port), and a judge must not. Knows nothing of DNS: a
host counts as loopback by how it is written.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_PCHAR = r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})"
_URL = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<authority>[^/?#]*)"
    rf"(?P<path>(?:/{_PCHAR}*)*)(?:\?(?P<query>(?:{_PCHAR}|[/?])*))?(?P<fragment>#.*)?",
    re.DOTALL,
)
_HOST = re.compile(
    r"(?P<host>\[[^\[\]]*\]|(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})+)(?::(?P<port>[0-9]*))?"
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = re.compile(rf"{_OCTET}(?:\.{_OCTET}){{3}}")
_HEX_GROUP = re.compile(r"[0-9A-Fa-f]{1,4}")
_IP_FUTURE = re.compile(r"[vV][0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+")

HIGHEST_PORT = 65535


class UrlProblem(NamedTuple):
    """What is wrong; `insecure` when the only fault is plain http to another machine."""

    reason: str
    insecure: bool = False


def url_problem(url: str) -> UrlProblem | None:
    """What is wrong with a server's `url`, or None. The reason never repeats the url itself."""
    found = _URL.fullmatch(url)
    if found is None or found["scheme"].lower() not in ("http", "https"):
        return UrlProblem(_why_no_url(url))
    if found["fragment"] is not None:
        return UrlProblem("it has a fragment (an empty one counts)")
    authority = found["authority"]
    if "@" in authority:
        return UrlProblem("it has a user part (an empty one counts)")
    host = _HOST.fullmatch(authority)
    if host is None or not _is_host(host["host"]):
        return UrlProblem("its host or port is malformed")
    if len(port := (host["port"] or "").lstrip("0")) > 5 or int(port or 0) > HIGHEST_PORT:
        return UrlProblem(f"its port is above {HIGHEST_PORT}")
    if found["scheme"].lower() == "http" and not is_loopback(host["host"]):
        return UrlProblem("plain http is for loopback hosts only", insecure=True)
    return None


def is_loopback(host: str) -> bool:
    """Whether a host, as written in a URL, is exactly `localhost` or a loopback IP literal."""
    if host.lower() == "localhost":
        return True
    if host.startswith("["):
        return _ipv6_groups(host[1:-1]) == [0, 0, 0, 0, 0, 0, 0, 1]
    return _IPV4.fullmatch(host) is not None and host.startswith("127.")


def _why_no_url(url: str) -> str:
    if any(c <= " " or c == "\x7f" for c in url):
        return "it holds a space or a control character"
    if not url.isascii():
        return "it holds characters outside ASCII, which a URL writes percent-encoded"
    scheme = _SCHEME.match(url)
    if scheme is None:
        return "it is not absolute"
    if scheme[0].lower() not in ("http:", "https:"):
        return "its scheme is neither https nor http"
    if not url[scheme.end() :].startswith("//"):
        return "it has no host"
    return "it holds a character that a URL writes percent-encoded"


def _is_host(host: str) -> bool:
    if not host.startswith("["):
        return True
    return _ipv6_groups(host[1:-1]) is not None or _IP_FUTURE.fullmatch(host[1:-1]) is not None


def _ipv6_groups(text: str) -> list[int] | None:
    """The eight numbers of an IPv6 address (RFC 3986, IPv6address), or None."""
    left, gap, right = text.partition("::")
    head, tail = _groups(left, last=not gap), _groups(right, last=True)
    if head is None or tail is None:
        return None
    missing = 8 - len(head) - len(tail)
    if not gap:
        return head if missing == 0 else None
    return head + [0] * missing + tail if missing >= 1 else None


def _groups(text: str, *, last: bool) -> list[int] | None:
    """The 16-bit groups of one side of `::`; an IPv4 address may stand at the very end."""
    if not text:
        return []
    *parts, final = text.split(":")
    numbers: list[int] = []
    if last and _IPV4.fullmatch(final):
        a, b, c, d = (int(octet) for octet in final.split("."))
        numbers = [a << 8 | b, c << 8 | d]
    else:
        parts.append(final)
    if not all(_HEX_GROUP.fullmatch(part) for part in parts):
        return None
    return [int(part, 16) for part in parts] + numbers
