"""A skill is written whole or not at all, and what was agreed to is kept."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.importing.conftest import below

from prowess.author.importing_places import local_places, place_of
from prowess.author.importing_writing import (
    Approval,
    put_back,
    read_skill,
    remember,
    remembered,
    write_skill,
)
from prowess.errors import StoreFailed, UsageError

ONE = {"SKILL.md": b"one\n", "references/a.md": b"a\n"}
TWO = {"SKILL.md": b"two\n"}


def test_a_skill_is_written_and_replaced_as_a_whole(tmp_path: Path) -> None:
    place = tmp_path / "skills" / "x"
    write_skill(str(place), ONE)
    assert read_skill(str(place)) == ONE
    write_skill(str(place), TWO)
    assert read_skill(str(place)) == TWO
    assert below(place.parent) == ["x", "x/SKILL.md"]


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "x"
    write_skill(str(place), ONE)
    rename = os.rename

    def failing(source: str, target: str) -> None:
        if ".prowess-new-" in os.path.basename(source):
            raise OSError(28, "No space left on device")
        rename(source, target)

    monkeypatch.setattr("prowess.author.importing_writing.os.rename", failing)
    with pytest.raises(StoreFailed):
        write_skill(str(place), TWO)
    assert read_skill(str(place)) == ONE
    assert sorted(each.name for each in tmp_path.iterdir()) == ["x"]


def test_a_link_in_the_place_is_replaced_and_what_it_leads_to_is_left(tmp_path: Path) -> None:
    write_skill(str(tmp_path / "shared"), ONE)
    (tmp_path / "x").symlink_to("shared")
    write_skill(str(tmp_path / "x"), TWO)
    assert read_skill(str(tmp_path / "shared")) == ONE
    assert read_skill(str(tmp_path / "x")) == TWO
    assert sorted(each.name for each in tmp_path.iterdir()) == ["shared", "x"]


def test_an_interrupted_write_is_put_right_by_the_next_look(tmp_path: Path) -> None:
    place = tmp_path / "x"
    write_skill(str(place), ONE)
    place.rename(tmp_path / ".prowess-old-x")
    put_back(str(place))
    assert read_skill(str(place)) == ONE


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreFailed):
        write_skill(str(tmp_path / "file" / "x"), ONE)


def test_what_was_agreed_to_is_remembered_by_directory(tmp_path: Path) -> None:
    remember(str(tmp_path / "x"), Approval(digest="sha256:1", files=ONE))
    assert remembered(str(tmp_path / "x")) == Approval(digest="sha256:1", files=ONE)
    assert remembered(str(tmp_path / "y")) is None


def test_places_and_their_order(here: Path) -> None:
    assert [each.name for each in local_places()] == ["project", "project", "personal", "personal"]
    assert place_of("project").skill("x") == str(here / ".agents" / "skills" / "x")
    assert place_of("personal", "claude").folder == str(Path(os.environ["HOME"]) / ".claude" / "skills")
    with pytest.raises(UsageError):
        place_of(str(here))


def test_at_home_the_project_s_place_is_one_s_own_and_counts_once(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(here))
    assert len(local_places()) == 2


def test_a_path_inside_is_named_relative_and_found_again(here: Path) -> None:
    place = place_of("project")
    (here / "pkg").mkdir()
    assert place.relative(str(here / "pkg")) == "pkg"
    assert place.absolute("pkg") == str(here / "pkg")
    outside = place.relative(str(here.parent))
    assert os.path.isabs(outside)
