"""The snapshot of fixtures: read, and replaced without touching the rest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.author.conftest import PLUGIN_SCHEMA, TOKEN, tree_of, write_tree
from tests.commanding import Run

from prowess.author.fixtures_snapshot import by_itself, read_frozen, replace_frozen
from prowess.capability.offer import Tool
from prowess.capability.snapshot import PluginEntry, ServerEntry, Snapshot
from prowess.errors import Unreadable, UsageError
from prowess.source.directory import DirectorySource

SKILL = "---\nname: greet\ndescription: Greets a guest by name. Use when somebody arrives.\n---\nSay hello.\n"
PLUGIN: dict[str, Any] = {
    "plugin.json": {"$schema": PLUGIN_SCHEMA, "name": "sample"},
    "skills/greet/SKILL.md": SKILL,
}


def offering(description: str = "Greets.", label: str = "good") -> Snapshot:
    """A snapshot with one server and one tool."""
    wire = {"name": "greet", "description": description, "inputSchema": {"type": "object"}}
    return Snapshot(
        plugin=PluginEntry(name="sample", version=None, spec="1.0.0"),
        servers=(ServerEntry(id=label, type="stdio", status="connected"),),
        tools=(Tool(server=label, wire=wire),),
    )


@pytest.fixture
def frozen(prowess: Run, tmp_path: Path) -> Path:
    root = write_tree(tmp_path / "sample", PLUGIN)
    assert prowess("fixtures", root).status == 0
    return root


def test_only_the_snapshot_and_its_digest_are_replaced(frozen: Path) -> None:
    before = tree_of(frozen)
    replace_frozen(DirectorySource(frozen), offering())
    after = tree_of(frozen)
    changed = [name for name in after if after[name] != before.get(name)]
    assert sorted(changed) == ["fixtures/index.json", "fixtures/snapshot.json"]
    assert read_frozen(DirectorySource(frozen)) == offering()


def test_a_secret_is_refused_and_nothing_is_written(frozen: Path) -> None:
    before = tree_of(frozen)
    with pytest.raises(UsageError):
        replace_frozen(DirectorySource(frozen), offering(f"Uses {TOKEN}."))
    assert tree_of(frozen) == before


def test_a_folder_in_its_place_is_an_error_of_ours_to_read_and_to_write(frozen: Path) -> None:
    file = frozen / "fixtures" / "snapshot.json"
    file.unlink()
    assert read_frozen(DirectorySource(frozen)) is None
    file.mkdir()
    with pytest.raises(Unreadable):
        read_frozen(DirectorySource(frozen))
    with pytest.raises(UsageError):
        replace_frozen(DirectorySource(frozen), offering())


def test_labels_of_a_host_are_taken_back() -> None:
    labelled = offering(label="sample/good")
    assert by_itself(labelled, {"sample/good": "good"}) == offering()
    assert by_itself(labelled, {}) is labelled
    assert json.loads(labelled.to_json())["tools"][0]["server"] == "sample/good"
