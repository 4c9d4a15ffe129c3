"""invoice-tools: one MCP server over stdio with one tool, `query_invoices`, on an SQLite file.

The file is made from `seed.sql` the first time it is needed. The tool reads and never writes, and
its schemas are written out by hand, so that what is offered does not change with a library's version.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server import Server
from mcp.server.stdio import stdio_server

WEEK = r"^[0-9]{4}-W[0-9]{2}$"
STATUSES = ("open", "paid", "overdue")
COLUMNS = ("number", "customer", "issued_on", "due_on", "amount_cents", "currency", "status")

INPUT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "week": {
            "type": "string",
            "pattern": WEEK,
            "description": "ISO week of the issue date, such as 2026-W31.",
        },
        "status": {
            "type": "string",
            "enum": list(STATUSES),
            "description": "Only invoices in this state; leave out for all of them.",
        },
    },
    "required": ["week"],
    "additionalProperties": False,
}

OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "week": {"type": "string"},
        "invoices": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "number": {"type": "string"},
                    "customer": {"type": "string"},
                    "issued_on": {"type": "string", "description": "ISO date."},
                    "due_on": {"type": "string", "description": "ISO date."},
                    "amount_cents": {"type": "integer"},
                    "currency": {"type": "string"},
                    "status": {"type": "string", "enum": list(STATUSES)},
                },
                "required": list(COLUMNS),
            },
        },
        "totals_cents": {
            "type": "object",
            "description": "Sum of amount_cents by status.",
            "additionalProperties": {"type": "integer"},
        },
    },
    "required": ["week", "invoices", "totals_cents"],
}

QUERY_INVOICES = types.Tool(
    name="query_invoices",
    title="Query invoices",
    description="List the invoices issued in one ISO week, with totals by status. Read only.",
    input_schema=INPUT_SCHEMA,
    output_schema=OUTPUT_SCHEMA,
    annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
)


def create_database(path: Path) -> None:
    """Make the database from `seed.sql` unless it is there; two servers starting at once both win."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with closing(sqlite3.connect(draft)) as connection:
        connection.executescript(Path(__file__).with_name("seed.sql").read_text(encoding="utf-8"))
        connection.commit()
    draft.replace(path)


def query_invoices(database: Path, week: str, status: str | None) -> dict[str, Any]:
    """The week's invoices in order of their number, and their totals by status."""
    create_database(database)
    sql = f"SELECT {', '.join(COLUMNS)} FROM invoices WHERE week = ? AND ? IN (status, '') ORDER BY number"
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        rows = connection.execute(sql, (week, status or "")).fetchall()
    invoices = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
    totals: Counter[str] = Counter()
    for invoice in invoices:
        totals[invoice["status"]] += invoice["amount_cents"]
    return {"week": week, "invoices": invoices, "totals_cents": dict(totals)}


def problem_with(arguments: Mapping[str, Any]) -> str | None:
    """What is wrong with the arguments, in words a model can act on; None when they are fine."""
    unknown = sorted(set(arguments) - {"week", "status"})
    if unknown:
        return f"unknown argument {unknown[0]!r}; known are week and status"
    week = arguments.get("week")
    if not isinstance(week, str) or not re.fullmatch(WEEK[1:-1], week):
        return "week is required and looks like 2026-W31"
    if "status" in arguments and arguments["status"] not in STATUSES:
        return f"status is one of {', '.join(STATUSES)}"
    return None


def build_server(database: Path) -> Server[Any]:
    """The MCP server on one database file."""

    async def list_tools(
        _context: Any, _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[QUERY_INVOICES])

    async def call_tool(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        arguments = params.arguments or {}
        problem = f"no tool named {params.name!r}" if params.name != QUERY_INVOICES.name else None
        problem = problem or problem_with(arguments)
        if problem:
            return types.CallToolResult(content=[types.TextContent(text=problem)], is_error=True)
        found = query_invoices(database, arguments["week"], arguments.get("status"))
        text = types.TextContent(text=json.dumps(found))  # the same again, for clients that read only text
        return types.CallToolResult(content=[text], structured_content=found)

    return Server("invoice-tools", version="1.2.0", on_list_tools=list_tools, on_call_tool=call_tool)


async def serve(database: Path) -> None:
    """Answer on stdin and stdout until the client hangs up."""
    server = build_server(database)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def main() -> None:
    """Read the one option and serve."""
    parser = argparse.ArgumentParser(description="Invoices by week, over MCP on stdio.")
    parser.add_argument("--database", type=Path, required=True, help="SQLite file; made when missing")
    asyncio.run(serve(parser.parse_args().database.absolute()))


if __name__ == "__main__":
    main()
