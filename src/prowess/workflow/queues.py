"""`[workflows]` of `prowess.toml`: where definitions are, where runs are kept, who runs them, and when.

These are values. What enforces them: `provider` (paths, waiting), `records_database` (the database),
`engine` (queues, workers), `schedules`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from prowess.credentials.sections import Secret
from prowess.errors import UsageError

DEFAULT = "default"  # the queue of what no other queue is for
_NAME = r"[a-z0-9][a-z0-9_-]{0,62}"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueSection:
    """One queue. `workflows` are patterns of the names of those that wait in it.

    `concurrency` is how many of its runs are under way at once over all workers, `per_worker` how many
    in one worker; without them as many as come.
    """

    workflows: tuple[str, ...] = ()
    concurrency: int | None = None
    per_worker: int | None = None

    def __post_init__(self) -> None:
        for name in ("concurrency", "per_worker"):
            number = getattr(self, name)
            if number is not None and not 1 <= number <= 10_000:
                raise UsageError(f"{name} must be from 1 to 10000")
        if self.concurrency is not None and (self.per_worker or 0) > self.concurrency:
            raise UsageError("per_worker must be at most concurrency")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleSection:
    """A run at certain times. `workflow` may be `name@range`; `cron` has five fields, or six: seconds first.

    `timezone` is an IANA name. `input` is JSON: a text, so that every JSON value can be written.
    """

    workflow: str
    cron: str
    timezone: str = "UTC"
    input: str = "{}"

    def __post_init__(self) -> None:
        self.given  # noqa: B018  # raises
        if len(self.cron.split()) not in (5, 6):
            raise UsageError("cron must have five fields, or six", hint='cron = "0 3 * * *"')
        from zoneinfo import ZoneInfo

        try:
            ZoneInfo(self.timezone)
        except (ValueError, OSError, KeyError):
            raise UsageError("timezone must be a name such as Europe/Oslo") from None

    @property
    def given(self) -> dict[str, Any]:
        """The input as a value."""
        import json

        try:
            value = json.loads(self.input)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise UsageError("input must be the JSON of an object", hint="""input = '{"city": "Oslo"}'""")
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowsSection:
    """Workflows that this Host offers, as one server called `workflows`.

    `paths` are workflow files' folders. Runs are kept in the file `sqlite` (this user's own when empty)
    or in the PostgreSQL database whose URL `postgres` names. `work` says whether this process runs them
    itself once one is asked for; without it only `prowess worker` does. A call waits for its run for
    `answer_within` seconds, and is then answered with the run's id. A worker that says nothing for
    `dead_after` seconds is dead, and others go on with its runs.
    """

    paths: tuple[str, ...] = ()
    sqlite: str = ""
    postgres: Secret | None = None
    work: bool = True
    answer_within: float = 20.0
    dead_after: float = 5.0
    queues: Mapping[str, QueueSection] = field(default_factory=dict)
    schedules: Mapping[str, ScheduleSection] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.sqlite and self.postgres is not None:
            raise UsageError("sqlite and postgres cannot both be said")
        if not 0 < self.answer_within <= 3_600:
            raise UsageError("answer_within must be above 0 and at most 3600")
        if not 1 <= self.dead_after <= 3_600:
            raise UsageError("dead_after must be from 1 to 3600")
        for name in ("queues", "schedules"):
            for each in getattr(self, name):
                if not re.fullmatch(_NAME, each):
                    raise UsageError(
                        f"{name} must have names of a-z, 0-9, _ and -", hint=f"[workflows.{name}.night]"
                    )

    def queue_of(self, workflow: str) -> str:
        """The queue that the runs of a workflow wait in: the first one that has it."""
        for name, queue in self.queues.items():
            if any(fnmatchcase(workflow, each) for each in queue.workflows):
                return name
        return DEFAULT
