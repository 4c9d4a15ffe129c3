"""`prowess skills` and `prowess activate` with skills that a real server serves over stdio."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.packages import plugin
from tests.cli.conftest import prowess
from tests.commanding import Run
from tests.skills_mcp.packaging import Packages, skill_text

__all__ = ["prowess"]

SERVER = Path(__file__).parent / "servers" / "skills_stdio.py"


@pytest.fixture
def served(tmp_path: Path) -> Path:
    """The folder of what the server serves: one skill with one more file."""
    folder = tmp_path / "served"
    (folder / "pdf").mkdir(parents=True)
    (folder / "pdf" / "SKILL.md").write_text(skill_text("pdf", body="Use the forms.\n"))
    (folder / "pdf" / "forms.md").write_text("the forms")
    return folder


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "asked"


@pytest.fixture
def place(packages: Packages, served: Path, log: Path) -> Path:
    server = {
        "type": "stdio",
        "command": Path(sys.executable).name,
        "args": ["-S", str(SERVER), str(served)],
        "env": {"SKILLS_LOG": str(log)},
    }
    return plugin(packages.folder / "books", {"docs": server})


def listed(prowess: Run, place: Path) -> dict[str, Any]:
    (skill,) = [each for each in prowess("skills", place, "--json").json if "server" in each]
    found: dict[str, Any] = skill
    return found


def test_skills_of_plugins_and_servers_are_listed_with_whose_they_are(
    prowess: Run, place: Path, log: Path
) -> None:
    ran = prowess("skills", place)
    assert ran.status == 0
    assert "greet  (plugin sample)" in ran.out
    assert "docs:pdf  (server docs, not approved)" in ran.out
    assert "resources/read" not in log.read_text()


def test_a_skill_is_approved_by_its_digest_and_activated_until_it_changes(
    prowess: Run, place: Path, served: Path, log: Path
) -> None:
    refused = prowess("activate", place, "docs:pdf")
    assert (refused.status, refused.out) == (1, "") and "skill-unapproved" in refused.err
    shown = listed(prowess, place)
    assert not shown["approved"]
    assert prowess("skills", place, "--approve", "docs:pdf", "--yes", "sha256:00").status == 1
    assert not listed(prowess, place)["approved"]
    assert prowess("skills", place, "--approve", "docs:pdf", "--yes", shown["digest"]).status == 0
    assert listed(prowess, place)["approved"]
    assert "resources/read" not in log.read_text()

    active = prowess("activate", place, "docs:pdf", "--json")
    assert active.status == 0
    assert (active.json["skill"], active.json["server"], active.json["files"]) == (
        "docs:pdf",
        "docs",
        ["forms.md"],
    )
    assert "Use the forms." in active.json["text"]

    (served / "pdf" / "forms.md").write_text("other forms")
    again = prowess("activate", place, "docs:pdf")
    assert again.status == 1 and "skill-unapproved" in again.err


def test_a_question_that_nobody_answered_is_answered_by_another_command(prowess: Run, place: Path) -> None:
    assert prowess("activate", place, "docs:pdf").status == 1
    (waiting,) = prowess("approvals", "list", "--json").json["waiting"]
    assert waiting["tool"] == "docs:pdf"
    assert prowess("approvals", "approve", "--yes", waiting["digest"]).status == 0
    ran = prowess("activate", place, "docs:pdf")
    assert ran.status == 0 and 'server="docs"' in ran.out


def test_a_skill_or_server_that_is_not_there_is_status_two(prowess: Run, place: Path) -> None:
    assert prowess("activate", place, "docs:none").status == 2
    assert prowess("activate", place, "none:pdf").status == 2
    assert prowess("skills", place, "--approve", "docs:none").status == 2
