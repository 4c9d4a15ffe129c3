from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from prowess import cli

STUB = str(Path(__file__).with_name("stub_server.py"))
PYTHON = os.path.basename(sys.executable)
SECONDS = 30


@pytest.fixture(autouse=True)
def interpreter_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])
    monkeypatch.setenv("PATH", path)


def stub(*arguments: str) -> dict[str, Any]:
    return {"type": "stdio", "command": PYTHON, "args": [STUB, *arguments]}


GOOD = stub("answer", "greet")
MISSING = {"type": "stdio", "command": "no-such-command-anywhere"}


@pytest.mark.req("AP-7.2-13")
def test_a_snapshot_is_printed_although_a_server_failed(prowess: Any, package: Path, servers: Any) -> None:
    servers({"good": GOOD, "missing": MISSING})
    ran = prowess("snapshot", package)
    assert ran.status == 0
    statuses = {each["id"]: each["status"] for each in ran.json["mcpServers"]}
    assert statuses == {"good": "connected", "missing": "failed"}
    assert [each["name"] for each in ran.json["tools"]] == ["greet"]
    (line,) = [each for each in ran.err.splitlines() if each.startswith("missing: failed: ")]
    assert "no-such-command-anywhere" in line
    assert str(package) not in ran.out


def test_every_command_is_printed_before_it_starts_and_its_secrets_are_not(
    prowess: Any, package: Path, servers: Any
) -> None:
    token = "ghp_" + "0a1B" * 9
    servers(
        {"good": {**GOOD, "args": [*GOOD["args"], f"--token={token}", "\x1b[31m"], "env": {"API_KEY": token}}}
    )
    ran = prowess("snapshot", package)
    (line,) = [each for each in ran.err.splitlines() if each.startswith("good: running ")]
    assert STUB in line
    assert "\x1b" not in ran.err
    assert token not in ran.err + ran.out


def test_a_secret_among_the_arguments_is_masked_and_so_is_what_the_server_says_of_it(
    prowess: Any, package: Path, servers: Any
) -> None:
    secret = "hunter2-correct-horse"
    servers(
        {
            "bad": {**stub("leave", f"not with {secret}"), "args": [STUB, "leave", "--api-key", secret]},
            "good": {**stub("answer", f"say-{secret}"), "env": {"DB_PASSWORD": secret}},
        }
    )
    ran = prowess("snapshot", package)
    assert "bad: failed: exited" in ran.err and "***" in ran.err
    assert secret not in ran.err + ran.out


def test_a_secret_of_the_package_that_a_server_repeats_is_not_in_the_snapshot(
    prowess: Any, package: Path, servers: Any
) -> None:
    secret = "hunter2-correct-horse"
    servers({"good": {**stub("answer", f"say-{secret}"), "env": {"DB_PASSWORD": secret}}})
    ran = prowess("snapshot", package)
    assert [each["name"] for each in ran.json["tools"]] == ["say-***"]
    assert secret not in ran.out


def test_without_connecting_nothing_starts(prowess: Any, package: Path, servers: Any, home: Path) -> None:
    servers({"good": GOOD})
    ran = prowess("snapshot", package, "--no-connect")
    assert (ran.status, "running" in ran.err) == (0, False)
    assert [each["status"] for each in ran.json["mcpServers"]] == ["not-started"]
    assert not home.joinpath("data").exists()


def test_a_rejected_plugin_is_a_no_and_prints_nothing(prowess: Any, package: Path, servers: Any) -> None:
    servers({"good": GOOD})
    (package / "plugin.json").write_text("{}")
    for arguments in (["snapshot", package], ["verify", package, "--snapshot", frozen(package, {})]):
        ran = prowess(*arguments)
        assert (ran.status, ran.out) == (1, "")
        assert "rejected" in ran.err and "running" not in ran.err


def frozen(package: Path, change: dict[str, Any]) -> Path:
    """A snapshot file that no package equals by accident."""
    path = package.parent / "frozen.json"
    document = {"$schema": "urn:prowess:schema:snapshot:1", "skills": [], "mcpServers": [], "tools": []}
    plugin = {"name": "sample", "version": None, "spec": "1.0.0"}
    path.write_text(json.dumps({**document, "plugin": plugin, **change}))
    return path


def test_the_out_file_is_what_would_be_printed(prowess: Any, package: Path, servers: Any) -> None:
    servers({"good": GOOD})
    out = package.parent / "out.json"
    ran = prowess("snapshot", package, "--out", out)
    assert (ran.status, ran.out) == (0, "")
    assert out.read_text(encoding="utf-8") == prowess("snapshot", package).out
    assert prowess("snapshot", package, "--json").out == out.read_text(encoding="utf-8")


def test_the_schema_is_printed_without_a_package(prowess: Any, package: Path, servers: Any) -> None:
    import jsonschema_rs

    servers({"good": GOOD, "missing": MISSING})
    ran = prowess("snapshot", "--schema")
    assert ran.status == 0
    jsonschema_rs.Draft202012Validator(ran.json).validate(prowess("snapshot", package).json)


def test_a_frozen_snapshot_verifies_until_something_changes(
    prowess: Any, package: Path, servers: Any
) -> None:
    servers({"good": GOOD})
    out = package.parent / "out.json"
    prowess("snapshot", package, "--out", out)
    same = prowess("verify", package, "--snapshot", out)
    assert (same.status, same.out) == (0, "")
    servers({"good": stub("answer", "farewell")})
    drifted = prowess("verify", package, "--snapshot", out)
    assert drifted.status == 1
    assert "greet" in drifted.out and "farewell" in drifted.out
    assert prowess("verify", package, "--snapshot", out, "--json").json


def test_a_server_without_anything_to_offer_gets_a_hint(prowess: Any, package: Path, servers: Any) -> None:
    servers({"good": stub("answer", "")})
    ran = prowess("snapshot", package)
    assert ran.status == 0
    assert "debug the server" in ran.err


def test_a_slow_server_is_waited_for_aloud_and_times_out(prowess: Any, package: Path, servers: Any) -> None:
    servers({"slow": stub("mute", "")})
    ran = prowess("snapshot", package, "--timeout", "1.2")
    assert ran.status == 0
    assert [each["status"] for each in ran.json["mcpServers"]] == ["timed-out"]
    assert "waiting for slow (1 s of 1.2)" in ran.err
    assert "slow: timed-out: " in ran.err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_during_the_start_leaves_no_process(number: int, package: Path, servers: Any) -> None:
    fifo = package.parent / "fifo"
    os.mkfifo(fifo)
    servers({"stubborn": stub("stubborn", str(fifo)), "good": GOOD})
    command = [sys.executable, "-m", "prowess", "snapshot", str(package)]
    reading = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            said = read_until(reading, lambda text: "parent" in text and "child" in text)
            assert "parent" in said
            process.send_signal(number)
            out, errors = process.communicate(timeout=SECONDS)
        finally:
            process.kill()
    assert process.returncode == 128 + number
    assert out == "" and "Traceback" not in errors
    # Both processes held the FIFO open; its end says that both are gone.
    assert read_until(reading, lambda text: False) == ""
    os.close(reading)


def test_what_a_server_leaves_behind_on_its_way_out_is_ended_too(package: Path, servers: Any) -> None:
    fifo = package.parent / "fifo"
    os.mkfifo(fifo)
    servers({"scattering": stub("scattering", str(fifo))})
    reading = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    command = [sys.executable, "-m", "prowess", "snapshot", str(package)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert ran.returncode == 0 and "Traceback" not in ran.stderr
    # It was started and held the FIFO; the FIFO's end, at once, says that it is gone.
    assert read_until(reading, lambda text: False).startswith("child ")
    os.close(reading)


def _file(verb: str) -> str:
    return cli.module_of(verb).rpartition(".")[2]


def test_every_verb_that_may_start_servers_ends_what_these_leave_behind() -> None:
    folder = Path(cli.__file__).parent
    texts = {each.stem: each.read_text() for each in folder.glob("*.py")}
    starting = {
        verb for verb in cli.VERBS if "brought_up(" in texts[_file(verb)] or "take(" in texts[_file(verb)]
    }
    assert starting <= cli.STARTING <= set(cli.VERBS)
    assert {"snapshot", "verify"} <= starting


def read_until(descriptor: int, enough: Any) -> str:
    """What a FIFO gives until it is enough or every writer is gone; bounded."""
    text, end = "", time.monotonic() + SECONDS
    while not enough(text):
        ready, _, _ = select.select([descriptor], [], [], max(0.0, end - time.monotonic()))
        assert ready, f"nothing came within {SECONDS} s; so far {text!r}"
        chunk = os.read(descriptor, 4096)
        if not chunk:
            break
        text += chunk.decode()
    return text
