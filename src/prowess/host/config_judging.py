"""What a `prowess.toml` may not hold, whatever the tables say: unknown tables, newer formats, secrets.

And the names by which one table points at another, which no table can judge alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from prowess.call.sections import SectionFault
from prowess.credentials.sections import ServerSection
from prowess.host.sections import UnitsSection
from prowess.redact import looks_secret, printable

FORMAT = 1
TABLES = (
    *("format", "plugins", "policy", "limits", "credentials", "servers"),
    *("redaction", "records", "store", "log", "units", "content", "workflows", "serve"),
)
# Keys that name a place or a thing, whatever their value looks like by the key alone.
_NAMES = frozenset({"env", "file", "keyring", "credential", "prefix", "token_url"})
# Keys that take the place of a secret, so that any plain text under them is a mistake.
_PLACES = frozenset({"client_secret", "refresh_token", "tokens", "postgres", "token"})

Keys = tuple[str | int, ...]


def insist_on_sound(document: Mapping[str, Any]) -> None:
    """Raise SectionFault for what no table is asked about."""
    _insist_on_known(document)
    _insist_on_format(document.get("format", FORMAT))
    for keys, value in _texts(document):
        _insist_on_no_secret(keys, value)


def fault(message: str, *keys: str | int, hint: str = "") -> SectionFault:
    """A fault at `keys`, counted from the top of the file."""
    return SectionFault(message, hint=hint, keys=keys)


def _insist_on_known(document: Mapping[str, Any]) -> None:
    for key in document:
        if key not in TABLES:
            near = get_close_matches(key, TABLES, 1)
            hint = f"did you mean {near[0]}?" if near else f"tables: {', '.join(TABLES)}"
            raise fault(f"there is no table or field {printable(key)}", key, hint=hint)


def _insist_on_format(number: Any) -> None:
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise fault("format must be a whole number", "format", hint=f"format = {FORMAT}")
    if number > FORMAT:
        raise fault(
            f"format {number} is newer than this version of prowess reads ({FORMAT})",
            "format",
            hint="use a newer prowess",
        )


def _texts(value: Any, keys: Keys = ()) -> Iterator[tuple[Keys, str]]:
    """Every text of the document, with the keys that lead to it."""
    if isinstance(value, str):
        yield keys, value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _texts(each, (*keys, key))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _texts(each, (*keys, number))


def _insist_on_no_secret(keys: Keys, value: str) -> None:
    names = [key for key in keys if isinstance(key, str)]
    key = names[-1]
    if key == "value" and len(names) > 1:  # the longer form of a plain value
        key = names[-2]
    known = key in _NAMES or keys[0] not in (
        "credentials",
        "servers",
        "records",
        "units",
        "serve",
        "store",
        "workflows",
    )
    if not looks_secret("" if known else key, value) and not (key in _PLACES and keys[0] != "policy"):
        return
    shown = printable(".".join(names))
    raise fault(
        f"{shown} holds a secret itself, which does not belong into this file",
        *keys,
        hint=f'{printable(key)} = {{ env = "NAME" }} or {{ file = "path" }} names the place where it is kept',
    )


def insist_on_connections(
    plugins: Sequence[tuple[str, str]], servers: Mapping[str, ServerSection], credentials: Sequence[str]
) -> None:
    """Names that point from one table to another."""
    labels = [label for label, _ in plugins]
    for name, server in servers.items():
        plugin, slash, id = name.partition("/")
        if not (plugin and slash and id):
            raise fault(
                f'[servers."{printable(name)}"] must be named plugin/server', "servers", name,
                hint=f'[servers."{printable(labels[0]) if labels else "plugin"}/server"]',
            )  # fmt: skip
        if plugin not in labels:
            raise fault(
                f"[servers] {printable(name)}: there is no plugin {printable(plugin)}", "servers", name,
                hint=_nearest(plugin, labels, "[plugins]"),
            )  # fmt: skip
        for each in server.credentials:
            if each not in credentials:
                raise fault(
                    f"[servers] {printable(name)}: there is no credential {printable(each)}", "servers", name,
                    hint=_nearest(each, list(credentials), "[credentials]"),
                )  # fmt: skip


def insist_on_unit_credentials(units: UnitsSection, credentials: Sequence[str]) -> None:
    """The same for what units' requests carry."""
    for url, origin in units.origins.items():
        for each in origin.as_server.credentials:
            if each not in credentials:
                raise fault(
                    f"[units.origins] {printable(url)}: there is no credential {printable(each)}",
                    "units", "origins", url,
                    hint=_nearest(each, list(credentials), "[credentials]"),
                )  # fmt: skip


def _nearest(name: str, known: list[str], table: str) -> str:
    near = get_close_matches(name, known, 1)
    if near:
        return f"did you mean {printable(near[0])}?"
    return f"{table} has {printable(', '.join(known), 500) or 'nothing'}"
