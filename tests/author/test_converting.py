"""Layouts of other clients converted: what is faithful goes over, and everything else is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.author.conftest import MCP_SCHEMA, TOKEN, tree_of, write_tree
from tests.commanding import Run

from prowess.author.converting_commands import of_markdown, of_toml

SKILL = "---\nname: greet\ndescription: Greets a guest by name. Use when somebody arrives.\n---\nSay hello.\n"
CLAUDE: dict[str, Any] = {
    ".claude-plugin/plugin.json": {
        "name": "My Tools",
        "version": "1.2.0",
        "description": "Tools.",
        "author": "Somebody",
        "repository": {"type": "git", "url": "https://example.com/r"},
        "keywords": ["a"],
        "hooks": "./hooks/hooks.json",
        "outputStyles": "./styles",
    },
    ".mcp.json": {
        "mcpServers": {
            "tool": {
                "command": "${CLAUDE_PLUGIN_ROOT}/bin/tool",
                "args": ["--at", "${CLAUDE_PLUGIN_ROOT}/x", "--in", "${CLAUDE_PLUGIN_DATA}/y"],
                "env": {"MODE": "fast", "TOKEN": "${MY_TOKEN}", "KEY": TOKEN},
            },
            "web": {
                "type": "http",
                "url": "https://example.com/mcp",
                "headers": {"Authorization": "Bearer ${T}", "X-A": "1"},
            },
            "shell": {"command": "/usr/bin/env bash -c x"},
        }
    },
    "skills/greet/SKILL.md": SKILL,
    "skills/greet/references/more.md": "more",
    "skills/bad/SKILL.md": "no frontmatter",
    "commands/git/commit.md": "---\ndescription: Commits\nmodel: opus\n---\n"
    "Commit with $ARGUMENTS, {arguments}.\n",
    "commands/status.md": "State: !`git status`\n",
    "hooks/hooks.json": {"hooks": {}},
    "agents/helper.md": "You are a helper.",
    "bin/tool": "#!/bin/sh\n",
}


def converted(prowess: Run, root: Path, out: Path, *more: str) -> tuple[int, dict[str, list[str]], Any]:
    """The exit status, the report by verdict, and all that was said."""
    ran = prowess("convert", root, "--out", out, "--json", *more)
    report: dict[str, list[str]] = {}
    for each in ran.json["report"]:
        report.setdefault(each["verdict"], []).append(f"{each['what']}: {each['detail']}")
    return ran.status, report, ran.json


def named(report: dict[str, list[str]], verdict: str) -> list[str]:
    return sorted({each.partition(":")[0] for each in report.get(verdict, [])})


def test_a_claude_code_plugin_goes_over_as_far_as_it_can(prowess: Run, tmp_path: Path) -> None:
    root = write_tree(tmp_path / "tools", CLAUDE)
    (root / "bin" / "tool").chmod(0o755)
    before = tree_of(root)
    out = tmp_path / "out"
    status, report, _ = converted(prowess, root, out)
    assert status == 1
    assert tree_of(root) == before
    assert set(tree_of(out)) == {
        *("plugin.json", "mcp.json", "bin/tool", "skills/greet/SKILL.md", "skills/greet/references/more.md"),
        *("skills/bad/SKILL.md", "dev.prowess/content/my-tools/prompts/git-commit.md"),
    }
    manifest = json.loads((out / "plugin.json").read_text())
    assert (manifest["name"], manifest["version"]) == ("my-tools", "1.2.0")
    assert (manifest["author"], manifest["repository"]) == ({"name": "Somebody"}, "https://example.com/r")
    document = json.loads((out / "mcp.json").read_text())
    assert document["$schema"] == MCP_SCHEMA
    assert document["mcpServers"]["tool"] == {
        "type": "stdio",
        "command": "./bin/tool",
        "args": ["--at", "${PLUGIN_ROOT}/x", "--in", "${PLUGIN_DATA}/y"],
        "env": {"MODE": "fast"},
    }
    web = {"type": "streamable-http", "url": "https://example.com/mcp", "headers": {"X-A": "1"}}
    assert document["mcpServers"]["web"] == web
    assert document["mcpServers"]["my-tools"]["args"][1].endswith("dev.prowess/content/my-tools")
    assert named(report, "no portable form") == [
        *(".claude-plugin/plugin.json", "agents", "commands/status.md", "hooks"),
        *("server shell", "server tool", "server web", "skills/bad"),
    ]
    assert named(report, "changed") == ["commands/git/commit.md", "name", "server tool"]


def test_nothing_of_a_secret_goes_over_or_is_told(prowess: Run, tmp_path: Path) -> None:
    root = write_tree(tmp_path / "tools", CLAUDE)
    ran = prowess("convert", root, "--out", tmp_path / "out")
    assert TOKEN not in ran.out + ran.err
    assert TOKEN.encode() not in b"".join(tree_of(tmp_path / "out").values())


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "tool", "args": ["--api-key", "correct-horse-battery"]},
        {"command": "tool", "args": ["--api-key=correct-horse-battery"]},
        {"command": "tool", "args": [TOKEN + "correct-horse-battery"]},
        {"type": "http", "url": "https://me:correct-horse-battery@example.com/mcp"},
        {"type": "http", "url": "https://correct-horse-battery@[::1/mcp"},
    ],
)
def test_a_secret_in_an_argument_or_a_url_stays_behind_too(
    prowess: Run, tmp_path: Path, entry: dict[str, Any]
) -> None:
    files: dict[str, Any] = {".claude-plugin/plugin.json": {"name": "it"}}
    files[".mcp.json"] = {"mcpServers": {"tool": entry}}
    status, report, _ = converted(prowess, write_tree(tmp_path / "it", files), tmp_path / "out")
    assert (status, named(report, "no portable form")) == (1, ["server tool"])
    assert b"correct-horse" not in b"".join(tree_of(tmp_path / "out").values())


def test_what_an_argument_is_not_stays_where_it_was(prowess: Run, tmp_path: Path) -> None:
    entry = {"command": "tool", "args": ["--fast", "--api-key", "correct-horse-battery", "in.txt"]}
    files: dict[str, Any] = {".claude-plugin/plugin.json": {"name": "it"}}
    files[".mcp.json"] = {"mcpServers": {"tool": entry}}
    converted(prowess, write_tree(tmp_path / "it", files), tmp_path / "out")
    servers = json.loads((tmp_path / "out" / "mcp.json").read_text())["mcpServers"]
    assert servers["tool"]["args"] == ["--fast", "--api-key", "<secret>", "in.txt"]


def test_a_command_becomes_the_prompt_that_it_was(prowess: Run, tmp_path: Path) -> None:
    import asyncio

    from prowess.content.memory import MemoryContent

    root = write_tree(tmp_path / "tools", CLAUDE)
    converted(prowess, root, tmp_path / "out")
    file = tmp_path / "out" / "dev.prowess" / "content" / "my-tools" / "prompts" / "git-commit.md"

    async def asked() -> Any:
        content = MemoryContent({"prompts/git-commit.md": file.read_text()})
        await content.open()
        return await content.ask("prompts/get", {"name": "git-commit", "arguments": {"arguments": "care"}})

    text = asyncio.run(asked())["messages"][0]["content"]["text"]
    assert text.strip() == "Commit with care, {arguments}."


def test_what_is_whole_says_so(prowess: Run, tmp_path: Path) -> None:
    root = write_tree(
        tmp_path / "it", {".claude-plugin/plugin.json": {"name": "it"}, "skills/greet/SKILL.md": SKILL}
    )
    status, report, said = converted(prowess, root, tmp_path / "out")
    assert (status, said["whole"], named(report, "copied")) == (0, True, ["skills/greet"])
    assert prowess("check", tmp_path / "out").status == 0


def test_a_codex_plugin_is_seen_from_its_own_directory(prowess: Run, tmp_path: Path) -> None:
    root = write_tree(
        tmp_path / "viewer",
        {
            ".codex-plugin/plugin.json": {
                "name": "viewer",
                "skills": "./skills/",
                "mcpServers": "./.mcp.json",
                "interface": {"displayName": "Viewer"},
            },
            ".mcp.json": {
                "mcpServers": {
                    "here": {"command": "node", "args": ["./dist/server.mjs"], "cwd": "."},
                    "below": {"command": "node", "args": ["a"], "cwd": "sub"},
                    "web": {"type": "streamable_http", "url": "https://example.com/mcp"},
                }
            },
            "sub/x": "",
            "skills/greet/SKILL.md": SKILL,
            ".app.json": {},
        },
    )
    status, report, _ = converted(prowess, root, tmp_path / "out")
    servers = json.loads((tmp_path / "out" / "mcp.json").read_text())["mcpServers"]
    assert servers["here"] == {"type": "stdio", "command": "node", "args": ["./dist/server.mjs"]}
    assert servers["below"]["cwd"] == "./sub"
    assert servers["web"]["type"] == "streamable-http"
    assert (status, named(report, "no portable form")) == (1, [".app.json", ".codex-plugin/plugin.json"])
    assert prowess("check", "--fail-on", "note", tmp_path / "out").status == 0


def test_a_gemini_extension_goes_over_as_far_as_it_can(prowess: Run, tmp_path: Path) -> None:
    root = write_tree(
        tmp_path / "ext",
        {
            "gemini-extension.json": {
                "name": "ext",
                "version": "1.0.0",
                "mcpServers": {
                    "a": {
                        "command": "node",
                        "args": ["${extensionPath}${/}dist${/}a.js"],
                        "cwd": "${extensionPath}",
                        "trust": True,
                    },
                    "b": {"httpUrl": "https://example.com/mcp"},
                    "c": {"url": "https://example.com/events"},
                },
                "contextFileName": "CONTEXT.md",
                "excludeTools": ["run_shell_command"],
            },
            "CONTEXT.md": "Always be kind.",
            "commands/plan.toml": 'description = "Plans"\nprompt = "Plan {{args}} and {args}."\n',
            "commands/look.toml": 'prompt = "Look: !{ls}"\n',
            "commands/greet.toml": 'prompt = "Say hello."\n',
        },
    )
    status, report, _ = converted(prowess, root, tmp_path / "out")
    servers = json.loads((tmp_path / "out" / "mcp.json").read_text())["mcpServers"]
    assert servers["a"] == {"type": "stdio", "command": "node", "args": ["${PLUGIN_ROOT}/dist/a.js"]}
    assert servers["b"]["type"] == "streamable-http"
    assert not (tmp_path / "out" / "CONTEXT.md").exists()
    assert status == 1
    assert named(report, "no portable form") == [
        *("CONTEXT.md", "commands/look.toml", "gemini-extension.json", "server a"),
    ]
    prompts = tmp_path / "out" / "dev.prowess" / "content" / "ext" / "prompts"
    assert (prompts / "plan.md").read_text().endswith("Plan {args} and {{args}}.")
    assert (prompts / "greet.md").read_text().endswith("Say hello.\n\n{args}\n")
    assert prowess("check", prompts.parent).status == 0


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("Do it.", True),
        ("Do $1 and $2.", True),
        ("Costs $100.", True),
        ("Mail a@example.com about it.", True),
        ("Read @src/main.py first.", False),
        ("Now: !`ls`", False),
        ("Run ${CLAUDE_PLUGIN_ROOT}/x.", False),
        ("---\nkey: [\n---\nDo it.", False),
        ("---\ndescription: open", False),
    ],
)
def test_a_command_is_a_prompt_only_where_it_says_the_same(text: str, fits: bool) -> None:
    command = of_markdown(text.encode())
    assert bool(command.text) == fits
    assert bool(command.reason) != fits


def test_arguments_by_number_get_names() -> None:
    command = of_markdown(b"Move $1 to $2; not {argument_1}.")
    assert command.text.endswith("Move {argument_1} to {argument_2}; not {{argument_1}}.")
    assert "name: argument_2" in command.text
    assert command.lost


@pytest.mark.parametrize("data", [b"\xff", b"prompt = 5", b"prompt", b'prompt = "@{x}"', b'prompt = " "'])
def test_a_toml_command_that_is_none_is_told(data: bytes) -> None:
    assert of_toml(data).reason


def test_without_out_nothing_is_written(prowess: Run, tmp_path: Path) -> None:
    root = write_tree(tmp_path / "tools", CLAUDE)
    before = tree_of(tmp_path)
    assert prowess("convert", root).status == 1
    assert tree_of(tmp_path) == before


@pytest.mark.parametrize("out", ["tools", ".", "there", "file.txt"])
def test_nothing_that_is_there_is_written_over(prowess: Run, tmp_path: Path, out: str) -> None:
    write_tree(tmp_path, {"there/mine.txt": "mine", "file.txt": "mine"})
    root = write_tree(tmp_path / "tools", CLAUDE)
    before = tree_of(tmp_path)
    assert prowess("convert", root, "--out", tmp_path / out).status == 2
    assert tree_of(tmp_path) == before


def test_of_several_layouts_one_is_named(prowess: Run, tmp_path: Path) -> None:
    root = write_tree(
        tmp_path / "both",
        {".claude-plugin/plugin.json": {"name": "a"}, ".codex-plugin/plugin.json": {"name": "b"}},
    )
    assert prowess("convert", root).status == 2
    assert prowess("convert", root, "--from", "codex", "--json").json["name"] == "b"
    assert prowess("convert", root, "--from", "gemini").status == 2


@pytest.mark.parametrize(
    "files", [{}, {".claude-plugin/plugin.json": "{"}, {".claude-plugin/plugin.json": "[]"}]
)
def test_what_is_no_layout_is_an_error(prowess: Run, tmp_path: Path, files: dict[str, Any]) -> None:
    (tmp_path / "it").mkdir()
    assert prowess("convert", write_tree(tmp_path / "it", files)).status == 2


def test_a_link_that_leads_out_is_refused(prowess: Run, tmp_path: Path) -> None:
    root = write_tree(tmp_path / "it", {".claude-plugin/plugin.json": {"name": "it"}})
    (tmp_path / "secret").write_text("x")
    (root / "skills").mkdir()
    (root / "skills" / "out").symlink_to("../../secret")
    assert prowess("convert", root, "--out", tmp_path / "out").status == 1
    assert not (tmp_path / "out").exists()
