"""Faults that only a strange source or a strange document shows."""

from __future__ import annotations

import json

import pytest
from tests.spec.packages import MCP_SCHEMA, manifest, skill

from prowess.source.judging import judge
from prowess.source.memory import MemorySource
from prowess.spec.questions import Failure, Listing
from prowess.spec.toml_lines import lines_of


class Unlistable(MemorySource):
    """A source whose `skills` is a directory that cannot be listed."""

    def list(self, path: str) -> Listing | Failure:
        return Failure("unreadable", "Permission denied") if path == "skills" else super().list(path)


@pytest.mark.req("AP-6.2-2")
def test_a_skills_directory_that_cannot_be_listed_disables_skills_alone() -> None:
    source = Unlistable({"plugin.json": manifest(), "skills/count/SKILL.md": skill("count")})
    judgement = judge(source)
    assert judgement.rejected is None
    assert [each.rule for each in judgement.skipped] == ["skills-unreadable"]


@pytest.mark.parametrize("field", ["tools", "status"])
def test_run_time_state_beside_the_servers_disables_mcp_and_says_where_it_belongs(field: str) -> None:
    document = json.dumps({"$schema": MCP_SCHEMA, "mcpServers": {}, field: []})
    found = judge(MemorySource({"plugin.json": manifest(), "mcp.json": document})).skipped
    assert [each.rule for each in found] == ["mcp-unknown-field"]
    assert "tools/list" in found[0].hint or "run" in found[0].hint


def test_a_quoted_key_with_an_escape_of_tomls_own_keeps_its_text() -> None:
    assert lines_of('"\\U0001F600" = 1\n') == {('"\\U0001F600"',): 1}
