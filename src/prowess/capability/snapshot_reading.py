"""Reading a snapshot back from its file.

The shape is ours (`capability/schema.py`). What Prowess writes is strict; what it reads need only be
of a format that it knows and hold the four parts that every snapshot has (`plugin`, `skills`,
`mcpServers`, `tools`), each in shape. Other parts may be absent, keys that it does not know are
passed over, and members of a capability are kept, since a server sent them.

A wrong shape is the caller's mistake: a UsageError that names the place as a JSON pointer.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar, get_args

from prowess.capability.canonical import canonical, plain
from prowess.capability.offer import Capability, Prompt, Resource, ResourceTemplate, Status, Tool
from prowess.capability.snapshot import (
    FORMAT,
    SCHEMA_ID,
    SCHEMA_PREFIX,
    PluginEntry,
    ServerEntry,
    SkillEntry,
    SkippedEntry,
    Snapshot,
    identity,
    wire_dict,
)
from prowess.errors import UsageError
from prowess.redact import printable
from prowess.spec.json_kinds import kind_name
from prowess.spec.strict_json import pointer

STATUSES: tuple[str, ...] = get_args(Status)
LOADED = ("metadata", "body")

Entry = TypeVar("Entry")
Wired = TypeVar("Wired", bound=Capability)


def read_snapshot(text: str, source: str) -> Snapshot:
    """The snapshot in `text`; `source` is what a message calls it."""
    document = _Value(_decode(text, source), source)
    document.expect(dict)
    _check_format(document)
    return Snapshot(
        plugin=_plugin(document.member("plugin")),
        skills=_entries(document.member("skills"), _skill, lambda s: (s.name, s.path)),
        servers=_entries(document.member("mcpServers"), _server, lambda s: (s.id,)),
        tools=_wired(document.member("tools"), _tool),
        prompts=_wired(document.member("prompts", []), _prompt),
        resources=_wired(document.member("resources", []), _resource),
        templates=_wired(document.member("resourceTemplates", []), _template),
        skipped=_entries(document.member("skipped", []), _skipped, lambda s: (s.what, s.rule)),
    )


def _decode(text: str, source: str) -> Any:
    def build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        built = dict(pairs)
        if len(built) < len(pairs):
            raise ValueError("a key stands twice in one object")
        return built

    def refuse(word: str) -> NoReturn:
        raise ValueError(f"{word} is no JSON value")

    try:
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=build, parse_constant=refuse)
    except RecursionError:
        reason = "it is nested too deep"
    except ValueError as error:
        reason = str(error)
    raise UsageError(
        f"{printable(source)} is not a snapshot: {printable(reason)}",
        hint="write one with: prowess snapshot PATH --out FILE",
    )


class _Value:
    """A JSON value, where it stands, and which file it stands in."""

    def __init__(self, value: Any, source: str, path: tuple[str | int, ...] = ()) -> None:
        self.value = value
        self.source = source
        self.path = path

    def fail(self, wanted: str) -> NoReturn:
        place = f"{self.source}: {pointer(*self.path) or 'the document'}"
        raise UsageError(
            f"{printable(place)} must be {wanted}, and is {_shown(self.value)}",
            hint="the shape of a snapshot: prowess snapshot --schema",
        )

    def expect(self, kind: type) -> None:
        if not isinstance(self.value, kind):
            self.fail("an object" if kind is dict else "an array")

    def member(self, key: str, *default: Any) -> _Value:
        """The member `key` of an object; without a default it has to be there."""
        if key in self.value:
            return _Value(self.value[key], self.source, (*self.path, key))
        if default:
            return _Value(default[0], self.source, (*self.path, key))
        place = f"{self.source}: {pointer(*self.path, key)}"
        raise UsageError(
            f"{printable(place)} is missing", hint="the shape of a snapshot: prowess snapshot --schema"
        )

    def items(self) -> list[_Value]:
        """The items of an array of objects."""
        self.expect(list)
        items = [_Value(item, self.source, (*self.path, at)) for at, item in enumerate(self.value)]
        for item in items:
            item.expect(dict)
        return items

    def text(self, key: str, *default: str) -> str:
        """The member `key`, a string."""
        member = self.member(key, *default)
        if not isinstance(member.value, str):
            member.fail("a string")
        kept: str = plain(member.value)
        return kept

    def one_of(self, key: str, words: tuple[str, ...]) -> str:
        """The member `key`, one of `words`."""
        word = self.text(key)
        if word not in words:
            self.member(key).fail("one of " + ", ".join(words))
        return word


def _shown(value: Any) -> str:
    return f'"{printable(value, 60)}"' if isinstance(value, str) else kind_name(value)


def _check_format(document: _Value) -> None:
    """A format that this version knows; a snapshot without `$schema` counts as the first."""
    id = document.text("$schema", SCHEMA_ID)
    number = id.removeprefix(SCHEMA_PREFIX)
    if number == id or not (number.isascii() and number.isdigit()):
        document.member("$schema").fail(f'"{SCHEMA_ID}"')
    if number.strip("0") and len(number) < 9 and int(number) <= FORMAT:
        return
    newer = "a newer Prowess wrote it: update this one, or write the snapshot again with it"
    raise UsageError(
        f"{printable(document.source)} has format {printable(number, 20)}; this version reads {FORMAT}",
        hint=newer if number.strip("0") else "the formats begin with 1",
    )


def _plugin(value: _Value) -> PluginEntry:
    value.expect(dict)
    version = value.member("version", None).value
    return PluginEntry(
        name=value.text("name"),
        version=None if version is None else value.text("version"),
        spec=value.text("spec"),
    )


def _skill(value: _Value) -> SkillEntry:
    return SkillEntry(
        name=value.text("name"),
        description=value.text("description"),
        path=value.text("path"),
        loaded=value.one_of("loaded", LOADED),
    )


def _server(value: _Value) -> ServerEntry:
    return ServerEntry(
        id=value.text("id"),
        type=value.text("type"),
        status=value.one_of("status", STATUSES),
        reason=value.text("reason", ""),
    )


def _skipped(value: _Value) -> SkippedEntry:
    return SkippedEntry(what=value.text("what"), rule=value.text("rule"))


def _tool(value: _Value) -> Tool:
    value.text("name")
    value.member("inputSchema").expect(dict)
    return Tool(server=value.text("server"), wire=_wire(value))


def _prompt(value: _Value) -> Prompt:
    value.text("name")
    return Prompt(server=value.text("server"), wire=_wire(value))


def _resource(value: _Value) -> Resource:
    value.text("uri")
    return Resource(server=value.text("server"), wire=_wire(value))


def _template(value: _Value) -> ResourceTemplate:
    value.text("uriTemplate")
    return ResourceTemplate(server=value.text("server"), wire=_wire(value))


def _wire(value: _Value) -> dict[str, Any]:
    wire: dict[str, Any] = plain({key: each for key, each in value.value.items() if key != "server"})
    return wire


def _entries(
    value: _Value, read: Callable[[_Value], Entry], key: Callable[[Entry], tuple[str, ...]]
) -> tuple[Entry, ...]:
    return tuple(sorted((read(item) for item in value.items()), key=key))


def _wired(value: _Value, read: Callable[[_Value], Wired]) -> tuple[Wired, ...]:
    return _entries(value, read, lambda each: (each.server, identity(each), canonical(wire_dict(each))))
