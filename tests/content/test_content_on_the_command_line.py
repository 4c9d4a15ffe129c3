"""`prowess check`, `snapshot`, `verify`, `tools` and `call` on a folder of content."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.content.conftest import Folder
from tests.content.test_judging_content import GUIDE, HEAD

from prowess.cli import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def prowess(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main([str(each) for each in arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def test_content_is_checked_and_counted(prowess: Run, guides: Folder) -> None:
    status, out, err = prowess("check", guides.root)
    assert status == 0
    assert "1 prompt, 1 resource and 0 templates load" in out
    assert "a folder of content" in err


def test_a_fault_has_its_place_in_every_format(prowess: Run, guides: Folder) -> None:
    guides.write("prompts/bad.md", "---\nname: [x]\n---\nDo it.")
    status, out, _ = prowess("check", guides.root, "--json")
    assert status == 1
    [package] = json.loads(out)["packages"]
    assert package["kind"] == "content"
    assert package["content"] == {"prompts": 1, "resources": 1, "templates": 0}
    [found] = package["diagnostics"]
    assert (found["rule"], found["file"], found["line"]) == ("content-field", "prompts/bad.md", 2)
    _, out, _ = prowess("check", guides.root, "--format", "sarif")
    [result] = json.loads(out)["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("guides/prompts/bad.md")
    assert place["region"] == {"startLine": 2}


def test_advice_is_told_and_is_no_no(prowess: Run, guides: Folder) -> None:
    guides.write("prompts/guide.md", f"{HEAD}---\n{GUIDE}")
    status, out, _ = prowess("check", guides.root)
    assert status == 0
    assert "advice-prompt-guide" in out
    assert prowess("check", guides.root, "--fail-on", "advice")[0] == 1


def test_a_plugins_prompts_get_advice_and_never_keep_it_from_loading(prowess: Run, tmp_path: Path) -> None:
    plugin = Folder(tmp_path / "books")
    schema = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
    plugin.write("plugin.json", json.dumps({"$schema": schema, "name": "books"}))
    plugin.write("prompts/guide.md", f"{HEAD}---\n{GUIDE}")
    plugin.write("prompts/bad.md", "no frontmatter")
    status, out, _ = prowess("check", plugin.root, "--json")
    assert status == 0
    [package] = json.loads(out)["packages"]
    assert [each["rule"] for each in package["diagnostics"]] == ["advice-prompt-guide"]


def test_content_is_frozen_and_verified(prowess: Run, guides: Folder, tmp_path: Path) -> None:
    frozen = tmp_path / "frozen.json"
    assert prowess("snapshot", guides.root, "--out", frozen)[0] == 0
    assert prowess("verify", guides.root, "--snapshot", frozen)[0] == 0
    (guides.root / "resources" / "api.md").unlink()
    status, out, _ = prowess("verify", guides.root, "--snapshot", frozen)
    assert status == 1
    assert "embedded:guide/api" in out


def test_content_has_no_tools_and_says_what_it_has(prowess: Run, guides: Folder) -> None:
    status, out, err = prowess("tools", guides.root)
    assert (status, out) == (0, "")
    assert "1 prompt, 1 resource" in err
    assert prowess("tools", guides.root, "--json")[1].strip() == "[]"
    assert prowess("call", guides.root, "anything")[0] == 2


def test_a_bad_file_is_a_note_when_it_is_brought_up(prowess: Run, guides: Folder) -> None:
    guides.write("prompts/bad.md", "no frontmatter")
    status, _, err = prowess("snapshot", guides.root)
    assert status == 0
    assert "content: prompts/bad.md:1" in err


def test_a_function_is_said_before_it_is_offered(prowess: Run, guides: Folder) -> None:
    guides.write("templates/s.md", "---\nuriTemplate: a:{x}\nfunction: code.py:f\n---\n")
    guides.write("templates/code.py", "def f(x): return x\n")
    _, out, err = prowess("snapshot", guides.root)
    assert "content: running in this process what is in" in err
    assert [each["uriTemplate"] for each in json.loads(out)["resourceTemplates"]] == ["a:{x}"]


@pytest.mark.parametrize("verb", [["show"], ["activate"]])
def test_verbs_about_skills_refuse_content(prowess: Run, guides: Folder, verb: list[str]) -> None:
    assert prowess(*verb, guides.root, "greet")[0] == 2


def test_judging_content_imports_nothing_that_is_slow(guides: Folder, tmp_path: Path) -> None:
    import subprocess
    import sys

    guides.write("templates/s.md", "---\nuriTemplate: a:{x}\n---\n")
    guides.write("templates/s/a.md", "A")
    program = (
        "import sys; from prowess.cli import main; main(['check', sys.argv[1]]);"
        "slow = {'asyncio', 'mcp', 'pydantic', 'socket', 'pathlib', 'subprocess'} & set(sys.modules);"
        "print(slow, file=sys.stderr)"
    )
    done: Any = subprocess.run(
        [sys.executable, "-c", program, str(guides.root)],
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert done.stderr.strip().splitlines()[-1] == "set()"
