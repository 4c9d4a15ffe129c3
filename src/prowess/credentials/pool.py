"""The tokens of one upstream taking turns.

A 401 renews the token once; when the new one is turned away too, or there is no new one, that token
rests and the next takes over. A 429 makes it rest as long as the server asks. A 403 gives way only to
what the same person signed in for since: another token would be another identity, and is not tried
behind anybody's back. When every token rests nothing is sent, and the error says for how long. What
rests is known to this process only.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from prowess.credentials.signed_in import SignedInToken
from prowess.credentials.source import Now, TokenSource
from prowess.credentials.token import Token
from prowess.errors import CredentialFailed
from prowess.redact import printable

MAX_REST = 3_600.0
UNREACHABLE_REST = 2.0  # between two attempts at a token endpoint that does not answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A token in use, and which of the pool it is."""

    number: int
    token: Token


class _Turn:
    """What is known of one token: how long it rests and why, and what a 401 last made of it."""

    __slots__ = ("reason", "renewed", "renewed_at", "until")

    def __init__(self) -> None:
        self.until = 0.0
        self.reason: CredentialFailed | None = None
        self.renewed = ""
        self.renewed_at = 0.0


class Pool:
    """Hands out tokens and hears how they fared."""

    def __init__(
        self,
        name: str,
        sources: Sequence[TokenSource],
        *,
        use: Literal["failover", "round-robin"] = "failover",
        rest_seconds: float = 60.0,
        now: Now = time.time,
    ) -> None:
        self.name = name
        self._sources = tuple(sources)
        self._turns = tuple(_Turn() for _ in self._sources)
        self._step = 1 if use == "round-robin" else 0
        self._first = 0
        self._rest = rest_seconds
        self._now = now

    async def take(self) -> Held:
        """The token whose turn it is; CredentialFailed when none is fit."""
        for number in self._order():
            if self._turns[number].until > self._now():
                continue
            try:
                token = await self._sources[number].token()
            except CredentialFailed as error:
                self._failed(number, error)
                continue
            self._first = (number + self._step) % len(self._sources) if self._step else 0
            return Held(number=number, token=token)
        raise self._none_fit()

    async def turned_away(self, held: Held) -> Held:
        """A server answered 401: the token to try instead; CredentialFailed when there is none."""
        number, value, turn = held.number, held.token.value, self._turns[held.number]
        if turn.renewed == value and self._now() - turn.renewed_at < self._rest:
            self._rests(number, self._rest, self._sources[number].hopeless())
            return await self.take()
        try:
            token = await self._sources[number].another(value)
        except CredentialFailed as error:
            self._failed(number, error)
            return await self.take()
        turn.renewed, turn.renewed_at = token.value, self._now()
        return Held(number=number, token=token)

    async def insufficient(self, held: Held, scope: str) -> Held | None:
        """A server answered 403 for want of `scope`: a token that came since, or None; CredentialFailed."""
        token = await self._sources[held.number].wider(held.token.value, scope)
        return None if token is None else Held(number=held.number, token=token)

    async def exhausted(self, held: Held, retry_after: float | None) -> Held | None:
        """A server answered 429: another token to try at once, or None."""
        alone = len(self._sources) == 1
        seconds = retry_after if retry_after is not None else (0.0 if alone else self._rest)
        reason = CredentialFailed("the token is over its rate", code="credential-exhausted")
        self._rests(held.number, seconds, reason)
        try:
            other = None if alone else await self.take()
        except CredentialFailed:
            return None
        return other if other is not None and other.token.value != held.token.value else None

    def wanted(self) -> str | None:
        """The scopes that somebody has to sign in for, empty where any sign-in would do; None if nobody."""
        return next((each.wanted for each in self._sources if isinstance(each, SignedInToken)), None)

    def arrived(self) -> None:
        """Somebody signed in: that token is looked at again."""
        for source, turn in zip(self._sources, self._turns, strict=True):
            if isinstance(source, SignedInToken):
                source.arrived()
                turn.until, turn.renewed = 0.0, ""

    async def close(self) -> None:
        """See every flight to its end."""
        for source in self._sources:
            await source.close()

    def _order(self) -> list[int]:
        count = len(self._sources)
        return [(self._first + offset) % count for offset in range(count)]

    def _failed(self, number: int, error: CredentialFailed) -> None:
        # What a person must mend is looked at again at once: it costs nothing, and they are waiting.
        seconds = {"credential-unreachable": UNREACHABLE_REST, "credential-missing": 0.0}
        self._rests(number, seconds.get(error.code, self._rest), error)

    def _rests(self, number: int, seconds: float, reason: CredentialFailed) -> None:
        turn = self._turns[number]
        turn.until, turn.reason = self._now() + min(seconds, MAX_REST), reason

    def _none_fit(self) -> CredentialFailed:
        """Why nothing can be sent, by the token that will be fit first."""
        turn = min(self._turns, key=lambda each: each.until)
        if turn.reason is None:
            return CredentialFailed(
                f"credential {printable(self.name)} has no token", code="credential-missing"
            )
        many = f" (none of {len(self._turns)} tokens is fit)" if len(self._turns) > 1 else ""
        exhausted = turn.reason.code == "credential-exhausted"
        return CredentialFailed(
            f"credential {printable(self.name)}: {turn.reason.message}{many}",
            code=turn.reason.code,
            hint=turn.reason.hint,
            retry_after=max(0.0, round(turn.until - self._now(), 3)) if exhausted else None,
        )
