"""Asking a person before a call: now through an approver, or beforehand through the store.

An approval is bound to the digest of tool, definition, arguments and caller: other arguments, a
changed tool or another caller need another. It is good for one call and for a limited time. Without
an approver the request stays in the store, where another process (a console) can answer it, and the
call is refused at once. Whatever cannot be read or asked refuses.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from prowess.call.clock import Clock
from prowess.call.policy import Policy, how_to_allow
from prowess.capability.canonical import digest
from prowess.capability.offer import Tool
from prowess.errors import why
from prowess.provider import Caller, Refused
from prowess.redact import printable
from prowess.store.remembered import ApprovalRequest

# More than a person will ever look at; a model in a loop must not fill the memory.
MOST_PENDING = 1_000


class Approver(Protocol):
    """Somebody to ask while the call waits: a prompt in a terminal, a callback of a library."""

    async def approve(self, request: ApprovalRequest) -> bool:
        """True lets this one call through."""
        ...


class ApprovalStore(Protocol):
    """Requests and their answers where another process can see them."""

    async def ask(self, request: ApprovalRequest) -> None:
        """Keep a request; one with the same digest that is already waiting is replaced."""
        ...

    async def pending(self) -> tuple[ApprovalRequest, ...]:
        """Requests without an answer, the oldest first."""
        ...

    async def answer(self, digest: str, approved: bool, *, until: float) -> bool:
        """Answer a request; an approval is good until `until`. False when nobody asked."""
        ...

    async def spend(self, digest: str, *, now: float) -> bool | None:
        """Take the answer away and say it: approved, denied, or None when there is none that still holds."""
        ...


class MemoryApprovals:
    """The in-memory twin of the approval store."""

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._pending: dict[str, ApprovalRequest] = {}
        self._answers: dict[str, tuple[bool, float]] = {}

    async def ask(self, request: ApprovalRequest) -> None:
        """Keep a request."""
        self._drop_expired(request.asked, request.digest)
        if request.digest in self._answers:
            return  # an answer that still holds is not taken away by the same question asked once more
        self._pending.pop(request.digest, None)
        self._pending[request.digest] = request
        if len(self._pending) > MOST_PENDING:
            del self._pending[next(iter(self._pending))]

    async def pending(self) -> tuple[ApprovalRequest, ...]:
        """Requests without an answer whose time is not over, the oldest first."""
        now = self._clock()
        waiting = [each for each in self._pending.values() if now < each.expires]
        return tuple(sorted(waiting, key=lambda each: (each.asked, each.digest)))

    async def answer(self, digest: str, approved: bool, *, until: float) -> bool:
        """Answer a request."""
        request = self._pending.get(digest)
        if request is None or request.expires <= self._clock():
            return False
        del self._pending[digest]
        self._answers[digest] = (approved, until)
        return True

    async def spend(self, digest: str, *, now: float) -> bool | None:
        """Take the answer away and say it."""
        approved, until = self._answers.pop(digest, (False, 0.0))
        return approved if now < until else None

    def _drop_expired(self, now: float, but: str) -> None:
        """Neither a request nor an answer outlives its time; `but` is the digest that is asked now."""
        over = [each for each, request in self._pending.items() if request.expires <= now and each != but]
        for each in over:
            del self._pending[each]
        for each in [each for each, (_, until) in self._answers.items() if until <= now]:
            del self._answers[each]


def approval_digest(tool: Tool, definition: str, arguments: Mapping[str, Any], caller: Caller) -> str:
    """What an approval is bound to. `definition` is the digest of the tool's definition."""
    who = {"principal": caller.principal, "conversation": caller.conversation}
    bound = {
        "server": tool.server,
        "tool": tool.name,
        "definition": definition,
        "arguments": arguments,
        "caller": who,
    }
    return digest(bound)


class Approvals:
    """The question put, and its answer as a refusal or leave to go on."""

    def __init__(
        self,
        policy: Policy,
        clock: Clock,
        approver: Approver | None,
        store: ApprovalStore | None,
        command: str = "",
    ) -> None:
        """`command` is what a person runs, with the request's id, to approve from another process."""
        self._policy = policy
        self._clock = clock
        self._approver = approver
        self._store = store
        self._command = command

    async def refusal(
        self, tool: Tool, request: ApprovalRequest, present: Approver | None = None
    ) -> Refused | None:
        """None when the call was approved; who is `present` is asked before anybody else."""
        approver = present or self._approver
        try:
            given = await self._store.spend(request.digest, now=self._clock.now()) if self._store else None
        except Exception as error:  # noqa: BLE001  # boundary: a store that cannot be read approves nothing
            return _closed("approvals cannot be read", error)
        if given is None and approver is not None:
            return await self._ask(approver, tool, request)
        if given is None:
            return await self._leave(tool, request)
        return None if given else _denied(tool)

    async def _ask(self, approver: Approver, tool: Tool, request: ApprovalRequest) -> Refused | None:
        asking = asyncio.ensure_future(approver.approve(request))
        try:
            if not await self._clock.settled(asking, self._policy.approver_seconds):
                return Refused(
                    code="approval-timeout", reason=f"nobody approved {_name(tool)} in time; ask again later"
                )
            return None if asking.result() is True else _denied(tool)
        except Exception as error:  # noqa: BLE001  # boundary: an approver that fails approves nothing
            return _closed("the approver failed", error)
        finally:
            asking.cancel()

    async def _leave(self, tool: Tool, request: ApprovalRequest) -> Refused:
        """Nobody to ask: say so at once, and leave the request where it can be answered."""
        way = how_to_allow(tool)
        if self._store is not None:
            try:
                await self._store.ask(request)
            except Exception as error:  # noqa: BLE001  # boundary: the call is refused either way
                return _closed("approvals cannot be kept", error)
            short = request.digest.removeprefix("sha256:")[:12]
            how = f"run `{self._command} {short}`" if self._command else f"approve request {short}"
            way = f"{how} and call again with the same arguments, or {way}"
        reason = f"{_name(tool)} needs approval ({request.reason}) and nobody is here to give it: {way}"
        return Refused(code="approval-needed", reason=reason)


def _name(tool: Tool) -> str:
    return f"`{printable(tool.name)}` of {printable(tool.server)}"


def _denied(tool: Tool) -> Refused:
    return Refused(
        code="approval-denied",
        reason=f"{_name(tool)} was not approved; do not call it again with these arguments",
    )


def _closed(what: str, error: Exception) -> Refused:
    return Refused(
        code="approvals-unavailable",
        reason=f"{what}, so nothing that needs approval runs: {why(error)}",
    )
