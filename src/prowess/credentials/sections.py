"""The `[credentials.NAME]` and `[servers."plugin/server"]` tables of `prowess.toml`, as values.

A secret is never written into the file: a `Secret` names the place where it is kept. What the
fields mean is enforced by `pool.py` (how tokens of one credential take turns), `grants.py` (how one
is obtained) and `injecting.py` (where it goes); here only their form is judged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import ClassVar, Literal

from prowess.errors import UsageError
from prowess.redact import printable

_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
# Set by the client for every stdio server (Agent Plugins 9.1), or used by `link` to find strays again.
_RESERVED_ENV = frozenset({"PLUGIN_ROOT", "PLUGIN_DATA", "PROWESS_SERVER"})
# These belong to the connection or the protocol, whoever sets them.
_RESERVED_HEADERS = frozenset(
    (
        *("accept", "accept-encoding", "connection", "content-encoding", "content-length", "content-type"),
        *("expect", "host", "keep-alive", "last-event-id", "proxy-authorization", "proxy-connection"),
        *("te", "trailer", "transfer-encoding", "upgrade", "user-agent"),
    )
)
_PLACES = ("env", "file", "keyring")

Grant = Literal["static", "client-credentials", "refresh-token", "sign-in"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """Where a secret is kept: an environment variable, a file that only its owner can read, a keyring.

    Exactly one of the three. `keyring` is `service/user`.
    """

    env: str = ""
    file: str = ""
    keyring: str = ""

    def __post_init__(self) -> None:
        _one_place(self)

    def __str__(self) -> str:
        place = next(name for name in _PLACES if getattr(self, name))
        return f"{place} {printable(getattr(self, place))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenSection:
    """One way to a token: kept somewhere (`env`, `file`, `keyring`), or obtained by an OAuth grant.

    `client-credentials` needs `token_url`, `client_id` and `client_secret`; `refresh-token` needs
    `token_url`, `client_id` and the first `refresh_token` (later ones are kept by Prowess). `sign-in`
    needs `resource`, the URL of the MCP server: a person signs in there once, and Prowess keeps what
    comes of it; `client_id` and `client_secret` are for a client that is registered already (or the
    https URL of its metadata document), `scope` takes the place of what the server asks for.
    `client_auth` is how the client names itself: HTTP Basic or fields of the form. `scope` is
    space-separated, `resource` the resource indicator of RFC 8707, `audience` what some servers
    want in its place.
    """

    env: str = ""
    file: str = ""
    keyring: str = ""
    grant: Grant = "static"
    token_url: str = ""
    client_id: str = ""
    client_secret: Secret | None = None
    client_auth: Literal["basic", "post"] = "basic"
    refresh_token: Secret | None = None
    scope: str = ""
    resource: str = ""
    audience: str = ""

    def __post_init__(self) -> None:
        if self.grant == "static":
            _one_place(self)
            given = [each.name for each in fields(self) if each.name not in (*_PLACES, "grant")]
            extra = [name for name in given if getattr(self, name) not in ("", None, "basic")]
            if extra:
                raise UsageError(f"{extra[0]} needs a grant", hint='grant = "client-credentials"')
            return
        if self.grant == "sign-in":
            _sign_in(self)
            return
        wanted = ["token_url", "client_id"]
        wanted.append("client_secret" if self.grant == "client-credentials" else "refresh_token")
        for name in wanted:
            if not getattr(self, name):
                raise UsageError(f'lacks {name}, which grant = "{self.grant}" needs')
        if any(getattr(self, name) for name in _PLACES):
            raise UsageError("has a grant and a kept token", hint="make them two tokens of the pool")
        if self.grant == "client-credentials" and self.refresh_token is not None:
            raise UsageError("refresh_token needs another grant", hint='grant = "refresh-token"')
        _token_url(self.token_url)

    @property
    def secret(self) -> Secret:
        """The place of a static token."""
        return Secret(env=self.env, file=self.file, keyring=self.keyring)


@dataclass(frozen=True, slots=True, kw_only=True)
class CredentialSection:
    """A pool of tokens for one upstream.

    `use` says which token a request takes: `failover` the first that is fit, `round-robin` each in
    turn. A token that was turned away, or is over its rate and nobody said for how long, rests for
    `rest_seconds`. A token obtained by a grant is replaced `skew_seconds` before it expires.
    """

    tokens: tuple[TokenSection, ...] = ()
    use: Literal["failover", "round-robin"] = "failover"
    rest_seconds: float = 60.0
    skew_seconds: float = 60.0

    def __post_init__(self) -> None:
        if not self.tokens:
            raise UsageError("lacks tokens", hint='tokens = [{ env = "NAME" }]')
        if sum(each.grant == "sign-in" for each in self.tokens) > 1:
            raise UsageError("has two tokens to sign in for", hint="make them two credentials")
        if not self.rest_seconds > 0:
            raise UsageError("rest_seconds must be above 0")
        if not self.skew_seconds >= 0:
            raise UsageError("skew_seconds must not be below 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """One value for a server: plain text (`value`), a secret, or the current token of a credential.

    `prefix` stands before a secret or token, such as `Bearer `.
    """

    SHORT: ClassVar[str] = "value"  # a text alone is a plain value

    value: str = ""
    env: str = ""
    file: str = ""
    keyring: str = ""
    credential: str = ""
    prefix: str = ""

    def __post_init__(self) -> None:
        given = [name for name in ("value", *_PLACES, "credential") if getattr(self, name)]
        if len(given) > 1 or (not given and self.prefix):
            raise UsageError("names one of env, file, keyring, credential", hint='{ credential = "NAME" }')

    @property
    def secret(self) -> Secret | None:
        """The place of a secret, if it is one."""
        if not (self.env or self.file or self.keyring):
            return None
        return Secret(env=self.env, file=self.file, keyring=self.keyring)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSection:
    """What one server of one plugin gets from us.

    `credential` is short for the header `Authorization: Bearer TOKEN` of an HTTP server. `env` is
    added to the environment of a stdio server and wins over the package's own, `headers` to every
    request to an HTTP server likewise. `timeout` is the seconds it has to come up.
    """

    credential: str = ""
    env: Mapping[str, Given] = field(default_factory=dict)
    headers: Mapping[str, Given] = field(default_factory=dict)
    timeout: float | None = None

    def __post_init__(self) -> None:
        if self.timeout is not None and not self.timeout > 0:
            raise UsageError("timeout must be above 0")
        for name in self.env:
            if not _ENV_NAME.fullmatch(name) or name in _RESERVED_ENV:
                raise UsageError(f"env {printable(name)} is not a name that can be set")
        lowered = [name.lower() for name in self.headers]
        for name, lower in zip(self.headers, lowered, strict=True):
            if not _HEADER_NAME.fullmatch(name) or lower in _RESERVED_HEADERS or lower.startswith("mcp-"):
                raise UsageError(f"headers {printable(name)} is not a header that can be set")
            if lowered.count(lower) > 1 or (lower == "authorization" and self.credential):
                raise UsageError(f"headers {printable(name)} is given twice")

    @property
    def all_headers(self) -> dict[str, Given]:
        """The headers with what `credential` is short for."""
        if not self.credential:
            return dict(self.headers)
        return {"Authorization": Given(credential=self.credential, prefix="Bearer "), **self.headers}

    @property
    def credentials(self) -> tuple[str, ...]:
        """The names of the credentials that it uses, each once."""
        named = [each.credential for each in (*self.all_headers.values(), *self.env.values())]
        return tuple(dict.fromkeys(name for name in named if name))


def _one_place(section: Secret | TokenSection) -> None:
    if sum(bool(getattr(section, name)) for name in _PLACES) != 1:
        raise UsageError("names one of env, file, keyring", hint='{ env = "NAME" } or { file = "path" }')
    service, _, user = section.keyring.rpartition("/")
    if section.keyring and not (service and user):
        raise UsageError("keyring is service/user", hint='{ keyring = "my-service/my-name" }')
    if section.env and not _ENV_NAME.fullmatch(section.env):
        raise UsageError("env is the name of an environment variable", hint='{ env = "MY_TOKEN" }')


def _sign_in(section: TokenSection) -> None:
    from prowess.credentials.urls import secret_may_go_to

    for name in (*_PLACES, "token_url", "refresh_token", "audience"):
        if getattr(section, name):
            raise UsageError(f'{name} has no part in grant = "sign-in"')
    if section.client_secret is not None and not section.client_id:
        raise UsageError("client_secret needs client_id")
    if not secret_may_go_to(section.resource):
        raise UsageError(
            'grant = "sign-in" needs resource, the https URL of the MCP server (or http on this machine)',
            hint='resource = "https://mcp.example.com/mcp"',
        )


def _token_url(url: str) -> None:
    from prowess.credentials.urls import secret_may_go_to

    if not secret_may_go_to(url):
        raise UsageError("token_url must be an https URL (or http to this machine), without a user name")
