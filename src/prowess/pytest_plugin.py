"""The pytest plugin: units called from tests as an agent calls them, over twins of what is outside.

    def test_a_city_has_weather(unit_client, unit_http):
        unit_http.answer("https://api.example.com/v1/weather", json={"sky": "grey"})
        outcome = unit_client.call("query_weather", city="Oslo")
        assert outcome.value == {"sky": "grey"}

`unit_client` calls units down the one call path, `unit_http` is what stands behind `ctx.http`, and a
test that asks for `unit_clock` has time that passes only when it must. Where the units are is said by
the option `prowess_units` (below the root directory); `unit_client.of(path)` is for others. With
`trigger_report(path)` a test looks at how trigger cases come out offline. Loaded by
every run of pytest where Prowess is installed, so nothing is imported before a fixture is used.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from asyncio import Runner

    from prowess.call.clock import Clock, FakeClock
    from prowess.evaluate.http_twin import HttpTwin
    from prowess.evaluate.trials_report import Report
    from prowess.evaluate.twin_context import TwinContexts
    from prowess.host.host import Host
    from prowess.provider import Caller, Outcome

OPTION = "prowess_units"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Where the units are."""
    words = "where unit_client finds units: a folder, a Python file or a prowess.toml"
    parser.addini(OPTION, words, default="units")


class UnitClient:
    """Units at one path, called and waited for. Opened by the first call, closed with the test.

    `secrets` are the values of declared secrets (made-up ones otherwise); `logged` is what units logged.
    """

    def __init__(self, path: str, http: HttpTwin, clock: Clock | None = None) -> None:
        self.path = path
        self.http = http
        self.secrets: dict[str, str] = {}
        self._clock = clock
        self._runner: Runner | None = None
        self._opened: AsyncExitStack | None = None
        self._host: Host | None = None
        self._contexts: TwinContexts | None = None
        self._others: list[UnitClient] = []

    def of(self, path: str | os.PathLike[str]) -> UnitClient:
        """The same for units at another path."""
        other = UnitClient(os.fspath(path), self.http, self._clock)
        self._others.append(other)
        return other

    def call(
        self,
        unit: str,
        arguments: Mapping[str, Any] | None = None,
        /,
        *,
        version: str | None = None,
        caller: Caller | None = None,
        timeout: float | None = None,
        **more: Any,
    ) -> Outcome:
        """Call a unit; the arguments as one mapping, by name, or both. Raises NotFound, UsageError.

        Not for tests that are coroutines: they have `host`.
        """
        if self._runner is None:
            from asyncio import Runner

            self._runner = Runner()
        given = {**(arguments or {}), **more}
        return self._runner.run(self._called(unit, given, version=version, caller=caller, timeout=timeout))

    def host(self) -> AbstractAsyncContextManager[Host]:
        """A Host over the same twins, for a coroutine: `async with unit_client.host() as host`."""
        return self._open_host()

    @property
    def logged(self) -> list[tuple[str, dict[str, Any]]]:
        """Each event that a unit logged by `ctx.log`, and what was refused to it."""
        return [] if self._contexts is None else list(self._contexts.events)

    def close(self) -> None:
        """End everything that was begun."""
        for each in self._others:
            each.close()
        if self._runner is not None:
            runner, self._runner = self._runner, None
            try:
                if self._opened is not None:
                    runner.run(self._opened.aclose())
            finally:
                runner.close()

    async def _called(self, unit: str, arguments: dict[str, Any], **settings: Any) -> Outcome:
        if self._host is None:
            stack = AsyncExitStack()
            self._host = await stack.enter_async_context(self._open_host())
            self._opened = stack
        return await self._host.call(unit, arguments, **settings)

    @asynccontextmanager
    async def _open_host(self) -> AsyncIterator[Host]:
        from asyncio import to_thread

        from prowess.evaluate.twin_context import TwinContexts
        from prowess.evaluate.twin_host import twin_host

        self._contexts = TwinContexts(self.http, clock=self._clock, secrets=self.secrets)
        async with twin_host(self.path, self._contexts, self._clock) as (host, registry):
            if self._clock is not None:
                await to_thread(registry.load_all)  # a clock that moves by itself would not wait for it
            yield host


@pytest.fixture
def unit_clock() -> FakeClock:
    """A clock whose time passes only when everybody waits; timeouts of units take no time."""
    from prowess.call.clock import FakeClock

    return FakeClock()


@pytest.fixture
def unit_http(request: pytest.FixtureRequest) -> HttpTwin:
    """What stands behind `ctx.http`: `answer(url, json=...)`, `fail("timeout")`, `requests`."""
    from prowess.evaluate.http_twin import HttpTwin

    return HttpTwin(_clock_of(request))


@pytest.fixture
def unit_client(request: pytest.FixtureRequest, unit_http: HttpTwin) -> Iterator[UnitClient]:
    """Calls units: `unit_client.call("query_weather", city="Oslo")`."""
    path = str(request.config.rootpath / str(request.config.getini(OPTION)))
    client = UnitClient(path, unit_http, _clock_of(request))
    yield client
    client.close()


@pytest.fixture
def trigger_report() -> Callable[..., Report]:
    """How the trigger cases of skills or units come out, by the ranking that makes the shortlist.

    `trigger_report(path)` takes the cases beside what is there, `trigger_report(path, cases=file)`
    those of a file. `path` is a folder of skills, units or a plugin, whose servers are not started.
    """

    def report(path: str | os.PathLike[str], *, cases: str | os.PathLike[str] | None = None) -> Report:
        from asyncio import run

        from prowess.evaluate.trigger_offline import offline_report

        return run(offline_report(os.fspath(path), None if cases is None else os.fspath(cases)))

    return report


def _clock_of(request: pytest.FixtureRequest) -> FakeClock | None:
    """The fake clock of this test, if it asks for one."""
    if "unit_clock" not in request.fixturenames:
        return None
    clock: FakeClock = request.getfixturevalue("unit_clock")
    return clock
