"""The `[serve]` table of `prowess.toml`: who may ask over HTTP, from where, how much, how often.

It stands here and not in `serve/`, which enforces it, because `prowess.toml` is read below `serve/`.
What a caller may reach (`servers` and `tools`) is enforced by the call path through `reach_of`. Nothing
is opened and no token is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from math import inf
from typing import Literal

from prowess.call.policy import EVERYTHING, Reach
from prowess.credentials.sections import Secret
from prowess.credentials.urls import secret_may_go_to
from prowess.errors import UsageError
from prowess.redact import printable

Algorithm = Literal[
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"
]  # fmt: skip  # signatures only a private key can make: whoever can check one must not be able to make one
Naming = Literal["raw", "qualified"]
OAUTH = "oauth:"  # before a principal that an authorization server names, so that it can be no other
MOST_SKEW = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BearerSection:
    """One token that lets a caller in. `token` is where it is kept, never the token itself.

    `principal` is who the caller is in records, limits, approvals and credentials; by default the name
    of the table. `servers` and `tools` are patterns of what that principal may reach, `approves` of the
    workflows whose runs, also other callers', it sees and decides on: approves, refuses, cancels, resumes
    (none). `expires` is when the token ends. Two tokens of one principal (an old one and its successor)
    reach the same.
    """

    token: Secret
    principal: str = ""
    servers: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    approves: tuple[str, ...] = ()
    expires: datetime | None = None

    def __post_init__(self) -> None:
        if self.principal.startswith(OAUTH):
            raise UsageError(f"principal may not begin with {OAUTH}, which names callers of [serve.oauth]")
        if self.expires is not None and self.expires.tzinfo is None:
            raise UsageError("expires needs its offset", hint="expires = 2027-01-31T00:00:00Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthSection:
    """Tokens (JWT) of an authorization server, where this endpoint is the resource server (RFC 9728).

    `audience` must be in a token, and `resource` is this endpoint's URL as clients know it (by default
    the audience, where that is a URL). `jwks_uri` is where the keys are; without it the issuer's
    metadata says so. `principal_claim` names the caller. `skew_seconds` is how far clocks may differ.
    `servers` and `tools` are what its callers may reach, `approves` the workflows whose runs they decide on.
    """

    issuer: str
    audience: str
    resource: str = ""
    jwks_uri: str = ""
    required_scopes: tuple[str, ...] = ()
    algorithms: tuple[Algorithm, ...] = ("RS256", "ES256")
    principal_claim: str = "sub"
    skew_seconds: float = 30.0
    servers: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    approves: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("issuer", "jwks_uri"):
            value = getattr(self, name)
            if (value or name == "issuer") and not secret_may_go_to(value):
                raise UsageError(f"{name} must be an https URL (or http to this machine)")
        if not self.audience:
            raise UsageError("audience must not be empty", hint='audience = "https://mcp.example.com/mcp"')
        if not secret_may_go_to(self.identifier) or "#" in self.identifier:
            raise UsageError(
                "resource must be the URL of this endpoint, as clients know it",
                hint='resource = "https://mcp.example.com/mcp"',
            )
        if not self.algorithms:
            raise UsageError("algorithms must not be empty", hint='algorithms = ["RS256"]')
        if not 0 <= self.skew_seconds <= MOST_SKEW:
            raise UsageError(f"skew_seconds must be from 0 to {MOST_SKEW:g}")
        if not self.principal_claim:
            raise UsageError("principal_claim must not be empty", hint='principal_claim = "sub"')

    @property
    def identifier(self) -> str:
        """The resource's identifier, which is its URL."""
        return self.resource or self.audience


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeSection:
    """How an endpoint shows what it has, and how an HTTP front protects itself.

    `names` is what tools and prompts are called: their own (`raw`, the default with one server) or
    `qualified` by their server. With `expose` `search` only `core` tools are listed, and the others found
    by a query, whose answer takes at most `budget` tokens. A server starts when it is first used and stops
    after `idle_seconds` without; 0 starts all at once and keeps them.

    `allowed_hosts` are names by which it may be asked beside those of this machine (`mcp.example.com`,
    or with a port), `allowed_origins` the pages that may ask (`https://app.example.com`). A request has
    `request_seconds` to arrive and at most `body_bytes`. `requests_per_minute` and `burst` hold for each
    caller, as do `per_caller_concurrency` requests at once; all of it counts for each process. Sessions
    of 2025-11-25 end after `session_idle_seconds` without a request and are `max_sessions` at most; they
    are kept by one process and not by several workers, unless `sessions` says it. `max_connections` are
    open at once. Requests under way have `shutdown_seconds` to end when it stops.
    """

    names: Naming | None = None
    expose: Literal["all", "search"] = "all"
    core: tuple[str, ...] = ()
    budget: int = 2_000
    idle_seconds: float = 600.0
    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()
    body_bytes: int = 4 * 1024 * 1024
    request_seconds: float = 30.0
    requests_per_minute: float | None = None
    burst: int | None = None
    per_caller_concurrency: int = 256
    max_connections: int = 2_000
    sessions: bool | None = None
    session_idle_seconds: float = 1_800.0
    max_sessions: int = 10_000
    shutdown_seconds: float = 10.0
    tokens: Mapping[str, BearerSection] = field(default_factory=dict)
    oauth: OAuthSection | None = None

    def __post_init__(self) -> None:
        for name in ("body_bytes", "per_caller_concurrency", "max_connections", "max_sessions"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} must be at least 1")
        if self.budget < 1:
            raise UsageError("budget must be at least 1 token", hint="2000 is what it is without")
        if not 0 <= self.idle_seconds < inf:
            raise UsageError("idle_seconds must not be below 0, and have an end", hint="0 keeps all running")
        if self.core and self.expose != "search":
            raise UsageError('core needs expose = "search"', hint="without it every tool is listed")
        for name in ("request_seconds", "session_idle_seconds"):
            if not 0 < getattr(self, name) < inf:
                raise UsageError(f"{name} must be above 0, and have an end")
        if not 0 <= self.shutdown_seconds < inf:
            raise UsageError("shutdown_seconds must not be below 0, and have an end")
        if self.requests_per_minute is not None and not 0 < self.requests_per_minute < inf:
            raise UsageError("requests_per_minute must be above 0, and have an end")
        if self.burst is not None and (self.burst < 1 or self.requests_per_minute is None):
            raise UsageError("burst must be at least 1, and needs requests_per_minute")
        for each in self.allowed_hosts:
            if not each or any(c in each for c in "/@ *") or not each.isascii():
                raise UsageError(f"allowed_hosts {printable(each, 200)} is no host", hint='"mcp.example.com"')
        for each in self.allowed_origins:
            _insist_on_origin(each)
        _insist_on_one_reach(self.tokens)

    @property
    def protected(self) -> bool:
        """Whether a caller has to show a token."""
        return bool(self.tokens) or self.oauth is not None


def _insist_on_origin(text: str) -> None:
    scheme, there, rest = text.partition("://")
    if scheme not in ("http", "https") or not there or not rest or any(c in rest for c in "/@?#* "):
        raise UsageError(
            f"allowed_origins {printable(text, 200)} is no origin", hint='"https://app.example.com"'
        )


def _insist_on_one_reach(tokens: Mapping[str, BearerSection]) -> None:
    known: dict[str, tuple[str, BearerSection]] = {}
    for name, each in tokens.items():
        principal = each.principal or name
        if principal.startswith(OAUTH):
            raise UsageError(f"tokens {printable(name)} may not begin with {OAUTH}")
        other, first = known.setdefault(principal, (name, each))
        if (each.servers, each.tools, each.approves) != (first.servers, first.tools, first.approves):
            raise UsageError(
                f"tokens {printable(other)} and {printable(name)} are both of {printable(principal)} and do "
                "not reach the same",
                hint="give both the same servers, tools and approves, or two principals",
            )


def reach_of(section: ServeSection) -> Callable[[str], Reach]:
    """What a principal may reach; everything, for one that `[serve]` says nothing of."""
    known = {
        each.principal or name: Reach(servers=each.servers, tools=each.tools)
        for name, each in section.tokens.items()
    }
    oauth = section.oauth
    others = EVERYTHING if oauth is None else Reach(servers=oauth.servers, tools=oauth.tools)

    def reach(principal: str) -> Reach:
        return others if principal.startswith(OAUTH) else known.get(principal, EVERYTHING)

    return reach


def approves_of(section: ServeSection) -> Callable[[str], tuple[str, ...]]:
    """Patterns of the workflows whose runs a principal decides on; all, where `[serve]` does not know it."""
    known = {each.principal or name: each.approves for name, each in section.tokens.items()}
    oauth = section.oauth
    others = ("*",) if oauth is None else oauth.approves

    def approves(principal: str) -> tuple[str, ...]:
        return others if principal.startswith(OAUTH) else known.get(principal, ("*",))

    return approves
