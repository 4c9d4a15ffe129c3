"""One world for every page: the examples, broken packages beside them, and what happened there before.

It is what the exhaustive tests of the console visit, and what the pictures of its guide show.
"""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.console.drifting import STUB, pinned
from tests.console.packaging import plugin, server, skill
from tests.console.recorded import keep
from tests.console.rolling import UNIT, settle, unit_in
from tests.store.remembering import asking, call, decision, request

from prowess.host.storing import Store
from prowess.store.remembered import Record

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SERVING = str(Path(__file__).resolve().parents[1] / "skills_mcp" / "servers" / "skills_stdio.py")
CLOSED = "http://127.0.0.1:9/mcp"  # the discard port: nobody listens
VARIABLE = "PROWESS_WORLD_TOKEN"  # is never set
TRACE = "5" * 32
DAY = 24 * 3600


def world(folder: Path, *, silent: bool = False, more: bool = False) -> Path:
    """Everything in `folder`; its `prowess.toml`.

    `silent` adds a server that never shakes hands; `more` what pages are tried with that show no example:
    a server of skills, and a unit whose answer is long.
    """
    packages = folder / "packages"
    examples(packages)
    broken(packages)
    if silent:
        plugin(packages / "silent", {"mute": stub("mute", "")}, description="Waits for its turn.")
    if more:
        library(packages / "library")
        long_winded(folder / "units" / "list_parcels")
    shutil.copytree(EXAMPLES / "flights" / "units", folder / "flights")
    shutil.copytree(EXAMPLES / "flights" / "workflows", folder / "workflows")
    shutil.copytree(EXAMPLES / "guides", folder / "guides")
    (folder / "workflows" / "greet.yaml").write_text(GREETING)
    unit_in(folder)
    settle(folder, stable="1.4.2", canary="2.0.0", percent=10.0, since=time.time() - DAY)
    names = "\n".join(f'{each.name} = "packages/{each.name}"' for each in sorted(packages.iterdir()))
    config = folder / "prowess.toml"
    config.write_text(f"[plugins]\n{names}\n{REST}")
    return config


GREETING = """\
name: greet_guest
description: Ask a person, then book a table for a guest.
input:
  type: object
  required: [name]
  properties: {name: {type: string, minLength: 1}}
  additionalProperties: false
steps:
  - {id: weather, skill: query_weather, params: {}}
  - {id: table, skill: query_weather, params: {}, approve: "Book a table for {{name}}?"}
output: "{{name}} sits by the window"
"""
REST = f"""
[units]
paths = ["units", "flights"]
[content]
paths = ["guides"]
[workflows]
paths = ["workflows"]
sqlite = "runs.sqlite3"
[credentials.erp]
tokens = [{{ env = "{VARIABLE}" }}]
[servers."keyless/ledger".env]
TOKEN = {{ credential = "erp" }}
"""


def examples(packages: Path) -> None:
    """The examples that are plugins, and the desk's skills as one."""
    shutil.copytree(
        EXAMPLES / "invoice-ops", packages / "invoice-ops", ignore=shutil.ignore_patterns("negative")
    )
    servers = packages / "invoice-ops" / "mcp.json"
    servers.write_text(servers.read_text().replace("http://127.0.0.1:18931/mcp", CLOSED))
    desk = plugin(packages / "desk", version="1.0.0", description="Letters, invoices and journeys.")
    for each in ("pay-invoices", "plan-trips", "write-letters"):
        shutil.copytree(EXAMPLES / "desk" / each, desk / "skills" / each)
    shutil.copytree(EXAMPLES / "desk" / "evals", desk / "evals")


def broken(packages: Path) -> None:
    """A package for each way in which a tool can be missing."""
    named = plugin(packages / "bad-skill", version="0.3.0", description="Sorts parcels.")
    skill(
        named,
        "sort-parcels",
        "Sorts parcels by size. Use when parcels are to be sorted.",
        said="Sort Parcels",
    )
    plugin(packages / "gone", {"scales": server("gone")}, description="Weighs parcels.")
    plugin(packages / "bad-schema", {"scales": server("mixed")}, version="2.1.0")
    plugin(packages / "changed", {"door": stub("answer", "greet")}, version="1.1.0")
    plugin(packages / "keyless", {"ledger": stub("answer", "read_ledger")}, version="1.0.0")
    plugin(packages / "rejected", name="Not A Name")
    skill(packages / "rejected", "send-parcels", "Sends parcels. Use when a parcel is to be sent.")


def library(root: Path) -> None:
    """A plugin whose server serves a skill."""
    skill(root, "read-books", "Reads books aloud. Use when a book is to be read.")
    (root / "skills").rename(root / "served")
    plugin(root, {"docs": {**server(), "args": ["-S", SERVING, str(root / "served")]}}, version="1.0.0")


def long_winded(root: Path) -> None:
    """A unit that reads only and whose answer has many parts."""
    root.mkdir(parents=True)
    metadata = {
        "name": root.name,
        "version": "1.0.0",
        "description": "Lists every parcel.",
        "parameters": {"type": "object", "properties": {}},
        "annotations": {"readOnlyHint": True},
    }
    (root / "schema.json").write_text(json.dumps(metadata))
    code = "return {'parcels': ['parcel ' + str(n) + ' ' + 'x' * 80 for n in range(3000)]}"
    (root / "skill.py").write_text(f"class Unit:\n    async def execute(self, params): {code}\n")


def stub(*arguments: str) -> dict[str, Any]:
    """The entry of the command line's stub server."""
    return {**server(), "args": ["-S", STUB, *arguments]}


def happened(store: Store, config: Path) -> None:
    """What was called, chosen, asked and pinned before."""
    pinned(store, config, "changed/door", OLD)
    keep(store, *records(time.time()))
    waiting(store)


OLD = {
    "name": "greet",
    "description": "Greets a guest.\nPolitely.",
    "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
}


def waiting(store: Store) -> None:
    """One call that waits for approval."""
    now = time.time()
    made = asking("sha256:waiting", server="invoice-ops/invoice-tools", asked=now - 120, expires=now + DAY)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, store.approvals.ask(made)).result()


def records(now: float) -> Iterator[Record]:
    """Calls of a day, the last with a choice before it and a request behind it."""
    dice = random.Random(7)  # the same picture each time
    tools = (("invoice-ops/invoice-tools", "query_invoices"), ("units", "search_flights"), ("units", UNIT))
    for number in range(180):
        place, tool = tools[number % 3]
        version = ("1.4.2", "2.0.0")[number % 2]
        fails = dice.random() < (0.2 if version == "2.0.0" else 0.04)
        yield call(
            tool=tool,
            server=place,
            version=version,
            outcome="tool-failed" if fails else "answered",
            code="tool-failed" if fails else "",
            duration_ms=dice.lognormvariate(4.0, 0.9),
            started=now - DAY / 2 + number * 200,
        )
    chosen = call(
        id="thecall0001",
        trace_id=TRACE,
        server="invoice-ops/invoice-tools",
        started=now - 60,
        duration_ms=84.0,
    )
    yield replace(
        decision(trace_id=TRACE, started=now - 61), utterance="which invoices of this week are unpaid?"
    )
    yield chosen
    yield request(trace_id=TRACE, call="thecall0001", started=now - 59.9)
