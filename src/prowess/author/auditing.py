"""What is installed held against the lock: every file, every link, and what nobody knows of.

It reads and reports; `prowess sync` sets right. A package that is whole again when it is read from its
own folder may still be the wrong one, so the link that a plugin is started by is looked at too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from prowess.redact import printable
from prowess.source.archive_contents import contents_on_disk
from prowess.store.installed import Scope, package_name
from prowess.store.lock import Installed

BYTECODE = "__pycache__"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that is not as the lock says.

    `code` is `changed`, `missing`, `extra`, `bytecode` (extra, and of the kind that Python leaves when it
    may), `package-missing`, `link-wrong`, `untrusted`, `tool-changed`, `tool-missing` or `tool-new`.
    """

    name: str
    code: str
    path: str
    message: str


def audit(scope: Scope) -> tuple[Fault, ...]:
    """Everything in one scope that is not as its lock says. Raises StoreFailed for an unusable lock."""
    installed = scope.read().installed
    return tuple(fault for name in sorted(installed) for fault in audit_one(scope, installed[name]))


def audit_one(scope: Scope, one: Installed) -> Iterator[Fault]:
    """The same of one package."""
    if not one.is_trusted:
        yield Fault(name=one.name, code="untrusted", path="", message="nobody agreed to this content")
    root = scope.package(one)
    if not os.path.isdir(root) or os.path.islink(root):
        yield Fault(
            name=one.name, code="package-missing", path="", message="its files are not on this machine"
        )
        return
    link, expected = scope.link(one), os.path.join(os.pardir, "packages", package_name(one))
    if not os.path.islink(link) or os.readlink(link) != expected:
        message = "its path does not lead to what the lock names"
        yield Fault(name=one.name, code="link-wrong", path="", message=message)
    yield from compared(one, contents_on_disk(root))


def compared(one: Installed, found: Mapping[str, str]) -> Iterator[Fault]:
    """The files of a package held against what was found of it."""
    for path in sorted(one.files.keys() | found.keys()):
        kept, now = one.files.get(path), found.get(path)
        if kept == now:
            continue
        code, message = _judged(path, kept, now)
        yield Fault(name=one.name, code=code, path=printable(path, 300), message=message)


def _judged(path: str, kept: str | None, now: str | None) -> tuple[str, str]:
    if now is None:
        return "missing", "is not there any more"
    if kept is None:
        if BYTECODE in path.split("/"):
            return "bytecode", "was made by Python, or by somebody who wants it to run something else"
        return "extra", "is not part of the package"
    if now in ("special", "unreadable"):
        return "changed", f"is {now} now"
    if kept.partition(" ")[0] == now.partition(" ")[0]:
        return "changed", "may be run now, or not any more"
    return "changed", "has other content"


def whole(scope: Scope, one: Installed) -> bool:
    """Whether a package is as the lock says."""
    return not any(fault.code != "untrusted" for fault in audit_one(scope, one))
