"""`prowess update`, `remove`, `info`: what changes is said in abilities, and data outlives versions."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from tests.install.conftest import Package, Run

from prowess.store.installed import Scope
from prowess.store.installed_changing import KEPT_SECONDS
from prowess.store.installed_opening import located


@pytest.fixture
def installed(add: Run, package: Package, scope: Scope) -> Package:
    """The sample, installed in this project."""
    assert add(package.root).status == 0
    return package


def test_an_update_that_may_do_nothing_new_is_installed_without_a_question(
    installed: Package, prowess: Run, scope: Scope
) -> None:
    installed.manifest(version="1.1.0")
    installed.write("reference.md", "more")
    ran = prowess("update", "--json")
    (update,) = ran.json["updates"]
    assert (ran.status, update["changed"], update["asks"]) == (0, True, False)
    assert update["difference"]["added"] == ["reference.md"]
    assert update["difference"]["changed"] == ["plugin.json"]
    one = scope.read().installed["sample"]
    assert one.version == "1.1.0"
    assert one.is_trusted
    assert (Path(located("installed:sample")) / "reference.md").read_text() == "more"


def test_an_update_that_may_do_more_asks_again(installed: Package, prowess: Run, scope: Scope) -> None:
    before = Path(scope.lock).read_bytes()
    installed.servers(remote={"type": "streamable-http", "url": "https://evil.example.com/mcp"})
    ran = prowess("update", "sample", "--json")
    (update,) = ran.json["updates"]
    assert (ran.status, update["asks"]) == (1, True)
    assert [each["words"] for each in update["difference"]["gained"]] == ["contacts https://evil.example.com"]
    assert Path(scope.lock).read_bytes() == before
    agreed = prowess("update", "sample", "--json", "--yes", update["digest"])
    assert agreed.status == 0
    assert (Path(located("installed:sample")) / "mcp.json").exists()


def test_an_update_says_what_a_package_may_not_do_any_more(installed: Package, prowess: Run) -> None:
    installed.skill("greet", when="leaves")
    said = prowess("update", "sample", "--json").json["updates"][0]["difference"]
    assert "arrives" in said["lost"][0]["words"]
    assert "leaves" in said["gained"][0]["words"]
    text = prowess("update", "sample")
    assert "it may do more:" in text.out
    assert "and no more:" in text.out


@pytest.mark.parametrize("changes", [True, False])
def test_what_nobody_agreed_to_is_no_measure_of_what_is_new(
    changes: bool, installed: Package, prowess: Run, scope: Scope
) -> None:
    """A lock that somebody else wrote may hold any abilities, so that an update seems to add none."""
    document = json.loads(Path(scope.lock).read_text())
    document["installed"]["sample"]["trusted"] = {}
    Path(scope.lock).write_text(json.dumps(document))
    if changes:
        installed.write("reference.md", "more")
    (update,) = prowess("update", "sample", "--json").json["updates"]
    assert update["difference"]["gained"] == update["abilities"]
    for verb in ("update", "sync"):
        ran = prowess(verb)
        assert ran.status == 1
        assert "somebody arrives" in ran.out
        assert "nobody agreed to what is installed" in ran.out
        assert "nothing that it may not do now" not in ran.out


def test_going_back_to_what_was_agreed_to_once_asks_nothing(
    installed: Package, prowess: Run, scope: Scope
) -> None:
    first = scope.read().installed["sample"].digest
    mcp = installed.root / "mcp.json"
    installed.servers(remote={"type": "streamable-http", "url": "https://a.example.com/mcp"})
    digest = prowess("update", "--json").json["updates"][0]["digest"]
    assert prowess("update", "--yes", digest).status == 0
    mcp.unlink()
    assert prowess("update").status == 0
    installed.servers(remote={"type": "streamable-http", "url": "https://a.example.com/mcp"})
    assert prowess("update").status == 0
    assert scope.read().installed["sample"].digest == digest != first


def test_a_package_that_did_not_change_is_up_to_date(installed: Package, prowess: Run, scope: Scope) -> None:
    before = Path(scope.lock).stat().st_mtime_ns
    ran = prowess("update", "--json")
    assert (ran.status, ran.json["updates"][0]["changed"]) == (0, False)
    assert Path(scope.lock).stat().st_mtime_ns == before


def test_data_outlives_updates_and_is_deleted_only_on_request(
    installed: Package, prowess: Run, scope: Scope
) -> None:
    data = Path(scope.data(scope.read().installed["sample"]))
    data.mkdir(parents=True)
    (data / "kept").write_text("mine")
    installed.manifest(version="2.0.0")
    assert prowess("update").status == 0
    assert Path(scope.data(scope.read().installed["sample"])) == data
    ran = prowess("remove", "sample", "--json")
    assert ran.json["data"] == {"path": str(data), "kept": True}
    assert (data / "kept").read_text() == "mine"


def test_removing_with_data_deletes_it(installed: Package, prowess: Run, scope: Scope) -> None:
    one = scope.read().installed["sample"]
    data = Path(scope.data(one))
    data.mkdir(parents=True)
    (data / "kept").write_text("mine")
    assert prowess("remove", "sample", "--data").status == 0
    assert not data.exists()
    assert not os.path.lexists(scope.link(one))
    assert not os.path.exists(scope.package(one))
    assert prowess("list", "--json").json["installed"] == []


def test_a_package_from_a_new_place_keeps_its_data_when_it_is_said_to_be_the_same(
    installed: Package, prowess: Run, scope: Scope, tmp_path: Path
) -> None:
    data = scope.data(scope.read().installed["sample"])
    moved = Package(tmp_path / "moved")
    moved.manifest(version="3.0.0")
    assert prowess("update", "sample", "--from", moved.root).status == 0
    one = scope.read().installed["sample"]
    assert one.version == "3.0.0"
    assert scope.data(one) == data


def test_a_new_place_that_holds_another_package_is_no_update(
    installed: Package, prowess: Run, scope: Scope, tmp_path: Path
) -> None:
    before = scope.read()
    other = Package(tmp_path / "other", "other")
    ran = prowess("update", "sample", "--from", other.root, "--json")
    assert ran.status == 2
    assert scope.read() == before


def test_a_source_that_is_gone_leaves_what_is_installed(
    installed: Package, prowess: Run, scope: Scope
) -> None:
    (installed.root / "plugin.json").unlink()
    ran = prowess("update", "--json")
    assert ran.status == 1
    assert ran.json["updates"][0]["refused"]["code"] == "package-rejected"
    assert Path(located("installed:sample"), "plugin.json").exists()


def test_one_update_that_fails_keeps_no_other_back(
    installed: Package, add: Run, prowess: Run, scope: Scope, tmp_path: Path
) -> None:
    other = Package(tmp_path / "other", "other")
    add(other.root)
    (other.root / "plugin.json").unlink()
    installed.manifest(version="9.0.0")
    assert prowess("update").status == 1
    assert scope.read().installed["sample"].version == "9.0.0"


def test_the_old_version_stays_for_who_is_using_it_and_goes_after_a_day(
    installed: Package, prowess: Run, scope: Scope
) -> None:
    old = Path(scope.package(scope.read().installed["sample"]))
    installed.manifest(version="2.0.0")
    prowess("update")
    assert (old / "plugin.json").exists()
    past = time.time() - KEPT_SECONDS - 60
    os.utime(old, (past, past))
    installed.manifest(version="3.0.0")
    prowess("update")
    assert not old.exists()


def test_info_says_what_is_installed_and_where(installed: Package, prowess: Run, scope: Scope) -> None:
    one = scope.read().installed["sample"]
    said = prowess("info", "sample", "--json").json
    assert said["path"] == scope.link(one)
    assert said["data"] == {"path": scope.data(one), "bytes": 0}
    assert list(said["trusted"]) == [one.digest]
    assert [each["kind"] for each in said["abilities"]] == ["skill"]
    text = prowess("info", "installed:sample")
    assert text.status == 0
    assert "somebody arrives" in text.out


@pytest.mark.parametrize("verb", ["info", "remove", "update", "audit"])
def test_a_name_that_is_not_installed_is_told(verb: str, prowess: Run, here: Path) -> None:
    ran = prowess(verb, "nothing-like-it")
    assert ran.status == 2
    assert "is not installed" in ran.err


def test_only_one_package_can_be_given_another_source(installed: Package, prowess: Run) -> None:
    assert prowess("update", "--ref", "v2").status == 2
    assert prowess("update", "sample", "--ref", "v2").status == 2
