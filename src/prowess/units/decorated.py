"""`@unit`: marks an async function as a skill unit and leaves the function as it is.

    @unit(triggers=["weather today"], permissions={"hosts": ["api.example.com"]})
    async def query_weather(city: Annotated[str, Field(description="Where", examples=["Oslo"])]) -> Weather:
        "Says what the weather is in a city now."

What is not said here is taken from the function: its name, docstring, type hints and return type
(`signature.py`, when the unit is read). This file is light, because a unit's own tests import it.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, overload

from prowess.errors import UsageError
from prowess.units.model import TIMEOUT_MS, VERSION

MARK = "__prowess_unit__"

Function = TypeVar("Function", bound=Callable[..., Awaitable[Any]])


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What the decorator was told; an empty text is taken from the function."""

    name: str = ""
    description: str = ""
    triggers: tuple[str, ...] = ()
    timeout: int = TIMEOUT_MS
    idempotent: bool = False
    version: str = VERSION
    permissions: Any = None
    core: bool = False
    examples: tuple[Mapping[str, Any], ...] = ()


@overload
def unit(function: Function, /) -> Function: ...


@overload
def unit(
    *,
    name: str = "",
    description: str = "",
    triggers: Sequence[str] = (),
    timeout: int = TIMEOUT_MS,
    idempotent: bool = False,
    version: str = VERSION,
    permissions: Mapping[str, Sequence[str]] | None = None,
    core: bool = False,
    examples: Sequence[Mapping[str, Any]] = (),
) -> Callable[[Function], Function]: ...


def unit(function: Any = None, /, **said: Any) -> Any:
    """Make an async function a skill unit; with or without anything said about it.

    `timeout` is in milliseconds. The function itself comes back: it is called and tested as before.
    """
    if function is not None:
        return _marked(function, Declared())
    for name in ("triggers", "examples"):
        # A plain text would come apart into letters; the judge of metadata says what is wrong with it.
        if name in said and not isinstance(said[name], str):
            said[name] = tuple(said[name])
    declared = Declared(**said)
    return lambda function: _marked(function, declared)


def _marked(function: Any, declared: Declared) -> Any:
    if not inspect.iscoroutinefunction(function):
        name = getattr(function, "__qualname__", type(function).__name__)
        raise UsageError(f"{name} is no async function", hint=f"write: async def {name}(...)")
    setattr(function, MARK, declared)
    return function


def declared_of(value: Any) -> Declared | None:
    """What the decorator was told about `value`, if it is a unit."""
    found = getattr(value, MARK, None) if inspect.iscoroutinefunction(value) else None
    return found if isinstance(found, Declared) else None
