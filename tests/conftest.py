"""Settings for every test: a home of its own, bounded property tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Packages of tests start servers by a bare name, as packages do: it is this Python that is meant.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

settings.register_profile(
    "default", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
settings.register_profile(
    "thorough",
    max_examples=2_000,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Prowess's own state and data of this test, apart from the user's and from other tests'."""
    place = tmp_path_factory.mktemp("home")
    for name in ("DATA", "STATE", "CACHE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(place / name.lower()))
    monkeypatch.delenv("NO_COLOR", raising=False)
    return place


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that skips because it `needs X` fails where PROWESS_REQUIRE names X, as in CI."""
    report = yield
    required = [each for each in os.environ.get("PROWESS_REQUIRE", "").split(",") if each]
    if report.skipped and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2]
        missing = [each for each in required if f"needs {each}" in reason]
        if missing:
            report.outcome = "failed"
            report.longrepr = f"{reason}: PROWESS_REQUIRE names {missing[0]}, so this may not be skipped"
    return report
