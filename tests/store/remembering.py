"""Values to remember, for the tests of the store."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

from prowess.store.database import Database
from prowess.store.remembered import (
    ApprovalRequest,
    CallRecord,
    DecisionRecord,
    Pin,
    RequestRecord,
)

FORMATS = Path(__file__).with_name("formats")
_numbers = itertools.count(1)
CALL = CallRecord(
    id="",
    tool="query_invoices",
    server="invoices",
    version="1.4.2",
    outcome="answered",
    code="",
    attempts=1,
    duration_ms=12.5,
    argument_bytes=40,
    result_bytes=900,
    principal="local",
    conversation="c1",
    skill="billing",
    trace_id="",
    started=0.0,
)


def call(**changes: Any) -> CallRecord:
    """A call of its own, later than those before it."""
    number = next(_numbers)
    own = {"id": f"{number:032x}", "trace_id": f"{number:031x}f", "started": 1_700_000_000.0 + number}
    return replace(CALL, **{**own, **changes})


def decision(**changes: Any) -> DecisionRecord:
    """A choice of its own."""
    number = next(_numbers)
    made = DecisionRecord(
        id=f"{number:032x}",
        trace_id=f"{number:031x}f",
        utterance="which invoices are unpaid?",
        shown=("query_invoices", "send_reminder"),
        chosen="query_invoices",
        started=1_700_000_000.0 + number,
    )
    return replace(made, **changes)


def request(**changes: Any) -> RequestRecord:
    """An outgoing request of its own."""
    number = next(_numbers)
    made = RequestRecord(
        id=f"{number:032x}",
        trace_id=f"{number:031x}f",
        call="",
        method="GET",
        url="https://api.example.com/invoices",
        status=200,
        duration_ms=8.25,
        started=1_700_000_000.0 + number,
    )
    return replace(made, **changes)


def pin(**changes: Any) -> Pin:
    """A pin of one tool."""
    made = Pin(
        scope="package",
        server="invoices",
        tool="query_invoices",
        digest="sha256:one",
        definition={"name": "query_invoices", "inputSchema": {"type": "object"}},
    )
    return replace(made, **changes)


def asking(digest: str = "sha256:asked", **changes: Any) -> ApprovalRequest:
    """A request for approval that lasts 600 seconds."""
    made = ApprovalRequest(
        digest=digest,
        tool="delete_invoice",
        server="invoices",
        arguments={"id": 7},
        reason="the tool says that it is destructive",
        asked=1_000.0,
        expires=1_600.0,
    )
    return replace(made, **changes)


def rows(database: Database, query: str, *values: Any) -> list[Any]:
    """What a query finds."""
    return database.now(lambda connection: connection.execute(query, values).fetchall())
