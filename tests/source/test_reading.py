"""Bodies and files of a skill, read on demand and kept inside."""

from __future__ import annotations

import pytest
from tests.spec.packages import SKILL, package, skill

from prowess.errors import AccessDenied, NotFound, Unreadable
from prowess.source.judging import judge
from prowess.source.memory import Content, Link, MemorySource, Special
from prowess.source.reading import list_files, read_body, read_file
from prowess.spec import limits
from prowess.spec.model import Skill

FILES: dict[str, Content] = {
    "skills/count-lines/SKILL.md": skill("count-lines"),
    "skills/count-lines/references/more.md": "More.",
    "skills/count-lines/shared": Link("../../shared.md"),
    "skills/count-lines/folder": Link("../../data"),
    "skills/count-lines/out.md": Link("../../../out.md"),
    "skills/count-lines/pipe": Special("fifo"),
    "skills/count-lines/locked": Special("locked"),
    "skills/count-lines/empty/": "",
    "shared.md": "Shared.",
    "data/inner.md": "Inner.",
    "secret.md": "Not of the skill.",
}


@pytest.fixture
def source() -> MemorySource:
    return package(FILES)


@pytest.fixture
def counting(source: MemorySource) -> Skill:
    plugin = judge(source).plugin
    assert plugin is not None
    return plugin.skills[0]


def test_the_body_is_what_follows_the_frontmatter(source: MemorySource, counting: Skill) -> None:
    assert read_body(source, counting).strip() == SKILL.rpartition("---\n")[2].strip()


def test_files_of_the_skill_are_read(source: MemorySource, counting: Skill) -> None:
    assert read_file(source, counting, "references/more.md") == b"More."
    assert read_file(source, counting, "./references/../references/more.md") == b"More."


@pytest.mark.req("AP-4.1-2")
def test_a_link_to_elsewhere_in_the_plugin_is_followed(source: MemorySource, counting: Skill) -> None:
    assert read_file(source, counting, "shared") == b"Shared."
    assert read_file(source, counting, "folder/inner.md") == b"Inner."


@pytest.mark.req("AP-4.1-9")
@pytest.mark.parametrize(
    "path", ["out.md", "../../../x", "../../secret.md", "/etc/passwd", "..", "references/../../x", "..\\x"]
)
def test_a_path_that_leads_out_is_denied(source: MemorySource, counting: Skill, path: str) -> None:
    with pytest.raises(AccessDenied):
        read_file(source, counting, path)


@pytest.mark.parametrize("path", ["missing.md", "references", "pipe", "", "references/more.md/x"])
def test_what_is_no_file_is_not_found(source: MemorySource, counting: Skill, path: str) -> None:
    with pytest.raises(NotFound):
        read_file(source, counting, path)


def test_what_cannot_be_read_says_so(
    source: MemorySource, counting: Skill, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Unreadable):
        read_file(source, counting, "locked")
    monkeypatch.setattr(limits, "FILE_BYTES", 3)
    with pytest.raises(Unreadable):
        read_file(source, counting, "references/more.md")


@pytest.mark.req("AP-4.1-9")
def test_files_are_listed_sorted_and_what_is_outside_is_not_among_them(
    source: MemorySource, counting: Skill
) -> None:
    assert list_files(source, counting) == ("SKILL.md", "locked", "references/more.md", "shared")


def test_a_listing_is_bounded(source: MemorySource, counting: Skill, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "DIRECTORY_ENTRIES", 2)
    with pytest.raises(Unreadable):
        list_files(source, counting)
