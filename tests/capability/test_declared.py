from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.capability.declared import Part, compare_declared, declared_part
from prowess.capability.drift import Drift
from prowess.capability.offer import Offer
from prowess.capability.runtime_keys import RUNTIME_KEYS, runtime_keys
from prowess.capability.snapshot import Snapshot
from prowess.errors import PackageRejected
from prowess.spec.model import Judgement, Skill


def test_a_package_equals_the_snapshot_of_itself_whatever_its_servers_offered(
    judgement: Judgement, offers: tuple[Offer, ...]
) -> None:
    up = Snapshot.of(judgement, offers)
    down = Snapshot.of(judgement, [replace(offers[0], status="failed", reason_code="exited")])
    assert compare_declared(judgement, up).empty
    assert compare_declared(judgement, down).empty


def changed(judgement: Judgement, **members: Any) -> Judgement:
    assert judgement.plugin is not None
    return replace(judgement, plugin=replace(judgement.plugin, **members))


def test_a_skill_missing_from_the_package_is_told_on_the_side_where_it_is_missing(
    judgement: Judgement,
) -> None:
    snapshot = Snapshot.of(judgement)
    without = changed(judgement, skills=())
    for package_is_new, what in ((False, "added"), (True, "removed")):
        drift = compare_declared(without, snapshot, package_is_new=package_is_new)
        assert [(c.kind, c.what, c.key) for c in drift.changes] == [("skill", what, "weekly")]


def test_a_skill_whose_body_was_read_is_no_drift(judgement: Judgement) -> None:
    skill = Skill(name="weekly", description="d", path="skills/weekly/SKILL.md")
    read = changed(judgement, skills=(replace(skill, body="text"),))
    assert compare_declared(changed(judgement, skills=(skill,)), Snapshot.of(read)).empty


@pytest.mark.parametrize(("parts", "told"), [(["plugin"], False), (["servers"], True), (["skills"], False)])
def test_only_the_part_at_hand_is_compared(judgement: Judgement, parts: list[Part], told: bool) -> None:
    assert judgement.plugin is not None
    snapshot = Snapshot.of(judgement)
    without = changed(judgement, servers=judgement.plugin.servers[:1])
    drift = compare_declared(without, snapshot, parts=parts)
    assert [(c.kind, c.key) for c in drift.changes] == ([("server", "tools")] if told else [])


def test_a_manifest_that_is_not_at_hand_is_not_compared(judgement: Judgement) -> None:
    assert judgement.plugin is not None
    other = changed(judgement, manifest=replace(judgement.plugin.manifest, name="other"))
    assert compare_declared(other, Snapshot.of(judgement), parts=["servers"]).empty
    assert not compare_declared(other, Snapshot.of(judgement), parts=["plugin"]).empty


def test_what_is_skipped_belongs_to_its_file(judgement: Judgement) -> None:
    snapshot = Snapshot.of(judgement)
    assert [each.what for each in declared_part(snapshot, ["servers"]).skipped] == ["mcp.json#old"]
    assert declared_part(snapshot, ["skills", "plugin"]).skipped == ()


def test_a_rejected_package_is_compared_with_nothing(judgement: Judgement) -> None:
    with pytest.raises(PackageRejected):
        compare_declared(Judgement(plugin=None), Snapshot.of(judgement))


def pointers(document: Any) -> list[str | None]:
    return [found.place.pointer for found in runtime_keys(document, "f.json")]


@pytest.mark.parametrize(
    ("document", "found"),
    [
        (
            {"name": "p", "tools": [{"name": "t", "inputSchema": {"properties": {"status": {}}}}]},
            ["/tools", "/tools/0/inputSchema"],
        ),
        (
            {"mcpServers": {"a": {"type": "stdio", "status": "connected", "tools": []}}},
            ["/mcpServers/a/status", "/mcpServers/a/tools"],
        ),
        (
            {"mcpServers": {"status": {"type": "stdio"}, "tools": {"loaded": True}}},
            ["/mcpServers/tools/loaded"],
        ),
        ({"mcpServers": [{"id": "a", "status": "failed"}]}, ["/mcpServers/0/status"]),
        ({"mcpServers": {"a": {"env": {"status": "x"}, "headers": {"tools": "y"}}}}, []),
        ({"mcpServers": {"mcpServers": {"mcpServers": {"loaded": {}}}}}, []),
        ({"mcpServers": {"env": {"status": 1}}}, ["/mcpServers/env/status"]),
        ({"skills": [{"name": "x", "loaded": "metadata"}]}, ["/skills/0/loaded"]),
        ({"extensions": {"com.example": {"tools": []}}}, []),
        ({"a/b": {"status": 1}}, ["/a~1b/status"]),
        ({"name": "p", "version": "1"}, []),
        ("tools", []),
    ],
)
def test_run_time_keys_are_found_where_they_are_keys(document: Any, found: list[str]) -> None:
    assert pointers(document) == found


def test_a_finding_is_shown_with_its_place() -> None:
    drift = Drift(findings=runtime_keys({"status": "\x1b"}, "plugin.json"))
    assert not drift.empty
    assert drift.to_text().startswith("! plugin.json#/status: ")
    assert drift.to_dict()["findings"][0]["key"] == "status"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda each: (
        st.lists(each, max_size=3)
        | st.dictionaries(st.sampled_from([*RUNTIME_KEYS, "mcpServers", "env", "x"]), each, max_size=3)
    ),
    max_leaves=10,
)


@given(JSON)
def test_no_document_stops_the_search(document: Any) -> None:
    for found in runtime_keys(document, "f.json"):
        assert str(found.place.pointer).endswith(found.key)


def test_a_document_that_nests_on_and_on_is_searched_as_deep_as_a_manifest_goes() -> None:
    deep: Any = {"status": 1}
    for _ in range(500):
        deep = [deep]
    assert pointers(deep) == []
