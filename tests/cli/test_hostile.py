"""Nothing that a package holds reaches a terminal raw, in any format, and no encoding breaks a report."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from prowess.cli.check import FORMATS

CONTROLS = ["\x1b[31m", "\x9b31m", "\x7f", "\u202e", "\u200b", "\u2028", "\x85", "\ue000", "\U000e0041"]


def riddled(package: Path, servers: Any, text: str) -> None:
    """Put `text` wherever a name, a key or a value of a package may stand."""
    manifest = json.loads((package / "plugin.json").read_text())
    manifest |= {"version": text, f"x{text}": 1, "extensions": {f"com.{text}": {}}}
    (package / "plugin.json").write_text(json.dumps(manifest))
    for number, content in enumerate(
        (
            "---\ndescription: x\n---\n",
            text,
            f'---\nname: "{text}"\n{text}: x\n---\n',
            f"---\nname: *{text}\n---\n",
            "---\nname: a\nname: b\n---\n",
        )
    ):
        folder = package / "skills" / f"{number}{text}"
        folder.mkdir()
        (folder / "SKILL.md").write_text(content)
    below = package / "skills" / f"deep{text}" / f"deeper{text}"
    below.mkdir(parents=True)
    (below / "SKILL.md").write_text("")
    (package / "skills" / f"away{text}").symlink_to("/")
    stdio = {"type": "stdio", "command": f"./{text}", "cwd": text, "args": [0]}
    http = {"type": "sse", "url": text, "headers": {text: text, f"a{text}": 0}}
    env = {text: text, f"={text}": text}
    servers({f"a{text}": {"type": text}, f"b{text}": {**stdio, text: text, "env": env}, f"c{text}": http})


def fit(text: str) -> bool:
    """Whether a terminal may be sent this."""
    return all(c.isprintable() for c in text.replace("\n", ""))


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("control", CONTROLS, ids=ascii)
def test_no_control_character_of_a_package_is_printed(
    control: str, form: str, prowess: Any, package: Path, servers: Any
) -> None:
    riddled(package, servers, control)
    ran = prowess("check", package, "--format", form)
    assert ran.status == 1
    assert fit(ran.out) and fit(ran.err)
    if form in ("json", "sarif", "load-report"):
        assert repr(control)[1:-1] in repr(ran.json)


def test_no_control_character_of_a_rejected_manifest_is_printed(prowess: Any, package: Path) -> None:
    for fields in ({"name": "\x9b\x1b"}, {"author": {"\x9b\x1b": 1}}, {"extensions": {"\x9b\x1b": 1}}):
        manifest = json.loads((package / "plugin.json").read_text())
        (package / "plugin.json").write_text(json.dumps(manifest | fields))
        for form in FORMATS:
            assert fit(prowess("check", package, "--format", form).out), (form, fields)


def test_json_keeps_letters_of_every_script_as_they_are(prowess: Any, package: Path, servers: Any) -> None:
    servers({"技能 é\u3000😀": {}})
    assert "mcp.json#技能 é\u3000😀" in prowess("check", package, "--json").out


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "ascii"])
@pytest.mark.parametrize("form", FORMATS)
def test_a_name_without_an_encoding_breaks_no_report(form: str, encoding: str, package: Path) -> None:
    os.mkdir(os.fsencode(package / "skills") + b"/\xff")
    with open(os.fsencode(package / "skills") + b"/\xff/SKILL.md", "w") as file:
        file.write("---\nname: a\n---\n")
    ran = subprocess.run(
        [sys.executable, "-m", "prowess", "check", "--format", form, package],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        timeout=30,
        check=False,
    )
    assert ran.returncode == 1, ran.stderr
    assert b"fault of prowess" not in ran.stderr
    if form in ("json", "sarif", "load-report"):
        json.loads(ran.stdout)


@pytest.mark.parametrize("form", FORMATS)
def test_a_working_directory_that_is_gone_is_no_fault_of_the_package(
    form: str, prowess: Any, package: Path, servers: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers({"a": {}})
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert prowess("check", package, "--format", form).status == 1
