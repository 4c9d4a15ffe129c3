"""The fields of a form, from the `inputSchema` of a tool (JSON Schema 2020-12).

A property becomes a field when one kind of value can be typed into it: text, a number, true or false,
one of a few choices, a list of these, an object of these. Whatever is more than that becomes a field
for JSON, and what cannot be a field at all is told. The form only helps to write: the call path judges
what was written, by the whole schema. It does not know what stands in the fields.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from prowess.call.schema_cost import resolve

Kind = Literal["text", "long", "integer", "number", "choice", "choices", "list", "json", "group"]

MISSING: Any = object()
MOST_FIELDS = 150
MOST_CHOICES = 200
DEEPEST = 4  # levels of groups
LONGEST_NAME = 100
LONG_TEXT = 200  # a `maxLength` from which on a text gets more than one line
MOST_EXAMPLES = 5
LONGEST_CHOICE = 300  # characters of one value to choose, as JSON
LONGEST_ABOUT = 1_000
ALL_CHOICES = 40_000  # characters of all choices of a form, as they are drawn
BOX = 70  # what `shown` writes for a character that cannot be seen
ALL_TEXT = 80_000  # the same of whatever else a schema says
_SCALARS = {"string": "text", "integer": "integer", "number": "number"}
_INPUTS = {"date": "date", "email": "email", "uri": "url"}
_HINTS = {
    "date-time": "2026-11-30T12:00:00Z",
    "time": "12:00:00Z",
    "duration": "P3D",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
    "ipv4": "192.0.2.1",
}
# What a schema asks of a value, in words with a place for its limit.
_BOUNDS = {
    "minimum": "at least {value}",
    "maximum": "at most {value}",
    "exclusiveMinimum": "more than {value}",
    "exclusiveMaximum": "less than {value}",
    "multipleOf": "a multiple of {value}",
    "minLength": "at least {value} characters",
    "maxLength": "at most {value} characters",
    "pattern": "of the pattern {value}",
    "format": "of the format {value}",
    "minItems": "at least {value} values",
    "maxItems": "at most {value} values",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One value to choose: `key` is its JSON, which is what the form sends."""

    key: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field. `pointer` (RFC 6901) is where its value goes in the arguments, and the field's name.

    `item` is the kind of a list's values, `members` the fields of a group, `bounds` pairs of words and
    a limit. `default` is MISSING where there is none.
    """

    number: int
    path: tuple[str, ...]
    title: str
    kind: Kind
    about: str = ""
    required: bool = False
    input: str = "text"
    placeholder: str = ""
    item: Kind = "text"
    choices: tuple[Choice, ...] = ()
    members: tuple[Field, ...] = ()
    examples: tuple[str, ...] = ()
    bounds: tuple[tuple[str, str], ...] = ()
    default: Any = MISSING

    @property
    def pointer(self) -> str:
        """Where its value goes."""
        return pointer(self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The fields of one schema. `left` are properties that can be given as JSON only, all at once."""

    fields: tuple[Field, ...] = ()
    left: tuple[str, ...] = ()

    def every(self) -> Iterator[Field]:
        """All fields, those of groups after their group."""
        yield from _every(self.fields)


def shape_of(schema: object) -> Shape:
    """The form of a schema of arguments."""
    return _Reader(schema if isinstance(schema, Mapping) else {}).shape()


def pointer(path: Sequence[str]) -> str:
    """A JSON pointer."""
    return "".join("/" + each.replace("~", "~0").replace("/", "~1") for each in path)


def key_of(value: Any) -> str:
    """A value as the form sends it when it is chosen."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _every(fields: Sequence[Field]) -> Iterator[Field]:
    for each in fields:
        yield each
        yield from _every(each.members)


class _Reader:
    """Reads one schema; fields are counted, so that no form is endless."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._made = 0
        self._choices = ALL_CHOICES
        self._text = ALL_TEXT

    def shape(self) -> Shape:
        properties = self._followed(self._root).get("properties")
        named = properties if isinstance(properties, Mapping) else {}
        left = [str(name) for name in named if not _fits(name)]
        fields, over = self._fields(self._followed(self._root), ())
        return Shape(fields=fields, left=(*left, *over))

    def _fields(
        self, schema: Mapping[str, Any], path: tuple[str, ...]
    ) -> tuple[tuple[Field, ...], list[str]]:
        properties, required = schema.get("properties"), schema.get("required")
        needed = required if isinstance(required, list) else []
        found, over = [], []
        for name, said in properties.items() if isinstance(properties, Mapping) else ():
            if not _fits(name):
                continue
            if self._made >= MOST_FIELDS:
                over.append(name)
                continue
            found.append(self._field(said, (*path, name), name in needed))
        return tuple(found), over

    def _field(self, said: Any, path: tuple[str, ...], required: bool) -> Field:
        self._made += 1
        number = self._made
        schema = self._followed(said)
        kind, more = self._kind(schema, path)
        title, about = _text(schema, "title", LONG_TEXT), _text(schema, "description", LONGEST_ABOUT)
        default = schema.get("default", MISSING)
        return Field(
            number=number,
            path=path,
            title=title if title.strip() and self._room(title) else path[-1],
            kind=kind,
            about=about if self._room(about) else "",
            required=required,
            examples=tuple(each for each in _examples(schema) if self._room(each, 2)),
            bounds=tuple((words, value) for words, value in _bounds(schema) if self._room(value)),
            default=default if default is not MISSING and self._room(key_of(default)) else MISSING,
            **more,
        )

    def _kind(self, schema: Mapping[str, Any], path: tuple[str, ...]) -> tuple[Kind, dict[str, Any]]:
        choices = _choices(schema)
        if choices is not None:
            return ("choice", {"choices": choices}) if self._hold(choices) else ("json", {})
        type = _type(schema)
        if type in _SCALARS:
            return _scalar(schema, type)
        if type == "array":
            return self._list(schema)
        if type == "object" and len(path) < DEEPEST and _plain(schema):
            begun = self._made
            members, over = self._fields(schema, path)
            if members and not over and all(map(_fits, schema["properties"])):
                return "group", {"members": members}
            self._made = begun
        return "json", {}

    def _list(self, schema: Mapping[str, Any]) -> tuple[Kind, dict[str, Any]]:
        items = self._followed(schema.get("items"))
        if "prefixItems" in schema or not items:
            return "json", {}
        choices = _choices(items)
        if choices is not None:
            return ("choices", {"choices": choices}) if self._hold(choices) else ("json", {})
        type = _type(items)
        return ("list", {"item": _SCALARS[type]}) if type in _SCALARS else ("json", {})

    def _hold(self, choices: Sequence[Choice]) -> bool:
        """Whether a page still holds these."""
        if len(choices) > MOST_CHOICES or any(len(each.key) > LONGEST_CHOICE for each in choices):
            return False
        if sum(len(each.key) + len(each.label) for each in choices) > self._choices:
            return False
        size = sum(_drawn(each.key) + _drawn(each.label) for each in choices)
        if size > self._choices:
            return False
        self._choices -= size
        return True

    def _room(self, text: str, times: int = 1) -> bool:
        """Whether a page still holds this text, as often as it is drawn."""
        if len(text) > self._text:
            return False
        size = _drawn(text) * times
        if size > self._text:
            return False
        self._text -= size
        return True

    def _followed(self, schema: Any) -> Mapping[str, Any]:
        """What a reference leads to, and of what may be null the other alternative; words beside it stay."""
        beside: dict[str, Any] = {}
        for _ in range(8):
            if not isinstance(schema, Mapping):
                return beside
            reference, only = schema.get("$ref"), _not_null(schema)
            if isinstance(reference, str):
                beside = {**{key: value for key, value in schema.items() if key != "$ref"}, **beside}
                schema = resolve(self._root, reference)
            elif only is not None:
                beside = {**{k: v for k, v in schema.items() if k not in ("anyOf", "oneOf")}, **beside}
                schema = only
            else:
                return {**schema, **beside}
        return beside


def _fits(name: object) -> bool:
    """Whether a property's name can be that of a field."""
    return isinstance(name, str) and 0 < len(name) <= LONGEST_NAME and name.isprintable()


def _not_null(schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Of two alternatives of which one is null, the other."""
    for word in ("anyOf", "oneOf"):
        parts = schema.get(word)
        if isinstance(parts, list) and len(parts) == 2 and "type" not in schema:
            rest = [each for each in parts if not (isinstance(each, Mapping) and each.get("type") == "null")]
            if len(rest) == 1 and isinstance(rest[0], Mapping):
                return rest[0]
    return None


def _type(schema: Mapping[str, Any]) -> str:
    """The one type of a schema's values, null apart; empty where there are several."""
    said = schema.get("type")
    types = [each for each in (said if isinstance(said, list) else [said]) if each not in (None, "null")]
    if len(types) == 1 and isinstance(types[0], str):
        return types[0]
    if not types and isinstance(schema.get("properties"), Mapping):
        return "object"
    return "array" if not types and isinstance(schema.get("items"), Mapping) else ""


def _choices(schema: Mapping[str, Any]) -> tuple[Choice, ...] | None:
    """The values of `enum`, `const`, a boolean, or alternatives that are one `const` each."""
    values = schema.get("enum")
    if isinstance(values, list) and values:
        return tuple(Choice(key=key_of(each), label=_label(each)) for each in values)
    if "const" in schema:
        return (Choice(key=key_of(schema["const"]), label=_label(schema["const"])),)
    for word in ("oneOf", "anyOf"):
        parts = schema.get(word)
        if isinstance(parts, list) and parts and all(isinstance(e, Mapping) and "const" in e for e in parts):
            return tuple(
                Choice(
                    key=key_of(e["const"]), label=str(e.get("title") or _label(e["const"]))[:LONGEST_CHOICE]
                )
                for e in parts
            )
    if _type(schema) == "boolean":
        return (Choice(key="true", label="true"), Choice(key="false", label="false"))
    return None


def _label(value: Any) -> str:
    return value if isinstance(value, str) and value.strip() else key_of(value)


def _scalar(schema: Mapping[str, Any], type: str) -> tuple[Kind, dict[str, Any]]:
    if type != "string":
        return ("integer" if type == "integer" else "number"), {}
    most, format = schema.get("maxLength"), schema.get("format")
    given = [schema.get("default"), *_list_of(schema.get("examples"))]
    lines = any(isinstance(each, str) and "\n" in each for each in given)
    if lines or "contentMediaType" in schema or (isinstance(most, int) and most > LONG_TEXT):
        return "long", {}
    known = format if isinstance(format, str) else ""
    return "text", {"input": _INPUTS.get(known, "text"), "placeholder": _HINTS.get(known, "")}


def _plain(schema: Mapping[str, Any]) -> bool:
    """Whether an object is its declared properties and no more."""
    words = ("anyOf", "oneOf", "allOf", "not", "if", "patternProperties")
    more = schema.get("additionalProperties", False)
    return isinstance(schema.get("properties"), Mapping) and not (
        any(each in schema for each in words) or isinstance(more, Mapping)
    )


def _text(schema: Mapping[str, Any], name: str, limit: int) -> str:
    value = schema.get(name)
    return value[:limit] if isinstance(value, str) else ""


def _drawn(text: str) -> int:
    """How many characters a text takes on a page, about: some are written as a name, some as a box."""
    boxes = 0 if text.isprintable() else sum(not each.isprintable() for each in text)
    return len(text) + 5 * sum(map(text.count, "<>&\"'")) + BOX * boxes


def _bounds(schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for keyword, words in _BOUNDS.items():
        value = schema.get(keyword)
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            yield words, str(value)[:LONG_TEXT]


def _examples(schema: Mapping[str, Any]) -> tuple[str, ...]:
    given = _list_of(schema.get("examples"))[:MOST_EXAMPLES]
    return tuple(_label(each)[:LONG_TEXT] for each in given)


def _list_of(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
