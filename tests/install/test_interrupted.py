"""Killed in the middle: what is installed afterwards is the old or the new, whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.bounds import bound
from tests.install.conftest import Package

from prowess.author.fetching import origin_of
from prowess.author.installing import install, prepared
from prowess.store.installed import Scope

PROGRAM = Path(__file__).with_name("interrupted.py")
LAST = 100_000  # a moment that never comes: the action runs to its end


def killed(scope: Scope, action: str, source: Path, *moments: int) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, str(PROGRAM), scope.base, action, str(source), *map(str, moments)],
        capture_output=True,
        text=True,
        timeout=bound(50),
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def put(scope: Scope, package: Package) -> None:
    updates = scope.read().installed.get(package.name)
    with prepared(scope, origin_of(str(package.root), base=scope.base), updates=updates) as ready:
        install(ready)


def spread(total: int, count: int) -> list[int]:
    return sorted({1 + total * each // count for each in range(count)})


def settled(scope: Scope) -> None:
    """Nothing of those who were killed is left, once somebody came to an end."""
    assert os.listdir(os.path.join(scope.home, "staging")) == []
    installed = scope.read().installed
    links = {os.path.basename(scope.link(each)) for each in installed.values()}
    assert set(os.listdir(os.path.join(scope.home, "plugins"))) == links


def versions(found: list[dict[str, Any]]) -> set[str]:
    assert all(each["wrong"] == [] for each in found), [each for each in found if each["wrong"]]
    return {each["version"] for each in found}


def test_an_update_that_is_killed_at_any_moment_leaves_the_old_or_the_new(
    scope: Scope, package: Package
) -> None:
    put(scope, package)
    data = Path(scope.data(scope.read().installed["sample"]))
    data.mkdir(parents=True)
    (data / "kept").write_text("mine")
    package.manifest(version="2.0.0")
    package.write("added/file", "new")
    found = killed(scope, "update", package.root, *range(1, 400, 5), LAST)
    assert versions(found) == {"1.0.0", "2.0.0"}
    assert found[-1]["version"] == "2.0.0"
    assert [each["killed"] for each in found].count(True) >= 20
    settled(scope)
    assert (data / "kept").read_text() == "mine"


def test_a_first_install_that_is_killed_at_any_moment_leaves_nothing_or_all(
    scope: Scope, package: Package
) -> None:
    found = killed(scope, "add", package.root, *range(2, 400, 7), LAST)
    assert versions(found) == {"nothing", "1.0.0"}
    assert found[-1]["version"] == "1.0.0"
    settled(scope)


def test_a_removal_that_is_killed_at_any_moment_leaves_all_or_nothing(scope: Scope, package: Package) -> None:
    put(scope, package)
    found = killed(scope, "remove", package.root, *range(1, 60))
    assert versions(found[:1]) == {"1.0.0"}
    assert "nothing" in versions([each for each in found if each["killed"]])


def test_two_processes_that_install_at_once_both_succeed(scope: Scope, tmp_path: Path) -> None:
    packages = [Package(tmp_path / f"source-{n}", f"sample-{n}") for n in range(4)]
    program = (
        "import sys; from prowess.store.installed import project; "
        "from tests.install.interrupted import act; act(project(sys.argv[1]), 'add', sys.argv[2])"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program, scope.base, str(each.root)], cwd=Path(__file__).parents[2]
        )
        for each in packages
    ]
    assert [each.wait(timeout=bound(40)) for each in running] == [0, 0, 0, 0]
    assert set(scope.read().installed) == {each.name for each in packages}
    settled(scope)


def test_who_was_overtaken_while_asking_installs_nothing(scope: Scope, package: Package) -> None:
    from prowess.errors import StoreFailed

    with prepared(scope, origin_of(str(package.root), base=scope.base)) as slow:
        package.manifest(version="2.0.0")
        put(scope, package)
        with pytest.raises(StoreFailed):
            install(slow)
    assert scope.read().installed["sample"].version == "2.0.0"
    settled(scope)
