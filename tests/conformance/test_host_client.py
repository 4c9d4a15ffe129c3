"""The client that the public MCP suite tests, run as the suite runs it, against servers of ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conformance.client_side.arguments import arguments_for, without_nulls
from tests.credentials.servers.authorizing import Authorizing, authorizing
from tests.link.servers.web import Web, serving

from prowess.capability.offer import Tool
from prowess.provider import Problem

SCRIPT = Path(__file__).parents[2] / "conformance" / "host_client.py"


@pytest.fixture
def web() -> Iterator[Web]:
    with serving(Web()) as web:
        yield web


@pytest.fixture
def server() -> Iterator[Authorizing]:
    with authorizing() as server:
        yield server


def run(url: str, scenario: str, **context: Any) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "MCP_CONFORMANCE_SCENARIO": scenario}
    if context:
        env["MCP_CONFORMANCE_CONTEXT"] = json.dumps({"name": scenario, **context})
    command = [sys.executable, str(SCRIPT), url]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=50, check=False)


def test_every_tool_is_called_or_those_that_the_suite_names(web: Web) -> None:
    calls = [{"name": "echo", "arguments": {"region": "eu", "more": None}}, {"name": "echo", "arguments": {}}]
    for context, regions in (({}, [None]), ({"toolCalls": calls}, [None, "eu", None])):
        done = run(f"{web.url}/mcp", "http-custom-headers", **context)
        assert done.returncode == 0, done.stderr
        seen = [headers.get("mcp-param-region") for *_, headers, method in web.seen if method == "tools/call"]
        assert seen == regions


def test_it_signs_in_and_signs_in_for_more(server: Authorizing) -> None:
    server.wanted = "ledger"
    done = run(server.url, "auth/scope-step-up")
    assert done.returncode == 0, done.stderr
    assert [each.scopes for each in server.asked] == [["books"], ["books", "ledger"]]


@pytest.mark.slow  # two more processes
def test_what_fails_is_said_with_another_status(server: Authorizing) -> None:
    server.refuse = "access_denied"
    done = run(server.url, "auth/metadata-default")
    assert done.returncode == 1 and "access_denied" in done.stderr
    assert run("http://127.0.0.1:9/mcp", "tools_call").returncode == 1


def test_arguments_are_made_up_from_a_schema_and_corrected_after_a_refusal() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": ["string", "null"]}, "c": {}},
        "required": ["a", "b", "d"],
    }
    tool = Tool(server="s", wire={"name": "t", "inputSchema": schema})
    assert arguments_for(tool, [tool]) == {"a": 1, "b": "text", "d": "text"}
    refused = [Problem(path="/x", rule="type", expected="", received="null", hint="")]
    assert without_nulls({"x": None, "y": None, "z": 1}, refused) == {"y": None, "z": 1}
