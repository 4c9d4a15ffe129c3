"""Who may come in: whoever opened a link that only this process's terminal has seen.

A link works once. It leaves a cookie that scripts cannot read and other sites cannot send; what a page
writes back carries a token made from it (OWASP, Cross-Site Request Forgery Prevention, HMAC tokens).
Nothing of it outlives the process.
"""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Sequence
from typing import Literal

MOST_SESSIONS = 32  # the oldest is shut out when more come in
MOST_SAID = 10_000  # yeses that are remembered as said
Fields = Sequence[tuple[str, str]]
Answer = Literal["yes", "no", "again"]


class Door:
    """The links that are open, and the sessions that came in by one."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._links: set[str] = set()
        self._sessions: dict[str, None] = {}
        self._said: dict[str, None] = {}

    def link(self) -> str:
        """A token that lets somebody in once."""
        token = secrets.token_urlsafe(32)
        self._links.add(token)
        return token

    def enter(self, token: str) -> str | None:
        """A new session for whoever has a link's token; None for everybody else."""
        found = next((each for each in self._links if hmac.compare_digest(_bytes(each), _bytes(token))), None)
        if found is None:
            return None
        self._links.discard(found)
        session = secrets.token_urlsafe(32)
        self._sessions[session] = None
        while len(self._sessions) > MOST_SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        return session

    def knows(self, session: str) -> bool:
        """Whether somebody came in with this session."""
        return session in self._sessions

    def token(self, session: str) -> str:
        """What every write of this session has to carry."""
        return self._signed("write", session)

    def confirmation(self, session: str, path: str, fields: Fields) -> str:
        """What a write carries once a person has seen it and said yes: to this one, as it is, once."""
        once = secrets.token_urlsafe(16)
        return f"{once}.{self._yes(once, session, path, fields)}"

    def confirmed(self, given: str, session: str, path: str, fields: Fields) -> Answer:
        """What `given` says of that write; a yes counts once, however often its button is pressed."""
        once, _, signed = given.partition(".")
        if not same(signed, self._yes(once, session, path, fields)):
            return "no"
        if once in self._said:
            return "again"
        self._said[once] = None
        while len(self._said) > MOST_SAID:
            del self._said[next(iter(self._said))]
        return "yes"

    def _yes(self, once: str, session: str, path: str, fields: Fields) -> str:
        return self._signed("confirm", once, session, path, json.dumps([list(each) for each in fields]))

    def _signed(self, *parts: str) -> str:
        return hmac.new(self._key, json.dumps(parts).encode(), "sha256").hexdigest()


def same(one: str, other: str) -> bool:
    """Whether two tokens are the same, in a time that does not tell how much of them is."""
    return hmac.compare_digest(_bytes(one), _bytes(other))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
