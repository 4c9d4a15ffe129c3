"""`plugin.json`: the closed field set, what is fatal, what is told and ignored."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.spec.packages import MCP_SCHEMA, SCHEMA, judged, loaded, mcp, only, rules, skill, stdio

from prowess.source.judging import judge
from prowess.source.memory import MemorySource
from prowess.spec.diagnostics import Reach
from prowess.spec.model import Judgement
from prowess.spec.names import name_problem, suggested_name

PARTS = {"skills/count-lines/SKILL.md": skill("count-lines"), "mcp.json": mcp({"good": stdio()})}


def raw(text: str | bytes) -> Judgement:
    return judge(MemorySource({"plugin.json": text, **PARTS}))


@pytest.mark.req("AP-5.2-1", "AP-5.2-3")
@pytest.mark.parametrize("text", ["[]", '"x"', "null", "1", "true"])
def test_a_manifest_that_is_no_object_rejects_the_plugin(text: str) -> None:
    found = raw(text)
    assert found.plugin is None
    assert rules(found) == ["manifest-not-object"]


@pytest.mark.req("AP-5.2-1")
@pytest.mark.parametrize("text", ["", "{", "{}x", '{"name": "a",}', "\ufeff\ufeff{}"])
def test_a_manifest_that_is_no_json_rejects_the_plugin(text: str) -> None:
    assert rules(raw(text)) == ["manifest-malformed"]


def test_a_malformed_manifest_says_the_line() -> None:
    place = only(raw('{\n\n"name": }'), "manifest-malformed").place
    assert (place.file, place.line) == ("plugin.json", 3)


def test_a_byte_order_mark_is_noted_and_the_plugin_loads() -> None:
    found = raw(b"\xef\xbb\xbf" + json.dumps({"$schema": SCHEMA, "name": "sample"}).encode())
    assert loaded(found) == (["count-lines"], ["good"])
    assert only(found, "json-byte-order-mark").reach is Reach.NOTE


@pytest.mark.req("AP-5.2-2")
def test_each_unknown_field_is_reported_and_ignored() -> None:
    found = judged(PARTS, zeta=1, alpha={"name": "other"}, Name="Other")
    assert loaded(found) == (["count-lines"], ["good"])
    assert found.reported == ("Name", "alpha", "zeta")
    assert found.plugin is not None
    assert found.plugin.manifest.name == "sample"
    assert "alpha" not in found.plugin.manifest.metadata


@pytest.mark.req("AP-5.2-2", "AP-6.1-1", "AP-7.2-1")
def test_components_named_in_the_manifest_have_no_meaning() -> None:
    found = judged(
        {"elsewhere/other/SKILL.md": skill("other"), **PARTS},
        skills=["./elsewhere"],
        mcpServers={"inline": stdio()},
    )
    assert loaded(found) == (["count-lines"], ["good"])
    assert found.reported == ("mcpServers", "skills")


@pytest.mark.parametrize(
    "field", ["skills", "mcpServers", "hooks", "tools", "status", "inputSchema", "loaded"]
)
def test_fields_of_other_places_have_a_hint_of_their_own(field: str) -> None:
    hint = only(judged(**{field: []}), "manifest-unknown-field").hint
    assert hint
    assert hint != only(judged(whatever=[]), "manifest-unknown-field").hint


@pytest.mark.req("AP-5.2-4")
@pytest.mark.parametrize(
    "identifier",
    [
        SCHEMA + "\n",
        SCHEMA + "/",
        SCHEMA.replace("https", "http"),
        SCHEMA.replace("1.0.0", "9.0.0"),
        SCHEMA.upper(),
        MCP_SCHEMA,
        "https://json.schemastore.org/claude-code-plugin-manifest.json",
        " ",
    ],
)
def test_an_unsupported_version_rejects_and_is_named(identifier: str) -> None:
    found = judged(PARTS, **{"$schema": identifier})
    assert found.plugin is None
    assert rules(found) == ["manifest-unsupported-version"]


@pytest.mark.req("AP-5.3-1")
@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({}, ["$schema", "name"]),
        ({"$schema": SCHEMA}, ["name"]),
        ({"name": "sample"}, ["$schema"]),
        ({"$schema": "", "name": ""}, ["$schema", "name"]),
        ({"$schema": None, "name": 1}, ["$schema", "name"]),
        ({"$schema": [SCHEMA], "name": {}}, ["$schema", "name"]),
    ],
)
def test_every_faulty_required_field_is_reported(fields: dict[str, Any], named: list[str]) -> None:
    found = raw(json.dumps(fields))
    assert found.plugin is None
    assert rules(found) == ["manifest-required-field"] * len(named)
    assert [name for name in named if any(name in each.message for each in found.diagnostics)] == named


@pytest.mark.req("AP-5.4-1", "AP-5.2-3")
@pytest.mark.parametrize("field", ["version", "description", "homepage", "repository", "license"])
@pytest.mark.parametrize("value", [None, 1, True, [], {}])
def test_text_fields_of_another_type_reject(field: str, value: Any) -> None:
    found = judged(PARTS, **{field: value})
    assert found.plugin is None
    assert only(found, "manifest-field-type").place.pointer == f"/{field}"


@pytest.mark.req("AP-5.4-1")
@pytest.mark.parametrize(
    "fields",
    [
        {"keywords": "one"},
        {"keywords": ["one", 2]},
        {"keywords": None},
        {"author": "A"},
        {"author": None},
        {"author": ["A"]},
        {"author": {"name": 1}},
        {"author": {"name": "A", "email": None}},
    ],
)
def test_keywords_and_author_of_another_type_reject(fields: dict[str, Any]) -> None:
    found = judged(PARTS, **fields)
    assert found.plugin is None
    assert set(rules(found)) == {"manifest-field-type"}


@pytest.mark.req("AP-5.4-1")
def test_an_author_holds_only_name_email_and_url() -> None:
    assert judged(author={}).plugin is not None
    found = judged(author={"name": "A", "phone": "1"})
    assert found.plugin is None
    assert only(found, "manifest-author-field").place.pointer == "/author/phone"


@pytest.mark.req("AP-5.4-2")
@pytest.mark.parametrize(
    "fields",
    [
        {"version": "latest"},
        {"version": ""},
        {"version": "1.0"},
        {"homepage": "not a url", "repository": "", "author": {"url": "::", "email": "nobody"}},
        {"license": "Do what you like"},
        {"description": ""},
        {"keywords": [""]},
    ],
)
def test_odd_metadata_never_rejects(fields: dict[str, Any]) -> None:
    found = judged(PARTS, **fields)
    assert loaded(found) == (["count-lines"], ["good"])
    assert all(each.reach is Reach.ADVICE for each in found.diagnostics)


def test_semver_gives_no_advice() -> None:
    for version in ("0.0.0", "1.2.3", "1.2.3-rc.1+build.5", "10.20.30"):
        assert rules(judged(version=version)) == []
    for version in ("v1.2.3", "1.2", "01.2.3", "1.2.3\n"):
        assert rules(judged(version=version)) == ["manifest-version-not-semver"]


def test_declared_metadata_is_kept_as_given() -> None:
    plugin = judged(version="1.2.0", license="MIT", author={"name": "A"}, keywords=["x"]).plugin
    assert plugin is not None
    assert plugin.manifest.version == "1.2.0"
    assert plugin.manifest.spec == "1.0.0"
    assert plugin.manifest.metadata == {"license": "MIT", "author": {"name": "A"}, "keywords": ["x"]}


VALID_NAMES = ["a", "0", "my-plugin", "acme.tools", "lint3r", "a-.b", "a.-b", "a" * 64]
INVALID_NAMES = [
    "My-Plugin",
    "-start",
    "end-",
    ".start",
    "end.",
    "has--double",
    "too.many..dots",
    "a" * 65,
    "a_b",
    "a b",
    "caf\u00e9",
    "\u0661",
    "a\n",
    "\na",
    "a\0",
    "a/b",
]


@pytest.mark.req("AP-5.5-1")
@pytest.mark.parametrize("name", VALID_NAMES)
def test_a_valid_name_loads(name: str) -> None:
    assert judged(name=name).plugin is not None


@pytest.mark.req("AP-5.5-1", "AP-5.2-3")
@pytest.mark.parametrize("name", INVALID_NAMES)
def test_an_invalid_name_rejects(name: str) -> None:
    found = judged(PARTS, name=name)
    assert found.plugin is None
    assert rules(found) == ["manifest-name-invalid"]


def test_a_name_in_capitals_is_suggested_in_lower_case() -> None:
    assert "invoice-ops" in only(judged(name="Invoice-Ops"), "manifest-name-invalid").hint


@given(st.text(max_size=80))
def test_a_suggested_name_is_valid(name: str) -> None:
    better = suggested_name(name)
    assert better is None or name_problem(better) is None


@pytest.mark.req("AP-8.1-1")
@pytest.mark.parametrize("value", ["on", None, 1, True, []])
def test_extensions_that_is_no_object_is_reported_and_ignored(value: Any) -> None:
    found = judged(PARTS, extensions=value)
    assert loaded(found) == (["count-lines"], ["good"])
    assert found.reported == ("extensions",)
    assert found.plugin is not None
    assert "extensions" not in found.plugin.manifest.metadata


@pytest.mark.req("AP-8.1-1", "AP-5.2-3")
@pytest.mark.parametrize("member", ["on", None, 1, []])
def test_an_extension_that_is_no_object_rejects(member: Any) -> None:
    found = judged(PARTS, extensions={"com.example.client": {}, "com.example.other": member})
    assert found.plugin is None
    assert only(found, "manifest-extension-not-object").place.pointer == "/extensions/com.example.other"


@pytest.mark.req("AP-8.1-2")
def test_the_inside_of_an_extension_is_not_judged() -> None:
    found = judged(PARTS, extensions={"com.example.client": {"name": 1, "mcpServers": None}, "no dots": {}})
    assert loaded(found) == (["count-lines"], ["good"])
    assert rules(found) == []


def with_duplicate(members: str) -> Judgement:
    return raw(f'{{"$schema": "{SCHEMA}", "name": "sample"{members}}}')


@pytest.mark.req("AP-5.2-1", "AP-5.2-3")
@pytest.mark.parametrize(
    ("members", "pointer"),
    [
        (', "name": "sample"', "/name"),
        (f', "$schema": "{SCHEMA}"', "/$schema"),
        (', "author": {"name": "A", "name": "A"}', "/author/name"),
        (', "keywords": [{"a": 1, "a": 1}]', "/keywords/0/a"),
        (', "extensions": {}, "extensions": {}', "/extensions"),
    ],
)
def test_a_known_field_that_stands_twice_rejects(members: str, pointer: str) -> None:
    found = with_duplicate(members)
    assert found.plugin is None
    assert only(found, "manifest-duplicate-field").place.pointer == pointer


@pytest.mark.parametrize(
    ("members", "pointer"),
    [
        (', "other": 1, "other": 2', "/other"),
        (', "other": {"deep": [{"a": 1, "a": 2}]}', "/other/deep/0/a"),
        (', "extensions": {"com.example.a": {}, "com.example.a": {}}', "/extensions/com.example.a"),
        (', "extensions": {"com.example.a": {"b": 1, "b": 2}}', "/extensions/com.example.a/b"),
    ],
)
def test_a_duplicate_in_what_is_ignored_is_only_told(members: str, pointer: str) -> None:
    found = with_duplicate(members)
    assert loaded(found) == (["count-lines"], ["good"])
    assert only(found, "manifest-duplicate-ignored").place.pointer == pointer


def test_text_of_the_package_is_shown_without_control_characters() -> None:
    found = judged(name="\x1b[2J\u202e", **{"\x07field": 1})
    assert all(each.message.isprintable() and each.hint.isprintable() for each in found.diagnostics)


def test_all_problems_are_reported_at_once() -> None:
    found = judged(name="BAD", version=1, keywords=[1], author={"x": 1}, extensions={"a": 1}, other=1)
    assert rules(found) == [
        "manifest-name-invalid",
        "manifest-field-type",
        "manifest-field-type",
        "manifest-author-field",
        "manifest-extension-not-object",
        "manifest-unknown-field",
    ]
