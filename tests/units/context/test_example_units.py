"""The units of `examples/units`, against the services that stand beside them."""

from __future__ import annotations

import ast
import json
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from prowess.host import Host
from prowess.provider import Answered, ToolFailed

pytestmark = pytest.mark.anyio

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "units"
PORTS = {"weather_server.py": "18932", "outbox_server.py": "18933"}
TOKEN = "outbox-token-41"


@contextmanager
def service(file: str) -> Iterator[str]:
    """One of the services on a free port of its own."""
    argv = [sys.executable, str(EXAMPLES / file), "--port", "0"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert select.select([process.stdout], [], [], 20)[0], f"{file} does not start"
            yield process.stdout.readline().rpartition(":")[2].strip()
        finally:
            process.terminate()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the examples, every port replaced by the one that its service has."""
    monkeypatch.setenv("OUTBOX_TOKEN", TOKEN)
    copy = tmp_path / "units"
    shutil.copytree(EXAMPLES, copy, ignore=shutil.ignore_patterns("__pycache__"))
    with service("weather_server.py") as weather, service("outbox_server.py") as outbox:
        for file in copy.rglob("*.*"):
            text = file.read_text(encoding="utf-8")
            text = text.replace(PORTS["weather_server.py"], weather).replace(
                PORTS["outbox_server.py"], outbox
            )
            file.write_text(text, encoding="utf-8")
        yield copy


def examples_of() -> list[tuple[str, dict[str, Any]]]:
    """Every example that the units carry themselves."""
    from prowess.units.registry import Registry

    registry = Registry([str(EXAMPLES)])
    registry.refresh()
    assert [each.name for each in registry.units] == ["query_weather", "search_cities", "send_email"]
    assert registry.diagnostics == ()
    return [(each.name, dict(example)) for each in registry.units for example in each.examples]


async def test_every_example_of_the_example_units_holds(place: Path) -> None:
    async with Host.open(place) as host:
        examples = examples_of()
        assert {name for name, _ in examples} == {"query_weather", "search_cities", "send_email"}
        for name, example in examples:
            outcome = await host.call(name, example["input"])
            if "error" in example:
                assert isinstance(outcome, ToolFailed) and example["error"] in outcome.message
            else:
                assert isinstance(outcome, Answered) and outcome.value == example["output"], outcome


async def test_an_email_sent_twice_is_there_twice_and_no_token_was_seen_by_the_unit(place: Path) -> None:
    message = {"to": "kim@example.com", "subject": "Hello", "body": "Twice."}
    async with Host.open(place) as host:
        found = [await host.call("send_email", message) for _ in range(2)]
    assert [each.value for each in found if isinstance(each, Answered)] == [{"id": 1}, {"id": 2}]
    code = (EXAMPLES / "send_email" / "skill.py").read_text()
    assert "OUTBOX_TOKEN" not in code and "authorization" not in code.lower()


async def test_without_its_credential_no_email_is_sent(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OUTBOX_TOKEN")
    message = {"to": "kim@example.com", "subject": "Hello", "body": "Never."}
    async with Host.open(place) as host:
        outcome = await host.call("send_email", message)
    assert isinstance(outcome, ToolFailed)
    assert outcome.wire["_meta"]["dev.prowess/code"] == "credential-missing"


def test_a_unit_takes_ten_lines_at_most() -> None:
    tree = ast.parse((EXAMPLES / "search_cities.py").read_text())
    (function,) = [each for each in tree.body if isinstance(each, ast.AsyncFunctionDef)]
    assert function.end_lineno is not None
    assert function.end_lineno - function.decorator_list[0].lineno + 1 <= 10


def test_every_parameter_of_the_examples_has_a_description_and_an_example() -> None:
    for file in EXAMPLES.rglob("schema.json"):
        for name, member in json.loads(file.read_text())["parameters"]["properties"].items():
            assert member["description"] and member["examples"], f"{file.parent.name}: {name}"
