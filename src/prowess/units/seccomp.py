"""A filter of system calls that takes sockets away: what Landlock alone does not do.

`Documentation/userspace-api/seccomp_filter.rst`. Landlock knows TCP only; this closes UDP, UNIX
sockets (a desktop's and a container engine's among them) and everything else. Pairs of sockets that a
process makes for itself stay. Calls by another architecture's table are refused altogether, because
their numbers mean something else; so is io_uring, which can open a socket by itself.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from typing import NamedTuple

from prowess.units.landlock import prctl

_SET_SECCOMP, _MODE_FILTER = 22, 2
_ALLOW, _ERRNO = 0x7FFF_0000, 0x0005_0000
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data, little endian
_IO_URING = 425
_X32 = 0x4000_0000  # numbers from here on are the x32 table of x86-64
# What a program needs to look up names and reach hosts: IPv4, IPv6, and netlink to ask for its addresses.
_INTERNET = (2, 10, 16)


class _Machine(NamedTuple):
    architecture: int
    socket: int


_MACHINES = {
    "x86_64": _Machine(0xC000_003E, 41),
    "aarch64": _Machine(0xC000_00B7, 198),
    "riscv64": _Machine(0xC000_00F3, 198),
}


def known() -> bool:
    """Whether a filter can be made for this machine."""
    return sys.platform.startswith("linux") and platform.machine() in _MACHINES


def restrict(*, internet: bool) -> None:
    """Take sockets from this process and all that it starts, but those of the internet if they are wanted.

    Raises OSError. Needs `no_new_privs`.
    """
    program = _program(_MACHINES[platform.machine()], internet)
    code = b"".join(struct.pack("=HBBI", *each) for each in program)
    held = ctypes.create_string_buffer(code, len(code))
    filter_ = struct.pack("@HP", len(program), ctypes.addressof(held))
    if prctl(_SET_SECCOMP, _MODE_FILTER, filter_) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"seccomp: {os.strerror(number)}")


_Step = tuple[int, int, int, int]


def _program(machine: _Machine, internet: bool) -> list[_Step]:
    """The filter: each step is code, where to go when true and when false, and a number."""
    families = _INTERNET if internet else ()
    refuse = _ERRNO | errno.EACCES
    return [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, machine.architecture),
        (_RETURN, 0, 0, refuse),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 1, 0, _X32),
        (_EQUAL, 0, 1, _IO_URING),
        (_RETURN, 0, 0, _ERRNO | errno.ENOSYS),
        (_EQUAL, 1, 0, machine.socket),
        (_RETURN, 0, 0, _ALLOW),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        *((_EQUAL, len(families) - place, 0, family) for place, family in enumerate(families)),
        (_RETURN, 0, 0, refuse),
        (_RETURN, 0, 0, _ALLOW),
    ]
