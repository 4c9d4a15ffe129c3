"""Every unit below some roots, and everything that is wrong with the others.

Folder units are known by their `schema.json` alone; decorated ones are imported once and known by
their digest from then on. One broken unit never hides another. Two of the same name and version
hide each other, because nobody can say which is meant.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from prowess.choose.versions import parse as version
from prowess.errors import ProwessError
from prowess.redact import printable
from prowess.source.directory import DirectorySource
from prowess.spec import limits
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.questions import Failure
from prowess.spec.rules import report
from prowess.spec.strict_json import Malformed, parse, pointer
from prowess.units import code
from prowess.units.index import Index
from prowess.units.loading import LoadFailed, Modules
from prowess.units.metadata import read_unit
from prowess.units.model import Unit
from prowess.units.scanning import CODE, Folder, Layout, scan

CODE_BYTES = 4 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A unit and the root that it was found below."""

    unit: Unit
    root: str


@dataclass(slots=True, kw_only=True)
class Found:
    """What discovery found. `failed` are roots that could not be read at all, with the reason.

    `marked` is how many decorated functions were seen in files that were read and not imported.
    """

    units: list[Placed] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    marked: int = 0


def discover(roots: Sequence[str], modules: Modules) -> Found:
    """Every unit below `roots`, ready to be offered. Raises nothing."""
    found = Found()
    for root in roots:
        try:
            layout = scan(root)
        except ProwessError as error:
            found.failed.append(error.message)
            continue
        found.diagnostics += layout.diagnostics
        source, index = DirectorySource(layout.root), Index(layout.root)
        for folder in layout.folders:
            _add(found, layout, *read_folder(source, folder))
        for path in layout.files:
            for unit, told in _of_file(source, path, layout, modules, index):
                _add(found, layout, unit, told)
        index.save()
    return _without_clashes(found)


def judge(root: str) -> Found:
    """The same by reading alone, code included; nothing of the units runs. Raises NotFound, Unreadable."""
    layout = scan(root)
    found = Found(diagnostics=list(layout.diagnostics))
    source = DirectorySource(layout.root)
    for folder in layout.folders:
        unit, told = read_folder(source, folder)
        told = [*told, *_judge_code(source, folder)]
        usable = unit if not any(each.rule in ("unit-syntax", "unit-no-execute") for each in told) else None
        _add(found, layout, usable, told)
    for path in layout.files:
        data = source.read(path, CODE_BYTES)
        if isinstance(data, bytes) and code.mentions_units(data):
            marked, told = code.find_marked(data, path, path)
            found.marked += len(marked)
            found.diagnostics += told
        elif isinstance(data, bytes) and path.rpartition("/")[2] == CODE:
            found.diagnostics.append(_no_metadata(path))
    return _without_clashes(found)


def _add(found: Found, layout: Layout, unit: Unit | None, told: Sequence[Diagnostic]) -> None:
    found.diagnostics += told
    if unit is not None:
        found.units.append(Placed(unit=unit, root=layout.root))


def read_folder(source: DirectorySource, folder: Folder) -> tuple[Unit | None, list[Diagnostic]]:
    """A unit from its `schema.json`; nothing is imported."""
    place, subject = Place(file=folder.metadata), folder.path or "."
    data = source.read(folder.metadata, limits.JSON_BYTES)
    if isinstance(data, Failure):
        rule = "unit-outside" if data.reason == "outside" else "unit-unreadable"
        return None, [report(rule, place, printable(data.detail or data.reason), subject=subject)]
    said = read_metadata(data, place, subject)
    if isinstance(said, Diagnostic):
        return None, [said]
    if not folder.code or not source.confined(folder.code):
        return None, [_no_code(folder, subject, outside=bool(folder.code))]
    home = os.path.join(source.root, *folder.path.split("/")).rstrip(os.sep)
    return read_unit(
        said,
        place=place,
        subject=subject,
        file=os.path.join(source.root, *folder.code.split("/")),
        home=home,
        folder=folder.name,
    )


def read_metadata(data: bytes, place: Place, subject: str) -> dict[str, Any] | Diagnostic:
    """The object in the bytes of a `schema.json`, or why there is none."""
    document = parse(data)
    if isinstance(document, Malformed):
        place = replace(place, line=document.line)
        return report("unit-malformed", place, f"not JSON: {document.reason}", subject=subject)
    if not isinstance(document.value, dict):
        return report("unit-malformed", place, "must be a JSON object", subject=subject)
    if document.duplicates:
        first = document.duplicates[0]
        at = replace(place, pointer=pointer(*first.path, first.key))
        message = f"{printable(first.key, 80)} stands twice"
        return report("unit-malformed", at, message, subject=subject)
    return document.value


def _no_code(folder: Folder, subject: str, *, outside: bool) -> Diagnostic:
    if outside:
        return report("unit-outside", Place(file=folder.code), "leads out of the folder", subject=subject)
    hint = f"put the class with its execute into {CODE}"
    place = Place(file=folder.metadata)
    return report("unit-code-missing", place, f"there is no {CODE} beside it", hint=hint, subject=subject)


def _judge_code(source: DirectorySource, folder: Folder) -> list[Diagnostic]:
    data = source.read(folder.code, CODE_BYTES) if folder.code else Failure("missing")
    if isinstance(data, bytes):
        return code.judge_class(data, folder.code, folder.path or ".")
    if data.reason in ("missing", "outside"):
        return []  # told with the metadata
    place = Place(file=folder.code)
    return [report("unit-unreadable", place, printable(data.detail or data.reason), subject=folder.path)]


def _of_file(
    source: DirectorySource, path: str, layout: Layout, modules: Modules, index: Index
) -> Iterator[tuple[Unit | None, list[Diagnostic]]]:
    """The decorated units of one Python file, imported if their index does not know them."""
    data = source.read(path, CODE_BYTES)
    if isinstance(data, Failure):
        rule = "unit-outside" if data.reason == "outside" else "unit-unreadable"
        yield None, [report(rule, Place(file=path), printable(data.detail or data.reason), subject=path)]
        return
    # A script that stands here by chance is not run: only a file that is seen to hold a unit is imported.
    marked, told = code.find_marked(data, path, path) if code.mentions_units(data) else ([], [])
    if told or not marked:
        yield None, told or ([_no_metadata(path)] if path.rpartition("/")[2] == CODE else [])
        return
    file = os.path.join(layout.root, *path.split("/"))
    digest = sha256(data).hexdigest()
    known = index.get(path, digest)
    if known is None:
        known, told = _imported(file, path, layout.root, modules)
        yield None, told
        if not told:
            index.put(path, digest, [each for each in modules.files_of(file) if each != file], known)
    for each in known:
        place = Place(file=path, line=each["line"])
        subject = f"{path}#{printable(str(each['said'].get('name', '')), 80)}"
        yield read_unit(
            each["said"],
            place=place,
            subject=subject,
            file=file,
            home=os.path.dirname(file),
            form="function",
        )


def _no_metadata(path: str) -> Diagnostic:
    message = "there is no schema.json beside it, and no unit is declared in it"
    hint = "write a schema.json with name, description and parameters"
    subject = path.rpartition("/")[0] or "."
    return report("unit-metadata-missing", Place(file=path), message, hint=hint, subject=subject)


def _imported(
    file: str, path: str, root: str, modules: Modules
) -> tuple[list[dict[str, Any]], list[Diagnostic]]:
    from prowess.units.functions import described, line_of, named_units

    try:
        module = modules.get(file, root=root, subject=path)
    except LoadFailed as failed:
        return [], [failed.diagnostic]
    units: list[dict[str, Any]] = []
    told: list[Diagnostic] = []
    for function, _, _ in named_units(module):
        said, wrong = described(function, path)
        told += wrong
        if said is not None:
            units.append({"said": said, "line": line_of(function)})
    return units, told


def _without_clashes(found: Found) -> Found:
    """Leave out what stands twice: the same file reached twice once, two files of one name both."""
    by_title: dict[tuple[str, str], list[Placed]] = {}
    for each in found.units:
        by_title.setdefault((each.unit.name, each.unit.version), []).append(each)
    kept = []
    for same in by_title.values():
        apart = same if len(same) == 1 else _different(same)
        if len(apart) == 1:
            kept.append(apart[0])
        else:
            found.diagnostics += [_clash(each, apart) for each in apart]
    found.units = sorted(kept, key=lambda each: (each.unit.name, version(each.unit.version).precedence))
    return found


def _different(same: Sequence[Placed]) -> list[Placed]:
    """One for each place on the disk; two functions of one file are two places."""
    apart: dict[tuple[str, str], Placed] = {}
    for each in same:
        line = each.unit.place.rpartition(":")[2] if each.unit.form == "function" else ""
        apart.setdefault((os.path.realpath(each.unit.file), line), each)
    return list(apart.values())


def _clash(one: Placed, all: Sequence[Placed]) -> Diagnostic:
    several_roots = len({each.root for each in all}) > 1
    places = [os.path.join(each.root, each.unit.place) if several_roots else each.unit.place for each in all]
    message = f"{printable(one.unit.title, 200)} stands twice: {printable(' and '.join(places), 1_000)}"
    hint = "rename one, or give it another version; until then neither is offered"
    place, subject = _told_at(one.unit)
    return report("unit-duplicate", place, message, hint=hint, subject=subject)


def _told_at(unit: Unit) -> tuple[Place, str]:
    """The place that a unit was read from, and what it is called where entries are skipped."""
    if unit.form == "function":
        file, _, line = unit.place.rpartition(":")
        return Place(file=file, line=int(line)), f"{file}#{printable(unit.name, 80)}"
    return Place(file=unit.place), unit.place.rpartition("/")[0] or "."
