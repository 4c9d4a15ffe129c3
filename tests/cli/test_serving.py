"""`prowess serve`: its options take the place of `[serve]`, and the API stands beside the endpoint."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.bounds import bound

from prowess.cli import main, serve
from prowess.cli.parsing import verb_parser

UNITS = str(Path(__file__).parents[2] / "examples" / "units")


def section(folder: Path, *options: str) -> Any:
    (folder / "prowess.toml").write_text('[serve]\nnames = "qualified"\nidle_seconds = 5\n')
    return serve._section(verb_parser("serve", serve).parse_args([str(folder), *options]))


def test_what_is_not_given_stays_as_the_file_says(tmp_path: Path) -> None:
    found = section(tmp_path)
    assert (found.names, found.idle_seconds, found.expose) == ("qualified", 5, "all")


def test_what_is_given_takes_its_place(tmp_path: Path) -> None:
    given = [
        "--names",
        "raw",
        "--expose",
        "search",
        "--core",
        "a",
        "--core",
        "b",
        "--budget",
        "9",
        "--idle",
        "0",
    ]
    found = section(tmp_path, *given)
    assert (found.names, found.expose, found.core) == ("raw", "search", ("a", "b"))
    assert (found.budget, found.idle_seconds) == (9, 0)


@pytest.mark.parametrize(
    "options",
    [
        ["--core", "a"],
        ["--budget", "0"],
        ["--idle", "-1"],
        ["--api", "--stdio"],
        ["--stdio", "--http", "127.0.0.1:0"],
        ["--workers", "2"],
        ["--workers", "0", "--http", "127.0.0.1:0"],
        ["--http", "nowhere"],
        ["--http", "0.0.0.0:0"],
    ],
)
def test_options_that_make_no_sense_are_refused_before_anything_starts(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", UNITS, *options]) == 2
    assert "hint:" in capsys.readouterr().err


@contextmanager
def serving(*options: str) -> Iterator[str]:
    """The origin that a real `prowess serve` says it answers at."""
    process = subprocess.Popen(
        [sys.executable, "-m", "prowess", "serve", UNITS, *options],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONWARNINGS": "error"},
        text=True,
    )
    assert process.stderr is not None
    try:
        said = next(line for line in process.stderr if "ready at" in line)
        found = re.search(r"(http://\S+)/mcp", said)
        assert found is not None
        yield found[1]
    finally:
        process.terminate()
        process.stderr.close()
        assert process.wait(bound(20)) == 128 + 15


def test_the_api_stands_beside_the_endpoint_on_one_port() -> None:
    with serving("--api", "--http", "127.0.0.1:0") as origin:
        with urllib.request.urlopen(f"{origin}/skills", timeout=bound(10)) as answer:
            skills = json.load(answer)["skills"]
        body = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/list",
            "params": {
                "_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {},
                }
            },
        }
        asked = urllib.request.Request(
            f"{origin}/mcp",
            json.dumps(body).encode(),
            {
                "content-type": "application/json",
                "accept": "application/json, text/event-stream",
                "mcp-protocol-version": "2026-07-28",
                "mcp-method": "tools/list",
            },
        )
        with urllib.request.urlopen(asked, timeout=bound(10)) as answer:
            tools = json.load(answer)["result"]["tools"]
    assert [each["name"] for each in skills] == [each["name"] for each in tools]
