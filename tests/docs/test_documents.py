"""Every example in the documents runs, and prints what the document says.

In a ```console block a line `$ prowess ...` is run from the repository's root (as a shell would split
it, without a shell) and the lines below are its output, stderr first; `...` on a line of its own stands
for any lines. A ```python block runs as a program; a ```text block right below holds its output. A
```toml block with tables of `prowess.toml` is read as one.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from prowess.host.config import load_config
from prowess.host.config_fields import fields
from prowess.host.config_judging import TABLES

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs" / "guides").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def console_examples() -> list[tuple[str, str, str]]:
    found = []
    for document in DOCUMENTS:
        for kind, text in BLOCK.findall(document.read_text(encoding="utf-8")):
            if kind == "console":
                for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                    command, _, output = part.partition("\n")
                    found.append((document.name, command, output))
    return found


def python_examples() -> list[tuple[str, str, str]]:
    found = []
    for document in DOCUMENTS:
        blocks = BLOCK.findall(document.read_text(encoding="utf-8"))
        for (kind, text), (after, output) in zip(blocks, [*blocks[1:], ("", "")], strict=False):
            if kind == "python":
                found.append((document.name, text, output if after == "text" else ""))
    return found


def toml_examples() -> list[tuple[str, str]]:
    found = []
    for document in DOCUMENTS:
        blocks = BLOCK.findall(document.read_text(encoding="utf-8"))
        found += [(document.name, text) for kind, text in blocks if kind == "toml"]
    return found


def configurations() -> list[tuple[str, str]]:
    """Those that are a prowess.toml, or a part of one."""
    return [each for each in toml_examples() if is_configuration(tomllib.loads(each[1]))]


def is_configuration(document: dict[str, Any]) -> bool:
    """A rollout has only units, each under its name and with a stable version."""
    rollout = any("stable" in each for each in document.get("units", {}).values() if isinstance(each, dict))
    return document.keys() <= set(TABLES) and not rollout


def written(document: Any, above: str = "") -> Iterator[str]:
    """The path of every value of a configuration, with `*` for what is a name of the user's."""
    if isinstance(document, list):
        for each in document:
            yield from written(each, above)
    elif isinstance(document, dict) and (document or not above):
        names = any(above == each or each.startswith(f"{above}.*") for each in fields() if above)
        for key, each in document.items():
            step = "*" if names else key
            yield from written(each, f"{above}.{step}" if above else step)
    else:
        yield above


def run(argv: list[str]) -> str:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        argv, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=50, check=False
    )
    return done.stderr + done.stdout


def matches(expected: str, actual: str) -> bool:
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line) + r"\n" for line in expected.splitlines()
    )
    return re.fullmatch(pattern, actual if actual.endswith("\n") else actual + "\n") is not None


@pytest.mark.parametrize(("document", "command", "output"), console_examples())
def test_a_command_in_the_documents_prints_what_they_say(document: str, command: str, output: str) -> None:
    argv = shlex.split(command)
    assert argv[0] == "prowess", f"{document}: only prowess commands are shown as console examples"
    actual = run(argv)
    assert matches(output, actual), f"{document}: $ {command}\n{actual}"


LONG = ("import-a-skill.md", "install-a-package.md")  # half a dozen commands each


def programs() -> Iterator[ParameterSet]:
    for example in python_examples():
        yield pytest.param(*example, marks=[pytest.mark.slow] if example[0] in LONG else [])


@pytest.mark.parametrize(("document", "program", "output"), list(programs()))
def test_a_program_in_the_documents_runs(document: str, program: str, output: str) -> None:
    actual = run([sys.executable, "-W", "error", "-c", program])
    assert "Traceback" not in actual, f"{document}: {actual}"
    assert matches(output, actual), f"{document}:\n{actual}"


@pytest.mark.parametrize(("document", "text"), configurations())
def test_a_configuration_in_the_documents_is_read(document: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "prowess.toml"
    file.write_text(text)
    config = load_config(str(file))
    assert config.plugins or config.units.paths or "plugins" not in text, document


def test_the_guide_to_the_configuration_shows_every_field() -> None:
    shown = {
        path
        for name, text in configurations()
        if name == "configure.md"
        for path in written(tomllib.loads(text))
    }
    missing = [
        each for each in fields() if not any(path == each or path.startswith(f"{each}.") for path in shown)
    ]
    assert not missing, f"docs/guides/configure.md shows no {missing}"


def test_the_documents_hold_examples_at_all() -> None:
    assert console_examples()
    assert python_examples()
    assert configurations()
