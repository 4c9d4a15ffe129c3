"""What `installed:NAME` means: the path of a package that is what somebody agreed to, now.

Its files are held against the lock each time, so that what is opened is what the lock says, whoever wrote
to the folder meanwhile. Bytecode that Python left is no part of any package and is taken away.
"""

from __future__ import annotations

import os
import re

from prowess.errors import NotFound, StoreFailed
from prowess.redact import printable
from prowess.source.archive_contents import contents_on_disk
from prowess.spec.names import name_problem
from prowess.store.installed import (
    PREFIX,
    PROJECT_FOLDER,
    Scope,
    found,
    insist_on_own_folders,
    is_installed_path,
    project,
    settle,
    user,
)
from prowess.store.installed_changing import delete_tree
from prowess.store.lock import Installed

BYTECODE = "__pycache__"
_LINK = re.compile(r"(.+)-([0-9a-f]{16})")


def located(path: str, folder: str = ".") -> str:
    """The directory that `installed:NAME` means, in the project in `folder` or else for the user.

    Any other path is given back as it is. Raises NotFound, and StoreFailed for content that nobody
    agreed to.
    """
    if not is_installed_path(path):
        return path
    name = path.removeprefix(PREFIX)
    if name_problem(name) is not None:
        hint = f"{PREFIX}NAME, as prowess list shows it"
        raise NotFound(f"{printable(path, 80)} names no package", hint=hint)
    scope, one = found(name, (project(folder), user()))
    if not one.is_trusted:
        raise StoreFailed(f"nobody agreed to {name} as the lock has it", hint="prowess sync asks")
    insist_on_own_folders(scope)
    if not os.path.isdir(scope.package(one)):
        raise NotFound(f"{name} is in the lock and not on this machine", hint="prowess sync brings it")
    _insist_on_whole(scope, one)
    settle(scope, one)
    return scope.link(one)


def _insist_on_whole(scope: Scope, one: Installed) -> None:
    root = scope.package(one)
    now = {} if os.path.islink(root) else contents_on_disk(root)
    left = {path: said for path, said in now.items() if BYTECODE not in path.split("/")}
    if left != dict(one.files):
        hint = "prowess audit tells what is different, prowess sync brings it back"
        raise StoreFailed(f"{one.name} is not what was agreed to any more", hint=hint)
    for path in now.keys() - left.keys():
        steps = path.split("/")
        delete_tree(os.path.join(root, *steps[: steps.index(BYTECODE) + 1]))


def installed_at(root: str) -> Installed | None:
    """The package whose link `root` is, as its lock has it; None for any other directory."""
    folder, name = os.path.split(os.path.abspath(root))
    home, plugins = os.path.split(folder)
    matched = _LINK.fullmatch(name)
    if plugins != "plugins" or matched is None:
        return None
    scope = project(os.path.dirname(home)) if os.path.basename(home) == PROJECT_FOLDER else user()
    if scope.home != home:
        return None
    try:
        one = scope.read().installed.get(matched[1])
    except StoreFailed:
        return None
    return one if one is not None and one.identity == matched[2] else None
