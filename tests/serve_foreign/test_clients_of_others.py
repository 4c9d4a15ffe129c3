"""Clients that others wrote list and call everything, over stdio and HTTP, in either era.

Each is a program of its own: it goes through the same exercise and prints what it found as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from tests.bounds import bound
from tests.serve_foreign.clients import install
from tests.serve_foreign.everything import PLAN, TOKEN, configured
from tests.serve_foreign.servers import offer
from tests.serve_foreign.standing import HERE, Standing, serve_command

CLIENTS = HERE / "clients"
MODERN, LEGACY = "2026-07-28", "2025-11-25"
VERSIONS = {"auto": MODERN, "legacy": LEGACY, MODERN: MODERN, "1.x": LEGACY}
REFERENCE = {
    "test_simple_text": "This is a simple text response for testing.",
    "test_multiple_content_types": "Multiple content types test:",
    "test_error_handling": "This tool intentionally returns an error for testing",
    "test_tool_with_progress": "Done in three steps",
    "test_region_header": "Looked in eu-west",
    "test_sampling": "LLM response: the model said this",
    "test_elicitation": "Elicitation completed: action=accept, "
    'content={"email": "ann@example.com", "username": "ann"}',
    "test_input_required_result_list_roots": "Roots: file:///home/ann/books",
    "test_input_required_result_multi_round": "ann likes blue",
    "test_input_required_result_tampered_state": "The state came back as it was",
    "test_reconnection": "This was waiting for you",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A prowess.toml with one of everything, and the URL of a gateway that serves it."""

    config: Path
    url: str


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patched:
        patched.setenv("OUTBOX_TOKEN", TOKEN)
        standing = Standing(tmp_path_factory.mktemp("served"), stack)
        config = configured(standing)
        yield Served(config=config, url=standing.gateway_http(config))


def report_of(program: list[str], mode: str, way: str, served: Served) -> dict[str, Any]:
    """What a client found."""
    target = [served.url] if way == "http" else serve_command(served.config)
    plan = json.dumps({**PLAN, "given_up": uuid4().hex})
    done = subprocess.run(
        [*program, plan, mode, *target],
        capture_output=True,
        encoding="utf-8",
        timeout=bound(50),
        env={**install.environment(), "OUTBOX_TOKEN": TOKEN},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def insist_on_everything(report: dict[str, Any], version: str) -> None:
    """Everything was listed, called, got and read, and answered as its own server does."""
    assert report["version"] == version
    called = report["called"]
    assert [name for name, each in called.items() if each["failed"]] == [named(called, "test_error_handling")]
    for name, text in REFERENCE.items():
        assert called[named(called, name)]["text"] == text
    mirrored = {each["text"] for name, each in called.items() if name.startswith("suite_mirror_")}
    assert mirrored - {""} == {each["name"] for each in offer.TOOLS} - {"state", "go", "change"}
    assert json.loads(called["units__search_cities"]["text"])["result"] == ["Lagos", "Oslo", "Osaka"]
    assert json.loads(called["units__query_weather"]["text"])["temperature"] == 4
    assert "id" in json.loads(called["units__send_email"]["text"])
    prompts = report["prompts"]
    assert prompts["none"] == -32602
    assert prompts["content__analyze-report"].startswith("Fetch the report R-7 ")
    assert "First count what is open." in prompts["month-end"]
    arguments = "Prompt with arguments: arg1='one', arg2='two'"
    assert prompts[named(prompts, "test_prompt_with_arguments")] == arguments
    context = "Work with this context: books"
    assert prompts[named(prompts, "test_input_required_result_prompt")] == context
    read = report["read"]
    assert read["test://static-text"] == ["This is the content of the static text resource."]
    assert read["embedded:guide/section/errors"][0].startswith("# Errors")
    assert json.loads(read["test://template/42/data"][0])["id"] == "42"
    assert {each["uri"] for each in offer.RESOURCES} <= read.keys()
    assert report["completed"] == ["Fran\u00e7ais"]
    assert report["progress"] == [0, 50, 100]
    assert report["cancelled"] is True


def named(found: dict[str, Any], own: str) -> str:
    """What the reference server's tool or prompt is called here."""
    (name,) = [each for each in found if each == f"suite_reference__{own}"]
    return name


def ways(*modes: str) -> list[Any]:
    """Every mode over both transports; the first of them over HTTP is quick enough to be run always."""
    pairs = [(mode, way) for mode in modes for way in ("http", "stdio")]
    return [pairs[0], *(pytest.param(*each, marks=pytest.mark.slow) for each in pairs[1:])]


@pytest.mark.parametrize(("mode", "way"), ways("auto", "legacy", MODERN))
def test_the_python_sdk_s_client_uses_everything(served: Served, mode: str, way: str) -> None:
    program = [sys.executable, str(CLIENTS / "python_sdk.py")]
    insist_on_everything(report_of(program, mode, way, served), VERSIONS[mode])


@pytest.mark.parametrize(("mode", "way"), ways("auto", "legacy", MODERN))
def test_fastmcp_s_client_uses_everything(served: Served, mode: str, way: str) -> None:
    if not install.FASTMCP.exists():
        pytest.skip("needs fastmcp (make clients)")
    program = [str(install.FASTMCP), str(CLIENTS / "fastmcp_client.py")]
    insist_on_everything(report_of(program, mode, way, served), VERSIONS[mode])


@pytest.mark.parametrize(("mode", "way"), ways("auto", "1.x", "legacy", MODERN))
def test_the_typescript_sdk_s_client_uses_everything(served: Served, mode: str, way: str) -> None:
    node = install.node()
    if node is None or not install.complete():
        pytest.skip("needs node and the clients of the TypeScript SDK (make clients)")
    report = report_of([node, str(CLIENTS / "typescript.mjs")], mode, way, served)
    insist_on_everything(report, VERSIONS[mode])
    if VERSIONS[mode] == MODERN:
        # Its client of the skills extension lists the skill and verifies what it reads.
        skill = {"uri": "skill://month-end/SKILL.md", "verified": True, "body": "First count what is open.\n"}
        assert report["skill"] == skill
