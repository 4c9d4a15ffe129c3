"""The Host: plugins brought to life, and what an agent holds.

Agent Plugins 1.0.0, section 11. It judges, starts every server at once, keeps what each offers, and
is the one way to use it: `call` for tools, `activate` for skills. It knows servers only as
Providers, and a call only through the call path, which is made when it is first asked for.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from operator import is_
from typing import TYPE_CHECKING, Any, overload

from prowess.capability.offer import Offer, Tool
from prowess.capability.snapshot import Snapshot
from prowess.errors import NotFound, UsageError
from prowess.host.bringing import Report, bring_up, offer_of, take_down
from prowess.host.looking import Looking
from prowess.host.packages import Consent, Package
from prowess.host.skill_watching import SkillWatching
from prowess.host.skills import Skills
from prowess.host.unit_folders import OnChange
from prowess.provider import Caller, Change, Outcome, Peer, Provider
from prowess.redact import printable
from prowess.spec.model import Judgement, Profile

if TYPE_CHECKING:
    from prowess.call.approvals import Approver
    from prowess.call.clock import Clock
    from prowess.call.deciding import Choice
    from prowess.call.limits import Limits
    from prowess.call.paging import Page
    from prowess.call.path import CallPath
    from prowess.call.pinning import Changed
    from prowess.call.policy import Policy, Reach
    from prowess.call.recording import Recorder, Sink
    from prowess.call.running import Asked, CallResult
    from prowess.capability.naming import ModelNames
    from prowess.choose.estimate import Counter
    from prowess.choose.searching import Found, Searchable
    from prowess.host.answering import Elicit, Sample
    from prowess.host.calling import Calling
    from prowess.host.run_desk import RunDesk
    from prowess.host.searching import Searchables
    from prowess.host.signing_in import SignIns
    from prowess.host.storing import Store
    from prowess.workflow.provider import WorkflowProvider

STARTUP_SECONDS = 30.0


class Host(Skills, Looking):
    """What plugins offer, brought to life. Made by `Host.open`, closed when its block ends.

    `rejected` are the judgements of plugins of a `prowess.toml` that do not load, by their labels.
    """

    def __init__(
        self,
        packages: Sequence[Package],
        providers: Sequence[Provider],
        calling: Calling,
        caller: Caller,
        rejected: Mapping[str, Judgement],
    ) -> None:
        self.rejected = dict(rejected)
        self._watching = SkillWatching(packages)
        self._providers = tuple(providers)
        self._calling = calling
        self._caller = caller
        self._searchables: Searchables | None = None
        self._seen: list[Offer] | None = None
        self._offers: tuple[Offer, ...] = ()

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        path: str | os.PathLike[str] | Sequence[str],
        *,
        timeout: float = STARTUP_SECONDS,
        profile: Profile = "spec",
        on_start: Consent | None = None,
        on_offer: Report | None = None,
        connect: bool = True,
        only: Sequence[str] | None = None,
        providers: Sequence[Provider] | None = None,
        policy: Policy | None = None,
        limits: Limits | None = None,
        approver: Approver | None = None,
        caller: Caller | None = None,
        store: Store | None = None,
        records: Recorder | None = None,
        sink: Sink | None = None,
        clock: Clock | None = None,
        on_change: OnChange | None = None,
        idle: float | None = None,
        local: bool = False,
        elicit: Elicit | None = None,
        sample: Sample | None = None,
        keep_rejected: bool = False,
    ) -> AsyncIterator[Host]:
        """Judge what is at `path`, bring it up, close it at the end.

        `path` is a plugin, a `prowess.toml`, a folder of units, a Python file with some, a folder of content,
        workflows or skills, or several of these but a `prowess.toml`. With `local` the skills of this
        directory and this person are here too. A rejected plugin raises PackageRejected (of several, or
        with `keep_rejected`, it is in `rejected`); a server that does not come up is a status in `offers`.

        `timeout` is the seconds each server has to come up. `on_start` hears what is about to run or be
        contacted, before it is; `on_offer` hears each server once it is settled. `connect` false starts
        nothing, `only` names the servers to start, `providers` stand in for all of them. With `idle` a
        server starts when it is first used, from what it offered last, and stops after so many seconds.

        `policy` and `limits` take the place of what `prowess.toml` says, `approver` is asked where the
        policy says `ask`, `caller` is who asks unless a call names another. `store` is where pins,
        approvals and records are kept (by default this user's SQLite file; `Store.in_memory()` forgets),
        `records` where records go instead, `sink` hears every log event, already redacted. With
        `on_change` folders of units are watched, and it hears what each reload changed.

        `elicit` (a server's label and question in, what a person filled in or None out) and `sample` (what
        a model said, as MCP writes it) answer a server that asks back; none is told of what is not given.
        """
        from prowess.host.assembling import Wanted, packages_of, providers_of
        from prowess.host.calling import Calling
        from prowess.host.setup import setup_of

        setup = setup_of(path if isinstance(path, str | os.PathLike) else list(path))
        wanted = Wanted(
            timeout=timeout,
            connect=connect,
            only=only,
            providers=providers,
            on_start=on_start,
            on_change=on_change,
            idle=idle,
            local=local,
            keep_rejected=keep_rejected,
        )
        packages, rejected, labels = await packages_of(setup, profile, wanted)
        calling = Calling(
            setup,
            packages,
            policy=policy,
            limits=limits,
            approver=approver,
            store=store,
            records=records,
            sink=sink,
            clock=clock,
        )
        calling.answer_with(elicit, sample)
        up = providers_of(setup, packages, labels, calling, wanted)
        host = cls(packages, up, calling, caller or Caller(), rejected)
        host.skill_notes = tuple(wanted.notes)
        async with host._alive(connect, on_offer):
            yield host

    @asynccontextmanager
    async def _alive(self, connect: bool, on_offer: Report | None) -> AsyncIterator[None]:
        """Up while the block lasts, and nothing left behind."""
        self._calling.serve(self._providers)
        try:
            await self._calling.begin()
            if connect:
                await asyncio.sleep(0.001)  # a signal that came during the imports is heard before a start
                await bring_up(self._providers, on_offer)
                self._watching.begin()
            yield
        finally:
            try:
                await self._watching.end()
                await take_down(self._providers)
            finally:
                await self._calling.close()

    # -- what is here ----------------------------------------------------------------------------

    @property
    def judgement(self) -> Judgement:
        """What the loader found of the one plugin, with the bodies loaded since."""
        return self._package(None, self._caller).judgement

    @property
    def judgements(self) -> dict[str, Judgement]:
        """What the loader found of each plugin, by its label."""
        return {each.label: each.judgement for each in self._packages}

    @property
    def offers(self) -> tuple[Offer, ...]:
        """What each server offers now, in the order of their ids."""
        now = [offer_of(each) for each in self._providers]
        if self._seen is not None and all(map(is_, now, self._seen)):
            return self._offers  # asked for with every request that is served
        offers = {each.label: offer for each, offer in zip(self._providers, now, strict=True)}
        for server in (server for package in self._packages for server in package.servers):
            unstarted = Offer(id=server.id, type=server.type, status="not-started")
            offers.setdefault(server.id, unstarted)
        self._seen, self._offers = now, tuple(offers[id] for id in sorted(offers))
        return self._offers

    def snapshot(self, plugin: str | None = None, *, caller: Caller | None = None) -> Snapshot:
        """What is on offer now, frozen; `plugin` says of which, where there are several.

        A tool that is hidden because it changed is in it: a snapshot shows what there is. Of several
        plugins only those that `caller` may reach are known.
        """
        package = self._package(plugin, caller or self._caller)
        ids = (
            None
            if sum(not each.is_local for each in self._packages) <= 1
            else {each.id for each in package.servers}
        )
        offers = [each for each in self.offers if ids is None or each.id in ids]
        return Snapshot.of(package.judgement, offers, redactor=self._calling.secrets.exact)

    def _package(self, label: str | None, caller: Caller) -> Package:
        reach = self.reach(caller)
        packages = [each for each in self._packages if len(self._packages) == 1 or reach.plugin(each.label)]
        named = [each for each in packages if label in (None, each.label)]
        if label is None:  # folders of skills beside a plugin make no choice of it
            named = [each for each in named if not each.is_local] or named
        known = printable(", ".join(each.label for each in packages), 500)
        if not named:
            raise NotFound(f"no plugin called {printable(label or '')}", hint=f"plugins: {known or 'none'}")
        if len(named) > 1:
            raise UsageError("this host has several plugins", hint=f"say which: {known}")
        return named[0]

    @property
    def workflows(self) -> WorkflowProvider | None:
        """The workflows of this Host, if it has any: to start runs, or to work on them until it closes."""
        from prowess.host.workflow_folders import of

        return of(self._providers)

    def runs(self, caller: Caller | None = None) -> RunDesk:
        """Runs of workflows as `caller` may attend to them. Raises NotFound for a Host without workflows."""
        from prowess.host.run_desk import RunDesk

        return RunDesk(self.workflows, self._calling.attendant(caller or self._caller), self._calling.log)

    # -- tools -----------------------------------------------------------------------------------

    @property
    def path(self) -> CallPath:
        """The one call path: what finds, lists and carries out every call of this Host."""
        return self._calling.path

    async def call(
        self,
        tool: str,
        arguments: object = None,
        *,
        caller: Caller | None = None,
        timeout: float | None = None,
        coerce: bool = False,
        server: str | None = None,
        version: str | None = None,
    ) -> Outcome:
        """Use a tool: validated, allowed, attempted, redacted and recorded before this returns.

        `tool` is its own name, or `server/tool`; of a unit in several versions `version` (or
        `tool@range`) says which: `1`, `~1.4`, `1.4.2`. `timeout` is for the whole call with all its attempts.
        `coerce` reads arguments of the wrong type where only one reading is possible. Raises NotFound
        and UsageError for mistakes of the caller's own; whatever else happens is the Outcome.
        """
        result = await self.call_recorded(
            tool,
            arguments,
            caller=caller,
            timeout=timeout,
            coerce=coerce,
            server=server,
            version=version,
        )
        return result.outcome

    async def call_recorded(
        self,
        tool: str,
        arguments: object = None,
        *,
        caller: Caller | None = None,
        timeout: float | None = None,
        coerce: bool = False,
        server: str | None = None,
        version: str | None = None,
        traceparent: str | None = None,
        asked: Asked | None = None,
    ) -> CallResult:
        """As `call`, with all that is known about it: attempts, record, notes, coercions, how to read on.

        `asked` is what a client of an endpoint sent beside name and arguments.
        """
        who, path = caller or self._caller, self._calling.path

        async def call(asked: Asked | None) -> CallResult:
            return await path.call(
                tool,
                arguments,
                caller=who,
                server=server,
                timeout=timeout,
                coerce=coerce,
                version=version,
                traceparent=traceparent,
                asked=asked,
            )

        if asked is not None or self._calling.answers is None:
            return await call(asked)
        label = path.find(tool, server=server, version=version, caller=who).server
        offer = next(each for each in self.offers if each.id == label)
        return await self._calling.answers.in_rounds(offer, call)

    def read_on(self, handle: str, *, caller: Caller | None = None) -> Page:
        """The next part of a result that was too large for one."""
        return self._calling.path.read_on(handle, caller=caller or self._caller)

    def decide(
        self, utterance: str, shown: Sequence[str], chosen: str = "", *, caller: Caller | None = None
    ) -> AbstractAsyncContextManager[Choice]:
        """Record a choice, and what is called in the block as what followed it, all in one trace.

        `utterance` is what was asked (recorded redacted), `shown` the names that a model could choose
        from; unless `chosen` says it, the first skill activated or tool called in the block was chosen.
        """
        return self._calling.path.decide(utterance, shown, chosen, caller=caller or self._caller)

    @overload
    async def tools(self, *, caller: Caller | None = None) -> tuple[Tool, ...]: ...

    @overload
    async def tools(
        self, dialect: str, *, read_on: bool = True, caller: Caller | None = None
    ) -> list[dict[str, Any]]: ...

    async def tools(
        self, dialect: str | None = None, *, read_on: bool = True, caller: Caller | None = None
    ) -> tuple[Tool, ...] | list[dict[str, Any]]:
        """The tools a model may see; as function definitions for `openai`, `anthropic` or `gemini`.

        Hidden are those that changed since they were pinned, and those that the policy denies to `caller`.
        `read_on` adds the function by which a model reads the rest of a large result.
        """
        if dialect is None:
            return await self._calling.path.shown(caller or self._caller)
        from prowess.host.model_calls import defined

        return defined(dialect, self.model_names(), await self.tools(caller=caller), read_on=read_on)

    async def handle(
        self, tool_call: Any, dialect: str | None = None, *, caller: Caller | None = None
    ) -> dict[str, Any]:
        """Carry out a model's call as its provider wrote it; the message to send back to the model.

        The dialect is told by the call's form unless it is named. Whatever the model did wrong is in
        the answer; UsageError is for something that is no tool call.
        """
        from prowess.host.model_calls import handled

        return await handled(
            tool_call,
            dialect,
            self.model_names(),
            use=lambda server, tool, arguments: self.call_recorded(
                tool, arguments, server=server, caller=caller
            ),
            read_on=lambda handle: self.read_on(handle, caller=caller),
        )

    def model_names(self) -> ModelNames:
        """What a model calls each tool, in both directions."""
        from prowess.host.model_calls import names_of

        declared = {each.label for each in self._providers}
        declared.update(server.id for package in self._packages for server in package.servers)
        alone = len(declared) == 1 and len(self._packages) + len(self.rejected) == 1
        return names_of(self._calling.path.known(), alone=alone)

    async def search(
        self,
        query: str,
        *,
        budget: int = 2_000,
        limit: int = 20,
        core: Collection[str] | None = None,
        estimate: Counter | None = None,
        caller: Caller | None = None,
    ) -> Found:
        """The few tools and skills that a query is about, as whole definitions within `budget` tokens.

        The core ones (`core`, by default the units that say so) are shown whatever is asked, then the
        best of at most `limit` that fit. Only what `tools` shows to `caller` is searched. `estimate` counts
        the tokens of a text; `host.token_counter.counter()` does it exactly, with the extra `tokens`.
        Raises UsageError for a budget below 0, a limit below 1 and a core name that there is not.
        """
        among = await self.searchable(caller=caller)
        given = {} if estimate is None else {"estimate": estimate}
        return among.search(query, budget=budget, limit=limit, core=core, **given)

    async def searchable(self, *, caller: Caller | None = None) -> Searchable:
        """All that `search` searches, for whoever searches often or writes a catalogue of it."""
        from prowess.host.searching import Searchables

        self._searchables = self._searchables or Searchables()
        names = self.model_names()
        shown = [(names.name(each.server, each.name), each) for each in await self.tools(caller=caller)]
        return await self._searchables.of(shown, self.local_skills)

    async def changed(self) -> tuple[Changed, ...]:
        """The tools that are hidden because they are not what they were pinned as, with what differs."""
        return await self._calling.path.pins.changed(self._calling.path.pinned())

    async def approve(self, tool: str, *, server: str | None = None) -> None:
        """Pin a tool as it is now: a person has looked at what changed."""
        await self._calling.path.pins.approve(self._calling.path.find(tool, server=server))

    # -- prompts, resources and whatever else a server answers ------------------------------------

    async def ask(
        self,
        server: str,
        method: str,
        params: Mapping[str, Any],
        *,
        peer: Peer | None = None,
        caller: Caller | None = None,
        timeout: float | None = None,
    ) -> Mapping[str, Any]:
        """The raw result of a request that is no tool call: `prompts/get`, `resources/read`, ...

        `server` is the id that the prompt or resource carries. Raises NotFound for a server that is not
        here, RequestFailed for an error of the server's own, ConnectionFailed when there is none.
        """
        from prowess.host.asking import asked

        seconds = self._calling.limits.timeout if timeout is None else timeout
        who = caller or self._caller
        near = [each for each in self._providers if self.reaches(who, each.label)]
        return await asked(near, server, method, params, peer=peer, caller=who, timeout=seconds)

    async def tell(
        self, method: str, params: Mapping[str, Any], *, peer: Peer, caller: Caller | None = None
    ) -> None:
        """Hand on a notification of a client's session (`notifications/roots/list_changed`, ...).

        It goes to every server that keeps a connection for that session. Raises RequestFailed.
        """
        from prowess.host.asking import told

        who = caller or self._caller
        near = [each for each in self._providers if self.reaches(who, each.label)]
        await told(near, method, params, peer=peer)

    def reaches(self, caller: Caller, server: str) -> bool:
        """Whether a caller gets to see anything of a server; `[serve]` says so of those it lets in."""
        return self.reach(caller).server(server)

    def reach(self, caller: Caller) -> Reach:
        """What a caller gets to see at all."""
        return self._calling.reach(caller.principal)

    async def end_session(self, session: str) -> None:
        """A client's session is over: what servers keep for it alone is closed."""
        from prowess.host.asking import session_over

        await session_over(self._providers, session)

    def listen(
        self, hear: Callable[[Change], None], resources: Mapping[str, Collection[str]] | None = None
    ) -> Callable[[], None]:
        """Tell `hear` whenever a list changes, or the content of `resources` (URIs by server).

        What comes back ends it. `offers` show the new list when `hear` is told.
        """
        from prowess.host.asking import listening

        ends = (listening(self._providers, hear, resources or {}), self._watching.listen(hear))

        def end() -> None:
            for each in ends:
                each()

        return end

    @property
    def sign_ins(self) -> SignIns:
        """What people have to sign in for, and the way to do it."""
        from prowess.host.signing_in import SignIns

        return SignIns(self._calling.credentials, self._providers)
