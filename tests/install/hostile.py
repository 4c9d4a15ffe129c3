"""Hostile archives and directories, made from a seed: each knows by which code it has to be refused."""

from __future__ import annotations

import io
import json
import os
import random
import struct
import tarfile
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
MANIFEST = json.dumps({"$schema": SCHEMA, "name": "sample"}).encode()
SKILL = b"---\nname: greet\ndescription: Greets. Use when somebody arrives.\n---\nSay hello.\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One entry of an archive; `kind` is file, directory, link, hard, fifo or device."""

    name: str
    kind: str = "file"
    data: bytes = b"x"
    target: str = ""
    mode: int = 0o644


@dataclass(frozen=True, slots=True, kw_only=True)
class Hostile:
    """A source on the disk, and the codes by which it may be refused."""

    path: Path
    codes: frozenset[str]
    about: str = field(default="")


Attack = tuple[str, Callable[[random.Random], list[Item]], str]


def honest() -> list[Item]:
    """A package that would be installed."""
    return [Item(name="plugin.json", data=MANIFEST), Item(name="skills/greet/SKILL.md", data=SKILL)]


def _file(make: Callable[[random.Random], str]) -> Callable[[random.Random], list[Item]]:
    return lambda rng: [Item(name=make(rng))]


def _word(rng: random.Random) -> str:
    return "".join(rng.choice("abcdefghijkl") for _ in range(rng.randint(1, 8)))


def _inside(rng: random.Random, name: str) -> str:
    return "/".join([*(_word(rng) for _ in range(rng.randint(0, 3))), name])


def _either(rng: random.Random, one: str, other: str) -> list[Item]:
    """Two names in one folder, in any order."""
    folder = _inside(rng, "")
    names = [folder + one, folder + other]
    rng.shuffle(names)
    return [Item(name=each) for each in names]


def _through(rng: random.Random, target: str) -> list[Item]:
    name = _word(rng)
    items = [Item(name=name, kind="link", target=target), Item(name=f"{name}/{_word(rng)}")]
    rng.shuffle(items)
    return items


def _link(name: str, target: str) -> Item:
    return Item(name=name, kind="link", target=target)


def _hard(rng: random.Random) -> list[Item]:
    return [Item(name=_word(rng), kind="hard", target=rng.choice(["plugin.json", "/etc/passwd"]))]


def _bad_manifest(rng: random.Random) -> list[Item]:
    return [Item(name="plugin.json", kind="bad", data=b"{" * rng.randint(1, 9))]


def _bomb(rng: random.Random) -> list[Item]:
    return [Item(name="big", data=bytes(rng.randint(70_000, 90_000)))]


def _large(rng: random.Random) -> list[Item]:
    return [Item(name=f"f{number}", data=rng.randbytes(28_000)) for number in range(12)]


def _chain(rng: random.Random) -> list[Item]:
    """Links that lead out together, each of them harmless."""
    return [
        Item(name="a/b/c/down", kind="link", target="../.."),
        Item(name="out", kind="link", target="a/b/c/down/../.."),
    ]


_DEVICES = ("con", "PRN.txt", "aux.md", "NUL", "com1", "Lpt9.json", "COM¹", "CONIN$")
_UNSEEN = ("\u202e", "\u200b", "\x1b", "\x7f", "\ufeff", "\ue000", "\u2028", "\n", "\t")
_PAIRS = (
    ("README", "readme"),
    ("caf\u00e9", "cafe\u0301"),
    ("stra\u00dfe", "STRASSE"),
    ("\u212a", "k"),
    ("A/x", "a/y"),
)

# name of the attack, what it adds to an honest package, and the code it has to be refused by
ATTACKS: tuple[Attack, ...] = (
    ("climbs", _file(lambda r: _inside(r, "../" * r.randint(1, 6) + "evil")), "path-climbs"),
    ("climbs and comes back", _file(lambda r: f"{_word(r)}/../{_word(r)}"), "path-climbs"),
    ("ends in ..", _file(lambda r: _inside(r, "..")), "path-climbs"),
    ("absolute", _file(lambda r: "/" * r.randint(1, 2) + _inside(r, "evil")), "path-absolute"),
    ("home", lambda r: [Item(name="x", kind="link", target="/home/somebody/.ssh")], "link-outside"),
    ("drive", _file(lambda r: f"{r.choice('CDxyz')}:{r.choice(['', '/'])}{_word(r)}"), "path-drive"),
    ("stream", _file(lambda r: _inside(r, f"{_word(r)}:{_word(r)}bc")), "path-character path-drive"),
    ("backslash", _file(lambda r: f"{_word(r)}\\..\\..\\{_word(r)}"), "path-backslash"),
    ("network", _file(lambda r: f"\\\\host\\{_word(r)}"), "path-backslash"),
    ("wildcard", _file(lambda r: _inside(r, f"a{r.choice('<>|?*')}b")), "path-character"),
    ("unseen", _file(lambda r: _inside(r, f"a{r.choice(_UNSEEN)}b")), "path-character"),
    ("NUL", _file(lambda r: _inside(r, "a\0b")), "path-character"),
    ("trailing", _file(lambda r: _inside(r, _word(r) + r.choice([".", " ", ". ", "..."]))), "path-trailing"),
    ("trailing in a folder", _file(lambda r: f"{_word(r)}{r.choice('. ')}/{_word(r)}"), "path-trailing"),
    ("device of Windows", _file(lambda r: _inside(r, r.choice(_DEVICES))), "path-reserved"),
    ("empty step", _file(lambda r: f"{_word(r)}//{_word(r)}"), "path-step"),
    ("dot step", _file(lambda r: f"{_word(r)}/./{_word(r)}"), "path-step"),
    ("long name", _file(lambda r: _inside(r, "n" * r.randint(256, 900))), "path-long"),
    ("long path", _file(lambda r: "/".join(["n" * 200] * r.randint(6, 9))), "path-long"),
    ("deep", _file(lambda r: "d/" * r.randint(33, 200) + "x"), "path-deep"),
    ("twice", lambda r: [Item(name="skills/greet/SKILL.md", data=b"other")], "path-duplicate"),
    ("manifest twice", lambda r: [Item(name="./plugin.json", data=MANIFEST)], "path-duplicate"),
    ("one name", lambda r: _either(r, *r.choice(_PAIRS)), "path-collision"),
    ("manifest in capitals", lambda r: [Item(name="PLUGIN.JSON")], "path-collision"),
    ("link out", lambda r: [_link(_word(r), "../" * r.randint(1, 5) + "x")], "link-outside"),
    ("link out and back", lambda r: [_link("l", "../tree/plugin.json")], "link-outside"),
    ("absolute link", lambda r: [_link(_word(r), "/etc/passwd")], "link-outside"),
    ("link to a drive", lambda r: [_link(_word(r), "C:/x")], "link-outside"),
    ("dangling link", lambda r: [_link("l", _word(r))], "link-dangling"),
    ("link to itself", lambda r: [_link("l", "l")], "link-dangling"),
    ("links in a ring", lambda r: [_link("l", "m"), _link("m", "l")], "link-dangling"),
    ("links that lead out together", _chain, "link-outside"),
    ("file through a link", lambda r: _through(r, r.choice(["/tmp", "..", "skills"])),
     "path-through-link link-outside path-duplicate"),
    ("file through a file", lambda r: [Item(name="plugin.json/x")], "path-through-file"),
    ("file in the place of a folder", lambda r: [Item(name="skills")], "path-duplicate"),
    ("link in the place of a folder", lambda r: [_link("skills", "x")], "path-duplicate"),
    ("hard link", _hard, "link-hard"),
    ("pipe", lambda r: [Item(name=_word(r), kind="fifo")], "path-special"),
    ("device", lambda r: [Item(name=_word(r), kind="device")], "path-special"),
    ("no manifest", lambda r: [Item(name="plugin.json", kind="gone")], "package-rejected"),
    ("manifest that will not do", _bad_manifest, "package-rejected"),
    ("bomb of one file", _bomb, "file-too-large too-dense"),
    ("many files", lambda r: [Item(name=f"f{n}", data=b"") for n in range(105)], "too-many-files"),
    ("large together", _large, "too-large"),
)  # fmt: skip

BOUNDS = {
    "archive": 500_000,
    "total": 300_000,
    "file": 64_000,
    "files": 100,
    "ratio": 100,
    "ratio_from": 80_000,
}


def made(seed: int, folder: Path) -> Hostile:
    """The hostile source of a seed; every attack has its turn."""
    rng, turn = random.Random(seed), seed % (len(ATTACKS) + len(BROKEN))
    if turn >= len(ATTACKS):
        return _broken(rng, seed, folder)
    about, add, codes = ATTACKS[turn]
    form = rng.choice([each for each in FORMS if _fits(about, each)])
    items = _mixed(rng, honest(), add(rng))
    if rng.random() < 0.3 and form != "tree" and about not in _AT_THE_TOP:
        items = [replace(each, name=f"top/{each.name}") for each in items]
    path = folder / f"source-{seed}"
    if form == "tree":
        write_tree(path, items)
    else:
        path = path.with_name(f"{path.name}.{form}")
        path.write_bytes(zip_of(items, rng) if form == "zip" else tar_of(items, form, rng))
    return Hostile(path=path, codes=frozenset(codes.split()), about=f"{form}: {about}")


FORMS = ("zip", "zip", "tar", "tar.gz", "tar.xz", "tar.bz2", "tree")
# What is about the beginning of a path stays at the beginning.
_AT_THE_TOP = frozenset({"absolute", "drive", "network", "stream", "manifest twice", "long path", "deep"})


def _fits(about: str, form: str) -> bool:
    if form == "tree":
        return about in _ON_DISK
    # There are no hard links in a zip, and a name in a tar ends at a NUL.
    return about != ("hard link" if form == "zip" else "NUL")


_ON_DISK = frozenset(
    {
        *(
            "home",
            "backslash",
            "wildcard",
            "trailing",
            "trailing in a folder",
            "device of Windows",
            "long path",
        ),
        *("one name", "manifest in capitals", "link out", "absolute link", "dangling link", "link to itself"),
        *(
            "links in a ring",
            "pipe",
            "no manifest",
            "manifest that will not do",
            "bomb of one file",
            "many files",
        ),
        *("large together", "deep", "links that lead out together"),
    }
)


def _mixed(rng: random.Random, good: list[Item], bad: list[Item]) -> list[Item]:
    """The bad ones somewhere among the good; their own order stays."""
    if bad and bad[0].kind == "gone":
        return good[1:]
    if bad and bad[0].kind == "bad":
        return [Item(name=bad[0].name, data=bad[0].data), *good[1:]]
    if any("plugin.json/" in each.name or each.name == "skills" for each in bad):
        return [*good, *bad]
    at = rng.randint(0, len(good))
    return [*good[:at], *bad, *good[at:]]


# -- writing


def zip_of(items: list[Item], rng: random.Random) -> bytes:
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w") as archive:
        warnings.simplefilter("ignore")  # duplicates are what some of these are about
        for each in items:
            info = zipfile.ZipInfo("x")
            info.filename = each.name
            kinds = {"link": 0o120000, "fifo": 0o010000, "device": 0o020000, "directory": 0o040000}
            info.external_attr = (kinds.get(each.kind, 0o100000) | each.mode) << 16
            info.compress_type = rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
            if len(each.data) > 100_000 and not any(each.data):
                info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, each.target if each.kind in ("link", "hard") else each.data)
    return out.getvalue()


def tar_of(items: list[Item], form: str, rng: random.Random) -> bytes:
    out = io.BytesIO()
    style = rng.choice((tarfile.PAX_FORMAT, tarfile.GNU_FORMAT))
    mode = {"tar": "w", "tar.gz": "w:gz", "tar.xz": "w:xz", "tar.bz2": "w:bz2"}[form]
    packing = {"preset": 0} if form == "tar.xz" else {}
    with tarfile.open(fileobj=out, mode=mode, format=style, **packing) as archive:  # type: ignore[call-overload]
        for each in items:
            info = tarfile.TarInfo(each.name)
            kinds = {"link": tarfile.SYMTYPE, "hard": tarfile.LNKTYPE, "fifo": tarfile.FIFOTYPE}
            kinds |= {"device": tarfile.CHRTYPE, "directory": tarfile.DIRTYPE}
            info.type = kinds.get(each.kind, tarfile.REGTYPE)
            info.linkname, info.mode = each.target, each.mode
            if info.isreg():
                info.size = len(each.data)
            archive.addfile(info, io.BytesIO(each.data) if info.isreg() else None)
    return out.getvalue()


def write_tree(root: Path, items: list[Item]) -> None:
    """A directory with these entries; it may be deeper than a path is long."""
    root.mkdir(parents=True)
    for each in items:
        steps = each.name.split("/")
        handle = os.open(root, os.O_RDONLY)
        for step in steps[:-1]:
            try:
                os.mkdir(step, dir_fd=handle)
            except FileExistsError:
                pass
            below = os.open(step, os.O_RDONLY, dir_fd=handle)
            os.close(handle)
            handle = below
        if each.kind == "link":
            os.symlink(each.target, steps[-1], dir_fd=handle)
        elif each.kind == "fifo":
            os.mkfifo(steps[-1], dir_fd=handle)
        else:
            file = os.open(steps[-1], os.O_WRONLY | os.O_CREAT, 0o644, dir_fd=handle)
            os.write(file, each.data)
            os.close(file)
        os.close(handle)


# -- archives that are broken as archives


def _broken(rng: random.Random, seed: int, folder: Path) -> Hostile:
    about, make, codes = BROKEN[seed % (len(ATTACKS) + len(BROKEN)) - len(ATTACKS)]
    path = folder / f"broken-{seed}"
    path.write_bytes(make(rng))
    return Hostile(path=path, codes=frozenset(codes.split()), about=about)


def _zip(rng: random.Random) -> bytes:
    return zip_of(honest(), rng)


def _tar(rng: random.Random, form: str = "tar") -> bytes:
    return tar_of(honest(), form, rng)


def _zip_with(rng: random.Random, *, at: int, value: bytes) -> bytes:
    """A zip with a field of its first entry changed, in the directory and before the data."""
    data = bytearray(_zip(rng))
    central = data.index(b"PK\1\2")
    data[central + at : central + at + len(value)] = value
    local = data.index(b"PK\3\4")
    data[local + at - 2 : local + at - 2 + len(value)] = value
    return bytes(data)


def _overlapping(rng: random.Random) -> bytes:
    """Two entries of the directory that name the same bytes."""
    data = zip_of([Item(name="plugin.json", data=MANIFEST), Item(name="plugin.two", data=MANIFEST)], rng)
    second = data.index(b"PK\1\2", data.index(b"PK\1\2") + 4)
    return data[: second + 42] + struct.pack("<L", 0) + data[second + 46 :]


def _lying(rng: random.Random) -> bytes:
    """A zip whose local header has another name than its directory."""
    data = bytearray(_zip(rng))
    at = data.index(b"plugin.json")
    data[at : at + 11] = b"../../x.jsn"
    return bytes(data)


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randint(1, len(data) - 23)]


def _cut_tar(rng: random.Random) -> bytes:
    data = _tar(rng)
    return data[: rng.randint(520, 1500)]


def _flipped_header(rng: random.Random) -> bytes:
    """A tar with a header in the middle that does not add up."""
    data = bytearray(_tar(rng))
    data[1024 + rng.randint(0, 140)] ^= 0xFF
    return bytes(data)


def _pax_bomb(rng: random.Random) -> bytes:
    info = tarfile.TarInfo("././@PaxHeader")
    info.type, info.size = tarfile.XHDTYPE, rng.choice((70_000, 2**33))
    return info.tobuf(tarfile.GNU_FORMAT) + bytes(80_000)


def _headers_without_end(rng: random.Random) -> bytes:
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 5
    return (info.tobuf(tarfile.GNU_FORMAT) + b"name\0" + bytes(507)) * 40


def _sparse(rng: random.Random) -> bytes:
    info = tarfile.TarInfo("x")
    info.type = b"S"
    return info.tobuf(tarfile.GNU_FORMAT) + bytes(1024)


def _dense(rng: random.Random) -> bytes:
    import gzip

    out = b""
    for number in range(4):
        info = tarfile.TarInfo(f"x{number}")
        info.size = 50_000
        out += info.tobuf(tarfile.GNU_FORMAT) + bytes(50_176)
    return gzip.compress(out)


def _not_text(rng: random.Random) -> bytes:
    """A name that is not UTF-8, marked as if it were."""
    data = zip_of([*honest(), Item(name="\u00e9\u00e9")], rng)
    return data.replace("\u00e9\u00e9".encode(), b"\xff\xfe\xfd\xfc")


def _unmarked(rng: random.Random) -> bytes:
    """A name in some code page of the past."""
    data = bytearray(zip_of([Item(name="pl\u00fcg"), *honest()], rng))
    for mark, at in ((b"PK\1\2", 8), (b"PK\3\4", 6)):
        start = data.index(mark)
        data[start + at : start + at + 2] = b"\0\0"
    return bytes(data)


METHODS = (b"\x0c\0", b"\x0e\0", b"\x63\0")
BROKEN: tuple[tuple[str, Callable[[random.Random], bytes], str], ...] = (
    ("zip cut short", lambda r: _cut(_zip(r), r), "archive-damaged archive-unknown"),
    ("zip with something before it", lambda r: b"PK\3\4" + r.randbytes(40) + _zip(r), "archive-ambiguous"),
    ("zip with something after it", lambda r: _zip(r) + r.randbytes(r.randint(1, 300)), "archive-ambiguous"),
    ("two zips", lambda r: _zip(r) + _zip(r), "archive-ambiguous"),
    ("zip of overlapping entries", _overlapping, "archive-ambiguous archive-damaged"),
    ("zip with two names for an entry", _lying, "archive-damaged"),
    ("encrypted", lambda r: _zip_with(r, at=8, value=b"\1\0"), "archive-encrypted"),
    ("packed in another way", lambda r: _zip_with(r, at=10, value=r.choice(METHODS)), "archive-method"),
    ("other bytes than the sum says", lambda r: _zip_with(r, at=16, value=r.randbytes(4)), "archive-damaged"),
    ("no bytes", lambda r: b"", "archive-unknown"),
    ("an empty zip", lambda r: zip_of([], r), "archive-empty"),
    ("an empty tar", lambda r: tar_of([Item(name="x", kind="directory")], "tar", r), "archive-empty"),
    ("anything", lambda r: r.randbytes(r.randint(1, 3_000)), "archive-unknown archive-damaged"),
    ("a text", lambda r: b"hello " * r.randint(1, 999), "archive-unknown"),
    ("tar cut short", _cut_tar, "archive-damaged"),
    ("tar with a broken header", _flipped_header, "archive-damaged"),
    ("tar with something after it", lambda r: _tar(r) + b"x" * 512, "archive-ambiguous"),
    ("two tars", lambda r: _tar(r) + _tar(r), "archive-ambiguous"),
    ("gzip cut short", lambda r: _cut(_tar(r, "tar.gz"), r), "archive-damaged archive-unknown"),
    ("xz cut short", lambda r: _cut(_tar(r, "tar.xz"), r), "archive-damaged archive-unknown"),
    ("tar with a header as large as a disk", _pax_bomb, "archive-damaged"),
    ("tar of headers", _headers_without_end, "archive-damaged"),
    ("sparse file", _sparse, "archive-method"),
    ("gzip that swells", _dense, "too-dense"),
    ("zstd that is none", lambda r: b"\x28\xb5\x2f\xfd" + r.randbytes(40), "archive-method archive-damaged"),
    ("name that is not UTF-8", _not_text, "path-encoding archive-damaged"),
    ("name of a code page", _unmarked, "path-encoding"),
)  # fmt: skip
