"""Mirrors behind gateways, in each era and over each transport, for the tests of one file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.serve_foreign.raw import Era, Pipe, Raw, Streams
from tests.serve_foreign.standing import Standing, package, stdio_server

CAPABILITIES = {
    "sampling": {"tools": {}, "unknown": None},
    "elicitation": {"form": {}},
    "roots": {"listChanged": True},
    "experimental": {"vendor.example/c": {"x": [None]}},
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One transport and era: a client of the mirror itself and a client of a gateway in front of it.

    `another` gives one more client of the same gateway, where its transport has room for several.
    """

    era: Era
    direct: Raw
    through: Raw
    another: Callable[[], Raw]

    @property
    def modern(self) -> bool:
        """Whether it is the newer era."""
        return self.era == "modern"


@pytest.fixture(scope="module")
def ways(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Way]]:
    """By name: `stdio-modern`, `stdio-legacy`, `http-modern`, `http-legacy`."""
    with ExitStack() as stack:
        standing = Standing(tmp_path_factory.mktemp("ways"), stack)
        with ThreadPoolExecutor() as pool:
            made = [
                pool.submit(_piped, standing, "modern"),
                pool.submit(_piped, standing, "legacy"),
                pool.submit(_streamed, standing),
            ]
            yield {name: way for each in made for name, way in each.result().items()}


def _piped(standing: Standing, era: Era) -> dict[str, Way]:
    folder = standing.place / f"piped-{era}"
    made = package(folder, {"mirror": stdio_server(folder, "mirror")})
    through = standing.gateway(made)
    direct = standing.mirror()
    return {f"stdio-{era}": _way(era, direct, through, lambda: through)}


def _streamed(standing: Standing) -> dict[str, Way]:
    url = standing.mirror_http()
    folder = standing.place / "streamed"
    gateway = standing.gateway_http(package(folder, {"mirror": {"type": "streamable-http", "url": url}}))
    eras: tuple[Era, ...] = ("modern", "legacy")
    return {
        f"http-{era}": _way(era, Streams(url), Streams(gateway), lambda: Streams(gateway)) for era in eras
    }


def _way(
    era: Era, direct: Pipe | Streams, through: Pipe | Streams, again: Callable[[], Pipe | Streams]
) -> Way:
    return Way(
        era=era,
        direct=Raw(direct, era, CAPABILITIES),
        through=Raw(through, era, CAPABILITIES),
        another=lambda: Raw(again(), era, CAPABILITIES),
    )


@pytest.fixture(params=["stdio-modern", "stdio-legacy", "http-modern", "http-legacy"])
def way(request: pytest.FixtureRequest, ways: dict[str, Way]) -> Way:
    """Each of them."""
    return ways[request.param]


@pytest.fixture
def standing(tmp_path: Path) -> Iterator[Standing]:
    """Mirrors and gateways of one test."""
    with ExitStack() as stack:
        yield Standing(tmp_path, stack)
