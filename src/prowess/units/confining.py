"""Third-party units shut in by the kernel: what is closed, how, and in words what is not.

Units of an installed plugin run as that plugin's stdio MCP server, never in our process. On Linux
that server is started through `confined.py`, which puts Landlock and a filter of system calls on
itself before it becomes the server; where the kernel has no Landlock and bubblewrap is installed, that
is used. Nothing here starts a process: it says what to start. What could not be closed is a value in
words, for whoever decides whether that is enough.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from prowess.redact import printable
from prowess.units import landlock, seccomp
from prowess.units.hosts import PORTS, declared
from prowess.units.model import Permissions

Means = Literal["landlock", "bubblewrap", "nothing"]

# Programs and their libraries, and what they read to work at all; nothing of it is anybody's secret.
RUNS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store")
READS = tuple(
    f"/etc/{name}"
    for name in (
        *("alternatives", "ca-certificates", "crypto-policies", "gai.conf", "host.conf", "hosts"),
        *("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "ld.so.preload", "localtime", "mime.types"),
        *("nsswitch.conf", "os-release", "pki/ca-trust", "pki/tls/certs", "protocols", "resolv.conf"),
        *("services", "ssl/cert.pem", "ssl/certs", "ssl/openssl.cnf", "timezone"),
    )
)
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
OWN = "/proc/self"


@dataclass(frozen=True, slots=True, kw_only=True)
class Confinement:
    """What one server is to be shut in by: places as absolute paths, ports of TCP, its own scratch space.

    Without `network` it gets no socket at all.
    """

    reads: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    network: bool = False
    ports: tuple[int, ...] = ()
    scratch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Powers:
    """What this machine can do: the version of Landlock (0: none), filters of calls, bubblewrap's path."""

    landlock: int = 0
    seccomp: bool = False
    bubblewrap: str = ""

    @property
    def means(self) -> Means:
        """What would be used."""
        if self.landlock:
            return "landlock"
        return "bubblewrap" if self.bubblewrap else "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Confined:
    """What is closed and what stays open, in words fit to print."""

    means: Means
    closed: tuple[str, ...]
    open: tuple[str, ...]


def probe() -> Powers:
    """What this machine can do."""
    linux = sys.platform.startswith("linux")
    return Powers(
        landlock=landlock.version(),
        seccomp=seccomp.known(),
        bubblewrap=(shutil.which("bwrap") or "") if linux else "",
    )


def confinement(permissions: Iterable[Permissions], *, root: str, data: str) -> Confinement:
    """What the units of one plugin declare together; relative paths count from `root`, the plugin.

    The plugin's own files can be read and run, `data` can be written.
    """
    every = tuple(permissions)
    reads = [_at(root, path) for each in every for path in each.reads]
    writes = [_at(root, path) for each in every for path in each.writes]
    return Confinement(
        reads=_sorted([root, *reads]),
        runs=_sorted([root, *_pythons()]),
        writes=_sorted([data, *writes]),
        network=any(each.network for each in every),
        ports=tuple(sorted({port for each in every for port in _ports(each)})),
        scratch=os.path.join(data, "tmp"),
    )


def command(argv: Sequence[str], shut: Confinement, powers: Powers, *, cwd: str = "") -> list[str]:
    """What to start in place of `argv`; `argv` itself where nothing can be done."""
    if powers.means == "landlock":
        plan = json.dumps({"abi": powers.landlock, "seccomp": powers.seccomp, **asdict(shut)})
        return [sys.executable, "-I", "-m", "prowess.units.confined", plan, *argv]
    if powers.means == "bubblewrap":
        return [*_bubblewrap(powers.bubblewrap, shut, cwd), *argv]
    return list(argv)


def report(shut: Confinement, powers: Powers) -> Confined:
    """What `command` closes on this machine, and what stays open."""
    if powers.means == "nothing":
        kind = "Landlock or bubblewrap" if sys.platform.startswith("linux") else "confinement"
        return Confined(
            means="nothing",
            closed=(),
            open=(f"this machine has no {kind}: it can do whatever this user can",),
        )
    closed = [
        f"files: only {_named([*shut.reads, *shut.writes]) or 'its own'}, and what programs need to run"
    ]
    closed += [f"written: only {_named(shut.writes)}"]
    left = ["processor time and memory are not limited"]
    if powers.means == "landlock":
        _of_landlock(shut, powers, closed, left)
    elif shut.network:
        left.append("network: any host and any port, this machine's own among them")
    else:
        closed.append("network: none")
    return Confined(means=powers.means, closed=tuple(closed), open=tuple(left))


def _of_landlock(shut: Confinement, powers: Powers, closed: list[str], left: list[str]) -> None:
    left.append("that a file exists, its size and its times can be seen anywhere")
    tcp = powers.landlock >= landlock.SINCE_TCP
    if not shut.network:
        if powers.seccomp:
            closed.append("network: no socket at all")
        elif tcp:
            closed.append("network: no TCP")
            left.append("network: UDP and UNIX sockets, since calls cannot be filtered on this processor")
        else:
            left.append("network: everything, since this kernel's Landlock knows no TCP")
    else:
        if tcp and shut.ports:
            closed.append(
                f"network: TCP only to port {', '.join(map(str, shut.ports))}; it can offer nothing"
            )
        else:
            left.append("network: any port")
        left.append("network: any host on those ports, since the kernel does not know names; UDP too")
    if powers.landlock < landlock.SINCE_TRUNCATE:
        left.append("a file that may be opened for nothing else can be emptied")
    if powers.landlock < landlock.SINCE_SCOPES:
        left.append("signals to other processes of this user")


def _named(places: Sequence[str]) -> str:
    return printable(", ".join(places), 1_000)


def _ports(permissions: Permissions) -> set[int]:
    hosts, _ = declared(permissions.hosts)
    found: set[int] = set()
    for each in hosts:
        found |= {each.port} if each.port else {PORTS[each.scheme]} if each.scheme else set(PORTS.values())
    return found


def _at(root: str, path: str) -> str:
    return os.path.normpath(os.path.join(root, os.path.expanduser(path)))


def _pythons() -> list[str]:
    """Where this Python and Prowess are, wherever they were installed."""
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return [sys.prefix, sys.base_prefix, here]


def _sorted(places: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(dict.fromkeys(places)))


def _bubblewrap(program: str, shut: Confinement, cwd: str) -> list[str]:
    argv = [program, "--die-with-parent", "--new-session", "--unshare-all", "--cap-drop", "ALL"]
    argv += ["--share-net"] if shut.network else []
    argv += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]  # noqa: S108  # a place of its own
    for each in (*RUNS, *READS, *shut.runs, *shut.reads):
        argv += ["--ro-bind-try", each, each]
    for each in shut.writes:
        argv += ["--bind-try", each, each]
    return [*argv, *(["--chdir", cwd] if cwd else []), "--"]
