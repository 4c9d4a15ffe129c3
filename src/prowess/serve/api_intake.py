"""A request taken in: what it accepts, what it sends, how much of it, and JSON and no wider.

RFC 9110 sections 12.5.1 (Accept) and 15.5; RFC 8259. Nothing here knows what is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import ClientDisconnect, Request

from prowess.redact import printable
from prowess.serve.api_problems import HttpProblem
from prowess.spec.strict_json import Malformed, parse, pointer

JSON = "application/json"
EVENTS = "text/event-stream"
BODY_BYTES = 1 << 20  # what `strict_json` reads at most, too


def acceptable(accept: str, offered: tuple[str, ...]) -> str:
    """The one of `offered` that `accept` (the header, empty without one) likes best. Raises HttpProblem."""
    ranges = [each for each in map(_range, accept.split(",")) if each is not None]
    if not ranges:
        return offered[0]
    liked = [(_quality(ranges, kind), -place, kind) for place, kind in enumerate(offered)]
    quality, _, best = max(liked)
    if quality == 0:
        raise HttpProblem(406, "not-acceptable", f"this answers {' or '.join(offered)}")
    return best


def _range(text: str) -> tuple[str, float] | None:
    kind, *parameters = (part.strip().lower() for part in text.split(";"))
    if "/" not in kind:
        return None
    for each in parameters:
        name, _, value = each.partition("=")
        if name.strip() == "q":
            return kind, _number(value.strip())
    return kind, 1.0


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return 1.0
    return value if 0 <= value <= 1 else 1.0


def _quality(ranges: list[tuple[str, float]], kind: str) -> float:
    """What the most specific range that means `kind` says."""
    for meant in (kind, f"{kind.partition('/')[0]}/*", "*/*"):
        found = [quality for each, quality in ranges if each == meant]
        if found:
            return max(found)
    return 0.0


def insist_on_json(headers: Mapping[str, str]) -> None:
    """Raise HttpProblem unless the body is said to be JSON in UTF-8, as it is."""
    kind, *parameters = (part.strip().lower() for part in headers.get("content-type", "").split(";"))
    charsets = [part.partition("=")[2].strip('" ') for part in parameters if part.startswith("charset=")]
    if kind != JSON or any(each not in ("utf-8", "utf8") for each in charsets):
        raise HttpProblem(415, "unsupported-media-type", f"send {JSON}, in UTF-8")
    if headers.get("content-encoding", "identity").lower() != "identity":
        raise HttpProblem(415, "unsupported-encoding", "send the body as it is, without an encoding")


async def body_of(request: Request) -> bytes:
    """The body, no more than is read at all. Raises HttpProblem."""
    parts, size = [], 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > BODY_BYTES:
                raise HttpProblem(413, "body-too-large", f"the body has more than {BODY_BYTES} bytes")
            parts.append(part)
    except ClientDisconnect:
        raise HttpProblem(400, "incomplete", "the body ended before it was whole") from None
    return b"".join(parts)


def value_of(body: bytes) -> Any:
    """The JSON value in `body`. Raises HttpProblem."""
    found = parse(body)
    if isinstance(found, Malformed):
        where = f" (line {found.line}, column {found.column})" if found.line and found.column else ""
        raise HttpProblem(400, "not-json", f"the body is not JSON: {found.reason}{where}")
    if found.duplicates:
        path, key = found.duplicates[0]
        where = printable(pointer(*path, key), 300)
        raise HttpProblem(400, "not-json", f"the body is ambiguous: {where} stands more than once")
    return found.value
