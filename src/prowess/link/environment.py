"""The base environment of a stdio server: what of the user's own environment it gets to see.

Agent Plugins 1.0.0, section 9.1 leaves the base environment to the client. Ours is an allow-list:
what a program needs to find other programs, its home, a language, a time zone, temporary space and
the certificates of this machine. Everything else stays with the user, tokens above all. Proxy
settings pass as long as they hold no user name or password: without them nothing can be fetched
behind a company's proxy, with them a package would be handed a credential.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

_POSIX = (
    *("PATH", "HOME", "SHELL", "USER", "LOGNAME", "TERM"),
    *("LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR"),
)
_WINDOWS = (
    *("PATH", "PATHEXT", "COMSPEC", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "TEMP", "TMP"),
    *("USERNAME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMFILES"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR"),
)
_PROXIES = (
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
)


def base_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The part of `environ` that a stdio server may see."""
    names = _WINDOWS if sys.platform == "win32" else _POSIX
    base = {name: environ[name] for name in names if name in environ}
    for name in _PROXIES:
        if "@" not in environ.get(name, "@"):
            base[name] = environ[name]
    return base
