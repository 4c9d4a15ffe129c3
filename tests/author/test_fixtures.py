"""Fixtures frozen, verified, and found out when something is another."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.author.conftest import MCP_SCHEMA, PLUGIN_SCHEMA, TOKEN, tree_of, write_tree
from tests.commanding import Run

from prowess.author.fixtures import freeze
from prowess.author.fixtures_ci import ci_job
from prowess.author.fixtures_verifying import verify
from prowess.errors import ProwessError, UsageError

SKILL = "---\nname: greet\ndescription: Greets a guest by name. Use when somebody arrives.\n---\nSay hello.\n"
MANIFEST = {"$schema": PLUGIN_SCHEMA, "name": "sample", "version": "1.0.0"}
WEB = {"type": "streamable-http", "url": "http://127.0.0.1:9/mcp"}


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """A plugin with a skill, which needs nothing to be started."""
    return write_tree(tmp_path / "sample", {"plugin.json": MANIFEST, "skills/greet/SKILL.md": SKILL})


@pytest.fixture
def unit(prowess: Run, tmp_path: Path) -> Path:
    assert prowess("new", "unit", "count_words", "--in", tmp_path).status == 0
    return tmp_path / "count_words"


def stages(prowess: Run, path: Path, *more: str) -> dict[str, list[str]]:
    """The faults by stage; the exit status is held against them."""
    ran = prowess("fixtures", "verify", path, "--json", *more)
    found = {each["stage"]: each["faults"] for each in ran.json["stages"]}
    assert ran.status == (1 if any(found.values()) else 0)
    return found


def differing(found: dict[str, list[str]]) -> list[str]:
    return [stage for stage, faults in found.items() if faults]


def test_what_was_frozen_holds_until_something_changes(prowess: Run, plugin: Path) -> None:
    assert prowess("fixtures", plugin).status == 0
    assert sorted(each for each in tree_of(plugin / "fixtures") if "/" not in each) == [
        *("components.json", "index.json", "manifest.json", "snapshot.json")
    ]
    assert list(stages(prowess, plugin)) == [
        *("fixtures", "negatives", "manifest", "components", "arguments", "snapshot", "first-call")
    ]
    assert differing(stages(prowess, plugin)) == []


CHANGES: dict[str, tuple[Callable[[Path], Any], list[str]]] = {
    "the manifest": (
        lambda root: write_tree(root, {"plugin.json": {**MANIFEST, "version": "1.0.1"}}),
        ["manifest", "snapshot"],
    ),
    "the body of a skill": (
        lambda root: write_tree(root, {"skills/greet/SKILL.md": SKILL + "And bow.\n"}),
        ["components"],
    ),
    "another skill": (
        lambda root: write_tree(root, {"skills/leave/SKILL.md": SKILL.replace("greet", "leave")}),
        ["components", "snapshot"],
    ),
    "a fixture": (
        lambda root: write_tree(root, {"fixtures/manifest.json": {**MANIFEST, "version": "9"}}),
        ["fixtures", "manifest"],
    ),
    "a fixture that is gone": (
        lambda root: (root / "fixtures" / "components.json").unlink(),
        ["fixtures", "components"],
    ),
    "a negative that is none": (
        lambda root: write_tree(root, {"fixtures/negative/name-in-capitals/plugin.json": MANIFEST}),
        ["fixtures", "negatives"],
    ),
    "servers": (
        lambda root: write_tree(root, {"mcp.json": {"$schema": MCP_SCHEMA, "mcpServers": {}}}),
        ["components"],
    ),
    "a skill that does not load": (
        lambda root: write_tree(root, {"skills/bad/SKILL.md": "nothing"}),
        ["components", "snapshot"],
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_told_at_its_stage(prowess: Run, plugin: Path, change: str) -> None:
    prowess("fixtures", plugin)
    make, expected = CHANGES[change]
    make(plugin)
    assert differing(stages(prowess, plugin)) == expected


def test_the_negatives_of_a_plugin_fail_by_the_rules_that_are_named(prowess: Run, plugin: Path) -> None:
    write_tree(plugin, {"mcp.json": {"$schema": MCP_SCHEMA, "mcpServers": {"web": WEB}}})
    assert prowess("fixtures", plugin, "--timeout", "5").status == 0
    negative = plugin / "fixtures" / "negative"
    assert json.loads((negative / "name-in-capitals" / "plugin.json").read_text())["name"] == "SAMPLE"
    entry = json.loads((negative / "entry-without-type" / "mcp.json").read_text())["mcpServers"]["web"]
    assert entry == {"url": WEB["url"]}
    for name, rule in [
        ("name-in-capitals", "manifest-name-invalid"),
        ("entry-without-type", "server-type-missing"),
    ]:
        ran = prowess("check", negative / name, "--json")
        assert (ran.status, [each["rule"] for each in ran.json["packages"][0]["diagnostics"]]) == (1, [rule])


def test_a_server_that_is_down_is_in_the_snapshot_and_told(prowess: Run, plugin: Path) -> None:
    write_tree(plugin, {"mcp.json": {"$schema": MCP_SCHEMA, "mcpServers": {"web": WEB}}})
    ran = prowess("fixtures", plugin, "--timeout", "5")
    assert ran.status == 0
    assert "web" in ran.err
    snapshot = json.loads((plugin / "fixtures" / "snapshot.json").read_text())
    assert snapshot["mcpServers"][0]["status"] == "failed"
    assert differing(stages(prowess, plugin, "--timeout", "5")) == []
    assert differing(stages(prowess, plugin, "--no-connect")) == []


# -- tools


def test_a_unit_is_frozen_with_its_own_example_and_called(prowess: Run, unit: Path) -> None:
    index = json.loads((unit / "fixtures" / "index.json").read_text())
    assert index["firstCall"] == {"server": "units", "tool": "count_words", "outcome": "answered"}
    assert index["calls"][0]["from"] == "unit"
    arguments = json.loads((unit / "fixtures" / index["calls"][0]["file"]).read_text())
    assert arguments == {"text": "Good morning Oslo"}
    assert prowess("call", unit, "count_words", "--args", json.dumps(arguments)).status == 0


def test_a_first_call_that_ends_otherwise_is_told(prowess: Run, unit: Path) -> None:
    code = unit / "skill.py"
    code.write_text(code.read_text().replace("params[", "params['gone'] + params["))
    assert differing(stages(prowess, unit)) == ["components", "first-call"]
    assert differing(stages(prowess, unit, "--no-connect")) == ["components"]


def test_arguments_that_no_longer_fit_are_told(prowess: Run, unit: Path) -> None:
    write_tree(unit, {"fixtures/arguments/count_words.json": {"text": 5}})
    assert differing(stages(prowess, unit))[:2] == ["fixtures", "arguments"]


def test_a_tool_that_may_do_harm_is_called_only_when_it_is_named(prowess: Run, unit: Path) -> None:
    said = json.loads((unit / "schema.json").read_text())
    write_tree(unit, {"schema.json": {**said, "idempotent": False}})
    assert prowess("fixtures", unit).status == 0
    assert json.loads((unit / "fixtures" / "index.json").read_text())["firstCall"] is None
    assert prowess("fixtures", unit, "--call", "count_words").status == 0
    assert json.loads((unit / "fixtures" / "index.json").read_text())["firstCall"]["outcome"] == "answered"
    assert prowess("fixtures", unit, "--call", "nonsense").status == 2


def test_content_is_asked_for_its_first_resource(prowess: Run, tmp_path: Path) -> None:
    prowess("new", "content", "house-style", "--in", tmp_path)
    root = tmp_path / "house-style"
    first = json.loads((root / "fixtures" / "index.json").read_text())["firstCall"]
    assert first == {"server": "content", "resource": "embedded:house-style/limits", "outcome": "answered"}
    (root / "resources" / "limits.md").rename(root / "resources" / "bounds.md")
    assert differing(stages(prowess, root)) == ["components", "snapshot", "first-call"]


def test_a_skill_alone_needs_nothing_started(prowess: Run, tmp_path: Path) -> None:
    prowess("new", "skill", "count-words", "--in", tmp_path)
    root = tmp_path / "count-words"
    assert differing(stages(prowess, root)) == []
    write_tree(root, {"references/more.md": "more"})
    assert differing(stages(prowess, root)) == ["components"]


# -- what is refused


@pytest.mark.parametrize(
    ("files", "where"),
    [
        (
            {"mcp.json": {"$schema": MCP_SCHEMA, "mcpServers": {"w": {**WEB, "headers": {"X-Key": TOKEN}}}}},
            "mcp.json",
        ),
        ({"plugin.json": {**MANIFEST, "description": f"Use {TOKEN}"}}, "manifest.json"),
    ],
)
def test_a_secret_is_refused_and_nothing_is_written(
    prowess: Run, plugin: Path, files: dict[str, Any], where: str
) -> None:
    ran = prowess("fixtures", write_tree(plugin, files), "--timeout", "5")
    assert ran.status == 2
    assert where in ran.err
    assert TOKEN not in ran.out + ran.err
    assert not (plugin / "fixtures").exists()


def test_a_secret_among_the_example_arguments_is_refused(prowess: Run, unit: Path) -> None:
    shutil.rmtree(unit / "fixtures")
    said = json.loads((unit / "schema.json").read_text())
    said["examples"] = [{"input": {"text": TOKEN}, "output": {"words": 1}}]
    ran = prowess("fixtures", write_tree(unit, {"schema.json": said}))
    assert (ran.status, (unit / "fixtures").exists()) == (2, False)
    assert TOKEN not in ran.out + ran.err


def test_a_secret_in_frozen_files_is_told(prowess: Run, plugin: Path) -> None:
    prowess("fixtures", plugin)
    manifest = plugin / "fixtures" / "manifest.json"
    manifest.write_text(json.dumps({**MANIFEST, "description": TOKEN}))
    index = plugin / "fixtures" / "index.json"
    import hashlib

    said = json.loads(index.read_text())
    said["files"]["manifest.json"] = hashlib.sha256(manifest.read_bytes()).hexdigest()
    index.write_text(json.dumps(said))
    faults = stages(prowess, plugin)["fixtures"]
    assert [each for each in faults if "/description" in each]
    assert TOKEN not in str(faults)


def test_what_does_not_pass_check_is_not_frozen(prowess: Run, plugin: Path) -> None:
    write_tree(plugin, {"skills/bad/SKILL.md": "nothing"})
    assert (prowess("fixtures", plugin).status, (plugin / "fixtures").exists()) == (2, False)


def test_a_folder_of_somebody_elses_is_left_alone(prowess: Run, plugin: Path) -> None:
    write_tree(plugin, {"fixtures/mine.json": "{}"})
    assert prowess("fixtures", plugin).status == 2
    assert tree_of(plugin / "fixtures") == {"mine.json": b"{}"}
    assert prowess("fixtures", plugin, "--out", plugin / "frozen").status == 0
    assert differing(stages(prowess, plugin, "--out", str(plugin / "frozen"))) == []


def test_freezing_again_leaves_no_file_of_before(prowess: Run, unit: Path) -> None:
    said = json.loads((unit / "schema.json").read_text())
    write_tree(unit, {"schema.json": {**said, "name": "count_all"}})
    write_tree(unit, {"fixtures/mine.txt": "kept"})
    assert prowess("fixtures", unit).status == 0
    assert [each for each in tree_of(unit / "fixtures") if each.startswith("arguments/")] == [
        "arguments/count_all.json"
    ]
    assert (unit / "fixtures" / "mine.txt").exists()


@pytest.mark.parametrize(
    "index",
    [
        "{",
        "[]",
        '{"$schema": "urn:prowess:schema:fixtures:99"}',
        '{"$schema": "urn:prowess:schema:fixtures:1", "of": "plugin", "calls": [], "negatives": [], '
        '"files": {"../../x": "0"}}',
        '{"$schema": "urn:prowess:schema:fixtures:1", "of": "skill", "calls": [], "negatives": [], '
        '"files": {}}',
    ],
)
def test_an_index_that_is_none_is_an_error(prowess: Run, plugin: Path, index: str) -> None:
    prowess("fixtures", plugin)
    (plugin / "fixtures" / "index.json").write_text(index)
    assert prowess("fixtures", "verify", plugin).status == 2


def test_without_fixtures_there_is_nothing_to_verify(prowess: Run, plugin: Path) -> None:
    assert prowess("fixtures", "verify", plugin).status == 2


@pytest.mark.parametrize("arguments", [["verify"], ["a", "b"], ["missing"], [".", "--no-connect"]])
def test_a_question_that_is_none_is_an_error(
    prowess: Run, plugin: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(plugin)
    assert prowess("fixtures", *arguments).status == 2


# -- the job


def test_the_job_is_printed_or_written_once(prowess: Run, plugin: Path, tmp_path: Path) -> None:
    ran = prowess("fixtures", "plugins/sample", "--ci")
    assert (ran.status, ran.out) == (0, ci_job("plugins/sample"))
    assert "prowess fixtures verify plugins/sample" in ran.out
    file = tmp_path / "repository" / ".github" / "workflows" / "prowess.yml"
    assert prowess("fixtures", ".", "--ci", file).status == 0
    assert file.read_text() == ci_job(".")
    assert prowess("fixtures", ".", "--ci", file).status == 2


@pytest.mark.parametrize("path", ["a b", "$(x)", "x; y", "-x", ""])
def test_a_path_that_a_shell_would_read_otherwise_is_in_no_job(path: str) -> None:
    with pytest.raises(UsageError):
        ci_job(path)


JUNK = st.none() | st.integers() | st.sampled_from(["", "x", "../x", "plugin", "skill", "snapshot.json"])
ANYTHING = st.recursive(
    JUNK,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["path", "file", "kind", "rule", "server", "tool", "outcome", "resource"]), inner
        )
    ),
    max_leaves=6,
)
MEMBERS = ("of", "calls", "firstCall", "negatives", "files", "order")


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_tree(tmp_path_factory.mktemp("frozen") / "sample", {"plugin.json": MANIFEST})
    write_tree(root, {"skills/greet/SKILL.md": SKILL})
    asyncio.run(freeze(str(root)))
    return root


@given(st.dictionaries(st.sampled_from(MEMBERS), ANYTHING, max_size=3), ANYTHING)
def test_whatever_an_index_and_a_snapshot_hold_there_is_an_answer_or_an_error(
    frozen: Path, change: dict[str, Any], tools: Any
) -> None:
    index, snapshot = frozen / "fixtures" / "index.json", frozen / "fixtures" / "snapshot.json"
    before = index.read_text(), snapshot.read_text()
    index.write_text(json.dumps({**json.loads(before[0]), **change}))
    snapshot.write_text(json.dumps({**json.loads(before[1]), "tools": tools}))
    try:
        with contextlib.suppress(ProwessError):
            assert asyncio.run(verify(str(frozen), connect=False))
    finally:
        index.write_text(before[0])
        snapshot.write_text(before[1])
