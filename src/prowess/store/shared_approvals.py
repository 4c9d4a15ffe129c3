"""Requests for approval and their answers in a shared database: asked here, answered anywhere.

The same sentences as `approvals.py`, in PostgreSQL's words. An answer is taken away by the one call that
uses it, whichever process that call is made by.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from prowess.errors import StoreFailed
from prowess.provider import Caller
from prowess.store.approvals import MOST_PENDING
from prowess.store.columns import json_in, json_out
from prowess.store.remembered import ApprovalRequest
from prowess.store.shared import SharedDatabase, name_in, name_out

_FIELDS = "digest, tool, server, arguments, principal, conversation, rollout_key, reason, asked, expires"
# An answer that still holds is not taken away by the same question asked once more.
_ASK = f"""INSERT INTO prowess_approvals AS known ({_FIELDS}) VALUES ({", ".join(["%s"] * 10)})
    ON CONFLICT (digest) DO UPDATE SET
        arguments = excluded.arguments, rollout_key = excluded.rollout_key, reason = excluded.reason,
        asked = excluded.asked, expires = excluded.expires, answer = NULL, until = 0
    WHERE known.answer IS NULL OR known.until <= excluded.asked"""
_OVER = """DELETE FROM prowess_approvals
    WHERE CASE WHEN answer IS NULL THEN expires ELSE until END <= %s AND digest <> %s"""
_TOO_MANY = """DELETE FROM prowess_approvals WHERE answer IS NULL AND digest IN (
    SELECT digest FROM prowess_approvals WHERE answer IS NULL ORDER BY asked DESC, digest OFFSET %s)"""
_COUNT = "SELECT count(*) FROM prowess_approvals WHERE answer IS NULL"
_PENDING = (
    f"SELECT {_FIELDS} FROM prowess_approvals WHERE answer IS NULL AND expires > %s "
    'ORDER BY asked, digest COLLATE "C"'
)
_ANSWER = (
    "UPDATE prowess_approvals SET answer = %s, until = %s "
    "WHERE digest = %s AND answer IS NULL AND expires > %s"
)
_SPEND = "DELETE FROM prowess_approvals WHERE digest = %s AND answer IS NOT NULL RETURNING answer, until"


class SharedApprovals:
    """The approval store of every process that shares a database."""

    def __init__(self, database: SharedDatabase, *, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    async def ask(self, request: ApprovalRequest) -> None:
        """Keep a request; one with the same digest that is already waiting is replaced."""
        row = _row(request)

        def work(connection: Any) -> None:
            connection.execute(_OVER, (request.asked, request.digest))
            connection.execute(_ASK, row)
            if connection.execute(_COUNT).fetchone()[0] > MOST_PENDING:
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
        taken = await self._database.run(lambda connection: connection.execute(_SPEND, (digest,)).fetchone())
        if taken is None:
            return None
        answer, until = taken
        return bool(answer) if now < until else None


def _row(request: ApprovalRequest) -> tuple[Any, ...]:
    caller = request.caller
    who = (caller.principal, caller.conversation, caller.rollout_key)
    return (
        request.digest,
        name_in(request.tool),
        name_in(request.server),
        json_in(request.arguments),
        *(name_in(each) for each in (*who, request.reason)),
        request.asked,
        request.expires,
    )


def _request(row: tuple[Any, ...]) -> ApprovalRequest:
    digest, tool, server, arguments, principal, conversation, rollout_key, reason, asked, expires = row
    try:
        known = json_out(arguments)
    except ValueError:
        raise StoreFailed("a request for approval in the shared store is damaged") from None
    return ApprovalRequest(
        digest=digest,
        tool=name_out(tool),
        server=name_out(server),
        arguments=known,
        caller=Caller(
            principal=name_out(principal),
            conversation=name_out(conversation),
            rollout_key=name_out(rollout_key),
        ),
        reason=name_out(reason),
        asked=asked,
        expires=expires,
    )
