"""Archives as archivers write them: what goes in comes out, and nothing that is broken gets through."""

from __future__ import annotations

import io
import random
import tarfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.install.hostile import honest, tar_of, zip_of

from prowess.errors import SourceRefused
from prowess.source.archive import unpack_archive
from prowess.source.archive_bounds import Bounds, Meter
from prowess.source.archive_contents import contents_on_disk
from prowess.source.archive_directory import copy_directory
from prowess.source.archive_names import judged_steps
from prowess.source.archive_tree import Unpacked, Unpacking

NAMES = st.text("abcdeXYZ0_-é漢 ", min_size=1, max_size=12).filter(lambda name: name == name.strip())
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
FILES = st.dictionaries(PATHS, st.binary(max_size=2_000), min_size=1, max_size=8)
TARS = [
    (mode, style)
    for mode in ("w", "w:gz", "w:xz", "w:bz2")
    for style in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT)
]


def unpacked(path: Path, into: Path, **bounds: float) -> Unpacked:
    into.mkdir()
    unpacking = Unpacking(str(into), Meter(Bounds(**bounds)))  # type: ignore[arg-type]
    if path.is_dir():
        copy_directory(str(path), unpacking)
    else:
        unpack_archive(str(path), unpacking)
    return unpacking.finish()


def read_back(package: Unpacked) -> dict[str, bytes]:
    return {name: (Path(package.root) / name).read_bytes() for name in package.contents.files}


def usable(files: dict[str, bytes]) -> bool:
    """No name is a folder of another, and no two are one name on some file system."""
    folded = [name.casefold() for name in files]
    folders = {name.rpartition("/")[0] for name in folded}
    return len(set(folded)) == len(folded) and not any(
        other.startswith(f"{name}/") for name in folded for other in folded
    ) and len(folders) == len({name.rpartition("/")[0] for name in files})  # fmt: skip


@given(files=FILES.filter(usable), how=st.sampled_from(["zip", *TARS]))
def test_the_files_that_go_into_an_archive_come_out_of_it(
    files: dict[str, bytes], how: object, tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.mktemp("archive")
    try:
        (place / "a").write_bytes(_packed(files, how))
    except ValueError:  # the oldest form of tar has no place for such a name
        return
    package = unpacked(place / "a", place / "out")
    depth = len(Path(package.root).relative_to(place / "out").parts)
    assert read_back(package) == {"/".join(name.split("/")[depth:]): data for name, data in files.items()}
    assert contents_on_disk(package.root) == dict(package.contents.files)


def _packed(files: dict[str, bytes], how: object) -> bytes:
    out = io.BytesIO()
    if how == "zip":
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        return out.getvalue()
    assert isinstance(how, tuple)
    with tarfile.open(fileobj=out, mode=how[0], format=how[1]) as tar:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


@given(data=st.data(), seed=st.integers(0, 1_000))
def test_a_damaged_archive_is_refused_or_read_whole_and_never_more(
    data: st.DataObject, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rng = random.Random(seed)
    form = rng.choice(["zip", "tar", "tar.gz", "tar.xz", "tar.bz2"])
    packed = bytearray(zip_of(honest(), rng) if form == "zip" else tar_of(honest(), form, rng))
    for _ in range(data.draw(st.integers(1, 4))):
        packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    place = tmp_path_factory.mktemp("damaged")
    (place / "a").write_bytes(packed)
    try:
        package = unpacked(place / "a", place / "out", total=100_000, files=100)
    except SourceRefused as refused:
        assert refused.message.isprintable()
    else:
        assert contents_on_disk(package.root) == dict(package.contents.files)
    assert sorted(each.name for each in place.iterdir()) == ["a", "out"]


@given(name=st.text(max_size=40))
def test_a_name_that_is_taken_is_made_of_plain_steps(name: str) -> None:
    try:
        steps = judged_steps(name, most_steps=8, most_bytes=100)
    except SourceRefused as refused:
        assert refused.code.startswith("path-")
        assert refused.message.isprintable()
        return
    assert all(step not in ("", ".", "..") and "/" not in step and "\\" not in step for step in steps)
    assert all(step.isprintable() and step[-1] not in ". " for step in steps)


def test_only_the_bit_for_running_is_kept_of_a_mode(tmp_path: Path) -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name, mode in (("plugin.json", 0o666), ("bin/x", 0o6777), ("bin/y", 0o4644)):
            info = tarfile.TarInfo(name)
            info.mode = mode
            tar.addfile(info)
    (tmp_path / "a").write_bytes(out.getvalue())
    package = unpacked(tmp_path / "a", tmp_path / "out")
    modes = {name: (Path(package.root) / name).stat().st_mode & 0o7777 for name in package.contents.files}
    assert modes == {"plugin.json": 0o444, "bin/x": 0o555, "bin/y": 0o444}
    assert package.contents.files["bin/x"].endswith(" executable")


def test_a_directory_a_zip_and_a_tar_of_the_same_files_have_one_digest(tmp_path: Path) -> None:
    rng = random.Random(3)
    items = honest()
    (tmp_path / "a.zip").write_bytes(zip_of(items, rng))
    (tmp_path / "a.tar").write_bytes(tar_of(items, "tar.gz", rng))
    for each in items:
        file = tmp_path / "a" / each.name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(each.data)
    (tmp_path / "a" / "empty" / "folder").mkdir(parents=True)
    (tmp_path / "a" / ".git").mkdir()
    (tmp_path / "a" / ".git" / "config").write_text("x")
    found = [unpacked(tmp_path / name, tmp_path / f"out-{name}") for name in ("a", "a.zip", "a.tar")]
    assert len({each.contents.digest for each in found}) == 1
    assert found[0].contents.notes == (".git directories are left out",)


def test_a_link_inside_the_package_is_kept_as_a_link(tmp_path: Path) -> None:
    (tmp_path / "a" / "shared").mkdir(parents=True)
    (tmp_path / "a" / "plugin.json").write_text("{}")
    (tmp_path / "a" / "shared" / "x").write_text("x")
    (tmp_path / "a" / "folder").symlink_to("shared")
    (tmp_path / "a" / "again").symlink_to("folder/x")
    package = unpacked(tmp_path / "a", tmp_path / "out")
    assert package.contents.files["folder"] == "link shared"
    assert (Path(package.root) / "again").read_text() == "x"


def test_unpacking_ends_when_its_time_is_up(tmp_path: Path) -> None:
    moments = iter(range(100))
    meter = Meter(Bounds(seconds=3), clock=lambda: float(next(moments)))
    (tmp_path / "a.zip").write_bytes(zip_of(honest(), random.Random(1)))
    (tmp_path / "out").mkdir()
    with pytest.raises(SourceRefused) as refused:
        unpack_archive(str(tmp_path / "a.zip"), Unpacking(str(tmp_path / "out"), meter))
    assert refused.value.code == "too-slow"
