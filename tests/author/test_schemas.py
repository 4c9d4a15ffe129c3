"""Our own schemas against the published ones, against our own readers, and through the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.author.conftest import MCP_SCHEMA, PLUGIN_SCHEMA, TOKEN
from tests.commanding import Run

from prowess.author.schemas import NAMES, schema_of
from prowess.errors import NotFound
from prowess.spec.diagnostics import Place
from prowess.units.metadata import KINDS, SAYS_SOMETHING, read_unit
from prowess.workflow.reading import FIELDS, read_workflow
from prowess.workflow.reading_steps import RETRY_FIELDS, STEP_FIELDS, WAIT_FIELDS

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
# The published schemas are not shipped; without them at hand these properties hold trivially.
PLACES = [parent / "shared" / "spec" for parent in Path(__file__).resolve().parents]
PUBLISHED = next((place for place in PLACES if place.is_dir()), None)

OURS = {name: jsonschema_rs.validator_for(schema_of(name)) for name in NAMES}
THEIRS = {
    name: jsonschema_rs.validator_for(json.loads((PUBLISHED / f"{name}.schema.json").read_text()))
    for name in ("plugin", "mcp")
    if PUBLISHED is not None
}

SCALARS = st.none() | st.booleans() | st.integers() | st.sampled_from(["", "a", "x\n", "./x", "stdio", "é"])
ANY = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["name", "url", "type", "x"]), inner, max_size=3)
    ),
    max_leaves=5,
)
NAME_TEXTS = st.text(alphabet="ab-.A0_\n ", max_size=7) | st.sampled_from(["a" * 64, "a" * 65, "sample"])
MANIFESTS = st.fixed_dictionaries(
    {"$schema": st.just(PLUGIN_SCHEMA) | SCALARS, "name": NAME_TEXTS | SCALARS},
    optional={
        **dict.fromkeys(["version", "description", "homepage", "repository", "license"], st.just("x") | ANY),
        "author": st.dictionaries(st.sampled_from(["name", "email", "url", "x"]), st.just("x") | ANY) | ANY,
        "keywords": st.lists(st.just("x") | ANY, max_size=2) | ANY,
        "extensions": st.dictionaries(st.sampled_from(["com.example.a", "b"]), st.just({}) | ANY) | ANY,
        "unknown": ANY,
    },
)
CWDS = st.sampled_from(
    [
        *("./", "./x", ".", "", "x", "/x", "${PLUGIN_ROOT}", "${PLUGIN_ROOT}x", "${PLUGIN_ROOT}/x"),
        *("${PLUGIN_DATA}", "${PLUGIN_DATA}/", "${OTHER}/x", "$PLUGIN_ROOT", "${PLUGIN_DATA}\n", " ./x"),
    ]
)
ENTRIES = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["stdio", "stdio", "streamable-http", "sse", "http", 1, None]),
        "command": st.sampled_from(["npx", "./x", "a b", ""]) | ANY,
        "args": st.lists(st.just("x") | SCALARS, max_size=2) | ANY,
        "env": st.dictionaries(
            st.sampled_from(["A", "PLUGIN_ROOT", "PLUGIN_DATA", "plugin_root"]), st.just("x") | SCALARS
        )
        | ANY,
        "cwd": CWDS | ANY,
        "url": st.sampled_from(["https://example.com/mcp", "not a url", ""]) | ANY,
        "headers": st.dictionaries(st.sampled_from(["A", "a", ""]), st.just("x") | SCALARS) | ANY,
        "other": SCALARS,
    },
)
CONFIGURATIONS = st.fixed_dictionaries(
    {"$schema": st.just(MCP_SCHEMA) | SCALARS},
    optional={"mcpServers": st.dictionaries(st.text(max_size=3), ENTRIES | ANY, max_size=2) | ANY, "x": ANY},
)


@given(MANIFESTS | ANY)
def test_our_manifest_schema_and_the_published_one_accept_the_same_documents(document: Any) -> None:
    assert not THEIRS or OURS["plugin"].is_valid(document) == THEIRS["plugin"].is_valid(document)


@given(CONFIGURATIONS | ANY)
def test_our_schema_of_servers_and_the_published_one_accept_the_same_documents(document: Any) -> None:
    assert not THEIRS or OURS["mcp"].is_valid(document) == THEIRS["mcp"].is_valid(document)


def test_the_properties_above_draw_documents_of_both_verdicts() -> None:
    manifest = {"$schema": PLUGIN_SCHEMA, "name": "sample"}
    servers = {"$schema": MCP_SCHEMA, "mcpServers": {"a": {"type": "stdio", "command": "npx", "cwd": "./x"}}}
    assert OURS["plugin"].is_valid(manifest)
    assert OURS["mcp"].is_valid(servers)
    assert not OURS["plugin"].is_valid({**manifest, "name": "a--b"})
    assert not OURS["mcp"].is_valid({**servers, "mcpServers": {"a": {"command": "npx"}}})


# -- units: the schema and the reader say the same of a field

TEXTS = st.sampled_from(
    ["", " ", "a", "query_weather", "a b", "1.2.3", "1.2", "core", "01.0.0", "1.0.0-rc.1"]
)
OBJECT_SCHEMAS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["object", "array", None]),
        "properties": st.dictionaries(st.sampled_from("ab"), st.booleans() | st.just({}) | TEXTS) | TEXTS,
        "required": st.lists(TEXTS | st.integers(), max_size=2),
        "city": st.just({"type": "string"}),
        "$ref": st.just("#/x"),
    },
)
UNITS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"name": st.just("query_weather") | TEXTS, "description": st.just("Says it.") | TEXTS},
    optional={
        "triggers": st.lists(TEXTS, max_size=2) | st.none() | TEXTS,
        "parameters": OBJECT_SCHEMAS | st.none(),
        "returns": OBJECT_SCHEMAS | st.none() | TEXTS,
        "timeout": st.integers(min_value=-1, max_value=2) | st.none() | st.booleans() | TEXTS,
        "idempotent": st.booleans() | st.none() | TEXTS,
        "version": TEXTS | st.none() | st.integers(),
        "permissions": st.dictionaries(st.sampled_from(["hosts", "reads", "x"]), st.lists(TEXTS) | TEXTS)
        | st.lists(TEXTS)
        | st.none(),
        "core": st.booleans() | TEXTS | st.none(),
        "tier": TEXTS | st.none() | st.booleans(),
        "examples": st.lists(st.fixed_dictionaries({}, optional={"input": st.just({}) | TEXTS}), max_size=2)
        | st.none(),
        "unknown": TEXTS,
    },
)


@given(UNITS)
def test_a_unit_loads_exactly_where_our_schema_accepts_what_it_says(said: dict[str, Any]) -> None:
    unit, _ = read_unit(said, place=Place(file="schema.json"), subject="it")
    assert (unit is not None) == OURS["unit"].is_valid(said)


def test_the_schema_of_units_knows_every_field_and_every_frame() -> None:
    fields = schema_of("unit")["properties"]
    assert set(fields) == set(KINDS)
    framed = [each["required"][0] for each in fields["parameters"]["anyOf"][0]["anyOf"][1:]]
    assert set(framed) == SAYS_SOMETHING


# -- workflows

STEP = {"skill": "search_flights", "params": {"from": "{{user.from}}"}}


@pytest.mark.parametrize(
    ("change", "fits"),
    [
        ({}, True),
        ({"steps": []}, False),
        ({"steps": [{"params": {}}]}, False),
        ({"steps": [{"parallel": [STEP, STEP]}]}, True),
        ({"steps": [{**STEP, "retry": 2, "timeout": 5, "on_error": "continue"}]}, True),
        ({"steps": [{**STEP, "timeout": 0}]}, False),
        ({"steps": [{"wait": "5m"}, {"wait": {"event": "paid"}}, {"workflow": "pay@1"}]}, True),
        ({"steps": [{"wait": {"event": "paid", "seconds": 5}}]}, False),
        ({"steps": [{**STEP, "on_error": {"compensate": {"skill": "refund"}}}]}, True),
        ({"name": ""}, False),
        ({"stepz": []}, False),
    ],
)
def test_a_workflow_needs_a_name_and_steps_that_do_something(change: dict[str, Any], fits: bool) -> None:
    document = {"name": "book_flight", "steps": [STEP, STEP], **change}
    assert OURS["workflow"].is_valid(document) == fits


def test_the_schema_of_workflows_knows_every_field_that_the_reader_knows() -> None:
    schema = schema_of("workflow")
    step = schema["$defs"]["step"]["properties"]
    assert set(schema["properties"]) == set(FIELDS)
    assert set(step) == set(STEP_FIELDS)
    assert set(step["retry"]["anyOf"][-1]["properties"]) == set(RETRY_FIELDS)
    assert set(step["wait"]["anyOf"][-1]["properties"]) == set(WAIT_FIELDS)


WORDS = st.sampled_from(
    ["", "search", "search@1", "1.0.0", "5s", "0s", "{{a}}", "steps[0].result", "fail", "a b"]
)
SIMPLE = WORDS | st.integers(min_value=-1, max_value=101) | st.booleans() | st.lists(WORDS, max_size=1)
STEP_VALUES: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(STEP_FIELDS, SIMPLE),
    "params": st.dictionaries(st.sampled_from("ab"), SIMPLE, max_size=1) | SIMPLE,
    "wait": st.fixed_dictionaries({}, optional=dict.fromkeys(WAIT_FIELDS, SIMPLE)) | SIMPLE,
    "retry": st.fixed_dictionaries({}, optional=dict.fromkeys(RETRY_FIELDS, SIMPLE)) | SIMPLE,
    "on_error": st.fixed_dictionaries({"compensate": st.just({"skill": "undo"}) | SIMPLE}) | SIMPLE,
    "parallel": st.just([{"skill": "a"}]) | st.just({"x": [{"skill": "a"}]}) | SIMPLE,
}
STEPS = st.sampled_from(["skill", "workflow", "wait", "parallel"]).flatmap(
    lambda kind: st.fixed_dictionaries(
        {kind: STEP_VALUES[kind]},
        optional={
            name: each
            for name, each in STEP_VALUES.items()
            if name
            in (
                "id",
                "when",
                "timeout",
                "retry",
                "on_error",
                "params",
                "version",
                "for_each",
                "approve",
                "concurrency",
            )
        },
    )
)
WORKFLOWS = st.fixed_dictionaries(
    {"name": st.just("book_flight") | WORDS, "steps": st.lists(STEPS, max_size=2)},
    optional={
        **dict.fromkeys(["description", "version", "timeout", "output"], SIMPLE),
        "triggers": st.lists(WORDS),
    },
)


@given(WORKFLOWS)
def test_what_the_reader_of_workflows_takes_our_schema_accepts(document: dict[str, Any]) -> None:
    taken = read_workflow(json.dumps(document).encode(), "it.yaml").workflow is not None
    assert OURS["workflow"].is_valid(document) or not taken


# -- the command


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_printed_as_a_schema(prowess: Run, name: str) -> None:
    ran = prowess("schema", name)
    assert (ran.status, ran.json) == (0, schema_of(name))
    jsonschema_rs.meta.validate(ran.json)


def test_a_document_is_held_against_our_schema(prowess: Run) -> None:
    assert prowess("schema", "plugin", EXAMPLES / "invoice-ops" / "plugin.json").status == 0
    negative = EXAMPLES / "invoice-ops" / "fixtures" / "negative"
    ran = prowess("schema", "mcp", negative / "entry-without-type" / "mcp.json", "--json")
    assert (ran.status, ran.json["accepts"]) == (1, {"prowess": False})
    assert ran.json["faults"]["prowess"][0]["pointer"] == "/mcpServers/invoice-guides"


def test_a_copy_that_the_user_has_is_run_too_and_a_difference_is_told(prowess: Run, tmp_path: Path) -> None:
    narrow = tmp_path / "official.json"
    narrow.write_text(json.dumps({"required": ["version"], "properties": {"name": {"maxLength": 3}}}))
    document = tmp_path / "plugin.json"
    document.write_text(json.dumps({"$schema": PLUGIN_SCHEMA, "name": "sample"}))
    ran = prowess("schema", "plugin", document, "--official", narrow, "--json")
    assert (ran.status, ran.json["accepts"]) == (1, {"prowess": True, "official": False})
    assert ran.json["faults"]["official"]
    assert "differ" in ran.err


def test_a_secret_in_a_document_is_not_repeated(prowess: Run, tmp_path: Path) -> None:
    document = tmp_path / "plugin.json"
    document.write_text(json.dumps({"$schema": PLUGIN_SCHEMA, "name": f"A {TOKEN}"}))
    ran = prowess("schema", "plugin", document)
    assert ran.status == 1
    assert TOKEN not in ran.out + ran.err


def test_a_workflow_is_read_as_yaml(prowess: Run, tmp_path: Path) -> None:
    document = tmp_path / "book.yaml"
    document.write_text("name: book\nsteps:\n  - skill: search\n    params: {to: '{{user.to}}'}\n")
    assert prowess("schema", "workflow", document).status == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["plugin", "missing.json"],
        ["plugin", "--official", "x.json"],
        ["plugin", "broken.json"],
        ["workflow", "broken.yaml"],
        ["plugin", "fine.json", "--official", "bad-schema.json"],
    ],
)
def test_what_cannot_be_answered_is_an_error(
    prowess: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "broken.yaml").write_text("a: [")
    (tmp_path / "fine.json").write_text("{}")
    (tmp_path / "bad-schema.json").write_text('{"type": "nonsense"}')
    ran = prowess("schema", *arguments)
    assert ran.status == 2
    assert ran.err


def test_there_is_no_schema_of_another_name() -> None:
    with pytest.raises(NotFound):
        schema_of("nonsense")
