"""How a unit that loads could be better: what a model reads of it, what its code does with free text,
and what a version promises to whoever uses the one before.

SU name, description, triggers, parameters, version. Nothing here keeps a unit from loading; it runs
when somebody asks (`prowess units lint`), never while a Host is brought up. Each check rather
misses a fault than blames what is right. Nothing of a unit runs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.rules import report
from prowess.spec.strict_json import pointer
from prowess.units.compatibility import judge_versions
from prowess.units.model import Unit

MOST_WORDS = 3  # of a name
PHRASE_WORDS = 8  # of a trigger
CODE_BYTES = 4 << 20

_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")
_SENTENCE = re.compile(r"(?<=[.!?])[\"'”’)]*\s+(?=[\"'“‘(]?[A-Z0-9])|(?<=[。！？])(?=.)")
_SHORTENED = re.compile(r"\b(?:e\.g|i\.e|etc|vs|approx|no|[A-Z])\.$", re.IGNORECASE)
_ASKED = re.compile(
    r"(?:use (?:this|it|when|for)|when (?:the|a|you|someone|somebody)|if (?:the|a|you)) ", re.I
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that are verbs first of all; a name that ends in one has its two halves the wrong way round.
_VERBS = _words(
    """add cancel calculate check compute convert create delete fetch find generate get list lookup
    parse query read remove resolve retrieve search send summarize translate update validate verify write"""
)


def lint(units: Sequence[Unit]) -> tuple[Diagnostic, ...]:
    """What could be better about these units, in their order; versions of one name are compared."""
    found: list[Diagnostic] = []
    for unit in units:
        found += lint_unit(unit)
    return (*found, *judge_versions(units))


def lint_unit(unit: Unit) -> list[Diagnostic]:
    """What could be better about one unit by itself."""
    return [*_named(unit), *_described(unit), *_triggered(unit), *_parameters(unit), *_free_text(unit)]


def docs_of(unit: Unit) -> list[Diagnostic]:
    """Only what concerns the words that a model reads."""
    return [*_described(unit), *_triggered(unit), *_parameters(unit)]


def resolved(schema: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """A member's schema with what its local reference says added; empty for what is no object."""
    seen = 0
    while isinstance(schema, Mapping) and isinstance(schema.get("$ref"), str) and seen < 20:
        target: Any = root
        for step in schema["$ref"].removeprefix("#").strip("/").split("/"):
            step = step.replace("~1", "/").replace("~0", "~")
            target = target.get(step) if isinstance(target, Mapping) else None
        beside = {name: value for name, value in schema.items() if name != "$ref"}
        schema = {**target, **beside} if isinstance(target, Mapping) else beside
        seen += 1
    return schema if isinstance(schema, Mapping) else {}


def _tell(unit: Unit, rule: str, message: str, *path: str | int, hint: str = "") -> Diagnostic:
    if unit.form == "function":
        file, _, line = unit.place.rpartition(":")
        return report(rule, Place(file=file, line=int(line)), message, hint=hint, subject=unit.title)
    place = Place(file=unit.place, pointer=pointer(*path) or None)
    return report(rule, place, message, hint=hint, subject=unit.title)


def _named(unit: Unit) -> Iterator[Diagnostic]:
    name = printable(unit.name, 80)
    words = unit.name.split("_")
    if not _NAME.fullmatch(unit.name):
        message = f"{name} is not verb_noun"
        hint = "a verb and a noun in lower case with an underscore: query_weather"
    elif len(words) > MOST_WORDS:
        message = f"{name} has {len(words)} words"
        hint = "at most three; the description has room for the rest"
    elif words[-1] in _VERBS and words[0] not in _VERBS:
        message = f"{name} has its verb last"
        hint = f"{'_'.join([words[-1], *words[:-1]])}"
    else:
        return
    yield _tell(unit, "lint-name", message, "name", hint=hint)


def _described(unit: Unit) -> Iterator[Diagnostic]:
    sentences = _sentences(unit.description)
    if len(sentences) > 1:
        message = f"the description has {len(sentences)} sentences"
        hint = f"keep one: {printable(sentences[0], 200)}"
    elif len(unit.description.split()) < 3 and unit.description.isascii():
        message = "the description is too short to be chosen by"
        hint = "one sentence that says what it does: Says what the weather is in a city now."
    else:
        return
    yield _tell(unit, "lint-description", message, "description", hint=hint)


def _sentences(text: str) -> list[str]:
    joined: list[str] = []
    for part in _SENTENCE.split(" ".join(text.split())):
        if joined and _SHORTENED.search(joined[-1]):
            joined[-1] += f" {part}"
        elif part.strip():
            joined.append(part)
    return joined


def _triggered(unit: Unit) -> Iterator[Diagnostic]:
    for number, trigger in enumerate(unit.triggers):
        words = len(trigger.split())
        if trigger.rstrip()[-1:] in (".", "!", "?", "。", "！", "？") or _ASKED.match(trigger):
            message = f"trigger {printable(trigger, 80)} is a sentence"
        elif words > PHRASE_WORDS:
            message = f"trigger {printable(trigger, 80)} has {words} words"
        else:
            continue
        hint = "the few words that a user would say: weather today"
        yield _tell(unit, "lint-trigger", message, "triggers", number, hint=hint)


def _parameters(unit: Unit) -> Iterator[Diagnostic]:
    members = unit.parameters.get("properties", {})
    for name, member in members.items() if isinstance(members, Mapping) else ():
        said, shown = resolved(member, unit.parameters), printable(name, 80)
        path = ("parameters", "properties", name)
        described = said.get("description")
        if not (isinstance(described, str) and described.strip()):
            hint = "say what it means, its unit, and where a user gets it from"
            yield _tell(unit, "lint-parameter-description", f"{shown} has no description", *path, hint=hint)
        if not examples_of(said):
            hint = f'"examples": [...] beside the type of {shown}'
            yield _tell(unit, "lint-parameter-example", f"{shown} has no example", *path, hint=hint)


def examples_of(said: Mapping[str, Any]) -> list[Any]:
    """The examples of a parameter, from `examples` and from `example`."""
    several = said.get("examples")
    found = list(several) if isinstance(several, list | tuple) else []
    return [*found, said["example"]] if "example" in said else found


def _free_text(unit: Unit) -> list[Diagnostic]:
    from prowess.units.free_text import judge_code  # parses the code, which few of the other checks need

    try:
        with open(unit.file, "rb") as file:
            source = file.read(CODE_BYTES)
    except OSError:
        return []  # told by who reads the folder
    folder = os.path.dirname(unit.place.rpartition(":")[0] if unit.form == "function" else unit.place)
    name = os.path.basename(unit.file)
    return judge_code(unit, source, f"{folder}/{name}".lstrip("/"))
