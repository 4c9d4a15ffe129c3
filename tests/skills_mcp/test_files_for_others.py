"""Which files of a skill are given away: those that really lie in its directory and hide nowhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.skills_mcp.packaging import Packages

from prowess.source.directory import DirectorySource
from prowess.source.skill_files import DEEPEST, read_for_others, walk
from prowess.spec.model import Skill
from prowess.spec.questions import Failure

SKILL = Skill(name="pdf", description="d", path="skills/pdf/SKILL.md")


@pytest.fixture
def root(packages: Packages) -> Path:
    return packages.package("books", {"pdf": {"a/b.md": "b", "c.bin": b"\xff"}, "other": {"o.md": "o"}})


def given_away(root: Path) -> list[str]:
    return list(walk(DirectorySource(root), SKILL, 512).files)


def read(root: Path, path: str) -> bytes | Failure:
    return read_for_others(DirectorySource(root), SKILL, path, 1_000)


def test_regular_files_at_every_depth_are_found_in_order(root: Path) -> None:
    tree = walk(DirectorySource(root), SKILL, 512)
    assert list(tree.files) == ["SKILL.md", "a/b.md", "c.bin"]
    assert tree.directories == ("", "a")
    assert read(root, "a/b.md") == b"b"


@pytest.mark.parametrize("hidden", [".env", "a/.git/config", ".hidden/x.md"])
def test_hidden_files_are_left_out_and_not_read(root: Path, hidden: str) -> None:
    file = root / "skills" / "pdf" / hidden
    file.parent.mkdir(exist_ok=True)
    file.write_text("secret")
    assert given_away(root) == ["SKILL.md", "a/b.md", "c.bin"]
    assert isinstance(read(root, hidden), Failure)


@pytest.mark.parametrize("target", ["../other/o.md", "../../plugin.json", "/etc/hostname", ".env", "missing"])
def test_a_link_that_leads_out_or_to_a_hidden_file_is_left_out(root: Path, target: str) -> None:
    folder = root / "skills" / "pdf"
    (folder / ".env").write_text("secret")
    (folder / "way.md").symlink_to(target)
    assert "way.md" not in given_away(root)
    assert isinstance(read(root, "way.md"), Failure)
    assert any("way.md" in note for note in walk(DirectorySource(root), SKILL, 512).left_out)


def test_a_link_inside_the_skill_is_a_file(root: Path) -> None:
    (root / "skills" / "pdf" / "same.md").symlink_to("a/b.md")
    assert "same.md" in given_away(root)
    assert read(root, "same.md") == b"b"


def test_a_directory_behind_a_link_is_not_walked(root: Path) -> None:
    (root / "skills" / "pdf" / "more").symlink_to("../other")
    assert given_away(root) == ["SKILL.md", "a/b.md", "c.bin"]
    assert isinstance(read(root, "more/o.md"), Failure)


def test_a_pipe_is_no_file_and_is_not_waited_for(root: Path) -> None:
    os.mkfifo(root / "skills" / "pdf" / "pipe")
    assert "pipe" not in given_away(root)
    assert isinstance(read(root, "pipe"), Failure)


@pytest.mark.parametrize("path", ["../other/o.md", "../../plugin.json", "a/../../other/o.md", "a", "gone.md"])
def test_a_path_that_is_no_file_of_the_skill_is_not_read(root: Path, path: str) -> None:
    assert isinstance(read(root, path), Failure)


def test_a_name_that_is_no_text_is_left_out(root: Path) -> None:
    folder = os.fsencode(root / "skills" / "pdf")
    with open(os.path.join(folder, b"\xff.md"), "wb"):
        pass
    assert given_away(root) == ["SKILL.md", "a/b.md", "c.bin"]


def test_the_walk_ends_where_there_are_too_many(root: Path) -> None:
    assert not walk(DirectorySource(root), SKILL, 2).complete


def test_the_walk_ends_where_it_is_too_deep(root: Path) -> None:
    deep = root / "skills" / "pdf" / "/".join(["d"] * (DEEPEST + 5))
    deep.mkdir(parents=True)
    (deep / "x.md").write_text("x")
    assert given_away(root) == ["SKILL.md", "a/b.md", "c.bin"]


def test_a_skill_that_is_gone_has_no_files(root: Path) -> None:
    gone = Skill(name="gone", description="d", path="skills/gone/SKILL.md")
    assert not walk(DirectorySource(root), gone, 512).files


def test_a_change_gives_another_stamp(root: Path) -> None:
    before = walk(DirectorySource(root), SKILL, 512).files["a/b.md"]
    file = root / "skills" / "pdf" / "a" / "b.md"
    file.write_text("c")
    os.utime(file, ns=(1, 1))
    assert walk(DirectorySource(root), SKILL, 512).files["a/b.md"] != before
