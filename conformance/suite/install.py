"""The suite and the Node that runs it, from npm, in a directory of their own.

The suite needs Node 22; npm has it as the package `node`, so that no other Node has to be there than the
one that npm itself runs on.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

SUITE = "@modelcontextprotocol/conformance"
SUITE_VERSION = "0.2.0-alpha.12"
NODE_MAJOR = 22
SECONDS = 300


class CannotRun(Exception):
    """There is no answer: something that is needed is missing or does not start. Fit to print."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """What was installed: Node, the suite's program, and the directory of its requirement sets."""

    node: str
    program: str
    requirements: Path

    def command(self, *arguments: str) -> list[str]:
        """The suite with these arguments."""
        return [self.node, self.program, *arguments]


def installed(cache: Path) -> Suite:
    """The suite in `cache`, put there unless it is there already. Raises CannotRun."""
    package = cache / "node_modules" / SUITE
    if version_of(package) != SUITE_VERSION or node_in(cache) is None:
        npm_install(cache, {SUITE: SUITE_VERSION, "node": str(NODE_MAJOR)})
    node = node_in(cache)
    if node is None:
        raise CannotRun(f"no Node {NODE_MAJOR} in {cache} or on PATH after npm install")
    return Suite(node=node, program=str(package / "dist" / "index.js"), requirements=package / "requirements")


def version_of(package: Path) -> str:
    """The version of an installed package; an empty text where there is none."""
    try:
        return str(json.loads((package / "package.json").read_text(encoding="utf-8"))["version"])
    except (OSError, ValueError, KeyError):
        return ""


def npm_install(cache: Path, wanted: Mapping[str, str]) -> None:
    """Have npm put these packages, and no others, into `cache`. Raises CannotRun."""
    npm = shutil.which("npm")
    if npm is None:
        raise CannotRun("npm is not installed: apt-get install npm")
    cache.mkdir(parents=True, exist_ok=True)
    (cache / "package.json").write_text(
        json.dumps({"name": "cache", "private": True, "dependencies": dict(wanted)}), encoding="utf-8"
    )
    command = [npm, "install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]
    try:
        done = subprocess.run(
            command, cwd=cache, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise CannotRun(f"npm install was not done in {SECONDS} s") from None
    if done.returncode != 0:
        raise CannotRun(f"npm install ended with status {done.returncode}: {done.stderr[-500:].strip()}")


def node_in(cache: Path) -> str | None:
    """A Node that is new enough: the installed one, else the one on PATH."""
    for candidate in (cache / "node_modules" / "node" / "bin" / "node", shutil.which("node")):
        if candidate is not None and _major(str(candidate)) >= NODE_MAJOR:
            return str(candidate)
    return None


def _major(node: str) -> int:
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=20, check=True)
        return int(said.stdout.strip().removeprefix("v").partition(".")[0])
    except (OSError, ValueError, subprocess.SubprocessError):
        return 0
