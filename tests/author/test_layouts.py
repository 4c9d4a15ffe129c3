"""The layouts of other clients: made from the package, and found out when they mean something else."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.author.conftest import MCP_SCHEMA, PLUGIN_SCHEMA, write_tree
from tests.commanding import Run

from prowess.author.converting import SOURCES
from prowess.author.converting_servers import portable_entry
from prowess.author.layouts import CLIENTS, layout_of, targets_of
from prowess.author.layouts_agreeing import disagreements
from prowess.errors import UsageError

MANIFEST = {
    "$schema": PLUGIN_SCHEMA,
    "name": "sample",
    "version": "1.0.0",
    "description": "A sample.",
    "author": {"name": "A", "email": "a@example.com", "url": "https://example.com"},
    "extensions": {"com.example": {}},
}
SERVERS: dict[str, Any] = {
    "tool": {
        "type": "stdio",
        "command": "./bin/tool",
        "args": ["--config", "${PLUGIN_ROOT}/config.json", "--file=${PLUGIN_ROOT}/x", "plain", ""],
        "env": {"MODE": "fast", "AT": "${PLUGIN_ROOT}"},
    },
    "below": {"type": "stdio", "command": "npx", "args": ["${PLUGIN_ROOT}/a"], "cwd": "./sub/dir"},
    "web": {"type": "streamable-http", "url": "https://example.com/mcp", "headers": {"X-A": "1"}},
}
DATA: dict[str, Any] = {
    "type": "stdio",
    "command": "npx",
    "args": ["${PLUGIN_DATA}/x"],
    "cwd": "${PLUGIN_DATA}",
}


@pytest.mark.parametrize("name", CLIENTS)
def test_a_layout_agrees_with_the_package_that_it_is_made_from(name: str) -> None:
    layout = layout_of(CLIENTS[name], MANIFEST, SERVERS, skills=True)
    assert layout.left_out == ()
    assert disagreements(layout, layout.files, MANIFEST, SERVERS) == ()


def test_claude_code_finds_its_own_variables_and_transports() -> None:
    files = layout_of(CLIENTS["claude-code"], MANIFEST, {**SERVERS, "data": DATA}, skills=True).files
    assert set(files) == {".claude-plugin/plugin.json", ".mcp.json"}
    servers = files[".mcp.json"]["mcpServers"]
    assert servers["tool"]["command"] == "${CLAUDE_PLUGIN_ROOT}/bin/tool"
    assert servers["tool"]["env"]["PLUGIN_ROOT"] == "${CLAUDE_PLUGIN_ROOT}"
    assert servers["below"]["cwd"] == "${CLAUDE_PLUGIN_ROOT}/sub/dir"
    assert servers["data"]["cwd"] == "${CLAUDE_PLUGIN_DATA}"
    assert servers["web"]["type"] == "http"
    assert "extensions" not in files[".claude-plugin/plugin.json"]


def test_codex_starts_below_the_plugin_and_expands_nothing() -> None:
    files = layout_of(CLIENTS["codex"], MANIFEST, SERVERS, skills=True).files
    manifest = files[".codex-plugin/plugin.json"]
    assert (manifest["skills"], manifest["mcpServers"]) == ("./skills/", "./.codex.mcp.json")
    servers = files[".codex.mcp.json"]["mcpServers"]
    assert servers["tool"]["args"][1:3] == ["./config.json", "--file=./x"]
    assert (servers["below"]["cwd"], servers["below"]["args"]) == ("./sub/dir", ["../../a"])
    assert "${" not in json.dumps(files)


def test_cursor_gets_no_address_of_an_author() -> None:
    manifest = layout_of(CLIENTS["cursor"], MANIFEST, {}, skills=False).files[".cursor-plugin/plugin.json"]
    assert manifest["author"] == {"name": "A", "email": "a@example.com"}
    assert "mcpServers" not in manifest
    assert "skills" not in manifest


@pytest.mark.parametrize("name", ["cursor", "codex"])
def test_what_a_client_cannot_say_is_left_out_and_told(name: str) -> None:
    layout = layout_of(CLIENTS[name], MANIFEST, {**SERVERS, "data": DATA}, skills=True)
    assert layout.left_out == ("data",)
    assert [each for each in layout.notes if "data" in each]
    assert disagreements(layout, layout.files, MANIFEST, {**SERVERS, "data": DATA}) == ()


def test_a_transport_that_a_client_does_not_know_is_left_out() -> None:
    layout = layout_of(
        CLIENTS["codex"], MANIFEST, {"old": {"type": "sse", "url": "https://e.org/"}}, skills=True
    )
    assert layout.left_out == ("old",)


def test_a_variable_that_a_client_may_expand_is_told() -> None:
    servers = {"a": {"type": "stdio", "command": "npx", "args": ["${HOME}"]}}
    assert layout_of(CLIENTS["claude-code"], MANIFEST, servers, skills=True).notes


def edits(files: dict[str, Any], client: str) -> dict[str, Any]:
    """Each of these is a way in which a layout can drift from its package."""
    servers = CLIENTS[client].servers
    tool = files[servers]["mcpServers"]["tool"]
    return {
        "name": (files[CLIENTS[client].manifest], "name", "other"),
        "version": (files[CLIENTS[client].manifest], "version", "2"),
        "command": (tool, "command", "npx"),
        "args": (tool, "args", [*tool["args"], "more"]),
        "env": (tool, "env", {**tool["env"], "MODE": "slow"}),
        "cwd": (tool, "cwd", "/"),
        "server": (files[servers]["mcpServers"], "extra", tool),
        "url": (files[servers]["mcpServers"]["web"], "url", "https://example.org/"),
    }


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("what", ["name", "version", "command", "args", "env", "cwd", "server", "url"])
def test_a_layout_that_means_something_else_is_found_out(client: str, what: str) -> None:
    layout = layout_of(CLIENTS[client], MANIFEST, SERVERS, skills=True)
    files = copy.deepcopy(layout.files)
    holder, key, value = edits(files, client)[what]
    holder[key] = value
    assert disagreements(layout, files, MANIFEST, SERVERS)


TEXTS = st.lists(
    st.sampled_from(
        ["${PLUGIN_ROOT}", "${PLUGIN_DATA}", "/", "a", " ", "--x=", ".", "é", "${PLUGIN_ROOT}/b"]
    ),
    max_size=4,
).map("".join)
STDIO = st.fixed_dictionaries(
    {"type": st.just("stdio"), "command": st.sampled_from(["npx", "./bin/tool", "./a b"])},
    optional={
        "args": st.lists(TEXTS, max_size=3),
        "env": st.dictionaries(st.sampled_from(["A", "B"]), TEXTS, max_size=2),
        "cwd": st.sampled_from(
            ["./", "./a", "./a/b", "${PLUGIN_ROOT}", "${PLUGIN_ROOT}/a", "${PLUGIN_DATA}"]
        ),
    },
)


@given(st.dictionaries(st.sampled_from("ab"), STDIO, max_size=2))
def test_whatever_the_servers_claude_code_would_start_the_same(servers: dict[str, Any]) -> None:
    layout = layout_of(CLIENTS["claude-code"], MANIFEST, servers, skills=True)
    assert disagreements(layout, layout.files, MANIFEST, servers) == ()


@given(STDIO)
def test_a_layout_converted_back_is_the_entry_that_it_was(entry: dict[str, Any]) -> None:
    written = layout_of(CLIENTS["claude-code"], MANIFEST, {"a": entry}, skills=True).files[".mcp.json"]
    back = portable_entry(written["mcpServers"]["a"], SOURCES[0].words)
    wanted = {key: value for key, value in entry.items() if value or key in ("type", "command")}
    cwd = entry.get("cwd", "./").removeprefix("${PLUGIN_ROOT}/").removeprefix("./").rstrip("/")
    wanted.pop("cwd", None)
    if cwd not in ("", "${PLUGIN_ROOT}"):
        wanted["cwd"] = cwd if cwd.startswith("$") else f"${{PLUGIN_ROOT}}/{cwd}"
    assert back.entry == wanted


def test_the_layouts_are_packed_beside_the_portable_package(prowess: Run, tmp_path: Path) -> None:
    skill = "---\nname: greet\ndescription: Greets a guest by name. Use when somebody arrives.\n---\nHello.\n"
    root = write_tree(
        tmp_path / "sample",
        {
            "plugin.json": MANIFEST,
            "mcp.json": {"$schema": MCP_SCHEMA, "mcpServers": {**SERVERS, "data": DATA}},
            "skills/greet/SKILL.md": skill,
            "bin/tool": "",
            "sub/dir/x": "",
        },
    )
    ran = prowess("pack", root, "--out", tmp_path / "dist", "--for", "claude-code,cursor,codex", "--json")
    assert ran.status == 0, ran.err
    wanted = {each.manifest for each in CLIENTS.values()} | {each.servers for each in CLIENTS.values()}
    assert wanted <= set(ran.json["files"])
    assert prowess("check", "--fail-on", "note", tmp_path / "dist" / "sample").status == 0


def test_the_portable_package_is_always_among_the_targets() -> None:
    assert targets_of("codex, agent-plugins") == ("agent-plugins", "codex")
    with pytest.raises(UsageError):
        targets_of("nonsense")
