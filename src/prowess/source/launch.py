"""From a judged stdio entry to the exact thing to start, asked of the file system once more.

Agent Plugins 1.0.0, sections 4.1 (containment), 7.2.1 (command, cwd) and 9 (environment,
expansion). A package may have changed since it was judged, so command and working directory are
resolved again here, right before a start. Nothing is started: that is `link/`.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from prowess.errors import ConnectionFailed
from prowess.redact import printable
from prowess.source.directory import is_inside, real_path
from prowess.spec.model import StdioServer
from prowess.spec.placeholders import DATA, DATA_PLACEHOLDER, ROOT, ROOT_PLACEHOLDER, expand


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """What to execute: `argv` (its first element an absolute path), the whole environment, the directory."""

    argv: tuple[str, ...]
    env: dict[str, str]
    cwd: str


def resolve_launch(root: str, server: StdioServer, data: str, base_env: Mapping[str, str]) -> Launch:
    """How to start `server` of the plugin at `root`, whose data directory is `data` (made if absent).

    `base_env` is the environment that the client chose. Raises ConnectionFailed with the reason.
    """
    try:
        real_root = _real_root(root)
        real_data = _data_directory(data)
        expanded = _expanded(server, real_root, real_data)
        return Launch(
            argv=(_executable(real_root, server.command, base_env), *expanded.args),
            env=_environment(base_env, expanded.env, {ROOT: real_root, DATA: real_data}),
            cwd=_working_directory(real_root, real_data, server.cwd, expanded.cwd),
        )
    except (OSError, ValueError) as error:
        raise ConnectionFailed(f"cannot prepare server {printable(server.id)}: {_reason(error)}") from error


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, OSError) and error.strerror:
        return printable(error.strerror)
    return printable(str(error))


def _real_root(root: str) -> str:
    real = os.path.realpath(root)
    if not os.path.isdir(real):
        raise ConnectionFailed("the plugin directory is gone")
    return real


def _data_directory(data: str) -> str:
    # 9.1: created before the start, and writable to the subprocess.
    try:
        os.makedirs(data, mode=0o700, exist_ok=True)
    except OSError as error:
        raise ConnectionFailed(
            f"the plugin's data directory cannot be made: {printable(error.strerror or '')}",
            hint="it stands below the home directory; XDG_DATA_HOME moves it",
        ) from error
    real = os.path.realpath(data)
    if not os.access(real, os.W_OK | os.X_OK):
        raise ConnectionFailed("the plugin's data directory is not writable")
    return real


def _expanded(server: StdioServer, root: str, data: str) -> StdioServer:
    """The same entry with section 9.2 applied to args, env values and cwd; command stays literal."""
    return StdioServer(
        id=server.id,
        command=server.command,
        args=tuple(expand(each, root=root, data=data) for each in server.args),
        env={key: expand(value, root=root, data=data) for key, value in server.env.items()},
        cwd=None if server.cwd is None else expand(server.cwd, root=root, data=data),
    )


def _environment(*layers: Mapping[str, str]) -> dict[str, str]:
    """Later layers replace names of earlier ones; on Windows names differing only in case are the same."""
    merged: dict[str, tuple[str, str]] = {}
    for layer in layers:
        for name, value in layer.items():
            merged[name.upper() if sys.platform == "win32" else name] = (name, value)
    return dict(merged.values())


def _executable(root: str, command: str, base_env: Mapping[str, str]) -> str:
    if not command.startswith("./"):
        return _search(command, base_env)
    # Kept unresolved on purpose: a program reached through a link inside the root sees its own name.
    path = f"{root.rstrip(os.sep)}{os.sep}{command[2:]}"
    if not is_inside(real_path(path, root), root):
        raise ConnectionFailed(f"command {printable(command)} resolves outside the plugin directory")
    if not os.path.exists(path):
        raise ConnectionFailed(
            f"command {printable(command)} does not exist",
            hint="a ./ command is looked up from the plugin's root, never from cwd",
        )
    if not os.path.isfile(path):
        raise ConnectionFailed(f"command {printable(command)} is not a regular file")
    if not os.access(path, os.X_OK):
        raise ConnectionFailed(
            f"command {printable(command)} is not executable",
            hint="packing or copying may have lost the bit: chmod +x the file",
        )
    return path


def _search(command: str, base_env: Mapping[str, str]) -> str:
    """A bare name by the platform's search, in the client's PATH.

    The entry's own PATH takes no part (7.2.1 leaves that to the client): a package must not decide
    which program a bare name means. Relative PATH entries are left out for the same reason.
    """
    folders = [each for each in base_env.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(each)]
    found = shutil.which(command, path=os.pathsep.join(folders))
    if found is None or os.path.basename(command) != command:
        raise ConnectionFailed(
            f"command {printable(command)} was not found on PATH",
            hint="install it, or ship it in the package and write ./path/to/it",
        )
    return found


def _working_directory(root: str, data: str, written: str | None, expanded: str | None) -> str:
    if written is None or expanded is None:
        return root  # 7.2.1: omitted means the plugin root
    if written == DATA_PLACEHOLDER or written.startswith(DATA_PLACEHOLDER + "/"):
        return _data_child(data, expanded)
    if written == ROOT_PLACEHOLDER or written.startswith((ROOT_PLACEHOLDER + "/", "./")):
        path = os.path.join(root, expanded)
        real = real_path(path, root)
        if not is_inside(real, root):
            raise ConnectionFailed(f"cwd {printable(written)} resolves outside the plugin directory")
        if not os.path.isdir(real):
            raise ConnectionFailed(f"cwd {printable(written)} is not a directory of the plugin")
        return real
    raise ConnectionFailed(f"cwd {printable(written)} has none of the forms that the specification allows")


def _data_child(data: str, path: str) -> str:
    # Checked before anything is made, and again afterwards for what was made.
    for _ in range(2):
        real = real_path(path, data)
        if not is_inside(real, data):
            raise ConnectionFailed("cwd resolves outside the plugin's data directory")
        os.makedirs(real, mode=0o700, exist_ok=True)
    return real
