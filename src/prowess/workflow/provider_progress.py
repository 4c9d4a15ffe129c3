"""What a client that listens hears while its run goes on: a line for each step that ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prowess.provider import Invocation
from prowess.redact import printable
from prowess.workflow.records import Run, StepRow


class Progress:
    """Tells the client of one call, where there is one that listens."""

    def __init__(self, invocation: Invocation | None) -> None:
        self._peer = None if invocation is None else invocation.peer
        self._told = -1

    async def tell(self, run: Run, steps: Mapping[str, StepRow]) -> None:
        """Say how far the run is, when it is further than it was."""
        if self._peer is None or not self._peer.wants_progress:
            return
        over = [
            each
            for each in steps.values()
            if each.state not in ("started", "waiting") and "?" not in each.step
        ]
        if len(over) <= self._told:
            return
        self._told = len(over)
        total = len(run.definition["workflow"]["steps"])
        last = f"{printable(over[-1].step, 80)} {over[-1].state}" if over else "begun"
        params: dict[str, Any] = {"progress": len(over), "message": f"run {run.run}: {last}"}
        if all("/" not in each.step and "[" not in each.step for each in over) and len(over) <= total:
            params["total"] = total
        await self._peer.progress(params)
