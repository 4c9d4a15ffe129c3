"""What goes into a package can come out of it everywhere, and nothing that stays out comes in by a link."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.author.conftest import PLUGIN_SCHEMA, TOKEN, write_tree
from tests.commanding import Run

from prowess.author import packing_files
from prowess.source.archive_bounds import Bounds

SKILL = "---\nname: greet\ndescription: Greets a guest by name. Use when somebody arrives.\n---\nSay hello.\n"


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    manifest = {"$schema": PLUGIN_SCHEMA, "name": "sample", "version": "1.0.0"}
    return write_tree(tmp_path / "sample", {"plugin.json": manifest, "skills/greet/SKILL.md": SKILL})


def refused(prowess: Run, plugin: Path) -> bool:
    out = plugin.parent / "dist"
    status = prowess("pack", plugin, "--out", out).status
    assert out.exists() is (status == 0)
    return status == 1


@pytest.mark.parametrize("target", [".env", ".git/config", "server.pem", "skills/greet/.hidden/notes"])
def test_a_link_to_what_stays_out_brings_it_in_no_other_way(prowess: Run, plugin: Path, target: str) -> None:
    write_tree(plugin, {target: "DB_PASSWORD=hunter2\n"})
    (plugin / "settings.txt").symlink_to(target)
    assert refused(prowess, plugin)


def test_a_link_by_way_of_another_link_is_judged_by_where_it_ends(prowess: Run, plugin: Path) -> None:
    write_tree(plugin, {".env": "DB_PASSWORD=hunter2\n"})
    (plugin / ".between").symlink_to(".env")
    (plugin / "settings.txt").symlink_to(".between")
    assert refused(prowess, plugin)


@pytest.mark.parametrize("name", ["aux.txt", "notes ", "notes.", "a:b", "what?", "bin/CON"])
def test_a_name_that_could_not_be_installed_is_not_packed(prowess: Run, plugin: Path, name: str) -> None:
    write_tree(plugin, {name: "x"})
    assert refused(prowess, plugin)


@pytest.mark.parametrize(
    "names",
    [("Readme.md", "README.md"), ("Bin/a", "bin/b"), ("caf\u00e9", "cafe\u0301"), ("stra\u00dfe", "STRASSE")],
)
def test_two_names_that_are_one_elsewhere_are_not_packed(
    prowess: Run, plugin: Path, names: tuple[str, str]
) -> None:
    write_tree(plugin, dict.fromkeys(names, "x"))
    if len({each.stat().st_ino for each in (plugin / name for name in names)}) < len(names):
        pytest.skip("this file system takes them for one")
    assert refused(prowess, plugin)


def test_no_file_takes_the_place_of_another(prowess: Run, plugin: Path) -> None:
    for folder in ("units", "dev.prowess/units"):
        metadata = {"name": "count_words", "description": "Counts."}
        write_tree(plugin / folder / "count_words", {"schema.json": metadata, "skill.py": "class C: ...\n"})
    assert refused(prowess, plugin)


def test_what_is_packed_is_never_more_than_can_be_installed() -> None:
    bounds = Bounds()
    assert bounds.file >= packing_files.LARGEST
    assert bounds.total >= packing_files.WHOLE
    assert bounds.files >= packing_files.MOST_FILES


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_secret_in_a_wide_encoding_is_one(prowess: Run, plugin: Path, encoding: str) -> None:
    write_tree(plugin, {"notes.txt": f"token\n{TOKEN}\n".encode(encoding)})
    assert refused(prowess, plugin)


def test_a_binary_file_is_packed(prowess: Run, plugin: Path) -> None:
    write_tree(plugin, {"picture.bin": bytes(range(256)) * 64})
    assert not refused(prowess, plugin)


def test_what_an_install_would_take_for_a_bomb_is_not_packed(prowess: Run, plugin: Path) -> None:
    write_tree(plugin, {"zeros.bin": bytes(Bounds().ratio_from + 1)})
    assert refused(prowess, plugin)


def test_many_files_that_are_dense_only_together_are_not_packed(prowess: Run, plugin: Path) -> None:
    write_tree(plugin, {f"zeros{number}.bin": bytes(1 << 20) for number in range(5)})
    assert refused(prowess, plugin)
