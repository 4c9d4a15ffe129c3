"""Units as a Provider: offered like the tools of any server, run in this process.

The call path has judged the parameters, the policy and the time before anything comes here, and
judges the result afterwards; none of that is done twice. What a unit may reach is the matter of the
context that it is given.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from prowess.capability.change import Change
from prowess.capability.offer import Offer, Tool
from prowess.errors import ProwessError
from prowess.provider import Answered, Caller, Invocation, Outcome, Refused, ToolFailed
from prowess.redact import printable
from prowess.units.failures import outcome_of
from prowess.units.loading import LoadFailed
from prowess.units.model import ContextOf, Unit, UnitContext, VersionChoice
from prowess.units.offering import VERSION_META
from prowess.units.registry import Registry, newest
from prowess.units.running import BadResult
from prowess.units.skill_class import CONTEXT
from prowess.units.watching import Watching

if TYPE_CHECKING:
    from prowess.units.guarding import GuardRails

TYPE = "units"

OnChange = Callable[[Sequence[Change]], None]


class UnitProvider:
    """The units below some folders, as one server called `label`.

    `contexts` makes what each call is given; `choice` says which version a caller gets. With
    `on_change` the folders are watched, and it hears what each reload changed. `rails` watch the
    canaries of a rollout while the provider is open.
    """

    def __init__(
        self,
        roots: Sequence[str],
        contexts: ContextOf,
        *,
        label: str = "units",
        choice: VersionChoice = newest,
        on_change: OnChange | None = None,
        rails: GuardRails | None = None,
    ) -> None:
        self._label = label
        self._rails = rails
        self._contexts = contexts
        self.registry = Registry(roots, label=label, choice=choice)
        self._watching = None if on_change is None else Watching(self.registry, on_change)
        self._open = False
        self._offered: Offer | None = None

    @property
    def label(self) -> str:
        """The id that its tools carry as `server`."""
        return self._label

    async def open(self) -> Offer:
        """Find every unit; folder units are read and not imported."""
        await asyncio.to_thread(self.registry.refresh)
        self._open = True
        if self._watching is not None:
            await self._watching.begin()
        if self._rails is not None:
            await self._rails.begin()
        return self.offer()

    def offer(self) -> Offer:
        """One tool for each name, while open; broken units are notes."""
        if not self._open:
            return Offer(id=self._label, type=TYPE, status="not-started", reason="not opened yet")
        tools = self.registry.tools
        if self._offered is None or self._offered.tools is not tools:
            self._offered = self._made(tools)
        return self._offered

    def resolve(self, tool: str, asked: str, caller: Caller) -> Tool:
        """The version of a tool that this caller gets. Raises NotFound and UsageError."""
        return self.registry.resolve(tool, asked, caller)

    def versions(self, tool: str) -> tuple[Tool, ...]:
        """Every version of a tool, the oldest first."""
        return tuple(self.registry.tool(tool, each) for each in self.registry.versions_of(tool))

    async def call(self, invocation: Invocation) -> Outcome:
        """Run one version of a unit. Raises NotFound."""
        asked = str(invocation.meta.get(VERSION_META, ""))
        tool = self.registry.resolve(invocation.tool, asked, invocation.caller)
        if not self._open:
            return Refused(reason=f"{printable(self._label)} is not open", code="not-open")
        unit = self.registry.unit(tool.name, str(tool.wire["_meta"][VERSION_META]))
        runner = self.registry.runner(unit)
        if runner is None:
            try:
                runner = await asyncio.to_thread(self.registry.load, unit)
            except LoadFailed as failed:
                reason = f"{printable(unit.title)} cannot be loaded: {failed.message}"
                return Refused(code=failed.code, reason=reason)
        async with self._contexts(unit, invocation) as context:
            return await _ran(unit, runner.run, dict(invocation.arguments), context)

    async def close(self) -> None:
        """Stop watching and forget what was imported."""
        self._open = False
        if self._watching is not None:
            await self._watching.end()
        if self._rails is not None:
            await self._rails.end()
        self.registry.close()

    def _made(self, tools: tuple[Tool, ...]) -> Offer:
        failed = self.registry.failed
        notes = tuple(f"{each.place}: {each.message}" for each in self.registry.diagnostics)
        if failed and not tools:
            reason = "; ".join(failed)
            return Offer(
                id=self._label,
                type=TYPE,
                status="failed",
                reason=reason,
                reason_code="unreadable",
                notes=notes,
            )
        return Offer(id=self._label, type=TYPE, status="connected", tools=tools, notes=(*failed, *notes))


async def _ran(unit: Unit, run: Callable[..., Any], params: dict[str, Any], context: UnitContext) -> Outcome:
    token = CONTEXT.set(context)
    try:
        value = await run(params, context)
    except BadResult as error:
        return ToolFailed(message=f"{printable(unit.title)}: {error.message}")
    except ProwessError as error:
        return outcome_of(error)
    except (Exception, SystemExit) as error:  # noqa: BLE001  # boundary: what a unit raises is its own failure
        stack = "".join(traceback.format_exception(error))
        context.log("unit-exception", unit=unit.title, error=type(error).__name__, stack=stack)
        return outcome_of(error)
    finally:
        CONTEXT.reset(token)
    return Answered(value=value, wire={"structuredContent": value})
