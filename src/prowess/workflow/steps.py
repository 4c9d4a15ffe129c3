"""The journal of one run: what its steps did before, and what they do now, written before it is built upon.

A call that must not happen twice has its row before it is made, one that may has it afterwards. A row
of a call that began and did not end is nobody's to repeat: `Unknown`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from prowess.errors import ProwessError
from prowess.workflow import records_runs as runs
from prowess.workflow.records import Kind, NotJson, Run, StepRow, read, written
from prowess.workflow.records_database import RunDatabase
from prowess.workflow.scope import Ended

Clean = Callable[[Any], Any]


class StepFailed(ProwessError):
    """A step ended without a result; `code` and `message` are what the definition sees as its error."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    @property
    def error(self) -> dict[str, str]:
        """The error as expressions see it."""
        return {"code": self.code, "message": self.message}


class Unknown(ProwessError):
    """A step may have acted, and nobody knows: a person has to look."""

    code = "needs-attention"

    def __init__(self, step: str, message: str) -> None:
        super().__init__(message)
        self.step = step


class Journal:
    """Reads and writes the steps of a run that this process owns. `clean` masks what must not be kept."""

    def __init__(self, database: RunDatabase, run: Run, rows: Mapping[str, StepRow], clean: Clean) -> None:
        self.run = run
        self.clean = clean
        self._database = database
        self._rows = dict(rows)

    def known(self, step: str) -> StepRow | None:
        """What is on record of a step."""
        return self._rows.get(step)

    def over(self, step: str) -> Ended | None:
        """How a step ended, if it did. Raises StepFailed as it did then, Unknown for one that only began."""
        row = self._rows.get(step)
        if row is None or row.state == "waiting":
            return None
        if row.state == "failed":
            raise StepFailed(row.value["code"], row.value["message"])
        if row.state == "started":
            raise Unknown(step, why_unknown(row))
        return Ended(status="skipped" if row.state == "skipped" else "completed", result=row.value)

    async def began(self, step: str, what: str) -> None:
        """A call is about to be made that must not be made twice. Raises Unknown and Superseded."""
        first = await self._database.run(
            lambda rows: runs.begin(rows, self.run, step, "call", "started", {"what": what}), sure=True
        )
        if not first:
            raise Unknown(step, f"{what}: another worker began it at the same time")

    async def finished(self, step: str, value: Any, *, began: bool) -> Any:
        """A call gave a result: the result as it is kept. Raises StepFailed for what is not JSON."""
        try:
            kept = read(written(self.clean(value)))
        except (NotJson, RecursionError):
            failed = StepFailed("not-json", "the result is no JSON value")
            raise await self.failed(step, failed, began=began) from None
        await self._ended(step, "completed", kept, began)
        return kept

    async def failed(self, step: str, error: StepFailed, *, began: bool) -> StepFailed:
        """A call ended without a result; the error as it is kept, which is the one to raise."""
        kept = self.clean(error.error)
        await self._ended(step, "failed", kept, began)
        return StepFailed(kept["code"], kept["message"])

    async def _ended(self, step: str, state: Any, value: Any, began: bool) -> None:
        if began:
            await self._database.run(lambda rows: runs.finish(rows, self.run, step, state, value), sure=True)
        else:
            await self._put(step, "call", state, value)

    async def skipped(self, step: str) -> None:
        """A step was skipped."""
        await self._put(step, "skip", "skipped", None)

    async def noted(self, step: str, what: str, why: str) -> None:
        """Why the end of a call is not known."""
        value = self.clean({"what": what, "why": why})
        await self._database.run(lambda rows: runs.note(rows, self.run, step, value), sure=True)

    async def waits(self, step: str, kind: Kind, value: Mapping[str, Any]) -> Mapping[str, Any]:
        """A step waits; what for, as it was said the first time."""
        row = self._rows.get(step)
        if row is not None:
            said: Mapping[str, Any] = row.value
            return said
        kept = read(written(self.clean(dict(value))))
        await self._put(step, kind, "waiting", kept, sure=True)
        return dict(kept)

    async def look(self, step: str) -> StepRow | None:
        """A step as it is on record now."""
        rows = await self._database.run(lambda rows: runs.steps_of(rows, self.run.run), look=True)
        self._rows.update({step: rows[step]} if step in rows else {})
        return rows.get(step)

    async def came(self, step: str, name: str) -> bool:
        """Whether an event is there that a step waits for; it is its result then."""
        return await self._database.run(lambda rows: runs.take_event(rows, self.run, step, name), sure=True)

    async def settled(self, step: str, state: Any, value: Any) -> None:
        """The time of a step that waits has come."""
        await self._database.run(lambda rows: runs.settle(rows, self.run, step, state, value), sure=True)

    async def _put(self, step: str, kind: Kind, state: Any, value: Any, *, sure: bool = False) -> None:
        await self._database.run(lambda rows: runs.begin(rows, self.run, step, kind, state, value), sure=sure)


def why_unknown(row: StepRow) -> str:
    """What is not known about a step that began."""
    value = row.value if isinstance(row.value, dict) else {}
    what = value.get("what", "the call")
    return f"{what}: {value.get('why', 'its worker stopped while the call was under way')}; it may have acted"
