"""Calls that wait for approval: who wants what with which arguments (redacted), and a person's answer.

An answer lets that very call through once; it does not make it. It holds as long as the request was to
wait.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from prowess.console.console import Console, console_of
from prowess.console.drift_comparing import fitting, in_lines
from prowess.console.forms import Form, confirm, done, failure
from prowess.console.language import translator
from prowess.console.pages import language_of
from prowess.store.remembered import ApprovalRequest

IN_A_LIST = 1_500  # bytes of arguments
TOO_LONG = (
    "These arguments are too long to be shown, so nobody can say yes to them here",
    "`prowess approvals` shows them whole, and approves.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """One request as it is shown."""

    request: ApprovalRequest

    @property
    def arguments(self) -> Sequence[str]:
        """The arguments as JSON, in lines."""
        return list(in_lines(self.request.arguments))

    @property
    def excerpt(self) -> str:
        """Their beginning, for a list."""
        kept, more = fitting(self.arguments, IN_A_LIST)
        return "\n".join([*kept, "…"] if more else kept)


async def waiting(console: Console) -> Sequence[Waiting]:
    """The calls that wait, the oldest first; looking makes no file."""
    store = console.host.store
    if store.shared is None and store.database is not None and not store.database.exists():
        return ()
    return [Waiting(request=each) for each in await store.approvals.pending()]


async def approve_call(request: Request, form: Form) -> Response:
    """Let a call through, once."""
    return await _answered(request, form, approved=True)


async def refuse_call(request: Request, form: Form) -> Response:
    """Say no to a call."""
    return await _answered(request, form, approved=False)


async def _answered(request: Request, form: Form, *, approved: bool) -> Response:
    console, digest = console_of(request), form.get("digest")
    found = next((each for each in await waiting(console) if each.request.digest == digest), None)
    gone = ("This call does not wait any more", "It was answered, or its time is over.")
    if found is None:
        return failure(request, 404, *gone)
    if approved and fitting(found.arguments)[1]:
        return failure(request, 413, *TOO_LONG)
    if not form.confirmed:
        return _asked(request, form, found, approved)
    asked = found.request
    until = time.time() + max(1.0, asked.expires - asked.asked)
    if not await console.host.store.approvals.answer(digest, approved, until=until):
        return failure(request, 409, *gone)
    return done("/drift")


def _asked(request: Request, form: Form, found: Waiting, approved: bool) -> Response:
    t, asked = translator(language_of(request)), found.request
    details: list[tuple[str, object]] = [
        (t("Tool"), f"{asked.server}/{asked.tool}"),
        (t("Caller"), asked.caller.principal or "–"),
        (t("Conversation"), asked.caller.conversation or "–"),
        (t("Reason"), asked.reason),
    ]
    return confirm(
        request,
        form,
        question=t("Let this call through, once?") if approved else t("Refuse this call?"),
        details=details,
        text="\n".join(fitting(found.arguments)[0]),
        yes=t("Let through") if approved else t("Refuse"),
        back="/drift",
    )
