"""Landlock, the Linux kernel's sandbox for ordinary processes, by its three system calls.

`Documentation/userspace-api/landlock.rst`. A ruleset names what is forbidden altogether and the
places that are excepted; once a process has put it on itself, neither it nor anything it starts can
take it off. What a kernel knows is told by a version number (ABI); nothing here is asked of it that
it does not know. It applies to root as well. Which places are excepted is `confining.py`.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
import sys
from collections.abc import Iterable, Iterator

# Numbers of the generic table of system calls, the same on every current architecture.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG = 1
_PATH_BENEATH, _NET_PORT = 1, 2
_NO_NEW_PRIVILEGES = 38

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = (1 << bit for bit in range(4))
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_BIND_TCP, _CONNECT_TCP = 1, 2
_SCOPES = 1 | 2  # abstract UNIX sockets, signals
_OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | _TRUNCATE | _IOCTL_DEV

READ = READ_FILE | READ_DIR
RUN = READ | EXECUTE

# The first version of the interface that knows each thing.
SINCE_TRUNCATE, SINCE_TCP, SINCE_DEVICES, SINCE_SCOPES = 3, 4, 5, 6


def version() -> int:
    """What this kernel knows; 0 when it has no Landlock, or it is switched off."""
    if not sys.platform.startswith("linux"):
        return 0
    return max(0, _call(_CREATE_RULESET, None, 0, _VERSION_FLAG))


def restrict(
    abi: int,
    *,
    reads: Iterable[str] = (),
    runs: Iterable[str] = (),
    writes: Iterable[str] = (),
    devices: Iterable[str] = (),
    ports: Iterable[int] | None = (),
) -> None:
    """Shut this process in for good, with what it will start. Raises OSError.

    Places that do not exist are left out. `ports` are those that TCP may connect to; None leaves TCP
    alone. It also gives up every privilege that a program could bring along (`no_new_privs`).
    """
    everything = _rights(abi)
    tcp = ports is not None and abi >= SINCE_TCP
    with _Ruleset(abi, everything, tcp) as ruleset:
        for rights, places in (
            (READ, reads),
            (RUN, runs),
            (everything & ~EXECUTE, writes),
            (READ_FILE | WRITE_FILE | _TRUNCATE, devices),
        ):
            for place in places:
                ruleset.open(place, rights & everything)
        for port in ports or () if tcp else ():
            ruleset.connect(port)
        no_new_privileges()
        _insist(_call(_RESTRICT_SELF, ruleset.number, 0), "landlock_restrict_self")


def no_new_privileges() -> None:
    """No program that this process starts gains a privilege by being started. Raises OSError."""
    _insist(prctl(_NO_NEW_PRIVILEGES, 1), "prctl")


def prctl(option: int, first: int | bytes = 0, second: int | bytes = 0) -> int:
    """The system call of that name; below 0 when it failed."""
    given = [ctypes.c_ulong(each) if isinstance(each, int) else each for each in (first, second, 0, 0)]
    answer: int = _libc().prctl(option, *given)
    return answer


class _Ruleset:
    """A ruleset while it is filled."""

    def __init__(self, abi: int, rights: int, tcp: bool) -> None:
        net = _BIND_TCP | _CONNECT_TCP if tcp else 0
        fields = [rights]
        if abi >= SINCE_TCP:
            fields.append(net)
        if abi >= SINCE_SCOPES:
            fields.append(_SCOPES)
        attributes = struct.pack(f"={len(fields)}Q", *fields)
        number = _call(_CREATE_RULESET, attributes, len(attributes), 0)
        self.number = _insist(number, "landlock_create_ruleset")

    def __enter__(self) -> _Ruleset:
        return self

    def __exit__(self, *error: object) -> None:
        os.close(self.number)

    def open(self, place: str, rights: int) -> None:
        """Except a file, or a folder with all below it."""
        try:
            handle = os.open(place, os.O_RDONLY | getattr(os, "O_PATH", 0))
        except OSError:
            return
        try:
            if not stat.S_ISDIR(os.fstat(handle).st_mode):
                rights &= _OF_FILES
            rule = struct.pack("=Qi", rights, handle)
            _insist(_call(_ADD_RULE, self.number, _PATH_BENEATH, rule, 0), "landlock_add_rule")
        finally:
            os.close(handle)

    def connect(self, port: int) -> None:
        """Except TCP connections to a port."""
        rule = struct.pack("=QQ", _CONNECT_TCP, port)
        _insist(_call(_ADD_RULE, self.number, _NET_PORT, rule, 0), "landlock_add_rule")


def _rights(abi: int) -> int:
    """Every right over files that this kernel can take away."""
    return sum(1 << bit for bit in _known(abi))


def _known(abi: int) -> Iterator[int]:
    yield from range(13)
    if abi >= 2:
        yield 13
    if abi >= SINCE_TRUNCATE:
        yield 14
    if abi >= SINCE_DEVICES:
        yield 15


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _call(number: int, *arguments: int | bytes | None) -> int:
    """One system call; below 0 when it failed."""
    call = _libc().syscall
    call.restype = ctypes.c_long
    given = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    answer: int = call(ctypes.c_long(number), *given)
    return answer


def _insist(answer: int, what: str) -> int:
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return answer
