#!/usr/bin/env python3
"""The client that the public MCP conformance suite tests: a Prowess host, driven as its users drive it.

The suite starts this with the URL of a server of its own as the last argument and says in the
environment which scenario that is. A plugin and a `prowess.toml` are written for it, the host is
opened, everything on offer is used. `client_side/` has the person of these tests.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from conformance.client_side.session import drive
from conformance.client_side.setting import Setting, written

SECONDS = 300.0  # the suite has a limit of its own, which is meant to be the shorter one


def main(argv: list[str]) -> int:
    """Drive a host against the server at the URL named last; 0 unless something failed."""
    scenario = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    if len(argv) != 1:
        print("usage: host_client.py URL", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="host-client-") as folder:
        for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
            os.environ[name] = os.path.join(folder, "home")
        setting = Setting(url=argv[0], scenario=scenario, context=context)
        try:
            problems = asyncio.run(asyncio.wait_for(drive(written(setting, folder), setting), SECONDS))
        except TimeoutError:
            problems = [f"not done within {SECONDS:g} s"]
    for each in problems:
        print(f"host_client: {each}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
