"""The arguments of a call as they are written on the command line.

`--args` holds a JSON value, the name of a file after `@`, or `-` for stdin; each `--arg` adds one
member. Whether they fit the tool is not judged here, and nothing is guessed: `k=5` is a string.
"""

from __future__ import annotations

import json
import sys

from prowess.errors import UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

LARGEST = 16_000_000  # bytes; above what any limit lets through


def arguments_of(whole: str | None, single: Sequence[str]) -> Any:
    """The value that `--args` and every `--arg` make together."""
    value = {} if whole is None else _parsed(_text_of(whole), "--args")
    if not single:
        return value
    if not isinstance(value, dict):
        raise UsageError("--arg adds to an object, and --args is none")
    for each in single:
        name, member = _member(each)
        if name in value:
            raise UsageError(f"{printable(name)} is given twice")
        value[name] = member
    return value


def _text_of(whole: str) -> str:
    if whole == "-":
        content = sys.stdin.buffer.read(LARGEST + 1)
    elif whole.startswith("@"):
        from prowess.cli.files import read_bounded

        content = read_bounded(whole[1:])
    else:
        return whole
    if len(content) > LARGEST:
        raise UsageError(f"--args: more than {LARGEST} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("--args: is not UTF-8 text") from None


def _member(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign or not name.removesuffix(":"):
        raise UsageError(f"--arg {printable(text)}: write name=text, or name:=JSON")
    if name.endswith(":"):
        return name[:-1], _parsed(value, f"--arg {printable(name[:-1])}")
    return name, value


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        what = str(error) if isinstance(error, ValueError) else "nested too deeply"
        what = "a number of thousands of digits" if "integer string conversion" in what else what
        hint = "strings need double quotes" if isinstance(error, json.JSONDecodeError) else ""
        raise UsageError(f"{where}: is not JSON: {printable(what)}", hint=hint) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a member is given twice")
    return members


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON number")
