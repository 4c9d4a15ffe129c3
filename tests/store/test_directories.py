from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from prowess.store.directories import (
    cache_home,
    create_private,
    create_private_file,
    data_home,
    plugin_data,
    source_identity,
    state_home,
)


def test_the_usual_variables_move_data_state_and_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    assert data_home() == str(tmp_path / "DATA" / "prowess")
    assert state_home() == str(tmp_path / "STATE" / "prowess")
    assert cache_home() == str(tmp_path / "CACHE" / "prowess")


@pytest.mark.parametrize("value", ["", "relative/place", "."])
def test_an_empty_or_relative_variable_is_ignored(
    value: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", value)
    assert data_home() == str(tmp_path / ".local" / "share" / "prowess")


def test_macos_and_windows_have_homes_of_their_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("DATA", "STATE", "CACHE"):
        monkeypatch.delenv(f"XDG_{name}_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "Local"))
    monkeypatch.setattr("sys.platform", "darwin")
    assert data_home() == str(tmp_path / "Library" / "Application Support" / "prowess")
    assert cache_home() == str(tmp_path / "Library" / "Caches" / "prowess")
    monkeypatch.setattr("sys.platform", "win32")
    assert data_home() == str(tmp_path / "Local" / "prowess")
    assert cache_home() == str(tmp_path / "Local" / "prowess" / "Cache")


@pytest.mark.req("AP-9.1-1")
def test_two_plugins_of_one_name_have_data_of_their_own(tmp_path: Path) -> None:
    one = plugin_data("tools", source_identity(str(tmp_path / "a" / "tools")))
    two = plugin_data("tools", source_identity(str(tmp_path / "b" / "tools")))
    assert one != two
    assert os.path.isabs(one)
    assert os.path.dirname(one) == os.path.dirname(two)


@pytest.mark.req("AP-9.1-1")
def test_a_link_pointed_at_the_next_version_keeps_its_data(tmp_path: Path) -> None:
    for version in ("v1", "v2"):
        (tmp_path / version).mkdir()
    link = tmp_path / "current"
    link.symlink_to("v1")
    before = plugin_data("tools", source_identity(str(link)))
    link.unlink()
    link.symlink_to("v2")
    assert plugin_data("tools", source_identity(str(link))) == before


def test_the_same_directory_named_in_other_ways_is_the_same_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "real" / "pkg").mkdir(parents=True)
    (tmp_path / "alias").symlink_to("real")
    monkeypatch.chdir(tmp_path / "real" / "pkg")
    expected = source_identity(str(tmp_path / "real" / "pkg"))
    for path in (".", "../pkg", str(tmp_path / "alias" / "pkg"), str(tmp_path / "real" / "pkg") + "/"):
        assert source_identity(path) == expected, path


def test_a_source_name_that_is_no_text_still_has_an_identity(tmp_path: Path) -> None:
    assert plugin_data("tools", source_identity(str(tmp_path / os.fsdecode(b"\xff"))))


def test_created_folders_are_open_to_this_user_only(tmp_path: Path) -> None:
    made = create_private(str(tmp_path / "one" / "two"))
    assert made == str(tmp_path / "one" / "two")
    for path in (tmp_path / "one", tmp_path / "one" / "two"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700


def test_an_existing_folder_is_left_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    assert create_private(str(folder)) == str(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755


def test_a_file_in_the_way_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        create_private(str(tmp_path / "file" / "below"))


def test_a_private_file_is_made_once_and_left_alone_when_it_is_there(tmp_path: Path) -> None:
    made, link = tmp_path / "made", tmp_path / "link"
    link.symlink_to(made)
    create_private_file(str(link))
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    made.write_text("kept")
    create_private_file(str(link))
    assert made.read_text() == "kept"
