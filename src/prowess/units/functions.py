"""The decorated functions of a module, as the object that a `schema.json` would hold.

So that both ways of writing a unit are judged by the same code (`metadata.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.rules import report
from prowess.units.decorated import Declared, declared_of

Function = Callable[..., Any]


def named_units(module: ModuleType) -> list[tuple[Function, str, str]]:
    """Each decorated function of this module itself, with the unit's name and version."""
    found: dict[int, tuple[Function, str, str]] = {}
    for value in list(vars(module).values()):
        declared = declared_of(value)
        if declared is not None and value.__module__ == module.__name__:
            found.setdefault(id(value), (value, declared.name or value.__name__, declared.version))
    return list(found.values())


def line_of(function: Function) -> int:
    """The line of the `def`, or of its first decorator."""
    inner = getattr(function, "__wrapped__", function)
    line: int = inner.__code__.co_firstlineno
    return line


def described(function: Function, file: str) -> tuple[dict[str, Any] | None, list[Diagnostic]]:
    """What a function says about itself, in the fields of a `schema.json`."""
    from prowess.units.signature import Signature, SignatureFault

    declared = declared_of(function) or Declared()
    name = declared.name or function.__name__
    try:
        signature = Signature(function)
        parameters = signature.parameters
    except SignatureFault as fault:
        place = Place(file=file, line=line_of(function))
        message = f"{printable(name, 80)}: {fault}"
        hint = "give each parameter a type that JSON can carry"
        subject = f"{file}#{printable(name, 80)}"
        return None, [report("unit-signature", place, message, hint=hint, subject=subject)]
    said: dict[str, Any] = {
        "name": name,
        "description": declared.description or signature.description,
        "triggers": _plain(declared.triggers),
        "parameters": parameters,
        "returns": signature.returns,
        "timeout": declared.timeout,
        "idempotent": declared.idempotent,
        "version": declared.version,
        "permissions": _plain(declared.permissions),
        "core": declared.core,
        "examples": [_plain(each) for each in declared.examples],
    }
    return said, []


def _plain(value: Any) -> Any:
    """Tuples and other mappings as JSON would have them."""

    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each) for each in value]
    return value
