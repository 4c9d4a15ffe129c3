"""Something that runs: a class with `execute`, or a decorated function, behind one face.

Plain parameters in, a plain JSON object out. It does not know permissions, timeouts or outcomes.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, Protocol

from prowess.errors import ProwessError
from prowess.redact import printable
from prowess.spec.diagnostics import Place
from prowess.spec.rules import report
from prowess.units.loading import LoadFailed, Modules, load_fault
from prowess.units.model import Unit, UnitContext
from prowess.units.skill_class import SkillUnit


class BadResult(ProwessError):
    """What a unit gave is no JSON object."""

    code = "bad-result"


class Invalid(ProwessError):
    """The unit's own check refused the parameters."""

    code = "invalid-arguments"


class Runner(Protocol):
    """One loaded unit."""

    async def run(self, params: dict[str, Any], context: UnitContext) -> dict[str, Any]:
        """Execute it. Raises Invalid, BadResult, and whatever the unit raises."""
        ...


def runner_of(unit: Unit, modules: Modules, *, root: str) -> Runner:
    """The unit's code, imported if it has not been. Raises LoadFailed."""
    subject = unit.place
    module = modules.get(unit.file, root=root, subject=subject)
    if unit.form == "function":
        from prowess.units.functions import named_units

        for function, name, version in named_units(module):
            if (name, version) == (unit.name, unit.version):
                return _OfFunction(function)
        raise LoadFailed(_gone(unit))
    try:
        return _OfClass(_instance(unit, module))
    except LoadFailed:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001  # boundary: its constructor's fault is its own
        raise LoadFailed(load_fault(error, unit.file, root, subject)) from None


class _OfClass:
    def __init__(self, instance: Any) -> None:
        self._execute: Callable[..., Any] = instance.execute
        self._validate = instance.validate if isinstance(instance, SkillUnit) else None
        self._with_context = len(_positional(instance.execute)) > 1

    async def run(self, params: dict[str, Any], context: UnitContext) -> dict[str, Any]:
        """Check, then execute."""
        if self._validate is not None:
            await _insist_on_valid(self._validate, params)
        given = (params, context) if self._with_context else (params,)
        return _object(await self._execute(*given))


class _OfFunction:
    def __init__(self, function: Callable[..., Any]) -> None:
        from prowess.units.signature import Signature

        self._function = function
        self._signature = Signature(function)

    async def run(self, params: dict[str, Any], context: UnitContext) -> dict[str, Any]:
        """Convert, call, convert back."""
        from pydantic import ValidationError

        try:
            arguments = self._signature.arguments(params)
        except ValidationError as error:
            raise Invalid(_refused(error)) from None
        if self._signature.context is not None:
            arguments[self._signature.context] = context
        value = await self._function(**arguments)
        try:
            made = self._signature.plain(value)
        except (ValueError, TypeError) as error:
            raise BadResult(f"the result is no JSON value: {printable(str(error), 200)}") from None
        return _object(made)


def _refused(error: Any) -> str:
    found = []
    for each in error.errors(include_url=False, include_input=False)[:20]:
        path = "/".join(printable(str(step), 80) for step in each["loc"])
        found.append(f"{path}: {printable(each['msg'], 300)}")
    return "; ".join(found)


async def _insist_on_valid(validate: Callable[[dict[str, Any]], Any], params: dict[str, Any]) -> None:
    answer = validate(params)
    if inspect.isawaitable(answer):
        answer = await answer
    if answer is None or answer is True:
        return
    words = answer if isinstance(answer, str) and answer else "the unit's own check refuses these parameters"
    raise Invalid(printable(words, 1_000))


def _object(value: Any) -> dict[str, Any]:
    """A copy that is plain JSON."""
    if not isinstance(value, Mapping):
        raise BadResult(f"the result is a {type(value).__name__}; a unit gives a dictionary")
    try:
        made: dict[str, Any] = json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise BadResult(f"the result is no JSON value: {printable(str(error), 200)}") from None
    return made


def _instance(unit: Unit, module: ModuleType) -> Any:
    found = [
        each
        for each in vars(module).values()
        if isinstance(each, type)
        and each.__module__ == module.__name__
        and inspect.iscoroutinefunction(getattr(each, "execute", None))
    ]
    leaves = [each for each in found if not any(each is not one and issubclass(one, each) for one in found)]
    if len(leaves) > 1:
        leaves = [each for each in leaves if getattr(each, "name", None) == unit.name]
    if len(leaves) == 1:
        return leaves[0]()
    several = len(found) > 1
    message = "more than one class with execute" if several else "no class with an async execute method"
    hint = (
        f'give one of them name = "{printable(unit.name, 80)}"'
        if several
        else "async def execute(self, params: dict) -> dict"
    )
    place = Place(file=unit.place.rpartition("/")[0] + "/" * ("/" in unit.place) + _file_name(unit))
    raise LoadFailed(report("unit-no-execute", place, message, hint=hint, subject=unit.place))


def _file_name(unit: Unit) -> str:
    return unit.file.replace("\\", "/").rpartition("/")[2]


def _gone(unit: Unit) -> Any:
    message = f"{printable(unit.title, 200)} is not in this file any more"
    return report("unit-no-execute", Place(file=unit.place), message, subject=unit.place)


def _positional(function: Callable[..., Any]) -> list[inspect.Parameter]:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [each for each in inspect.signature(function).parameters.values() if each.kind in kinds]
