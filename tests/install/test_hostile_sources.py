"""Five hundred hostile archives and directories: none writes outside, none is installed, each says why."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from tests.install.conftest import Run, tree
from tests.install.hostile import ATTACKS, BOUNDS, BROKEN, honest, made, tar_of, zip_of

from prowess.author.fetching import origin_of
from prowess.author.installing import install, prepared
from prowess.errors import PackageRejected, SourceRefused
from prowess.source.archive_bounds import Bounds
from prowess.store.installed import Scope, project
from prowess.store.lock import Origin

SEEDS = 500
BLOCK = 50


def outside(root: Path) -> dict[str, str]:
    """Everything around the place that packages are installed into."""
    return {path: said for path, said in tree(root).items() if not path.startswith("project/.prowess")}


@pytest.mark.parametrize("first", range(0, SEEDS, BLOCK))
def test_a_hostile_source_is_refused_with_a_reason_and_leaves_nothing(first: int, tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "precious").write_text("mine")
    (tmp_path / "sources").mkdir()
    scope = project(str(tmp_path / "project"))
    sources = [(seed, made(seed, tmp_path / "sources")) for seed in range(first, first + BLOCK)]
    before = outside(tmp_path)
    for seed, hostile in sources:
        origin = _origin(hostile.path, scope)
        with (
            pytest.raises((SourceRefused, PackageRejected)) as refused,
            prepared(scope, origin, bounds=Bounds(**BOUNDS)) as ready,
        ):
            install(ready)
        assert refused.value.code in hostile.codes, f"{seed} {hostile.about}: {refused.value.message}"
        assert refused.value.message.isprintable(), hostile.about
        _insist_on_nothing(scope)
    assert outside(tmp_path) == before


def _origin(path: Path, scope: Scope) -> Origin:
    return origin_of(str(path), base=scope.base)


def _insist_on_nothing(scope: Scope) -> None:
    assert not os.path.lexists(scope.lock)
    for name in ("packages", "plugins", "staging"):
        folder = os.path.join(scope.home, name)
        assert not os.path.isdir(folder) or os.listdir(folder) == []


def test_every_attack_has_several_turns() -> None:
    names = [each[0] for each in (*ATTACKS, *BROKEN)]
    assert len(set(names)) == len(names)
    assert 5 * len(names) <= SEEDS


def test_the_honest_package_that_the_hostile_ones_are_made_from_is_installed(tmp_path: Path) -> None:
    rng = random.Random(1)
    for name, data in (
        ("a.zip", zip_of(honest(), rng)),
        ("a.tar", tar_of(honest(), "tar", rng)),
        ("a.tar.gz", tar_of(honest(), "tar.gz", rng)),
        ("a.tar.xz", tar_of(honest(), "tar.xz", rng)),
        ("a.tar.bz2", tar_of(honest(), "tar.bz2", rng)),
    ):
        (tmp_path / name).write_bytes(data)
        place = tmp_path / f"project-{name}"
        place.mkdir()
        scope = project(str(place))
        with prepared(scope, _origin(tmp_path / name, scope), bounds=Bounds(**BOUNDS)) as ready:
            assert install(ready).name == "sample"


def test_the_command_line_says_the_code_of_a_refusal(prowess: Run, here: Path, tmp_path: Path) -> None:
    hostile = next(each for seed in range(60) if "path-climbs" in (each := made(seed, tmp_path)).codes)
    ran = prowess("add", hostile.path, "--json")
    assert ran.status == 1
    assert ran.json["installed"] is False
    assert ran.json["refused"]["code"] == "path-climbs"
    assert "[path-climbs]" in ran.err
