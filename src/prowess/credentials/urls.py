"""Where a secret may be sent at all: over https, or to this very machine."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit


def secret_may_go_to(url: str) -> bool:
    """Whether `url` is https, or http on a loopback host, and names no user."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        bad = not host or parts.username is not None or parts.password is not None or parts.port == 0
    except ValueError:
        return False
    if bad or any(ord(c) <= 32 or ord(c) == 127 for c in url):
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host))


def is_loopback(host: str) -> bool:
    """Whether `host` is this machine by name or by number."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def origin(url: str) -> str:
    """Scheme, host and port of a judged URL, in one form: `https://host:443`."""
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    port = parts.port or (443 if parts.scheme.lower() == "https" else 80)
    return f"{parts.scheme.lower()}://{f'[{host}]' if ':' in host else host}:{port}"
