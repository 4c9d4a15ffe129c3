"""What is said of packages in words: what they may do, what an update changes, what is installed."""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path

import pytest
from tests.install.conftest import Package, Run

SERVER: dict[str, object] = {"type": "stdio", "command": "python3", "args": ["-m", "books"]}


def test_before_a_package_is_installed_all_that_it_may_do_is_told(
    prowess: Run, package: Package, here: Path
) -> None:
    package.servers(books=SERVER)
    ran = prowess("add", package.root)
    assert ran.status == 1
    assert "sample 1.0.0" in ran.out
    assert "skill" in ran.out and "greet" in ran.out
    assert "python3" in ran.out
    assert "sha256:" in ran.out


def test_a_package_that_does_nothing_is_said_to(prowess: Run, package: Package, here: Path) -> None:
    shutil.rmtree(package.root / "skills")
    ran = prowess("add", package.root)
    assert "does nothing" in ran.out


def test_an_update_is_told_as_what_it_may_do_more_and_no_more(
    prowess: Run, add: Run, package: Package, here: Path
) -> None:
    package.write("notes.md", "old")
    assert add(package.root).status == 0
    assert "installed already" in prowess("add", package.root).out
    package.servers(books=SERVER)
    package.write("notes.md", "new")
    package.skill("part", when="leaves")
    shutil.rmtree(package.root / "skills" / "greet")
    ran = prowess("update", "sample")
    assert "it may do more:" in ran.out
    assert "and no more:" in ran.out
    for said in ("added: ", "removed: skills/greet/SKILL.md", "changed: notes.md"):
        assert said in ran.out


def test_an_update_that_may_do_nothing_more_is_said_to(
    prowess: Run, add: Run, package: Package, here: Path
) -> None:
    assert add(package.root).status == 0
    for number in range(30):
        package.write(f"docs/{number:02}.md", "text")
    ran = prowess("update", "sample")
    assert "nothing that it may not do now" in ran.out
    assert "and 10 more" in ran.out


def test_what_is_installed_is_listed_with_what_is_not_on_this_machine(
    prowess: Run, add: Run, package: Package, here: Path
) -> None:
    nothing = prowess("list")
    assert (nothing.status, nothing.out) == (0, "")
    assert "nothing is installed" in nothing.err
    assert add(package.root).status == 0
    (line,) = prowess("list").out.splitlines()
    assert line.startswith("sample  1.0.0  project  ")
    assert "prowess sync" not in line
    shutil.rmtree(here / ".prowess")
    (line,) = prowess("list").out.splitlines()
    assert "prowess sync" in line


def test_one_package_is_told_with_its_data_and_what_it_may_do(
    prowess: Run, add: Run, package: Package, here: Path
) -> None:
    assert add(package.root).status == 0
    data = Path(prowess("info", "sample", "--json").json["data"]["path"])
    data.mkdir(parents=True, exist_ok=True)
    (data / "kept.txt").write_text("12345")
    ran = prowess("info", "sample")
    assert ran.status == 0
    assert ran.out.startswith("sample 1.0.0 (project)\n")
    assert "(5 bytes)" in ran.out
    assert "none pinned" in ran.out
    assert "greet" in ran.out
    assert prowess("info", "other").status == 2


@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), ("no\n", 1)])
def test_at_a_terminal_a_word_installs_and_removes(
    answer: str, status: int, prowess: Run, package: Package, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Tty(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Tty(answer))
    monkeypatch.setattr(sys, "stderr", Tty())
    assert prowess("add", package.root).status == status
    assert (here / "prowess.lock").exists() is (status == 0)
