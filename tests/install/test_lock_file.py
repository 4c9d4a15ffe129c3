"""prowess.lock: written as it is read, and read as text from elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prowess.errors import StoreFailed
from prowess.source.archive_contents import digest_of
from prowess.store.lock import FORMAT, Installed, Lock, Origin, lock_text, parse_lock, read_lock, write_lock

WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=30)
HEX = st.text("0123456789abcdef", min_size=64, max_size=64)
FILES = st.dictionaries(
    st.from_regex(r"[a-z]{1,8}(/[a-z]{1,8}){0,2}", fullmatch=True),
    st.builds("sha256:{}{}".format, HEX, st.sampled_from(["", " executable"])),
    min_size=1,
    max_size=4,
)
ORIGINS = st.builds(
    Origin,
    kind=st.sampled_from(["directory", "archive", "git"]),
    place=WORDS,
    ref=st.one_of(st.just(""), WORDS),
    commit=st.one_of(st.just(""), st.text("0123456789abcdef", min_size=40, max_size=40)),
    subdirectory=st.sampled_from(["", "plugins/x"]),
)


@st.composite
def packages(draw: st.DrawFn) -> Installed:
    files = draw(FILES)
    digest = digest_of(files)
    return Installed(
        name=draw(st.from_regex(r"[a-z]([a-z0-9]{0,10}[a-z0-9])?", fullmatch=True)),
        version=draw(st.one_of(st.just(""), WORDS)),
        origin=draw(ORIGINS),
        identity=draw(st.text("0123456789abcdef", min_size=16, max_size=16)),
        digest=digest,
        files=files,
        abilities=tuple(draw(st.lists(st.dictionaries(WORDS, WORDS, max_size=3), max_size=3))),
        trusted=draw(st.sampled_from([{}, {digest: "2026-11-30T10:00:00Z"}])),
        tools=draw(st.dictionaries(WORDS, st.dictionaries(WORDS, HEX.map("sha256:{}".format)), max_size=2)),
    )


@settings(max_examples=20)
@given(several=st.lists(packages(), max_size=3))
def test_a_lock_is_read_as_it_was_written(several: list[Installed]) -> None:
    lock = Lock(installed={each.name: each for each in several})
    assert parse_lock(lock_text(lock).encode(), "prowess.lock") == lock


@given(data=st.binary(max_size=300))
def test_anything_else_is_a_damaged_lock_and_no_traceback(data: bytes) -> None:
    with pytest.raises(StoreFailed):
        parse_lock(data, "prowess.lock")


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


MEMBERS = st.sampled_from(["origin", "identity", "digest", "files", "trusted", "tools", "abilities"])


@given(one=packages(), member=MEMBERS, value=JSON)
def test_a_lock_with_any_member_replaced_is_read_or_refused_by_its_code(
    one: Installed, member: str, value: Any
) -> None:
    document = json.loads(lock_text(Lock(installed={one.name: one})))
    document["installed"][one.name][member] = value
    try:
        parse_lock(json.dumps(document).encode(), "prowess.lock")
    except StoreFailed as error:
        assert error.code == "store-failed"
        assert error.message.isprintable()


def one() -> Installed:
    files = {"plugin.json": "sha256:" + "0" * 64}
    return Installed(
        name="sample",
        origin=Origin(kind="directory", place="."),
        identity="0" * 16,
        digest=digest_of(files),
        files=files,
    )


@pytest.mark.parametrize(
    "path", ["../x", "/x", "a/../b", "C:x", "a\\b", "con", "a//b", "./a", "a/", "", "x\n", "a./b"]
)
def test_a_lock_that_names_a_path_outside_is_refused(path: str) -> None:
    document = json.loads(lock_text(Lock(installed={"sample": one()})))
    files = {path: "sha256:" + "0" * 64}
    document["installed"]["sample"] |= {"files": files, "digest": digest_of(files)}
    with pytest.raises(StoreFailed):
        parse_lock(json.dumps(document).encode(), "prowess.lock")


@pytest.mark.parametrize("name", ["../x", "UP", "", "a/b", ".", "a" * 65])
def test_a_lock_with_a_name_that_is_none_is_refused(name: str) -> None:
    document = json.loads(lock_text(Lock(installed={"sample": one()})))
    document["installed"] = {name: document["installed"]["sample"]}
    with pytest.raises(StoreFailed):
        parse_lock(json.dumps(document).encode(), "prowess.lock")


def test_a_lock_whose_digest_is_not_that_of_its_files_is_refused() -> None:
    document = json.loads(lock_text(Lock(installed={"sample": one()})))
    document["installed"]["sample"]["files"]["evil"] = "sha256:" + "1" * 64
    with pytest.raises(StoreFailed):
        parse_lock(json.dumps(document).encode(), "prowess.lock")


def test_a_lock_of_a_newer_prowess_is_neither_read_nor_replaced(tmp_path: Path) -> None:
    path = tmp_path / "prowess.lock"
    path.write_text(json.dumps({"format": FORMAT + 1, "installed": {}}))
    with pytest.raises(StoreFailed):
        read_lock(str(path))


def test_the_lock_of_format_1_is_read() -> None:
    lock = read_lock(str(Path(__file__).parent / "formats" / "prowess-1.lock"))
    assert lock is not None
    assert lock.installed["invoice-ops"].is_trusted


def test_a_lock_can_be_read_by_others_of_the_project(tmp_path: Path) -> None:
    path = tmp_path / "prowess.lock"
    write_lock(str(path), Lock(installed={"sample": one()}))
    assert path.stat().st_mode & 0o777 == 0o644
    assert path.read_text().endswith("}\n")
