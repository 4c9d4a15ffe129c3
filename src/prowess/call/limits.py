"""The `[limits]` section of `prowess.toml`: how long, how often, how many at once, how large.

Every field acts somewhere on the call path and says here where. It enforces nothing itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fnmatch import fnmatchcase
from math import inf
from typing import Any

from prowess.call.sections import read_section
from prowess.capability.offer import Tool
from prowess.errors import UsageError

# What no setting can exceed: a call that takes longer belongs into a workflow.
HARD_MAXIMUM_SECONDS = 3_600.0
# The `type` of an Offer whose tools are Python functions of this process.
UNIT_TYPES = ("unit", "units")
TIMEOUT_META = "dev.prowess/timeout"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolLimits:
    """Limits of the tools whose name and server match; a field left out keeps the general one."""

    tool: str = "*"
    server: str = "*"
    timeout: float | None = None
    attempts: int | None = None
    result_bytes: int | None = None

    def __post_init__(self) -> None:
        _positive(self)

    def matches(self, tool: Tool) -> bool:
        """Whether these limits are meant for `tool`."""
        return fnmatchcase(tool.name, self.tool) and fnmatchcase(tool.server, self.server)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """All limits of a Host.

    Seconds: `unit_timeout` and `timeout` (everything that is not a unit) for a whole call with all
    its attempts, `max_timeout` for what a caller or a tool may ask for, `max_retry_after` for what a
    server may ask us to wait, `breaker_seconds` for how long an open breaker refuses, `held_seconds`
    for how long the rest of a paged result can be read. Numbers: `attempts` of an idempotent call,
    `breaker_failures` in a row that open a breaker, `per_server` and `per_caller` calls at once.
    Bytes of JSON: `argument_bytes` that are accepted, `result_bytes` of one page, `held_bytes` of
    all results held for reading on. `tools` are exceptions; the first that matches a field wins.
    """

    unit_timeout: float = 5.0
    timeout: float = 60.0
    max_timeout: float = 600.0
    attempts: int = 3
    max_retry_after: float = 30.0
    breaker_failures: int = 5
    breaker_seconds: float = 30.0
    per_server: int = 16
    per_caller: int = 16
    argument_bytes: int = 1_000_000
    result_bytes: int = 100_000
    held_bytes: int = 50_000_000
    held_seconds: float = 600.0
    tools: tuple[ToolLimits, ...] = ()

    def __post_init__(self) -> None:
        _positive(self)
        if self.max_timeout > HARD_MAXIMUM_SECONDS:
            raise UsageError(f"max_timeout must be at most {HARD_MAXIMUM_SECONDS:.0f} seconds")
        if self.attempts > 3:
            raise UsageError("attempts must be at most 3", hint="more attempts only make an outage longer")

    @classmethod
    def from_mapping(cls, mapping: object) -> Limits:
        """The section as TOML gives it; unknown keys and wrong types raise UsageError."""
        return read_section(cls, mapping, "[limits]")

    def timeout_of(self, tool: Tool, kind: str, asked: float | None = None) -> float:
        """Seconds for one call: what the caller asks, a rule, the tool itself, or the general limit."""
        if asked is not None and not asked > 0:
            raise UsageError("timeout must be above 0 seconds")
        general = self.unit_timeout if kind in UNIT_TYPES else self.timeout
        seconds = asked or self._exception(tool, "timeout") or _declared(tool) or general
        return float(min(seconds, self.max_timeout))

    def attempts_of(self, tool: Tool) -> int:
        """Attempts at most, for a tool that may be tried again."""
        return min(3, int(self._exception(tool, "attempts") or self.attempts))

    def result_bytes_of(self, tool: Tool) -> int:
        """The size of one page of this tool's result."""
        return int(self._exception(tool, "result_bytes") or self.result_bytes)

    def _exception(self, tool: Tool, name: str) -> Any:
        matching = (getattr(each, name) for each in self.tools if each.matches(tool))
        return next((value for value in matching if value is not None), None)


def _positive(section: Any) -> None:
    for each in fields(section):
        value = getattr(section, each.name)
        if isinstance(value, int | float) and not 0 < value < inf:
            raise UsageError(f"{each.name} must be {'a number with an end' if value == inf else 'above 0'}")


def _declared(tool: Tool) -> float | None:
    """The seconds that the tool's own metadata asks for (`_meta`, `dev.prowess/timeout`)."""
    meta = tool.wire.get("_meta")
    value = meta.get(TIMEOUT_META) if isinstance(meta, Mapping) else None
    if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
        return float(value)
    return None
