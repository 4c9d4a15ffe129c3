"""Every example in the documents runs, and prints what the document says.

In a ```console block a line `$ prowess ...` is run from the repository's root (as a shell would split
it, without a shell) and the lines below are its output, stderr first; `...` on a line of its own stands
for any lines. A ```python block runs as a program; a ```text block right below holds its output.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.parametrize(("document", "program", "output"), python_examples())
def test_a_program_in_the_documents_runs(document: str, program: str, output: str) -> None:
    actual = run([sys.executable, "-W", "error", "-c", program])
    assert "Traceback" not in actual, f"{document}: {actual}"
    assert matches(output, actual), f"{document}:\n{actual}"


def test_the_documents_hold_examples_at_all() -> None:
    assert console_examples()
    assert python_examples()
