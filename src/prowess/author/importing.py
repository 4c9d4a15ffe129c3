"""What a server knows, read for a skill: resources, prompts, templates with given values.

MCP 2026-07-28 and 2025-11-25, `resources/read` and `prompts/get`. Everything is bounded, and what is
left out is said. Where the server is and how it was brought up is not known here, nor what becomes of
the texts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from prowess.author.importing_volatile import Mark, changes, marks
from prowess.capability.offer import Offer, Prompt, Tool
from prowess.errors import ConnectionFailed, RequestFailed, UsageError
from prowess.redact import printable

MOST_PARTS = 100
LARGEST = 256 * 1024  # characters of one text
LARGEST_OF_ALL = 2 * 1024 * 1024
PROMPT = "prompt:"

Ask = Callable[[str, Mapping[str, Any]], Awaitable[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be read. `uris` are resources, templates, or prompts as `prompt:NAME`; empty means all.

    `values` are for the variables of templates and the arguments of prompts. Of `live` only the address
    is kept, of `keep` the text although it looks like data that changes.
    """

    uris: tuple[str, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)
    live: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One text. `uri` is where it can be read again; `marks` are places in it that look like data."""

    uri: str
    name: str
    description: str
    media: str
    text: str
    marks: tuple[Mark, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 of the text."""
        return f"sha256:{hashlib.sha256(self.text.encode('utf-8', 'surrogatepass')).hexdigest()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """Something of which only the address is kept, to be read when it is needed, and why."""

    uri: str
    name: str
    description: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """What a server knows, as far as it was asked for. `notes` say what was left out; fit to print."""

    server: str
    title: str
    instructions: str
    parts: tuple[Part, ...]
    left: tuple[Left, ...]
    tools: tuple[Tool, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """Something to ask for."""

    uri: str
    name: str
    description: str
    media: str = ""


async def gather(offer: Offer, ask: Ask, wanted: Wanted) -> Knowledge:
    """Read what is wanted of the server that `offer` is of.

    Raises UsageError for what the server does not have and for values that nothing takes, ConnectionFailed
    and RequestFailed where it does not answer.
    """
    if offer.status != "connected":
        raise ConnectionFailed(f"{printable(offer.id)} is not connected: {offer.reason or offer.status}")
    items, left, notes = _items(offer, wanted)
    reading = _Reading(ask, wanted, notes)
    for item in items:
        await reading.read(item)
    if not (reading.parts or reading.left or left or offer.tools or offer.instructions):
        raise UsageError(f"{printable(offer.id)} offers nothing that a skill could be made of")
    info = offer.server_info or {}
    return Knowledge(
        server=offer.id,
        title=str(info.get("title") or info.get("name") or offer.id),
        instructions=offer.instructions or "",
        parts=tuple(reading.parts),
        left=(*reading.left, *left),
        tools=offer.tools,
        notes=tuple(reading.notes),
    )


class _Reading:
    def __init__(self, ask: Ask, wanted: Wanted, notes: list[str]) -> None:
        self._ask, self._wanted = ask, wanted
        self._characters = 0
        self.parts: list[Part] = []
        self.left: list[Left] = []
        self.notes = notes

    async def read(self, item: _Item) -> None:
        if item.uri in self._wanted.live:
            self._leave(item, "you said so")
            return
        text, media = await self._text(item)
        if text is None:
            self.notes.append(f"{printable(item.uri, 200)}: is no text, and was left out")
            return
        self._characters += len(text)
        if len(text) > LARGEST or self._characters > LARGEST_OF_ALL or len(self.parts) >= MOST_PARTS:
            self._leave(item, "it is too much for a skill")
            return
        why = "" if item.uri in self._wanted.keep else changes(text, media)
        if why:
            self._leave(item, why)
            return
        self.parts.append(
            Part(
                uri=item.uri,
                name=item.name,
                description=item.description,
                media=media,
                text=text,
                marks=marks(text),
            )
        )

    def _leave(self, item: _Item, why: str) -> None:
        self.left.append(Left(uri=item.uri, name=item.name, description=item.description, why=why))

    async def _text(self, item: _Item) -> tuple[str | None, str]:
        if item.uri.startswith(PROMPT):
            return await self._prompt(item.uri), "text/markdown"
        result = await self._ask("resources/read", {"uri": item.uri})
        contents = result.get("contents")
        texts, media = [], item.media
        for each in contents if isinstance(contents, list) else []:
            if not isinstance(each, Mapping) or not isinstance(each.get("text"), str):
                return None, media
            texts.append(each["text"])
            media = str(each.get("mimeType") or media)
        return ("\n\n".join(texts) if texts else None), media

    async def _prompt(self, uri: str) -> str | None:
        name, arguments = prompt_of(uri)
        result = await self._ask("prompts/get", {"name": name, "arguments": arguments})
        messages = result.get("messages")
        texts = []
        for each in messages if isinstance(messages, list) else []:
            content = each.get("content") if isinstance(each, Mapping) else None
            if not isinstance(content, Mapping) or not isinstance(content.get("text"), str):
                return None
            texts.append(content["text"])
        return "\n\n".join(texts) if texts else None


def prompt_of(uri: str) -> tuple[str, dict[str, str]]:
    """Name and arguments of a prompt that is written as an address (`prompt:NAME?week=2026-W31`)."""
    name, _, query = uri.removeprefix(PROMPT).partition("?")
    return name, dict(parse_qsl(query, keep_blank_values=True))


# -- which


def _items(offer: Offer, wanted: Wanted) -> tuple[list[_Item], list[Left], list[str]]:
    items: list[_Item] = []
    left: list[Left] = []
    notes: list[str] = []
    used: set[str] = set()
    if wanted.uris:
        items = [_named(offer, each, wanted.values, used) for each in wanted.uris]
    else:
        items += [_resource(each.wire) for each in offer.resources]
        for template in offer.templates:
            _add_template(template.wire, wanted.values, used, items, left)
        for prompt in offer.prompts:
            missing = [each for each in _required(prompt) if each not in wanted.values]
            if not missing:
                items.append(_prompt_item(prompt, wanted.values, used))
            else:
                what = f"prompt {printable(prompt.name, 100)} is left out"
                notes.append(f"{what}: it needs --value {printable(missing[0], 80)}=...")
    if unused := sorted(set(wanted.values) - used):
        raise UsageError(
            f"--value {printable(unused[0], 80)} fits nothing that is read",
            hint="values are for the variables of templates and the arguments of prompts",
        )
    known = {each.uri for each in items}
    for uri in (*wanted.live, *wanted.keep):
        if uri not in known and not wanted.uris:
            raise UsageError(f"{printable(uri, 200)} is not among what is read", hint=_have(offer))
    return items, left, notes


def _named(offer: Offer, uri: str, values: Mapping[str, str], used: set[str]) -> _Item:
    if uri.startswith(PROMPT):
        name, given = prompt_of(uri)
        for prompt in offer.prompts:
            if prompt.name == name:
                _insist_on(_required(prompt), {**values, **given}, uri)
                return _prompt_item(prompt, {**values, **given}, used)
        raise UsageError(f"there is no prompt {printable(name, 100)}", hint=_have(offer))
    for resource in offer.resources:
        if resource.uri == uri:
            return _resource(resource.wire)
    for template in offer.templates:
        if template.uri_template == uri:
            return _expanded(template.wire, values, used)
    if not offer.templates and "resources" not in offer.capabilities and not offer.resources:
        raise UsageError(f"there is no resource {printable(uri, 200)}", hint=_have(offer))
    return _Item(uri=uri, name=uri.rstrip("/").rpartition("/")[2] or uri, description="")


def _have(offer: Offer) -> str:
    names = [each.uri for each in offer.resources] + [each.uri_template for each in offer.templates]
    names += [f"{PROMPT}{each.name}" for each in offer.prompts]
    return f"{printable(offer.id)} has {printable(', '.join(names) or 'neither resources nor prompts', 500)}"


def _resource(wire: Mapping[str, Any], uri: str = "") -> _Item:
    return _Item(
        uri=uri or str(wire.get("uri", "")),
        name=str(wire.get("title") or wire.get("name") or wire.get("uri", "")),
        description=str(wire.get("description") or ""),
        media=str(wire.get("mimeType") or ""),
    )


def _add_template(
    wire: Mapping[str, Any], values: Mapping[str, str], used: set[str], items: list[_Item], left: list[Left]
) -> None:
    """A template whose values are given is read; of another one the address is kept."""
    from prowess.content.uri_template import BadTemplate, parse

    text = str(wire.get("uriTemplate", ""))
    try:
        variables = parse(text).variables
    except BadTemplate:
        return
    if variables and all(each in values for each in variables):
        items.append(_expanded(wire, values, used))
    else:
        item = _resource(wire, text)
        why = f"it depends on {', '.join(printable(each, 40) for each in variables)}"
        left.append(Left(uri=text, name=item.name, description=item.description, why=why))


def _expanded(wire: Mapping[str, Any], values: Mapping[str, str], used: set[str]) -> _Item:
    from prowess.content.uri_template import BadTemplate, parse

    text = str(wire.get("uriTemplate", ""))
    try:
        template = parse(text)
    except BadTemplate as error:
        raise UsageError(f"{printable(text, 200)} is no URI template: {printable(str(error))}") from None
    _insist_on(template.variables, values, text)
    used.update(template.variables)
    given = {each: values[each] for each in template.variables}
    item = _resource(wire, template.expand(given))
    return _Item(
        uri=item.uri,
        name=" ".join([item.name, *given.values()]),
        description=item.description,
        media=item.media,
    )


def _insist_on(names: tuple[str, ...], values: Mapping[str, str], what: str) -> None:
    if missing := [each for each in names if each not in values]:
        raise UsageError(
            f"{printable(what, 200)} needs a value for {printable(missing[0], 80)}",
            hint=f"--value {printable(missing[0], 80)}=...",
        )


def _required(prompt: Prompt) -> tuple[str, ...]:
    return tuple(name for name, required in _arguments(prompt) if required)


def _arguments(prompt: Prompt) -> list[tuple[str, bool]]:
    declared = prompt.wire.get("arguments")
    found = declared if isinstance(declared, list) else []
    return [
        (each["name"], each.get("required") is True)
        for each in found
        if isinstance(each, Mapping) and isinstance(each.get("name"), str)
    ]


def _prompt_item(prompt: Prompt, values: Mapping[str, str], used: set[str]) -> _Item:
    given = {name: values[name] for name, _ in _arguments(prompt) if name in values}
    used.update(given)
    query = f"?{urlencode(given, quote_via=quote)}" if given else ""
    return _Item(
        uri=f"{PROMPT}{prompt.name}{query}",
        name=str(prompt.wire.get("title") or prompt.name),
        description=prompt.description or "",
    )


async def read_again(ask: Ask, uri: str) -> str | None:
    """The digest of what is at an address now; None where there is no text any more."""
    reading = _Reading(ask, Wanted(), [])
    try:
        text, _ = await reading._text(_Item(uri=uri, name="", description=""))
    except RequestFailed:
        return None
    if text is None:
        return None
    return Part(uri=uri, name="", description="", media="", text=text).digest
