"""Files of servers' skills kept on disk: private, told apart, and verified at every access."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from urllib.parse import unquote

import pytest
from tests.skills_mcp.packaging import Packages
from tests.skills_mcp.person import Person
from tests.skills_mcp.server_of_skills import ServerOfSkills

from prowess.host import Host
from prowess.host.storing import Store
from prowess.store.directories import data_home
from prowess.store.skill_cache import FOLDER, SkillCache

URI = "skill://pdf/forms.md"
DATA = b"the forms"
DIGEST = f"sha256:{hashlib.sha256(DATA).hexdigest()}"


@pytest.fixture
def cache(tmp_path: Path) -> SkillCache:
    return SkillCache("here", folder=str(tmp_path / "kept"))


def got(cache: SkillCache, server: str = "docs", digest: str = DIGEST, size: int = len(DATA)) -> bytes | None:
    return cache.get(server, URI, digest=digest, size=size)


def overwritten(folder: Path, content: bytes) -> int:
    """Put other bytes into every file of a folder; how many there are."""
    kept = [each for each in folder.rglob("*") if each.is_file()]
    for file in kept:
        file.write_bytes(content)
    return len(kept)


def test_what_was_kept_is_there_for_its_server_place_and_uri(cache: SkillCache, tmp_path: Path) -> None:
    cache.put("docs", URI, DATA)
    assert got(cache) == DATA
    assert got(cache, "other") is None
    assert got(SkillCache("elsewhere", folder=str(tmp_path / "kept"))) is None
    assert cache.get("docs", f"{URI}x", digest=DIGEST, size=len(DATA)) is None


@pytest.mark.parametrize("content", [b"the norms", b"the form", b"the forms and more", b""])
def test_bytes_that_changed_on_disk_are_not_there(cache: SkillCache, content: bytes) -> None:
    cache.put("docs", URI, DATA)
    Path(cache.path("docs", URI)).write_bytes(content)
    assert got(cache) is None


def test_an_entry_with_another_digest_or_size_has_nothing_kept(cache: SkillCache) -> None:
    cache.put("docs", URI, DATA)
    assert got(cache, digest="sha256:" + "0" * 64) is None
    assert got(cache, size=len(DATA) + 1) is None


def test_a_link_or_a_pipe_is_not_there_and_not_waited_for(cache: SkillCache, tmp_path: Path) -> None:
    path = Path(cache.path("docs", URI))
    path.parent.mkdir(parents=True)
    (tmp_path / "forms").write_bytes(DATA)
    path.symlink_to(tmp_path / "forms")
    assert got(cache) is None
    path.unlink()
    os.mkfifo(path)
    assert got(cache) is None


def test_files_and_folders_are_for_this_user_only(cache: SkillCache) -> None:
    cache.put("docs", URI, DATA)
    path = Path(cache.path("docs", URI))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("server", ["docs", "plugin/docs", "..", ".", "x" * 500, "a\x00b", "Ü\ud800"])
@pytest.mark.parametrize("uri", [URI, "skill://pdf/SKILL.md", "../../SKILL.md", "skill://" + "y" * 5_000])
def test_a_path_stays_inside_and_never_looks_like_a_skill(
    cache: SkillCache, tmp_path: Path, server: str, uri: str
) -> None:
    path = Path(cache.path(server, uri))
    assert path.is_relative_to(tmp_path / "kept") and ".." not in path.parts
    assert path.name != "SKILL.md" and len(path.name) < 200 and len(path.parent.name) < 200
    cache.put(server, uri, DATA)
    assert cache.get(server, uri, digest=DIGEST, size=len(DATA)) == DATA


def test_the_server_can_be_read_from_the_path(cache: SkillCache) -> None:
    folder = Path(cache.path("plugin/docs", URI)).parent.name
    assert unquote(folder.rpartition("-")[0]) == "plugin/docs"


def test_a_server_that_was_removed_leaves_nothing(cache: SkillCache) -> None:
    cache.put("docs", URI, DATA)
    cache.put("other", URI, DATA)
    cache.forget("docs")
    assert got(cache) is None and got(cache, "other") == DATA


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("a file stands here")
    cache = SkillCache("here", folder=str(tmp_path / "kept"))
    cache.put("docs", URI, DATA)
    assert got(cache) is None


@pytest.mark.anyio
async def test_a_host_with_a_store_on_disk_reads_each_version_of_a_file_once(
    packages: Packages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    place = packages.package("books", {})
    server = ServerOfSkills("docs")
    skill = server.skill("pdf", {"forms.md": "the forms"})
    for _ in range(2):
        store = Store.on_disk(str(tmp_path / "store.sqlite"))
        async with Host.open(place, providers=[server], approver=Person(), store=store) as host:
            await host.activate_skill("docs:pdf")
            assert (await host.skill_file("docs:pdf", "forms.md")).content == DATA
        store.close()
    assert server.reads() == [skill, URI]
    assert overwritten(Path(data_home(), FOLDER), b"another text") == 2
    store = Store.on_disk(str(tmp_path / "store.sqlite"))
    async with Host.open(place, providers=[server], approver=Person(), store=store) as host:
        assert "another text" not in (await host.activate_skill("docs:pdf")).text
    store.close()
    assert server.reads() == [skill, URI, skill]
