"""A server with knowledge and a tool, over stdio or HTTP; its texts are read from a file at each request.

Usage: desk.py TEXTS.json [--http]    with --http it prints its URL once it listens
"""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path

import uvicorn
from mcp.server import MCPServer

TEXTS = Path(sys.argv[1])
desk = MCPServer("desk", version="1.0.0", instructions="How refunds are handled here.", log_level="WARNING")


def told(name: str) -> str:
    text: str = json.loads(TEXTS.read_text(encoding="utf-8"))[name]
    return text


@desk.resource("desk://refunds", name="refund-rules", mime_type="text/markdown")
def refunds() -> str:
    """When a refund is given, and who approves it."""
    return told("refunds")


@desk.resource("desk://prices", name="price-list", mime_type="text/plain")
def prices() -> str:
    """What each product costs today."""
    return told("prices")


@desk.resource("desk://letters/{kind}", name="letter", mime_type="text/plain")
def letter(kind: str) -> str:
    """A letter to a customer; kind is sorry or thanks."""
    return f"{told('letter')} ({kind})"


@desk.prompt(title="Refund decision")
def decide(order: str) -> str:
    """Decide about a refund of one order."""
    return f"Look at order {order} and decide about its refund."


@desk.tool()
def find_order(number: str) -> str:
    """Find an order by its number."""
    return f"order {number}: paid"


if __name__ == "__main__":
    if "--http" not in sys.argv:
        desk.run()
    else:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            print(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp", flush=True)
            config = uvicorn.Config(desk.streamable_http_app(), log_level="warning")
            uvicorn.Server(config).run(sockets=[listening])
