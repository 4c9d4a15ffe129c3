"""One of everything behind one gateway: the reference server, the mirror, units, content and a skill."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

from tests.serve_foreign.standing import ROOT, Standing, package, stdio_server

TOKEN = "a-token-of-the-outbox"
CONFIG = """\
format = 1

[plugins]
suite = "suite"

[units]
paths = ["units"]

[units.origins."{outbox}"]
credential = "outbox"
units = ["send_email"]

[credentials.outbox]
tokens = [{{ env = "OUTBOX_TOKEN" }}]

[content]
paths = ["guides"]
"""
SKILL = """\
---
name: month-end
description: Closes the books of a month, step by step.
---
First count what is open.
"""
NAME = {"to": "kim@example.com", "subject": "Invoice 41", "body": "It is paid."}
# What every client does. Arguments are by a tool's own name; what is not here is called with none.
PLAN: dict[str, Any] = {
    "arguments": {
        "test_sampling": {"prompt": "Say something"},
        "test_elicitation": {"message": "Who are you?"},
        "test_region_header": {"region": "eu-west", "query": "x"},
        "json_schema_2020_12_tool": {"name": "n", "contactMethod": "phone", "phone": "1"},
        "go": {"name": "nobody waits"},
        "change": {"kind": "prompts"},
        "send_email": NAME,
        "query_weather": {"city": "Oslo"},
        "search_cities": {"text": "os"},
    },
    "prompts": {
        "test_prompt_with_arguments": {"arg1": "one", "arg2": "two"},
        "test_prompt_with_embedded_resource": {"resourceUri": "test://x"},
        "analyze-report": {"report_id": "R-7"},
        "zebra": {"a": "x"},
    },
    "expansions": {
        "test://template/{id}/data": "test://template/42/data",
        "embedded:guide/section/{section}": "embedded:guide/section/errors",
        "thing://{kind}/{+path}{?q,r*}": "thing://k/a/b?q=1",
        "other://{id}": "other://7",
    },
    "passing": ["test_tool_that_comes_and_goes", "test_prompt_that_comes_and_goes"],
    "progress": "test_tool_with_progress",
    "waits": "do",
    "state": "state",
    "completion": {"prompt": "content__analyze-report", "argument": "language", "value": "f"},
    "person": {
        "username": "ann",
        "email": "ann@example.com",
        "name": "ann",
        "ok": True,
        "color": "blue",
        "context": "books",
    },
    "model": "the model said this",
    "root": "file:///home/ann/books",
}


def configured(standing: Standing) -> Path:
    """A prowess.toml with all of it; the services that the units use are running."""
    place = standing.place / "everything"
    weather, outbox = (_service(standing, name) for name in ("weather_server.py", "outbox_server.py"))
    shutil.copytree(ROOT / "examples" / "guides", place / "guides")
    shutil.copytree(
        ROOT / "examples" / "units", place / "units", ignore=shutil.ignore_patterns("__pycache__")
    )
    (place / "units" / "prowess.toml").unlink()
    for name in ("weather_server.py", "outbox_server.py"):
        (place / "units" / name).unlink()
    for file in [*place.glob("units/**/*.py"), *place.glob("units/**/*.json")]:
        text = file.read_text().replace("127.0.0.1:18932", weather).replace("127.0.0.1:18933", outbox)
        file.write_text(text)
    suite = place / "suite"
    package(suite, {"reference": _reference(suite), "mirror": stdio_server(suite, "mirror")}, name="suite")
    skill = suite / "skills" / "month-end" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(SKILL)
    config = place / "prowess.toml"
    config.write_text(CONFIG.format(outbox=f"http://{outbox}"))
    return config


def _service(standing: Standing, name: str) -> str:
    """Host and port of one of the examples' services."""
    command = [sys.executable, str(ROOT / "examples" / "units" / name), "--port", "0"]
    process = standing.start(command, environment={"OUTBOX_TOKEN": TOKEN})
    assert process.stdout is not None
    return process.stdout.readline().decode().strip().rpartition("http://")[2].rstrip("/")


def _reference(folder: Path) -> dict[str, str]:
    program = folder / "bin" / "reference"
    program.parent.mkdir(parents=True)
    line = [sys.executable, str(ROOT / "conformance" / "reference_server.py"), "--stdio"]
    program.write_text(f"#!/bin/sh\nexec {shlex.join(line)}\n")
    program.chmod(0o755)
    return {"type": "stdio", "command": "./bin/reference"}
