"""The main job on a real package: `make demo` runs this, and it fails when anything is not as it should be.

It brings `invoice-ops` up by the command line, freezes it, then breaks copies of it and shows each
verdict; then it uses the skill units of `units`. Everything it starts it stops, and everything it
writes is in a temporary directory.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent / "invoice-ops"
UNITS = Path(__file__).resolve().parent / "units"
FROZEN = PACKAGE / "fixtures" / "snapshot.json"
FROZEN_GUIDES_DOWN = PACKAGE / "fixtures" / "snapshot.guides-down.json"
START_SECONDS = 30
COMMAND_SECONDS = 120


class Unexpected(Exception):
    """Something is not as it should be."""


def expect(what: str, wanted: object, got: object) -> None:
    """Say that `what` is as wanted, or raise."""
    if got != wanted:
        raise Unexpected(f"{what}: expected {wanted!r}, got {got!r}")
    say(f"   ok: {what}: {got}")


def say(text: str = "") -> None:
    print(text, flush=True)


def title(text: str) -> None:
    say(f"\n== {text}")


def prowess(status: int, *words: str | Path, quiet: bool = False) -> str:
    """Run one command, show what it prints, and expect its exit status; stdout is returned."""
    arguments = [os.path.relpath(each) if isinstance(each, Path) else each for each in words]
    say(f"\n$ prowess {' '.join(arguments)}")
    with subprocess.Popen(
        [sys.executable, "-m", "prowess", *arguments], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            out, _ = process.communicate(timeout=COMMAND_SECONDS)
        except BaseException:
            process.send_signal(signal.SIGINT)  # lets it stop the servers that it started
            raise
    if out and not quiet:
        say(out.rstrip())
    expect("exit status", status, process.returncode)
    return out


@contextmanager
def running(program: Path) -> Iterator[None]:
    """A server that something expects to be running already; it says on one line that it is ready."""
    command = [sys.executable, str(program)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            ready, _, _ = select.select([process.stdout], [], [], START_SECONDS)
            line = process.stdout.readline() if ready else ""
            if not line:
                raise Unexpected(f"{program.name} does not start; is its port in use?")
            say(line.rstrip())
            yield
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()


@contextmanager
def edited_copy(file: str, old: str, new: str) -> Iterator[str]:
    """A copy of the package in a directory of its own, one text in one of its files replaced."""
    with tempfile.TemporaryDirectory(prefix="prowess-demo-") as directory:
        copy = Path(directory) / "invoice-ops"
        shutil.copytree(PACKAGE, copy)
        text = (copy / file).read_text(encoding="utf-8")
        if old not in text:
            raise Unexpected(f"{file} does not hold {old!r}")
        (copy / file).write_text(text.replace(old, new), encoding="utf-8")
        yield str(copy)


def statuses(snapshot: dict[str, Any]) -> dict[str, str]:
    """Each server's status."""
    return {server["id"]: server["status"] for server in snapshot["mcpServers"]}


def as_published() -> None:
    title("judged without starting anything")
    prowess(0, "check", PACKAGE)
    title("brought up: what is on offer now")
    snapshot = json.loads(prowess(0, "snapshot", PACKAGE))
    expect("servers", {"invoice-guides": "connected", "invoice-tools": "connected"}, statuses(snapshot))
    expect("tools", ["query_invoices"], [tool["name"] for tool in snapshot["tools"]])
    expect("skills", ["metadata"], [skill["loaded"] for skill in snapshot["skills"]])
    title("held against the frozen snapshot")
    prowess(0, "verify", PACKAGE, "--snapshot", FROZEN)


def name_in_capitals() -> None:
    title("broken: the name in capitals; the whole package is rejected")
    with edited_copy("plugin.json", '"name": "invoice-ops"', '"name": "Invoice-Ops"') as copy:
        prowess(1, "check", copy)
        prowess(1, "snapshot", copy)


def entry_without_type() -> None:
    title("broken: an entry without type; that server is skipped, and nothing else")
    with edited_copy("mcp.json", '"type": "streamable-http",', "") as copy:
        prowess(1, "check", copy)
        snapshot = json.loads(prowess(0, "snapshot", copy, quiet=True))
    expect("servers", {"invoice-tools": "connected"}, statuses(snapshot))
    expect("skipped", ["mcp.json#invoice-guides"], [each["what"] for each in snapshot["skipped"]])
    expect("tools", ["query_invoices"], [tool["name"] for tool in snapshot["tools"]])


def guides_down() -> None:
    title("broken: invoice-guides is down; its connection fails, and nothing else")
    prowess(1, "verify", PACKAGE, "--snapshot", FROZEN)
    prowess(0, "verify", PACKAGE, "--snapshot", FROZEN_GUIDES_DOWN)


def units() -> None:
    title("skill units: a folder, ten lines of Python, and a token that no unit sees")
    os.environ["OUTBOX_TOKEN"] = "a-token-of-the-demo"
    with running(UNITS / "weather_server.py"), running(UNITS / "outbox_server.py"):
        prowess(0, "units", "list", UNITS)
        weather = json.loads(prowess(0, "call", UNITS, "query_weather", "--arg", "city=Oslo"))
        expect("weather", {"city": "Oslo", "temperature": 4, "sky": "rain"}, weather)
        prowess(1, "call", UNITS, "query_weather", "--arg", "city=Oslo; rm -rf")
        message = json.dumps({"to": "kim@example.com", "subject": "Oslo", "body": "It rains."})
        sent = json.loads(prowess(0, "call", UNITS, "send_email", "--args", message))
        expect("sent", {"id": 1}, sent)


def main() -> int:
    """Run it all; 0 when everything was as it should be."""
    with tempfile.TemporaryDirectory(prefix="prowess-demo-home-") as home:
        for name in ("DATA", "STATE", "CACHE", "CONFIG"):
            os.environ[f"XDG_{name}_HOME"] = os.path.join(home, name.lower())
        os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])
        try:
            with running(PACKAGE / "servers" / "invoice_guides.py"):
                as_published()
                name_in_capitals()
                entry_without_type()
            guides_down()
            units()
        except (Unexpected, subprocess.TimeoutExpired) as problem:
            say(f"\ndemo FAILED: {problem}")
            return 1
    say("\ndemo: everything is as it should be")
    return 0


if __name__ == "__main__":
    sys.exit(main())
