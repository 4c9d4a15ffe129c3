"""`rollout.toml` as text: values out of it, and changed values into it, what people wrote around them kept.

A change touches the lines of its own keys and leaves comments and everything else alone. What comes
out is parsed again and held against what was meant; where the text was written in a way that lines
cannot be changed in (an inline table), the whole file is written anew, since stopping a bad version
matters more than the comments. Nothing is opened here.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from prowess.errors import UsageError
from prowess.redact import printable
from prowess.spec.toml_lines import line_of, lines_of
from prowess.units.rollout import FORMAT, Rollout, RolloutFault, moment_of, rollouts_of

Changes = Mapping[str, str | float | bool | None]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
# A key with a value that ends on its own line, and what stands behind it.
_LINE = re.compile(
    r"""(\s*[A-Za-z0-9_"'-]+\s*=\s*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#"'\[{][^#]*?)(\s*(?:\#.*)?)"""
)


def read_text(text: str, name: str) -> dict[str, Rollout]:
    """The rollouts of the text of file `name`. Raises UsageError with the place."""
    try:
        return rollouts_of(_parsed(text, name))
    except RolloutFault as error:
        line = line_of(text, error.keys)
        at = f":{line}" if line is not None else ""
        raise UsageError(f"{printable(name, 500)}{at}: {error.message}", hint=error.hint) from None


def _parsed(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        words = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "too deep, or too long a number"
        raise UsageError(f"{printable(name, 500)} is not TOML: {printable(words)}") from None


def edited(text: str, unit: str, changes: Changes) -> str:
    """The text with fields of one unit changed, None taking a field out; the unit is added if need be."""
    document = tomllib.loads(text) if text.strip() else {"format": FORMAT}
    wanted = _changed(document, unit, changes)
    try:
        lines = _with_changes(text or f"format = {FORMAT}\n", unit, changes)
        if tomllib.loads(lines) == wanted:
            return lines
    except (ValueError, RecursionError):
        pass  # then the whole file is written
    return written(wanted)


def _changed(document: Mapping[str, Any], unit: str, changes: Changes) -> dict[str, Any]:
    units = dict(document.get("units", {}))
    table = {**units.get(unit, {}), **{key: _value(key, value) for key, value in changes.items()}}
    units[unit] = {key: value for key, value in table.items() if value is not None}
    return {**document, "units": units}


def _value(key: str, value: Any) -> Any:
    return moment_of(value) if key == "since" and value is not None else value


def _with_changes(text: str, unit: str, changes: Changes) -> str:
    known = lines_of(text)
    lines = text.split("\n")
    if ("units", unit) not in known:
        rest = [f"{key} = {_word(key, value)}" for key, value in changes.items() if value is not None]
        return "\n".join([text.rstrip("\n"), "", f"[units.{_key(unit)}]", *rest, ""])
    added = []
    for key, value in changes.items():
        at = known.get(("units", unit, key))
        if at is None:
            added += [] if value is None else [f"{key} = {_word(key, value)}"]
        elif value is None:
            lines[at - 1] = _GONE
        elif (found := _LINE.fullmatch(lines[at - 1])) is not None:
            lines[at - 1] = f"{found[1]}{_word(key, value)}{found[3]}"
    last = max(at for keys, at in known.items() if keys[:2] == ("units", unit) and _own(keys))
    lines[last:last] = added
    return "\n".join(each for each in lines if each is not _GONE)


_GONE = "\0"  # no line of a TOML file holds that


def _own(keys: tuple[str | int, ...]) -> bool:
    """Whether keys lead to the unit's table or one of its own fields, not into the tables below it."""
    return len(keys) == 2 or (len(keys) == 3 and keys[2] != "guard")


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quoted(name)


def _quoted(text: str) -> str:
    """JSON's escapes are TOML's, but for DEL, which TOML wants escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _word(key: str, value: Any) -> str:
    """A value as TOML writes it."""
    if key == "since" and not isinstance(value, datetime):
        value = moment_of(value)
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    return f"{value:g}" if value == float(f"{value:g}") else repr(value)


def written(document: Mapping[str, Any]) -> str:
    """A whole file; only what `rollouts_of` accepts can be written."""
    lines = [f"format = {document['format']}"]
    for unit, table in document.get("units", {}).items():
        lines += ["", f"[units.{_key(unit)}]", *_fields(table)]
        if table.get("guard"):
            lines += ["", f"[units.{_key(unit)}.guard]", *_fields(table["guard"])]
    return "\n".join([*lines, ""])


def _fields(table: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {_word(key, value)}" for key, value in table.items() if not isinstance(value, Mapping)]
