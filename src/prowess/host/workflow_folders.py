"""The workflows of a Host: one Provider for all folders, given the Host's own call path.

Whatever a step calls goes the way of every other call; what a run keeps is masked as every record is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from prowess.provider import Provider
from prowess.workflow.queues import WorkflowsSection

if TYPE_CHECKING:
    from prowess.host.calling import Calling
    from prowess.workflow.provider import WorkflowProvider

LABEL = "workflows"


def provider(section: WorkflowsSection, calling: Calling) -> WorkflowProvider:
    """The Provider of all workflows of this Host. Nothing is opened before it is used."""
    from prowess.call.redaction import redacted
    from prowess.workflow.provider import WorkflowProvider

    def clean(value: Any) -> Any:
        return redacted(value, calling.secrets.written)

    return WorkflowProvider(section, path=lambda: calling.path, clean=clean, log=calling.log)


def of(providers: Iterable[Provider]) -> WorkflowProvider | None:
    """The one among some providers."""
    found = next((each for each in providers if each.label == LABEL), None)
    return found if hasattr(found, "workflows") else None  # type: ignore[return-value]  # told by its label
