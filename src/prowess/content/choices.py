"""Values that are offered while somebody types one: given in the frontmatter, or in a file beside it.

complete: [draft, final]
complete: regions.txt          one value on each line, or a JSON array of texts
"""

from __future__ import annotations

import posixpath

from prowess.content.files import TABLE_BYTES, Files
from prowess.content.markdown import Fields
from prowess.redact import printable
from prowess.spec.frontmatter import Value
from prowess.spec.questions import Failure
from prowess.spec.strict_json import Malformed, parse

MOST_CHOICES = 10_000


def beside(path: str, relative: str) -> str:
    """The path of what a file names, seen from that file; it may still lead anywhere."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), relative))


def choices(fields: Fields, files: Files, value: Value | None, field: str) -> tuple[str, ...]:
    """The values that `complete` gives; a fault is noted at `field`."""
    if value is None:
        return ()
    found = _read(fields, files, value, field) if isinstance(value, str) else value
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        hint = "complete: [one, two], or the name of a text file with one value on each line"
        fields.tell("content-field", "complete must be a list of texts, or a file", field=field, hint=hint)
        return ()
    if len(found) > MOST_CHOICES:
        fields.tell("content-field", f"complete has more than {MOST_CHOICES} values", field=field)
        return ()
    return tuple(dict.fromkeys(str(each) for each in found if each))


def read_beside(fields: Fields, files: Files, relative: str, field: str) -> tuple[str, bytes] | None:
    """The path and bytes of a file that a field names; a fault is noted."""
    path = beside(fields.path, relative)
    data: bytes | Failure = Failure("outside", "it leads out of the folder, or to something hidden")
    if not path.startswith(("/", "..")) and not files.is_hidden(path):
        data = files.source.read(path, TABLE_BYTES)
    if isinstance(data, bytes):
        return path, data
    rule = "content-outside" if data.reason == "outside" else "content-source"
    fields.tell(
        rule, f"{field}: {printable(relative, 200)}: {printable(data.detail or data.reason)}", field=field
    )
    return None


def _read(fields: Fields, files: Files, relative: str, field: str) -> list[object]:
    found = read_beside(fields, files, relative, field)
    if found is None:
        return []
    path, data = found
    if path.lower().endswith(".json"):
        document = parse(data)
        if isinstance(document, Malformed) or not isinstance(document.value, list):
            fields.tell("content-source", f"{printable(path, 200)} is no JSON array of texts", field=field)
            return []
        return list(document.value)
    try:
        return [line.strip() for line in data.decode("utf-8-sig").splitlines()]
    except UnicodeDecodeError:
        fields.tell("content-source", f"{printable(path, 200)} is not UTF-8", field=field)
        return []
