"""The command line on units: check, call, tools, snapshot, units list and show."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.units.model.conftest import Units

from prowess.cli import main

TEN_LINES = '''\
from typing import Annotated
from pydantic import Field
from prowess import unit

@unit(triggers=["add numbers"], idempotent=True)
async def add_numbers(a: Annotated[int, Field(description="One", examples=[1])], b: int = 2) -> int:
    """Adds two numbers."""
    return a + b
'''


@pytest.fixture
def prowess(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main([str(each) for each in arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return status, captured.out, captured.err

    return run


def test_ten_lines_are_called_from_the_command_line(units: Units, prowess: Any) -> None:
    assert len(TEN_LINES.splitlines()) <= 10
    file = units.write("tools.py", TEN_LINES)
    status, out, err = prowess("call", file, "add_numbers", "--arg", "a:=1")
    assert (status, json.loads(out)) == (0, {"result": 3})
    assert "running in this process" in err
    status, out, _ = prowess("call", units.root, "add_numbers@1", "--arg", "a:=1", "--arg", "b:=4", "--json")
    assert (status, json.loads(out)["result"]) == (0, {"result": 5})
    assert prowess("call", file, "add_numbers", "--arg", "a=x")[0] == 1


def test_a_folder_unit_is_called_and_offered_to_models(units: Units, prowess: Any) -> None:
    units.unit("weather", "query_weather")
    status, out, _ = prowess("call", units.root, "query_weather", "--arg", "city=Oslo")
    assert (status, json.loads(out)) == (0, {"said": {"city": "Oslo"}})
    status, out, _ = prowess("tools", units.root, "--format", "openai")
    assert status == 0
    [function] = [each["function"] for each in json.loads(out) if "weather" in each["function"]["name"]]
    assert function["parameters"]["properties"] == {"city": {"type": "string"}}


def test_check_judges_units_without_running_them(units: Units, prowess: Any) -> None:
    units.unit("one", "one", "raise SystemExit\nclass A:\n    async def execute(self, params): ...\n")
    units.write("tools.py", TEN_LINES)
    status, out, _ = prowess("check", units.root)
    assert (status, "2 units load" in out) == (0, True)
    units.unit("two", "two", "class A(:\n")
    status, out, _ = prowess("check", units.root, "--json")
    [package] = json.loads(out)["packages"]
    assert status == 1
    assert (package["kind"], package["units"], package["rejected"]) == ("units", 2, False)
    assert [(each["rule"], each["file"], each["line"]) for each in package["diagnostics"]] == [
        ("unit-syntax", "two/skill.py", 1)
    ]
    assert prowess("check", units.root / "tools.py")[0] == 0
    for form in ("sarif", "github", "text"):
        assert prowess("check", units.root, "--format", form)[0] == 1


def test_a_snapshot_of_units_holds_their_tools_and_what_was_skipped(units: Units, prowess: Any) -> None:
    units.unit("one", "one")
    units.unit("two", "two", timeout="soon")
    status, out, _ = prowess("snapshot", units.root)
    frozen = json.loads(out)
    assert status == 0
    assert [each["name"] for each in frozen["tools"]] == ["one"]
    assert frozen["skipped"] == [{"what": "two", "rule": "unit-field-type"}]
    assert str(units.root) not in out
    assert prowess("snapshot", units.root)[1] == out


def test_list_prints_every_version_and_tells_what_is_broken(units: Units, prowess: Any) -> None:
    units.unit("weather/1.0.0", "query_weather", core=True)
    units.unit("weather/2.0.0", "query_weather")
    status, out, err = prowess("units", "list", units.root)
    assert status == 0
    assert [line.split("  ")[:2] for line in out.splitlines()[::2]] == [
        ["query_weather@1.0.0", "core"],
        ["query_weather@2.0.0", "extended"],
    ]
    units.unit("two", "two", "import nonsense_module\nclass A:\n    async def execute(self, params): ...\n")
    assert prowess("units", "list", units.root)[0] == 0
    status, out, err = prowess("units", "list", units.root, "--load", "--json")
    assert status == 1
    assert "two/skill.py:1" in err
    assert len(json.loads(out)["units"]) == 3
    assert [each["rule"] for each in json.loads(out)["diagnostics"]] == ["unit-load-failed"]


def test_show_says_what_a_unit_takes_gives_and_may_reach_and_what_that_does_not_mean(
    units: Units, prowess: Any
) -> None:
    units.unit(
        "one",
        "one",
        permissions={"hosts": ["api.example.com"], "secrets": ["KEY"]},
        examples=[{"input": {"city": "Oslo"}, "output": {}}],
    )
    status, out, _ = prowess("units", "show", units.root, "one")
    assert status == 0
    assert "api.example.com" in out and "KEY" in out and "city (string, may be left out)" in out
    assert "refuses everything that is not declared" in out and "trusted" in out
    status, out, _ = prowess("units", "show", units.root, "one@1", "--json")
    shown = json.loads(out)
    assert (shown["versions"], shown["permissions"]["hosts"]) == (["1.0.0"], ["api.example.com"])


@pytest.mark.parametrize(
    "arguments", [["show"], ["show", "nothing"], ["show", "one@9"], ["list", "one"]], ids=" ".join
)
def test_questions_that_cannot_be_answered_are_status_two(
    arguments: list[str], units: Units, prowess: Any
) -> None:
    units.unit("one", "one")
    action, *rest = arguments
    assert prowess("units", action, units.root, *rest)[0] == 2


def test_a_path_without_units_has_none_to_list(tmp_path: Path, prowess: Any) -> None:
    (tmp_path / "it").mkdir()
    assert prowess("units", "list", tmp_path / "it")[0] == 2


def test_watching_prints_each_change_until_it_is_interrupted(units: Units) -> None:
    import os
    import signal
    import threading

    units.unit("one", "one")
    command = [sys.executable, "-m", "prowess", "units", "list", str(units.root), "--watch"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("one@1.0.0")
        assert process.stdout.readline()
        heard = threading.Event()

        def write() -> None:
            for number in range(1, 100):
                units.unit("one", "one", timeout=number)
                if heard.wait(0.2):
                    return

        writing = threading.Thread(target=write)
        writing.start()
        line = process.stdout.readline()
        heard.set()
        writing.join(20)
        assert line.startswith("~ unit one@1.0.0 timeout")
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(20) == 130


def test_units_alone_never_import_the_mcp_sdk(units: Units) -> None:
    units.unit("one", "one")
    program = (
        "import sys; from prowess.cli import main\n"
        f"status = main(['call', {str(units.root)!r}, 'one'])\n"
        "print(status, 'mcp' in sys.modules, 'pydantic' in sys.modules, 'watchfiles' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=True
    )
    assert done.stdout.splitlines()[-1] == "0 False False False"
