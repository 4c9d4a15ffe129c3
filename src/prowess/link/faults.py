"""What can go wrong between us and a server, apart from what the server itself says.

A Fault is a value; `Faulted` carries it up through code that we do not own (the SDK, the HTTP
client). A fault never holds a header or an argument, so its reason is fit to print.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "unsendable",  # what was to be sent cannot be written
    "unreachable",  # nothing was sent
    "lost",  # sent, and the connection ended before an answer
    "auth",  # the server asks who we are, or our credential is not to be had
    "forbidden",  # the server knows who we are, and that we may not
    "origin",  # the server sent us to another origin, and we did not go
    "session",  # the server no longer knows our session; what was sent was not looked at
    "status",  # an HTTP status that carries no JSON-RPC answer
    "unreadable",  # an answer came that nobody can read, or that is over the limit
    "incompatible",  # no protocol version in common, or a handshake that makes no sense
]


# What a fault is called where only one stable word is kept (`Offer.reason_code`).
_WORDS: dict[Kind, str] = {
    "lost": "disconnected",
    "unreadable": "protocol",
    "incompatible": "protocol",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault; `http_status` where there was one, `retry_after` where the server asked to wait.

    `code` is a more exact word than the kind, where there is one.
    """

    kind: Kind
    reason: str
    http_status: int = 0
    retry_after: float | None = None
    code: str = ""

    @property
    def word(self) -> str:
        """The fault in one stable word, which depends on no path, port or text of the server's."""
        if self.code or self.kind != "status":
            return self.code or _WORDS.get(self.kind, self.kind)
        return f"http-{self.http_status}"


class Faulted(Exception):
    """Carries a Fault to the boundary where it becomes a status or an Outcome."""

    def __init__(
        self,
        kind: Kind,
        reason: str,
        http_status: int = 0,
        retry_after: float | None = None,
        code: str = "",
    ) -> None:
        super().__init__(reason)
        self.fault = Fault(
            kind=kind, reason=reason, http_status=http_status, retry_after=retry_after, code=code
        )

    @classmethod
    def of(cls, fault: Fault) -> Faulted:
        """The exception that carries `fault`."""
        return cls(fault.kind, fault.reason, fault.http_status, fault.retry_after, fault.code)
