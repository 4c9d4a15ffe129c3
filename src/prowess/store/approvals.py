"""Requests for approval and their answers in the database, where another process can give them.

One row a request, known by the digest that binds it to tool, definition, arguments and caller. An
answer is used up by the call it was given for, and neither a request nor an answer outlives its
time. It does not know how a digest is made.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from typing import Any

from prowess.errors import StoreFailed
from prowess.provider import Caller
from prowess.store.columns import json_in, json_out, text_in, text_out
from prowess.store.database import Database
from prowess.store.opening import transaction
from prowess.store.remembered import ApprovalRequest

# More than a person will ever look at; a model in a loop must not fill the disk.
MOST_PENDING = 1_000

_FIELDS = "digest, tool, server, arguments, principal, conversation, rollout_key, reason, asked, expires"
# An answer that still holds is not taken away by the same question asked once more.
_ASK = f"""INSERT INTO approvals ({_FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (digest) DO UPDATE SET
        arguments = excluded.arguments, rollout_key = excluded.rollout_key, reason = excluded.reason,
        asked = excluded.asked, expires = excluded.expires, answer = NULL, until = 0
    WHERE answer IS NULL OR until <= excluded.asked"""
_OVER = """DELETE FROM approvals
    WHERE CASE WHEN answer IS NULL THEN expires ELSE until END <= ? AND digest <> ?"""
_TOO_MANY = """DELETE FROM approvals WHERE answer IS NULL AND digest IN (
    SELECT digest FROM approvals WHERE answer IS NULL ORDER BY asked DESC, digest LIMIT -1 OFFSET ?)"""
_PENDING = f"SELECT {_FIELDS} FROM approvals WHERE answer IS NULL AND expires > ? ORDER BY asked, digest"
_ANSWER = "UPDATE approvals SET answer = ?, until = ? WHERE digest = ? AND answer IS NULL AND expires > ?"
_SPEND = "DELETE FROM approvals WHERE digest = ? AND answer IS NOT NULL RETURNING answer, until"


class Approvals:
    """The approval store that every process of this user shares."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    async def ask(self, request: ApprovalRequest) -> None:
        """Keep a request; one with the same digest that is already waiting is replaced."""
        row = _row(request)

        def work(connection: sqlite3.Connection) -> None:
            with transaction(connection):
                connection.execute(_OVER, (request.asked, request.digest))
                connection.execute(_ASK, row)
                connection.execute(_TOO_MANY, (MOST_PENDING,))

        await self._database.run(work)

    async def pending(self) -> tuple[ApprovalRequest, ...]:
        """Requests without an answer whose time is not over, the oldest first."""
        now = self._clock()
        rows = await self._database.run(lambda connection: connection.execute(_PENDING, (now,)).fetchall())
        return tuple(_request(row) for row in rows)

    async def answer(self, digest: str, approved: bool, *, until: float) -> bool:
        """Answer a request; an approval is good until `until`. False when nobody asked, or too long ago."""
        values = (int(approved), until, digest, self._clock())
        return await self._database.run(lambda connection: connection.execute(_ANSWER, values).rowcount == 1)

    async def spend(self, digest: str, *, now: float) -> bool | None:
        """Take the answer away and say it: approved, denied, or None when there is none that still holds."""
        taken = await self._database.run(
            lambda connection: (
                connection.execute(_SPEND, (digest,)).fetchall() if _known(connection, digest) else []
            )
        )
        if not taken:
            return None
        answer, until = taken[0]
        return bool(answer) if now < until else None


def _known(connection: sqlite3.Connection, digest: str) -> bool:
    """Whether there is a row at all: looking takes no lock, and mostly there is none."""
    found = connection.execute("SELECT 1 FROM approvals WHERE digest = ?", (digest,)).fetchone()
    return found is not None


def _row(request: ApprovalRequest) -> tuple[Any, ...]:
    caller = request.caller
    who = (text_in(caller.principal), text_in(caller.conversation), text_in(caller.rollout_key))
    names = (request.digest, text_in(request.tool), text_in(request.server), json_in(request.arguments))
    return (*names, *who, text_in(request.reason), request.asked, request.expires)


def _request(row: tuple[Any, ...]) -> ApprovalRequest:
    digest, tool, server, arguments, principal, conversation, rollout_key, reason, asked, expires = row
    try:
        known = json_out(arguments)
    except ValueError:
        raise StoreFailed("a request for approval is damaged; it cannot be answered") from None
    caller = Caller(
        principal=text_out(principal),
        conversation=text_out(conversation),
        rollout_key=text_out(rollout_key),
    )
    return ApprovalRequest(
        digest=digest,
        tool=text_out(tool),
        server=text_out(server),
        arguments=known,
        caller=caller,
        reason=text_out(reason),
        asked=asked,
        expires=expires,
    )
