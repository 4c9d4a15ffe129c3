"""Changes to what is installed: each counts in the moment in which the lock file is replaced.

Before that moment a new package stands in its folder and nobody looks there; after it the old one does.
So an interrupted change leaves the old or the new, whole, and what it left over is swept away by the
next one. Processes take turns by a lock of the kernel. A superseded package stays for a day, because a
server that is running may still read from it.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager

from prowess.errors import StoreFailed
from prowess.redact import printable
from prowess.source.archive_contents import contents_on_disk
from prowess.store.directories import create_private
from prowess.store.file_lock import held, try_lock
from prowess.store.installed import WAIT_SECONDS, Scope, insist_on_own_folders, package_name, set_link
from prowess.store.lock import Installed, Lock, write_lock

KEPT_SECONDS = 86_400.0
IGNORED = b"*\n"  # what is installed is told by the lock, and is no part of the project's own files
_SEALED = 0o555
# What is deleted has a name that we gave.
_LINK, _PACKAGE, _STAGED = (
    re.compile(form) for form in (r".+-[0-9a-f]{16}(?:\.new)?", r".+-[0-9a-f]{32}", r"[0-9a-f]{16}")
)


@contextmanager
def turn(scope: Scope) -> Iterator[None]:
    """Alone with what is installed. Raises StoreFailed when another process takes too long."""
    try:
        insist_on_own_folders(scope)
        create_private(scope.home)
        with held(scope.changing, WAIT_SECONDS):
            yield
    except TimeoutError:
        raise StoreFailed("another prowess is installing and does not come to an end") from None
    except OSError as error:
        where = printable(str(error.filename or scope.home), 500)
        raise StoreFailed(f"{where}: {error.strerror or 'cannot be written'}") from None


@contextmanager
def staging(scope: Scope) -> Iterator[str]:
    """A new, private and empty folder on the same disk, gone at the end or swept when this process dies."""
    folder = os.path.join(scope.home, "staging", secrets.token_hex(8))
    with turn(scope):
        _sweep_staging(scope)
        create_private(folder)
        handle = os.open(f"{folder}.lock", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        try_lock(handle)
    try:
        yield folder
    finally:
        delete_tree(folder)
        with contextlib.suppress(OSError):
            os.unlink(f"{folder}.lock")
        os.close(handle)


def put(scope: Scope, root: str, one: Installed, *, before: Installed | None) -> None:
    """Install the package in the folder `root` (below `staging`) as `one`, in the place of `before`.

    Raises StoreFailed, also when something else happened to that name meanwhile; then nothing changed.
    """
    with turn(scope):
        lock = _lock_with(scope, one.name, before)
        _place(scope, root, one)
        if before is not None and package_name(before) != package_name(one):
            with contextlib.suppress(OSError):
                os.utime(scope.package(before))  # from now on it is kept for a while
        _commit(scope, lock.with_(one))
        set_link(scope, one)
        sweep(scope, lock.with_(one))


def rewrite(scope: Scope, one: Installed, *, before: Installed) -> None:
    """Say something else about a package whose content stays. Raises StoreFailed."""
    with turn(scope):
        _commit(scope, _lock_with(scope, one.name, before).with_(one))


def take_away(scope: Scope, one: Installed) -> None:
    """Remove a package; its data stays. Raises StoreFailed."""
    with turn(scope):
        lock = _lock_with(scope, one.name, one).without(one.name)
        _commit(scope, lock)
        delete_tree(scope.package(one))
        sweep(scope, lock)


def delete_tree(path: str) -> None:
    """Delete a directory with all that is in it, sealed or not; what is not there is no error."""
    if os.path.islink(path):
        os.unlink(path)
        return
    for folder, _, _ in os.walk(path):  # topdown, so each is open before its own children are looked at
        with contextlib.suppress(OSError):
            os.chmod(folder, 0o700)
    shutil.rmtree(path, ignore_errors=True)


def sweep(scope: Scope, lock: Lock) -> None:
    """Delete what no lock names: links at once, packages when they are a day old."""
    links = {os.path.basename(scope.link(each)) for each in lock.installed.values()}
    for name in _listed(scope, "plugins"):
        if name not in links and _LINK.fullmatch(name):
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(scope.home, "plugins", name))
    packages = {package_name(each) for each in lock.installed.values()}
    for name in _listed(scope, "packages"):
        path = os.path.join(scope.home, "packages", name)
        if name not in packages and _PACKAGE.fullmatch(name) and _age(path) > KEPT_SECONDS:
            delete_tree(path)


def _lock_with(scope: Scope, name: str, before: Installed | None) -> Lock:
    lock = scope.read()
    if lock.installed.get(name) != before:
        raise StoreFailed(
            f"{name} was changed by another process meanwhile, so nothing was done", hint="look again"
        )
    return lock


def _place(scope: Scope, root: str, one: Installed) -> None:
    """Move the package to where its content belongs, unless it stands there already."""
    target = scope.package(one)
    if os.path.lexists(target):
        # What a link leads to is not ours and may change at any time, whatever it holds now.
        is_own = os.path.isdir(target) and not os.path.islink(target)
        if is_own and contents_on_disk(target) == dict(one.files):
            return
        delete_tree(target)  # damaged: there is no old one to keep whole
    create_private(os.path.dirname(target))
    os.rename(root, target)
    os.chmod(target, _SEALED)


def _commit(scope: Scope, lock: Lock) -> None:
    if scope.name == "project":
        ignoring = os.path.join(scope.home, ".gitignore")
        if not os.path.lexists(ignoring):
            with open(ignoring, "xb") as file:
                file.write(IGNORED)
    write_lock(scope.lock, lock)


def _sweep_staging(scope: Scope) -> None:
    """Folders of processes that ended in the middle: the kernel let go of their locks."""
    folder = os.path.join(scope.home, "staging")
    for name in _listed(scope, "staging"):
        if name.endswith(".lock") and _STAGED.fullmatch(name.removesuffix(".lock")):
            path = os.path.join(folder, name)
            with contextlib.suppress(OSError):
                handle = os.open(path, os.O_RDWR)
                try:
                    if try_lock(handle):
                        delete_tree(path.removesuffix(".lock"))
                        os.unlink(path)
                finally:
                    os.close(handle)
        elif _STAGED.fullmatch(name) and not os.path.lexists(os.path.join(folder, f"{name}.lock")):
            delete_tree(os.path.join(folder, name))


def _listed(scope: Scope, name: str) -> list[str]:
    try:
        return sorted(os.listdir(os.path.join(scope.home, name)))
    except OSError:
        return []


def _age(path: str) -> float:
    try:
        return time.time() - os.lstat(path).st_mtime
    except OSError:
        return 0.0
