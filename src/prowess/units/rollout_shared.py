"""What is rolled out as a text in the shared store, the same for every process that uses it.

The `rollout.toml` of a machine is what the text begins as: until somebody changes the rollout there is
none in the store, and each file counts. From then on the store says, and the files say nothing.
"""

from __future__ import annotations

from prowess.redact import printable
from prowess.store.shared import SharedDatabase
from prowess.store.shared_texts import SharedTexts, Text
from prowess.units.rollout import Rollout
from prowess.units.rollout_file import Decide, read_file
from prowess.units.rollout_place import FilePlace, Settled
from prowess.units.rollout_text import edited, read_text


class SharedPlace:
    """The text of `scope`; `file` is the `rollout.toml` that it begins as."""

    def __init__(self, database: SharedDatabase, *, scope: str, file: str) -> None:
        self._texts = SharedTexts(database)
        self._scope = scope
        self._file = file
        self._before = FilePlace(file)
        self._known = Text()
        self._read = 0

    def changed(self, now: float) -> bool:
        """Whether the store, or the file while the store says nothing, says something else."""
        return self._known.number != self._read if self._known.number else self._before.changed(now)

    def read(self) -> dict[str, Rollout] | None:
        """What was said when it was looked at last."""
        self._read = self._known.number
        if not self._known.number:
            return self._before.read()
        return read_text(self._known.text, self._name)

    async def refresh(self) -> None:
        """Look at the store. Raises StoreFailed; what was known holds on."""
        self._heard(await self._texts.read(self._scope))

    async def change(self, unit: str, decide: Decide) -> Settled:
        """Change the text for every process."""

        def decided(now: Text) -> tuple[str | None, Settled]:
            text = now.text if now.number else read_file(self._file) or ""
            before = read_text(text, self._name).get(unit) if text.strip() else None
            changes = decide(before)
            if changes is None:
                return None, (before, before)
            new = edited(text, unit, changes)
            return new, (before, read_text(new, self._name)[unit])

        text, settled = await self._texts.change(self._scope, decided)
        self._heard(text)
        return settled

    def _heard(self, text: Text) -> None:
        if text.number >= self._known.number:  # what comes late says nothing new
            self._known = text

    @property
    def _name(self) -> str:
        return f"the rollouts of {printable(self._scope, 300)} in the shared store"
