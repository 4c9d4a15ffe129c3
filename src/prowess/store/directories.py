"""Where Prowess keeps its own files on this machine, and each plugin's PLUGIN_DATA.

Agent Plugins 1.0.0, section 9: PLUGIN_DATA is absolute, writable, one for each installed plugin and
kept across updates. The homes follow the platform (XDG base directories on Linux) and the XDG
variables move them on every platform. This is twenty lines of our own rather than a dependency
because `check` and `--help` must start fast. It does not know what is kept in these folders.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import threading

APPLICATION = "prowess"
PRIVATE = 0o700  # what the XDG base directory text asks for, and what a plugin's data deserves
_CREATING = threading.Lock()


def data_home() -> str:
    """What cannot be made again: plugin data, and later installed plugins."""
    return _home("XDG_DATA_HOME", linux=".local/share", mac="Library/Application Support")


def state_home() -> str:
    """What is remembered and may be lost without harm."""
    return _home("XDG_STATE_HOME", linux=".local/state", mac="Library/Application Support")


def cache_home() -> str:
    """What can be made again at any time."""
    return _home("XDG_CACHE_HOME", linux=".cache", mac="Library/Caches", windows="Cache")


def _home(variable: str, *, linux: str, mac: str, windows: str = "") -> str:
    named = os.environ.get(variable, "")
    if os.path.isabs(named):  # a relative value is invalid and ignored, as XDG says
        return os.path.join(named, APPLICATION)
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or os.path.expanduser(r"~\AppData\Local")
        return os.path.join(local, APPLICATION, windows) if windows else os.path.join(local, APPLICATION)
    below = mac if sys.platform == "darwin" else linux
    return os.path.join(os.path.expanduser("~"), below, APPLICATION)


def source_identity(path: str) -> str:
    """What names a plugin's source for good: its own directory, whatever that holds today.

    Links above the last step are followed and the last one is not, so a `current` link that an
    update points at another folder stays the same plugin.
    """
    parent, name = os.path.split(os.path.abspath(path))
    return os.path.normcase(os.path.join(os.path.realpath(parent), name))


def plugin_data(name: str, identity: str) -> str:
    """The PLUGIN_DATA path of one installed plugin; nothing is created.

    `name` has been judged (section 5.5), so it is one safe path step. The hash of the source keeps
    two plugins of one name apart; the version takes no part, so an update finds its data again.
    """
    digest = hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return os.path.join(data_home(), "plugins", f"{name}-{digest}")


def create_private_file(path: str) -> None:
    """Create the empty file `path`, open to this user only; one that exists is left alone, and not opened.

    Where POSIX locks are used, closing any handle of a file gives up every lock that this process has on
    it, those of SQLite too: another process would then take the log of an open database for left behind.
    """
    with (
        _CREATING,  # nobody here opens the new file for good before its first handle is closed
        contextlib.suppress(FileExistsError),
    ):
        os.close(os.open(os.path.realpath(path), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def create_private(path: str) -> str:
    """Create `path` and what is missing above it, open to this user only; what exists is left alone."""
    missing = []
    while not os.path.isdir(path):
        missing.append(path)
        path, _, _ = path.rpartition(os.sep)
        if not path:
            break
    for each in reversed(missing):
        try:
            os.mkdir(each, PRIVATE)
        except FileExistsError:  # another process was first, or a file stands here: then this raises
            if not os.path.isdir(each):
                raise
    return missing[0] if missing else path
