"""Where components are found, in which order, and what stays apart when one of them fails."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.spec.packages import (
    SCHEMA,
    Recording,
    judged,
    loaded,
    manifest,
    mcp,
    only,
    package,
    rules,
    skill,
    stdio,
)

from prowess.source.judging import judge
from prowess.source.memory import Content, Link, MemorySource, Special
from prowess.spec import limits
from prowess.spec.diagnostics import Reach
from prowess.spec.model import Judgement

SKILL = {"skills/count-lines/SKILL.md": skill("count-lines")}
MCP = {"mcp.json": mcp({"good": stdio()})}


def judged_files(files: Mapping[str, Content]) -> Judgement:
    return judge(MemorySource(files))


@pytest.mark.req("AP-4.1-1", "AP-11-1")
def test_a_directory_without_plugin_json_is_a_rejected_plugin() -> None:
    found = judged_files({**SKILL, **MCP})
    assert found.plugin is None
    assert rules(found) == ["package-no-manifest"]


@pytest.mark.req("AP-5.1-1")
@pytest.mark.parametrize("place", [".claude-plugin/plugin.json", ".plugin/plugin.json", "Plugin.json"])
def test_no_other_file_replaces_the_manifest(place: str) -> None:
    found = judged_files({place: manifest(), **SKILL})
    assert found.plugin is None
    assert place.rpartition("/")[0] in only(found, "package-no-manifest").hint


@pytest.mark.req("AP-5.1-1")
def test_no_other_file_supplements_the_manifest() -> None:
    found = judged({".claude-plugin/plugin.json": manifest(name="other", version="9.9.9"), **SKILL})
    assert found.plugin is not None
    assert (found.plugin.manifest.name, found.plugin.manifest.version) == ("sample", None)


@pytest.mark.req("AP-5.1-2", "AP-5.2-3")
@pytest.mark.parametrize("text", [manifest(name="BAD"), "{", manifest(**{"$schema": "x"})])
def test_after_a_fatal_manifest_nothing_is_discovered(text: str) -> None:
    source = Recording(MemorySource({"plugin.json": text, **SKILL, **MCP}))
    assert judge(source).plugin is None
    assert source.asked == [("list", ""), ("read", "plugin.json")]


@pytest.mark.req("AP-5.1-2")
def test_the_manifest_is_read_before_any_component() -> None:
    source = Recording(package({**SKILL, **MCP}))
    judge(source)
    reads = [path for verb, path in source.asked if verb == "read"]
    assert reads == ["plugin.json", "skills/count-lines/SKILL.md", "mcp.json"]


@pytest.mark.req("AP-4.1-5", "AP-4.1-2")
def test_a_manifest_outside_the_root_rejects_and_is_never_read() -> None:
    source = Recording(MemorySource({"plugin.json": Link("../plugin.json"), **SKILL}))
    assert rules(judge(source)) == ["manifest-outside"]
    assert "read" not in dict(source.asked)


@pytest.mark.parametrize(
    "content",
    [
        Special("fifo"),
        Special("locked"),
        Link("missing.json"),
        Link("plugin.json"),
        " " * (limits.JSON_BYTES + 1),
    ],
)
def test_a_manifest_that_cannot_be_read_rejects(content: Content) -> None:
    assert rules(judged_files({"plugin.json": content, **SKILL})) == ["manifest-unreadable"]


@pytest.mark.req("AP-4.1-2")
def test_links_inside_the_root_are_followed() -> None:
    found = judged_files(
        {
            "plugin.json": Link("meta/plugin.json"),
            "meta/plugin.json": manifest(),
            "skills": Link("./real"),
            "real/count-lines": Link("../store/v2"),
            "store/v2/SKILL.md": Link("../text.md"),
            "store/text.md": skill("count-lines"),
            "mcp.json": Link("meta/../meta/mcp.json"),
            "meta/mcp.json": mcp({"good": stdio()}),
        }
    )
    assert loaded(found) == (["count-lines"], ["good"])
    assert rules(found) == []


@pytest.mark.req("AP-4.1-6")
def test_a_component_location_outside_disables_that_type_alone() -> None:
    found = judged({"skills": Link("../skills"), **MCP})
    assert loaded(found) == ([], ["good"])
    assert only(found, "skills-outside").reach is Reach.COMPONENT
    found = judged({"mcp.json": Link("/etc/mcp.json"), **SKILL})
    assert loaded(found) == (["count-lines"], [])
    assert only(found, "mcp-outside").reach is Reach.COMPONENT


@pytest.mark.req("AP-6.2-1")
def test_absent_locations_are_no_error() -> None:
    assert rules(judged({})) == []
    assert rules(judged({"skills/": ""})) == []


@pytest.mark.req("AP-6.2-2", "AP-11-2")
@pytest.mark.parametrize("content", ["a file", Special("fifo"), Link("missing"), Link("skills")])
def test_a_skills_location_of_the_wrong_kind_disables_skills_alone(content: Content) -> None:
    found = judged({"skills": content, **MCP})
    assert loaded(found) == ([], ["good"])
    assert [each.subject for each in found.skipped] == ["skills"]
    assert rules(found) == ["skills-unreadable"]


@pytest.mark.req("AP-6.2-2", "AP-11-2")
@pytest.mark.parametrize("content", [Special("fifo"), Special("locked"), Link("missing"), Link("skills")])
def test_an_mcp_location_of_the_wrong_kind_disables_mcp_alone(content: Content) -> None:
    found = judged({"mcp.json": content, **SKILL})
    assert loaded(found) == (["count-lines"], [])
    assert [each.subject for each in found.skipped] == ["mcp.json"]
    assert rules(found) == ["mcp-unreadable"]


@pytest.mark.req("AP-6.2-2")
def test_mcp_json_as_a_directory_disables_mcp_alone() -> None:
    found = judged({"mcp.json/inner": "x", **SKILL})
    assert loaded(found) == (["count-lines"], [])
    assert rules(found) == ["mcp-unreadable"]


@pytest.mark.req("AP-6.1-1", "AP-7.2-1")
def test_components_elsewhere_are_not_found() -> None:
    elsewhere = {
        "SKILL.md": skill("root"),
        ".mcp.json": mcp({"other": stdio()}),
        ".claude-plugin/mcp.json": mcp({"other": stdio()}),
        "Skills/a/SKILL.md": skill("a"),
        "skill/a/SKILL.md": skill("a"),
        ".agents/skills/a/SKILL.md": skill("a"),
    }
    found = judged(elsewhere)
    assert loaded(found) == ([], [])
    assert [(each.rule, each.place.file) for each in found.diagnostics] == [
        ("skill-misplaced", "SKILL.md"),
        ("skill-misplaced", "Skills"),
        ("skill-misplaced", "skill"),
        ("mcp-elsewhere", ".mcp.json"),
    ]
    assert all(each.hint for each in found.diagnostics)
    assert rules(judged({**elsewhere, **MCP, **SKILL})) == []


@pytest.mark.parametrize("target", ["../nowhere", "a", "../skills/a"])
def test_a_link_that_leads_to_nothing_is_told_and_is_no_skill(target: str) -> None:
    found = judged({"skills/a": Link(target), **SKILL})
    assert loaded(found)[0] == ["count-lines"]
    assert [(each.rule, each.place.file) for each in found.diagnostics] == [("skill-not-file", "skills/a")]


def test_a_file_in_place_of_a_skill_is_told_where_no_skill_is_found() -> None:
    flat = {"skills/report.md": skill("report"), "skills/README.md": "x", "skills/notes.txt": "x"}
    found = judged(flat)
    assert only(found, "skill-misplaced").place.file == "skills/report.md"
    assert rules(judged({**flat, **SKILL})) == []
    assert rules(judged({"skills/README.md": "x", "skills/md": "x", "skills/dir.md/": ""})) == []


@pytest.mark.req("AP-7-1", "AP-8.2-1", "AP-8.1-2")
def test_whatever_is_no_skill_and_no_server_is_not_looked_at() -> None:
    others: dict[str, Content] = {
        "agents/helper.md": "x",
        "hooks/hooks.json": "{",
        "com.example.client/hooks/hooks.json": "{",
        "commands": Link("../outside"),
    }
    source = Recording(package({**others, **SKILL, **MCP}, extensions={"com.example.client": {}}))
    found = judge(source)
    assert loaded(found) == (["count-lines"], ["good"])
    assert rules(found) == []
    tops = {path.partition("/")[0] for _, path in source.asked}
    assert tops == {"", "plugin.json", "skills", "mcp.json"}


@pytest.mark.req("AP-7.1-1")
def test_each_direct_child_with_a_skill_md_is_one_skill_and_no_deeper() -> None:
    found = judged(
        {
            "skills/b/SKILL.md": skill("b"),
            "skills/a/SKILL.md": skill("a"),
            "skills/a/deeper/SKILL.md": skill("deeper"),
            "skills/a/node_modules/x/SKILL.md": skill("x"),
            "skills/empty/": "",
            "skills/notes.md": "x",
            "skills/docs/more.md": "x",
        }
    )
    assert loaded(found)[0] == ["a", "b"]
    assert rules(found) == []


@pytest.mark.req("AP-7.1-1")
@pytest.mark.parametrize("name", ["skill.md", "Skill.md", "SKILL.MD", "SKILL.md.txt", "SKILL.md "])
def test_a_file_of_another_name_is_no_skill(name: str) -> None:
    found = judged({f"skills/a/{name}": skill("a"), **SKILL})
    assert loaded(found)[0] == ["count-lines"]
    assert rules(found) == (["skill-file-case"] if name.lower() == "skill.md" else [])


@pytest.mark.req("AP-7.1-1")
@pytest.mark.parametrize("content", [Special("fifo"), Link("missing.md"), Link("SKILL.md"), Link(".")])
def test_a_skill_md_that_is_no_file_is_no_skill(content: Content) -> None:
    found = judged({"skills/a/SKILL.md": content, **SKILL})
    assert loaded(found)[0] == ["count-lines"]
    assert rules(found) == ["skill-not-file"]


@pytest.mark.parametrize("place", ["skills/SKILL.md", "skills/group/count-lines/SKILL.md"])
def test_a_skill_md_one_level_off_is_told(place: str) -> None:
    found = judged({place: skill("count-lines")})
    assert loaded(found)[0] == []
    assert only(found, "skill-misplaced").place.file == place


@pytest.mark.req("AP-4.1-7", "AP-4.1-2", "AP-11-2")
@pytest.mark.parametrize(
    "files",
    [
        {"skills/a/SKILL.md": Link("../../../SKILL.md")},
        {"skills/a": Link("../../a")},
        {"skills/a": Link("/a")},
        {"skills/a/SKILL.md": Link("up/SKILL.md"), "skills/a/up": Link("../../../x")},
    ],
)
def test_a_skill_outside_the_root_is_skipped_alone(files: Mapping[str, Content]) -> None:
    found = judged({**files, **SKILL, **MCP})
    assert loaded(found) == (["count-lines"], ["good"])
    assert only(found, "skill-outside").subject == "skills/a"


@pytest.mark.req("AP-11-2")
@pytest.mark.parametrize("content", [Special("locked"), " " * (limits.SKILL_BYTES + 1)])
def test_a_skill_that_cannot_be_read_is_skipped_alone(content: Content) -> None:
    found = judged({"skills/a/SKILL.md": content, **SKILL, **MCP})
    assert loaded(found) == (["count-lines"], ["good"])
    assert only(found, "skill-unreadable").subject == "skills/a"


@pytest.mark.req("AP-11-2")
def test_faults_of_every_width_stay_apart() -> None:
    found = judged(
        {
            "skills/bad/SKILL.md": "no frontmatter",
            "skills/out": Link("../../out"),
            **SKILL,
            "mcp.json": mcp({"bad": {}, "good": stdio(), "worse": None}),
        },
        unknown=1,
    )
    assert loaded(found) == (["count-lines"], ["good"])
    assert [each.subject for each in found.skipped] == [
        "mcp.json#bad",
        "mcp.json#worse",
        "skills/bad",
        "skills/out",
    ]
    assert found.reported == ("unknown",)
    assert all(each.section for each in found.diagnostics)


def test_names_that_are_one_after_normalisation_load_once() -> None:
    found = judged({"skills/file/SKILL.md": skill("file"), "skills/\ufb01le/SKILL.md": skill("file")})
    assert loaded(found)[0] == ["file"]
    assert found.strict_skills == 1
    assert only(found, "skill-duplicate").subject == "skills/\ufb01le"


@pytest.mark.parametrize(("valid", "borrowed"), [("b", "a"), ("a", "b")])
def test_no_skill_that_only_lenience_loads_takes_the_name_of_a_valid_one(valid: str, borrowed: str) -> None:
    files = {f"skills/{valid}/SKILL.md": skill(valid), f"skills/{borrowed}/SKILL.md": skill(valid)}
    found = judge(package(files), profile="lenient")
    assert found.plugin is not None
    assert [each.path for each in found.plugin.skills] == [f"skills/{valid}/SKILL.md"]
    assert only(found, "skill-duplicate").subject == f"skills/{borrowed}"
    assert found.strict_skills == 1


def test_a_directory_name_that_is_no_text_is_skipped() -> None:
    found = judged({"skills/\udcff/SKILL.md": skill("a")})
    assert rules(found) == ["skill-unreadable"]


def test_only_metadata_of_a_skill_is_kept() -> None:
    plugin = judged(SKILL).plugin
    assert plugin is not None
    assert (plugin.skills[0].loaded, plugin.skills[0].path) == ("metadata", "skills/count-lines/SKILL.md")


def test_a_judgement_counts_what_the_letter_loads() -> None:
    found = judged({**SKILL, "skills/bad/SKILL.md": "x"})
    assert (found.strict_skills, found.profile) == (1, "spec")


def test_a_minimal_manifest_needs_nothing_else() -> None:
    assert loaded(judged_files({"plugin.json": f'{{"name": "a", "$schema": "{SCHEMA}"}}'})) == ([], [])
