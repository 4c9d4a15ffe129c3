"""A token as it is held in memory."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One access token. Times are seconds since 1970; None where nobody said.

    From `renew` on it is to be replaced, from `expires` on it is of no use. `refresh` obtains the
    next one; `seed` is the digest of the configured refresh token that all of them descend from.
    """

    value: str = field(repr=False)
    renew: float | None = None
    expires: float | None = None
    refresh: str = field(default="", repr=False)
    seed: str = ""

    def fresh(self, now: float) -> bool:
        """Whether it can be used without another thought."""
        return self.renew is None or now < self.renew

    def usable(self, now: float) -> bool:
        """Whether a server may still accept it."""
        return self.expires is None or now < self.expires
