"""The public base class of a unit in a folder; it may be inherited and need not be.

`from prowess import SkillUnit`, or `from skills.base import Skill` while a unit loads.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, ClassVar

from prowess.errors import UsageError
from prowess.units.model import UnitContext

CONTEXT: ContextVar[UnitContext | None] = ContextVar("prowess_unit_context", default=None)


class SkillUnit:
    """A unit: metadata, a check of its own, and what it does.

    `validate` sees parameters that fit the schema already; it answers True or None when they are
    fine, False or a sentence when they are not. `execute` takes and gives plain dictionaries.
    """

    name: ClassVar[str] = ""
    description: ClassVar[str] = ""
    parameters: ClassVar[Mapping[str, Any]] = {}

    @property
    def ctx(self) -> UnitContext:
        """What the call that runs now may work with. Raises UsageError outside of a call."""
        context = CONTEXT.get()
        if context is None:
            raise UsageError("there is no context: no call is running here")
        return context

    def validate(self, params: dict[str, Any]) -> bool | str | None:
        """What no schema can say about the parameters; nothing by default."""
        return True

    async def execute(self, params: dict[str, Any]) -> dict[str, Any]:
        """Do it."""
        raise UsageError(f"{type(self).__name__} has no execute", hint="async def execute(self, params)")
