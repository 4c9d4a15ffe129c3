"""A token as it is held in memory, and the registration that it was obtained with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """As which client a person signed in, and where the next token is asked for.

    It has what a token request is made from. The secret is one that the authorization server gave;
    a configured one stays where it is. The scope of a refresh is the scope that was granted.
    `revoke_url` is where a sign-out is told, if anywhere (RFC 7009).
    """

    grant: ClassVar[str] = "refresh-token"
    scope: ClassVar[str] = ""
    audience: ClassVar[str] = ""

    issuer: str
    token_url: str
    client_id: str
    client_auth: Literal["basic", "post"] = "basic"
    client_secret: str = field(default="", repr=False)
    resource: str = ""
    revoke_url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One access token. Times are seconds since 1970; None where nobody said.

    From `renew` on it is to be replaced, from `expires` on it is of no use. `refresh` obtains the
    next one; `seed` is the digest of the configured refresh token that all of them descend from,
    `client` the registration that a sign-in was made with. `scope` is what was granted, as far as
    anybody said, `asked` what that sign-in asked for.
    """

    value: str = field(repr=False)
    renew: float | None = None
    expires: float | None = None
    refresh: str = field(default="", repr=False)
    seed: str = ""
    client: Registration | None = None
    scope: str = ""
    asked: str = ""

    def fresh(self, now: float) -> bool:
        """Whether it can be used without another thought."""
        return self.renew is None or now < self.renew

    def usable(self, now: float) -> bool:
        """Whether a server may still accept it."""
        return self.expires is None or now < self.expires


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """What a person's sign-in gave.

    `lifetime` is the seconds that the server promised the token, `scope` what it granted of what was `asked`.
    """

    value: str = field(repr=False)
    refresh: str = field(default="", repr=False)
    lifetime: int | None = None
    client: Registration
    scope: str = ""
    asked: str = ""
