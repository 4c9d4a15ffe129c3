from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from prowess import __version__
from prowess.cli import VERBS, explain, screen
from prowess.spec.rules import RULES

SECONDS = 20


def run(*arguments: object, **settings: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "prowess", *(str(each) for each in arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False, **settings)


# -- what can be asked


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["help"]])
def test_help_names_every_verb_on_stdout(arguments: list[str], prowess: Any) -> None:
    ran = prowess(*arguments)
    assert (ran.status, ran.err) == (0, "")
    assert all(f"\n  {verb}" in ran.out for verb in VERBS)


def test_the_version_is_one_line(prowess: Any) -> None:
    assert prowess("--version").out == f"prowess {__version__}\n"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(verb: str, prowess: Any) -> None:
    ran = prowess(verb, "--help")
    assert ran.status == 0
    assert ran.out.startswith(f"usage: prowess {verb}")


def test_explain_lists_every_rule(prowess: Any) -> None:
    ran = prowess("explain")
    assert [line.split()[0] for line in ran.out.splitlines()] == sorted(RULES)
    assert [each["rule"] for each in prowess("explain", "--json").json] == sorted(RULES)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_page_to_print(rule: str, prowess: Any) -> None:
    ran = prowess("explain", rule)
    assert ran.status == 0
    assert ran.out.startswith(f"# {rule}\n")


def test_a_rule_as_json_says_its_reach_and_section(prowess: Any) -> None:
    document = prowess("explain", "server-type-missing", "--json").json
    assert (document["reach"], document["section"]) == ("entry", RULES["server-type-missing"][1])
    assert document["page"].startswith("# server-type-missing")


def test_an_unknown_rule_names_the_nearest(prowess: Any) -> None:
    ran = prowess("explain", "server-type-mising")
    assert ran.status == 2
    assert "server-type-missing" in ran.err


# -- what cannot be answered


def odd_files(here: Path) -> None:
    """Files beside the package `sample` that no verb can use."""
    (here / "binary").write_bytes(bytes(range(256)))
    (here / "list.json").write_text("[]")
    (here / "newer.json").write_text('{"$schema": "urn:prowess:schema:snapshot:99", "plugin": {}}')
    (here / "deep.json").write_text("[" * 100_000)
    (here / "empty").write_text("")
    (here / "locked.json").write_text("{}")
    (here / "locked.json").chmod(0)
    (here / "loop").symlink_to("loop")
    os.mkfifo(here / "pipe")


BAD_INPUTS = [
    "",
    "chekc",
    "\x1b[31m",
    "--json check sample",
    "check",
    "check sample no-such-thing",
    "check sample/plugin.json",
    "check pipe",
    "check loop",
    "check a\0b",
    "check sample --nonsense",
    "check sample --form json",
    "check sample --format xml",
    "check sample --fail-on everything",
    "check sample --profile strict",
    "explain one two",
    "explain ../../../etc/passwd",
    "snapshot",
    "snapshot no-such-thing",
    "snapshot sample/skills",
    "snapshot sample --timeout 0",
    "snapshot sample --timeout -3",
    "snapshot sample --timeout soon",
    "snapshot sample --timeout nan",
    "snapshot sample --timeout inf",
    "snapshot sample --format text",
    "snapshot sample --out no-such-thing/file",
    "snapshot sample --out sample",
    "snapshot --schema --out no-such-thing/file",
    "verify sample",
    "verify sample --snapshot no-such-thing",
    "verify sample --snapshot sample",
    "verify sample --snapshot pipe",
    "verify sample --snapshot loop",
    "verify sample --snapshot binary",
    "verify sample --snapshot empty",
    "verify sample --snapshot list.json",
    "verify sample --snapshot deep.json",
    "verify sample --snapshot newer.json",
    "verify sample --snapshot sample/plugin.json",
    "diff sample",
    "diff sample no-such-thing",
    "diff sample binary",
    "diff sample pipe",
    "diff newer.json newer.json",
    "diff sample sample",
    "show sample",
    "show no-such-thing greet",
    "show sample other",
    "show sample \x1b[31m",
    "show sample greet other.md",
    "show sample greet .",
    "show sample greet ../../plugin.json",
    "show sample greet /etc/passwd",
    "show sample greet a\0b",
    "completion",
    "completion tcsh",
]


@pytest.mark.parametrize("line", BAD_INPUTS)
def test_a_bad_input_is_one_line_and_a_hint_and_status_2(
    line: str, prowess: Any, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd_files(package.parent)
    monkeypatch.chdir(package.parent)
    ran = prowess(*line.split(" ") if line else [])
    assert (ran.status, ran.out) == (2, "")
    lines = [each for each in ran.err.splitlines() if not each.startswith("sample: ")]
    assert lines[0].startswith("prowess: ")
    assert len(lines) <= 2 and all(each.startswith("   hint: ") for each in lines[1:])
    assert "\x1b" not in ran.err and "\0" not in ran.err
    assert "fault of prowess" not in ran.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_locked_file_is_unreadable(prowess: Any, package: Path) -> None:
    odd_files(package.parent)
    ran = prowess("verify", package, "--snapshot", package.parent / "locked.json")
    assert (ran.status, ran.out) == (2, "")


def test_an_unexpected_fault_is_one_line_and_asks_for_a_report(
    prowess: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(options: object) -> int:
        raise LookupError("something\x1b[31m")

    monkeypatch.setattr(explain, "run", broken)
    ran = prowess("explain")
    assert ran.status == 2
    assert "LookupError" in ran.err and "PROWESS_DEBUG" in ran.err
    assert "\x1b" not in ran.err


def test_debugging_shows_where_a_fault_happened(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from prowess.cli import main

    def broken(options: object) -> int:
        raise LookupError("something")

    monkeypatch.setattr(explain, "run", broken)
    monkeypatch.setenv("PROWESS_DEBUG", "1")
    assert main(["explain"]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_ctrl_c_in_a_verb_is_130(prowess: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(options: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(explain, "run", interrupted)
    assert prowess("explain").status == 130


# -- what is written


def test_a_reader_that_went_away_is_no_fault() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        done = subprocess.run(
            [sys.executable, "-m", "prowess", "explain"],
            stdout=closed,
            stderr=subprocess.PIPE,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_is_could_not_answer() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "prowess", "explain"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith("prowess: ")
    assert "Traceback" not in done.stderr


def test_a_closed_stdout_is_could_not_answer() -> None:
    command = f"exec {sys.executable} -m prowess explain >&-"
    done = subprocess.run(
        ["/bin/sh", "-c", command], stderr=subprocess.PIPE, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_locale_without_letters_breaks_nothing(package: Path) -> None:
    manifest = json.loads((package / "plugin.json").read_text())
    (package / "plugin.json").write_text(json.dumps({**manifest, "ключ": 1}))
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    assert run("check", package, env=environment).returncode == 0
    done = run("check", package, "--json", env=environment)
    assert done.returncode == 0
    assert json.loads(done.stdout)["packages"][0]["diagnostics"]


def test_colour_is_only_for_terminals_and_never_with_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

    class Pipe:
        def isatty(self) -> bool:
            return False

    terminal: Any = Terminal()
    pipe: Any = Pipe()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert screen.paint("word", "red", terminal) == "\x1b[31mword\x1b[0m"
    assert screen.paint("word", "red", pipe) == "word"
    monkeypatch.setenv("NO_COLOR", "1")
    assert screen.paint("word", "red", terminal) == "word"


def test_safe_text_keeps_letters_of_every_script_and_escapes_what_deceives() -> None:
    assert screen.safe("tab\tund Zeile\r\n漢字\u3000é") == "tab\tund Zeile\n漢字\u3000é"
    shown = screen.safe("\x1b]0;title\x07 \u202edrowssap\u2066 \x9b \udc80 a\rb")
    assert shown.isascii() and shown.isprintable()


# -- the start


LIGHT = """
import sys
from prowess.cli import main
status = main(sys.argv[2:])
heavy = [name for name in sys.argv[1].split(",") if name in sys.modules]
sys.stderr.write("heavy:" + ",".join(heavy) + ":" + str(status))
"""
HEAVY = (
    "asyncio,mcp,mcp_types,anyio,httpx,pydantic,pathlib,shutil,tempfile,socket,ssl,subprocess,"
    "yaml,jsonschema_rs,concurrent,logging,urllib.request,importlib.metadata,importlib.resources"
)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["explain"],
        ["explain", "skill-yaml"],
        ["check", "sample"],
        ["check", "sample", "--json"],
        ["check", "sample", "--format", "github"],
        ["check", "sample/skills"],
        ["check", "--help"],
        ["show", "sample", "greet"],
        ["diff", "sample", "frozen.json"],
        ["diff", "frozen.json", "frozen.json", "--json"],
    ],
    ids=" ".join,
)
def test_a_verb_that_starts_nothing_imports_nothing_heavy(arguments: list[str], package: Path) -> None:
    frozen = {"$schema": "urn:prowess:schema:snapshot:1", "skills": [], "mcpServers": [], "tools": []}
    frozen["plugin"] = {"name": "sample", "version": None, "spec": "1.0.0"}  # type: ignore[assignment]
    (package.parent / "frozen.json").write_text(json.dumps(frozen))
    done = subprocess.run(
        [sys.executable, "-c", LIGHT, HEAVY, *arguments],
        cwd=package.parent,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    said = done.stderr.rpartition("heavy:")[2]
    assert said.rpartition(":")[0] == "", "these cost a cold start its speed"
    assert said.rpartition(":")[2] in ("0", "1"), done.stderr


def test_help_imports_no_verb_and_no_argument_parser() -> None:
    names = ",".join(["argparse", "dataclasses", "re", "json", *(f"prowess.cli.{verb}" for verb in VERBS)])
    done = subprocess.run(
        [sys.executable, "-S", "-c", LIGHT, names, "--help"],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(screen.__file__).parents[2])},
    )
    assert done.stderr == "heavy::0"
