"""The `permissions` of a unit read: what its context lets it reach. It enforces nothing.

{"hosts": ["api.example.com"], "addresses": ["127.0.0.1"], "secrets": ["WEATHER_KEY"],
 "reads": ["cities.csv"], "writes": ["cache"]}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any

from prowess.redact import printable
from prowess.units.model import Permissions

NAMES = tuple(each.name for each in fields(Permissions))

Tell = Callable[..., None]


def read_permissions(said: Any, tell: Tell) -> Permissions | None:
    """The permissions, or None when they cannot be read; what is not understood grants nothing."""
    if said is None:
        return Permissions()
    if isinstance(said, list):
        return _words(said, tell)
    if not isinstance(said, Mapping):
        return None  # told already: the field has the wrong type
    given: dict[str, tuple[str, ...]] = {}
    for name, value in said.items():
        if name not in NAMES:
            _unknown(name, tell)
        elif not isinstance(value, list | tuple) or not all(isinstance(each, str) and each for each in value):
            message = f"permissions.{name} must be a list of strings; found {printable(repr(value), 60)}"
            tell("unit-field-type", message, "permissions", name, hint=f'"{name}": ["..."]')
        else:
            given[name] = tuple(value)
    return Permissions(**given)


def _words(said: list[Any], tell: Tell) -> Permissions:
    """A plain list says in its own words what is meant; words grant nothing, and that is told."""
    for number, word in enumerate(said):
        message = f"permission {printable(repr(word), 60)} grants nothing"
        hint = 'write {"hosts": ["api.example.com"], "secrets": ["NAME"]}'
        tell("unit-permission-unknown", message, "permissions", number, hint=hint)
    return Permissions()


def _unknown(name: str, tell: Tell) -> None:
    near = get_close_matches(name, NAMES, 1)
    hint = f"did you mean {near[0]}?" if near else f"permissions: {', '.join(NAMES)}"
    message = f"permission {printable(name, 60)} is not known and grants nothing"
    tell("unit-permission-unknown", message, "permissions", name, hint=hint)
