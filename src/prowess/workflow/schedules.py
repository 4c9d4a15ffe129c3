"""Runs at certain times: `[workflows.schedules]` as schedules of the engine.

One moment of a schedule is one run, however many workers there are: its id is made of both.
"""

from __future__ import annotations

import hashlib
from typing import Any

from prowess.errors import UsageError
from prowess.redact import printable
from prowess.workflow.queues import WorkflowsSection


def run_id(name: str, at: str) -> str:
    """The id of the run of one moment."""
    return hashlib.sha256(f"{name}\n{at}".encode()).hexdigest()[:16]


def apply(dbos: Any, fire: Any, section: WorkflowsSection) -> None:
    """Make the engine's schedules those of the section. Raises UsageError for a cron that there is not."""
    for name in {each["schedule_name"] for each in dbos.list_schedules()} - set(section.schedules):
        dbos.delete_schedule(name)
    wanted = [
        {
            "schedule_name": name,
            "workflow_fn": fire,
            "schedule": each.cron,
            "context": name,
            "cron_timezone": each.timezone,
        }
        for name, each in section.schedules.items()
    ]
    try:
        dbos.apply_schedules(wanted)
    except Exception as error:  # noqa: BLE001  # boundary: what DBOS cannot read
        raise UsageError(f"[workflows.schedules] {printable(str(error), 300)}") from None
