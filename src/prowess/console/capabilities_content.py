"""A prompt with its form and the messages it gives, a resource and a template with what they hold.

MCP 2026-07-28: prompts/get, resources/read, completion/complete. They are asked of their server as any
caller asks. Text of the type Markdown is rendered, other text shown as it is, anything else told by type
and size. Suggestions for a field are fetched once, where the server says that it has some.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from prowess.call.redaction import redacted
from prowess.capability.offer import Capability, Prompt, Resource, ResourceTemplate
from prowess.console.capabilities_outcomes import Part, content_part, parts_of
from prowess.console.console import console_of
from prowess.console.forms import Form, failure, writing
from prowess.console.markdown import plain, rendered
from prowess.console.shown import cut
from prowess.content.uri_template import BadTemplate, UriTemplate, parse
from prowess.errors import ProwessError
from prowess.host import Host

MOST_MESSAGES = 30
MOST_CONTENTS = 20
MOST_BLANKS = 100
LONGEST_NAME = 200  # of an argument or a variable
MOST_SUGGESTED = 6  # fields that get suggestions
SUGGESTION_SECONDS = 2.0
PREFIX = "v:"  # before the name of an argument or a variable, as a field
MARKDOWN = ("text/markdown", "text/x-markdown")
SHOWN = 20_000  # characters of one part
ROOM = 150_000  # characters of HTML for all parts; the first is shown however long it is
Content = tuple[str, Sequence[Part | Markup]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a server answered, to draw: pairs of a heading and its parts; or what went wrong."""

    heading: str = ""
    contents: Sequence[Content] = ()
    error: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blank:
    """One argument of a prompt or variable of a template."""

    name: str
    about: str = ""
    required: bool = False
    value: str = ""
    suggestions: Sequence[str] = field(default_factory=tuple)


async def prompt(request: Request) -> Response:
    """A prompt, before it was asked for."""
    found = _of(request, "prompts", "name", request.query_params)
    if not isinstance(found, Prompt):
        return failure(request, 404, "There is no such prompt")
    return await _prompt_page(request, found, {}, None)


async def messages(request: Request, form: Form) -> Response:
    """The messages that a prompt gives for these arguments."""
    given = dict(form.fields)
    found = _of(request, "prompts", "name", given)
    if not isinstance(found, Prompt):
        return failure(request, 404, "There is no such prompt")
    typed = {name.removeprefix(PREFIX): value for name, value in given.items() if name.startswith(PREFIX)}
    arguments = {name: value for name, value in typed.items() if value}
    params = {"name": found.name, "arguments": arguments}
    answer = await _asked(console_of(request).host, found.server, "prompts/get", params)
    return await _prompt_page(request, found, typed, answer)


async def resource(request: Request) -> Response:
    """A resource and what it holds now; its URI may be one that a template gave."""
    found = _of(request, "resources", "uri", request.query_params)
    if found is None:
        return failure(request, 404, "There is no such resource")
    uri = str(found.wire.get("uri", ""))
    host = console_of(request).host
    answer = await _asked(host, found.server, "resources/read", {"uri": uri})
    return _page(request, "capabilities_resource.html", found, answer=answer, uri=uri)


async def template(request: Request) -> Response:
    """A template with a field for each variable, and what the resource holds that they lead to."""
    found = _of(request, "templates", "template", request.query_params)
    if not isinstance(found, ResourceTemplate):
        return failure(request, 404, "There is no such template")
    host = console_of(request).host
    query = request.query_params
    typed = {name.removeprefix(PREFIX): value for name, value in query.items() if name.startswith(PREFIX)}
    uri, answer = "", None
    try:
        parsed = parse(found.uri_template)
        if typed:
            uri = _expanded(parsed, typed)
            answer = await _asked(host, found.server, "resources/read", {"uri": uri})
    except BadTemplate as error:
        parsed, answer = UriTemplate("", ()), Answer(error=str(error))
    blanks = [Blank(name=each, value=typed.get(each, "")) for each in _fitting(parsed.variables)]
    blanks = await _suggested(host, found, {"type": "ref/resource", "uri": found.uri_template}, blanks)
    return _page(request, "capabilities_template.html", found, answer=answer, uri=uri, blanks=blanks)


def _of(request: Request, kind: str, by: str, given: Mapping[str, str]) -> Capability | None:
    """The one that `server` and its name or URI mean; of a template's resource only these two are known."""
    server, name = given.get("server", ""), given.get(by, "")
    member = {"name": "name", "uri": "uri", "template": "uriTemplate"}[by]
    for offer in console_of(request).host.offers:
        if offer.id == server:
            for each in getattr(offer, kind):
                if str(each.wire.get(member, "")) == name:
                    return each  # type: ignore[no-any-return]
            if kind == "resources" and name:
                return Resource(server=server, wire={"uri": name})
    return None


def _expanded(template: UriTemplate, typed: Mapping[str, str]) -> str:
    """The URI; a value of several lines is a list."""
    values: dict[str, Any] = {}
    for name, text in typed.items():
        lines = [each for each in text.splitlines() if each]
        if lines and name in template.variables:
            values[name] = lines if len(lines) > 1 else lines[0]
    return template.expand(values)


async def _prompt_page(
    request: Request, found: Prompt, typed: Mapping[str, str], answer: Answer | None
) -> Response:
    said = found.wire.get("arguments")
    declared = [each for each in said if isinstance(each, Mapping)] if isinstance(said, list) else []
    fitting = _fitting([str(each.get("name", "")) for each in declared])
    blanks = [
        Blank(
            name=str(each.get("name", "")),
            about=str(each.get("description") or ""),
            required=each.get("required") is True,
            value=typed.get(str(each.get("name", "")), ""),
        )
        for each in declared
        if str(each.get("name", "")) in fitting
    ]
    reference = {"type": "ref/prompt", "name": found.name}
    blanks = await _suggested(console_of(request).host, found, reference, blanks)
    return _page(request, "capabilities_prompt.html", found, answer=answer, blanks=blanks)


def _fitting(names: Sequence[str]) -> list[str]:
    """The names that become fields: as many, and as long, as a page holds."""
    return [each for each in names if len(each) <= LONGEST_NAME][:MOST_BLANKS]


def _page(request: Request, template: str, found: Capability, **values: Any) -> Response:
    console = console_of(request)
    seen = type(found)(server=found.server, wire=redacted(found.wire, console.host.path.secrets))
    return console.pages.page(request, template, found=seen, prefix=PREFIX, **values)


async def _asked(host: Host, server: str, method: str, params: Mapping[str, Any]) -> Answer:
    """What the server answered, to draw; its errors are an answer too."""
    try:
        result = await host.ask(server, method, params)
    except ProwessError as error:
        return Answer(error=error.message, hint=error.hint)
    seen = redacted(result, host.path.secrets)
    return await asyncio.to_thread(_drawn, seen, method)


def _drawn(result: Mapping[str, Any], method: str) -> Answer:
    if method == "prompts/get":
        said = _listed(result.get("messages"))
        shown = [(str(each.get("role", "")), _message(each.get("content"))) for each in said[:MOST_MESSAGES]]
        contents = [*_within(shown), *_rest(said, MOST_MESSAGES)]
        return Answer(heading=str(result.get("description") or ""), contents=contents)
    said = _listed(result.get("contents"))
    several = len(said) > 1
    contents = [
        (str(each.get("uri", "")) if several else "", [_content(each)]) for each in said[:MOST_CONTENTS]
    ]
    return Answer(contents=[*_within(contents), *_rest(said, MOST_CONTENTS)])


def _within(contents: Sequence[Content]) -> list[Content]:
    """As much of it as a page has room for, and how many parts are left out."""
    found: list[Content] = []
    room, left = ROOM, 0
    for heading, parts in contents:
        kept: list[Part | Markup] = []
        for each in parts:
            room -= _size(each)
            if room < 0 and (kept or found):
                left += 1
            else:
                kept.append(each)
        if kept:
            found.append((heading, kept))
    return [*found, ("", [Part(about=f"+{left}")])] if left else found


def _size(part: Part | Markup) -> int:
    """What a part takes on a page, about."""
    return (
        len(part) if isinstance(part, Markup) else len(escape(cut(part.text, SHOWN, frozenset("\n\t")))) + 100
    )


def _message(content: Any) -> list[Part | Markup]:
    return list(parts_of(content if isinstance(content, list) else [content]))


def _content(content: Mapping[str, Any]) -> Part | Markup:
    text, kind = content.get("text"), str(content.get("mimeType", "")).partition(";")[0].strip().lower()
    if not isinstance(text, str):
        return content_part(content)
    return rendered(text) if kind in MARKDOWN else plain(text)


def _rest(said: Sequence[Any], most: int) -> list[Content]:
    return [("", [Part(about=f"+{len(said) - most}")])] if len(said) > most else []


def _listed(value: Any) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


async def _suggested(
    host: Host, found: Capability, reference: Mapping[str, str], blanks: Sequence[Blank]
) -> list[Blank]:
    """The same with what may stand in them; a server that is slow or fails suggests nothing."""
    offer = next((each for each in host.offers if each.id == found.server), None)
    if offer is None or "completions" not in offer.capabilities:
        return list(blanks)

    async def of(each: Blank) -> Blank:
        params = {"ref": reference, "argument": {"name": each.name, "value": ""}}
        try:
            result = await host.ask(found.server, "completion/complete", params, timeout=SUGGESTION_SECONDS)
        except ProwessError:
            return each
        said = result.get("completion")
        values = said.get("values") if isinstance(said, Mapping) else None
        texts = [value for value in values if isinstance(value, str)] if isinstance(values, list) else []
        return Blank(
            name=each.name,
            about=each.about,
            required=each.required,
            value=each.value,
            suggestions=texts[:50],
        )

    return [*await asyncio.gather(*map(of, blanks[:MOST_SUGGESTED])), *blanks[MOST_SUGGESTED:]]


ROUTES: list[BaseRoute] = [
    Route("/capabilities/prompt", prompt),
    writing("/capabilities/prompt/messages", messages),
    Route("/capabilities/resource", resource),
    Route("/capabilities/template", template),
]
