"""Archives as few archivers write them: each is read as it is meant, or refused by its code."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from tests.install.hostile import Item, honest, tar_of, zip_of
from tests.install.test_archive_reading import read_back, unpacked

from prowess.errors import SourceRefused, Unreadable
from prowess.source.archive import unpack_archive
from prowess.source.archive_bounds import Bounds, Meter
from prowess.source.archive_contents import are_words, contents_on_disk
from prowess.source.archive_directory import copy_directory
from prowess.source.archive_inflating import MOST_MEMBERS, Inflating
from prowess.source.archive_tree import Unpacking

BLOCK = 512
MANIFEST = (b"plugin.json", b"{}")
END = bytes(2 * BLOCK)


def header(name: bytes, kind: bytes = b"0", *, size: bytes = b"0", prefix: bytes = b"") -> bytes:
    """One header of a ustar, its sum right."""
    block = bytearray(BLOCK)
    block[0 : len(name)] = name
    block[100:107] = b"0000644"
    block[124 : 124 + len(size)] = size
    block[156:157] = kind
    block[257:265] = b"ustar\x0000"
    block[345 : 345 + len(prefix)] = prefix
    block[148:156] = b" " * 8
    block[148:155] = b"%06o\0" % sum(block)
    return bytes(block)


def entry(name: bytes, data: bytes, kind: bytes = b"0", **fields: bytes) -> bytes:
    return header(name, kind, size=b"%o" % len(data), **fields) + data + bytes(-len(data) % BLOCK)


def pax(*records: tuple[str, str]) -> bytes:
    """The body of a pax header."""
    out = b""
    for key, value in records:
        rest = f" {key}={value}\n".encode()
        length = len(rest) + 1
        while len(str(length)) + len(rest) != length:
            length = len(str(length)) + len(rest)
        out += str(length).encode() + rest
    return out


def read(tmp_path: Path, data: bytes) -> dict[str, bytes]:
    (tmp_path / "a").write_bytes(data)
    return read_back(unpacked(tmp_path / "a", tmp_path / "out"))


def refusal(tmp_path: Path, data: bytes, **bounds: float) -> str:
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(SourceRefused) as refused:
        unpacked(tmp_path / "a", tmp_path / "out", **bounds)
    assert refused.value.message.isprintable()
    return refused.value.code


# -- the archive itself


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    unpacking = Unpacking(str(tmp_path), Meter(Bounds()))
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "missing", tmp_path, tmp_path / "pipe"):
        with pytest.raises(Unreadable):
            unpack_archive(str(path), unpacking)


def test_an_archive_beyond_the_bound_is_not_opened(tmp_path: Path) -> None:
    assert refusal(tmp_path, zip_of(honest(), random.Random(1)), archive=20) == "too-large"


def test_a_fault_of_the_disk_is_not_called_a_damaged_archive(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zip_of(honest(), random.Random(1)))
    unpacking = Unpacking(str(tmp_path / "gone"), Meter(Bounds()))
    with pytest.raises(FileNotFoundError):
        unpack_archive(str(tmp_path / "a.zip"), unpacking)


# -- packed streams


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress])
def test_several_packed_members_and_their_padding_are_one_stream(
    pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    big = random.Random(2).randbytes(150_000)
    whole = tar_of([Item(name="plugin.json"), Item(name="big", data=big)], "tar", random.Random(2))
    parts = [whole[:100_000], whole[100_000:100_001], whole[100_001:]]
    assert read(tmp_path, b"".join(map(pack, parts)) + bytes(100)) == {"plugin.json": b"x", "big": big}


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_stream_of_members_with_nothing_in_them_is_not_read_to_its_end(
    pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    """They cost time for every member, and no byte that comes out is there to be counted."""
    assert refusal(tmp_path, pack(b"") * (MOST_MEMBERS + 1) + pack(b"x" * 10_240)) == "archive-ambiguous"


def test_a_stream_that_ends_early_is_damaged(tmp_path: Path) -> None:
    packed = gzip.compress(
        tar_of([Item(name="a", data=random.Random(1).randbytes(90_000))], "tar", random.Random(1))
    )
    assert refusal(tmp_path, packed[:80_000]) == "archive-damaged"


def test_zstd_is_read_by_the_standard_library_and_refused_where_it_cannot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    magic = b"\x28\xb5\x2f\xfd"
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    assert refusal(tmp_path, magic + bytes(600)) == "archive-method"
    module = ModuleType("compression.zstd")
    module.ZstdDecompressor = bz2.BZ2Decompressor  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "compression.zstd", module)
    stream = Inflating(io.BytesIO(bz2.compress(b"inside")), "zstd")
    assert stream.read(100) == b"inside"
    assert stream.read(100) == b""


# -- tars


def test_a_name_may_stand_in_two_parts(tmp_path: Path) -> None:
    data = entry(*MANIFEST) + entry(b"SKILL.md", b"s", prefix=b"skills/greet") + END
    assert read(tmp_path, data) == {"plugin.json": b"{}", "skills/greet/SKILL.md": b"s"}


def test_gnu_writes_long_names_and_targets_in_entries_of_their_own(tmp_path: Path) -> None:
    long = b"d" * 120
    data = entry(*MANIFEST) + entry(b"././@LongLink", long + b"\0", b"L") + entry(b"ddd", b"inside")
    data += entry(b"././@LongLink", long + b"\0", b"K") + header(b"way", b"2") + END
    (tmp_path / "a").write_bytes(data)
    package = unpacked(tmp_path / "a", tmp_path / "out")
    assert package.contents.files["way"] == f"link {long.decode()}"
    assert (Path(package.root) / "way").read_bytes() == b"inside"


def test_pax_writes_names_targets_and_sizes_in_entries_of_their_own(tmp_path: Path) -> None:
    said = pax(("path", "skills/\u00e9"), ("size", "3"), ("mtime", "1.5"))
    data = entry(b"g", pax(("comment", "0123")), b"g") + entry(*MANIFEST)
    data += (
        entry(b"x", said, b"x")
        + entry(b"short", b"abc")
        + entry(b"x", pax(("linkpath", "plugin.json")), b"x")
    )
    data += header(b"way", b"2") + END
    assert read(tmp_path, data) == {"plugin.json": b"{}", "skills/\u00e9": b"abc", "way": b"{}"}


def test_a_size_may_be_written_in_the_form_of_gnu(tmp_path: Path) -> None:
    data = entry(*MANIFEST) + header(b"a", size=b"\x80" + (3).to_bytes(11, "big")) + b"abc" + bytes(509) + END
    assert read(tmp_path, data)["a"] == b"abc"


def test_the_oldest_form_has_directories_by_their_slash_and_no_mark(tmp_path: Path) -> None:
    def old(block: bytes) -> bytes:
        bare = bytearray(block)
        bare[257:265] = bytes(8)
        bare[148:156] = b" " * 8
        bare[148:155] = b"%06o\0" % sum(bare)
        return bytes(bare)

    data = old(header(b"plugin.json", b"\0", size=b"2")) + b"{}" + bytes(510)
    data += (
        old(header(b"skills/", b"\0")) + old(header(b"skills/a", b"\0", size=b"1")) + b"a" + bytes(511) + END
    )
    assert read(tmp_path, data) == {"plugin.json": b"{}", "skills/a": b"a"}


FAULTS: dict[str, tuple[bytes, str]] = {
    "ends after an extended header": (entry(b"x", pax(("path", "a")), b"x") + END, "archive-damaged"),
    "ends within a file": (header(b"a", size=b"7777") + b"abc", "archive-damaged"),
    "has a sum that is wrong": (header(b"a")[:-1] + b"x" + END, "archive-damaged"),
    "has a number that is none": (header(b"a", size=b"9x") + END, "archive-damaged"),
    "has a name that is not UTF-8": (entry(b"\xff\xfe", b"x") + END, "path-encoding"),
    "has an extended header without bound": (header(b"x", b"x", size=b"777777") + END, "archive-damaged"),
    "has headers without end": (entry(b"x", pax(("path", "a")), b"x") * 9 + END, "archive-damaged"),
    "renames every entry": (entry(b"g", pax(("path", "a")), b"g") + END, "archive-ambiguous"),
    "has a record without a length": (entry(b"x", b"path=a\n", b"x") + END, "archive-damaged"),
    "has a record longer than it is": (entry(b"x", b"99 path=a\n", b"x") + END, "archive-damaged"),
    "has a record of length nought": (entry(b"x", b"00 path=a\n", b"x") + END, "archive-damaged"),
    "has a size that is none": (
        entry(b"x", pax(("size", "-1")), b"x") + entry(b"a", b"x") + END,
        "archive-damaged",
    ),
    "has a sparse file": (entry(b"x", pax(("GNU.sparse.major", "1")), b"x") + END, "archive-method"),
    "has names of another encoding": (
        entry(b"x", pax(("hdrcharset", "BINARY")), b"x") + END,
        "archive-method",
    ),
    "has a device": (header(b"a", b"4") + END, "path-special"),
    "has a hard link": (header(b"a", b"1") + END, "link-hard"),
    "has an entry of a kind that is not known": (header(b"a", b"V") + END, "archive-method"),
    "goes on after its end": (entry(*MANIFEST) + END + b"more", "archive-ambiguous"),
    "is padded without bound": (entry(*MANIFEST) + END + bytes(2 << 20), "archive-ambiguous"),
    "has the root for a file": (entry(b"./.", b"x") + END, "path-step"),
    "has the root for a link": (header(b"./", b"2") + END, "path-step"),
    "has no file": (header(b"a/", b"5") + END, "archive-empty"),
    "is nothing that is known": (b"%PDF-1.7 " * 80, "archive-unknown"),
}


def test_what_a_directory_is_said_to_hold_as_a_file_is_passed_over(tmp_path: Path) -> None:
    data = entry(*MANIFEST) + entry(b"skills/", b"x" * 700) + entry(b"skills/a", b"a") + END
    assert read(tmp_path, data) == {"plugin.json": b"{}", "skills/a": b"a"}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_tar_is_refused_that(fault: str, tmp_path: Path) -> None:
    data, code = FAULTS[fault]
    assert refusal(tmp_path, data) == code


# -- what is left out of a package


def test_what_version_control_left_in_an_archive_is_left_out_and_still_counted(tmp_path: Path) -> None:
    data = entry(*MANIFEST) + header(b"./", b"5") + entry(b".git/config", b"x" * 900)
    data += header(b".git/way", b"2") + header(b".hg/", b"5") + END
    (tmp_path / "a").write_bytes(data)
    package = unpacked(tmp_path / "a", tmp_path / "out")
    assert list(package.contents.files) == ["plugin.json"]
    assert package.contents.notes == (".git directories are left out", ".hg directories are left out")
    (tmp_path / "b").write_bytes(data)
    with pytest.raises(SourceRefused) as refused:
        unpacked(tmp_path / "b", tmp_path / "out-b", total=500)
    assert refused.value.code == "too-large"


def test_what_was_left_out_is_told_a_bounded_number_of_times(tmp_path: Path) -> None:
    unpacking = Unpacking(str(tmp_path), Meter(Bounds()))
    for number in range(100):
        unpacking.note(f"note {number}")
    unpacking.file("a", [b"x"], executable=False)
    assert len(unpacking.finish().contents.notes) == 20


# -- a part of what is in it


def in_parts(place: Path) -> Unpacking:
    """One repository with two packages, each with a link inside."""
    place.mkdir()
    unpacking = Unpacking(str(place), Meter(Bounds()))
    for name in ("one", "two"):
        unpacking.file(f"{name}/plugin.json", [b"{}"], executable=False)
        unpacking.link(f"{name}/way", "plugin.json")
        unpacking.directory(f"{name}/empty")
    return unpacking


def test_only_the_directory_that_is_asked_for_is_the_package(tmp_path: Path) -> None:
    package = in_parts(tmp_path / "out").finish("one/")
    assert package.root == str(tmp_path / "out" / "one")
    assert dict(package.contents.files)["way"] == "link plugin.json"
    assert contents_on_disk(package.root) == dict(package.contents.files)
    assert not os.path.lexists(tmp_path / "out" / "two" / "way")


@pytest.mark.parametrize(
    ("part", "code"),
    [
        ("three", "archive-no-directory"),
        ("one/plugin.json", "archive-no-directory"),
        ("../one", "path-climbs"),
        ("one/empty", "archive-empty"),
    ],
)
def test_a_directory_that_holds_no_package_is_refused(part: str, code: str, tmp_path: Path) -> None:
    with pytest.raises(SourceRefused) as refused:
        in_parts(tmp_path / "out").finish(part)
    assert refused.value.code == code


# -- zips


def zip_with(change: Callable[[zipfile.ZipInfo], None], data: bytes = b"x", name: str = "a") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        info = zipfile.ZipInfo(name)
        info.create_system = 3
        info.external_attr = 0o100644 << 16
        change(info)
        archive.writestr(info, data)
    return out.getvalue()


def of_kind(kind: int) -> Callable[[zipfile.ZipInfo], None]:
    def change(info: zipfile.ZipInfo) -> None:
        info.external_attr = (kind | 0o644) << 16

    return change


ZIPS: dict[str, tuple[Callable[[], bytes], str]] = {
    "has no directory": (lambda: b"PK\3\4" + bytes(200), "archive-damaged"),
    "is a zip64": (lambda: b"PK\3\4" + b"PK\6\7" + bytes(16) + b"PK\5\6" + bytes(18), "archive-method"),
    "is of several parts": (lambda: b"PK\3\4" + bytes(40) + b"PK\5\6\1" + bytes(17), "archive-method"),
    "has a pipe": (lambda: zip_with(of_kind(0o010000)), "path-special"),
    "has a link to what is too long": (lambda: zip_with(of_kind(0o120000), b"x" * 5_000), "path-long"),
    "has a link to what is long for a path": (lambda: zip_with(of_kind(0o120000), b"x" * 1_500), "path-long"),
    "has a link to no text": (lambda: zip_with(of_kind(0o120000), b"\xff"), "path-encoding"),
    "is packed with bzip2": (
        lambda: zip_with(lambda info: setattr(info, "compress_type", zipfile.ZIP_BZIP2)),
        "archive-method",
    ),
}


def test_a_zip_may_say_what_its_directories_are(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.mkdir("skills")
        archive.writestr("skills/a", b"a")
        archive.writestr("plugin.json", b"{}")
    assert read(tmp_path, out.getvalue()) == {"plugin.json": b"{}", "skills/a": b"a"}


@pytest.mark.parametrize("fault", ZIPS)
def test_a_zip_is_refused_that(fault: str, tmp_path: Path) -> None:
    make, code = ZIPS[fault]
    assert refusal(tmp_path, make()) == code


# -- directories, and what is on the disk afterwards


def test_a_directory_with_a_name_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with open(os.path.join(os.fsencode(tmp_path), b"a", b"\xff"), "wb"):
        pass
    with pytest.raises(SourceRefused) as refused:
        unpacked(tmp_path / "a", tmp_path / "out")
    assert refused.value.code == "path-encoding"


def test_a_directory_that_is_gone_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        copy_directory(str(tmp_path / "gone"), Unpacking(str(tmp_path), Meter(Bounds())))
    with pytest.raises(Unreadable):
        contents_on_disk(str(tmp_path / "gone"))


def test_what_cannot_be_read_on_the_disk_has_a_word_of_its_own(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    handle = os.open(tmp_path, os.O_RDONLY)
    for _ in range(20):  # until the path is longer than any that can be opened
        os.mkdir("d" * 250, dir_fd=handle)
        below = os.open("d" * 250, os.O_RDONLY, dir_fd=handle)
        os.close(os.open("f" * 250, os.O_WRONLY | os.O_CREAT, 0o644, dir_fd=below))
        os.close(handle)
        handle = below
    os.close(handle)
    found = contents_on_disk(str(tmp_path))
    assert found["pipe"] == "special"
    assert {found[path] for path in found if path.endswith("d")} == {"unreadable"}
    assert {found[path][:7] for path in found if path.endswith("f")} == {"sha256:", "unreada"}


@pytest.mark.parametrize(
    ("words", "are"),
    [
        (f"sha256:{'a' * 64}", True),
        (f"sha256:{'a' * 64} executable", True),
        ("link a", True),
        ("link ", False),
        ("sha256:a", False),
        (None, False),
        (1, False),
    ],
)
def test_only_three_forms_are_words_about_a_file(words: object, are: bool) -> None:
    assert are_words(words) is are
