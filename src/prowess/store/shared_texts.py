"""One text for each scope in a shared database, changed by one process at a time: what is rolled out.

Each change gives it the next number, so that a reader sees at a glance whether there was one. It does
not know what the text says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from prowess.store.shared import SharedDatabase, key_of, name_in, name_out

T = TypeVar("T")

_READ = "SELECT number, text FROM prowess_rollouts WHERE key = %s"
_BEGIN = (
    "INSERT INTO prowess_rollouts (key, scope, number, text) VALUES (%s, %s, 0, '') ON CONFLICT DO NOTHING"
)
_WRITE = "UPDATE prowess_rollouts SET number = number + 1, text = %s WHERE key = %s"


class Text(NamedTuple):
    """What a scope says; number 0 is one that nobody has written yet."""

    number: int = 0
    text: str = ""


class SharedTexts:
    """The texts of every process that shares a database."""

    def __init__(self, database: SharedDatabase) -> None:
        self._database = database

    async def read(self, scope: str) -> Text:
        """The text of a scope. Raises StoreFailed."""
        key = (key_of(scope),)
        return await self._database.run(lambda connection: _text(connection.execute(_READ, key).fetchone()))

    async def change(self, scope: str, decide: Callable[[Text], tuple[str | None, T]]) -> tuple[Text, T]:
        """Have `decide` say the new text (None for no change), and something to hand back.

        Nobody else changes it meanwhile. It is called in a thread; what it raises is raised, and nothing
        is changed then.
        """
        key = (key_of(scope),)

        def work(connection: Any) -> tuple[Text, T]:
            connection.execute(_BEGIN, (*key, name_in(scope)))
            before = _text(connection.execute(f"{_READ} FOR UPDATE", key).fetchone())
            new, answer = decide(before)
            if new is None:
                return before, answer
            connection.execute(_WRITE, (name_in(new), *key))
            return Text(before.number + 1, new), answer

        return await self._database.run(work)


def _text(row: tuple[int, str] | None) -> Text:
    return Text() if row is None else Text(row[0], name_out(row[1]))
