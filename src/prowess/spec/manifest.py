"""`plugin.json` judged from its bytes; Agent Plugins 1.0.0, section 5.

Every problem is reported, not only the first. Two are tolerated (an unknown top-level field, an
`extensions` that is no object); any other rejects the plugin (5.2).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from prowess.redact import printable
from prowess.spec import hints, limits
from prowess.spec.diagnostics import Diagnostic, Place, Reach, first_of_each_reach
from prowess.spec.json_kinds import kind_name
from prowess.spec.manifest_fields import FILE, field_problems, place, unknown_field
from prowess.spec.model import Manifest
from prowess.spec.rules import report
from prowess.spec.strict_json import Duplicate, Malformed, parse
from prowess.spec.versions import Version, Versions, for_plugin_schema


class ManifestVerdict(NamedTuple):
    """The manifest and the version that judged it, or neither when the plugin is rejected."""

    manifest: Manifest | None
    version: Version | None
    diagnostics: tuple[Diagnostic, ...]


def judge_manifest(data: bytes, versions: Versions) -> ManifestVerdict:
    """The verdict on the bytes of `plugin.json`."""
    document = parse(data)
    if isinstance(document, Malformed):
        found = [_malformed(document)]
        return ManifestVerdict(manifest=None, version=None, diagnostics=tuple(found))
    found = [_byte_order_mark()] if document.byte_order_mark else []
    fields = document.value
    if not isinstance(fields, dict):
        message = f"the manifest has to be an object and is {kind_name(fields)}"
        found.append(report("manifest-not-object", place(), message))
        return ManifestVerdict(manifest=None, version=None, diagnostics=tuple(found))
    version, unsupported = _version(fields, versions)
    if unsupported is not None:
        # The rules of that version are unknown here, so nothing else can be said of the fields.
        return ManifestVerdict(manifest=None, version=None, diagnostics=(*found, unsupported))
    problems = _problems(fields, document.duplicates, version)
    found.extend(first_of_each_reach(problems, limits.MANIFEST_PROBLEMS))
    if any(each.reach is Reach.PLUGIN for each in found):
        return ManifestVerdict(manifest=None, version=None, diagnostics=tuple(found))
    return ManifestVerdict(manifest=_manifest(fields, version), version=version, diagnostics=tuple(found))


def _malformed(fault: Malformed) -> Diagnostic:
    column = f" (column {fault.column})" if fault.column is not None else ""
    message = f"not valid JSON: {printable(fault.reason)}{column}"
    return report("manifest-malformed", Place(file=FILE, line=fault.line), message)


def _byte_order_mark() -> Diagnostic:
    hint = "save the file as UTF-8 without it; some clients refuse it"
    message = "the file begins with a byte-order mark"
    return report("json-byte-order-mark", Place(file=FILE, line=1), message, hint=hint)


def _version(fields: dict[str, Any], versions: Versions) -> tuple[Version, Diagnostic | None]:
    """The version to judge by, and what is said when the declared one is not supported.

    A `$schema` that is missing or no text is judged as a field of the newest version.
    """
    newest = versions[-1]
    declared = fields.get("$schema")
    if not isinstance(declared, str) or not declared:
        return newest, None
    version = for_plugin_schema(declared, versions)
    if version is not None:
        return version, None
    message = f"$schema {printable(declared, 120)} names no supported Agent Plugins version"
    hint = hints.schema(declared, newest.plugin_schema, newest.mcp_schema)
    return newest, report("manifest-unsupported-version", place("$schema"), message, hint=hint)


def _problems(
    fields: dict[str, Any], duplicates: tuple[Duplicate, ...], version: Version
) -> Iterator[Diagnostic]:
    for field in version.required:
        if field not in fields:
            hint = f'add "$schema": "{version.plugin_schema}"' if field == "$schema" else f"add {field}"
            yield report("manifest-required-field", place(), f"{field} is missing", hint=hint)
    # One for each top-level field and kind of fault: a field rejects no more by a hundred of them.
    told: set[tuple[str, str]] = set()
    for each in (_duplicate(duplicate, version) for duplicate in duplicates):
        top = (each.place.pointer or "").split("/")[1]
        if (each.rule, top) not in told:
            told.add((each.rule, top))
            yield each
    for field, value in fields.items():
        if field in version.manifest:
            yield from field_problems(field, value, version)
        else:
            yield unknown_field(field, version)


def _duplicate(duplicate: Duplicate, version: Version) -> Diagnostic:
    """The narrowest place decides: a known field rejects, the inside of others is only told."""
    whole = (*duplicate.path, duplicate.key)
    kind = version.manifest.get(str(whole[0]))
    ignored = kind is None or (kind == "extensions" and len(whole) > 1)
    rule = "manifest-duplicate-ignored" if ignored else "manifest-duplicate-field"
    message = f"{printable(duplicate.key, 80)} stands more than once in one object"
    return report(rule, place(*whole), message, hint="keep one; JSON readers differ on which one counts")


def _manifest(fields: dict[str, Any], version: Version) -> Manifest:
    metadata = {
        field: fields[field]
        for field, kind in version.manifest.items()
        if field in fields
        and field not in ("$schema", "name", "version", "description")
        and (kind != "extensions" or isinstance(fields[field], dict))
    }
    return Manifest(
        name=fields["name"],
        spec=version.version,
        version=fields.get("version"),
        description=fields.get("description"),
        metadata=metadata,
    )
