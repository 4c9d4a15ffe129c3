"""JSON as it is written (RFC 8259): every token kept, with its place.

`json` gives values; 1.0 and 1, two members of one name, and 1e400 are gone by then. Here a document is a
tree of tokens, so that it can be formatted without a change, and a fault or a finding has a line and a
column. `static/workbench.js` does the same in a browser, function by function; a test holds the two together.

Lines end with a line feed; a carriage return before one is no part of a line. Lines and columns count from
1, columns in characters (code points).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

DEEPEST = 200  # levels; every walk here goes down by calling itself
BOM = "\ufeff"

Kind = Literal["object", "array", "string", "number", "word"]
_CLOSING = {"{": "}", "[": "]"}

_SPACE = re.compile(r"[ \t\r\n]*+")
_PLAIN = r'[^"\\\x00-\x1f\ud800-\udfff]*+'
_ESCAPE = r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})'
_TOKEN = re.compile(
    rf'[ \t\r\n]*+(?:([{{}}\[\]:,])|("{_PLAIN}(?:{_ESCAPE}{_PLAIN})*+")'
    r"|(-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)|(true|false|null))"
)
_STRING_SO_FAR = re.compile(rf'"{_PLAIN}(?:{_ESCAPE}{_PLAIN})*+')
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")

# What happens next.
VALUE, ITEM_OR_END, KEY_OR_END, KEY, COLON, MORE_OR_END, AFTER = range(7)


class Fault(NamedTuple):
    """Why a text is not JSON: a word for it (`FAULTS` in `workbench_words`), and where."""

    code: str
    at: int


class Member(NamedTuple):
    """One member of an object, its name as written and where; an item of an array has no name."""

    name: str
    at: int
    value: Node


@dataclass(slots=True)
class Node:
    """One value: its token as written, or its members, and where it begins."""

    kind: Kind
    at: int
    text: str = ""
    members: list[Member] | None = None
    same: int = 0

    def inside(self) -> list[Member]:
        """The members or items; a scalar has none."""
        return self.members or []


def parse(text: str) -> Node | Fault:
    """The document in `text`; a byte-order mark before it is passed over. Never raises."""
    return _Parser(text).document()


class _Parser:
    """One pass over the tokens, with a stack of what is open."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[Node] = []
        self._state = VALUE
        self._named = ("", 0)
        self._root: Node | None = None
        self._last = ""

    def document(self) -> Node | Fault:
        at, match = 1 if self._text.startswith(BOM) else 0, _TOKEN.match
        while found := match(self._text, at):
            sign = found.lastindex
            fault = self._sign(found) if sign == 1 else self._scalar(found, sign or 0)
            if fault is not None:
                return fault
            at = found.end()
        space = _SPACE.match(self._text, at)
        at = space.end() if space else at
        if at == len(self._text) and self._state == AFTER and self._root is not None:
            return self._root
        if self._text[at : at + 1] == '"' and self._state in (VALUE, ITEM_OR_END, KEY_OR_END, KEY):
            return _broken_string(self._text, at)
        return self._unexpected(at)

    def _sign(self, found: re.Match[str]) -> Fault | None:
        sign, at, state = found[1], found.start(1), self._state
        if sign in "{[" and state in (VALUE, ITEM_OR_END):
            if len(self._open) == DEEPEST:
                return Fault("too-deep", at)
            node = Node("object" if sign == "{" else "array", at, sign, [])
            self._put(node)
            self._open.append(node)
            self._state = KEY_OR_END if sign == "{" else ITEM_OR_END
        elif sign in "}]" and state in (ITEM_OR_END, KEY_OR_END, MORE_OR_END):
            if not self._open or _CLOSING[self._open[-1].text] != sign:
                return self._unexpected(at)
            self._open.pop()
            self._state = MORE_OR_END if self._open else AFTER
        elif sign == "," and state == MORE_OR_END:
            self._state = KEY if self._open[-1].kind == "object" else VALUE
        elif sign == ":" and state == COLON:
            self._state = VALUE
        else:
            return self._unexpected(at)
        self._last = sign
        return None

    def _scalar(self, found: re.Match[str], which: int) -> Fault | None:
        at, state = found.start(which), self._state
        if which == 2 and state in (KEY_OR_END, KEY):
            self._named, self._state = (found[2], at), COLON
        elif state in (VALUE, ITEM_OR_END):
            kind: Kind = "string" if which == 2 else "number" if which == 3 else "word"
            self._put(Node(kind, at, found[which]))
            self._state = MORE_OR_END if self._open else AFTER
        else:
            return self._unexpected(at)
        self._last = ""
        return None

    def _put(self, node: Node) -> None:
        if not self._open:
            self._root = node
            return
        above = self._open[-1]
        name, at = self._named if above.kind == "object" else ("", node.at)
        assert above.members is not None
        above.members.append(Member(name, at, node))

    def _unexpected(self, at: int) -> Fault:
        """The fault for what stands at `at`, by what had to come."""
        sign, state = self._text[at : at + 1], self._state
        if not sign:
            return Fault("ends-early" if self._root else "empty", at)
        if sign in "/#":
            return Fault("comment", at)
        if sign in "}]" and self._last == "," and state in (VALUE, KEY):
            return Fault("trailing-comma", at)
        if state == MORE_OR_END:
            return Fault("mismatched" if sign in "}]" else "comma-expected", at)
        codes = {COLON: "colon-expected", AFTER: "after-end", KEY: "key-expected", KEY_OR_END: "key-expected"}
        return Fault(codes.get(state, "value-expected"), at)


def _broken_string(text: str, at: int) -> Fault:
    """What ends a string that has no end, and where."""
    found = _STRING_SO_FAR.match(text, at)
    end = found.end() if found else at
    sign = text[end : end + 1]
    if not sign:
        return Fault("string-unended", at)
    if sign == "\\":
        return Fault("bad-escape", end)
    return Fault("control-in-string" if sign < " " else "half-pair", end)


def decoded(token: str) -> str:
    """The text of a string token; an escaped half of a pair stays a half."""
    if "\\" not in token:
        return token[1:-1]
    text: str = json.loads(token)
    return text


class Spot(NamedTuple):
    """A place in a text: its line and column, from 1, and the whole line."""

    line: int
    column: int
    written: str


def spot(text: str, at: int) -> Spot:
    """Where the character at `at` is."""
    begin = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    written = text[begin : end if end >= 0 else len(text)]
    return Spot(text.count("\n", 0, begin) + 1, at - begin + 1, written.removesuffix("\r"))


def format_json(text: str, *, indent: int = 2, sort: bool = False) -> str | Fault:
    """`text` with one value a line, `indent` blanks a level, or all on one line for 0.

    With `sort` members are in the order of their names, by code point; those of one name stay in theirs.
    Every token is as it was. The result ends with a line feed.
    """
    root = parse(text)
    return root if isinstance(root, Fault) else written(root, indent=indent, sort=sort)


def written(root: Node, *, indent: int, sort: bool) -> str:
    """A document that was read, as `format_json` writes it."""
    pieces: list[str] = []
    _write(root, "\n" if indent else "", " " * indent, sort, pieces)
    return "".join(pieces) + "\n"


def _write(node: Node, margin: str, step: str, sort: bool, pieces: list[str]) -> None:
    members = node.inside()
    if not members:
        pieces.append(node.text if node.members is None else node.text + _CLOSING[node.text])
        return
    if sort and node.kind == "object":
        members = sorted(members, key=lambda each: decoded(each.name))
    inner, before = margin + step, node.text
    for each in members:
        pieces += (before, inner, each.name, (": " if margin else ":")) if each.name else (before, inner)
        _write(each.value, inner, step, sort, pieces)
        before = ","
    pieces += (margin, _CLOSING[node.text])


def compact(node: Node, most: int) -> str:
    """The value on one line, cut after `most` characters."""
    pieces: list[str] = []
    _compact(node, pieces, most)
    text = "".join(pieces)
    return text if len(text) <= most else text[:most] + "…"


def _compact(node: Node, pieces: list[str], left: int) -> int:
    """Adds pieces until more than `left` characters are there; how many are left."""
    if node.members is None:
        pieces.append(node.text[: max(0, left) + 1])
        return left - len(pieces[-1])
    before = node.text
    for each in node.members:
        name = f"{before}{each.name}: " if each.name else before
        pieces.append(name[: max(0, left) + 1])
        left = _compact(each.value, pieces, left - len(pieces[-1]))
        if left < 0:
            return left
        before = ", "
    pieces.append(_CLOSING[node.text] if node.members else node.text + _CLOSING[node.text])
    return left - len(pieces[-1])


class Remark(NamedTuple):
    """Something worth knowing about a document that is JSON: a word for it, where, and what."""

    code: str
    at: int
    what: str = ""


MOST_REMARKS = 20
# Control characters, what turns or hides text, tag characters, the byte-order mark inside a text.
_UNSEEN = re.compile(
    "[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def remarks(text: str, root: Node) -> tuple[list[Remark], int]:
    """The first remarks on a document in the order of their places, and how many there are in all."""
    begin = 1 if text.startswith(BOM) else 0
    found = [Remark("byte-order-mark", 0)] if begin else []
    unseen = 0
    for each in _UNSEEN.finditer(text, begin):
        unseen += 1
        if unseen <= MOST_REMARKS:
            found.append(Remark("unseen", each.start(), f"U+{ord(each[0]):04X}"))
    inside: list[Remark] = []
    _remark(root, _HALF.search(text) is not None, inside)
    every = sorted([*found, *inside], key=lambda each: each.at)
    return every[:MOST_REMARKS], len(inside) + begin + unseen


def first_half(text: str, root: Node) -> int | None:
    """Where the first text with an escaped half of a surrogate pair is; most readers take no such text."""
    found: list[Remark] = []
    if _HALF.search(text):
        _remark(root, True, found)
    return next((each.at for each in found if each.code == "half-escape"), None)


def _remark(node: Node, halves: bool, found: list[Remark]) -> None:
    if node.kind == "object":
        seen: set[str] = set()
        for each in node.inside():
            if halves:
                _half(each.name, each.at, found)
            name = decoded(each.name)
            if name in seen:
                found.append(Remark("duplicate", each.at, name))
            seen.add(name)
    elif halves and node.kind == "string":
        _half(node.text, node.at, found)
    for each in node.inside():
        if each.value.members or halves:
            _remark(each.value, halves, found)


def _half(token: str, at: int, found: list[Remark]) -> None:
    if _HALF.search(token) and _SURROGATE.search(decoded(token)):
        found.append(Remark("half-escape", at))
