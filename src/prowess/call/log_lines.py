"""The log events of calls as lines of JSON, through structlog, to stderr or to a file of bounded size.

A Sink (`recording.py`): what comes here has been redacted already. A line holds `timestamp`, `level`,
`event`, `trace`, `call` and the event's own fields, everything outside ASCII escaped, so that no
text of a server's reaches a terminal as control characters. structlog is imported with the first line.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from prowess.call.log_file import LogFile
from prowess.errors import UsageError

LONGEST_LINE = 100_000  # characters; a longer event keeps the beginning of each of its fields
BEGINNING = 4_000
ERRORS = frozenset({"call-exception"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSection:
    """`[log]` of `prowess.toml`: where lines go; none are written unless `to` says where.

    `to` is `stderr` or a file's path, `max_bytes` the size at which a file is put aside, `kept` how
    many of those put aside are kept.
    """

    to: str = ""
    max_bytes: int = 10_000_000
    kept: int = 5

    def __post_init__(self) -> None:
        if self.max_bytes < LONGEST_LINE:
            raise UsageError(f"max_bytes must be at least {LONGEST_LINE}")
        if not 0 <= self.kept <= 1_000:
            raise UsageError("kept must be from 0 to 1000")

    def lines(self) -> LogLines | None:
        """The sink that this section asks for; the caller closes it."""
        return LogLines(self.to, max_bytes=self.max_bytes, kept=self.kept) if self.to else None


class Target(Protocol):
    """Where lines go."""

    def write(self, line: str) -> None:
        """Write one line, its newline included."""
        ...

    def close(self) -> None:
        """No more lines."""
        ...


class Stderr:
    """Whatever is stderr when a line is written."""

    def write(self, line: str) -> None:
        """Write one line."""
        sys.stderr.write(line)
        sys.stderr.flush()

    def close(self) -> None:
        """Leave stderr as it is."""


class LogLines:
    """A sink that writes each event as one line of JSON. Call `close` at the end, or use it in a `with`."""

    def __init__(self, to: str = "stderr", *, max_bytes: int = 10_000_000, kept: int = 5) -> None:
        """`to` is `stderr` or the path of a file."""
        self._target: Target = Stderr() if to == "stderr" else LogFile(to, max_bytes=max_bytes, kept=kept)
        self._lock = threading.Lock()
        self._logger: Any = None

    def __call__(self, event: Mapping[str, Any]) -> None:
        """Write one event."""
        fields = dict(event)
        name = str(fields.pop("event", ""))
        with self._lock:
            if self._logger is None:
                self._logger = _logger(self._target)
            (self._logger.error if name in ERRORS else self._logger.info)(name, **fields)

    def close(self) -> None:
        """No more lines."""
        with self._lock:
            self._target.close()

    def __enter__(self) -> LogLines:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _logger(target: Target) -> Any:
    import structlog

    return structlog.wrap_logger(
        _Writing(target),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _rendered,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(0),
    )


class _Writing:
    """What structlog calls a logger: one method for each level."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def info(self, line: str) -> None:
        self._target.write(line + "\n")

    error = info


def _rendered(logger: Any, method: str, event: Mapping[str, Any]) -> str:
    first = {key: event[key] for key in ("timestamp", "level", "event")}  # where people look
    event = {**first, **event}
    line = _json(event)
    if len(line) <= LONGEST_LINE:
        return line
    return _json({key: _beginning(value) for key, value in event.items()})


def _json(value: Any) -> str:
    try:
        return json.dumps(value, allow_nan=False, default=str)
    except (ValueError, TypeError, RecursionError):  # NaN, keys that are no text, too deep
        return json.dumps({key: _plain(each) for key, each in value.items()}, default=str)


def _plain(value: Any) -> Any:
    try:
        json.dumps(value, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        return repr(value)[:BEGINNING]
    return value


def _beginning(value: Any) -> Any:
    text = value if isinstance(value, str) else _json({"value": value})[len('{"value": ') : -1]
    if len(text) <= BEGINNING:
        return value
    return {"characters": len(text), "begins": text[:BEGINNING]}
