"""One command line in this process."""

from __future__ import annotations

import pytest
from tests.commanding import Run, commanding


@pytest.fixture
def prowess(capsys: pytest.CaptureFixture[str]) -> Run:
    return commanding(capsys)
