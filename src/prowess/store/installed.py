"""Where installed packages are, and which there are.

    project   prowess.lock beside prowess.toml, packages below .prowess/ there
    user      prowess.lock and packages below this user's own data folder

    plugins/NAME-IDENTITY     a link, the path that a plugin has for good: its data, pins and credentials
                              belong to this path (see `directories.source_identity`)
    packages/NAME-DIGEST/     a package as it was agreed to; never changed, only made and deleted

The lock says what is installed. A link that an interrupted process left behind is set right by whoever
comes next, so what counts is always what the lock says, old or new.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Literal

from prowess.errors import NotFound, StoreFailed
from prowess.redact import printable
from prowess.store.directories import data_home, plugin_data, source_identity
from prowess.store.file_lock import held
from prowess.store.lock import FILE, Installed, Lock, read_lock

PREFIX = "installed:"
PROJECT_FOLDER = ".prowess"
CONFIG = "prowess.toml"
WAIT_SECONDS = 60.0  # for another process that is just changing what is installed
DIGEST_CHARACTERS = 32
ScopeName = Literal["project", "user"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """One set of installed packages: its lock and its folder, both absolute; paths count from `base`."""

    name: ScopeName
    lock: str
    home: str
    base: str

    def read(self) -> Lock:
        """The lock, empty where there is none. Raises StoreFailed."""
        return read_lock(self.lock) or Lock()

    def link(self, one: Installed) -> str:
        """The path that a package has for good."""
        return os.path.join(self.home, "plugins", f"{one.name}-{one.identity}")

    def package(self, one: Installed) -> str:
        """Where exactly this content of a package is."""
        return os.path.join(self.home, "packages", package_name(one))

    def data(self, one: Installed) -> str:
        """The PLUGIN_DATA of a package; it may not be there."""
        return plugin_data(one.name, source_identity(self.link(one)))

    @property
    def changing(self) -> str:
        """What is locked while something changes."""
        return os.path.join(self.home, "changing.lock")


def package_name(one: Installed) -> str:
    """What the folder of a package is called, by its name and content."""
    return f"{one.name}-{one.digest.partition(':')[2][:DIGEST_CHARACTERS]}"


def project(folder: str = ".") -> Scope:
    """What the project in `folder` has installed; nothing needs to be there."""
    base = os.path.abspath(folder)
    home = os.path.join(base, PROJECT_FOLDER)
    return Scope(name="project", lock=os.path.join(base, FILE), home=home, base=base)


def user() -> Scope:
    """What this user has installed."""
    home = os.path.join(data_home(), "installed")
    return Scope(name="user", lock=os.path.join(home, FILE), home=home, base=home)


def is_project(folder: str = ".") -> bool:
    """Whether a folder is a project: it holds a prowess.toml or a prowess.lock."""
    return any(os.path.lexists(os.path.join(folder, each)) for each in (CONFIG, FILE))


def found(name: str, scopes: tuple[Scope, ...]) -> tuple[Scope, Installed]:
    """The first of `scopes` that has a package of that name. Raises NotFound."""
    known: set[str] = set()
    for scope in scopes:
        installed = scope.read().installed
        known |= installed.keys()
        if name in installed:
            return scope, installed[name]
    names = ", ".join(sorted(known)) or "nothing is"
    raise NotFound(f"{printable(name, 80)} is not installed", hint=f"installed: {printable(names, 500)}")


def is_installed_path(path: object) -> bool:
    """Whether a PATH is written as `installed:NAME`."""
    return isinstance(path, str) and path.startswith(PREFIX)


def settle(scope: Scope, one: Installed) -> None:
    """Point the link of a package at what the lock says, if it does not. Raises StoreFailed."""
    if _leads_right(scope, one):
        return
    insist_on_own_folders(scope)
    try:
        with held(scope.changing, WAIT_SECONDS):
            now = scope.read().installed.get(one.name)
            if now is not None and not _leads_right(scope, now):
                set_link(scope, now)
    except (OSError, TimeoutError) as error:
        why = printable(str(getattr(error, "strerror", "") or "another process holds it"))
        raise StoreFailed(f"{printable(scope.link(one), 500)}: {why}") from None


def insist_on_own_folders(scope: Scope) -> None:
    """Raise StoreFailed when a folder of the scope is a link: it came with somebody's repository, and what
    is written or deleted in it would be elsewhere."""
    for each in ("", "packages", "plugins", "staging", "changing.lock"):
        path = os.path.join(scope.home, each)
        if os.path.islink(path.rstrip(os.sep)):
            raise StoreFailed(f"{printable(path, 500)} is a link, so nothing is done there", hint="remove it")


def set_link(scope: Scope, one: Installed) -> None:
    """Point the link of a package at its content, in one step; for whoever holds the lock. OSError."""
    link = scope.link(one)
    os.makedirs(os.path.dirname(link), exist_ok=True)
    temporary = f"{link}.new"
    try:
        os.unlink(temporary)
    except FileNotFoundError:
        pass
    os.symlink(_target(one), temporary, target_is_directory=True)
    os.replace(temporary, link)


def _leads_right(scope: Scope, one: Installed) -> bool:
    try:
        return os.readlink(scope.link(one)) == _target(one)
    except OSError:
        return False


def _target(one: Installed) -> str:
    return os.path.join(os.pardir, "packages", package_name(one))
