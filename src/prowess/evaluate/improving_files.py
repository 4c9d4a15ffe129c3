"""The file that holds a capability's wording, the proposal as a diff of it, and writing that."""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass

from prowess.errors import ProwessError, Unreadable, UsageError
from prowess.evaluate.improving import Improvement, Wording
from prowess.evaluate.improving_writing import Changed, rewritten_skill, rewritten_unit
from prowess.evaluate.trigger_library import Library
from prowess.redact import printable
from prowess.store.whole_file import replace_whole

LARGEST = 4 << 20
UNITS = os.path.join("dev.prowess", "units")  # of a plugin
NO_END = "\\ No newline at end of file"


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
        """A unified diff, as `patch -p1` and `git apply` take it; a line ends where they say it does."""
        before, after = (each.decode().split("\n") for each in (self.changed.before, self.changed.after))
        lines = difflib.unified_diff(
            _ended(before), _ended(after), f"a/{self.shown}", f"b/{self.shown}", lineterm="\n"
        )
        return "".join(each if each.endswith("\n") else f"{each}\n{NO_END}\n" for each in lines)

    def save(self) -> None:
        """Put it into the file, unless that has changed meanwhile. Raises UsageError and Unreadable."""
        if _read(self.path) != self.changed.before:
            raise UsageError(f"{printable(self.path, 500)} has changed meanwhile", hint="run it again")
        path = os.path.realpath(self.path)  # a link stays one
        try:
            replace_whole(path, self.changed.after, mode=os.stat(path).st_mode & 0o7777)
        except OSError as error:
            raise Unreadable(f"{printable(self.path, 500)}: cannot be written: {error.strerror}") from error


def file_of(path: str, id: str, library: Library) -> File | None:
    """The file that the wording of `id` stands in; None for a server's tool and a decorated function."""
    entry = next(each for each in library.candidates.entries if each.name == id)
    name = next(each.name for each in library.candidates.documents if each.id == id)
    if entry.kind == "skill":
        folders = (os.path.join(path, "skills"), path)
        return next(filter(None, (_there(path, each, name, "SKILL.md") for each in folders)), None)
    for root in dict.fromkeys((path, os.path.join(path, UNITS), *_unit_folders(path))):
        for each in sorted(os.listdir(root)) if os.path.isdir(root) else ():
            found = _there(path, root, each, "schema.json")
            if found is not None and _named(found, name):
                return found
    return None


def _unit_folders(path: str) -> tuple[str, ...]:
    """Where else units are, by a `prowess.toml`."""
    from prowess.host.setup import setup_of

    try:
        return setup_of(path).units.paths
    except ProwessError:
        return ()


def _named(file: File, name: str) -> bool:
    import json

    try:
        said = json.loads(_read(file.path))
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and said.get("name") == name


def _there(path: str, root: str, folder: str, name: str) -> File | None:
    """A file of `folder` in `root`, unless a link leads it somewhere else."""
    whole = os.path.join(root, folder, name)
    real, within = os.path.realpath(whole), os.path.join(os.path.realpath(root), "")
    if not os.path.isfile(whole) or not real.startswith(within):
        return None
    return File(path=whole, shown=os.path.relpath(whole, path), unit=name == "schema.json")


def _ended(lines: list[str]) -> list[str]:
    """Lines with the end that was cut off; the last is empty where the text ends with one."""
    return [f"{each}\n" for each in lines[:-1]] + [each for each in lines[-1:] if each]


def proposed(file: File, found: Improvement) -> Written | None:
    """What the file would be. Raises UsageError where it cannot be changed where it stands."""
    return None if found.wording is None else rewritten(file, found.old, found.wording)


def rewritten(file: File, old: Wording, new: Wording) -> Written:
    """The file with `new` in place of `old`; a skill's trigger phrases are left as they are.

    Raises UsageError where it cannot be changed where it stands.
    """
    data, place = _read(file.path), printable(file.shown, 300)
    if not file.unit:
        changed = rewritten_skill(data, new.description, place=place)
    else:
        changed = rewritten_unit(
            data,
            description=None if new.description == old.description else new.description,
            triggers=new.triggers[len(old.triggers) :],
            place=place,
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
