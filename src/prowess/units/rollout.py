"""What `rollout.toml` says, as values: which version of a unit everybody gets, and who gets a new one.

    format = 1

    [units.query_weather]
    stable = "1.4.2"         # what callers get who ask for no version
    canary = "2.0.0"         # the new version
    percent = 10             # of callers get it
    key = "user"             # who counts as one caller: user, session or request

    [units.query_weather.guard]
    errors = "rollback"      # what happens when it fails more often: rollback, halt or off
    latency = "halt"         # what happens when it is slower

A unit without a table is served in its newest stable version. `halted`, `previous`, `since` and
`reason` are written by `prowess rollout` and by the guard rails. Unknown keys and wrong values are
errors with the file and line. No file is opened here; `rollout_file.py` does that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Any, Literal, get_args

from prowess.choose.versions import parse
from prowess.errors import UsageError
from prowess.provider import Caller
from prowess.redact import printable

FORMAT = 1
LONGEST_TEXT = 2_000

KeyOf = Literal["user", "session", "request"]
Action = Literal["rollback", "halt", "off"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """When a canary is stopped without anybody watching.

    `errors` and `latency` say what happens when it fails more often or is slower than the stable
    version. Nothing happens before `min_calls` calls of each version, nor for a difference of failure
    rates below `tolerance` (in points of a hundred). `false_alarm` is the chance that a canary as
    good as stable is ever stopped, however often it is looked at. A call is slow above `slow_ms`, or
    above `slow_factor` times what nine of ten stable calls need.
    """

    errors: Action = "rollback"
    latency: Action = "halt"
    min_calls: int = 50
    false_alarm: float = 0.01
    tolerance: float = 0.5
    slow_factor: float = 1.5
    slow_ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollout:
    """What is settled about one unit.

    `percent` of callers get `canary` and the others `stable`. `halted` means that the share may not
    be raised until somebody looked. `previous` is the stable version before the last promotion,
    `since` (seconds since 1970) is when the calls begin that the canary is judged by, and `reason`
    is why it was changed last.
    """

    stable: str
    canary: str = ""
    percent: float = 0.0
    key: KeyOf = "user"
    halted: bool = False
    previous: str = ""
    since: float = 0.0
    reason: str = ""
    guard: Guard = field(default_factory=Guard)

    @property
    def running(self) -> bool:
        """Whether anybody gets the canary without asking for it."""
        return bool(self.canary) and self.percent > 0


def key_of(kind: KeyOf, caller: Caller) -> str:
    """What a caller's side is drawn by; empty when nothing about a caller lasts from call to call.

    A rollout key that the caller brings along always counts. Otherwise a user is the principal, and
    a session the conversation, or the principal where there is none.
    """
    if caller.rollout_key:
        return caller.rollout_key
    if kind == "user":
        return caller.principal
    return (caller.conversation or caller.principal) if kind == "session" else ""


class RolloutFault(UsageError):
    """Something in the file is not as it should be; `keys` lead to it from the top."""

    def __init__(self, message: str, *keys: str, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.keys = keys


class _Wrong(Exception):
    """A value of the wrong kind; says what it must be."""


def _version(value: Any) -> str:
    if not isinstance(value, str):
        raise _Wrong('must be a version such as "1.4.2"')
    try:
        parse(value)
    except UsageError as error:
        raise _Wrong(f'must be a version such as "1.4.2": {error.message}') from None
    return value


def _within(low: float, high: float) -> Callable[[Any], float]:
    def read(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise _Wrong(f"must be a number from {low:g} to {high:g}")
        return float(value)

    return read


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 1_000_000:
        raise _Wrong("must be a whole number from 1 to 1000000")
    return value


def _one_of(words: tuple[str, ...]) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in words:
            raise _Wrong(f"must be one of {', '.join(words)}")
        return value

    return read


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _Wrong("must be true or false")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise _Wrong(f"must be a text of at most {LONGEST_TEXT} characters")
    return value


def _moment(value: Any) -> float:
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise _Wrong("must be a date and time with its offset, such as 2026-11-30T09:00:00Z")
    try:
        return max(0.0, value.timestamp())
    except (OverflowError, ValueError):
        raise _Wrong("is out of range") from None


def moment_of(seconds: float) -> datetime:
    """`since` as the file holds it."""
    return datetime.fromtimestamp(seconds, UTC)


Readers = Mapping[str, Callable[[Any], Any]]

_GUARD: Readers = {
    "errors": _one_of(get_args(Action)),
    "latency": _one_of(get_args(Action)),
    "min_calls": _count,
    "false_alarm": _within(1e-6, 0.5),
    "tolerance": _within(0, 100),
    "slow_factor": _within(1, 1_000),
    "slow_ms": _within(0, 86_400_000),
}
_ROLLOUT: Readers = {
    "stable": _version,
    "canary": _version,
    "percent": _within(0, 100),
    "key": _one_of(get_args(KeyOf)),
    "halted": _flag,
    "previous": _version,
    "since": _moment,
    "reason": _text,
}


def rollouts_of(document: Mapping[str, Any]) -> dict[str, Rollout]:
    """The rollouts of a parsed file, by the name of the unit. Raises RolloutFault."""
    _insist_on_format(document)
    for key in document:
        if key not in ("format", "units"):
            raise _unknown(str(key), ("format", "units"), "the file", key)
    tables = document.get("units", {})
    if not isinstance(tables, Mapping):
        raise RolloutFault("units must be a table", "units", hint="write [units.NAME]")
    return {name: _rollout(name, table) for name, table in tables.items()}


def _insist_on_format(document: Mapping[str, Any]) -> None:
    number = document.get("format")
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise RolloutFault("format must be a whole number", "format", hint=f"begin with format = {FORMAT}")
    if number > FORMAT:
        message = f"format {number} is newer than this version of prowess reads ({FORMAT})"
        raise RolloutFault(message, "format", hint="use a newer prowess")


def _rollout(name: str, table: Any) -> Rollout:
    place = f"[units.{printable(name, 80)}]"
    if not isinstance(table, Mapping):
        raise RolloutFault(f"{place} must be a table", "units", name)
    given = {key: value for key, value in table.items() if key != "guard"}
    guard = table.get("guard", {})
    if not isinstance(guard, Mapping):
        raise RolloutFault(f"{place} guard must be a table", "units", name, "guard")
    known = (*_ROLLOUT, "guard")
    values = _read(_ROLLOUT, given, place, ("units", name), known)
    limits = _read(_GUARD, guard, f"[units.{printable(name, 80)}.guard]", ("units", name, "guard"), _GUARD)
    if "stable" not in values:
        raise RolloutFault(f"{place} lacks stable", "units", name, hint='write stable = "1.4.2"')
    return _sound(Rollout(**values, guard=Guard(**limits)), place, name)


def _read(
    readers: Readers, table: Mapping[str, Any], place: str, keys: tuple[str, ...], known: Any
) -> dict[str, Any]:
    values = {}
    for key, value in table.items():
        if key not in readers:
            raise _unknown(str(key), tuple(known), place, *keys, key)
        try:
            values[key] = readers[key](value)
        except _Wrong as wrong:
            found = "" if isinstance(value, Mapping | list) else f"; found {printable(repr(value), 80)}"
            raise RolloutFault(f"{place} {key} {wrong}{found}", *keys, key) from None
    return values


def _unknown(key: str, known: tuple[str, ...], place: str, *keys: str) -> RolloutFault:
    near = get_close_matches(key, known, 1)
    hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
    return RolloutFault(f"{place} has no field {printable(key, 80)}", *keys, hint=hint)


def _sound(rollout: Rollout, place: str, name: str) -> Rollout:
    """The same, unless its fields contradict each other."""
    if not rollout.canary:
        for key in ("percent", "halted"):
            if getattr(rollout, key):
                raise RolloutFault(
                    f"{place} {key} says something of a canary, and there is none", *_at(name, key)
                )
    elif parse(rollout.canary).precedence == parse(rollout.stable).precedence:
        raise RolloutFault(f"{place} canary is the stable version itself", *_at(name, "canary"))
    return rollout


def _at(name: str, key: str) -> tuple[str, str, str]:
    return ("units", name, key)
