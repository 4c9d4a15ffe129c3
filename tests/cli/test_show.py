"""A skill's text and its files on the screen; files that the user names, read and written."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from prowess.cli import files
from prowess.cli.files import read_bounded, write_whole
from prowess.errors import Unreadable, UsageError


def test_a_body_is_shown_below_its_frontmatter(prowess: Any, package: Path) -> None:
    assert prowess("show", package, "greet").out == "Say hello.\n"
    shown = prowess("show", package, "greet", "--json").json
    assert shown == {"skill": "greet", "file": "skills/greet/SKILL.md", "text": "Say hello.\n"}


def test_files_are_listed_and_each_can_be_shown(prowess: Any, package: Path) -> None:
    (package / "skills" / "greet" / "notes").mkdir()
    (package / "skills" / "greet" / "notes" / "a.md").write_text("no end of line")
    listed = prowess("show", package, "greet", "--files")
    assert listed.out.splitlines() == ["SKILL.md", "notes/a.md"]
    assert prowess("show", package, "greet", "--files", "--json").json == {
        "skill": "greet",
        "files": ["SKILL.md", "notes/a.md"],
    }
    assert prowess("show", package, "greet", "notes/a.md").out == "no end of line\n"


def test_what_deceives_a_terminal_is_escaped_unless_the_bytes_are_asked_for(
    package: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (package / "skills" / "greet" / "evil.txt").write_bytes(b"a\x1b[31m\xe2\x80\xaeb\n")
    assert (
        prowess_bytes("show", package, "greet", "evil.txt", read=capfdbinary) == b"a\\u{1b}[31m\\u{202e}b\n"
    )
    raw = prowess_bytes("show", package, "greet", "evil.txt", "--raw", read=capfdbinary)
    assert raw == b"a\x1b[31m\xe2\x80\xaeb\n"


def prowess_bytes(*arguments: object, read: pytest.CaptureFixture[bytes]) -> bytes:
    """What a command line writes, as bytes."""
    from prowess.cli import main

    read.readouterr()
    assert main([str(each) for each in arguments]) == 0
    return read.readouterr().out


def test_a_file_that_is_no_text_says_how_to_have_its_bytes(prowess: Any, package: Path) -> None:
    (package / "skills" / "greet" / "logo.png").write_bytes(b"\x89PNG\xff")
    ran = prowess("show", package, "greet", "logo.png")
    assert ran.status == 2 and ran.out == "" and "--raw" in ran.err


def test_a_folder_of_skills_is_shown_without_a_manifest(prowess: Any, package: Path) -> None:
    ran = prowess("show", package / "skills", "greet")
    assert (ran.status, ran.out) == (0, "Say hello.\n")
    other = prowess("show", package / "skills", "other")
    assert other.status == 2 and "it has greet" in other.err


def test_a_skill_that_the_package_cannot_have_says_how_to_learn_why(prowess: Any, package: Path) -> None:
    (package / "skills" / "greet" / "SKILL.md").write_text("no frontmatter")
    ran = prowess("show", package, "greet")
    assert ran.status == 2 and "prowess check" in ran.err


# -- files that the user names ---------------------------------------------------------------------


def test_a_file_over_the_limit_is_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGEST", 10)
    (tmp_path / "big").write_bytes(b"x" * 11)
    with pytest.raises(Unreadable, match="larger"):
        read_bounded(str(tmp_path / "big"))
    (tmp_path / "big").write_bytes(b"x" * 10)
    assert read_bounded(str(tmp_path / "big")) == b"x" * 10


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="regular"):
        read_bounded(str(tmp_path / "pipe"))


def test_a_file_is_replaced_whole_and_keeps_its_mode_and_its_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_whole(str(link), b"new")
    assert link.is_symlink() and real.read_text() == "new" and real.stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(tmp_path)) == ["link", "real"]


def test_something_that_is_no_file_is_written_to_directly() -> None:
    write_whole("/dev/null", b"gone")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode), "a device is never replaced by a file"


def test_a_write_that_fails_leaves_the_old_file_and_no_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(old: str, new: str) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "file").write_text("old")
    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="No space"):
        write_whole(str(tmp_path / "file"), b"new")
    assert os.listdir(tmp_path) == ["file"] and (tmp_path / "file").read_text() == "old"


def test_a_snapshot_that_cannot_be_written_is_could_not_answer(prowess: Any, package: Path) -> None:
    (
        package / "mcp.json"
    ).write_text("""{"$schema": "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json",
        "mcpServers": {"never": {"type": "stdio", "command": "started"}}}""")
    for out in (package / "no" / "such" / "folder", package):
        ran = prowess("snapshot", package, "--no-connect", "--out", out)
        assert ran.status == 2 and "cannot be written" in ran.err
    ran = prowess("snapshot", package, "--out", package / "no" / "such" / "folder")
    assert ran.status == 2 and "never:" not in ran.err  # before anything is started
    out = package.parent / "frozen.json"
    assert prowess("snapshot", package, "--no-connect", "--out", out).status == 0
    assert json.loads(out.read_text())["plugin"]["name"] == "sample"
