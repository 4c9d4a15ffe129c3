"""The entries that servers send: what is an entry, and what is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.skills_mcp.server_of_skills import ServerOfSkills

from prowess.capability.skill_entry import MOST_BYTES, SkillEntry, entry_of, is_inside, over_limits

ROOT = "skill://docs/pdf"


def wire(**changed: Any) -> dict[str, Any]:
    server = ServerOfSkills("a")
    return {**server.entries[server.skill("docs/pdf", {"a/b.md": "x"})], **changed}


def test_an_entry_is_kept_as_sent_and_knows_its_path_name_and_files() -> None:
    found = entry_of(wire(unknown=[1]))
    assert isinstance(found, SkillEntry)
    assert (found.name, found.path, found.root) == ("pdf", "docs/pdf", ROOT)
    assert [found.relative(each.uri) for each in found.files or ()] == ["SKILL.md", "a/b.md"]
    assert found.wire["unknown"] == [1]


def test_a_skill_without_digests_has_no_files() -> None:
    found = entry_of(wire(resources="dynamic"))
    assert isinstance(found, SkillEntry)
    assert found.files is None


@pytest.mark.parametrize("uri", ["github://o/r/pdf/SKILL.md", "file:///srv/pdf/SKILL.md"])
def test_any_scheme_will_do(uri: str) -> None:
    assert isinstance(entry_of(wire(uri=uri, resources="dynamic")), SkillEntry)


def named(name: object) -> dict[str, Any]:
    return wire(frontmatter={"name": name, "description": "d"})


def with_file(**changed: Any) -> Callable[[], dict[str, Any]]:
    def made() -> dict[str, Any]:
        entry = wire()
        entry["resources"].append({**entry["resources"][1], "uri": f"{ROOT}/c.md", **changed})
        return entry

    return made


FAULTY: dict[str, Callable[[], Any]] = {
    "no object": list,
    "no uri": lambda: wire(uri=None),
    "a uri that is no SKILL.md": lambda: wire(uri=f"{ROOT}/README.md"),
    "a uri without a directory": lambda: wire(uri="skill://SKILL.md"),
    "a uri without a scheme": lambda: wire(uri="docs/pdf/SKILL.md"),
    "a uri that climbs": lambda: wire(uri="skill://x/../pdf/SKILL.md", resources="dynamic"),
    "a uri that climbs in disguise": lambda: wire(uri="skill://x/%2e%2e/pdf/SKILL.md", resources="dynamic"),
    "an endless uri": lambda: wire(uri=f"skill://{'x' * 9_000}/pdf/SKILL.md", resources="dynamic"),
    "no frontmatter": lambda: wire(frontmatter=None),
    "no description": lambda: wire(frontmatter={"name": "pdf"}),
    "a name that is a number": lambda: named(7),
    "a name of another skill": lambda: named("other"),
    "a name with a line break": lambda: wire(
        uri="skill://a%0Ab/SKILL.md", frontmatter={"name": "a\nb", "description": "d"}, resources="dynamic"
    ),
    "no resources": lambda: {key: each for key, each in wire().items() if key != "resources"},
    "resources that are another word": lambda: wire(resources="static"),
    "no SKILL.md among them": lambda: wire(resources=[]),
    "a file that is no object": lambda: wire(resources=["skill://docs/pdf/SKILL.md"]),
    "a file without a uri": with_file(uri=None),
    "a file twice": with_file(uri=f"{ROOT}/a/b.md"),
    "a file outside": with_file(uri="skill://docs/other/c.md"),
    "a file of a like-named directory": with_file(uri="skill://docs/pdf-2/c.md"),
    "a file that climbs": with_file(uri=f"{ROOT}/../c.md"),
    "a file that climbs in disguise": with_file(uri=f"{ROOT}/%2E%2E/c.md"),
    "a file of another server": with_file(uri="https://example.com/c.md"),
    "a digest in capitals": with_file(digest="sha256:" + "A" * 64),
    "a short digest": with_file(digest="sha256:ab"),
    "another digest": with_file(digest="md5:" + "a" * 32),
    "no size": with_file(size=None),
    "a negative size": with_file(size=-1),
    "a size that is true": with_file(size=True),
}


@pytest.mark.parametrize("fault", FAULTY)
def test_what_the_extension_calls_invalid_is_a_reason_and_no_entry(fault: str) -> None:
    found = entry_of(FAULTY[fault]())
    assert isinstance(found, str) and found


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.just("skill://a/SKILL.md"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["uri", "frontmatter", "resources", "name", "digest", "size"]), inner, max_size=6
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_json_is_an_entry_or_a_reason(value: Any) -> None:
    assert isinstance(entry_of(value), SkillEntry | str)


@given(st.text(alphabet="abc/.%2eE?#\\", max_size=20))
def test_a_uri_that_is_inside_has_no_step_that_leads_elsewhere(rest: str) -> None:
    if is_inside(f"{ROOT}/{rest}", ROOT):
        assert not {"..", ".", ""} & set(rest.lower().replace("%2e", ".").split("/"))


def test_more_than_every_host_supports_is_said() -> None:
    server = ServerOfSkills("a")
    many = entry_of(server.entries[server.skill("pdf", {f"{each}.md": "" for each in range(512)})])
    assert isinstance(many, SkillEntry) and "513 files" in over_limits(many)
    entry = wire()
    entry["resources"][0]["size"] = MOST_BYTES
    large = entry_of(entry)
    assert isinstance(large, SkillEntry) and over_limits(large)
