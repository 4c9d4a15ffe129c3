"""JSON as RFC 8259 writes it and no wider, from bytes.

Agent Plugins 1.0.0, sections 5.2 and 7.2.1, ask for JSON. Here that means UTF-8 (a leading
byte-order mark is tolerated and told), no comments, no trailing commas, no NaN or Infinity, only
Unicode text in strings (an escaped half of a surrogate pair is none), bounded size and depth.

A key that stands twice in one object leaves the document readable. How far such a fault goes
depends on where it is, so duplicates are returned with their place and judged elsewhere.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple, NoReturn

from prowess.spec import limits

Path = tuple[str | int, ...]

_BOM = b"\xef\xbb\xbf"
# An unterminated string matches to the end, which keeps the pass linear for any input.
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_NO_NUMBER = re.compile(r'"(?:[^"\\]|\\.)*+"?|(NaN|-?Infinity)', re.DOTALL)
_BRACKET = re.compile(rb"[\[\]{}]")
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_LONG_NUMBER = 400  # digits; int() refuses a few thousand, and no field of ours is a number


class Duplicate(NamedTuple):
    """`key` stands more than once in the object at `path`."""

    path: Path
    key: str


class Document(NamedTuple):
    """A JSON value, what stood twice in it, and whether a byte-order mark preceded it."""

    value: Any
    duplicates: tuple[Duplicate, ...] = ()
    byte_order_mark: bool = False


class Malformed(NamedTuple):
    """Not JSON: why, and at which line and column (both from 1) where that is known."""

    reason: str
    line: int | None = None
    column: int | None = None


class _Repeating(dict[str, Any]):
    """An object in which some keys stood more than once; the last value of each is kept."""

    repeated: tuple[str, ...] = ()


def pointer(*path: str | int) -> str:
    """A JSON pointer (RFC 6901) to `path`; keys of absurd length are cut, because it is only shown."""
    return "".join(
        "/" + str(step)[: limits.POINTER_STEP].replace("~", "~0").replace("/", "~1") for step in path
    )


def parse(data: bytes) -> Document | Malformed:
    """The document in `data`; never raises, whatever the bytes."""
    if len(data) > limits.JSON_BYTES:
        return Malformed(reason=f"larger than {limits.JSON_BYTES} bytes")
    marked = data.startswith(_BOM)
    data = data[3:] if marked else data
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return Malformed(
            reason="not UTF-8; save the file in that encoding", line=data.count(b"\n", 0, error.start) + 1
        )
    if _too_deep(data):
        return Malformed(reason=f"nested more than {limits.JSON_DEPTH} levels deep")
    repeating: list[_Repeating] = []
    try:
        value = _decode(text, repeating)
        if _SURROGATE.search(data):
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        return Malformed(reason=_reason(error), line=error.lineno, column=error.colno)
    except UnicodeEncodeError:
        return Malformed(reason="a string holds half of a surrogate pair")
    duplicates = tuple(_locate(value)) if repeating else ()
    return Document(value=value, duplicates=duplicates, byte_order_mark=marked)


def _decode(text: str, repeating: list[_Repeating]) -> Any:
    def build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        plain = dict(pairs)
        if len(plain) == len(pairs):
            return plain
        marked = _Repeating(plain)
        seen: dict[str, int] = {}
        for key, _ in pairs:
            seen[key] = seen.get(key, 0) + 1
        marked.repeated = tuple(key for key, count in seen.items() if count > 1)
        repeating.append(marked)
        return marked

    def refuse(word: str) -> NoReturn:
        at = next((found.start() for found in _NO_NUMBER.finditer(text) if found[1]), 0)
        raise json.JSONDecodeError(f"the word {word} is no JSON value", text, at)

    return json.JSONDecoder(object_pairs_hook=build, parse_constant=refuse, parse_int=_number).decode(text)


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) < _LONG_NUMBER else float(digits)


def _reason(error: json.JSONDecodeError) -> str:
    rest = error.doc[error.pos :]
    if not error.doc.strip():
        return "the file is empty"
    if rest.startswith(("//", "/*", "#")):
        return "comments are not JSON"
    if error.msg == "Extra data":
        return "there is more after the end of the value"
    if not rest.strip():
        return "the text ends too early"
    if rest.startswith(("}", "]")):
        return "a trailing comma, or a value is missing"
    if error.msg == "Expecting value":
        return "no JSON value: text stands in double quotes; true, false and null in lower case"
    if error.msg.startswith("Invalid control character"):
        return "a line end or another control character inside a string"
    return error.msg[:1].lower() + error.msg[1:]


def _too_deep(data: bytes) -> bool:
    """Whether brackets nest beyond the limit; settled before parsing, so that no stack runs out."""
    if data.count(b"{") + data.count(b"[") <= limits.JSON_DEPTH:
        return False
    depth = 0
    for bracket in _BRACKET.findall(_STRING.sub(b"", data)):
        depth += 1 if bracket in b"[{" else -1
        if depth > limits.JSON_DEPTH:
            return True
    return False


def _locate(value: Any) -> list[Duplicate]:
    found: list[Duplicate] = []
    waiting: list[tuple[Path, Any]] = [((), value)]
    while waiting:
        path, each = waiting.pop()
        if isinstance(each, _Repeating):
            found.extend(Duplicate(path=path, key=key) for key in each.repeated)
        if isinstance(each, dict):
            waiting.extend(((*path, key), child) for key, child in each.items())
        elif isinstance(each, list):
            waiting.extend(((*path, index), child) for index, child in enumerate(each))
    return sorted(found, key=lambda each: ([str(step) for step in each.path], each.key))
