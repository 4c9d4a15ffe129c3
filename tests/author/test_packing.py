"""Packing: what goes in and what stays out, the same bytes twice, and what is refused."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import tarfile
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.author.conftest import MCP_SCHEMA, PLUGIN_SCHEMA, TOKEN, tree_of, write_tree
from tests.commanding import Run

SKILL = "---\nname: greet\ndescription: Greets a guest by name. Use when somebody arrives.\n---\nSay hello.\n"
MANIFEST = {"$schema": PLUGIN_SCHEMA, "name": "sample", "version": "1.0.0"}
SERVERS = {"$schema": MCP_SCHEMA, "mcpServers": {"tool": {"type": "stdio", "command": "./bin/tool"}}}
UNIT: dict[str, Any] = {
    "schema.json": {"name": "count_words", "description": "Counts the words of a text."},
    "skill.py": "class Count:\n    async def execute(self, params: dict) -> dict:\n        return {}\n",
}
PROMPT = "---\ndescription: Greets.\narguments: [{name: guest, required: true}]\n---\nGreet {guest}.\n"


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    files: dict[str, Any] = {
        "plugin.json": MANIFEST,
        "mcp.json": SERVERS,
        "skills/greet/SKILL.md": SKILL,
        "bin/tool": "#!/bin/sh\n",
    }
    root = write_tree(tmp_path / "sample", files)
    (root / "bin" / "tool").chmod(0o755)
    return root


def packed(prowess: Run, path: Path, out: Path, *more: str) -> Any:
    ran = prowess("pack", path, "--out", out, "--json", *more)
    assert ran.status == 0, ran.err
    return ran.json


def in_zip(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {each: archive.read(each) for each in archive.namelist()}


def in_tar(path: Path) -> dict[str, bytes]:
    with tarfile.open(path) as archive:
        return {each.name: archive.extractfile(each).read() for each in archive.getmembers()}  # type: ignore[union-attr]


# -- what is in it


def test_a_plugin_is_packed_as_it_is(prowess: Run, plugin: Path, tmp_path: Path) -> None:
    said = packed(prowess, plugin, tmp_path / "dist")
    folder = tmp_path / "dist" / "sample"
    assert tree_of(folder) == tree_of(plugin)
    assert os.access(folder / "bin" / "tool", os.X_OK)
    assert not os.access(folder / "plugin.json", os.X_OK)
    assert said["files"] == sorted(tree_of(plugin))
    for form, reader in (("zip", in_zip), ("tar.gz", in_tar)):
        archive = tmp_path / "dist" / f"sample-1.0.0.{form}"
        assert reader(archive) == tree_of(plugin)
        assert said["archives"][str(archive)] == hashlib.sha256(archive.read_bytes()).hexdigest()
    sums = (tmp_path / "dist" / "sample-1.0.0.sha256").read_text().splitlines()
    assert sorted(sums) == sorted(f"{digest}  {Path(path).name}" for path, digest in said["archives"].items())


def test_a_project_becomes_one_package(prowess: Run, tmp_path: Path) -> None:
    root = write_tree(
        tmp_path / "Word_Tools",
        {
            "skills/greet/SKILL.md": SKILL,
            **{f"units/count_words/{name}": each for name, each in UNIT.items()},
            "content/house-style/prompts/greet.md": PROMPT,
            "workflows/measure.yaml": "name: measure\nsteps: [{skill: count_words}]\n",
            "evals/triggers.yaml": "[]",
            "README.md": "# It\n",
            "notes/mine.txt": "mine",
            "prowess.toml": "",
        },
    )
    said = packed(prowess, root, tmp_path / "dist", "--version", "2.0.0")
    folder = tmp_path / "dist" / "word-tools"
    assert set(tree_of(folder)) == {
        *("plugin.json", "mcp.json", "README.md", "skills/greet/SKILL.md", "evals/triggers.yaml"),
        *(f"dev.prowess/units/count_words/{name}" for name in UNIT),
        *("dev.prowess/content/house-style/prompts/greet.md", "dev.prowess/workflows/measure.yaml"),
    }
    manifest = json.loads((folder / "plugin.json").read_text())
    assert (manifest["name"], manifest["version"]) == ("word-tools", "2.0.0")
    places = ["dev.prowess/units", "dev.prowess/content/house-style", "dev.prowess/workflows"]
    assert manifest["extensions"]["dev.prowess"] == {"serves": [f"./{each}" for each in places]}
    entry = json.loads((folder / "mcp.json").read_text())["mcpServers"]["word-tools"]
    assert entry["args"] == ["serve", *(f"${{PLUGIN_ROOT}}/{each}" for each in places), "--names", "raw"]
    assert prowess("check", "--fail-on", "advice", folder).status == 0
    assert [each for each in said["notes"] if "prowess.toml" in each]


def test_what_a_plugin_says_is_kept_when_units_join_it(prowess: Run, plugin: Path, tmp_path: Path) -> None:
    manifest = {**MANIFEST, "extensions": {"com.example": {"a": 1}, "dev.prowess": {"mine": True}}}
    write_tree(
        plugin, {"plugin.json": manifest, **{f"units/count_words/{name}": e for name, e in UNIT.items()}}
    )
    packed(prowess, plugin, tmp_path / "dist")
    folder = tmp_path / "dist" / "sample"
    extensions = json.loads((folder / "plugin.json").read_text())["extensions"]
    assert extensions["com.example"] == {"a": 1}
    assert extensions["dev.prowess"] == {"mine": True, "serves": ["./dev.prowess/units"]}
    servers = json.loads((folder / "mcp.json").read_text())["mcpServers"]
    assert servers["tool"] == SERVERS["mcpServers"]["tool"]  # type: ignore[index]
    assert servers["sample"]["command"] == "prowess"
    assert not (folder / "units").exists()


def test_secrets_caches_and_hidden_files_stay_out(prowess: Run, plugin: Path, tmp_path: Path) -> None:
    out = plugin / "dist"
    stay = {
        **dict.fromkeys([".env", ".git/config", "skills/greet/.hidden", "server.pem", "prod.env"], "x"),
        **dict.fromkeys(["bin/__pycache__/a.pyc", "bin/b.pyc", "id_rsa", "credentials.json"], "x"),
    }
    before = tree_of(plugin)
    write_tree(plugin, stay)
    said = packed(prowess, plugin, out)
    assert tree_of(out / "sample") == before
    told = " ".join(said["notes"])
    assert all(each in told for each in [".env", "server.pem", "prod.env", "id_rsa", "credentials.json"])
    assert "__pycache__" not in told
    assert packed(prowess, plugin, out)["contents"] == said["contents"]  # DIST itself is not packed


def test_fixtures_of_what_was_another_stay_out(prowess: Run, plugin: Path, tmp_path: Path) -> None:
    write_tree(plugin, {"fixtures/index.json": "{}"})
    assert "fixtures/index.json" in packed(prowess, plugin, tmp_path / "a")["files"]
    write_tree(plugin, {f"units/count_words/{name}": each for name, each in UNIT.items()})
    said = packed(prowess, plugin, tmp_path / "b")
    assert "fixtures/index.json" not in said["files"]
    assert [each for each in said["notes"] if "fixtures" in each]


def test_a_link_to_a_file_inside_becomes_the_file(prowess: Run, plugin: Path, tmp_path: Path) -> None:
    (plugin / "LICENSE").write_text("free\n")
    (plugin / "skills" / "greet" / "LICENSE").symlink_to("../../LICENSE")
    packed(prowess, plugin, tmp_path / "dist")
    copied = tmp_path / "dist" / "sample" / "skills" / "greet" / "LICENSE"
    assert (copied.is_symlink(), copied.read_text()) == (False, "free\n")


# -- the same bytes


def test_the_same_project_gives_the_same_bytes(prowess: Run, plugin: Path, tmp_path: Path) -> None:
    first = packed(prowess, plugin, tmp_path / "a")
    other = tmp_path / "elsewhere" / "sample"
    shutil.copytree(plugin, other)
    for each in other.rglob("*"):
        os.utime(each, (time.time() - 5_000, time.time() - 9_000))
    (other / "skills" / "greet" / "SKILL.md").chmod(0o600)
    second = packed(prowess, other, tmp_path / "b")
    assert list(first["archives"].values()) == list(second["archives"].values())
    assert first["contents"] == second["contents"]
    (other / "bin" / "tool").chmod(0o644)
    assert packed(prowess, other, tmp_path / "b")["contents"] != first["contents"]


def test_archives_say_nothing_of_when_and_by_whom(prowess: Run, plugin: Path, tmp_path: Path) -> None:
    packed(prowess, plugin, tmp_path / "dist")
    with zipfile.ZipFile(tmp_path / "dist" / "sample-1.0.0.zip") as archive:
        entries = archive.infolist()
    assert [each.filename for each in entries] == sorted(each.filename for each in entries)
    assert {each.date_time for each in entries} == {(1980, 1, 1, 0, 0, 0)}
    assert {each.external_attr >> 16 for each in entries} == {0o100755, 0o100644}
    content = (tmp_path / "dist" / "sample-1.0.0.tar.gz").read_bytes()
    assert content[4:8] == bytes(4)  # the time in the gzip header
    with tarfile.open(fileobj=io.BytesIO(content)) as archive_of_tar:
        members = archive_of_tar.getmembers()
    assert {(each.uid, each.gid, each.uname, each.gname, each.mtime) for each in members} == {
        (0, 0, "", "", 315_532_800)
    }


def test_packing_again_replaces_the_package(prowess: Run, plugin: Path, tmp_path: Path) -> None:
    packed(prowess, plugin, tmp_path / "dist")
    shutil.rmtree(plugin / "skills")
    packed(prowess, plugin, tmp_path / "dist")
    assert tree_of(tmp_path / "dist" / "sample") == tree_of(plugin)
    assert not [each for each in (tmp_path / "dist").iterdir() if each.name.startswith(".")]


# -- what is refused


def outside(root: Path) -> None:
    (root.parent / "secret.txt").write_text("x")
    (root / "skills" / "greet" / "out.txt").symlink_to("../../../secret.txt")


def linked_folder(root: Path) -> None:
    (root / "more").symlink_to("skills")


REFUSED: dict[str, Any] = {
    "a skill that does not load": {"skills/bad/SKILL.md": "nothing"},
    "an entry without type": {"mcp.json": {"$schema": MCP_SCHEMA, "mcpServers": {"a": {"command": "x"}}}},
    "entries that are none": {"mcp.json": {"$schema": MCP_SCHEMA, "mcpServers": {"a": 5}}},
    "a manifest that is none": {"plugin.json": "{"},
    "a name in capitals": {"plugin.json": {**MANIFEST, "name": "SAMPLE"}},
    "a token in a file": {"bin/config.txt": f"key = {TOKEN}\n"},
    "a secret in a header": {
        "mcp.json": {
            "$schema": MCP_SCHEMA,
            "mcpServers": {
                "a": {
                    "type": "sse",
                    "url": "https://e.org/",
                    "headers": {"Authorization": "Bearer a1B2c3D4e5F6"},
                }
            },
        }
    },
    "a unit without a description": {
        "units/bad/schema.json": {"name": "bad_unit"},
        "units/bad/skill.py": UNIT["skill.py"],
    },
    "a template without a uri": {"content/a/templates/x.md": "---\ntitle: x\n---\n"},
    "a link that leads out": outside,
    "a link to a folder": linked_folder,
}


@pytest.mark.parametrize("fault", REFUSED)
def test_what_is_not_fit_is_refused_and_nothing_is_written(
    prowess: Run, plugin: Path, tmp_path: Path, fault: str
) -> None:
    change = REFUSED[fault]
    if callable(change):
        change(plugin)
    else:
        write_tree(plugin, change)
    ran = prowess("pack", plugin, "--out", tmp_path / "dist", "--for", "claude-code,cursor,codex")
    assert ran.status == 1, ran.err
    assert ran.err
    assert TOKEN not in ran.out + ran.err
    assert not (tmp_path / "dist").exists()


@pytest.mark.parametrize(
    ("path", "more"),
    [
        ("missing", []),
        ("empty", []),
        ("sample", ["--for", "nonsense"]),
        ("sample", ["--name", "other"]),
        ("greet", ["--name", "Not A Name"]),
    ],
)
def test_what_cannot_be_packed_is_an_error(
    prowess: Run, plugin: Path, tmp_path: Path, path: str, more: list[str]
) -> None:
    (tmp_path / "empty").mkdir()
    write_tree(tmp_path / "greet", {"SKILL.md": SKILL})
    assert prowess("pack", tmp_path / path, "--out", tmp_path / "dist", *more).status == 2
    assert not (tmp_path / "dist").exists()


def test_a_project_is_never_replaced_by_its_package(prowess: Run, plugin: Path, tmp_path: Path) -> None:
    write_tree(plugin, {".git/config": "mine"})
    before = tree_of(tmp_path)
    assert prowess("pack", plugin, "--out", tmp_path).status == 2
    assert tree_of(tmp_path) == before


def test_a_package_that_was_changed_by_hand_is_not_replaced(
    prowess: Run, plugin: Path, tmp_path: Path
) -> None:
    packed(prowess, plugin, tmp_path / "dist")
    write_tree(tmp_path / "dist" / "sample", {"skills/greet/SKILL.md": SKILL + "Bow.\n"})
    before = tree_of(tmp_path)
    assert prowess("pack", plugin, "--out", tmp_path / "dist").status == 2
    assert tree_of(tmp_path) == before


@pytest.mark.parametrize("name", ["a\\b.txt", "a\nb.txt", os.fsdecode(b"\xff.txt")])
def test_a_name_that_other_systems_cannot_have_is_refused(
    prowess: Run, plugin: Path, tmp_path: Path, name: str
) -> None:
    (plugin / name).write_text("x")
    assert prowess("pack", plugin, "--out", tmp_path / "dist").status == 1
    assert not (tmp_path / "dist").exists()


def test_a_directory_that_is_no_package_is_not_replaced(prowess: Run, plugin: Path, tmp_path: Path) -> None:
    write_tree(tmp_path / "dist" / "sample", {"mine.txt": "mine"})
    assert prowess("pack", plugin, "--out", tmp_path / "dist").status == 2
    assert tree_of(tmp_path / "dist") == {"sample/mine.txt": b"mine"}
