from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from prowess.spec.diagnostics import Reach
from prowess.spec.rules import RULES

HTTP = {"type": "http", "url": "https://example.com/mcp"}
EVERY_REACH = [each.word for each in Reach]


def with_reach(package: Path, servers: Any, reach: Reach) -> None:
    """Give the package a fault of exactly this reach."""
    manifest = json.loads((package / "plugin.json").read_text())
    if reach is Reach.PLUGIN:
        manifest["name"] = "Sample"
    elif reach is Reach.COMPONENT:
        (package / "mcp.json").write_text("[]")
    elif reach is Reach.ENTRY:
        servers({"a": HTTP})
    elif reach is Reach.NOTE:
        manifest["hooks"] = {}
    elif reach is Reach.ADVICE:
        manifest["version"] = "one"
    (package / "plugin.json").write_text(json.dumps(manifest))


def test_a_clean_package_is_a_yes(prowess: Any, package: Path) -> None:
    ran = prowess("check", package)
    assert ran.status == 0
    assert "sample" in ran.out
    assert "1 package, 0 rejected; nothing to report" in ran.out
    assert "a plugin (it holds plugin.json)" in ran.err


@pytest.mark.parametrize("found", [each for each in Reach if each is not Reach.CONNECTION])
@pytest.mark.parametrize("fail_on", list(Reach))
def test_fail_on_compares_with_the_widest_reach(
    found: Reach, fail_on: Reach, prowess: Any, package: Path, servers: Any
) -> None:
    with_reach(package, servers, found)
    ran = prowess("check", package, "--fail-on", fail_on.word, "--json")
    widest = max(Reach[each["reach"].upper()] for each in ran.json["packages"][0]["diagnostics"])
    assert widest is found
    assert ran.status == (1 if found >= fail_on else 0)


def test_the_default_fails_on_an_entry_and_not_on_a_note(prowess: Any, package: Path, servers: Any) -> None:
    with_reach(package, servers, Reach.NOTE)
    assert prowess("check", package).status == 0
    with_reach(package, servers, Reach.ENTRY)
    assert prowess("check", package).status == 1


def test_a_finding_says_reach_place_rule_section_and_hint_in_words(
    prowess: Any, package: Path, servers: Any
) -> None:
    servers({"a": HTTP})
    lines = prowess("check", package).out.splitlines()
    at = next(number for number, line in enumerate(lines) if "[server-type-unknown" in line)
    assert lines[at].split()[0] == "entry"
    assert "mcp.json#/mcpServers/a/type" in lines[at]
    assert RULES["server-type-unknown"][1] in lines[at]
    assert "hint: " in lines[at + 1]


def test_several_packages_are_reported_each_and_counted_together(
    prowess: Any, package: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    ran = prowess("check", package, empty)
    assert ran.status == 1
    assert ran.out.index(str(package)) < ran.out.index(str(empty))
    assert "2 packages, 1 rejected; 1 plugin" in ran.out


def test_the_lenient_profile_shows_both_counts_and_says_what_it_is(prowess: Any, package: Path) -> None:
    (package / "skills" / "other").mkdir()
    skill = "---\nname: greet-all\ndescription: Greets all guests. Use when many arrive.\n---\n"
    (package / "skills" / "other" / "SKILL.md").write_text(skill)
    assert "1 skill and 0 servers load" in prowess("check", package).out
    ran = prowess("check", package, "--profile", "lenient")
    assert (
        "2 skills and 0 servers load under the lenient profile, which is outside the specification" in ran.out
    )
    assert "by its letter 1 skill" in ran.out
    document = prowess("check", package, "--profile", "lenient", "--json").json["packages"][0]
    assert document["profile"] == "lenient"
    assert document["skills"] == {"loaded": 2, "bySpecification": 1}


def test_json_is_format_json_and_holds_every_part_of_a_diagnostic(
    prowess: Any, package: Path, servers: Any
) -> None:
    servers({"a": HTTP})
    ran = prowess("check", package, "--json")
    assert ran.out == prowess("check", package, "--format", "json").out
    (package_,) = ran.json["packages"]
    assert package_["plugin"] == {"name": "sample", "version": None, "spec": "1.0.0"}
    (found,) = [each for each in package_["diagnostics"] if each["reach"] == "entry"]
    assert set(found) == {
        *("rule", "reach", "file", "line", "pointer", "message", "hint", "section", "subject")
    }
    assert found["subject"] == "mcp.json#a"
    assert ran.json["summary"]["reaches"]["entry"] == 1


def test_a_folder_of_skills_is_judged_without_a_manifest(prowess: Any, package: Path) -> None:
    folder = package / "skills"
    (folder / "bad").mkdir()
    (folder / "bad" / "SKILL.md").write_text("no frontmatter")
    ran = prowess("check", folder, "--json")
    assert ran.status == 1
    (verdict,) = ran.json["packages"]
    assert verdict["kind"] == "skills"
    assert verdict["plugin"] is None and verdict["rejected"] is False
    assert verdict["skills"]["loaded"] == 1
    assert {each["file"] for each in verdict["diagnostics"]} == {"bad/SKILL.md"}
    assert "a folder of skills" in ran.err
    assert "skills without a plugin" in prowess("check", folder).out


def test_a_kind_that_this_version_cannot_read_is_said(prowess: Any, tmp_path: Path) -> None:
    for name in ("prowess.toml", "a/SKILL.md"):
        (tmp_path / "it" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "it" / name).write_text("")
    ran = prowess("check", tmp_path / "it")
    assert ran.status == 2
    assert "host configuration" in ran.err
    assert ran.out == ""


@pytest.mark.parametrize("name", ["prowess.toml", "a/SKILL.md", "prompts/a.md"])
def test_plugin_json_comes_before_every_other_kind(name: str, prowess: Any, package: Path) -> None:
    (package / name).parent.mkdir(exist_ok=True)
    (package / name).write_text("")
    assert "a plugin (it holds plugin.json)" in prowess("check", package).err


def test_a_directory_with_nothing_known_is_a_rejected_plugin(prowess: Any, tmp_path: Path) -> None:
    ran = prowess("check", tmp_path)
    assert ran.status == 1
    assert "package-no-manifest" in ran.out


# -- load-report


def test_the_load_report_of_a_plugin(prowess: Any, package: Path, servers: Any) -> None:
    servers({"a": HTTP, "b": {"type": "stdio", "command": "true"}})
    manifest = json.loads((package / "plugin.json").read_text())
    (package / "plugin.json").write_text(json.dumps({**manifest, "hooks": {}, "extensions": []}))
    (package / "skills" / "bad").mkdir()
    (package / "skills" / "bad" / "SKILL.md").write_text("no frontmatter")
    ran = prowess("check", package, "--format", "load-report")
    assert ran.json == {
        "rejected": None,
        "loaded": {"skills": ["greet"], "mcpServers": ["b"]},
        "skipped": [{"what": "mcp.json#a"}, {"what": "skills/bad"}],
        "reported": [{"field": "extensions"}, {"field": "hooks"}],
    }


def test_the_load_report_of_a_rejected_plugin_gives_the_reason(prowess: Any, package: Path) -> None:
    (package / "plugin.json").write_text("{}")
    ran = prowess("check", package, "--format", "load-report")
    assert ran.status == 1
    assert ran.json["rejected"].startswith("plugin.json")
    assert ran.json["loaded"] == {"skills": [], "mcpServers": []}


def test_the_load_report_judges_every_kind_as_a_plugin(prowess: Any, package: Path) -> None:
    assert prowess("check", package / "skills", "--format", "load-report").json["rejected"]


def test_the_load_report_takes_exactly_one_path(prowess: Any, package: Path) -> None:
    ran = prowess("check", package, package, "--format", "load-report")
    assert (ran.status, ran.out) == (2, "")


# -- github


def test_github_annotations_are_one_line_each_with_file_and_title(
    prowess: Any, package: Path, servers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers({"a": HTTP})
    monkeypatch.chdir(package.parent)
    (package / "mcp.json").write_text(json.dumps(json.loads((package / "mcp.json").read_text()), indent=0))
    (line,) = prowess("check", "sample", "--format", "github").out.splitlines()
    assert line.startswith("::error file=sample/mcp.json,line=5,title=prowess server-type-unknown (entry)::")
    assert "%0Ahint%3A" not in line and "%0Ahint: " in line


def test_no_text_of_a_package_can_start_a_workflow_command(
    prowess: Any, tmp_path: Path, package: Path
) -> None:
    evil = tmp_path / "a,b::c%d"
    os.rename(package, evil)
    manifest = json.loads((evil / "plugin.json").read_text())
    manifest["\n::error::x%"] = 1
    (evil / "plugin.json").write_text(json.dumps(manifest))
    out = prowess("check", evil, "--format", "github").out
    (line,) = out.splitlines()
    assert line.startswith("::warning file=")
    properties, _, message = line.removeprefix("::").partition("::")
    assert "a%2Cb%3A%3Ac%25d" in properties
    assert "%25" in message


def test_a_finding_with_a_line_carries_it(prowess: Any, package: Path) -> None:
    skill = package / "skills" / "greet" / "SKILL.md"
    skill.write_text("---\nname: greet\ndescription: Greets. Use when asked.\nname: again\n---\n")
    line = next(
        each for each in prowess("check", package, "--format", "github").out.splitlines() if "::error" in each
    )
    assert ",line=4," in line


# -- sarif


def test_sarif_holds_its_required_members(
    prowess: Any, package: Path, servers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers({"a": HTTP, "b": HTTP})
    monkeypatch.chdir(package.parent)
    log = prowess("check", "sample", "--format", "sarif").json
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "prowess"
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(ids) == len(set(ids))
    assert len(run["results"]) == 2
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("none", "note", "warning", "error")
        assert result["message"]["text"]
        physical = result["locations"][0]["physicalLocation"]
        assert physical["artifactLocation"]["uri"] == "sample/mcp.json"
        assert physical["region"]["startLine"] >= 1
    assert all(rule["shortDescription"]["text"] and rule["help"]["text"] for rule in driver["rules"])


def test_a_sarif_location_is_a_valid_uri_reference(prowess: Any, package: Path, tmp_path: Path) -> None:
    odd = tmp_path / "100% of: ü"
    os.rename(package, odd)
    (odd / "plugin.json").write_text("{}")
    (run,) = prowess("check", odd, "--format", "sarif").json["runs"]
    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.startswith("file:///")
    assert uri.endswith("/100%25%20of%3A%20%C3%BC/plugin.json")


def test_sarif_of_clean_packages_is_a_log_without_results(prowess: Any, package: Path) -> None:
    ran = prowess("check", package, "--format", "sarif")
    assert ran.status == 0
    assert ran.json["runs"][0]["results"] == []
