"""A third-party server shut in for real, in a process of its own; and the words where it is not."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from prowess.units.confined import NOT_STARTED
from prowess.units.confining import Powers, command, confinement, probe, report
from prowess.units.landlock import SINCE_TCP
from prowess.units.model import Permissions, Unit
from prowess.units.privileges import APART, words

MACHINE = probe()
NOTHING = Permissions()
needs_landlock = pytest.mark.skipif(not MACHINE.landlock, reason="needs Landlock")
needs_filter = pytest.mark.skipif(not (MACHINE.landlock and MACHINE.seccomp), reason="needs Landlock")
needs_tcp = pytest.mark.skipif(MACHINE.landlock < SINCE_TCP, reason="needs Landlock that knows TCP")
needs_bubblewrap = pytest.mark.skipif(not MACHINE.bubblewrap, reason="needs bubblewrap")

TRIES = """
import json, os, socket, subprocess, sys
def tried(work):
    try:
        return "yes" if work() is not False else "no"
    except OSError as error:
        return type(error).__name__
def connect(kind, where):
    with socket.socket(*kind) as one:
        one.settimeout(5)
        one.connect(where)
print(json.dumps({name: tried(lambda: eval(code)) for name, code in json.loads(sys.argv[1]).items()}))
"""


class Plugin:
    """A plugin's folder, its data directory, and a file of somebody else's."""

    def __init__(self, place: Path) -> None:
        self.root, self.data, self.secret = place / "plugin", place / "data", place / "mine" / "secret.txt"
        for each in (self.root, self.data, self.secret.parent):
            each.mkdir()
        self.secret.write_text("mine")
        (self.root / "own.txt").write_text("own")

    def tries(self, permissions: Permissions, powers: Powers = MACHINE, /, **tries: str) -> dict[str, str]:
        """What each expression comes to inside."""
        shut = confinement([permissions], root=str(self.root), data=str(self.data))
        argv = command([sys.executable, "-c", TRIES, json.dumps(tries)], shut, powers, cwd=str(self.root))
        done = run(argv, self.root)
        assert done.returncode == 0, done.stderr
        found: dict[str, str] = json.loads(done.stdout)
        return found


def run(argv: Sequence[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(argv, cwd=cwd, capture_output=True, text=True, timeout=30, check=False)


@pytest.fixture
def plugin(tmp_path: Path) -> Plugin:
    return Plugin(tmp_path)


@pytest.fixture
def listening() -> Iterator[int]:
    """A port of this machine that takes connections."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        over = threading.Event()

        def take() -> None:
            while not over.is_set():
                try:
                    server.accept()[0].close()
                except TimeoutError:
                    continue

        thread = threading.Thread(target=take)
        thread.start()
        yield server.getsockname()[1]
        over.set()
        thread.join(timeout=5)


def files(plugin: Plugin) -> dict[str, str]:
    return {
        "own": f"open({str(plugin.root / 'own.txt')!r}).read()",
        "change": f"open({str(plugin.root / 'own.txt')!r}, 'w')",
        "data": f"open({str(plugin.data / 'kept')!r}, 'w').write('x')",
        "read": f"open({str(plugin.secret)!r}).read()",
        "list": f"os.listdir({str(plugin.secret.parent)!r})",
        "write": f"open({str(plugin.secret)!r}, 'w')",
        "accounts": "open('/etc/passwd').read()",
        "temporary": "__import__('tempfile').TemporaryFile()",
        "urandom": "open('/dev/urandom', 'rb').read(1)",
    }


@needs_landlock
def test_no_undeclared_file_is_read_or_written(plugin: Plugin) -> None:
    found = plugin.tries(NOTHING, **files(plugin))
    assert found == {
        "own": "yes",
        "change": "PermissionError",
        "data": "yes",
        "read": "PermissionError",
        "list": "PermissionError",
        "write": "PermissionError",
        "accounts": "PermissionError",
        "temporary": "yes",
        "urandom": "yes",
    }
    assert plugin.secret.read_text() == "mine"


@needs_landlock
def test_declared_files_can_be_read_and_declared_ones_written(plugin: Plugin) -> None:
    mine, own = str(plugin.secret.parent), str(plugin.root / "own.txt")
    declared = Permissions(reads=(mine,), writes=("own.txt",))
    found = plugin.tries(
        declared,
        read=f"open({str(plugin.secret)!r}).read()",
        write=f"open({str(plugin.secret)!r}, 'w')",
        own=f"open({own!r}, 'w')",
    )
    assert found == {"read": "yes", "write": "PermissionError", "own": "yes"}


@needs_landlock
def test_what_it_starts_is_shut_in_too(plugin: Plugin) -> None:
    child = [sys.executable, "-c", f"open({str(plugin.secret)!r})"]
    found = plugin.tries(
        NOTHING, child=f"subprocess.run({child!r}, stderr=subprocess.DEVNULL).returncode == 0"
    )
    assert found == {"child": "no"}


@needs_filter
def test_without_a_declared_network_there_is_no_socket_of_any_kind(plugin: Plugin, listening: int) -> None:
    found = plugin.tries(
        NOTHING,
        tcp=f"connect((socket.AF_INET, socket.SOCK_STREAM), ('127.0.0.1', {listening}))",
        udp="socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
        six="socket.socket(socket.AF_INET6, socket.SOCK_STREAM)",
        unix="socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)",
        raw="socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
        pair="socket.socketpair()",  # what an event loop wakes itself with
    )
    assert found.pop("pair") == "yes"
    assert set(found.values()) == {"PermissionError"}


@needs_tcp
def test_with_a_declared_host_its_port_is_open_and_no_other(plugin: Plugin, listening: int) -> None:
    connect = f"connect((socket.AF_INET, socket.SOCK_STREAM), ('127.0.0.1', {listening}))"
    declared = Permissions(hosts=(f"api.test:{listening}",))
    assert plugin.tries(declared, tcp=connect) == {"tcp": "yes"}
    other = Permissions(hosts=("api.test",))
    found = plugin.tries(
        other,
        tcp=connect,
        offer="socket.create_server(('127.0.0.1', 0))",
        unix="socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)",
    )
    assert set(found.values()) == {"PermissionError"}


@needs_tcp
def test_a_confinement_that_cannot_be_had_starts_nothing(plugin: Plugin) -> None:
    shut = confinement([NOTHING], root=str(plugin.root), data=str(plugin.data))
    ran = plugin.data / "ran"
    argv = [sys.executable, "-c", f"open({str(ran)!r}, 'w')"]
    allowed = run(command(argv, shut, MACHINE), plugin.root)
    assert allowed.returncode == 0 and ran.exists()
    ran.unlink()
    shut = replace(shut, ports=(100_000,), network=True)  # no such port can be allowed
    done = run(command(argv, shut, MACHINE), plugin.root)
    assert done.returncode == NOT_STARTED
    assert "cannot be confined" in done.stderr
    assert not ran.exists()


@needs_landlock
def test_a_command_outside_of_what_it_may_run_is_not_started(plugin: Plugin) -> None:
    script = plugin.secret.parent / "script"
    script.write_text("#!/bin/sh\necho ran\n")
    script.chmod(0o755)
    shut = confinement([NOTHING], root=str(plugin.root), data=str(plugin.data))
    done = run(command([str(script)], shut, MACHINE), plugin.root)
    assert done.returncode == NOT_STARTED and done.stdout == ""


@needs_landlock
def test_a_server_in_it_talks_over_its_pipes_as_ever(plugin: Plugin) -> None:
    code = textwrap.dedent(
        """
        import asyncio, sys
        async def main():
            line = await asyncio.to_thread(sys.stdin.readline)
            print("heard", line.strip())
        asyncio.run(main())
        """
    )
    shut = confinement([NOTHING], root=str(plugin.root), data=str(plugin.data))
    argv = command([sys.executable, "-c", code], shut, MACHINE)
    done = subprocess.run(
        argv, input="hello\n", cwd=plugin.root, capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == ("heard hello\n", "", 0)


@needs_bubblewrap
def test_bubblewrap_closes_files_and_the_network_too(plugin: Plugin, listening: int) -> None:
    wrapped = Powers(bubblewrap=MACHINE.bubblewrap)
    found = plugin.tries(
        NOTHING,
        wrapped,
        read=f"open({str(plugin.secret)!r}).read()",
        change=f"open({str(plugin.root / 'own.txt')!r}, 'w')",
        data=f"open({str(plugin.data / 'kept')!r}, 'w').write('x')",
        tcp=f"connect((socket.AF_INET, socket.SOCK_STREAM), ('127.0.0.1', {listening}))",
    )
    assert found["data"] == "yes"
    assert "yes" not in (found["read"], found["change"], found["tcp"])


# -- in words --------------------------------------------------------------------------------------

SHUT = confinement([NOTHING], root="/plugin", data="/data")
OPEN = confinement([Permissions(hosts=("api.test:8443",))], root="/plugin", data="/data")


def said(lines: Sequence[str], word: str) -> bool:
    return any(word in each for each in lines)


def test_a_machine_that_can_do_nothing_starts_the_command_as_it_is_and_says_so() -> None:
    assert command(["server", "--now"], SHUT, Powers()) == ["server", "--now"]
    told = report(SHUT, Powers())
    assert told.means == "nothing" and told.closed == () and len(told.open) == 1


@pytest.mark.parametrize(
    ("powers", "closed", "left"),
    [
        (Powers(landlock=7, seccomp=True), "no socket", ""),
        (Powers(landlock=4), "no TCP", "UDP"),
        (Powers(landlock=1), "", "network: everything"),
        (Powers(landlock=1, seccomp=True), "no socket", "signals"),
        (Powers(landlock=2, seccomp=True), "no socket", "emptied"),
        (Powers(bubblewrap="/usr/bin/bwrap"), "network: none", ""),
    ],
)
def test_what_a_weaker_machine_leaves_open_is_said(powers: Powers, closed: str, left: str) -> None:
    told = report(SHUT, powers)
    assert said(told.closed, closed) or not closed
    assert said(told.open, left) or not left


@pytest.mark.parametrize("powers", [Powers(landlock=7, seccomp=True), Powers(bubblewrap="/usr/bin/bwrap")])
def test_that_no_kernel_knows_hosts_is_said_where_a_network_is_declared(powers: Powers) -> None:
    assert said(report(OPEN, powers).open, "any host")
    assert not said(report(OPEN, powers).closed, "no socket")


def test_the_network_of_a_plugin_is_what_any_of_its_units_declares() -> None:
    both = confinement([NOTHING, Permissions(hosts=("https://a.test", "b.test:81"))], root="/p", data="/d")
    assert both.network and both.ports == (81, 443)


def test_bubblewrap_gets_a_network_only_where_one_is_declared() -> None:
    powers = Powers(bubblewrap="bwrap")
    assert "--share-net" not in command(["x"], SHUT, powers)
    assert "--share-net" in command(["x"], OPEN, powers)


def test_a_unit_is_described_for_both_ways_of_running_it() -> None:
    permissions = Permissions(hosts=("api.test", "*"), addresses=("nowhere",))
    unit = Unit(name="ask", description="Asks.", permissions=permissions)
    lines = words(unit, Powers(landlock=7, seccomp=True))
    assert APART in lines and said(lines, "is trusted")
    assert said(lines, "host * cannot be read") and said(lines, "address nowhere cannot be read")
    assert said(lines, "not closed there") and said(lines, "closed there by landlock")
