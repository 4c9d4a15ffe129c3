"""Names of files in a package from elsewhere: which are taken, and which are the same to some machine.

A package is unpacked on Linux, macOS and Windows alike, so a name that is special on any of them is
taken on none: a path that leads out, a drive or a stream, a device of Windows, an ending that Windows
drops. Two names that some file system takes for one are refused together. Text only; nothing is opened.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache

from prowess.errors import SourceRefused
from prowess.redact import printable

STEP_BYTES = 255  # the longest name of one step, on every common file system
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"}
)
_FOREIGN = frozenset('<>:"|?*')  # no name of a Windows file holds these


def judged_steps(name: str, *, most_steps: int, most_bytes: int) -> tuple[str, ...]:
    """The steps of a relative path as it stands in an archive; none for the root itself.

    A leading `./` and one slash at the end are how archivers write; every other oddity raises
    SourceRefused.
    """
    encoded = _encoded(name)
    if len(encoded) > most_bytes:
        raise _refused(name, "path-long", f"has a path of more than {most_bytes} bytes")
    _insist_on_relative(name)
    while name.startswith("./"):
        name = name[2:]
    name = name.removesuffix("/")
    if name in ("", "."):
        return ()
    steps = tuple(name.split("/"))
    if len(steps) > most_steps:
        raise _refused(name, "path-deep", f"is more than {most_steps} directories deep")
    for step in steps:
        _insist_on_step(name, step)
    return steps


def same_name(step: str) -> str:
    """What two names have in common when some file system takes them for one name.

    Unicode's canonical caseless matching: file systems that ignore case or normalisation ignore no more.
    """
    if step.isascii():
        return step.lower()
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", step).casefold())


def judged_target(name: str, target: str, *, most_bytes: int) -> str:
    """The target of a symbolic link, as far as its text tells: relative, and made of plain steps."""
    if not target or target.startswith(("/", "\\")) or _has_drive(target):
        raise _refused(name, "link-outside", "is a link to an absolute path")
    if len(_encoded(target)) > most_bytes:
        raise _refused(name, "path-long", f"is a link to a path of more than {most_bytes} bytes")
    for step in target.rstrip("/").split("/"):
        if step not in ("", ".", ".."):
            _insist_on_step(name, step)
    return target


def _encoded(name: str) -> bytes:
    try:
        return name.encode("utf-8")
    except UnicodeEncodeError:
        raise _refused(name, "path-encoding", "has a name that is not UTF-8") from None


def _insist_on_relative(name: str) -> None:
    if "\0" in name:
        raise _refused(name, "path-character", "has a NUL in its name")
    if "\\" in name:
        hint = "archives are written with / between the steps of a path"
        raise _refused(name, "path-backslash", "has a backslash in its path", hint)
    if name.startswith("/"):
        raise _refused(name, "path-absolute", "has an absolute path")
    if _has_drive(name):
        raise _refused(name, "path-drive", "has a path that begins with a drive")


def _has_drive(name: str) -> bool:
    return name[1:2] == ":" and name[:1].isalpha()


def _insist_on_step(name: str, step: str) -> None:
    if step == "..":
        raise _refused(name, "path-climbs", "has a path with .. in it")
    if step in ("", "."):
        raise _refused(name, "path-step", "has an empty step or a dot in the middle of its path")
    if not step.isprintable() or not _FOREIGN.isdisjoint(step):
        raise _refused(name, "path-character", "has a name with characters that some systems forbid or hide")
    if step[-1] in ". ":
        raise _refused(name, "path-trailing", "has a name that ends in a dot or a space, which Windows drops")
    if step.partition(".")[0].rstrip(" ").lower() in _DEVICES:
        raise _refused(name, "path-reserved", "has the name of a device of Windows")
    if len(step.encode("utf-8")) > STEP_BYTES:
        raise _refused(name, "path-long", f"has a name of more than {STEP_BYTES} bytes")


def _refused(name: str, code: str, what: str, hint: str = "") -> SourceRefused:
    return SourceRefused(f"{printable(name, 200) or 'an entry'} {what}", code=code, hint=hint)


@cache
def passed_over() -> frozenset[str]:
    """Names of directories that are no part of a package: left by version control, Python and Macs."""
    return frozenset({".git", ".hg", ".svn", ".jj", "__pycache__", "__macosx", ".prowess"})


def is_passed_over(steps: Sequence[str]) -> str:
    """The step for which a path is left out of a package, or nothing."""
    return next((each for each in steps if each.lower() in passed_over()), "")
