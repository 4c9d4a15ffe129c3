"""A pasted document judged, with every finding at its line.

The judges are those of `prowess check` (manifest, MCP servers, units, workflows), of `prowess schema`
(snapshots) and of the call path (a tool's input schema, or one that was pasted). None of them is repeated
here: this file only finds the line that each of them means. A finding about the rest of a package (a missing
command, an unknown skill) cannot come up, because there is no package.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prowess.console.workbench_json import Fault, Node, decoded, first_half, parse, remarks, spot
from prowess.errors import UsageError
from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.limits import POINTER_STEP

MOST = 50  # findings that are told; the widest first
LONG_NUMBER = 400  # digits; int() refuses a few thousand
LARGEST = sys.float_info.max


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What is wrong, and where; line and column from 1, None for the whole document.

    `rule` is a rule's id or a word of the schema, `reach` the word of a rule's reach, empty for a schema's.
    """

    rule: str
    message: str
    hint: str = ""
    reach: str = ""
    pointer: str = ""
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The findings that are told, and how many there are in all."""

    findings: tuple[Finding, ...]
    total: int


def _judged(found: tuple[Finding, ...]) -> Judged:
    return Judged(findings=found[:MOST], total=len(found))


def judge_text(text: str, kind: str, schema: object = None) -> Judged:
    """The findings about `text` as a `kind`: a key of `JUDGES`, or `schema`, held against `schema`."""
    if kind == "schema":
        return _against_schema(text, schema)
    return JUDGES[kind](text)


def _plugin(text: str) -> Judged:
    from prowess.spec.manifest import judge_manifest
    from prowess.spec.versions import SUPPORTED

    return _placed(text, judge_manifest(_bytes(text), SUPPORTED).diagnostics)


def _mcp(text: str) -> Judged:
    """As beside a manifest of the version that the document names."""
    from prowess.spec.servers import judge_servers
    from prowess.spec.strict_json import Document
    from prowess.spec.strict_json import parse as strict
    from prowess.spec.versions import SUPPORTED, for_mcp_schema

    document = strict(_bytes(text))
    value = document.value if isinstance(document, Document) else None
    named = value.get("$schema") if isinstance(value, dict) else None
    version = for_mcp_schema(named, SUPPORTED) if isinstance(named, str) else None
    return _placed(text, judge_servers(_bytes(text), version or SUPPORTED[-1], SUPPORTED).diagnostics)


def _unit(text: str) -> Judged:
    from prowess.units.discovery import read_metadata
    from prowess.units.metadata import read_unit

    place = Place(file="schema.json")
    said = read_metadata(_bytes(text), place, "")
    if isinstance(said, Diagnostic):
        return _placed(text, [said])
    return _placed(text, read_unit(said, place=place, subject="")[1])


def _workflow(text: str) -> Judged:
    """YAML, of which JSON is a part; skills are not judged, since nobody says which there are."""
    from prowess.workflow.checking import check
    from prowess.workflow.reading import read_workflow

    read = read_workflow(_bytes(text), "workflow.yaml")
    told = check(read.workflow, None) if read.workflow else ()
    return _placed(text, (*read.diagnostics, *told))


def _snapshot(text: str) -> Judged:
    from prowess.author.schemas import schema_of
    from prowess.author.schemas_judging import hold_against

    root, found = _read(text)
    if root is None:
        return _judged(found)
    verdict = hold_against(schema_of("snapshot"), _value(text))
    faults = [_at(text, root, pointer, "snapshot", message) for pointer, message in verdict.faults]
    return _judged((*found, *faults))


def _against_schema(text: str, schema: object) -> Judged:
    from prowess.call.validation import problems

    root, found = _read(text)
    if root is None:
        return _judged(found)
    told = problems(schema, _value(text))
    return _judged((*found, *[_at(text, root, each.path, each.rule, each.hint) for each in told]))


def read_schema(text: str) -> object:
    """A pasted schema. Raises UsageError for what is no JSON."""
    root, found = _read(text)
    if root is None:
        raise UsageError(f"the schema is not JSON: line {found[0].line}, column {found[0].column}")
    return _value(text)


JUDGES: Mapping[str, Callable[[str], Judged]] = {
    "plugin": _plugin,
    "mcp": _mcp,
    "snapshot": _snapshot,
    "unit": _unit,
    "workflow": _workflow,
}


# -- values and places


def _value(text: str) -> Any:
    """The value of a text that is JSON, its numbers in the range that every judge knows."""
    return json.loads(text.removeprefix("\ufeff"), parse_int=_whole, parse_float=_number)


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) < LONG_NUMBER else _number(digits)


def _number(written: str) -> float:
    return max(-LARGEST, min(LARGEST, float(written)))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _read(text: str) -> tuple[Node | None, tuple[Finding, ...]]:
    """The tree of a JSON text and what no schema sees in it: names that stand twice."""
    root = parse(text)
    if isinstance(root, Fault):
        at = spot(text, root.at)
        return None, (Finding(rule="not-json", message=root.code, line=at.line, column=at.column),)
    half = first_half(text, root)
    if half is not None:
        at = spot(text, half)
        return None, (Finding(rule="not-json", message="half-pair", line=at.line, column=at.column),)
    twice = []
    for each in remarks(text, root)[0]:
        if each.code == "duplicate":
            at = spot(text, each.at)
            name = printable(each.what, 80)
            twice.append(
                Finding(rule="duplicate", message=f"{name} stands twice", line=at.line, column=at.column)
            )
    return root, tuple(twice)


def _placed(text: str, diagnostics: Sequence[Diagnostic]) -> Judged:
    """Diagnostics at their lines: their own, or that of the member which their pointer names."""
    widest = sorted(diagnostics, key=lambda each: each.reach, reverse=True)[:MOST]
    root = parse(text)
    broken = spot(text, root.at) if isinstance(root, Fault) else None
    found = []
    for each in (each for each in diagnostics if each in widest):
        line, column = each.place.line, None
        if broken is not None and line == broken.line:
            column = broken.column
        if line is None and isinstance(root, Node) and each.place.pointer:
            at = spot(text, locate(root, each.place.pointer))
            line, column = at.line, at.column
        found.append(
            Finding(
                rule=each.rule,
                message=each.message,
                hint=each.hint,
                reach=each.reach.word,
                pointer=each.place.pointer or "",
                line=line,
                column=column,
            )
        )
    return Judged(findings=tuple(found[:MOST]), total=len(diagnostics))


def _at(text: str, root: Node, pointer: str, rule: str, message: str) -> Finding:
    at = spot(text, locate(root, pointer))
    return Finding(rule=rule, message=message, pointer=pointer, line=at.line, column=at.column)


def locate(root: Node, pointer: str) -> int:
    """Where the member is that a JSON pointer names, or the last of its steps that is there.

    The pointers of judges are for people: a long name is cut in them, and some signs are escapes.
    """
    here, at = root, root.at
    for step in pointer.split("/")[1:]:
        found = None
        for place, each in enumerate(here.inside()):
            if step in (_steps(each.name) if each.name else (str(place),)):
                found = each  # of several with one name, the last is the one that counts
        if found is None:
            return at
        here, at = found.value, found.at
    return at


def _steps(name: str) -> tuple[str, ...]:
    """A name as the judges write it in a pointer."""
    text = decoded(name)
    ways = (text[:POINTER_STEP], printable(text, 80), text)
    return tuple(each.replace("~", "~0").replace("/", "~1") for each in ways)
