"""The `[redaction]`, `[records]` and `[units]` tables of `prowess.toml`; the Host enforces them."""

from __future__ import annotations

from dataclasses import dataclass

from prowess.credentials.sections import Secret
from prowess.errors import UsageError


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
class UnitsSection:
    """Skill units that this Host offers, as one server called `units`.

    `paths` are folders of units, or Python files with decorated ones. With `watch` they are read
    again whenever they change, and what changed is logged.
    """

    paths: tuple[str, ...] = ()
    watch: bool = False
