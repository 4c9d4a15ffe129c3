#!/usr/bin/env python3
"""The reference server: everything that the MCP conformance suite asks for, on the MCP SDK.

python conformance/reference_server.py --port 3101     over HTTP, at http://127.0.0.1:3101/mcp
python conformance/reference_server.py --stdio         over stdin and stdout
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until the client or a signal ends it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--port", type=int, help="serve over HTTP on 127.0.0.1, at /mcp")
    way.add_argument("--stdio", action="store_true", help="serve over stdin and stdout")
    chosen = parser.parse_args(argv)

    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from conformance.reference.sdk_server import over_http, over_stdio

    try:
        asyncio.run(over_stdio() if chosen.stdio else over_http(chosen.port))
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
