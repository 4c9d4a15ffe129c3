"""Our verdicts against the published JSON Schemas, where these are at hand.

The schemas say less than the specification's text (containment, URLs, headers, duplicates), so the
comparison is exact for the manifest and one-sided for server entries. The project ships no copy of
them; without one the properties hold trivially.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.spec.packages import MCP_SCHEMA, SCHEMA

from prowess.spec.diagnostics import Reach
from prowess.spec.manifest import judge_manifest
from prowess.spec.servers import judge_servers
from prowess.spec.versions import SUPPORTED, V1_0_0

PLACES = [parent / "shared" / "spec" for parent in Path(__file__).resolve().parents]
SCHEMAS = next((place for place in PLACES if place.is_dir()), None)
TOLERATED = {"manifest-unknown-field", "manifest-extensions-not-object"}

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.sampled_from(["", "a", "sample", "./x", "https://e.org"])
)
ANY = (
    SCALARS | st.lists(SCALARS, max_size=2) | st.dictionaries(st.sampled_from(["name", "url", "x"]), SCALARS)
)
NAMES = st.text(alphabet="ab-.A0\n", max_size=6) | st.sampled_from(["a" * 64, "a" * 65])
MANIFESTS = st.fixed_dictionaries(
    {},
    optional={
        "$schema": st.sampled_from([SCHEMA, SCHEMA, SCHEMA, MCP_SCHEMA, "", None]),
        "name": NAMES | st.just("sample") | ANY,
        **dict.fromkeys(["version", "license", "homepage"], st.just("x") | ANY),
        "author": st.dictionaries(st.sampled_from(["name", "email", "x"]), st.just("x") | ANY) | ANY,
        "keywords": st.lists(st.just("x") | SCALARS, max_size=2) | ANY,
        "extensions": st.dictionaries(st.sampled_from(["com.example.a", "b"]), st.just({}) | ANY) | ANY,
        "unknown": ANY,
    },
)
ENTRIES = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["stdio", "stdio", "streamable-http", "sse", "http", 1]),
        "command": st.sampled_from(["npx", "./x", "", 1]),
        "args": st.lists(st.just("x") | SCALARS, max_size=2) | ANY,
        "env": st.dictionaries(st.sampled_from(["A", "B", "PLUGIN_ROOT"]), st.just("x") | SCALARS) | ANY,
        "cwd": st.sampled_from(["./", "./x", "${PLUGIN_ROOT}", "${PLUGIN_DATA}/x", "x", "", "/x", None]),
        "url": st.sampled_from(["https://example.com/mcp", "", 1]),
        "headers": st.dictionaries(st.sampled_from(["A", "B"]), st.just("x") | SCALARS) | ANY,
        "other": SCALARS,
    },
)


def validator(name: str) -> Any:
    if SCHEMAS is None:
        return None
    return jsonschema_rs.validator_for(json.loads((SCHEMAS / name).read_text()))


PLUGIN = validator("plugin.schema.json")
MCP = validator("mcp.schema.json")


@pytest.mark.req("AP-5.2-2", "AP-5.2-3", "AP-5.4-1")
@given(MANIFESTS)
def test_a_manifest_is_clean_exactly_where_the_published_schema_accepts_it(manifest: dict[str, Any]) -> None:
    verdict = judge_manifest(json.dumps(manifest).encode(), SUPPORTED)
    faults = [each for each in verdict.diagnostics if each.reach is not Reach.ADVICE]
    if PLUGIN is not None and not str(manifest.get("name", "")).endswith("\n"):
        assert PLUGIN.is_valid(manifest) == (not faults)
    assert (verdict.manifest is None) == any(each.rule not in TOLERATED for each in faults)


@pytest.mark.req("AP-7.2-4")
@given(ENTRIES)
def test_an_entry_that_loads_is_one_that_the_published_schema_accepts(entry: dict[str, Any]) -> None:
    document = {"$schema": MCP_SCHEMA, "mcpServers": {"it": entry}}
    verdict = judge_servers(json.dumps(document).encode(), V1_0_0, SUPPORTED)
    assert bool(verdict.servers) != any(each.reach is Reach.ENTRY for each in verdict.diagnostics)
    if MCP is not None:
        assert MCP.is_valid(document) == bool(verdict.servers)
