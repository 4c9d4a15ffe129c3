"""One table put into somebody else's TOML 1.0 and taken out again; the rest of the file stays as it is.

A new table is written at the end of the text and cut out of it again; what was written otherwise (an
inline table, dotted keys) is edited with tomlkit. Each result is read back and compared.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from prowess.errors import UsageError
from prowess.redact import printable

_BARE = re.compile(r"[A-Za-z0-9_-]+")
MOST_CUTS = 20
_HEADER = re.compile(r"\s*\[")


def servers(text: str, container: str) -> dict[str, Any]:
    """The entries of a document by name. Raises UsageError with the place of what is wrong."""
    found = _parsed(text).get(container, {})
    if not isinstance(found, dict):
        raise UsageError(f"{printable(container)} is no table")
    return found


def added(text: str, container: str, name: str, entry: Mapping[str, Any]) -> str:
    """`text` with the entry in it, in the place of one of that name. Raises UsageError."""
    base = removed(text, container, name) if name in servers(text, container) else text
    document = _parsed(base)
    wanted = {**document, container: {**document.get(container, {}), name: dict(entry)}}
    newline = "\r\n" if "\r\n" in text else "\n"
    block = newline.join(_block(container, name, entry))
    ended = not base or base.endswith("\n")
    # Without a line end at the end of the file there is none afterwards: so the cut is exact again.
    joint = (newline if base else "") if ended else newline * 2
    result = base + joint + block + (newline if ended else "")
    if _same(result, wanted):
        return result
    return _checked(_edited(base, container, name, entry), wanted)


def removed(text: str, container: str, name: str) -> str:
    """`text` without the entry. Raises UsageError."""
    document = _parsed(text)
    if name not in document.get(container, {}):
        return text
    rest = {key: each for key, each in document[container].items() if key != name}
    wanted = {**document, container: rest}
    for without in _cuts(text, container, name):
        if _same(without, wanted):
            return without
    return _checked(_edited(text, container, name, None), wanted)


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise UsageError(f"no TOML: {printable(what, 300)}") from None


def _same(text: str, wanted: dict[str, Any]) -> bool:
    """Whether `text` says `wanted`; a container without an entry may be gone."""
    try:
        found = _parsed(text)
    except UsageError:
        return False
    return _shown(found) == _shown(wanted) or _shown(found) == _shown(_without_empty(wanted))


def _without_empty(document: dict[str, Any]) -> dict[str, Any]:
    return {key: each for key, each in document.items() if each != {}}


def _shown(document: dict[str, Any]) -> str:
    return repr(document)  # also right for a number that does not equal itself


def _checked(text: str, wanted: dict[str, Any]) -> str:
    if not _same(text, wanted):
        raise UsageError("this file is written in a way that cannot be edited safely", hint="edit it by hand")
    return text


def _block(container: str, name: str, entry: Mapping[str, Any]) -> list[str]:
    import tomlkit

    values = [f"{key} = {tomlkit.item(each).as_string()}" for key, each in entry.items()]
    return [f"[{container}.{_key(name)}]", *values]


def _key(name: str) -> str:
    import tomlkit

    return name if _BARE.fullmatch(name) else tomlkit.item(name).as_string()


def _cuts(text: str, container: str, name: str) -> Iterator[str]:
    """Without one stretch of lines that begins with such a header, and the empty line before it.

    What looks like a header may be a line of a text; whoever asks takes the cut that says the right thing.
    """
    lines = text.splitlines(keepends=True) if "\r" not in text.replace("\r\n", "") else [text]
    key = rf"(?:{re.escape(name)}|\"{re.escape(name)}\"|'{re.escape(name)}')"
    ours = re.compile(rf"\s*\[\s*{re.escape(container)}\s*\.\s*{key}\s*(?:\]|\.)")
    at = [number for number, line in enumerate(lines) if ours.match(line)]
    for begin in at[:MOST_CUTS]:
        end = begin + 1
        while end < len(lines) and (end in at or not _HEADER.match(lines[end])):
            end += 1
        while end > begin + 1 and _passive(lines[end - 1]):
            end -= 1  # comments and empty lines above the next table are that table's
        yield _without(lines, begin, end)


def _without(lines: list[str], begin: int, end: int) -> str:
    if begin and not lines[begin - 1].strip():
        begin -= 1
    ended = end < len(lines) or lines[-1].endswith("\n")
    kept = "".join(lines[:begin]) + "".join(lines[end:])
    return kept if ended else kept.removesuffix("\n").removesuffix("\r")


def _passive(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _edited(text: str, container: str, name: str, entry: Mapping[str, Any] | None) -> str:
    """The same by tomlkit, which keeps what it does not touch."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
        if entry is None:
            document[container].remove(name)
        else:
            held: Any = document.setdefault(container, tomlkit.table(is_super_table=True))
            held[name] = dict(entry)
        return tomlkit.dumps(document)
    except (TOMLKitError, KeyError, AttributeError, TypeError):
        raise UsageError(
            "this file is written in a way that cannot be edited safely", hint="edit it by hand"
        ) from None
