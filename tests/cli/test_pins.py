from __future__ import annotations

import asyncio
import os
import pty
import select
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from prowess.call.pinning import Pins as PinnedTools
from prowess.call.pinning import definition_of
from prowess.capability.canonical import digest
from prowess.capability.offer import Tool
from prowess.provider import MemoryProvider
from prowess.store.database import Database, default_file
from prowess.store.pins import Pins, listed, scope_of
from prowess.store.remembered import Pin

STUB = str(Path(__file__).with_name("stub_server.py"))
SECONDS = 30
GREET = {"name": "greet", "description": "Does greet.", "inputSchema": {"type": "object"}}


@pytest.fixture(autouse=True)
def interpreter_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])
    monkeypatch.setenv("PATH", path)


@pytest.fixture
def greeting(package: Path, servers: Any) -> Path:
    """A package whose server `good` offers the tool `greet`."""
    command = os.path.basename(sys.executable)
    servers({"good": {"type": "stdio", "command": command, "args": [STUB, "answer", "greet"]}})
    return package


def pinned(package: Path, **changes: Any) -> Pin:
    """Pin `greet` as something that it is not any more, or as something else."""
    definition = {**GREET, "description": "Greets.\nPolitely."}
    first = Pin(
        scope=scope_of(str(package)),
        server="good",
        tool="greet",
        digest="sha256:before",
        definition=definition,
    )
    made = replace(first, **changes)
    database = Database()
    asyncio.run(Pins(database).replace(made))
    database.close()
    return made


def digest_kept(package: Path) -> str | None:
    database = Database()
    found = database.now(lambda connection: listed(connection, scope_of(str(package))))
    database.close()
    return found[0].digest if found else None


NOW = digest(definition_of(Tool(server="good", wire=GREET)))


def test_without_pins_none_are_listed_and_no_file_is_made(prowess: Any, package: Path) -> None:
    ran = prowess("pins", "list")
    assert (ran.status, ran.out, ran.err) == (0, "", "no pins\n")
    assert prowess("pins", "list", package, "--json").json == {"pins": []}
    assert not os.path.exists(default_file())


def test_pins_are_listed_for_one_package_or_for_all(prowess: Any, package: Path) -> None:
    pinned(package)
    pinned(package, scope="elsewhere", tool="other\x1b")
    assert prowess("pins", "list", package).out == "  good/greet  sha256:before\n"
    ran = prowess("pins", "list")
    assert ran.out.splitlines()[1].strip() == "good/greet  sha256:before" and "elsewhere" in ran.out
    assert "\x1b" not in ran.out
    assert len(prowess("pins", "list", "--json").json["pins"]) == 2


def test_each_tools_state_is_said_when_the_package_is_brought_up(prowess: Any, greeting: Path) -> None:
    def states(ran: Any) -> dict[str, str]:
        return {each["tool"]: each["state"] for each in ran.json["tools"]}

    new = prowess("pins", "list", greeting, "--connect", "--json")
    assert (new.status, states(new)) == (0, {"greet": "new"})
    assert digest_kept(greeting) is None, "looking pins nothing"
    pinned(greeting, digest=NOW)
    pinned(greeting, tool="gone")
    same = prowess("pins", "list", greeting, "--connect", "--json")
    assert (same.status, states(same)) == (0, {"greet": "pinned", "gone": "not offered"})
    pinned(greeting)
    changed = prowess("pins", "list", greeting, "--connect")
    assert changed.status == 1
    assert changed.out.splitlines()[0].split() == ["changed", "good/greet", NOW]


def test_approving_needs_somebody_who_says_yes(prowess: Any, greeting: Path) -> None:
    pinned(greeting)
    ran = prowess("pins", "approve", greeting, "greet")
    assert ran.status == 1
    assert ran.out.splitlines() == [
        "good/greet",
        "/description changed",
        "  - Greets.",
        "  - Politely.",
        "  + Does greet.",
        f"digest {NOW}",
    ]
    assert f"--yes {NOW}" in ran.err
    assert digest_kept(greeting) == "sha256:before"


def test_only_the_digest_that_was_shown_approves(prowess: Any, greeting: Path) -> None:
    pinned(greeting)
    for wrong in ("sha256:before", "", "yes", NOW[:-1]):
        assert prowess("pins", "approve", greeting, "greet", "--yes", wrong).status == 1
        assert digest_kept(greeting) == "sha256:before"
    right = prowess("pins", "approve", greeting, "good/greet", "--yes", NOW)
    assert right.status == 0
    assert "Greets." in right.out, "the difference is shown all the same"
    assert digest_kept(greeting) == NOW
    assert prowess("pins", "list", greeting, "--connect").status == 0
    again = prowess("pins", "approve", greeting, "greet")
    assert (again.status, again.out) == (0, "")


def test_what_is_approved_is_callable_again(prowess: Any, greeting: Path) -> None:
    pinned(greeting)
    provider = MemoryProvider("good", {"greet": (GREET, lambda arguments: asyncio.sleep(0))})
    asyncio.run(provider.open())
    (tool,) = provider.offer().tools

    def refused() -> bool:
        database = Database()
        pins = PinnedTools(Pins(database), scope=scope_of(str(greeting)))
        refusal = asyncio.run(pins.refusal(tool))
        database.close()
        return refusal is not None

    assert refused()
    prowess("pins", "approve", greeting, "greet", "--yes", NOW)
    assert not refused()


def test_a_tool_never_seen_shows_all_of_itself(prowess: Any, greeting: Path) -> None:
    ran = prowess("pins", "approve", greeting, "greet", "--json")
    assert ran.status == 1
    assert ran.json["definition"] == GREET
    assert {each["kind"] for each in ran.json["changes"]} == {"added"}
    assert ran.json["digest"] == NOW


def on_a_terminal(answer: str, *arguments: object) -> tuple[int, str]:
    """Run `prowess pins` on a terminal and give one answer; its status, and what it printed."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "prowess", "pins", *(str(each) for each in arguments)]
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, stderr=theirs) as running:
        os.close(theirs)
        said = b""
        while b"[y/N] " not in said:
            assert select.select([ours], [], [], SECONDS)[0], said
            said += os.read(ours, 4_096)
        os.write(ours, answer.encode() + b"\n")
        out, _ = running.communicate(timeout=SECONDS)
    os.close(ours)
    return running.returncode, out.decode()


def test_a_person_on_a_terminal_is_asked(greeting: Path) -> None:
    pinned(greeting)
    status, out = on_a_terminal("n", "approve", greeting, "greet")
    assert status == 1 and "  + Does greet." in out
    assert digest_kept(greeting) == "sha256:before"
    status, _ = on_a_terminal("y", "approve", greeting, "greet")
    assert status == 0
    assert digest_kept(greeting) == NOW


def test_lines_of_a_description_cannot_look_like_ours(prowess: Any, greeting: Path) -> None:
    pinned(greeting, definition={**GREET, "description": "a\ndigest sha256:fake\n\x1b[2J\u202e\u200b"})
    ran = prowess("pins", "approve", greeting, "greet")
    assert [line for line in ran.out.splitlines() if line.startswith("digest ")] == [f"digest {NOW}"]
    assert all(line.isprintable() for line in ran.out.splitlines())


def test_a_pin_is_forgotten_and_the_next_sight_is_the_first(prowess: Any, package: Path) -> None:
    pinned(package)
    pinned(package, tool="other")
    pinned(package, tool="third", scope="elsewhere")
    assert prowess("pins", "reset", package, "greet").out == "1 pin forgotten\n"
    assert prowess("pins", "reset", package, "greet").status == 2
    assert prowess("pins", "reset", package, "--json").json == {
        "forgotten": [{"server": "good", "tool": "other"}]
    }
    assert prowess("pins", "reset", package).out == "0 pins forgotten\n"
    assert len(prowess("pins", "list", "--json").json["pins"]) == 1


def test_a_damaged_pin_can_be_forgotten(prowess: Any, package: Path) -> None:
    pinned(package)
    database = Database()
    database.now(lambda connection: connection.execute("UPDATE pins SET definition = '{'"))
    database.close()
    assert prowess("pins", "list", package).status == 2
    assert prowess("pins", "reset", package, "greet").status == 0
    assert prowess("pins", "list", package).status == 0


def test_pins_of_a_package_that_is_gone_can_be_forgotten(prowess: Any, tmp_path: Path) -> None:
    pinned(tmp_path / "gone")
    assert prowess("pins", "reset", tmp_path / "gone").status == 0
    assert digest_kept(tmp_path / "gone") is None


def test_two_servers_with_one_tool_name_are_told_apart(prowess: Any, package: Path) -> None:
    pinned(package, server="one")
    pinned(package, server="two")
    ambiguous = prowess("pins", "reset", package, "greet")
    assert ambiguous.status == 2 and "one/greet" in ambiguous.err
    assert prowess("pins", "reset", package, "two/greet").status == 0


@pytest.mark.parametrize(
    "line",
    [
        "pins", "pins show", "pins approve", "pins approve sample", "pins approve no-such-thing greet",
        "pins approve sample no-such-tool", "pins reset", "pins list sample greet", "pins list --connect",
        "pins list no-such-thing", "pins reset sample greet", "pins approve sample greet --timeout 0",
    ],
)  # fmt: skip
def test_a_bad_question_is_status_2(
    line: str, prowess: Any, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(package.parent)
    ran = prowess(*line.split(" "))
    assert (ran.status, ran.out) == (2, "")
    assert "prowess: " in ran.err and "fault of prowess" not in ran.err


def test_a_damaged_file_closes(prowess: Any, greeting: Path) -> None:
    pinned(greeting)
    with open(default_file(), "wb") as file:
        file.write(b"nonsense" * 1_000)
    for arguments in (["list"], ["approve", greeting, "greet", "--yes", NOW], ["reset", greeting]):
        ran = prowess("pins", *arguments)
        assert (ran.status, ran.out) == (2, "")
        assert default_file() in ran.err
