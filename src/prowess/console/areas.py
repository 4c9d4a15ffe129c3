"""Every area of pages, in the order of the menu."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.routing import BaseRoute

from prowess.console import (
    calls,
    capabilities,
    drift,
    importing,
    packages,
    rollout,
    runs,
    triggering,
    workbench,
)

ROUTES: Sequence[BaseRoute] = [
    *packages.ROUTES,
    *capabilities.ROUTES,
    *drift.ROUTES,
    *calls.ROUTES,
    *runs.ROUTES,
    *rollout.ROUTES,
    *triggering.ROUTES,
    *importing.ROUTES,
    *workbench.ROUTES,
]
