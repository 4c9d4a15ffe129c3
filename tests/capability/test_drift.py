from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.capability.canonical import canonical
from prowess.capability.change import Change
from prowess.capability.drift import Drift, compare
from prowess.capability.offer import Offer, Prompt, Resource, ResourceTemplate, Tool
from prowess.capability.snapshot import PluginEntry, ServerEntry, SkillEntry, SkippedEntry, Snapshot
from prowess.spec.model import Judgement

TEXT = st.sampled_from(["a", "b", "x/y", "é\x00"])
WIRE = st.dictionaries(
    st.sampled_from(
        ["title", "description", "annotations", "mimeType", "arguments", "outputSchema", "_meta"]
    ),
    TEXT | st.integers(0, 1) | st.just([{"name": "n", "required": True}]) | st.just({"type": "object"}),
    max_size=3,
)
SCHEMA = st.sampled_from([{}, {"type": "object"}, {"type": "object", "required": ["a"]}])


def each(kind: type[Any], **members: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(st.builds(kind, **members), max_size=3).map(tuple)


def wired(kind: type[Any], **members: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    wire = st.builds(lambda more, known: {**more, **known}, WIRE, st.fixed_dictionaries(dict(members)))
    return st.lists(st.builds(kind, server=TEXT, wire=wire), max_size=3).map(tuple)


SNAPSHOTS = st.builds(
    Snapshot,
    plugin=st.builds(PluginEntry, name=TEXT, version=st.none() | TEXT, spec=TEXT),
    skills=each(
        SkillEntry, name=TEXT, description=TEXT, path=TEXT, loaded=st.sampled_from(["metadata", "body"])
    ),
    servers=each(
        ServerEntry, id=TEXT, type=TEXT, status=st.sampled_from(["connected", "failed"]), reason=st.just("")
    ),
    tools=wired(Tool, name=TEXT, inputSchema=SCHEMA),
    prompts=wired(Prompt, name=TEXT),
    resources=wired(Resource, uri=TEXT),
    templates=wired(ResourceTemplate, uriTemplate=TEXT),
    skipped=each(SkippedEntry, what=TEXT, rule=TEXT),
).map(lambda snapshot: Snapshot.from_json(snapshot.to_json(), source="x"))


@given(SNAPSHOTS, SNAPSHOTS)
def test_a_drift_is_empty_exactly_when_the_snapshots_are_the_same(old: Snapshot, new: Snapshot) -> None:
    drift = compare(old, new)
    assert drift.empty == (canonical(old.to_dict()) == canonical(new.to_dict()))
    assert drift == compare(old, new)
    assert compare(old, old).empty
    assert all(line.isprintable() for line in drift.to_text().splitlines())
    assert len(drift.to_text().split("\n")) == len(drift.changes) + 1
    assert len(drift.to_dict()["changes"]) == len(drift.changes)


@given(SNAPSHOTS, SNAPSHOTS)
def test_what_one_direction_adds_the_other_removes(old: Snapshot, new: Snapshot) -> None:
    def told(drift: Drift, what: str) -> list[tuple[str, str]]:
        return [(change.kind, change.key) for change in drift.changes if change.what == what]

    assert told(compare(old, new), "added") == told(compare(new, old), "removed")


@pytest.fixture
def frozen(judgement: Judgement, offers: tuple[Offer, ...]) -> Snapshot:
    return Snapshot.of(judgement, offers)


def only(drift: Drift) -> Change:
    assert len(drift.changes) == 1, drift.to_text()
    return drift.changes[0]


def tool_with(snapshot: Snapshot, **members: Any) -> Snapshot:
    tool = snapshot.tools[0]
    wire = {key: value for key, value in {**tool.wire, **members}.items() if value is not ...}
    return replace(snapshot, tools=(Tool(server=tool.server, wire=wire),))


def test_a_tool_that_is_gone_breaks_and_one_that_came_does_not(frozen: Snapshot) -> None:
    without = replace(frozen, tools=())
    gone, came = only(compare(frozen, without)), only(compare(without, frozen))
    assert (gone.what, gone.key, gone.effect) == ("removed", "tools/query_invoices", "breaking")
    assert (came.what, came.effect) == ("added", "compatible")
    assert gone.to_text() == "- tool tools/query_invoices (breaks callers)"
    assert gone.old == came.new == frozen.to_dict()["tools"][0]


def test_a_renamed_tool_is_one_removed_and_one_added(frozen: Snapshot) -> None:
    drift = compare(frozen, tool_with(frozen, name="list_invoices"))
    assert [(change.what, change.key) for change in drift.changes] == [
        ("added", "tools/list_invoices"),
        ("removed", "tools/query_invoices"),
    ]


def test_a_changed_input_schema_says_what_and_whether_it_breaks(frozen: Snapshot) -> None:
    schema = frozen.tools[0].input_schema
    changed = {
        **schema,
        "properties": {**schema["properties"], "status": {"type": "string", "enum": ["open", "paid"]}},
        "required": ["week", "status"],
    }
    drift = compare(frozen, tool_with(frozen, inputSchema=changed))
    assert drift.effect == "breaking"
    assert drift.to_text() == (
        '~ tool tools/query_invoices inputSchema: "status" is now required (breaks callers)\n'
        "~ tool tools/query_invoices inputSchema/properties/status: "
        'enum: "overdue" removed (breaks callers)\n'
    )


@pytest.mark.parametrize(
    ("members", "field", "effect"),
    [
        ({"description": "Invoices of one week, and more."}, "description", "compatible"),
        ({"description": ...}, "description", "compatible"),
        ({"title": "Invoices"}, "title", "compatible"),
        ({"annotations": {"readOnlyHint": True}}, "annotations", "unknown"),
        ({"outputSchema": {"type": "object"}}, "outputSchema", "compatible"),
        ({"_meta": {"a": 1}}, "_meta", "compatible"),
    ],
)
def test_a_changed_member_of_a_tool_is_told(
    frozen: Snapshot, members: dict[str, Any], field: str, effect: str
) -> None:
    change = only(compare(frozen, tool_with(frozen, **members)))
    assert (change.what, change.field, change.effect) == ("changed", field, effect)


def test_an_answer_that_may_hold_more_breaks_and_one_no_longer_described_too(frozen: Snapshot) -> None:
    one = tool_with(frozen, outputSchema={"type": "object", "properties": {"a": {"type": "integer"}}})
    two = tool_with(frozen, outputSchema={"type": "object", "properties": {"a": {"type": "number"}}})
    assert only(compare(one, two)).effect == "breaking"
    assert only(compare(two, one)).effect == "compatible"
    assert only(compare(one, frozen)).effect == "breaking"


@pytest.mark.parametrize(
    ("arguments", "effect"),
    [
        ([{"name": "week", "required": True}], "breaking"),
        ([{"name": "week"}, {"name": "style"}], "compatible"),
        ([{"name": "week"}, {"name": "style", "required": True}], "breaking"),
        ([], "breaking"),
        ([{"name": "week", "description": "ISO week"}], "compatible"),
        ([{"name": "week", "other": 1}], "compatible"),
        ("week", "unknown"),
        ([{"title": "week"}], "unknown"),
        (None, "breaking"),
    ],
)
def test_a_prompt_is_compared_by_its_arguments(frozen: Snapshot, arguments: Any, effect: str) -> None:
    wire = {"name": "summary", "arguments": arguments} if arguments is not None else {"name": "summary"}
    assert compare(frozen, replace(frozen, prompts=(Prompt(server="guides", wire=wire),))).effect == effect


def test_a_server_that_went_down_breaks_and_one_that_came_up_does_not(frozen: Snapshot) -> None:
    down = ServerEntry(id="guides", type="streamable-http", status="failed", reason="refused")
    broken = replace(frozen, servers=(down, frozen.servers[1]))
    change = only(compare(frozen, broken))  # the reason is told with the status, not beside it
    assert (change.field, change.effect, change.new) == ("status", "breaking", "failed")
    assert "refused" in change.message
    otherwise = replace(frozen, servers=(replace(down, reason="exited"), frozen.servers[1]))
    assert only(compare(broken, otherwise)).field == "reason"
    assert compare(broken, frozen).effect == "compatible"
    moved = replace(frozen, servers=(replace(frozen.servers[0], type="sse"), frozen.servers[1]))
    assert only(compare(frozen, moved)).effect == "unknown"


@pytest.mark.parametrize(
    ("member", "value", "effect"),
    [("name", "other", "breaking"), ("version", "1.3.0", "compatible"), ("spec", "1.1.0", "unknown")],
)
def test_a_changed_plugin_field_is_told(frozen: Snapshot, member: str, value: str, effect: str) -> None:
    change = only(compare(frozen, replace(frozen, plugin=replace(frozen.plugin, **{member: value}))))
    assert (change.kind, change.field, change.effect) == ("plugin", member, effect)


def test_what_no_longer_fails_to_load_breaks_nobody(frozen: Snapshot) -> None:
    change = only(compare(frozen, replace(frozen, skipped=())))
    assert (change.kind, change.what, change.effect) == ("skipped", "removed", "compatible")


def test_two_things_of_one_name_are_told_apart(frozen: Snapshot) -> None:
    twice = replace(
        frozen, resources=(frozen.resources[0], Resource(server="guides", wire=frozen.resources[0].wire))
    )
    assert only(compare(frozen, twice)).what == "added"
    assert compare(twice, twice).empty


def test_a_long_description_is_shown_where_it_parts(frozen: Snapshot) -> None:
    one, two = (tool_with(frozen, description="word " * 100 + end) for end in ("safe", "harm"))
    assert "safe" in (text := compare(one, two).to_text())
    assert "harm" in text


def test_the_json_form_says_the_same(frozen: Snapshot) -> None:
    document = compare(frozen, replace(frozen, tools=())).to_dict()
    assert (document["empty"], document["effect"], document["findings"]) == (False, "breaking", [])
    assert document["changes"][0]["change"] == "removed"
    assert compare(frozen, frozen).to_dict() == {
        "empty": True,
        "effect": "compatible",
        "changes": [],
        "findings": [],
    }
