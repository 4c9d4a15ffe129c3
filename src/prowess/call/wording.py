"""Schemas and values in words: what was expected, what came, what it looks like.

Pure text. Values and descriptions come from models and servers: they are shown bounded, printable,
and after the redaction that was handed in. The sentences are made in `explaining.py`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from prowess.call.redaction import Redact, secret_name
from prowess.redact import MASK, printable

SHOWN = 80
LISTED = 12
# Names that are compared to find the one meant.
LONGEST_COMPARED = 200
MOST_COMPARED = 500

FORMATS = {
    "date": "YYYY-MM-DD",
    "date-time": "an RFC 3339 date and time with offset, such as 2026-07-31T14:30:00Z",
    "time": "an RFC 3339 time with offset, such as 14:30:00Z",
    "duration": "an ISO 8601 duration, such as P1DT12H",
    "email": "an e-mail address, such as name@example.com",
    "idn-email": "an e-mail address, such as name@example.com",
    "hostname": "a host name, such as api.example.com",
    "idn-hostname": "a host name, such as api.example.com",
    "ipv4": "an IPv4 address, such as 192.0.2.1",
    "ipv6": "an IPv6 address, such as 2001:db8::1",
    "uri": "an absolute URI, such as https://example.com/path",
    "iri": "an absolute IRI, such as https://example.com/path",
    "uri-reference": "a URI or a relative reference",
    "iri-reference": "an IRI or a relative reference",
    "uri-template": "a URI template (RFC 6570), such as /users/{id}",
    "uuid": "a UUID, such as 123e4567-e89b-12d3-a456-426614174000",
    "json-pointer": "a JSON pointer, such as /items/0",
    "relative-json-pointer": "a relative JSON pointer, such as 1/name",
    "regex": "a regular expression (ECMA-262)",
}

# What a pattern means is found by what it accepts: exactly one of these, or nothing is claimed.
SAMPLES = (
    ("an ISO week", "2026-W31"),
    ("a date", "2026-07-31"),
    ("a month", "2026-07"),
    ("a quarter", "2026-Q3"),
    ("a year", "2026"),
    ("a time", "14:30"),
    ("a time with seconds", "14:30:05"),
    ("a date and time", "2026-07-31T14:30:05Z"),
    ("a UUID", "123e4567-e89b-12d3-a456-426614174000"),
    ("an e-mail address", "name@example.com"),
    ("a web address", "https://example.com/path"),
    ("an IPv4 address", "192.0.2.1"),
    ("two capital letters", "DE"),
    ("three capital letters", "EUR"),
    ("a locale", "de-DE"),
    ("a version", "1.4.2"),
    ("a colour", "#1a2b3c"),
    ("a telephone number", "+4930123456"),
    ("a SHA-256 digest", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
)

_TYPES = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "array": "an array",
    "object": "an object",
    "null": "null",
}


@lru_cache(maxsize=1_000)
def recognised(pattern: str) -> tuple[str, str] | None:
    """What a string of this pattern is and one that fits: `("an ISO week", "2026-W31")`."""
    import jsonschema_rs

    options = jsonschema_rs.FancyRegexOptions(backtrack_limit=10_000)
    judge = jsonschema_rs.Draft202012Validator({"pattern": pattern}, pattern_options=options)
    found = [sample for sample in SAMPLES if judge.is_valid(sample[1])]
    return found[0] if len(found) == 1 else None


def name_of(path: Sequence[str | int]) -> str:
    """`filter.tags[1]` for a person; the whole of the arguments is `arguments`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return f"`{printable(text, SHOWN)}`" if text else "the arguments"


def pointer(path: Sequence[str | int]) -> str:
    """The same as a JSON pointer (RFC 6901), fit to print."""
    return "".join("/" + printable(str(part).replace("~", "~0").replace("/", "~1")) for part in path)


def received(value: Any, path: Sequence[str | int], redact: Redact, *, kind: bool = False) -> str:
    """What came, bounded and redacted; `kind` says the type too, for when that is what is wrong."""
    if isinstance(value, Mapping):
        return f"an object with {some(list(value))}" if value else "an empty object"
    if isinstance(value, list | tuple):
        return f"an array of {counted(len(value), 'item')}" if value else "an empty array"
    if not isinstance(value, str):
        return _scalar(value, kind)
    if value == "":
        return "an empty string"
    if any(isinstance(part, str) and secret_name(part) for part in path):
        return MASK
    return ("the string " if kind else "") + quoted(redact(value))


def _scalar(value: Any, kind: bool) -> str:
    if value is None:
        return "null"
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"the number `{_json(value)}`" if kind and number else f"`{_json(value)}`"


def _json(value: Any) -> str:
    try:
        return printable(json.dumps(value, ensure_ascii=False), SHOWN)
    except ValueError:  # an integer too long for Python to write
        return "a number of thousands of digits"


def quoted(text: str) -> str:
    """Text in backticks that it cannot leave."""
    return "`" + printable(text, SHOWN).replace("`", "'") + "`"


def shown(value: Any) -> str:
    """A value of the schema (an enum member, a constant) in backticks."""
    return quoted(value) if isinstance(value, str) else f"`{_json(value)}`"


def some(values: Sequence[Any], limit: int = LISTED) -> str:
    """The first few of `values`, and how many more there are."""
    text = ", ".join(shown(each) for each in values[:limit])
    return text + (f" and {len(values) - limit} more" if len(values) > limit else "")


def nearest(name: str, known: Sequence[str]) -> str:
    """The one of `known` that `name` was most likely meant to be, or an empty text."""
    if len(name) > LONGEST_COMPARED or len(known) > MOST_COMPARED:
        return ""  # comparing takes time that grows with both, and helps nobody there
    near = get_close_matches(name, [each for each in known if len(each) <= LONGEST_COMPARED], 1)
    return near[0] if near else ""


def counted(number: int, noun: str) -> str:
    """`1 item`, `2 items`."""
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun[:-1]}ies" if noun.endswith("y") else f"{number} {noun}s"


def type_words(types: Sequence[str]) -> str:
    """`a string or null`."""
    return " or ".join(_TYPES.get(each, printable(each, 20)) for each in types)


def meaning(schema: Mapping[str, Any]) -> str:
    """What the schema asks for, in a few words: its type, form, choices and description."""
    parts = [_form(schema)]
    description = schema.get("description")
    if isinstance(description, str) and description.strip():
        parts.append(printable(" ".join(description.split()), 160))
    return ": ".join(part for part in parts if part) or "any value"


def _form(schema: Mapping[str, Any]) -> str:
    choices = schema.get("enum")
    if isinstance(choices, list) and choices:
        return f"one of {some(choices)}"
    if "const" in schema:
        return shown(schema["const"])
    form = schema.get("format")
    if isinstance(form, str) and form in FORMATS:
        return f"{'a string, ' if schema.get('type') == 'string' else ''}{FORMATS[form]}"
    types = schema.get("type")
    words = (
        type_words(types)
        if isinstance(types, list)
        else _TYPES.get(types, "")
        if isinstance(types, str)
        else ""
    )
    like = example(schema)
    if words == "an object" and isinstance(schema.get("required"), list) and schema["required"]:
        return f"{words} with {some(schema['required'])}"
    return f"{words} {like}".strip()


def example(schema: Mapping[str, Any]) -> str:
    """`(an ISO week such as 2026-W31)`: from the schema's own examples, or from what its pattern accepts."""
    own = schema.get("examples")
    first = own[0] if isinstance(own, list) and own and isinstance(own[0], str | int | float) else None
    pattern = schema.get("pattern")
    known = recognised(pattern) if isinstance(pattern, str) else None
    if first is None and known is None:
        return ""
    sample = printable(str(first), SHOWN) if first is not None else known[1] if known else ""
    return f"({known[0]} such as {sample})" if known else f"(such as {sample})"
