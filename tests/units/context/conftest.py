"""A local upstream, and contexts that write down what they are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from tests.units.context.upstream import Upstream, serving

from prowess.credentials.injecting import Injector
from prowess.provider import Invocation
from prowess.store.remembered import RequestRecord
from prowess.units.context import Contexts
from prowess.units.model import Permissions, Unit
from prowess.units.resolving import MemoryResolver

NAME = "api.test"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    with serving() as upstream:
        yield upstream


@dataclass(frozen=True)
class Standing:
    trace_id: str = "0af7651916cd43dd8448eb211c80319c"
    call: str = "b7ad6b7169203331b7ad6b7169203331"


class Desk:
    """Makes contexts; keeps records and log events."""

    def __init__(self) -> None:
        self.resolver = MemoryResolver({NAME: ["127.0.0.1"]})
        self.records: list[RequestRecord] = []
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.injectors: dict[str, Injector] = {}
        self.secrets: dict[str, str] = {}
        self.standing: Standing | None = Standing()
        self.options: dict[str, Any] = {}

    def context(
        self,
        hosts: Sequence[str] = (),
        addresses: Sequence[str] = ("127.0.0.1",),
        secrets: Sequence[str] = (),
        *,
        name: str = "ask_api",
        timeout: float = 5.0,
        **said: Any,
    ) -> Any:
        """The context of one call, as an async context manager."""
        permissions = Permissions(hosts=tuple(hosts), addresses=tuple(addresses), secrets=tuple(secrets))
        unit = Unit(name=name, description="Asks.", permissions=permissions, **said)
        return self.contexts()(unit, Invocation(tool=name, timeout=timeout))

    def contexts(self) -> Contexts:
        async def record(each: RequestRecord) -> None:
            self.records.append(each)

        return Contexts(
            **{
                "secret": self.secrets.__getitem__,
                "injector": lambda unit, origin: self.injectors.get(origin),
                "record": record,
                "log": lambda event, **fields: self.events.append((event, fields)),
                "trace": lambda: self.standing,
                "resolver": self.resolver,
                **self.options,
            }
        )

    def logged(self, event: str) -> list[Mapping[str, Any]]:
        return [fields for name, fields in self.events if name == event]


@pytest.fixture
def desk() -> Desk:
    return Desk()
