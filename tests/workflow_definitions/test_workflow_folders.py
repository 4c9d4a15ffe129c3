"""The workflows of a folder, from memory and from a disk."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from prowess.source.directory import DirectorySource
from prowess.source.memory import MemorySource
from prowess.workflow.finding import read_folder
from prowess.workflow.located import LARGEST

ONE = b"name: one\nsteps: [{skill: a}]"
TWO = b"name: two\nsteps: [{skill: a}]"


def test_every_yaml_file_of_the_folder_is_a_workflow() -> None:
    source = MemorySource(
        {
            "workflows/b.yaml": ONE,
            "workflows/a.yml": TWO,
            "workflows/.hidden.yaml": b"x",
            "workflows/notes.md": b"x",
            "other.yaml": b"x",
        }
    )
    found = read_folder(source)
    assert [(each.name, each.file) for each in found.workflows] == [
        ("two", "workflows/a.yml"),
        ("one", "workflows/b.yaml"),
    ]
    assert found.diagnostics == ()


def test_a_project_without_the_folder_has_no_workflows() -> None:
    assert read_folder(MemorySource({"plugin.json": b"{}"})).workflows == ()


def test_a_file_that_is_wrong_leaves_the_others() -> None:
    found = read_folder(MemorySource({"workflows/a.yaml": b"name: [", "workflows/b.yaml": ONE}))
    assert [each.name for each in found.workflows] == ["one"]
    assert [(each.rule, each.place.file) for each in found.diagnostics] == [
        ("workflow-yaml", "workflows/a.yaml")
    ]


def test_two_files_with_one_name_and_version_are_both_left_out() -> None:
    files = {"w/a.yaml": ONE, "w/b.yaml": ONE, "w/c.yaml": b"version: 2.0.0\n" + ONE, "w/d.yaml": TWO}
    found = read_folder(MemorySource(files), "w")
    assert [each.title for each in found.workflows] == ["one@2.0.0", "two@1.0.0"]
    assert [(each.rule, str(each.place)) for each in found.diagnostics] == [
        ("workflow-duplicate", "w/a.yaml:1"),
        ("workflow-duplicate", "w/b.yaml:1"),
    ]


def test_a_file_that_cannot_be_read_is_told() -> None:
    files = {"workflows/a.yaml": b"#" * (LARGEST + 1), "workflows/b.yaml/c": b""}
    found = read_folder(MemorySource(files))
    assert [each.rule for each in found.diagnostics] == ["workflow-unreadable"] * 2


def test_a_file_where_the_folder_should_be_is_told() -> None:
    assert [each.rule for each in read_folder(MemorySource({"workflows": b""})).diagnostics] == [
        "workflow-unreadable"
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_links_that_lead_out_and_pipes_are_not_read(tmp_path: Path) -> None:
    folder = tmp_path / "project" / "workflows"
    folder.mkdir(parents=True)
    (tmp_path / "outside.yaml").write_bytes(ONE)
    (folder / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    os.mkfifo(folder / "pipe.yaml")
    (folder / "good.yaml").write_bytes(TWO)
    found = read_folder(DirectorySource(str(tmp_path / "project")))
    assert [each.name for each in found.workflows] == ["two"]
    assert [(each.rule, each.place.file) for each in found.diagnostics] == [
        ("workflow-unreadable", "workflows/link.yaml"),
        ("workflow-unreadable", "workflows/pipe.yaml"),
    ]
