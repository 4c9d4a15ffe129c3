"""`prowess activate`: a skill as a model gets it, nothing started."""

from __future__ import annotations

from pathlib import Path

from tests.acceptance.packages import arrived, entry, plugin
from tests.commanding import Run


def test_the_text_is_wrapped_and_nothing_is_started(prowess: Run, tmp_path: Path) -> None:
    log = tmp_path / "log"
    root = plugin(tmp_path / "books", {"ledger": entry(log)})
    (root / "skills" / "greet" / "words.md").write_text("hello\n")
    ran = prowess("activate", root, "greet")
    assert ran.status == 0
    assert ran.out.startswith('<skill name="greet" directory="')
    assert "Say hello." in ran.out
    assert "words.md" in ran.out
    assert "running" not in ran.err
    assert arrived(log) == []


def test_json_holds_the_text_the_files_and_the_digest(prowess: Run, tmp_path: Path) -> None:
    root = plugin(tmp_path / "books", {})
    (root / "skills" / "greet" / "words.md").write_text("hello\n")
    found = prowess("activate", root, "greet", "--json").json
    assert set(found) == {"skill", "directory", "text", "files", "digest"}
    assert found["files"] == ["words.md"]


def test_skills_of_several_plugins_are_told_apart(prowess: Run, tmp_path: Path) -> None:
    plugin(tmp_path / "one", {}, name="one")
    plugin(tmp_path / "two", {}, name="two")
    config = tmp_path / "prowess.toml"
    config.write_text('[plugins]\na = "one"\nb = "two"\n')
    assert prowess("activate", config, "greet").status == 2
    ran = prowess("activate", config, "b/greet", "--json")
    assert (ran.status, ran.json["skill"]) == (0, "b/greet")
    assert ran.json["directory"] == str((tmp_path / "two" / "skills" / "greet").resolve())


def test_a_skill_that_is_not_there_is_status_two(prowess: Run, tmp_path: Path) -> None:
    ran = prowess("activate", plugin(tmp_path / "books", {}), "gret")
    assert ran.status == 2
    assert "greet" in ran.err
