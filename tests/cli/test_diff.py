from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SCHEMA = {"type": "object", "properties": {"week": {"type": "string"}}, "required": ["week"]}
WIDER = {**SCHEMA, "properties": {**SCHEMA["properties"], "status": {"type": "string"}}}  # type: ignore[dict-item]
NARROWER = {**WIDER, "required": ["week", "status"]}
STDIO = {"type": "stdio", "command": "true"}


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def snapshot(name: str, *, schema: dict[str, Any] = SCHEMA, **parts: Any) -> Path:
        tool = {"name": "query", "server": "a", "inputSchema": schema}
        document = {
            "$schema": "urn:prowess:schema:snapshot:1",
            "plugin": {"name": "sample", "version": None, "spec": "1.0.0"},
            "skills": [],
            "mcpServers": [{"id": "a", "type": "stdio", "status": "connected"}],
            "tools": [tool],
            **parts,
        }
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(document))
        return path

    return snapshot


@pytest.fixture
def frozen(prowess: Any, package: Path, servers: Any) -> Path:
    """The package, frozen without starting anything."""
    servers({"a": STDIO})
    path = package.parent / "frozen.json"
    assert prowess("snapshot", package, "--no-connect", "--out", path).status == 0
    return path


def test_equal_snapshots_are_a_yes_and_print_nothing(prowess: Any, write: Any) -> None:
    ran = prowess("diff", write("a"), write("b"))
    assert (ran.status, ran.out) == (0, "")
    assert prowess("diff", write("a"), write("b"), "--json").json["empty"] is True


def test_a_changed_input_schema_says_what_changed_and_whether_it_breaks(prowess: Any, write: Any) -> None:
    old = write("a")
    wider = prowess("diff", old, write("b", schema=WIDER), "--json")
    narrower = prowess("diff", old, write("c", schema=NARROWER), "--json")
    assert (wider.status, narrower.status) == (1, 1)
    assert wider.json["effect"] == "compatible"
    assert narrower.json["effect"] == "breaking"
    assert "status" in prowess("diff", old, write("c", schema=NARROWER)).out


def test_json_is_format_json(prowess: Any, write: Any) -> None:
    old, new = write("a"), write("b", tools=[])
    assert prowess("diff", old, new, "--json").out == prowess("diff", old, new, "--format", "json").out


def test_a_package_equals_its_own_snapshot_on_either_side(prowess: Any, package: Path, frozen: Path) -> None:
    for each in (package, package / "plugin.json", package / "mcp.json"):
        assert prowess("diff", each, frozen).status == 0, each
        assert prowess("diff", frozen, each).status == 0, each


def test_a_package_is_compared_in_what_it_declares_only(
    prowess: Any, package: Path, servers: Any, write: Any
) -> None:
    servers({"a": STDIO})
    (package / "skills" / "greet" / "SKILL.md").unlink()
    assert prowess("diff", package, write("up")).status == 0


def test_the_side_decides_between_added_and_removed(
    prowess: Any, package: Path, frozen: Path, servers: Any
) -> None:
    servers({"a": STDIO, "b": STDIO})
    now_new = prowess("diff", frozen, package, "--json").json["changes"]
    now_old = prowess("diff", package, frozen, "--json").json["changes"]
    assert [(each["change"], each["kind"], each["key"]) for each in now_new] == [("added", "server", "b")]
    assert [(each["change"], each["kind"], each["key"]) for each in now_old] == [("removed", "server", "b")]


def test_one_document_alone_is_compared_alone(
    prowess: Any, package: Path, frozen: Path, servers: Any
) -> None:
    servers({"b": STDIO})
    assert prowess("diff", package / "plugin.json", frozen).status == 0
    assert prowess("diff", package / "mcp.json", frozen).status == 1


def test_a_document_named_without_its_folder_is_found(
    prowess: Any, package: Path, frozen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(package)
    assert prowess("diff", "plugin.json", frozen).status == 0


@pytest.mark.parametrize("key", ["tools", "status", "inputSchema", "loaded"])
def test_a_run_time_key_in_the_package_is_a_finding_and_a_difference(
    key: str, prowess: Any, package: Path, frozen: Path
) -> None:
    manifest = json.loads((package / "plugin.json").read_text())
    (package / "plugin.json").write_text(json.dumps({**manifest, key: []}))
    for side in (package, package / "plugin.json"):
        ran = prowess("diff", side, frozen, "--json")
        assert ran.status == 1
        assert [each["pointer"] for each in ran.json["findings"]] == [f"/{key}"]
    assert prowess("diff", package / "mcp.json", frozen).status == 0
    assert f"/{key}" in prowess("diff", package, frozen).out


def test_a_run_time_key_in_an_entry_is_found_there(
    prowess: Any, package: Path, frozen: Path, servers: Any
) -> None:
    servers({"a": {**STDIO, "tools": []}})
    found = prowess("diff", package / "mcp.json", frozen, "--json").json["findings"]
    assert [(each["file"], each["pointer"]) for each in found] == [("mcp.json", "/mcpServers/a/tools")]


def test_a_rejected_plugin_is_a_no(prowess: Any, package: Path, frozen: Path) -> None:
    (package / "plugin.json").write_text("{}")
    ran = prowess("diff", package, frozen)
    assert (ran.status, ran.out) == (1, "")
    assert "rejected" in ran.err
