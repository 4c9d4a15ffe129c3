"""A program: does one thing to what is installed, and is killed at the N-th thing it does to a disk.

`python interrupted.py PROJECT ACTION SOURCE MOMENT...`: for each moment a child of this process does the
action and kills itself (SIGKILL) right before its MOMENT-th file operation; then the project is looked
at. Prints JSON: what was found installed after each, and everything that is not as it should be.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

from prowess.author.auditing import audit
from prowess.author.fetching import origin_of
from prowess.author.installing import install, prepared, remove
from prowess.errors import NotFound
from prowess.store.installed import Scope, project
from prowess.store.installed_opening import located

# What the interpreter reports before it does it; each is a moment between two states of the disk.
WATCHED = frozenset(
    {
        *("open", "os.mkdir", "os.rename", "os.chmod", "os.symlink", "os.remove", "os.rmdir", "os.utime"),
        *("os.truncate", "os.link", "fcntl.flock", "shutil.rmtree", "tempfile.mkstemp"),
    }
)


def act(scope: Scope, action: str, source: str) -> None:
    if action == "remove":
        remove(scope, scope.read().installed["sample"], data=False)
        return
    updates = scope.read().installed.get("sample")
    with prepared(scope, origin_of(source, base=scope.base), updates=updates) as ready:
        install(ready)


def killed_at(moment: int, scope: Scope, action: str, source: str) -> bool:
    """Whether the child was killed, and did not come to an end before."""
    child = os.fork()
    if child == 0:
        left = moment

        def hook(event: str, _: object) -> None:
            nonlocal left
            if event in WATCHED:
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hook)
        try:
            act(scope, action, source)
        except BaseException as error:
            print(repr(error), file=sys.stderr)
            os._exit(3)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        raise SystemExit(f"the child failed by itself at {moment}")
    return os.WIFSIGNALED(status)


def looked_at(scope: Scope) -> tuple[str, list[str]]:
    """The version that is installed, and what is wrong with it."""
    wrong: list[str] = []
    installed = scope.read().installed.get("sample")
    if installed is None:
        try:
            located("installed:sample", scope.base)
            wrong.append("a package that is not in the lock is found")
        except NotFound:
            pass
        return "nothing", wrong
    root = located("installed:sample", scope.base)  # which settles what was left
    manifest = json.loads((Path(root) / "plugin.json").read_text())
    if manifest["version"] != installed.version:
        wrong.append(f"the lock says {installed.version}, its files {manifest['version']}")
    wrong += [f"{each.path} {each.message}" for each in audit(scope)]
    return installed.version, wrong


def main(argv: list[str]) -> None:
    folder, action, source, *moments = argv
    scope = project(folder)
    found = []
    for moment in map(int, moments):
        killed = killed_at(moment, scope, action, source)
        version, wrong = looked_at(scope)
        found.append({"moment": moment, "killed": killed, "version": version, "wrong": wrong})
        if not killed or (action == "remove" and version == "nothing"):
            break
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
