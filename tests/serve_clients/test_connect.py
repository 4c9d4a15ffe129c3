"""prowess connect: an entry in a client's own configuration, and out again."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.commanding import Run

from prowess.serve.clients import CLIENTS, is_ours

PLUGIN = "tools/invoice ops"
PLACES = {
    "claude-code": (".mcp.json", ".claude.json"),
    "cursor": (".cursor/mcp.json", ".cursor/mcp.json"),
    "vscode": (".vscode/mcp.json", "Code/User/mcp.json"),
    "codex": (".codex/config.toml", ".codex/config.toml"),
}


def entry_in(client: str, file: Path, name: str = "invoice-ops") -> Any:
    text = file.read_text()
    document = tomllib.loads(text) if client == "codex" else json.loads(text)
    return document[CLIENTS[client].container][name]


def tree(root: Path) -> dict[str, bytes]:
    return {
        str(each.relative_to(root)): each.read_bytes() if each.is_file() else b"" for each in root.rglob("*")
    }


@pytest.mark.parametrize("client", PLACES)
def test_a_project_gets_an_entry_that_others_can_use_too_and_loses_it_again(
    client: str, prowess: Run, project: Path
) -> None:
    before = tree(project)
    ran = prowess("connect", client, PLUGIN, "--yes")
    assert ran.status == 0, ran.err
    entry = entry_in(client, project / PLACES[client][0])
    folder = "${workspaceFolder}" if client in ("cursor", "vscode") else "."
    assert entry["command"] == "prowess"
    assert entry["args"] == ["serve", f"{folder}/tools/invoice ops", "--stdio"]
    assert entry.get("type") == (None if client == "codex" else "stdio")
    assert prowess("connect", client, PLUGIN, "--remove", "--yes").status == 0
    assert tree(project) == before


@pytest.mark.skipif(sys.platform != "linux", reason="the places of Linux")
@pytest.mark.parametrize("client", PLACES)
def test_a_user_gets_an_entry_with_absolute_paths(
    client: str, prowess: Run, project: Path, user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = user / (".config" if client == "vscode" else "") / PLACES[client][1]
    assert prowess("connect", client, PLUGIN, "--scope", "user", "--yes").status == 0
    entry = entry_in(client, place)
    assert os.path.isabs(entry["command"]) and is_ours(entry)
    assert str(project / PLUGIN) in entry["args"]
    assert stat.S_IMODE(place.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("client", "variable", "file"),
    [("claude-code", "CLAUDE_CONFIG_DIR", ".claude.json"), ("codex", "CODEX_HOME", "config.toml")],
)
def test_a_client_whose_home_was_moved_is_found_there(
    client: str,
    variable: str,
    file: str,
    prowess: Run,
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(variable, str(tmp_path / "moved"))
    assert prowess("connect", client, PLUGIN, "--scope", "user", "--yes").status == 0
    assert is_ours(entry_in(client, tmp_path / "moved" / file))


def test_the_entry_starts_what_it_says(prowess: Run, project: Path, user: Path) -> None:
    prowess("connect", "claude-code", PLUGIN, "--scope", "user", "--yes")
    entry = entry_in("claude-code", user / ".claude.json")
    asked = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    done = subprocess.run(
        [entry["command"], *entry["args"]],
        input=json.dumps(asked) + "\n",
        capture_output=True,
        text=True,
        timeout=40,
        check=False,
        cwd=user,
    )
    assert json.loads(done.stdout.splitlines()[0])["result"]["protocolVersion"] == "2025-11-25", done.stderr


def test_the_change_is_shown_and_nothing_is_written_without_a_yes(prowess: Run, project: Path) -> None:
    ran = prowess("connect", "claude-code", PLUGIN)
    assert ran.status == 1 and not (project / ".mcp.json").exists()
    assert '+    "invoice-ops": {' in ran.err and "--yes" in ran.err
    assert not ran.out


def test_connecting_again_changes_nothing(prowess: Run, project: Path) -> None:
    prowess("connect", "claude-code", PLUGIN, "--yes")
    before = (project / ".mcp.json").stat()
    ran = prowess("connect", "claude-code", PLUGIN)
    assert ran.status == 0 and "already" in ran.err
    assert (project / ".mcp.json").stat().st_mtime_ns == before.st_mtime_ns
    assert prowess("connect", "cursor", PLUGIN, "--remove").status == 0


@pytest.mark.parametrize("remove", [(), ("--remove",)])
def test_an_entry_of_somebody_else_is_left_alone(
    remove: tuple[str, ...], prowess: Run, project: Path
) -> None:
    text = (
        '{"mcpServers": {"invoice-ops": {"command": "node", "args": ["serve", "--token", "ghp_'
        + "a" * 36
        + '"]}}}'
    )
    (project / ".mcp.json").write_text(text)
    ran = prowess("connect", "claude-code", PLUGIN, "--yes", *remove)
    assert ran.status == 2 and "node" in ran.err and "ghp_aaaa" not in ran.err
    assert (project / ".mcp.json").read_text() == text
    assert prowess("connect", "claude-code", PLUGIN, "--yes", "--name", "ours").status == 0
    assert entry_in("claude-code", project / ".mcp.json")["command"] == "node"


def test_an_entry_of_ours_for_another_path_is_replaced_and_said(prowess: Run, project: Path) -> None:
    (project / ".mcp.json").write_text("{}\n")
    (project / "other").mkdir()
    (project / "other" / "plugin.json").write_text((project / PLUGIN / "plugin.json").read_text())
    prowess("connect", "claude-code", PLUGIN, "--name", "p", "--yes")
    ran = prowess("connect", "claude-code", "other", "--name", "p", "--yes")
    assert ran.status == 0 and "invoice ops" in ran.err
    assert entry_in("claude-code", project / ".mcp.json", "p")["args"][1] == "./other"
    prowess("connect", "claude-code", "--name", "p", "--remove", "--yes")
    assert (project / ".mcp.json").read_text() == "{}\n"


def test_what_was_added_since_stays_when_ours_is_taken_out(prowess: Run, project: Path) -> None:
    file = project / ".mcp.json"
    file.write_text('{\n  "mcpServers": {\n    "a": {"command": "a"}\n  }\n}\n')
    prowess("connect", "claude-code", PLUGIN, "--yes")
    file.write_text(file.read_text().replace('"a": {"command": "a"}', '"a": {"command": "b"}'))
    prowess("connect", "claude-code", PLUGIN, "--remove", "--yes")
    assert file.read_text() == '{\n  "mcpServers": {\n    "a": {"command": "b"}\n  }\n}\n'


def test_a_link_is_written_through_and_permissions_stay(prowess: Run, project: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}")
    real.chmod(0o640)
    (project / ".mcp.json").symlink_to(real)
    prowess("connect", "claude-code", PLUGIN, "--yes")
    assert (project / ".mcp.json").is_symlink() and is_ours(entry_in("claude-code", real))
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    prowess("connect", "claude-code", PLUGIN, "--remove", "--yes")
    assert real.read_text() == "{}" and (project / ".mcp.json").is_symlink()


def test_what_a_file_was_is_kept_where_only_the_user_can_read_it(
    prowess: Run, project: Path, home: Path
) -> None:
    (project / ".mcp.json").write_text('{"mcpServers": {}}')
    ran = prowess("connect", "claude-code", PLUGIN, "--yes")
    [kept] = (home / "state" / "prowess" / "connect").iterdir()
    assert kept.read_text() == '{"mcpServers": {}}' and str(kept) in ran.err
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    prowess("connect", "claude-code", PLUGIN, "--remove", "--yes")
    assert not kept.exists()


@pytest.mark.parametrize(
    ("client", "file", "text", "place"),
    [
        ("claude-code", ".mcp.json", '{\n  "mcpServers": {,}\n}', "line 2, column"),
        ("claude-code", ".mcp.json", '{ // no\n "mcpServers": {}}', "line 1, column 3"),
        ("claude-code", ".mcp.json", "[]", "line 1"),
        ("claude-code", ".mcp.json", '{"mcpServers":\n []}', "line 2"),
        ("claude-code", ".mcp.json", '{"mcpServers": {"a": NaN}}', "NaN"),
        ("claude-code", ".mcp.json", '{"mcpServers": {}, "mcpServers": {}}', "more than once"),
        ("claude-code", ".mcp.json", "[" * 100_000, ""),
        ("cursor", ".cursor/mcp.json", '{"mcpServers": {},}', "line 1, column"),
        ("vscode", ".vscode/mcp.json", '{"servers": {} /* no end', "line 1"),
        ("vscode", ".vscode/mcp.json", '{"servers": {"a": "\n"}}', "line 1"),
        ("codex", ".codex/config.toml", "a = 1\na = 2\n", "line 2"),
        ("codex", ".codex/config.toml", "mcp_servers = 1\n", "no table"),
    ],
)
def test_a_file_that_is_broken_is_refused_with_the_place(
    client: str, file: str, text: str, place: str, prowess: Run, project: Path
) -> None:
    (project / file).parent.mkdir(exist_ok=True)
    (project / file).write_text(text)
    for more in ((), ("--remove",)):
        ran = prowess("connect", client, PLUGIN, "--yes", *more)
        assert ran.status == 2 and place in ran.err and file in ran.err
    assert (project / file).read_text() == text


def test_what_is_no_file_of_text_is_refused(prowess: Run, project: Path) -> None:
    (project / ".mcp.json").write_bytes(b'{}\n"\xff"')
    assert "line 2" in prowess("connect", "claude-code", PLUGIN, "--yes").err
    (project / ".mcp.json").unlink()
    (project / ".mcp.json").mkdir()
    assert prowess("connect", "claude-code", PLUGIN, "--yes").status == 2
    (project / ".mcp.json").rmdir()
    (project / ".mcp.json").symlink_to(project / "nowhere")
    assert prowess("connect", "claude-code", PLUGIN, "--yes").status == 2


@pytest.mark.parametrize(
    "arguments", [("emacs", "."), ("cursor", "nowhere"), ("cursor", ".", "--name", "a b")]
)
def test_a_question_that_is_wrong_is_said_so(arguments: tuple[str, ...], prowess: Run, project: Path) -> None:
    assert prowess("connect", *arguments, "--yes").status == 2


def test_secrets_of_the_file_are_not_shown_with_the_change(prowess: Run, project: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    (project / ".mcp.json").write_text(
        json.dumps({"mcpServers": {"gh": {"env": {"TOKEN": token}}}}, indent=2)
    )
    ran = prowess("connect", "claude-code", PLUGIN, "--yes")
    assert ran.status == 0 and token not in ran.err
    assert token in (project / ".mcp.json").read_text()


def test_a_path_that_clients_would_read_a_variable_in_is_refused(prowess: Run, project: Path) -> None:
    odd = project / "${HOME}"
    odd.mkdir()
    (odd / "plugin.json").write_text((project / PLUGIN / "plugin.json").read_text())
    assert prowess("connect", "claude-code", odd, "--yes").status == 2


def test_a_file_that_changes_meanwhile_is_not_overwritten(
    prowess: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from prowess.cli import connect

    file = project / ".mcp.json"

    def agreed(*arguments: Any) -> bool:
        file.write_text('{"new": 1}')
        return True

    monkeypatch.setattr(connect, "_agreed", agreed)
    assert prowess("connect", "claude-code", PLUGIN).status == 2
    assert file.read_text() == '{"new": 1}'
