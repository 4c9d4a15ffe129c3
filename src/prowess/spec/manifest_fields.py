"""The declared fields of `plugin.json`, one check a kind; Agent Plugins 1.0.0 sections 5.3 to 5.5, 8.1.

Metadata is judged by its JSON type alone: an odd URL, e-mail address, licence or version never
rejects (5.4).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from prowess.redact import printable
from prowess.spec import hints, limits
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.json_kinds import kind_name
from prowess.spec.names import name_problem, suggested_name
from prowess.spec.rules import report
from prowess.spec.strict_json import pointer
from prowess.spec.versions import ManifestKind, Version

FILE = "plugin.json"

# semver.org, item 2, 9 and 10, without telling leading zeros of pre-releases apart.
_SEMVER = re.compile(
    r"(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?", re.ASCII
)


def place(*path: str | int) -> Place:
    """A place in the manifest."""
    return Place(file=FILE, pointer=pointer(*path) or None)


def field_problems(field: str, value: Any, version: Version) -> Iterator[Diagnostic]:
    """What is wrong with one declared field."""
    yield from _CHECKS[version.manifest[field]](field, value, version)


def _wrong_type(field: str, value: Any, wanted: str, *, at: Place, required: bool) -> Diagnostic:
    rule = "manifest-required-field" if required else "manifest-field-type"
    message = f"{printable(field)} has to be {wanted} and is {kind_name(value)}"
    return report(rule, at, message, hint=hints.wrong_type(value, wanted))


def _schema(field: str, value: Any, version: Version) -> Iterator[Diagnostic]:
    # Which version a non-empty string means has been settled before fields are judged.
    if not isinstance(value, str):
        yield _wrong_type(field, value, "a string", at=place(field), required=True)
    elif not value:
        hint = f"write {version.plugin_schema}"
        yield report("manifest-required-field", place(field), f"{field} is empty", hint=hint)


def _name(field: str, value: Any, version: Version) -> Iterator[Diagnostic]:
    if not isinstance(value, str):
        yield _wrong_type(field, value, "a string", at=place(field), required=True)
    elif not value:
        yield report("manifest-required-field", place(field), f"{field} is empty", hint="give it a name")
    elif (problem := name_problem(value)) is not None:
        better = suggested_name(value)
        yield report(
            "manifest-name-invalid",
            place(field),
            f"name {printable(value, 80)} {problem}",
            hint=f"write {better}" if better else "use lower-case letters, digits, hyphens and periods",
        )


def _string(field: str, value: Any, version: Version) -> Iterator[Diagnostic]:
    if not isinstance(value, str):
        required = field in version.required
        yield _wrong_type(field, value, "a string", at=place(field), required=required)
    elif field == "version" and not _SEMVER.fullmatch(value):
        hint = "write MAJOR.MINOR.PATCH, so that clients can tell which of two is newer"
        yield report("manifest-version-not-semver", place(field), "version is not SemVer", hint=hint)


def _strings(field: str, value: Any, version: Version) -> Iterator[Diagnostic]:
    required = field in version.required
    if not isinstance(value, list):
        yield _wrong_type(field, value, "an array of strings", at=place(field), required=required)
        return
    wrong = (index for index, each in enumerate(value) if not isinstance(each, str))
    for index in islice(wrong, limits.MANIFEST_PROBLEMS):
        name, at = f"{field}[{index}]", place(field, index)
        yield _wrong_type(name, value[index], "a string", at=at, required=required)


def _author(field: str, value: Any, version: Version) -> Iterator[Diagnostic]:
    if not isinstance(value, dict):
        wanted = 'an object such as {"name": "..."}'
        yield _wrong_type(field, value, wanted, at=place(field), required=field in version.required)
        return
    for key, each in value.items():
        if key not in version.author:
            message = f"author may not hold {printable(key, 80)}"
            hint = f"only {', '.join(sorted(version.author))} are allowed"
            yield report("manifest-author-field", place(field, key), message, hint=hint)
        elif not isinstance(each, str):
            yield _wrong_type(f"author.{key}", each, "a string", at=place(field, key), required=False)


def _extensions(field: str, value: Any, version: Version) -> Iterator[Diagnostic]:
    if not isinstance(value, dict):
        message = f"extensions is {kind_name(value)}, not an object, and is ignored"
        hint = 'write {"com.example.client": {...}}'
        yield report("manifest-extensions-not-object", place(field), message, hint=hint, subject=field)
        return
    for namespace, data in value.items():
        if not isinstance(data, dict):
            message = f"extensions.{printable(namespace, 80)} has to be an object and is {kind_name(data)}"
            hint = "write {...} with what that client reads, or remove it"
            yield report("manifest-extension-not-object", place(field, namespace), message, hint=hint)


_CHECKS: dict[ManifestKind, Callable[[str, Any, Version], Iterator[Diagnostic]]] = {
    "schema": _schema,
    "name": _name,
    "string": _string,
    "strings": _strings,
    "author": _author,
    "extensions": _extensions,
}


def unknown_field(field: str, version: Version) -> Diagnostic:
    """The note on a field outside the closed set: reported, ignored, given no meaning (5.2)."""
    return report(
        "manifest-unknown-field",
        place(field),
        f"{printable(field, 80)} is no field of the manifest and is ignored",
        hint=hints.manifest_field(field, frozenset(version.manifest)),
        subject=field,
    )
