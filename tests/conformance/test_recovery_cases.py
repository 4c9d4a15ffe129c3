"""The public suite's cases of faults that cost one entry (its `recovery` and `invalid-mcp` plugins).

A faulty entry passes when it is skipped and reported, nothing of it ran or was contacted, and its
valid sibling answered.
"""

from __future__ import annotations

import pytest
from tests.conformance.bringing_up import Suite

BAD_STDIO = [
    pytest.param("cwd-form", marks=pytest.mark.conformance("mcp.stdio.cwd.invalid-form")),
    pytest.param("cwd-escape", marks=pytest.mark.conformance("mcp.stdio.cwd.plugin-relative-escape")),
    pytest.param("cwd-data-escape", marks=pytest.mark.conformance("mcp.stdio.cwd.plugin-data-escape")),
    pytest.param(
        "command-link", marks=pytest.mark.conformance("filesystem.containment.command-symlink-escape")
    ),
    pytest.param("cwd-link", marks=pytest.mark.conformance("filesystem.containment.cwd-symlink-escape")),
    pytest.param("unknown-field", marks=pytest.mark.conformance("mcp.stdio.config.unknown-field")),
    pytest.param("missing-type", marks=pytest.mark.conformance("mcp.config.missing-type")),
    pytest.param("reserved-root", marks=pytest.mark.conformance("mcp.stdio.env.reserved-plugin-root")),
    pytest.param("reserved-data", marks=pytest.mark.conformance("mcp.stdio.env.reserved-plugin-data")),
]
BAD_HTTP = [
    pytest.param("legacy-type", marks=pytest.mark.conformance("mcp.config.legacy-http-type")),
    pytest.param(
        "streamable-http-non-loopback",
        marks=pytest.mark.conformance("mcp.streamable-http.url.non-loopback-http"),
    ),
    pytest.param(
        "streamable-http-relative", marks=pytest.mark.conformance("mcp.streamable-http.url.relative")
    ),
    pytest.param(
        "streamable-http-fragment", marks=pytest.mark.conformance("mcp.streamable-http.url.fragment")
    ),
    pytest.param(
        "streamable-http-userinfo", marks=pytest.mark.conformance("mcp.streamable-http.url.userinfo")
    ),
    pytest.param(
        "streamable-http-duplicate",
        marks=pytest.mark.conformance("mcp.streamable-http.headers.duplicate-names"),
    ),
    pytest.param(
        "streamable-http-name", marks=pytest.mark.conformance("mcp.streamable-http.headers.invalid-name")
    ),
    pytest.param(
        "streamable-http-value", marks=pytest.mark.conformance("mcp.streamable-http.headers.invalid-value")
    ),
    pytest.param("sse-non-loopback", marks=pytest.mark.conformance("mcp.sse.url.non-loopback-http")),
    pytest.param("sse-relative", marks=pytest.mark.conformance("mcp.sse.url.relative")),
    pytest.param("sse-fragment", marks=pytest.mark.conformance("mcp.sse.url.fragment")),
    pytest.param("sse-userinfo", marks=pytest.mark.conformance("mcp.sse.url.userinfo")),
    pytest.param("sse-duplicate", marks=pytest.mark.conformance("mcp.sse.headers.duplicate-names")),
    pytest.param("sse-name", marks=pytest.mark.conformance("mcp.sse.headers.invalid-name")),
    pytest.param("sse-value", marks=pytest.mark.conformance("mcp.sse.headers.invalid-value")),
]


@pytest.mark.req("AP-7.2-4", "AP-7.2-6", "AP-7.2-7", "AP-4.1-8")
@pytest.mark.parametrize("server", BAD_STDIO)
def test_a_faulty_stdio_entry_is_skipped_and_never_started(suite: Suite, server: str) -> None:
    assert f"mcp.json#{server}" in suite.recovery.skipped
    assert server not in suite.recovery.offers
    assert suite.recovery.started == {"valid"}


@pytest.mark.req("AP-7.2-4", "AP-7.2-8", "AP-7.2-9")
@pytest.mark.parametrize("server", BAD_HTTP)
def test_a_faulty_http_entry_is_skipped_and_never_contacted(suite: Suite, server: str) -> None:
    assert f"mcp.json#{server}" in suite.recovery.skipped
    assert server not in suite.recovery.offers
    assert suite.recovery_requests == 0


@pytest.mark.req("AP-11-2", "AP-7.2-13")
@pytest.mark.conformance("mcp.stdio.recovery.valid-server-available")
def test_the_valid_server_among_faulty_ones_answers(suite: Suite) -> None:
    assert set(suite.recovery.offers) == {"valid"}
    assert suite.recovery.observations["valid"]["server"] == "valid"


@pytest.mark.req("AP-7.1-2", "AP-5.2-2", "AP-8.1-1")
@pytest.mark.conformance("skills.recovery.valid-skill-available")
def test_the_valid_skill_loads_beside_a_faulty_one_and_an_odd_manifest(suite: Suite) -> None:
    assert suite.recovery.skills == ["conformance-recovery-valid"]
    assert "skills/conformance-recovery-invalid" in suite.recovery.skipped
    assert suite.recovery.judgement.reported == ("extensions", "fancy")


@pytest.mark.req("AP-7.2-2", "AP-11-2")
@pytest.mark.conformance("skills.recovery.invalid-mcp-document")
def test_a_malformed_mcp_document_costs_the_servers_and_not_the_skills(suite: Suite) -> None:
    assert suite.invalid_mcp.skills == ["conformance-invalid-mcp-valid"]
    assert suite.invalid_mcp.skipped == {"mcp.json"}
    assert not suite.invalid_mcp.offers
