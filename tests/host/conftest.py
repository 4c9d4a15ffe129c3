"""Async tests run on asyncio, which is what the effects are written for."""

from __future__ import annotations

import pytest


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
