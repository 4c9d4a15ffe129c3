"""A tool's page, and a call made by its form, down the one call path as whoever sits here.

A tool that says it only reads is called at once, unless the policy wants it asked; before every other
call a page shows the exact arguments, and what it sends back is these and no others. Saying yes there
is the approval that the policy asks for. What is hidden or denied stays so: the call path refuses it.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from prowess.call.redaction import redacted
from prowess.call.resolving import VERSION_META
from prowess.call.retry import annotation
from prowess.call.running import Asked
from prowess.capability.offer import Tool
from prowess.console.capabilities_fields import shape_of
from prowess.console.capabilities_filling import RAW, Filled, read_fields, read_raw
from prowess.console.capabilities_outcomes import SHOWN, Kept, outcomes_of
from prowess.console.console import console_of
from prowess.console.forms import Form, confirm, done, failure, writing
from prowess.console.language import translator
from prowess.console.pages import language_of
from prowess.console.shown import cut
from prowess.errors import NotFound
from prowess.host import Host
from prowess.store.remembered import ApprovalRequest

DEFINITION = "definition"  # the digest of what a person saw
ASKED = 200_000  # characters that the page that asks shows
SCHEMA_SHOWN = 20_000
_HINTS = (
    ("readOnlyHint", True, "good", "only reads"),
    ("destructiveHint", True, "bad", "destructive"),
    ("idempotentHint", True, "off", "repeating does no harm"),
    ("openWorldHint", True, "warn", "reaches out"),
    ("openWorldHint", False, "off", "stays inside"),
)


class Confirmed:
    """Whoever said yes to just this call."""

    async def approve(self, request: ApprovalRequest) -> bool:
        """Yes."""
        return True


async def tool(request: Request) -> Response:
    """The page of one tool: what it is, its form, and what the last call came to."""
    try:
        found = _named(request, request.query_params)
    except NotFound as error:
        return failure(request, 404, "There is no such tool", error.hint)
    kept = outcomes_of(request).get(request.query_params.get("outcome", "")[:64], found.server, found.name)
    return await _page(request, found, kept)


async def call(request: Request, form: Form) -> Response:
    """Call the tool with what the form holds, once that may be done."""
    given = dict(form.fields)
    try:
        found = _named(request, given)
    except NotFound as error:
        return failure(request, 404, "There is no such tool", error.hint)
    host = console_of(request).host
    raw = RAW in given
    shape = shape_of(found.wire.get("inputSchema"))
    filled = read_raw(form, shape) if raw else read_fields(form, shape)
    kept = Kept(
        server=found.server,
        tool=found.name,
        arguments=filled.arguments,
        texts=filled.texts,
        problems=filled.problems,
        raw=raw and not form.confirmed,
    )
    if kept.problems:
        return _shown(request, kept, given)
    if form.confirmed and given.get(DEFINITION) != host.path.pins.digest_of(found):
        return failure(
            request, 409, "The tool has changed since you looked", "Open its page again and read it."
        )
    if not form.confirmed and not _at_once(host, found):
        return await _asked(request, found, kept, given)
    return _shown(request, await _called(host, found, kept, given, form.confirmed), given)


async def read_on(request: Request, form: Form) -> Response:
    """On to the next part of a result; nothing is called for it."""
    server, name, id = form.get("server"), form.get("name"), form.get("outcome")[:64]
    try:
        turned = outcomes_of(request).read_on(id, server, name, console_of(request).host.read_on)
    except NotFound as error:
        return failure(request, 404, "The rest of this result is gone", error.message)
    if not turned:
        return failure(request, 404, "The rest of this result is gone", "Call the tool again.")
    return done(f"{address(server, name, version=form.get('version'), outcome=id)}#outcome")


def _named(request: Request, given: Mapping[str, str]) -> Tool:
    """The tool that `server` and `name` (and `version`) mean. Raises NotFound."""
    return console_of(request).host.path.find(
        given.get("name", ""), server=given.get("server", ""), version=given.get("version") or None
    )


def _at_once(host: Host, tool: Tool) -> bool:
    """Whether nobody has to be asked."""
    asks = host.path.decision(tool).action == "ask"
    return annotation(tool, "readOnlyHint") is True and not asks


async def _asked(request: Request, tool: Tool, kept: Kept, given: Mapping[str, str]) -> Response:
    """The page that shows exactly what is about to be sent, or what is wrong with it."""
    from prowess.call.validation import problems

    host = console_of(request).host
    schema = tool.wire.get("inputSchema", {})
    wrong = await asyncio.to_thread(problems, schema, kept.arguments)
    if wrong:
        again = Kept(
            server=kept.server, tool=kept.tool, arguments=kept.arguments, problems=wrong, raw=kept.raw
        )
        return _shown(request, again, given)
    t = translator(language_of(request))
    text = json.dumps(kept.arguments, ensure_ascii=False, indent=2)
    if cut(text, ASKED, frozenset("\n")) != text:
        return failure(
            request, 413, "These arguments are too long to be shown, so nobody can say yes to them here"
        )
    fields = (
        ("server", tool.server),
        ("name", tool.name),
        ("version", given.get("version", "")),
        (RAW, json.dumps(kept.arguments, ensure_ascii=False)),  # one line: a browser changes line ends
        (DEFINITION, host.path.pins.digest_of(tool)),
    )
    decision = host.path.decision(tool)
    return confirm(
        request,
        Form(fields=fields, confirmed=False),
        question=t("Call this tool with just these arguments?"),
        details=[
            (t("Tool"), tool.name),
            (t("Server"), tool.server),
            (t("It says of itself"), ", ".join(t(word) for _, word in hints(tool)) or t("nothing")),
            (t("Policy"), f"{t(decision.action)}: {decision.reason}"),
        ],
        text=text,
        yes=t("Call it"),
        back=address(tool.server, tool.name, version=given.get("version", "")),
    )


async def _called(host: Host, tool: Tool, kept: Kept, given: Mapping[str, str], yes: bool) -> Kept:
    """The call, made and timed."""
    began = time.monotonic()
    result = await host.call_recorded(
        tool.name,
        kept.arguments,
        server=tool.server,
        version=given.get("version") or None,
        asked=Asked(approver=Confirmed() if yes else None),
    )
    return Kept(
        server=kept.server,
        tool=kept.tool,
        arguments=kept.arguments,
        problems=result.problems,
        result=result,
        seconds=time.monotonic() - began,
        raw=kept.raw,
        page=result.page,
    )


def _shown(request: Request, kept: Kept, given: Mapping[str, str]) -> Response:
    """On to the tool's page, where this is shown."""
    id = outcomes_of(request).keep(kept)
    place = "problems" if kept.problems else "outcome"
    more = {"mode": "json"} if kept.raw else {}
    there = address(kept.server, kept.tool, version=given.get("version", ""), outcome=id, **more)
    return done(f"{there}#{place}")


def address(server: str, name: str, **more: str) -> str:
    """The page of a tool."""
    said = {"server": server, "name": name, **{key: value for key, value in more.items() if value}}
    return f"/capabilities/tool?{urlencode(said, errors='replace')}"


def hints(tool: Tool) -> list[tuple[str, str]]:
    """What a tool says of itself, as badges."""
    return [(kind, word) for name, value, kind, word in _HINTS if annotation(tool, name) is value]


async def _page(request: Request, tool: Tool, kept: Kept | None) -> Response:
    console = console_of(request)
    path = console.host.path
    seen = Tool(server=tool.server, wire=redacted(tool.wire, path.secrets))
    shape = shape_of(seen.wire.get("inputSchema"))
    filled = Filled(
        shape=shape,
        arguments=kept.arguments if kept is not None and kept.is_short else None,
        texts=kept.texts if kept is not None and kept.is_short else {},
        problems=kept.problems if kept is not None else (),
    )
    raw = request.query_params.get("mode") == "json" or not shape.fields or filled.beside
    pinned = any(each is tool for each in path.pinned())
    changed = await path.pins.changed([tool]) if pinned else ()
    return console.pages.page(
        request,
        "capabilities_tool.html",
        tool=seen,
        version=_version(tool) if request.query_params.get("version") else "",
        versions=[_version(each) for each in path.versions(tool)],
        offer=next((each for each in console.host.offers if each.id == tool.server), None),
        hints=hints(tool),
        decision=path.decision(tool),
        pinned=pinned,
        changed=changed,
        at_once=_at_once(console.host, tool),
        filled=filled,
        raw=raw,
        kept=kept,
        result_shown=SHOWN,
        kept_id=request.query_params.get("outcome", "")[:64],
        schemas=[
            (name, _schema(seen.wire[name])) for name in ("inputSchema", "outputSchema") if name in seen.wire
        ],
        schema_shown=SCHEMA_SHOWN + 2,
        address=address,
    )


def _version(tool: Tool) -> str:
    meta = tool.wire.get("_meta")
    return str(meta.get(VERSION_META, "")) if isinstance(meta, Mapping) else ""


def _schema(schema: Any) -> str:
    """The schema as JSON to read: of an endless one the beginning."""
    written: list[str] = []
    room = SCHEMA_SHOWN
    for piece in json.JSONEncoder(ensure_ascii=False, indent=2).iterencode(schema):
        written.append(piece[:room])
        room -= len(piece)
        if room < 0:
            return "".join(written) + "\n…"
    return "".join(written)


ROUTES: list[BaseRoute] = [
    Route("/capabilities/tool", tool),
    writing("/capabilities/tool/call", call),
    writing("/capabilities/tool/next", read_on),
]
