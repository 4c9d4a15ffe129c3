"""The packages of the public suite's cases, each brought up once for all the tests of a worker."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.conformance import packages
from tests.conformance.bringing_up import Suite, bring_up
from tests.conformance.http_probe import two_origins


@pytest.fixture(scope="session")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Suite]:
    base = tmp_path_factory.mktemp("conformance")
    with pytest.MonkeyPatch.context() as patch, two_origins() as (origin, foreign):
        for name in ("DATA", "STATE", "CACHE", "CONFIG"):
            patch.setenv(f"XDG_{name}_HOME", str(base / "home" / name.lower()))
        patch.setenv("APC_HOST_SECRET", "must stay with the host")
        core_root = packages.core(base / "conformance-core", origin.url)
        core = bring_up(core_root)
        before = len(origin.seen) + len(foreign.seen)
        recovery = bring_up(packages.recovery(base / "conformance-recovery", base / "outside", origin.url))
        after = len(origin.seen) + len(foreign.seen)
        invalid = bring_up(packages.invalid_mcp(base / "conformance-invalid-mcp"))
        yield Suite(
            core=core,
            recovery=recovery,
            invalid_mcp=invalid,
            core_root=core_root,
            origin=origin,
            foreign=foreign,
            recovery_requests=after - before,
        )
