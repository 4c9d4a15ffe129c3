"""The bare wheel, built and installed with no extra into a fresh environment, does the main job."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "invoice-ops"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


def run(*argv: str | Path, cwd: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["PATH"] = f"{cwd}/venv/bin{os.pathsep}{environment['PATH']}"
    return subprocess.run(
        [str(each) for each in argv],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=check,
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    run(*pip, "wheel", "--no-deps", "--wheel-dir", place, ROOT, cwd=place)
    run(sys.executable, "-m", "venv", place / "venv", cwd=place)
    run(*pip, "--python", place / "venv", "install", *place.glob("prowess-*.whl"), cwd=place)
    return place


def test_the_wheel_judges_and_explains(installed: Path) -> None:
    checked = run("prowess", "check", "--json", EXAMPLE, cwd=installed)
    assert json.loads(checked.stdout)
    assert "server-type-missing" in run("prowess", "explain", "server-type-missing", cwd=installed).stdout


def test_the_wheel_brings_the_example_up(installed: Path) -> None:
    printed = run("prowess", "snapshot", EXAMPLE, cwd=installed).stdout
    assert [tool["name"] for tool in json.loads(printed)["tools"]] == ["query_invoices"]


def test_the_wheel_is_typed_and_holds_no_test(installed: Path) -> None:
    package = next((installed / "venv").glob("lib/python*/site-packages/prowess"))
    assert (package / "py.typed").is_file()
    assert not list(package.rglob("test_*"))


def test_the_wheel_holds_what_the_consoles_pages_are_made_of(installed: Path) -> None:
    package = next((installed / "venv").glob("lib/python*/site-packages/prowess"))
    for folder in ("templates", "static", "zh"):
        there = {each.name for each in (package / "console" / folder).iterdir()}
        assert there == {each.name for each in (ROOT / "src" / "prowess" / "console" / folder).iterdir()}
        assert there


def test_the_bare_wheel_says_what_the_console_takes_and_makes_the_workbench_without_it(
    installed: Path,
) -> None:
    refused = run("prowess", "console", "--no-browser", EXAMPLE, cwd=installed, check=False)
    assert refused.returncode == 2
    assert "pip install 'prowess[console]'" in refused.stderr
    run("prowess", "workbench", "--out", "workbench.html", cwd=installed)
    assert "<title>Workbench" in (installed / "workbench.html").read_text("utf-8")
