"""invoice-guides: an MCP server over streamable HTTP on loopback, with the texts behind the summaries.

It offers a prompt, a resource and a resource template, and no tool. It prints one line once it
listens, so that whoever starts it need not guess when to connect.
"""

from __future__ import annotations

import argparse
import socket
from typing import Annotated

import uvicorn
from mcp.server import MCPServer
from pydantic import Field

PORT = 18931  # the port in mcp.json

GLOSSARY = """\
# Invoice states

- open: sent, and not yet due
- paid: settled in full
- overdue: the due date has passed and nothing, or not everything, has come in
"""

REMINDERS = {
    "first": "A friendly note: repeat number, amount and due date, and ask whether anything is unclear.",
    "second": "A firm note: name the days that have passed and ask for a payment date in reply.",
    "final": "The last note before collection: name the date on which the account is handed over.",
}

guides = MCPServer(
    "invoice-guides",
    version="1.2.0",
    instructions="House texts for writing about invoices.",
    log_level="WARNING",
)


@guides.prompt(title="Weekly summary")
def weekly_summary(
    week: Annotated[str, Field(description="ISO week, such as 2026-W31.")],
    audience: Annotated[str, Field(description="Who reads it.")] = "the finance lead",
) -> str:
    """Ask for the weekly invoice summary of one week."""
    return (
        f"Write the weekly invoice summary of {week} for {audience}. Get the invoices with query_invoices, "
        "start with the totals by status, then name each overdue invoice, largest first."
    )


@guides.resource("guide://invoices/states", name="invoice-states", mime_type="text/markdown")
def invoice_states() -> str:
    """What open, paid and overdue mean."""
    return GLOSSARY


@guides.resource("guide://reminders/{stage}", name="reminder", mime_type="text/plain")
def reminder(stage: str) -> str:
    """How to word a reminder; stage is first, second or final."""
    if stage not in REMINDERS:
        raise ValueError(f"no such stage; known are {', '.join(REMINDERS)}")
    return REMINDERS[stage]


def main() -> None:
    """Listen on loopback, say so, and serve until stopped."""
    parser = argparse.ArgumentParser(description="Invoice guides, over MCP on streamable HTTP.")
    parser.add_argument(
        "--port", type=int, default=PORT, help=f"loopback port, 0 for a free one (default {PORT})"
    )
    port = parser.parse_args().port
    with socket.create_server(("127.0.0.1", port)) as listening:
        print(f"invoice-guides listens on http://127.0.0.1:{listening.getsockname()[1]}/mcp", flush=True)
        config = uvicorn.Config(
            guides.streamable_http_app(), log_level="warning", timeout_graceful_shutdown=2
        )
        uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
