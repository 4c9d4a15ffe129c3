"""The memory source is the twin of a directory: the same questions get the same answers."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from prowess.source.directory import DirectorySource
from prowess.source.memory import Content, Link, MemorySource, Special
from prowess.spec import limits
from prowess.spec.questions import Failure

TREE: dict[str, Content] = {
    "plugin.json": "{}",
    "a/b/file": b"text",
    "a/up": Link(".."),
    "a/side": Link("../c"),
    "a/out": Link("../../elsewhere"),
    "a/absolute": Link("/nowhere/at/all"),
    "c/d/": "",
    "c/back": Link("../a/b"),
    "loop": Link("loop"),
    "ping": Link("pong"),
    "pong": Link("ping"),
    "dangling": Link("c/missing/deeper"),
    "dangling-out": Link("c/missing/../../.."),
    "pipe": Special("fifo"),
}
STEPS = [
    "a",
    "b",
    "c",
    "d",
    "up",
    "side",
    "out",
    "back",
    "file",
    "..",
    ".",
    "",
    "missing",
    "loop",
    "dangling",
    "pipe",
]


def on_disk(root: Path, files: dict[str, Content]) -> DirectorySource:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Link):
            path.symlink_to(content.target)
        elif isinstance(content, Special):
            os.mkfifo(path)
        elif name.endswith("/"):
            path.mkdir(parents=True)
        else:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return DirectorySource(root)


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> tuple[MemorySource, DirectorySource]:
    return MemorySource(TREE), on_disk(tmp_path_factory.mktemp("tree") / "root", TREE)


def reason(answer: object) -> object:
    return answer.reason if isinstance(answer, Failure) else answer


@given(st.lists(st.sampled_from(STEPS), max_size=6).map("/".join))
def test_both_sources_answer_alike(twins: tuple[MemorySource, DirectorySource], path: str) -> None:
    memory, disk = twins
    # What a step up means after something that is no directory is a matter of taste: nothing is there.
    assume(not {"", ".", ".."} & set(path.split("/")) or os.path.exists(f"{disk.root}/{path}"))
    assert memory.confined(path) == disk.confined(path)
    if memory.confined(path):
        assert memory.kind(path) == disk.kind(path)
        kind = memory.kind(path)
        if kind in ("file", "directory"):
            assert memory.read(path, 100) == disk.read(path, 100) or kind == "directory"
            assert reason(memory.list(path)) == reason(disk.list(path))
        else:
            assert isinstance(memory.read(path, 100), Failure)
            assert isinstance(disk.read(path, 100), Failure)
    else:
        assert reason(memory.read(path, 100)) == reason(disk.read(path, 100)) == "outside"
        assert reason(memory.list(path)) == reason(disk.list(path)) == "outside"
        assert memory.kind(path) == disk.kind(path) == "missing"


def test_both_sources_give_up_on_the_same_paths(tmp_path: Path) -> None:
    chain: dict[str, Content] = {
        f"link{number}": Link(f"link{number - 1}") for number in range(1, limits.LINK_HOPS + 2)
    }
    deep = "/".join("d" * limits.PATH_STEPS)
    files: dict[str, Content] = {"link0": "text", **chain, deep: "text"}
    memory, disk = MemorySource(files), on_disk(tmp_path / "root", files)
    for path, kind in {
        f"link{limits.LINK_HOPS}": "file",
        f"link{limits.LINK_HOPS + 1}": "missing",
        deep: "file",
        f"link1/../{deep}": "missing",
        f"{deep}/x": "missing",
    }.items():
        assert (path, memory.kind(path), disk.kind(path)) == (path, kind, kind)
        assert memory.confined(path) and disk.confined(path)
    away = f"{deep}/x" + "/.." * (limits.PATH_STEPS + 2)
    assert not memory.confined(away) and not disk.confined(away)


def test_a_file_is_no_directory_for_another() -> None:
    with pytest.raises(ValueError, match="no directory"):
        MemorySource({"a": "x", "a/b": "y"})


def test_a_limit_is_kept() -> None:
    source = MemorySource({"a": "four"})
    assert source.read("a", 4) == b"four"
    assert reason(source.read("a", 3)) == "too-large"
