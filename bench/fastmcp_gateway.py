"""The peer of `bench.gateway`: a FastMCP server with a proxy of one stdio server mounted in it.

Run with the Python of `bench/.peers`: `fastmcp_gateway.py stdio PROGRAM` or `... http PORT PROGRAM`.
"""

import sys

from fastmcp import FastMCP  # type: ignore[import-not-found]
from fastmcp.server import create_proxy  # type: ignore[import-not-found]


def gateway(program: str) -> "FastMCP":
    """The gateway around `program`."""
    server = FastMCP("gateway")
    proxy = create_proxy({"mcpServers": {"probe": {"command": program, "args": []}}})
    server.mount(proxy, namespace="probe")
    return server


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        gateway(sys.argv[2]).run("stdio", show_banner=False)
    else:
        gateway(sys.argv[3]).run("http", host="127.0.0.1", port=int(sys.argv[2]), show_banner=False)
