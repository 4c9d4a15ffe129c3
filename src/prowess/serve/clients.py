"""Where other clients keep their MCP servers, and what an entry of ours looks like there.

One value a client; the guide "Connect a client" says which of their documents the facts are from.
Nothing is read or written here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from prowess.errors import UsageError
from prowess.redact import printable

Scope = Literal["project", "user"]
Form = Literal["json", "jsonc", "toml"]
SCOPES: tuple[Scope, ...] = ("project", "user")


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """One client's configuration.

    `container` is the member that holds servers by name. `folder` is how its project files say their
    project's directory; where that is empty, a relative path means the directory it was started in.
    """

    name: str
    form: Form
    container: str
    project: str
    user: str
    typed: bool = True
    folder: str = ""
    home_variable: str = ""
    home: str = "~"

    def place(self, scope: Scope, *, project: str, environ: Mapping[str, str]) -> str:
        """The file of `scope`; `project` is the directory of the project."""
        if scope == "project":
            return os.path.join(project, *self.project.split("/"))
        home = environ.get(self.home_variable) if self.home_variable else None
        return os.path.join(os.path.expanduser(home or self.home), *self.user.split("/"))

    def entry(self, scope: Scope, path: str, *, project: str) -> dict[str, Any]:
        """What starts `prowess serve PATH --stdio`, as this client writes it."""
        command, before = ("prowess", []) if scope == "project" else own_command()
        served = self._served(scope, os.path.abspath(path), os.path.abspath(project))
        started = {"command": command, "args": [*before, "serve", served, "--stdio"]}
        return {"type": "stdio", **started} if self.typed else started

    def _served(self, scope: Scope, path: str, project: str) -> str:
        if "${" in path or "\0" in path:
            raise UsageError(f"{printable(path, 500)}: clients would read the ${{ in it as a variable")
        inside = path == project or path.startswith(project.rstrip(os.sep) + os.sep)
        if scope == "user" or not inside:
            return path
        below = os.path.relpath(path, project).replace(os.sep, "/")
        if self.folder:
            return self.folder if below == "." else f"{self.folder}/{below}"
        return below if below == "." else f"./{below}"


def own_command() -> tuple[str, list[str]]:
    """This very Prowess, by its absolute path: a client on a desktop has another PATH than a shell."""
    script = os.path.join(os.path.dirname(sys.executable), "prowess")
    for each in (script, f"{script}.exe"):
        if os.path.isfile(each):
            return each, []
    return sys.executable, ["-m", "prowess"]


def is_ours(entry: Any) -> bool:
    """Whether an entry starts `prowess serve`."""
    if not isinstance(entry, dict) or not isinstance(entry.get("args"), list):
        return False
    command = str(entry.get("command", "")).replace("\\", "/").rpartition("/")[2]
    args = [str(each) for each in entry["args"]]
    args = args[2:] if args[:2] == ["-m", "prowess"] else args if command.startswith("prowess") else []
    return args[:1] == ["serve"] and args[-1:] == ["--stdio"]


def _vscode_home() -> tuple[str, str]:
    if sys.platform == "win32":
        return "APPDATA", "~/AppData/Roaming"
    return "", "~/Library/Application Support" if sys.platform == "darwin" else "~/.config"


CLIENTS = {
    each.name: each
    for each in (
        Client(
            name="claude-code",
            form="json",
            container="mcpServers",
            project=".mcp.json",
            user=".claude.json",
            home_variable="CLAUDE_CONFIG_DIR",
        ),
        Client(
            name="cursor",
            form="json",
            container="mcpServers",
            project=".cursor/mcp.json",
            user=".cursor/mcp.json",
            folder="${workspaceFolder}",
        ),
        Client(
            name="vscode",
            form="jsonc",
            container="servers",
            project=".vscode/mcp.json",
            user="Code/User/mcp.json",
            folder="${workspaceFolder}",
            home_variable=_vscode_home()[0],
            home=_vscode_home()[1],
        ),
        Client(
            name="codex",
            form="toml",
            container="mcp_servers",
            project=".codex/config.toml",
            user="config.toml",
            typed=False,
            home_variable="CODEX_HOME",
            home="~/.codex",
        ),
    )
}
