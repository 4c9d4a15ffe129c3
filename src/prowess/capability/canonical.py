"""One JSON value, one text: what makes snapshots equal to the byte and pins hold.

`plain` turns what a server sent into JSON values that can always be written. `canonical` writes
such a value in the one form of RFC 8785 (JSON Canonicalization Scheme), with two departures, both
so that different values stay different: integers are written whole, where the scheme would round
those beyond 2^53, and a lone surrogate is written as an escape, where the scheme gives up.

It knows nothing of tools or snapshots.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from json.encoder import encode_basestring
from operator import itemgetter
from typing import Any

Redact = Callable[[str], str]

# A JSON parser in front of us stops at about 200 levels; what is deeper has no honest sender.
MAX_DEPTH = 200
# Beyond this many bits an integer is no quantity any more, and Python refuses to print it.
MAX_INTEGER_BITS = 4_096

_SURROGATE = re.compile("[\ud800-\udfff]")


def plain(value: Any, redact: Redact | None = None, depth: int = MAX_DEPTH) -> Any:
    """`value` as dicts with sorted string keys, lists and scalars that any JSON writer accepts.

    Infinite numbers and integers beyond all use become the largest number, NaN and anything deeper
    than `depth` become null. `redact` sees every string, keys included.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, Mapping | list | tuple) and depth == 0:
        return None
    if isinstance(value, Mapping):
        pairs: dict[str, Any] = {}
        for key in value:
            pairs[_text(str(key), redact)] = plain(value[key], redact, depth - 1)
        return {key: pairs[key] for key in sorted(pairs)}
    if isinstance(value, list | tuple):
        items = []
        for item in value:
            items.append(plain(item, redact, depth - 1))  # noqa: PERF401  # one frame a level, not two
        return items
    return _text(str(value), redact)


def _number(value: float) -> float | None:
    if isinstance(value, int):
        if value.bit_length() <= MAX_INTEGER_BITS:
            return value
    elif value != value:
        return None
    elif abs(value) <= sys.float_info.max:
        return value
    return sys.float_info.max if value > 0 else -sys.float_info.max


def _text(text: str, redact: Redact | None) -> str:
    """`text` redacted, its surrogate pairs joined into the characters that they stand for."""
    if _SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return redact(text) if redact else text


def canonical(value: Any) -> str:
    """The one text of a JSON value: equal for equal values, whatever their key order."""
    if isinstance(value, str):
        return _quoted(value)
    if value is None or isinstance(value, bool):
        return "null" if value is None else "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return ecmascript_number(value)
    if isinstance(value, Mapping):
        pairs = sorted([(_units(str(key)), str(key), each) for key, each in value.items()], key=itemgetter(0))
        return "{" + ",".join([f"{_quoted(key)}:{canonical(each)}" for _, key, each in pairs]) + "}"
    return "[" + ",".join([canonical(item) for item in value]) + "]"


def _quoted(text: str) -> str:
    quoted = encode_basestring(text)
    return quoted if text.isascii() else escape_surrogates(quoted)


def _units(key: str) -> bytes:
    """What keys are ordered by: their UTF-16 code units (RFC 8785, 3.2.3)."""
    return key.encode("utf-16-be", "surrogatepass")


def ecmascript_number(value: float) -> str:
    """A finite number as ECMAScript, and so RFC 8785, writes it: 1.0 is `1`, 1e-07 is `1e-7`."""
    if value == int(value) and abs(value) < 1e21:
        return str(int(value))
    mantissa, _, exponent = repr(value).partition("e")
    if not exponent:
        return mantissa
    power = int(exponent)
    if power < -6 or power >= 21:
        return f"{mantissa}e{power:+d}"
    sign = "-" if value < 0 else ""
    digits = mantissa.lstrip("-").replace(".", "")
    return f"{sign}0.{'0' * (-power - 1)}{digits}"


def escape_surrogates(text: str) -> str:
    """JSON text that every encoding to UTF-8 accepts: lone surrogates, found only in strings, as escapes."""
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def digest(value: Any) -> str:
    """`sha256:` and the digest of the canonical text."""
    from hashlib import sha256  # on use: it costs more than all else here

    return "sha256:" + sha256(canonical(value).encode()).hexdigest()
