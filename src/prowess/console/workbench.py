"""The workbench: JSON formatted, judged and compared. Nothing here changes anything, so nothing is confirmed.

Each of the three is a form that works without a script; `static/workbench.js` formats and compares as one
types. A large text is not sent back into its field: a page stays below its bound, whatever was pasted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import anyio
from markupsafe import escape
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from prowess.console.console import console_of
from prowess.console.forms import Form, failure, writing
from prowess.console.language import translator
from prowess.console.pages import language_of
from prowess.console.workbench_comparing import compare
from prowess.console.workbench_formatting import PART, formatted
from prowess.console.workbench_validating import KINDS, choices, chosen_schema, validated
from prowess.console.workbench_words import facts, script_words
from prowess.errors import NotFound, UsageError

ECHO = 60_000  # bytes of HTML that all fields of a page may hold
MOST_VALUES = 500_000  # of the texts of one form, counted by the signs around them


def _page(request: Request, template: str, **values: Any) -> Response:
    t = translator(language_of(request))
    known: dict[str, Any] = {"words": script_words(t), "facts": facts(), "part": PART}
    return console_of(request).pages.page(request, template, **known, **values)


def echoed(*texts: str) -> Sequence[str] | None:
    """The texts for their fields again, or None where they would make the page too large."""
    left = ECHO
    for each in texts:
        left -= len(each)
        left -= len(escape(each).encode("utf-8", "surrogatepass")) - len(each) if left >= 0 else 0
    return texts if left >= 0 else None


def too_many(request: Request, *texts: str) -> Response | None:
    """What is answered to texts of so many values that reading them would hold up everybody else."""
    if sum(each.count(",") + each.count("[") + each.count("{") for each in texts) <= MOST_VALUES:
        return None
    return failure(request, 413, "That is too large", "A text has at most half a million values here.")


# -- format


async def format_page(request: Request) -> Response:
    """The form."""
    return _page(request, "workbench.html", text="", indent="2", sort=False, result=None, lost=False)


async def format_text(request: Request, form: Form) -> Response:
    """The document formatted, on the page or as a file."""
    text, indent, sort = form.get("text"), form.get("indent", "2"), bool(form.get("sort"))
    if refusal := too_many(request, text):
        return refusal
    result = await anyio.to_thread.run_sync(formatted, text, 0 if indent == "0" else 2, sort)
    if form.get("as") == "file" and result.fault is None:
        named = {"Content-Disposition": 'attachment; filename="formatted.json"'}
        content = result.text.encode("utf-8", "surrogatepass")
        return Response(content, media_type="application/json", headers=named)
    again = echoed(text)
    return _page(
        request,
        "workbench.html",
        text=text if again else "",
        lost=again is None,
        indent="0" if indent == "0" else "2",
        sort=sort,
        result=result,
    )


# -- validate


async def validate_page(request: Request) -> Response:
    """The form; `tool` narrows the tools that it offers."""
    query = request.query_params
    kind = query.get("kind", "")
    return _validating(request, kind=kind if kind in KINDS else "plugin", tool=query.get("tool", "")[:200])


def _validating(request: Request, **values: Any) -> Response:
    given: dict[str, Any] = {
        "text": "",
        "schema": "",
        "tool": "",
        "result": None,
        "problem": "",
        "lost": False,
    }
    given |= values
    offered = choices(console_of(request).host, given["tool"])
    return _page(request, "workbench_validate.html", kinds=KINDS, tools=offered, **given)


async def validate_text(request: Request, form: Form) -> Response:
    """Every finding about the document, each at its line."""
    text, kind, tool, pasted = (form.get(each) for each in ("text", "kind", "tool", "schema"))
    if refusal := too_many(request, text, pasted):
        return refusal
    again = echoed(text, pasted)
    kept = {
        "text": text if again else "",
        "schema": pasted if again else "",
        "kind": kind if kind in KINDS else "plugin",
        "tool": tool[:200],
        "lost": again is None,
    }
    try:
        schema = await anyio.to_thread.run_sync(chosen_schema, console_of(request).host, kind, tool, pasted)
        result = await anyio.to_thread.run_sync(validated, text, kind, schema)
    except (NotFound, UsageError) as error:
        return _validating(request, **kept, problem=error.message)
    return _validating(request, **kept, result=result)


# -- compare


async def compare_page(request: Request) -> Response:
    """The form."""
    return _page(request, "workbench_compare.html", old="", new="", result=None, lost=False)


async def compare_texts(request: Request, form: Form) -> Response:
    """What differs; of two snapshots also what `prowess diff` says of them."""
    old, new = form.get("old"), form.get("new")
    if refusal := too_many(request, old, new):
        return refusal
    result = await anyio.to_thread.run_sync(compare, old, new)
    again = echoed(old, new)
    return _page(
        request,
        "workbench_compare.html",
        old=old if again else "",
        new=new if again else "",
        lost=again is None,
        result=result,
    )


ROUTES: Sequence[BaseRoute] = [
    Route("/workbench", format_page),
    writing("/workbench", format_text),
    Route("/workbench/validate", validate_page),
    writing("/workbench/validate", validate_text),
    Route("/workbench/compare", compare_page),
    writing("/workbench/compare", compare_texts),
]
