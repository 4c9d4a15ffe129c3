"""What a skill unit is, once read: frozen values, and the protocol of what it is given to work with.

It does not know which of the two ways the unit was written in, how it is loaded or who calls it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from prowess.provider import Caller, Invocation

if TYPE_CHECKING:
    from pathlib import Path

TIMEOUT_MS = 5_000
VERSION = "1.0.0"

Form = Literal["folder", "function"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Permissions:
    """What a unit may reach; what is not declared, its context refuses.

    `hosts` are names (`api.example.com`, `*.example.com`, with `:port` where it is not the scheme's
    own). `addresses` are private addresses or networks (`127.0.0.1`, `10.2.0.0/16`) that a declared
    host may lead to. `secrets` are names for `ctx.secret`. `reads` and `writes` are paths beside the
    unit's own folder and data directory.
    """

    hosts: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()

    @property
    def network(self) -> bool:
        """Whether the unit needs a socket at all."""
        return bool(self.hosts or self.addresses)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One skill unit.

    `parameters` and `returns` are JSON Schemas; `version` is SemVer. `core` units are always shown,
    others when they are found. `examples` are `{"input": {...}, "output": {...}}` or, in place of
    the output, `"error": "..."`. `place` says where it is written, for messages (`weather/schema.json`,
    `tools.py:12`); `file` is the absolute path of the Python file that runs, `home` of the folder that
    is the unit's own.
    """

    name: str
    description: str
    triggers: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"type": "object", "properties": {}})
    returns: Mapping[str, Any] | None = None
    timeout_ms: int = TIMEOUT_MS
    idempotent: bool = False
    version: str = VERSION
    permissions: Permissions = field(default_factory=Permissions)
    core: bool = False
    examples: tuple[Mapping[str, Any], ...] = ()
    place: str = ""
    file: str = ""
    home: str = ""
    form: Form = "folder"

    @property
    def title(self) -> str:
        """`query_weather@1.4.2`."""
        return f"{self.name}@{self.version}"


class UnitContext(Protocol):
    """What a running unit may work with; each part refuses what the unit does not declare."""

    @property
    def http(self) -> Any:
        """An asynchronous HTTP client that reaches the declared hosts only; closed after the call."""
        ...

    def secret(self, name: str) -> str:
        """A declared secret. Raises AccessDenied for any other."""
        ...

    @property
    def data_dir(self) -> Path:
        """A directory of the unit's own, which outlives the call."""
        ...

    def log(self, event: str, /, **fields: Any) -> None:
        """One line in the Host's log, redacted."""
        ...

    @property
    def idempotency_key(self) -> str:
        """What is the same when this very call is made again; empty where nobody says so."""
        ...


class ContextOf(Protocol):
    """Makes the context of one call; leaving it gives back whatever the call held."""

    def __call__(self, unit: Unit, invocation: Invocation) -> AbstractAsyncContextManager[UnitContext]:
        """The context in which `unit` runs for this invocation."""
        ...


class VersionChoice(Protocol):
    """Says which of several versions of a unit a caller gets."""

    def __call__(self, name: str, versions: Sequence[str], asked: str, caller: Caller) -> str:
        """One of `versions`. `asked` is a range (`1`, `~1.4`, `1.4.2`) or empty. Raises NotFound."""
        ...
