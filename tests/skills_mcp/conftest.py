"""Async tests run on asyncio, which is what the effects are written for."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.skills_mcp.packaging import Packages


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def packages(tmp_path: Path) -> Packages:
    """A folder in which packages with skills are written."""
    return Packages(tmp_path)
