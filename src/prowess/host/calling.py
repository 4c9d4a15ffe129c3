"""The call path of one Host, put together: what is settled, where it is kept, what is masked.

Made with the Host and filled with its providers; the call path itself, which brings a validator of
schemas with it, is imported when it is first asked for, and the store is opened by its first use.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from prowess.host.masking import Secrets, own_secrets
from prowess.host.packages import Package, agreed_tools
from prowess.host.setup import Setup
from prowess.provider import Caller, Provider
from prowess.redact import printable

if TYPE_CHECKING:
    from prowess.call.approvals import Approver
    from prowess.call.clock import Clock
    from prowess.call.limits import Limits
    from prowess.call.path import CallPath
    from prowess.call.policy import Policy, Reach
    from prowess.call.recording import Recorder, Sink
    from prowess.credentials import Credentials
    from prowess.host.activating import Activations
    from prowess.host.answering import Answers, Elicit, Sample
    from prowess.host.housekeeping import Housekeeping
    from prowess.host.remote_skills import RemoteSkills
    from prowess.host.remote_skills_consent import RemoteSkill
    from prowess.host.storing import Shared, Store
    from prowess.store.database import Database
    from prowess.workflow.attending import Attendant


class Calling:
    """What a Host needs beside its providers."""

    def __init__(
        self,
        setup: Setup,
        packages: Sequence[Package],
        *,
        policy: Policy | None = None,
        limits: Limits | None = None,
        approver: Approver | None = None,
        store: Store | None = None,
        records: Recorder | None = None,
        sink: Sink | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._setup = setup
        self._policy, self._limits = policy or setup.policy, limits or setup.limits
        self._approver, self._records, self._clock = approver, records, clock
        self._lines = setup.log.lines() if sink is None else None
        self._sink = sink or self._lines
        self._store, self._ours = store, store is None
        self._housekeeping: Housekeeping | None = None
        self._providers: Sequence[Provider] = ()
        self.answers: Answers | None = None  # to servers that ask back
        self._path: CallPath | None = None
        self._reach_of: Callable[[str], Reach] | None = None
        self._activations: Activations | None = None
        self._remote: RemoteSkills | None = None
        self._packages = tuple(packages)
        own = own_secrets(server for each in packages for server in each.servers)
        self.secrets = Secrets(own, personal=setup.redaction.personal)
        self.credentials = self._configured()

    def _configured(self) -> Credentials | None:
        if not (self._setup.servers or self._setup.units.origins):
            return None
        from prowess.credentials import Credentials

        place = os.path.abspath(self._setup.place)
        if self._clock is not None:
            return Credentials(self._setup.credentials, place=place, now=self._clock.now)
        return Credentials(self._setup.credentials, place=place)

    def answer_with(self, elicit: Elicit | None, sample: Sample | None) -> None:
        """These answer servers that ask back, where there are any."""
        if elicit is not None or sample is not None:
            from prowess.host.answering import Answers

            self.answers = Answers(elicit=elicit, sample=sample)

    @property
    def limits(self) -> Limits:
        """What bounds every call."""
        return self._limits

    def reach(self, principal: str) -> Reach:
        """What `[serve]` lets a principal see."""
        if self._reach_of is None:
            from prowess.host.serving import reach_of

            self._reach_of = reach_of(self._setup.serve)
        return self._reach_of(principal)

    def attendant(self, caller: Caller) -> Attendant:
        """What a caller may do about runs of workflows, by `[serve]` and `[policy]`."""
        from prowess.host.run_desk import attendant

        return attendant(caller, self.reach(caller.principal), self._setup.serve, self._policy)

    def serve(self, providers: Sequence[Provider]) -> None:
        """These are the providers to call."""
        self._providers = providers

    @property
    def path(self) -> CallPath:
        """The call path."""
        if self._path is None:
            self._path = self._made()
        return self._path

    @property
    def activations(self) -> Activations:
        """Skills in use."""
        if self._activations is None:
            from prowess.host.activating import Activations

            self._activations = Activations(self.log)
        return self._activations

    @property
    def remote_skills(self) -> RemoteSkills:
        """Skills that the servers serve."""
        if self._remote is None:
            self._remote = self._remote_made()
        return self._remote

    def forget(self, caller: Caller) -> None:
        """A conversation is over: no skill is active in it any more."""
        self.activations.forget(caller)
        if self._remote is not None:
            self._remote.forget(caller)

    def acting_on(self, caller: Caller) -> tuple[RemoteSkill, ...]:
        """The skills of servers that are active in a conversation."""
        return self._remote.acting_on(caller) if self._remote is not None else ()

    @property
    def store(self) -> Store:
        """Where things are kept; nothing is opened before something is kept there."""
        if self._store is None:
            from prowess.host.storing import Store

            self._store = Store.of(self._setup)
        return self._store

    @property
    def recorded(self) -> Database | None:
        """Where the records of calls can be read again; None where they go elsewhere."""
        return None if self._records is not None else self.store.database

    @property
    def shared(self) -> Shared | None:
        """The store that several machines share, if there is one."""
        there = not self._ours or self._setup.store.postgres is not None
        return self.store.shared if there else None

    async def begin(self) -> None:
        """Do with records what `[records]` says. Raises ProwessError."""
        section = self._setup.records
        if section.postgres is None:
            section = replace(section, postgres=self._setup.store.postgres)
        if not self._ours or (section.keep_days is None and section.postgres is None):
            return
        from prowess.host.housekeeping import Housekeeping

        if self.store.database is not None:
            self._housekeeping = Housekeeping(section, self.store.database, self.log)
            await self._housekeeping.begin()

    async def close(self) -> None:
        """See refreshes to their end, send records on, close the store if it is ours."""
        try:
            if self.credentials is not None:
                await self.credentials.close()
            if self._housekeeping is not None:
                await self._housekeeping.end()
        finally:
            if self._ours and self._store is not None:
                self._store.close()
            if self._lines is not None:
                self._lines.close()

    def _made(self) -> CallPath:
        from prowess.call.path import CallPath
        from prowess.call.pinning import Pins
        from prowess.call.recording import no_sink
        from prowess.call.redaction import keep

        store = self.store
        return CallPath(
            self._providers,
            policy=self._policy,
            limits=self._limits,
            pins=Pins(store.pins, scope=store.scope(self._setup.place), agreed=agreed_tools(self._packages)),
            approver=self._approver,
            approvals=store.approvals,
            approve_with=self._approve_with(store),
            recorder=self._records or store.recorder,
            sink=self._sink or no_sink,
            redact=self.secrets.written,
            secrets=self.secrets.returned if self._hands_out else keep,
            free=self.secrets.free,
            skill=lambda caller: self.activations.latest(caller),
            reach=self.reach,
            clock=self._clock,
        )

    def _remote_made(self) -> RemoteSkills:
        from prowess.call.clock import SystemClock
        from prowess.host.remote_skills import RemoteSkills
        from prowess.host.remote_skills_consent import Consent
        from prowess.store.pins import scope_of
        from prowess.store.skill_cache import SkillCache

        store, clock = self.store, self._clock or SystemClock()
        place = scope_of(self._setup.place)
        consent = Consent(
            self._policy,
            clock,
            approver=self._approver,
            requests=store.approvals,
            kept=store.pins,
            place=place,
            command=self._approve_with(store),
        )
        return RemoteSkills(
            self._providers,
            consent,
            self.activations,
            kept=None if store.database is None else SkillCache(place),
            seconds=self._limits.timeout,
            reaches=lambda caller, server: self.reach(caller.principal).server(server),
            now=clock.monotonic,
        )

    @property
    def _hands_out(self) -> bool:
        """Whether there can be a value in a result that came from here."""
        return self.credentials is not None or bool(self._setup.units.secrets)

    def _approve_with(self, store: Store) -> str:
        """What approves a call from another process, where another process can."""
        if store.database is None:
            return ""
        command = "prowess approvals approve"
        elsewhere = self._setup.records.sqlite or self._setup.store.postgres is not None
        if not (self._ours and elsewhere):
            return command
        return printable(f"{command} --config {shlex.quote(os.path.abspath(self._setup.place))}", 500)

    def log(self, event: str, **fields: Any) -> None:
        """One event of a skill or a unit; nothing is loaded for it when nobody listens."""
        if self._sink is not None:
            self.path.journal.log(event, **fields)
