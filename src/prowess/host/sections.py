"""`prowess.toml`: `[redaction]`, `[records]`, `[units]` and `[content]`, which the Host enforces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from prowess.credentials.sections import Given, Secret, ServerSection
from prowess.errors import UsageError
from prowess.redact import printable


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactionSection:
    """What is masked wherever something is written down, beside secrets.

    `personal` adds e-mail addresses, telephone and identity numbers and internal IP addresses.
    """

    personal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsSection:
    """Where records of calls are kept.

    `sqlite` is the database file, this user's own when empty. `postgres` is the place of a
    connection URL that records are sent on to. Records older than `keep_days` are forgotten.
    """

    sqlite: str = ""
    postgres: Secret | None = None
    keep_days: float | None = None

    def __post_init__(self) -> None:
        if self.keep_days is not None and not self.keep_days > 0:
            raise UsageError("keep_days must be above 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreSection:
    """Where pins, approvals and rollouts are kept, when several processes or machines share them.

    `postgres` is the place of a connection URL; records are sent there too, unless `[records]` names
    another server. `name` is what this configuration is called there, its path when empty: two machines
    that have it at different paths say the same name.
    """

    postgres: Secret | None = None
    name: str = ""

    def __post_init__(self) -> None:
        if self.name and self.postgres is None:
            raise UsageError("name needs postgres", hint='postgres = { env = "DATABASE_URL" }')
        if len(self.name) > 200 or not self.name.isprintable():
            raise UsageError("name must be at most 200 characters that can be printed")


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginSection:
    """What requests of units to one origin carry, without any unit seeing it.

    `credential` is short for the header `Authorization: Bearer TOKEN`, `headers` are others. `units`
    are the names of those whose requests carry it; without it, all that declare the host.
    """

    credential: str = ""
    headers: Mapping[str, Given] = field(default_factory=dict)
    units: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.as_server  # noqa: B018  # raises for headers that cannot be set

    @property
    def as_server(self) -> ServerSection:
        """The same, as a server would be given it."""
        return ServerSection(credential=self.credential, headers=self.headers)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitsSection:
    """Skill units that this Host offers, as one server called `units`.

    `paths` are folders of units, or Python files with decorated ones. With `watch` they are read
    again whenever they change, and what changed is logged. `secrets` says where each secret is kept
    that a unit may declare, `origins` what requests to an origin (`https://api.example.com`) carry.
    """

    paths: tuple[str, ...] = ()
    watch: bool = False
    secrets: Mapping[str, Secret] = field(default_factory=dict)
    origins: Mapping[str, OriginSection] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for each in self.origins:
            _insist_on_origin(each)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentSection:
    """Folders of prompts, resources and templates that this Host offers, as one server called `content`.

    With `watch` they are read again when they change, and clients hear of it.
    """

    paths: tuple[str, ...] = ()
    watch: bool = True


def _insist_on_origin(url: str) -> None:
    from prowess.credentials.urls import origin, secret_may_go_to

    if not secret_may_go_to(url):
        raise UsageError(f"origins {printable(url)} must be https, or http to this machine")
    if url.partition("://")[2].strip("/").count("/") or "?" in url or "#" in url or "*" in url:
        hint = f'[units.origins."{printable(origin(url))}"]'
        raise UsageError(f"origins {printable(url)} is more than an origin", hint=hint)
