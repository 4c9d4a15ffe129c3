from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from prowess.store.eras import MAX_ENTRIES, Eras


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state" / "eras.json"


def test_what_was_remembered_is_known_to_the_next_process(file: Path) -> None:
    Eras("plugin", file=str(file)).put("server", "legacy")
    assert Eras("plugin", file=str(file)).get("server") == "legacy"
    assert json.loads(file.read_text())["format"] == 1


def test_another_plugins_server_of_the_same_id_is_another_server(file: Path) -> None:
    Eras("one", file=str(file)).put("server", "legacy")
    assert Eras("two", file=str(file)).get("server") is None


def test_an_empty_era_forgets(file: Path) -> None:
    eras = Eras(file=str(file))
    eras.put("server", "legacy")
    eras.put("server", "")
    assert eras.get("server") is None
    assert json.loads(file.read_text())["eras"] == {}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not json",
        b"\xff\xfe",
        b"[]",
        b"null",
        b'{"format": "1"}',
        b'{"format": 1, "eras": []}',
        b"[" * 100_000,
        b'{"format": 1, "eras": {"#server": 3}}',
    ],
)
def test_a_damaged_file_counts_as_empty_and_is_replaced(content: bytes, file: Path) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    eras = Eras(file=str(file))
    assert eras.get("server") is None
    eras.put("server", "modern")
    assert eras.get("server") == "modern"


def test_a_newer_file_is_neither_read_nor_replaced(file: Path) -> None:
    file.parent.mkdir()
    file.write_text('{"format": 2, "eras": {"#server": "legacy"}}')
    eras = Eras(file=str(file))
    eras.put("server", "modern")
    assert eras.get("server") is None
    assert json.loads(file.read_text())["format"] == 2


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    eras = Eras(file=str(tmp_path / "file" / "eras.json"))
    eras.put("server", "modern")
    assert eras.get("server") is None


def test_the_oldest_facts_go_first(file: Path) -> None:
    file.parent.mkdir()
    file.write_text(json.dumps({"format": 1, "eras": {f"old{n}": "legacy" for n in range(MAX_ENTRIES)}}))
    eras = Eras(file=str(file))
    eras.put("new", "modern")
    assert eras.get("new") == "modern"
    kept = json.loads(file.read_text())["eras"]
    assert len(kept) == MAX_ENTRIES
    assert "old0" not in kept
    assert "old1" in kept


def test_nothing_but_the_file_is_left_in_the_folder(file: Path) -> None:
    eras = Eras(file=str(file))
    for number in range(5):
        eras.put(f"server{number}", "modern")
    assert not list(file.parent.glob(".eras-*"))


WRITER = """
import sys
from prowess.store.eras import Eras
eras = Eras(file=sys.argv[1])
for number in range(50):
    eras.put(f"{sys.argv[2]}{number % 5}", "modern" if number % 2 else "legacy")
    assert eras.get("no such") is None
"""


def test_two_processes_that_write_at_once_leave_a_whole_file(file: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(file), name], stderr=subprocess.PIPE)
        for name in "ab"
    ]
    for writer in writers:
        _, errors = writer.communicate(timeout=30)
        assert writer.returncode == 0, errors
    written = json.loads(file.read_text())["eras"]
    assert 5 <= len(written) <= 10, "the slower writer's facts are all there, the other's may be lost"
    assert not list(file.parent.glob(".eras-*"))
