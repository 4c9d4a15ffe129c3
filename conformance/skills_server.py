#!/usr/bin/env python3
"""The server of the skills scenarios of the public MCP suite: a package's skills, served by Prowess.

    python conformance/skills_server.py --port 3201 [PACKAGE]

serves the skills of PACKAGE (by default the example package, whose first skill has a sub-directory) at
http://127.0.0.1:PORT/mcp until it is interrupted. Nothing of the package is started.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

import uvicorn

from prowess.host import Host
from prowess.host.storing import Store
from prowess.serve.endpoint import Endpoint
from prowess.serve.protocol import server_of

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "invoice-ops"


async def serve(package: str, port: int) -> None:
    """Serve until the process is told to stop."""
    async with Host.open(package, connect=False, store=Store.in_memory()) as host:
        app = server_of(Endpoint(host)).streamable_http_app(host="127.0.0.1")
        config = uvicorn.Config(app, host="127.0.0.1", port=port, log_level="warning")
        await uvicorn.Server(config).serve()


def main() -> None:
    """Read the arguments and serve."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("package", metavar="PACKAGE", nargs="?", default=str(EXAMPLE))
    parser.add_argument("--port", type=int, default=3201)
    options = parser.parse_args()
    asyncio.run(serve(options.package, options.port))


if __name__ == "__main__":
    main()
