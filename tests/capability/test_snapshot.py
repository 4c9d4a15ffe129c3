from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.capability.offer import Offer, Prompt, Resource, Status, Tool
from prowess.capability.schema import SNAPSHOT_SCHEMA
from prowess.capability.snapshot import SCHEMA_ID, Snapshot
from prowess.errors import PackageRejected, UsageError
from prowess.spec.diagnostics import Diagnostic, Place, Reach
from prowess.spec.model import Judgement, Manifest, Plugin

VALIDATOR = jsonschema_rs.validator_for(SNAPSHOT_SCHEMA)

TEXT = st.text(st.characters(), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda each: st.lists(each, max_size=3) | st.dictionaries(TEXT, each, max_size=3),
    max_leaves=6,
)
TOOLS = st.builds(
    lambda name, more, schema: Tool(server="s", wire={**more, "name": name, "inputSchema": schema}),
    TEXT,
    st.dictionaries(st.sampled_from(["_meta", "icons", "server", "zz"]), VALUES, max_size=3),
    st.dictionaries(TEXT, VALUES, max_size=3),
)


def bare(*offers: Offer, version: str | None = None) -> Snapshot:
    plugin = Plugin(manifest=Manifest(name="p", spec="1.0.0", version=version))
    return Snapshot.of(Judgement(plugin=plugin), offers)


def offer(**members: Any) -> Offer:
    return Offer(**{"id": "s", "type": "stdio", "status": "connected", **members})


def test_a_snapshot_has_the_parts_and_the_shape_of_its_format(
    judgement: Judgement, offers: tuple[Offer, ...]
) -> None:
    document = json.loads(Snapshot.of(judgement, offers).to_json())
    assert list(document) == [
        *("$schema", "plugin", "skills", "mcpServers", "tools"),
        *("prompts", "resources", "resourceTemplates", "skipped"),
    ]
    assert document["plugin"] == {"name": "invoice-ops", "version": "1.2.0", "spec": "1.0.0"}
    assert document["skills"] == [
        {
            "name": "weekly",
            "description": "Writes the weekly summary.",
            "path": "skills/weekly/SKILL.md",
            "loaded": "metadata",
        }
    ]
    assert document["mcpServers"] == [
        {"id": "guides", "type": "streamable-http", "status": "connected"},
        {"id": "tools", "type": "stdio", "status": "connected"},
    ]
    assert list(document["tools"][0]) == ["name", "server", "description", "inputSchema"]
    assert document["skipped"] == [{"what": "mcp.json#old", "rule": "server-type-missing"}]
    VALIDATOR.validate(document)


def test_a_plugin_without_a_version_says_null() -> None:
    assert '"version": null' in bare().to_json()


def test_offers_in_any_order_and_keys_in_any_order_give_the_same_bytes(
    judgement: Judgement, offers: tuple[Offer, ...]
) -> None:
    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: turned(value[key]) for key in reversed(list(value))}
        return value

    tools = tuple(replace(tool, wire=turned(tool.wire)) for tool in offers[0].tools)
    first = Snapshot.of(judgement, offers).to_json()
    assert Snapshot.of(judgement, (offers[1], replace(offers[0], tools=tools))).to_json() == first


def test_tools_are_ordered_by_server_and_name() -> None:
    def tool(server: str, name: str) -> Tool:
        return Tool(server=server, wire={"name": name, "inputSchema": {}})

    one = offer(id="b", tools=(tool("b", "a"), tool("b", "B")))
    two = offer(id="a", tools=(tool("a", "z"),))
    assert [(t.server, t.name) for t in bare(one, two).tools] == [("a", "z"), ("b", "B"), ("b", "a")]


def test_an_undeclared_member_that_a_server_sends_is_kept_after_the_known_ones() -> None:
    wire = {"_meta": {"a": 1}, "name": "t", "annotations": {}, "title": None, "inputSchema": {}}
    snapshot = bare(offer(tools=(Tool(server="s", wire=wire),)))
    assert list(snapshot.to_dict()["tools"][0]) == ["name", "server", "inputSchema", "annotations", "_meta"]


def test_the_server_of_a_tool_is_the_label_of_its_host_whatever_it_calls_itself() -> None:
    wire = {"name": "t", "server": "other", "inputSchema": {}}
    assert bare(offer(tools=(Tool(server="s", wire=wire),))).to_dict()["tools"][0]["server"] == "s"


def test_a_tool_that_declares_no_arguments_still_has_an_input_schema() -> None:
    assert bare(offer(tools=(Tool(server="s", wire={"name": "t"}),))).tools[0].input_schema == {
        "type": "object"
    }


def test_only_connected_servers_offer_something() -> None:
    tool = Tool(server="s", wire={"name": "t", "inputSchema": {}})
    assert bare(offer(status="failed", tools=(tool,))).tools == ()


@pytest.mark.parametrize(
    ("status", "code", "reason"),
    [
        ("failed", "exited", "exited"),
        ("failed", "", "failed"),
        ("failed", "pid 123 died in /tmp", "failed"),
        ("auth-required", "", "auth"),
        ("timed-out", "", "timeout"),
        ("not-started", "", "not-started"),
        ("connected", "exited", ""),
    ],
)
def test_the_reason_of_a_server_is_a_stable_word(status: Status, code: str, reason: str) -> None:
    down = offer(status=status, reason="pid 7: cannot read /home/me/x", reason_code=code)
    assert bare(down).servers[0].reason == reason
    VALIDATOR.validate(bare(down).to_dict())


def test_a_server_that_nobody_started_is_not_started(judgement: Judgement) -> None:
    assert [(s.id, s.status) for s in Snapshot.of(judgement).servers] == [
        ("guides", "not-started"),
        ("tools", "not-started"),
    ]


def test_a_skill_whose_body_is_in_memory_reads_body(judgement: Judgement) -> None:
    assert judgement.plugin is not None
    read = replace(judgement.plugin.skills[0], body="# Weekly")
    loaded = replace(judgement, plugin=replace(judgement.plugin, skills=(read,)))
    assert Snapshot.of(loaded).skills[0].loaded == "body"


def test_no_address_of_a_server_is_in_the_file(judgement: Judgement, offers: tuple[Offer, ...]) -> None:
    text = Snapshot.of(judgement, offers).to_json()
    assert "8123" not in text
    assert "./bin/tools" not in text


def test_a_credential_that_a_server_sends_back_is_masked() -> None:
    wire = {"name": "t", "description": "uses s3cret", "inputSchema": {"default": "s3cret"}}
    plugin = Plugin(manifest=Manifest(name="p", spec="1.0.0"))
    snapshot = Snapshot.of(
        Judgement(plugin=plugin),
        [offer(tools=(Tool(server="s", wire=wire),))],
        redactor=lambda text: text.replace("s3cret", "***"),
    )
    assert "s3cret" not in snapshot.to_json()


def test_text_that_misleads_the_eye_is_escaped_and_other_scripts_are_readable() -> None:
    wire = {"name": "t", "description": "Größe 寸法 \u202e\x9b\ud800\U000e0041", "inputSchema": {}}
    text = bare(offer(tools=(Tool(server="s", wire=wire),))).to_json()
    assert r'"Größe 寸法 \u202e\u009b\ud800\udb40\udc41"' in text
    assert Snapshot.from_json(text, source="x").tools[0].description == wire["description"]


def test_a_rejected_plugin_has_no_snapshot() -> None:
    fatal = Diagnostic(
        rule="x", reach=Reach.PLUGIN, place=Place(file="plugin.json"), message="bad name", hint="h"
    )
    with pytest.raises(PackageRejected, match="bad name"):
        Snapshot.of(Judgement(plugin=None, diagnostics=(fatal,)))
    with pytest.raises(PackageRejected):
        Snapshot.of(Judgement(plugin=None))


@given(st.lists(TOOLS, max_size=4), st.permutations(range(4)))
def test_any_offer_is_written_read_back_and_valid(tools: list[Tool], order: list[int]) -> None:
    resource = Resource(server="s", wire={"uri": "x:y"})
    up = offer(tools=tuple(tools), resources=(resource,), prompts=(Prompt(server="s", wire={"name": "p"}),))
    snapshot = bare(up)
    text = snapshot.to_json()
    text.encode()
    assert Snapshot.from_json(text, source="x").to_json() == text
    turned = tuple(tools[at] for at in order if at < len(tools))
    assert bare(replace(up, tools=turned)).to_json() == text
    VALIDATOR.validate(json.loads(text.replace("\\ud", "d")))  # the validator takes no lone surrogate


def test_a_minimal_snapshot_of_another_hand_is_read() -> None:
    text = json.dumps(
        {
            "plugin": {"name": "p", "spec": "1.0.0", "more": 1},
            "skills": [],
            "mcpServers": [{"id": "s", "type": "sse", "status": "failed"}],
            "tools": [{"name": "t", "server": "s", "inputSchema": {}}],
        }
    )
    snapshot = Snapshot.from_json("\ufeff" + text, source="x")
    assert (snapshot.plugin.version, snapshot.servers[0].reason, snapshot.skipped) == (None, "", ())


def mutated(document: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(document))
    at: Any = copy
    *steps, last = path.strip("/").split("/")
    for step in steps:
        at = at[int(step) if isinstance(at, list) else step]
    if value is ...:
        del at[last]
    else:
        at[int(last) if isinstance(at, list) else last] = value
    return copy


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("/plugin", ...),
        ("/plugin", []),
        ("/plugin/name", ...),
        ("/plugin/version", 3),
        ("/skills", {}),
        ("/skills/0", "weekly"),
        ("/skills/0/loaded", "all"),
        ("/skills/0/description", None),
        ("/mcpServers", ...),
        ("/mcpServers/0/status", "running"),
        ("/mcpServers/0/type", ...),
        ("/tools", ...),
        ("/tools/0/name", 1),
        ("/tools/0/inputSchema", True),
        ("/tools/0/server", ...),
        ("/prompts/0/name", ...),
        ("/resources/0/uri", ...),
        ("/resourceTemplates/0/uriTemplate", 0),
        ("/skipped/0/rule", ...),
        ("/$schema", "https://example.com/schema"),
        ("/$schema", SCHEMA_ID + "\n"),
    ],
)
def test_a_wrong_shape_is_refused_at_its_place(
    judgement: Judgement, offers: tuple[Offer, ...], path: str, value: Any
) -> None:
    document = mutated(Snapshot.of(judgement, offers).to_dict(), path, value)
    with pytest.raises(UsageError) as caught:
        Snapshot.from_json(json.dumps(document), source="frozen.json")
    assert caught.value.message.startswith(f"frozen.json: {path} ")
    assert not VALIDATOR.is_valid(document)


@pytest.mark.parametrize(
    "mutation",
    [("/more", 1), ("/plugin/more", 1), ("/mcpServers/0/reason", "x"), ("/mcpServers/0/status", "failed")],
)
def test_what_prowess_never_writes_is_invalid_by_its_schema(
    judgement: Judgement, offers: tuple[Offer, ...], mutation: tuple[str, Any]
) -> None:
    assert not VALIDATOR.is_valid(mutated(Snapshot.of(judgement, offers).to_dict(), *mutation))


@pytest.mark.parametrize("number", ["2", "0", "99999999999999999999", "10"])
def test_another_format_is_refused_with_its_number(number: str) -> None:
    text = bare().to_json().replace(SCHEMA_ID, SCHEMA_ID[:-1] + number)
    with pytest.raises(UsageError, match=f"format {number}"):
        Snapshot.from_json(text, source="x")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"a": 1, "a": 2}', '{"a": NaN}', "[" * 100_000, f'{{"a": 1{"0" * 9_000}}}']
)
def test_what_is_no_json_object_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"^x"):
        Snapshot.from_json(text, source="x")
