"""Versions are data: a second table acts without a line of code."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from tests.spec.packages import loaded, rules, stdio

from prowess.source.judging import judge
from prowess.source.memory import MemorySource
from prowess.spec.model import Judgement
from prowess.spec.versions import SUPPORTED, V1_0_0

NEXT = dataclasses.replace(
    V1_0_0,
    version="7.0.0",
    plugin_schema="https://example.com/7.0.0/plugin.schema.json",
    mcp_schema="https://example.com/7.0.0/mcp.schema.json",
    manifest={**V1_0_0.manifest, "motto": "string"},
    required=("$schema", "name", "motto"),
    author=frozenset({"name", "pronouns"}),
    servers={"stdio": {**V1_0_0.servers["stdio"], "extra": "strings"}, "sse": V1_0_0.servers["sse"]},
    server_required={"stdio": ("command", "extra"), "sse": ("url",)},
)
BOTH = (V1_0_0, NEXT)


def judged(manifest: dict[str, Any], mcp_schema: str, entry: Any) -> Judgement:
    files = {
        "plugin.json": json.dumps({"name": "sample", **manifest}),
        "mcp.json": json.dumps({"$schema": mcp_schema, "mcpServers": {"it": entry}}),
    }
    return judge(MemorySource(files), versions=BOTH)


@pytest.mark.req("AP-5.2-4")
def test_a_version_that_is_added_as_a_table_is_judged_by_its_own_fields() -> None:
    manifest = {"$schema": NEXT.plugin_schema, "motto": "x", "author": {"pronouns": "they"}}
    found = judged(manifest, NEXT.mcp_schema, stdio(extra=["x"]))
    assert loaded(found) == ([], ["it"])
    assert found.plugin is not None
    assert found.plugin.manifest.spec == "7.0.0"
    assert found.plugin.manifest.metadata["motto"] == "x"


@pytest.mark.req("AP-5.2-4")
def test_the_fields_of_one_version_mean_nothing_in_another() -> None:
    found = judged({"$schema": V1_0_0.plugin_schema, "motto": 1}, V1_0_0.mcp_schema, stdio())
    assert loaded(found) == ([], ["it"])
    assert rules(found) == ["manifest-unknown-field"]
    found = judged({"$schema": NEXT.plugin_schema}, NEXT.mcp_schema, stdio())
    assert rules(found) == ["manifest-required-field"]


def test_the_server_variants_are_those_of_the_version() -> None:
    manifest = {"$schema": NEXT.plugin_schema, "motto": "x"}
    assert rules(judged(manifest, NEXT.mcp_schema, stdio())) == ["server-required-field"]
    http = {"type": "streamable-http", "url": "https://example.com/"}
    assert rules(judged(manifest, NEXT.mcp_schema, http)) == ["server-type-unknown"]


@pytest.mark.req("AP-7.2-3")
def test_both_documents_have_to_be_of_one_version() -> None:
    found = judged({"$schema": V1_0_0.plugin_schema}, NEXT.mcp_schema, stdio(extra=[]))
    assert loaded(found) == ([], [])
    assert rules(found) == ["mcp-version-mismatch"]
    found = judged({"$schema": NEXT.plugin_schema, "motto": "x"}, V1_0_0.mcp_schema, stdio())
    assert rules(found) == ["mcp-version-mismatch"]


def test_one_version_is_supported_today() -> None:
    assert [each.version for each in SUPPORTED] == ["1.0.0"]
