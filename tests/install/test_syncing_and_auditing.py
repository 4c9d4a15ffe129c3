"""`prowess sync` brings back what the lock says, `prowess audit` tells what is not so."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.install.conftest import Package, Run

from prowess.author.installing import prepared
from prowess.errors import StoreFailed
from prowess.store.installed import Scope
from prowess.store.installed_changing import delete_tree
from prowess.store.installed_opening import located


@pytest.fixture
def installed(add: Run, package: Package, scope: Scope) -> Path:
    """Where the files of the sample are, installed in this project."""
    package.write("bin/server", "#!/bin/sh\n", executable=True)
    assert add(package.root).status == 0
    return Path(scope.package(scope.read().installed["sample"]))


def opened(path: Path) -> Path:
    """The same, with its folders open to be written into."""
    for folder, _, _ in os.walk(path):
        os.chmod(folder, 0o755)
    return path


def rewritten(root: Path) -> None:
    file = opened(root) / "plugin.json"
    file.unlink()
    file.write_text("{}")


def removed(root: Path) -> None:
    (opened(root) / "plugin.json").unlink()


def planted(root: Path) -> None:
    (opened(root) / "skills" / "greet" / "more.md").write_text("x")


def made_executable(root: Path) -> None:
    (root / "plugin.json").chmod(0o755)


def made_a_link(root: Path) -> None:
    (opened(root) / "plugin.json").unlink()
    (root / "plugin.json").symlink_to("/etc/passwd")


def made_a_pipe(root: Path) -> None:
    (opened(root) / "plugin.json").unlink()
    os.mkfifo(root / "plugin.json")


def compiled(root: Path) -> None:
    (opened(root) / "bin" / "__pycache__").mkdir()
    (root / "bin" / "__pycache__" / "server.cpython-311.pyc").write_bytes(b"x")


@pytest.mark.parametrize(
    ("tamper", "code", "path"),
    [
        (rewritten, "changed", "plugin.json"),
        (removed, "missing", "plugin.json"),
        (planted, "extra", "skills/greet/more.md"),
        (made_executable, "changed", "plugin.json"),
        (made_a_link, "changed", "plugin.json"),
        (made_a_pipe, "changed", "plugin.json"),
        (compiled, "bytecode", "bin/__pycache__/server.cpython-311.pyc"),
    ],
)
def test_every_change_is_found_and_brought_back(
    tamper: Callable[[Path], None], code: str, path: str, installed: Path, prowess: Run, scope: Scope
) -> None:
    assert prowess("audit").status == 0
    tamper(installed)
    ran = prowess("audit", "--json")
    assert ran.status == 1
    assert [(each["code"], each["path"]) for each in ran.json["faults"]] == [(code, path)]
    before = Path(scope.lock).read_bytes()
    assert prowess("sync", "--frozen").status == 0
    assert prowess("audit").status == 0
    assert Path(scope.lock).read_bytes() == before


def test_the_link_that_a_plugin_is_started_by_is_looked_at(
    installed: Path, prowess: Run, scope: Scope, tmp_path: Path
) -> None:
    link = scope.link(scope.read().installed["sample"])
    os.unlink(link)
    os.symlink(tmp_path, link)
    assert [each["code"] for each in prowess("audit", "--json").json["faults"]] == ["link-wrong"]
    assert os.path.samefile(located("installed:sample"), installed)
    assert prowess("audit").status == 0


def test_a_package_whose_folder_became_a_link_is_made_again(
    installed: Path, prowess: Run, scope: Scope, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(installed, elsewhere, symlinks=True)
    delete_tree(str(installed))
    installed.symlink_to(elsewhere)
    assert [each["code"] for each in prowess("audit", "--json").json["faults"]] == ["package-missing"]
    assert prowess("sync", "--frozen").status == 0
    assert prowess("audit").status == 0
    assert not installed.is_symlink()
    assert (elsewhere / "plugin.json").exists()


def test_what_another_process_removed_or_changed_meanwhile_is_not_brought_back(
    installed: Path, add: Run, prowess: Run, package: Package, scope: Scope
) -> None:
    one = scope.read().installed["sample"]
    package.write("reference.md", "more")
    assert prowess("update").status == 0
    for _ in range(2):
        with pytest.raises(StoreFailed), prepared(scope, one.origin, updates=one):
            pass
        prowess("remove", "sample")
    assert scope.read().installed == {}


def test_a_checkout_with_nothing_but_the_lock_is_reproduced(
    installed: Path, prowess: Run, here: Path
) -> None:
    delete_tree(str(here / ".prowess"))
    assert [each["code"] for each in prowess("audit", "--json").json["faults"]] == ["package-missing"]
    ran = prowess("sync", "--frozen", "--json")
    assert (ran.status, ran.json["synced"]) == (0, True)
    assert (installed / "bin" / "server").stat().st_mode & 0o111
    assert prowess("audit").status == 0


def test_what_is_not_on_this_machine_is_said_where_it_is_used(
    installed: Path, prowess: Run, here: Path
) -> None:
    delete_tree(str(here / ".prowess"))
    ran = prowess("check", "installed:sample")
    assert ran.status == 2
    assert "prowess sync" in ran.err


def test_a_source_that_has_changed_fails_a_frozen_sync_and_installs_nothing(
    installed: Path, add: Run, prowess: Run, package: Package, scope: Scope, tmp_path: Path
) -> None:
    other = Package(tmp_path / "other", "other")
    add(other.root)
    before = Path(scope.lock).read_bytes()
    delete_tree(scope.home)
    package.manifest(version="6.6.6")
    ran = prowess("sync", "--frozen", "--json")
    assert ran.status == 1
    states = {each["name"]: each["state"] for each in ran.json["packages"]}
    assert states["sample"] == "failed"
    assert Path(scope.lock).read_bytes() == before
    assert not os.path.exists(scope.package(scope.read().installed["other"]))
    refused = next(each["refused"] for each in ran.json["packages"] if each["name"] == "sample")
    assert refused["code"] == "digest-mismatch"


def test_a_sync_that_is_not_frozen_offers_what_is_there_now(
    installed: Path, prowess: Run, package: Package, scope: Scope
) -> None:
    delete_tree(scope.home)
    package.servers(remote={"type": "streamable-http", "url": "https://new.example.com/mcp"})
    ran = prowess("sync", "--json")
    assert ran.status == 1
    (one,) = ran.json["packages"]
    assert one["asks"] is True
    assert prowess("sync", "--yes", one["digest"]).status == 0
    assert prowess("audit").status == 0


def test_a_frozen_sync_without_a_lock_is_no_success(prowess: Run, here: Path) -> None:
    assert prowess("sync", "--frozen").status == 2


def test_content_that_nobody_agreed_to_is_neither_synced_nor_used(
    installed: Path, prowess: Run, scope: Scope
) -> None:
    document = json.loads(Path(scope.lock).read_text())
    document["installed"]["sample"]["trusted"] = {}
    Path(scope.lock).write_text(json.dumps(document))
    assert prowess("sync", "--frozen").status == 1
    assert prowess("check", "installed:sample").status == 2
    assert [each["code"] for each in prowess("audit", "--json").json["faults"]] == ["untrusted"]


def test_a_damaged_lock_is_told_and_left_alone(installed: Path, prowess: Run, scope: Scope) -> None:
    Path(scope.lock).write_text("{")
    for verb in (["list"], ["audit"], ["sync"], ["update"], ["info", "sample"], ["remove", "sample"]):
        ran = prowess(*verb)
        assert ran.status == 2, verb
        assert "damaged" in ran.err
    assert Path(scope.lock).read_text() == "{"


def test_a_lock_that_came_with_a_repository_installs_nowhere_else(
    installed: Path, prowess: Run, scope: Scope, here: Path
) -> None:
    document = json.loads(Path(scope.lock).read_text())
    document["installed"]["sample"]["identity"] = "../../../../x"
    Path(scope.lock).write_text(json.dumps(document))
    shutil.copy(scope.lock, here / "copy")
    assert prowess("sync", "--frozen").status == 2
    assert sorted(each.name for each in here.parent.iterdir()) == ["project", "source"]


@pytest.mark.parametrize("tamper", [rewritten, removed, planted, made_executable, made_a_link])
def test_what_is_not_what_was_agreed_to_is_not_opened(
    tamper: Callable[[Path], None], installed: Path, prowess: Run
) -> None:
    tamper(installed)
    ran = prowess("check", "installed:sample")
    assert ran.status == 2
    assert "prowess audit" in ran.err


def test_bytecode_that_was_left_is_taken_away_before_a_package_is_opened(
    installed: Path, prowess: Run
) -> None:
    compiled(installed)
    assert prowess("check", "installed:sample").status == 0
    assert not (installed / "bin" / "__pycache__").exists()
    assert prowess("audit").status == 0


@pytest.mark.parametrize("name", ["", "packages", "plugins", "staging"])
def test_a_folder_that_is_a_link_is_neither_written_to_nor_swept(
    name: str, add: Run, prowess: Run, package: Package, here: Path, tmp_path: Path
) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    old = precious / f"thesis-{'0' * 32}"
    old.mkdir()
    os.utime(old, (0, 0))
    link = here / ".prowess" / name
    link.parent.mkdir(exist_ok=True)
    Path(str(link).rstrip("/")).symlink_to(precious)
    assert add(package.root).status == 2
    assert prowess("sync").status == 2
    assert [each.name for each in precious.iterdir()] == [old.name]


@pytest.mark.parametrize(
    "place", ["ext::sh -c 'touch evil'", "http://127.0.0.1:9/x.git", "-u x", "git://127.0.0.1/x"]
)
def test_a_lock_cannot_make_git_do_what_a_person_could_not(
    place: str, installed: Path, prowess: Run, scope: Scope, here: Path
) -> None:
    document = json.loads(Path(scope.lock).read_text())
    document["installed"]["sample"]["origin"] = {"kind": "git", "place": place, "ref": "main"}
    Path(scope.lock).write_text(json.dumps(document))
    delete_tree(scope.home)
    assert prowess("sync", "--frozen").status in (1, 2)
    assert not (here / "evil").exists()
