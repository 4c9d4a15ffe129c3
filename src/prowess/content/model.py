"""What a folder of content holds, once read: values, each of them fit to be offered."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from prowess.content.expressions import Value
from prowess.content.files import Files
from prowess.content.uri_template import UriTemplate

Given = Mapping[str, Value]


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """An argument of a prompt; `choices` are offered when somebody types a value."""

    name: str
    required: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFile:
    """A prompt: MCP's object, and its messages as (role, text) with placeholders."""

    path: str
    wire: Mapping[str, Any]
    arguments: tuple[Argument, ...]
    messages: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        """What it is asked for by."""
        return str(self.wire["name"])


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceFile:
    """A resource: MCP's object and the file that holds it; `key` is the form in which URIs are compared."""

    path: str
    wire: Mapping[str, Any]
    key: str
    files: Files

    @property
    def stamp(self) -> str:
        """Differs when the file was written."""
        return self.files.stamp(self.path)


class Content(NamedTuple):
    """What a resource holds: text or bytes, and their media type."""

    data: str | bytes
    type: str


class Values(Protocol):
    """Where the resources of a template come from."""

    async def read(self, given: Given, timeout: float) -> Content | None:
        """The content for these variables, or None when there is none. Raises ProwessError."""
        ...

    def complete(self, variable: str, given: Mapping[str, str]) -> Sequence[str]:
        """The values that a variable can have, where they are known; `given` are the others' so far."""
        ...

    def known(self) -> Iterator[Given]:
        """Variables that there is something for, as far as they can be told in advance."""
        ...

    def stamp(self, given: Given) -> str:
        """Differs when the content for these variables may be another."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateFile:
    """A resource template: MCP's object, the template parsed, and where its resources come from.

    `choices` are values for its variables that the file itself gives. `code` is the file of the
    function that serves it, or None.
    """

    path: str
    wire: Mapping[str, Any]
    template: UriTemplate
    values: Values
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    code: str | None = None


class Code(Protocol):
    """Who may run a folder's Python, and does."""

    def agree(self, file: str) -> None:
        """Hear that functions of `file` are about to be offered. Raises ProwessError to forbid it."""
        ...

    def function(self, file: str, name: str) -> Callable[..., object | Awaitable[object]]:
        """The function of that name in `file`. Blocking. Raises ProwessError."""
        ...

    def close(self) -> None:
        """Forget what was loaded."""
        ...


def plain(given: Given) -> dict[str, str]:
    """The variables that are texts; a list of texts counts as a path of them."""
    return {name: as_text(value) for name, value in given.items()}


def as_text(value: Value) -> str:
    """One text for a value: parts of a path joined, a mapping as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return json.dumps(dict(value), ensure_ascii=False, sort_keys=True)
    return "/".join(value)
