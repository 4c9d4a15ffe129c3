"""Requests about what was found, answered: prompts/get, resources/read, completion/complete, subscribe.

MCP 2026-07-28 and 2025-11-25. Whoever asks for what there is not gets -32602, with what there is in
`data` and in words that a model can act on. It does not know how anything was found.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, NoReturn

from prowess.content.completing import completion
from prowess.content.model import Content, Given, PromptFile, TemplateFile, plain
from prowess.content.prompts import rendered
from prowess.content.refusing import (
    INVALID_PARAMS,
    MOST_COMPARED,
    NoResource,
    insist_on_arguments,
    nearest,
    nearest_uris,
    no_argument,
    perhaps,
    refusal,
    some,
)
from prowess.content.resources import load, wired
from prowess.content.scanning import Found
from prowess.content.uris import normal
from prowess.errors import AccessDenied, NotFound, ProwessError, RequestFailed, Unreadable
from prowess.redact import printable

METHOD_NOT_FOUND = -32601
INTERNAL_ERROR = -32603

Params = Mapping[str, Any]


class Answers:
    """Answers about one state of some folders."""

    def __init__(self, found: Found) -> None:
        self._found = found

    async def ask(self, method: str, params: Params, timeout: float) -> dict[str, Any]:
        """The raw result. Raises RequestFailed."""
        if method == "prompts/get":
            return self._prompt(params)
        if method == "resources/read":
            return await self._read(params, timeout)
        if method == "completion/complete":
            return self._complete(params)
        if method in ("resources/subscribe", "resources/unsubscribe"):
            return self._subscribe(method, params)
        raise RequestFailed(f"content answers no {printable(method, 100)}", number=METHOD_NOT_FOUND)

    def stamp(self, uri: str) -> str:
        """Differs when the content at `uri` was written; empty where there is none."""
        key = normal(uri)
        resource = self._found.resources.get(key)
        if resource is not None:
            return resource.stamp
        return next((stamp for each, given in self._fitting(key) if (stamp := each.values.stamp(given))), "")

    # -- prompts ---------------------------------------------------------------------------------

    def _prompt(self, params: Params) -> dict[str, Any]:
        prompt = self._known_prompt(params.get("name"))
        arguments = params.get("arguments") or {}
        if not isinstance(arguments, Mapping) or not all(
            isinstance(each, str) for each in arguments.values()
        ):
            message = f"the arguments of {prompt.name} must be an object of texts"
            raise refusal(message, {"arguments": [each.name for each in prompt.arguments]})
        insist_on_arguments(prompt, arguments)
        try:
            result: dict[str, Any] = {"messages": rendered(prompt, arguments)}
        except Unreadable as error:
            raise refusal(error.message, {"arguments": [each.name for each in prompt.arguments]}) from None
        if "description" in prompt.wire:
            result["description"] = prompt.wire["description"]
        return result

    def _known_prompt(self, name: object) -> PromptFile:
        prompt = self._found.prompts.get(name) if isinstance(name, str) else None
        if prompt is None:
            near = nearest(name, self._found.prompts) if isinstance(name, str) else []
            message = f"there is no prompt {printable(str(name), 200)}{perhaps(near)}"
            raise refusal(message, {"name": name, "nearest": near, "prompts": some(self._found.prompts)})
        return prompt

    # -- resources -------------------------------------------------------------------------------

    async def _read(self, params: Params, timeout: float) -> dict[str, Any]:
        uri = str(params.get("uri"))
        key = normal(uri)
        resource = self._found.resources.get(key)
        try:
            if resource is not None:
                type = str(resource.wire["mimeType"])
                content = await asyncio.to_thread(load, resource.files, resource.path, type)
                return {"contents": [wired(content, uri)]}
            content_of = await self._from_template(key, timeout)
        except (NotFound, AccessDenied):  # gone since it was found
            self._no_resource(uri)
        except ProwessError as error:
            raise RequestFailed(error.message, number=INTERNAL_ERROR, data={"uri": uri}) from None
        if content_of is None:
            self._no_resource(uri)
        return {"contents": [wired(content_of, uri)]}

    async def _from_template(self, key: str, timeout: float) -> Content | None:
        for template, given in self._fitting(key):
            content = await template.values.read(given, timeout)
            if content is not None:
                return content
        return None

    def _fitting(self, key: str) -> Iterable[tuple[TemplateFile, Given]]:
        for template in self._found.templates.values():
            given = template.template.match(key)
            if given is not None:
                yield template, given

    def _no_resource(self, uri: str) -> NoReturn:
        near = nearest_uris(normal(uri), self._uris())
        message = f"there is no resource {printable(uri, 300)}{perhaps(near)}"
        raise NoResource(message, number=INVALID_PARAMS, data={"uri": uri, "nearest": near})

    def _uris(self) -> list[str]:
        """URIs that there are, those of templates among them as far as they are known; bounded."""
        uris = list(self._found.resources)
        for each in self._found.templates.values():
            known = islice(each.values.known(), MOST_COMPARED)
            uris += [each.template.expand(given) for given in known]
        return uris[:MOST_COMPARED]

    def _subscribe(self, method: str, params: Params) -> dict[str, Any]:
        """Nothing is kept here: whoever listens says what to. What there is not is not subscribed to."""
        uri = str(params.get("uri"))
        if method == "resources/subscribe" and not self.stamp(uri):
            self._no_resource(uri)
        return {}

    # -- completion ------------------------------------------------------------------------------

    def _complete(self, params: Params) -> dict[str, Any]:
        ref, argument = params.get("ref"), params.get("argument")
        if not isinstance(ref, Mapping) or not isinstance(argument, Mapping):
            raise refusal("ref and argument must say what is completed", {"ref": ref})
        name, typed = str(argument.get("name")), str(argument.get("value", ""))
        if ref.get("type") == "ref/prompt":
            prompt = self._known_prompt(ref.get("name"))
            choices = {each.name: each.choices for each in prompt.arguments}
            if name not in choices:
                no_argument(name, list(choices), f"the prompt {prompt.name}")
            return completion(choices[name], typed)
        template, fitting = self._known_template(str(ref.get("uri")))
        if name not in template.template.variables:
            no_argument(name, list(template.template.variables), template.template.text)
        given = {**plain(fitting), **_given(params.get("context"))}
        given.pop(name, None)
        return completion(template.choices.get(name) or template.values.complete(name, given), typed)

    def _known_template(self, uri: str) -> tuple[TemplateFile, Given]:
        """A template by its own text, or by a URI that fits it, with the variables that this one has."""
        if (found := self._found.templates.get(uri)) is not None:
            return found, {}
        fitting = () if "{" in uri else self._fitting(normal(uri))
        for each, given in fitting:
            return each, given
        near = nearest(uri, self._found.templates)
        message = f"there is no resource template {printable(uri, 300)}{perhaps(near)}"
        raise refusal(message, {"uri": uri, "nearest": near, "templates": some(self._found.templates)})


def _given(context: object) -> dict[str, str]:
    """What is settled of the other arguments."""
    arguments = context.get("arguments") if isinstance(context, Mapping) else None
    if not isinstance(arguments, Mapping):
        return {}
    return {str(key): each for key, each in arguments.items() if isinstance(each, str)}
