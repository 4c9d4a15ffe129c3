"""A token endpoint on loopback and the clock of the credential tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.credentials.token_endpoint import Endpoint, serving


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving() as endpoint:
        yield endpoint
