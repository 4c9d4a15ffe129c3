"""A provider that listens, and the example package as an agent opens it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest
from examples.agent.provider import Provider, running


@pytest.fixture(scope="module")
def environment() -> Iterator[pytest.MonkeyPatch]:
    """The `python3` of the example's server is the one that runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]]))
        yield patch


@pytest.fixture(scope="module")
def provider(environment: pytest.MonkeyPatch) -> Iterator[Provider]:
    """The scripted provider."""
    with running() as server:
        yield server
