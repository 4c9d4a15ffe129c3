"""Secrets kept out of whole texts and JSON values, before they are written, shown or recorded."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from prowess.redact.named import harmless, secret_key
from prowess.redact.patterns import PERSONAL, TOKENS, mask_kinds
from prowess.redact.placeholder import placeholder
from prowess.redact.shown import MASK

SHORTEST_KNOWN = 4  # a shorter known value is masked only where it is the whole text
_ENCODED = 8  # an encoded form shorter than this stands in ordinary text too often
_SCHEMA_TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})


class Redactor:
    """Masks secrets: the exact values given, tokens of known kinds, and what stands under a secret's name.

    The exact values are those the program holds itself (injected credentials, say); they are found in
    base64, percent, JSON, HTML and hexadecimal encoding as well, also where lines were broken in the
    middle of them, whatever they look like. With `personal`, e-mail
    addresses, telephone and identity numbers and internal IP addresses are masked too.
    """

    def __init__(self, values: Iterable[str] = (), *, personal: bool = False) -> None:
        known = {value for value in values if value}
        self._whole = frozenset(known)
        forms = {form for value in known if len(value) >= SHORTEST_KNOWN for form in _forms(value)}
        self._forms = sorted(forms, key=lambda form: (-len(form), form))
        self._kinds = TOKENS + PERSONAL if personal else TOKENS
        self._written = tuple(_in_json(form) for form in self._forms)
        self._written_short = tuple(f'"{_in_json(value)}"' for value in known if len(value) < SHORTEST_KNOWN)
        self._written_long = tuple(_in_json(form) for form in self._forms if len(form) >= _ENCODED)

    def __repr__(self) -> str:
        return f"Redactor({len(self._whole)} known values)"

    def text(self, text: str) -> str:
        """The text with its secrets masked."""
        return _mask_assignments(mask_kinds(self.known(text), self._kinds))

    def known(self, text: str) -> str:
        """The text with the exact values masked, and otherwise as it was sent."""
        if text in self._whole:
            return MASK
        for form in self._forms:
            if form in text:
                text = text.replace(form, MASK)
        return self._known_across_lines(text) if "\n" in text else text

    def free(self, value: Any) -> bool:
        """Whether `known` certainly changes no text of a JSON value, keys included; False tells nothing.

        It looks at the value's JSON at once, which is much quicker than looking at each text.
        """
        if not self._whole:
            return True
        from json import dumps

        try:
            text = dumps(value, ensure_ascii=False)
        except (TypeError, ValueError, RecursionError):
            return False
        if any(form in text for form in self._written) or any(each in text for each in self._written_short):
            return False
        if "\\n" not in text:
            return True
        if "\\\\" in text:  # then what looks like the end of a line may be none
            return False
        joined = text.replace("\\r", "").replace("\\n", "")
        return not any(form in joined for form in self._written_long)

    def _known_across_lines(self, text: str) -> str:
        """The same for values with line ends inside: base64 is written in lines, terminals wrap."""
        joined = text.replace("\r", "").replace("\n", "")
        for form in self._forms:
            if len(form) >= _ENCODED and form in joined:
                text = re.sub("[\r\n]*".join(map(re.escape, form)), MASK, text)
        return text

    def value(self, value: Any) -> Any:
        """A JSON value with its secrets masked, at any depth; the value given is left as it is."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self._key(key): self._member(key, each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(each) for each in value]
        return value

    def _key(self, key: Any) -> Any:
        return self.text(key) if isinstance(key, str) else key

    def _member(self, key: Any, value: Any) -> Any:
        if isinstance(key, str) and secret_key(key) and not _describes(value):
            return _all_masked(value)
        return self.value(value)


def _describes(value: Any) -> bool:
    """Whether the value is a JSON Schema: a parameter named `token` is described, not given."""
    if not isinstance(value, dict):
        return False
    declared = value.get("type")
    types = declared if isinstance(declared, list) else [declared]
    return all(each in _SCHEMA_TYPES for each in types) or not {"$ref", "anyOf", "oneOf", "allOf"}.isdisjoint(
        value
    )


def _all_masked(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _all_masked(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_all_masked(each) for each in value]
    if value is None or isinstance(value, bool) or value == "":
        return value
    return value if isinstance(value, str) and placeholder(value) else MASK


def _in_json(text: str) -> str:
    """How JSON writes a text that is part of another."""
    from json import dumps

    return dumps(text, ensure_ascii=False)[1:-1]


# -- the forms in which a known value may stand


def _forms(value: str) -> set[str]:
    """The value as it is, and as base64, percent, JSON, HTML and hexadecimal encoding write it."""
    from html import escape
    from json import dumps
    from urllib.parse import quote, quote_plus

    raw = value.encode("utf-8", "surrogatepass")
    quoted = {quote(raw, safe=""), quote(raw), quote_plus(raw)}
    forms = {value, dumps(value)[1:-1], dumps(value, ensure_ascii=False)[1:-1], *quoted}
    forms |= {re.sub("%[0-9A-F]{2}", lambda match: match[0].lower(), each) for each in quoted}
    forms |= {escape(value), escape(value, quote=False)}
    # JSON once more inside JSON, and with its slashes escaped, as PHP does.
    forms |= {dumps(each)[1:-1] for each in tuple(forms)} | {
        each.replace("/", "\\/") for each in tuple(forms)
    }
    forms |= {each for each in (raw.hex(), raw.hex().upper()) if len(each) >= _ENCODED}
    return forms | {form for form in _base64_forms(raw) if len(form) >= _ENCODED}


def _base64_forms(raw: bytes) -> set[str]:
    """What base64 makes of the value wherever it begins in the encoded text: at each of three offsets."""
    from base64 import b64encode

    found = set()
    for offset in range(3):
        encoded = b64encode(bytes(offset) + raw).decode("ascii").rstrip("=")
        first = (0, 2, 3)[offset]  # these characters hold bits of what stands before
        last = len(encoded) - (1 if (offset + len(raw)) % 3 else 0)  # and this one bits of what follows
        inner = encoded[first:last]
        found |= {inner, inner.replace("+", "-").replace("/", "_")}
    return found


# -- name and value in running text: password=..., "token": "...", Authorization: Bearer ...


@cache
def _assignment() -> re.Pattern[str]:
    return re.compile(
        r"(?:password|passwd|passphrase|pwd|secret|token|credentials?|cookie|authorization"
        r"|(?:api|access|secret|private|signing|encryption|account)[_-]?key)"
        r"(?P<sign>[\"']?\s{0,4}(?:=>|[:=])\s{0,4})"
        r"(?P<scheme>(?:bearer|basic|token)\s{1,4})?"
        r"(?P<quote>\\?[\"'])?(?P<value>(?(quote)[^\"'\\\n]{1,4000}|[^\s\"',;&<>(){}\[\]]{1,4000}))",
        re.IGNORECASE,
    )


@cache
def _authorized() -> re.Pattern[str]:
    return re.compile(
        r"(?<![\w-])(?:bearer|basic)\s{1,4}(?P<value>[A-Za-z0-9._~+/=-]{8,4000})", re.IGNORECASE
    )


_SHORTEST_AUTHORIZED = len("basic 12345678")
_NAMES = ("pass", "pwd", "secret", "token", "key", "credential", "cookie", "authorization")


def _mask_assignments(text: str) -> str:
    if len(text) < _SHORTEST_AUTHORIZED and "=" not in text and ":" not in text:
        return text  # most texts of a call: ids, numbers, names
    lowered = text.lower()
    if any(name in lowered for name in _NAMES):
        text = _assignment().sub(_assigned, text)
    if "bearer" in lowered or "basic" in lowered:
        text = _authorized().sub(
            lambda match: _replaced(match) if _random(match["value"]) else match[0], text
        )
    return text


def _assigned(match: re.Match[str]) -> str:
    name = re.search(r"[\w.-]{0,40}\Z", match.string[max(0, match.start() - 40) : match.start("sign")])
    value = match["value"]
    if name is None or not secret_key(name[0]) or value == MASK or placeholder(value) or harmless(value):
        return match[0]
    given = match["quote"] or match["scheme"] or "=" in match["sign"]
    return _replaced(match) if _random(value) or (given and not _code(value)) else match[0]


def _replaced(match: re.Match[str]) -> str:
    at = match.start("value") - match.start()
    return match[0][:at] + MASK


def _random(value: str) -> bool:
    """Whether the value mixes kinds of characters as prose does not."""
    value = value.rstrip(".:,")
    digits = any(c.isdigit() for c in value)
    letters = any(c.isalpha() for c in value)
    mixed = any(c.islower() for c in value) and any(c.isupper() for c in value[1:])
    return len(value) >= 6 and ((digits and letters) or (mixed and len(value) >= 16))


def _code(value: str) -> bool:
    """Whether the value is an expression of a program: `token=self.token`, `api_key=api_key`."""
    return value.replace(".", "_").replace("_", "a").isalpha() and ("_" in value or "." in value)
