#!/usr/bin/env python3
"""Puts the TypeScript SDK's clients, and a Node for them, where the tests look for them."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

from conformance.suite.install import (  # noqa: E402  # it is found from here on
    CannotRun,
    installed,
    node_in,
    npm_install,
    version_of,
)

SUITE = ROOT / "build" / "conformance"
CLIENTS = ROOT / "build" / "clients"
# The SDK of today, and the one before it, which most clients are still built on.
WANTED = {"@modelcontextprotocol/client": "2.4.0", "@modelcontextprotocol/sdk": "1.32.2"}
FASTMCP = ROOT / ".venv-fastmcp" / "bin" / "python"


def complete() -> bool:
    """Whether everything is there."""
    there = all(version_of(CLIENTS / "node_modules" / name) == each for name, each in WANTED.items())
    return there and node() is not None


def node() -> str | None:
    """A Node that is new enough."""
    return node_in(SUITE)


def environment() -> Mapping[str, str]:
    """The environment of a client: it tells where the packages are."""
    return {**os.environ, "CLIENTS": str(CLIENTS)}


if __name__ == "__main__":
    try:
        installed(SUITE)
        if not complete():
            npm_install(CLIENTS, WANTED)
    except CannotRun as error:
        sys.exit(f"clients: {error}")
