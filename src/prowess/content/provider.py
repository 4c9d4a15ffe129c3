"""Folders of content as a Provider: prompts, resources and templates, and no tools.

It is read when it is opened, and again when its files change; who listens hears of it. Python that a
template names runs only by the `code` that is handed in, and where nothing is, such a template is left
out and told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from prowess.capability.offer import Offer, Prompt, Resource, ResourceTemplate
from prowess.content.answering import Answers
from prowess.content.files import DiskFiles, Files
from prowess.content.function_values import FunctionValues
from prowess.content.model import Code, TemplateFile
from prowess.content.recognising import LABEL
from prowess.content.refusing import NoResource
from prowess.content.scanning import Found, scan
from prowess.content.watching import POLL_SECONDS, Watching
from prowess.errors import NotFound, ProwessError, RequestFailed
from prowess.provider import Caller, Change, ChangeKind, Invocation, Outcome, Peer
from prowess.redact import printable

TYPE = "content"
MOST_NOTES = 100
_LOCAL = Caller()
# Lists are the same for everybody. How long one may be kept without listening for changes:
KEPT_MS = 5_000.0
CACHING = dict.fromkeys(("prompts/list", "resources/list", "resources/templates/list"), (KEPT_MS, "public"))

Hear = Callable[[Change], None]


class ContentProvider:
    """The content of some folders, as one server called `label`.

    `folders` are paths, or folders in memory. With `watch` they are read again when they change.
    `report` hears `content-changed` with the kinds of what changed. `events` and `poll` say how changes
    are noticed (see `watching`).
    """

    def __init__(
        self,
        folders: Sequence[str | Files],
        *,
        label: str = LABEL,
        code: Code | None = None,
        watch: bool = False,
        report: Callable[..., None] | None = None,
        events: bool = True,
        poll: float = POLL_SECONDS,
    ) -> None:
        self._label = label
        self._folders = tuple(DiskFiles(each) if isinstance(each, str) else each for each in folders)
        self._code = code
        self._report = report
        roots = [each.root for each in self._folders if isinstance(each, DiskFiles)]
        self._watching = Watching(roots, self.refresh, events=events, poll=poll) if watch else None
        self._changes = watch or len(roots) < len(self._folders)
        self._open = False
        self._answers = Answers(Found())
        self._offered = Offer(id=label, type=TYPE, status="not-started", reason="not opened yet")
        self._listening: dict[object, tuple[Hear, dict[str, str]]] = {}
        self._refreshing = asyncio.Lock()

    @property
    def label(self) -> str:
        """The id that its capabilities carry as `server`."""
        return self._label

    async def open(self) -> Offer:
        """Read every file, and watch from then on if that is wanted."""
        await self._look()
        self._open = True
        if self._watching is not None:
            self._watching.begin()
        return self.offer()

    def offer(self) -> Offer:
        """What is on offer while open; what is wrong with single files is a note."""
        if not self._open:
            return Offer(id=self._label, type=TYPE, status="not-started", reason="not opened yet")
        return self._offered

    async def call(self, invocation: Invocation) -> Outcome:
        """There are no tools. Raises NotFound."""
        raise NotFound(
            f"no tool named {printable(invocation.tool, 80)} on {printable(self._label, 80)}",
            hint="a folder of content has prompts and resources, and no tools",
        )

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any],
        *,
        peer: Peer | None = None,
        caller: Caller = _LOCAL,
        timeout: float = 60.0,
    ) -> Mapping[str, Any]:
        """prompts/get, resources/read, completion/complete, resources/subscribe and /unsubscribe.

        Raises RequestFailed: -32602 with what is valid in `data`, -32601 for any other method, -32603
        for a file or a function that fails. To a session of 2025-11-25 an unknown resource is -32002.
        """
        if not self._open:
            raise RequestFailed(f"{printable(self._label, 80)} is not open", number=-32603)
        try:
            return await self._answers.ask(method, params, timeout)
        except NoResource as error:
            raise (error.before() if peer is not None and peer.session else error) from None

    def listen(self, hear: Hear, resources: Collection[str] = ()) -> Callable[[], None]:
        """Tell `hear` of every change of a list and of `resources`; what comes back ends it."""
        key = object()
        self._listening[key] = (hear, {uri: self._answers.stamp(uri) for uri in resources})

        def end() -> None:
            self._listening.pop(key, None)

        return end

    async def close(self) -> None:
        """Stop watching; offer nothing from now on."""
        self._open = False
        self._listening.clear()
        if self._watching is not None:
            await self._watching.end()
        if self._code is not None:
            self._code.close()

    async def refresh(self) -> None:
        """Read everything again now, and tell of what changed."""
        async with self._refreshing:
            before = self._offered
            await self._look()
        kinds: list[ChangeKind] = []
        if self._offered.prompts is not before.prompts:
            kinds.append("prompts")
        if self._offered.resources is not before.resources or self._offered.templates is not before.templates:
            kinds.append("resources")
        if kinds and self._report is not None:
            self._report("content-changed", changed=kinds)
        for hear, stamps in list(self._listening.values()):
            self._tell(hear, stamps, kinds)

    def _tell(self, hear: Hear, stamps: dict[str, str], kinds: Sequence[ChangeKind]) -> None:
        for kind in kinds:
            hear(Change(server=self._label, kind=kind))
        for uri, before in list(stamps.items()):
            now = self._answers.stamp(uri)
            if now != before:
                stamps[uri] = now
                hear(Change(server=self._label, kind="resource", uri=uri))

    async def _look(self) -> None:
        found = await asyncio.to_thread(scan, self._folders)
        notes = [*found.failed, *(f"{each.place}: {each.message}" for each in found.diagnostics)]
        found.templates = self._agreed(found.templates, notes)
        self._answers = Answers(found)
        self._offered = self._made(found, notes)

    def _agreed(self, templates: Mapping[str, TemplateFile], notes: list[str]) -> dict[str, TemplateFile]:
        """The templates without those whose function nobody here may run."""
        kept = {}
        for key, each in templates.items():
            if isinstance(each.values, FunctionValues):
                if self._code is None:
                    notes.append(f"{each.path}: served by a function, and nothing here runs code")
                    continue
                try:
                    each = replace(each, values=each.values.by(self._code))
                except ProwessError as error:
                    notes.append(f"{each.path}: {error.message}")
                    continue
            kept[key] = each
        return kept

    def _made(self, found: Found, notes: list[str]) -> Offer:
        """The offer of what was found; lists that are as before are the same objects as before."""
        notes = notes[:MOST_NOTES]
        if len(found.failed) == len(self._folders):
            reason = "; ".join(found.failed) or "there is no folder"
            failed = Offer(id=self._label, type=TYPE, status="failed", reason=reason)
            return replace(failed, reason_code="unreadable", notes=tuple(notes))
        now, label = self._offered, self._label
        prompts = tuple(Prompt(server=label, wire=each.wire) for each in found.prompts.values())
        resources = tuple(Resource(server=label, wire=each.wire) for each in found.resources.values())
        templates = tuple(ResourceTemplate(server=label, wire=each.wire) for each in found.templates.values())
        return Offer(
            id=label,
            type=TYPE,
            status="connected",
            prompts=now.prompts if now.prompts == prompts else prompts,
            resources=now.resources if now.resources == resources else resources,
            templates=now.templates if now.templates == templates else templates,
            notes=tuple(notes),
            caching=CACHING,
            capabilities={
                "prompts": {"listChanged": self._changes},
                "resources": {"subscribe": True, "listChanged": self._changes},
                "completions": {},
            },
        )
