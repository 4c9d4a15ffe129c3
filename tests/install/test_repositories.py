"""Packages from git: one commit, read without checking it out, so that nothing of it takes part."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.bounds import bound
from tests.install.conftest import Package, Run

from prowess.store.installed import Scope
from prowess.store.installed_changing import delete_tree
from prowess.store.installed_opening import located

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
IDENTITY = {
    f"GIT_{who}_{what}": "x@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
}


class Repository:
    def __init__(self, package: Package) -> None:
        self.package = package
        self.root = package.root
        self.git("init", "-q", "-b", "main")
        self.commit()

    @property
    def url(self) -> str:
        return f"file://{self.root}"

    def git(self, *arguments: str, stdin: bytes = b"") -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            input=stdin,
            env={**os.environ, **IDENTITY, "GIT_CONFIG_GLOBAL": os.devnull},
            capture_output=True,
            timeout=bound(20),
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.decode().strip()

    def commit(self) -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x", "--allow-empty")
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repository(package: Package, here: Path) -> Repository:
    package.write("bin/server", "#!/bin/sh\n", executable=True)
    return Repository(package)


def test_a_commit_is_installed_as_it_is(repository: Repository, add: Run, scope: Scope) -> None:
    ran = add(repository.url)
    assert ran.status == 0
    origin = scope.read().installed["sample"].origin
    assert (origin.kind, origin.place, origin.commit) == (
        "git",
        repository.url,
        repository.git("rev-parse", "HEAD"),
    )
    root = Path(located("installed:sample"))
    assert (root / "bin" / "server").stat().st_mode & 0o111
    assert not (root / ".git").exists()


def test_a_repository_and_its_directory_have_one_digest(repository: Repository, prowess: Run) -> None:
    digests = {prowess("add", place, "--json").json["digest"] for place in (repository.url, repository.root)}
    assert len(digests) == 1


@pytest.mark.parametrize("name", ["my@repository", "a%41b", "a b#c?d", "caf\u00e9", "me@host:x", "ext::x"])
def test_a_repository_of_this_machine_may_have_any_name(
    name: str, repository: Repository, add: Run, here: Path, scope: Scope
) -> None:
    place = here / name
    shutil.copytree(repository.root, place)
    ran = add(place, "--ref", "main")
    assert ran.status == 0, ran.err
    assert scope.read().installed["sample"].origin.kind == "git"


@pytest.mark.parametrize("how", ["--ref", "#"])
def test_a_ref_is_a_tag_a_branch_or_a_commit(how: str, repository: Repository, prowess: Run) -> None:
    first = repository.git("rev-parse", "HEAD")
    repository.git("tag", "v1.0.0")
    repository.git("branch", "stable")
    repository.package.manifest(version="2.0.0")
    repository.commit()
    for ref in ("v1.0.0", "stable", first):
        source = [repository.url, "--ref", ref] if how == "--ref" else [f"{repository.url}#{ref}"]
        assert prowess("add", *source, "--json").json["version"] == "1.0.0"
    assert prowess("add", repository.url, "--json").json["version"] == "2.0.0"
    assert prowess("add", repository.root, "--ref", "v1.0.0", "--json").json["version"] == "1.0.0"


def test_a_frozen_sync_brings_the_commit_of_the_lock_after_its_branch_moved_on(
    repository: Repository, add: Run, prowess: Run, scope: Scope
) -> None:
    add(repository.url, "--ref", "main")
    repository.package.manifest(version="2.0.0")
    repository.commit()
    delete_tree(scope.home)
    assert prowess("sync", "--frozen").status == 0
    assert scope.read().installed["sample"].version == "1.0.0"
    assert prowess("update").status == 0
    assert scope.read().installed["sample"].version == "2.0.0"


def test_a_package_in_a_subdirectory_is_read_alone(repository: Repository, add: Run, scope: Scope) -> None:
    nested = Package(repository.root / "plugins" / "nested", "nested")
    nested.write("x.txt", "x")
    (repository.root / "other\\name").write_text("would be refused")
    repository.commit()
    assert add(repository.url, "--subdir", "plugins/nested").status == 0
    assert set(scope.read().installed["nested"].files) == {"plugin.json", "skills/greet/SKILL.md", "x.txt"}


def test_hooks_filters_and_submodules_take_no_part(
    repository: Repository, add: Run, prowess: Run, tmp_path: Path
) -> None:
    ran = tmp_path / "ran"
    repository.package.write(".gitattributes", "* filter=evil eol=crlf\nREADME export-ignore\n")
    repository.package.write("README", "line\n")
    repository.git("config", "filter.evil.smudge", f"touch {ran}")
    repository.git("config", "filter.evil.clean", "cat")
    for hook in ("post-checkout", "post-merge", "reference-transaction", "post-update", "pre-receive"):
        repository.package.write(f".git/hooks/{hook}", f"#!/bin/sh\ntouch {ran}\n", executable=True)
    repository.commit()
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},vendored")
    repository.git("commit", "-q", "-m", "a submodule")
    ran.unlink(missing_ok=True)
    shown = add(repository.url)
    assert shown.status == 0
    assert not ran.exists()
    root = Path(located("installed:sample"))
    assert (root / "README").read_bytes() == b"line\n"
    assert not (root / "vendored").exists()
    assert any("vendored" in each for each in shown.json["notes"])


def test_a_link_out_of_a_repository_is_refused(repository: Repository, prowess: Run) -> None:
    (repository.root / "secrets").symlink_to("../../../etc/passwd")
    repository.commit()
    assert prowess("add", repository.url, "--json").json["refused"]["code"] == "link-outside"


@pytest.mark.parametrize(
    ("name", "code"), [("a\\b", "path-backslash"), ("con", "path-reserved"), ("ab:c", "path-character")]
)
def test_names_in_a_repository_are_judged_like_those_in_an_archive(
    name: str, code: str, repository: Repository, prowess: Run
) -> None:
    blob = repository.git("hash-object", "-w", "--stdin", stdin=b"x")
    repository.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{name}")
    repository.git("commit", "-q", "-m", "x")
    assert prowess("add", repository.url, "--json").json["refused"]["code"] == code


def test_a_tree_that_climbs_out_is_refused_by_whoever_sees_it_first(
    repository: Repository, prowess: Run, scope: Scope
) -> None:
    blob = repository.git("hash-object", "-w", "--stdin", stdin=b"x")
    tree = repository.git("hash-object", "-w", "-t", "tree", "--literally", "--stdin",
                          stdin=b"100644 ..\0" + bytes.fromhex(blob))  # fmt: skip
    commit = repository.git("commit-tree", tree, "-m", "x")
    repository.git("update-ref", "refs/heads/evil", commit)
    ran = prowess("add", repository.url, "--ref", "evil")
    assert ran.status in (1, 2)
    assert not os.path.exists(scope.lock)


@pytest.mark.parametrize("ref", ["--upload-pack=touch evil", "a..b", "+main:main", "x y", "@{1}"])
def test_a_ref_that_git_would_read_as_something_else_is_refused(
    ref: str, repository: Repository, prowess: Run, here: Path
) -> None:
    assert prowess("add", repository.url, f"--ref={ref}").status == 2
    assert not (here / "evil").exists()


def test_a_repository_that_is_not_there_is_told_without_a_prompt(
    prowess: Run, here: Path, tmp_path: Path
) -> None:
    ran = prowess("add", f"file://{tmp_path}/nothing.git")
    assert ran.status == 2
    assert "git fetch failed" in ran.err


def test_a_ref_that_is_not_there_is_told(repository: Repository, prowess: Run) -> None:
    assert prowess("add", repository.url, "--ref", "no-such-branch").status == 2


def test_variables_that_would_move_git_elsewhere_are_not_passed_on(
    repository: Repository, prowess: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_TEMPLATE_DIR", str(tmp_path / "nowhere"))
    assert prowess("add", repository.url, "--json").json["version"] == "1.0.0"
