"""`prowess tools`: what a model may use, and what is hidden from it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.acceptance.packages import entry, plugin
from tests.commanding import Run


@pytest.fixture
def books(tmp_path: Path) -> Path:
    return plugin(tmp_path / "books", {"ledger": entry()})


def test_tools_are_listed_with_what_they_take(prowess: Run, books: Path) -> None:
    ran = prowess("tools", books)
    assert ran.status == 0
    assert "ledger/read(do, call, seconds, size, week)\n    Reads.\n" in ran.out


def test_json_keeps_each_tool_as_it_was_sent(prowess: Run, books: Path) -> None:
    found = {each["name"]: each for each in prowess("tools", books, "--json").json}
    assert set(found) == {"read", "put", "write", "destroy"}
    assert found["read"]["annotations"] == {"readOnlyHint": True}
    assert found["read"]["server"] == "ledger"


@pytest.mark.parametrize(
    ("dialect", "place"),
    [
        ("openai", ["function", "parameters"]),
        ("anthropic", ["input_schema"]),
        ("gemini", ["parametersJsonSchema"]),
    ],
)
def test_a_dialect_prints_function_definitions(
    prowess: Run, books: Path, dialect: str, place: list[str]
) -> None:
    definitions = prowess("tools", books, "--format", dialect).json
    assert len(definitions) == 4
    for found in definitions:
        for key in place:
            found = found[key]
        assert "week" in found["properties"]


def test_a_tool_that_changed_is_not_listed_and_has_a_line(prowess: Run, tmp_path: Path) -> None:
    root = tmp_path / "books"
    plugin(root, {"ledger": entry()})
    assert prowess("tools", root).status == 0
    plugin(root, {"ledger": entry(FAULTS_DESCRIPTION="Reads, and tells others.")})
    ran = prowess("tools", root, "--json")
    assert "read" not in [each["name"] for each in ran.json]
    assert "ledger/read: hidden" in ran.err


def test_a_denied_tool_is_not_listed(prowess: Run, books: Path, tmp_path: Path) -> None:
    config = tmp_path / "prowess.toml"
    config.write_text(
        '[plugins]\nbooks = "books"\n[[policy.rules]]\naction = "deny"\ntool = "d*"\n', encoding="utf-8"
    )
    names = [each["name"] for each in prowess("tools", config, "--json").json]
    assert sorted(names) == ["put", "read", "write"]
    assert names == [each["name"] for each in prowess("tools", tmp_path, "--json").json]


def test_a_rejected_plugin_is_status_one(prowess: Run, books: Path) -> None:
    (books / "plugin.json").write_text(json.dumps({"name": "books"}))
    assert prowess("tools", books).status == 1


def test_a_document_is_json_whatever_a_server_sends(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    from prowess.cli import screen

    screen.document([{"maximum": float("inf"), "examples": [float("nan")]}])
    assert b"Infinity" not in capsysbinary.readouterr().out
