"""A result that is too large, given in parts: whole items, in order, nothing left out.

A part is the value with as many items of its lists, members of its objects or lines of its texts as
fit; a text that is itself JSON is divided as JSON. What cannot be divided (a picture, one endless
word) is a part of its own, over the limit. The rest is held for its caller for a while, under a
handle that says nothing and that no other caller can use.
"""

from __future__ import annotations

import json
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from prowess.call.clock import Clock
from prowess.errors import NotFound
from prowess.provider import Caller

MAX_DEPTH = 64
_WORD = re.compile(r"\s*\S+|\s+$")
_DIGITS = re.compile(r"[0-9]{1,9}")
_MARKUP = 2  # brackets, quotes, comma and colon around an item, counted generously


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One part of a result: number `part` of `parts`; `handle` reads the next, None after the last."""

    value: Any
    part: int
    parts: int
    handle: str | None


def size_of(value: Any, *, strictly: bool = False) -> int:
    """Bytes of the value as JSON text; `strictly` raises ValueError for numbers that JSON does not have."""
    text = json.dumps(value, ensure_ascii=False, default=str, allow_nan=not strictly)
    return len(text.encode("utf-8", "surrogatepass"))


def divided(value: Any, limit: int) -> list[Any]:
    """`value` in parts of at most `limit` bytes where that can be done without cutting an item."""
    return [value] if size_of(value) <= limit else _divide(value, limit, limit, MAX_DEPTH)


def _divide(value: Any, room: int, limit: int, depth: int) -> list[Any]:
    """Parts of a value that is over `limit`; the first has `room` only, as it joins what came before."""
    if depth and isinstance(value, Mapping) and not _binary(value):
        parts = _fill(list(value.items()), dict, room, limit, depth)
        # Every part of a content block says what it is.
        return (
            [{"type": value["type"], **part} for part in parts]
            if isinstance(value.get("type"), str)
            else parts
        )
    if depth and isinstance(value, list | tuple):
        return _fill(list(enumerate(value)), lambda pairs: [each for _, each in pairs], room, limit, depth)
    if isinstance(value, str):
        return _divide_text(value, room, limit, depth)
    return [value]


Pairs = list[tuple[Any, Any]]


def _fill(pairs: Pairs, build: Callable[[Pairs], Any], room: int, limit: int, depth: int) -> list[Any]:
    parts: list[Any] = []
    now: Pairs = []
    left = room - _MARKUP
    for key, item in pairs:
        cost = size_of(item) + len(str(key)) + 2 * _MARKUP
        pieces = [item]
        if cost > limit:
            inside = limit - len(str(key)) - 3 * _MARKUP
            pieces = _divide(item, left - len(str(key)) - 3 * _MARKUP, inside, depth - 1)
        for number, piece in enumerate(pieces, 1):
            cost = size_of(piece) + len(str(key)) + 2 * _MARKUP
            if now and cost > left:
                parts.append(build(now))
                now, left = [], limit - _MARKUP
            now.append((key, piece))
            left -= cost
            if number < len(pieces):
                parts.append(build(now))
                now, left = [], limit - _MARKUP
    return [*parts, build(now)] if now else parts


def _binary(block: Mapping[str, Any]) -> bool:
    """A content block of encoded bytes: a picture, a sound, an embedded file."""
    return isinstance(block.get("data") or block.get("blob"), str) and "mimeType" in block


def _divide_text(text: str, room: int, limit: int, depth: int) -> list[Any]:
    if text.lstrip()[:1] in ("{", "[") and depth:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            pass
        else:
            # The parts are written inside a string again, where quotes cost a second byte.
            parts = _divide(value, room // 2, limit // 2, depth - 1)
            return [json.dumps(each, ensure_ascii=False) for each in parts]
    return _join(_pieces(text, limit), room, limit)


def _pieces(text: str, limit: int) -> list[str]:
    """Lines with their ends; a line that is too long by itself, by words."""
    pieces: list[str] = []
    for line in text.splitlines(keepends=True):
        pieces += [line] if size_of(line) <= limit else _WORD.findall(line)
    return pieces


def _join(pieces: list[str], room: int, limit: int) -> list[Any]:
    parts: list[Any] = []
    now: list[str] = []
    left = room
    for piece in pieces:
        cost = size_of(piece)
        if now and cost > left:
            parts.append("".join(now))
            now, left = [], limit
        now.append(piece)
        left -= cost
    return [*parts, "".join(now)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    owner: tuple[str, str]
    parts: tuple[Any, ...]
    size: int
    until: float


class Pages:
    """Results in parts, held for their callers; the oldest goes when there is no room for a new one."""

    def __init__(self, held_bytes: int, held_seconds: float, clock: Clock) -> None:
        self._most = held_bytes
        self._seconds = held_seconds
        self._clock = clock
        self._held: OrderedDict[str, _Held] = OrderedDict()

    def first(self, parts: list[Any], caller: Caller) -> Page:
        """The first part of several; all are held."""
        self._expire()
        size = sum(size_of(each) for each in parts)
        while self._held and size + sum(each.size for each in self._held.values()) > self._most:
            self._held.popitem(last=False)
        result = secrets.token_urlsafe(18)
        until = self._clock.monotonic() + self._seconds
        self._held[result] = _Held(owner=_owner(caller), parts=tuple(parts), size=size, until=until)
        return self._page(result, 0)

    def read(self, handle: str, caller: Caller) -> Page:
        """The part under `handle`, as often as wanted until its time is over. Raises NotFound."""
        self._expire()
        result, _, number = handle.rpartition(".")
        held = self._held.get(result)
        known = held is not None and held.owner == _owner(caller)
        if held is None or not known or not _DIGITS.fullmatch(number) or int(number) >= len(held.parts):
            raise NotFound(
                "no rest of a result under this handle",
                hint="it was read too late, or it is not yours: call again",
            )
        return self._page(result, int(number))

    def _page(self, result: str, number: int) -> Page:
        parts = self._held[result].parts
        handle = f"{result}.{number + 1}" if number + 1 < len(parts) else None
        return Page(value=parts[number], part=number + 1, parts=len(parts), handle=handle)

    def _expire(self) -> None:
        now = self._clock.monotonic()
        while self._held and next(iter(self._held.values())).until <= now:
            self._held.popitem(last=False)


def _owner(caller: Caller) -> tuple[str, str]:
    return caller.principal, caller.conversation
