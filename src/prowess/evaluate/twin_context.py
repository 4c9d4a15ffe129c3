"""What a unit works with under test: the real rules of a context, over a twin of everything behind them.

Undeclared hosts and secrets are refused as ever. Names have a public address and nothing is sent to
it; declared secrets have made-up values; the data directory is empty and gone after the call.
"""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2

from prowess.call.clock import Clock, SystemClock
from prowess.evaluate.http_twin import HttpTwin
from prowess.provider import Invocation
from prowess.units.context import Context, Contexts, key_of
from prowess.units.model import Unit
from prowess.units.reaching import Reach, Reaching, _Place

SOMEWHERE = "1.1.1.1"  # any public address does: it is judged, and never connected to


class TwinContexts(Contexts):
    """Makes the contexts of units under test. `events` are what was logged, of all calls so far."""

    def __init__(
        self, http: HttpTwin, *, clock: Clock | None = None, secrets: Mapping[str, str] | None = None
    ) -> None:
        clock = clock or SystemClock()
        super().__init__(
            secret=self._made_up,
            log=self._keep,
            resolver=_everywhere,
            monotonic=clock.monotonic,
            now=clock.now,
        )
        self.http = http
        self.secrets = {} if secrets is None else secrets
        self.events: list[tuple[str, dict[str, Any]]] = []

    @asynccontextmanager
    async def __call__(self, unit: Unit, invocation: Invocation) -> AsyncIterator[TwinContext]:
        """The context of one call."""
        seconds = min(unit.timeout_ms / 1_000, invocation.timeout)
        async with AsyncExitStack() as leaving:
            folder = leaving.enter_context(tempfile.TemporaryDirectory(prefix="prowess-unit-"))
            context = TwinContext(unit, self, seconds, folder, key_of(invocation))
            leaving.push_async_callback(context.close)
            yield context

    def errors(self) -> list[str]:
        """The types of what units raised beyond Prowess's own errors."""
        return [str(fields.get("error")) for event, fields in self.events if event == "unit-exception"]

    def _made_up(self, name: str) -> str:
        return self.secrets.get(name, f"made-up-{name}")

    def _keep(self, event: str, **fields: Any) -> None:
        if event == "unit-log":
            event, fields = str(fields.get("said")), dict(fields.get("fields", {}))
        self.events.append((event, fields))


class TwinContext(Context):
    """The context of one call under test."""

    def __init__(self, unit: Unit, means: TwinContexts, seconds: float, folder: str, key: str) -> None:
        super().__init__(unit, means, None, seconds, key)
        self._twin = means.http
        self._folder = folder

    @property
    def data_dir(self) -> Path:
        """A directory of this call alone."""
        return Path(self._folder)

    def _made(self) -> httpx2.AsyncClient:
        means = self._means
        reach = Reach(
            unit=self._unit,
            resolver=means.resolver,
            injector=lambda origin: None,
            record=means.record,
            refused=self.refused,
            tls=means.trust,
            trace=None,
            deadline=self._deadline,
            monotonic=means.monotonic,
            now=means.now,
        )
        return httpx2.AsyncClient(
            transport=_Twinned(reach, self._twin), timeout=self._seconds, trust_env=False
        )


class _Twinned(Reaching):
    """Judges where a request wants to go, and hands it to the twin."""

    def __init__(self, reach: Reach, twin: HttpTwin) -> None:
        super().__init__(reach)
        self._twin = twin

    async def _sent(
        self, place: _Place, request: httpx2.Request, headers: Mapping[str, str]
    ) -> httpx2.Response:
        request.headers.update(headers)
        request.extensions = {
            **request.extensions,
            "timeout": self._bounded(request.extensions.get("timeout", {})),
        }
        return await self._twin.handle_async_request(request)


async def _everywhere(host: str, port: int) -> Sequence[str]:
    return (SOMEWHERE,)
