"""The file that holds a capability's wording, the proposal as a diff of it, and writing that."""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass

from prowess.errors import Unreadable, UsageError
from prowess.evaluate.improving import Improvement
from prowess.evaluate.improving_writing import Changed, rewritten_skill, rewritten_unit
from prowess.evaluate.trigger_library import Library
from prowess.redact import printable

LARGEST = 4 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """Where a wording is written: `shown` is the path below PATH."""

    path: str
    shown: str
    unit: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A proposal for one file."""

    path: str
    shown: str
    changed: Changed

    @property
    def diff(self) -> str:
        """A unified diff, as `patch -p1` takes it."""
        before = self.changed.before.decode("utf-8-sig").splitlines(keepends=True)
        after = self.changed.after.decode("utf-8-sig").splitlines(keepends=True)
        lines = difflib.unified_diff(before, after, f"a/{self.shown}", f"b/{self.shown}")
        return "".join(each if each.endswith("\n") else f"{each}\n" for each in lines)

    def save(self) -> None:
        """Put it into the file, unless that has changed meanwhile. Raises UsageError."""
        from prowess.cli.files import write_whole

        if _read(self.path) != self.changed.before:
            raise UsageError(f"{printable(self.path, 500)} has changed meanwhile", hint="run it again")
        write_whole(self.path, self.changed.after)


def file_of(path: str, id: str, library: Library) -> File | None:
    """The file that the wording of `id` stands in; None for a server's tool and a decorated function."""
    entry = next(each for each in library.candidates.entries if each.name == id)
    name = next(each.name for each in library.candidates.documents if each.id == id)
    if entry.kind == "skill":
        folders = (os.path.join("skills", name), name)
        return next(filter(None, (_there(path, os.path.join(each, "SKILL.md")) for each in folders)), None)
    for each in sorted(os.listdir(path)) if os.path.isdir(path) else ():
        found = _there(path, os.path.join(each, "schema.json"), unit=True)
        if found is not None and _named(found, name):
            return found
    return None


def _named(file: File, name: str) -> bool:
    import json

    try:
        said = json.loads(_read(file.path))
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and said.get("name") == name


def _there(path: str, below: str, *, unit: bool = False) -> File | None:
    whole = os.path.join(path, below)
    return File(path=whole, shown=below, unit=unit) if os.path.isfile(whole) else None


def proposed(file: File, found: Improvement) -> Written | None:
    """What the file would be. Raises UsageError where it cannot be changed where it stands."""
    if found.wording is None:
        return None
    data = _read(file.path)
    if not file.unit:
        changed = rewritten_skill(data, found.wording.description, place=printable(file.shown, 300))
    else:
        same = found.wording.description == found.old.description
        new = found.wording.triggers[len(found.old.triggers) :]
        changed = rewritten_unit(
            data,
            description=None if same else found.wording.description,
            triggers=new,
            place=printable(file.shown, 300),
        )
    return Written(path=file.path, shown=file.shown, changed=changed)


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise Unreadable(f"{printable(path, 500)}: {error.strerror}") from error
    if len(data) > LARGEST:
        raise Unreadable(f"{printable(path, 500)}: larger than {LARGEST} bytes")
    return data
