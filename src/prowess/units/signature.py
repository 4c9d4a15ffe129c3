"""A decorated function's signature as JSON Schema, and JSON values as its arguments, by Pydantic.

Pydantic is asked about a stand-in that has the same parameters but the context, so that any name
may be a parameter's. Titles that Pydantic makes up from names are left out: they tell a model nothing.
Imported only when such a unit is read or runs.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, get_type_hints

from pydantic import PydanticUserError, TypeAdapter
from pydantic_core import ArgsKwargs, to_jsonable_python

from prowess.redact import printable
from prowess.units import docstring
from prowess.units.model import UnitContext

CONTEXT = "ctx"
RESULT = "result"  # the member that holds what is no object by itself


class SignatureFault(Exception):
    """A function that cannot be a unit; the words are fit to print."""


class Signature:
    """What a function takes and gives."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        hints = _hints(function)
        taken = [
            each for each in inspect.signature(function).parameters.values() if not _is_context(each, hints)
        ]
        self.context = next(
            (
                name
                for name, each in inspect.signature(function).parameters.items()
                if _is_context(each, hints)
            ),
            None,
        )
        self._arguments = _adapter(_stand_in(taken, hints), function)
        gives = hints.get("return")
        self._result = None if gives in (None, Any, type(None)) else _adapter(gives, function)
        self.description, self._meanings = docstring.read(function.__doc__)
        self._wrapped = False
        self.returns = self._returns()

    @property
    def parameters(self) -> dict[str, Any]:
        """The schema of the parameters; the docstring describes what the hints leave undescribed."""
        schema = _schema(self._arguments, "validation", self._function)
        for name, member in schema.get("properties", {}).items():
            if "description" not in member and self._meanings.get(name):
                member["description"] = self._meanings[name]
        return {"type": "object", "properties": {}, **schema}

    def arguments(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The function's own arguments. Raises pydantic.ValidationError for what its types refuse."""
        found: dict[str, Any] = self._arguments.validate_python(ArgsKwargs((), dict(params)))
        return found

    def plain(self, value: Any) -> Any:
        """What the function gave, as a JSON object. Raises for what JSON cannot carry."""
        if self._result is None:
            made = to_jsonable_python(value, inf_nan_mode="constants")
        else:
            made = self._result.dump_python(value, mode="json", by_alias=True, warnings=False)
        return {RESULT: made} if self._wrapped or not isinstance(made, dict) else made

    def _returns(self) -> dict[str, Any] | None:
        if self._result is None:
            return None
        schema = _schema(self._result, "serialization", self._function)
        shape = schema
        if "$ref" in schema:
            shape = schema.get("$defs", {}).get(str(schema["$ref"]).rpartition("/")[2], {})
        if shape.get("type") == "object":
            return {"type": "object", **schema}
        self._wrapped = True
        named = schema.pop("$defs", None)
        whole = {"type": "object", "properties": {RESULT: schema}, "required": [RESULT]}
        return whole if named is None else {**whole, "$defs": named}


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return get_type_hints(function, include_extras=True)
    except (NameError, TypeError, SyntaxError) as error:
        raise SignatureFault(f"a type hint cannot be resolved: {printable(str(error))}") from None


def _is_context(parameter: inspect.Parameter, hints: Mapping[str, Any]) -> bool:
    return parameter.name == CONTEXT or hints.get(parameter.name) is UnitContext


def _stand_in(taken: list[inspect.Parameter], hints: Mapping[str, Any]) -> Callable[..., Any]:
    def given(**arguments: Any) -> dict[str, Any]:
        return arguments

    kept = []
    for each in taken:
        name = printable(each.name, 60)
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            raise SignatureFault(f"{name} takes any number of values, which no schema can list")
        if each.kind is each.POSITIONAL_ONLY:
            raise SignatureFault(f"{name} cannot be given by name")
        if each.name not in hints:
            raise SignatureFault(f"{name} has no type hint")
        kept.append(each.replace(kind=each.KEYWORD_ONLY, annotation=hints[each.name]))
    given.__signature__ = inspect.Signature(kept)  # type: ignore[attr-defined]  # what inspect looks for first
    given.__annotations__ = {each.name: hints[each.name] for each in taken}
    return given


def _adapter(kind: Any, function: Callable[..., Any]) -> TypeAdapter[Any]:
    try:
        return TypeAdapter(kind)
    except (PydanticUserError, TypeError, NameError) as error:
        words = str(error).partition("\n")[0]
        raise SignatureFault(f"a type has no JSON Schema: {printable(words)}") from None


def _schema(adapter: TypeAdapter[Any], mode: Any, function: Callable[..., Any]) -> dict[str, Any]:
    try:
        schema: dict[str, Any] = adapter.json_schema(mode=mode)
    except PydanticUserError as error:
        words = str(error).partition("\n")[0]
        raise SignatureFault(f"a type has no JSON Schema: {printable(words)}") from None
    _untitle(schema)
    return schema


def _untitle(schema: Any) -> None:
    """Take out the titles that were made from the names of parameters, members and classes."""
    if not isinstance(schema, dict):
        return
    for group in ("properties", "$defs"):
        for name, member in (schema.get(group) or {}).items():
            if isinstance(member, dict):
                if member.get("title") in (name, name.replace("_", " ").title().strip()):
                    del member["title"]
                _untitle(member)
    if "properties" in schema and isinstance(schema.get("title"), str) and schema["title"].isidentifier():
        del schema["title"]
    for each in ("items", "additionalProperties", "not", "contains", "propertyNames"):
        _untitle(schema.get(each))
    for each in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for inner in schema.get(each) or []:
            _untitle(inner)
