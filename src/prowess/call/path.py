"""The one call path: resolve, validate, allow, attempt, check, redact, record.

Whoever asks (library, command line, MCP, HTTP, a workflow) goes through `CallPath.call`, and every
call that begins ends with exactly one Outcome and one record, also when it is cancelled; a process
that is killed leaves behind what it had sent, of tools that are not safe to repeat. Exceptions are
for the caller's own mistakes: a tool that is not there, a name that two servers have, a timeout of
zero. Providers, stores, approvers, recorders and clocks are protocols that are passed in.
"""

from __future__ import annotations

import asyncio
import traceback
import uuid
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager

from prowess.call import spans
from prowess.call.approvals import Approvals, ApprovalStore, Approver, approval_digest
from prowess.call.arguments import taken
from prowess.call.attempts import Attempts, CredentialOf
from prowess.call.clock import Clock, SystemClock
from prowess.call.coercion import coerced
from prowess.call.deciding import Choice, decided, followed
from prowess.call.limits import Limits
from prowess.call.paging import Page, Pages, size_of
from prowess.call.pinning import MemoryPins, Pins
from prowess.call.policy import EVERYTHING, Decision, Policy, Reach, how_to_allow
from prowess.call.recording import (
    Journal,
    MemoryRecorder,
    Recorder,
    Sink,
    caller_fields,
    no_sink,
    word,
)
from prowess.call.redaction import Free, Redact, keep, never, redacted
from prowess.call.resolving import Directory
from prowess.call.results import Results
from prowess.call.retry import idempotent
from prowess.call.running import ALONE, Asked, CallResult, Running, interrupted, result_of
from prowess.call.schemas import SchemaFault, Schemas
from prowess.call.validation import judged, schema_problem, undeclared
from prowess.capability.offer import Tool
from prowess.errors import why
from prowess.provider import Caller, Lost, Outcome, Problem, Provider, Refused
from prowess.redact import printable
from prowess.store.remembered import UNFINISHED, ApprovalRequest, CallRecord

_NOBODY = Caller()


def _one_credential(server: str, caller: Caller) -> str:
    return ""


def _no_skill(caller: Caller) -> str:
    return ""


def _everything(principal: str) -> Reach:
    return EVERYTHING


class CallPath:
    """Everything between the wish to use a tool and its recorded outcome, for one Host."""

    def __init__(
        self,
        providers: Sequence[Provider],
        *,
        policy: Policy | None = None,
        limits: Limits | None = None,
        pins: Pins | None = None,
        approver: Approver | None = None,
        approvals: ApprovalStore | None = None,
        approve_with: str = "",
        recorder: Recorder | None = None,
        sink: Sink = no_sink,
        redact: Redact = keep,
        secrets: Redact = keep,
        free: Free = never,
        credential: CredentialOf = _one_credential,
        skill: Callable[[Caller], str] = _no_skill,
        reach: Callable[[str], Reach] = _everything,
        clock: Clock | None = None,
    ) -> None:
        """`redact` is for what is written down, `secrets` hides injected values in results too,
        and `free` says of which there is certainly nothing to hide in.

        `credential` names the credential that a caller uses on a server (breakers are apart for
        each), `skill` the skill that is active for a caller, `reach` what a principal gets to see at all.
        """
        self._policy = policy or Policy()
        self._limits = limits or Limits()
        self._clock = clock or SystemClock()
        self.pins = pins or Pins(MemoryPins())
        self._redact = redact
        self._skill = skill
        self.reach = reach
        self.secrets = secrets
        self._directory = Directory(providers)
        self._schemas = Schemas()
        self._approvals = Approvals(self._policy, self._clock, approver, approvals, approve_with)
        self.journal = Journal(recorder or MemoryRecorder(), sink, redact)
        self._attempts = Attempts(self._limits, self._clock, self.journal, credential)
        self._pages = Pages(self._limits.held_bytes, self._limits.held_seconds, self._clock)
        self._results = Results(
            self._limits, self._policy, self._pages, self._schemas, redact=redact, secrets=secrets, free=free
        )

    async def call(
        self,
        tool: str,
        arguments: object = None,
        *,
        caller: Caller = _NOBODY,
        server: str | None = None,
        timeout: float | None = None,
        coerce: bool = False,
        version: str | None = None,
        traceparent: str | None = None,
        asked: Asked | None = None,
    ) -> CallResult:
        """Use one tool. Raises NotFound and UsageError for the caller's own mistakes only.

        `asked` is what a client of an endpoint sent beside name and arguments.
        """
        reach = self.reach(caller.principal)
        found = self._directory.find(tool, server=server, version=version, caller=caller, reach=reach)
        asked = asked or ALONE
        seconds = self._limits.timeout_of(found.tool, found.kind, timeout)
        number = uuid.uuid4().hex
        running = Running(
            id=number,
            found=found,
            caller=caller,
            seconds=seconds,
            step=spans.of_call(found, caller, traceparent=traceparent, call=number),
            started=self._clock.now(),
            began=self._clock.monotonic(),
            whole=asked.whole,
            approver=asked.approver,
            peer=asked.peer,
            meta=asked.meta,
            further=asked.further,
        )
        followed(found.tool.name, number)
        self.journal.in_flight += 1
        with running.step:
            try:
                outcome = await self._outcome(running, arguments, coerce)
                return await self._end(running, outcome)
            except asyncio.CancelledError:
                if running.ended is False:
                    await self._end(running, interrupted(running))
                raise
            finally:
                self.journal.in_flight -= 1

    def decide(
        self, utterance: str, shown: Sequence[str], chosen: str = "", *, caller: Caller = _NOBODY
    ) -> AbstractAsyncContextManager[Choice]:
        """Record a choice, and the calls that are made in the block as what followed it, in one trace."""
        return decided(
            self.journal, self._clock, utterance=utterance, shown=shown, chosen=chosen, caller=caller
        )

    async def shown(self, caller: Caller = _NOBODY) -> tuple[Tool, ...]:
        """The tools a caller's model may see: pinned as they are, in reach, and not denied by the policy."""
        reach, who = self.reach(caller.principal), caller.principal
        found = [
            each
            for each in self._directory.all()
            if reach.tool(each.tool) and self._policy.decide(each.tool, who).action != "deny"
        ]
        pinned = set(map(id, await self.pins.shown(each.tool for each in found if not each.ours)))
        return tuple(each.tool for each in found if each.ours or id(each.tool) in pinned)

    def known(self) -> tuple[Tool, ...]:
        """Every tool, those that are hidden and those of a server that is down for the moment too."""
        return tuple(each.tool for each in self._directory.all())

    def pinned(self) -> tuple[Tool, ...]:
        """Those of them that are pinned: all that come from somewhere else."""
        return tuple(each.tool for each in self._directory.all() if not each.ours)

    def find(
        self, tool: str, *, server: str | None = None, version: str | None = None, caller: Caller = _NOBODY
    ) -> Tool:
        """The tool that a name means. Raises NotFound, and Ambiguous when more than one server has it."""
        reach = self.reach(caller.principal)
        found = self._directory.find(tool, server=server, version=version, caller=caller, reach=reach)
        return found.tool

    def decision(self, tool: Tool, caller: Caller = _NOBODY) -> Decision:
        """What the policy says of a tool when `caller` calls it."""
        return self._policy.decide(tool, caller.principal)

    def versions(self, tool: Tool) -> tuple[Tool, ...]:
        """Every version of a tool on offer, the oldest first; where it has one, the tool itself."""
        return self._directory.versions(tool)

    def read_on(self, handle: str, *, caller: Caller = _NOBODY) -> Page:
        """The next part of a result. Raises NotFound for a handle that is over, or another caller's."""
        return self._pages.read(handle, caller)

    async def _outcome(self, running: Running, arguments: object, coerce: bool) -> Outcome:
        try:
            running.skill = self._skill(running.caller)
            refused = await self._refusal(running, arguments, coerce)
            outcome = refused or await self._carried_out(running)
            return self._results.finished(running, outcome)
        except Exception as error:  # noqa: BLE001  # boundary: a fault of ours is still one outcome and one record
            self.journal.log(
                "call-exception", error=type(error).__name__, stack="".join(traceback.format_exception(error))
            )
            reason = f"Prowess itself failed: {type(error).__name__}"
            return Lost(reason=reason) if running.sent else Refused(code="internal", reason=reason)

    async def _carried_out(self, running: Running) -> Outcome:
        """Attempt an allowed call; what is not safe to repeat is on record before anything is sent.

        It says `lost (unfinished)` until the end replaces it: a process that is killed in the middle
        leaves behind that the tool may have acted.
        """
        if not idempotent(running.found.tool):
            try:
                record = self._record(running, Lost(reason=""), UNFINISHED)
                await self.journal.keep(record, self._clock)
            except Exception:  # noqa: BLE001  # boundary: the one at the end says that records cannot be kept
                pass
        return await self._attempts.run(running)

    async def _refusal(self, running: Running, arguments: object, coerce: bool) -> Refused | None:
        """Why nothing is sent, or None."""
        tool = running.found.tool
        refused = self._taken(running, arguments)
        if refused is None and not running.found.ours:
            refused = await self.pins.refusal(tool)
        return refused or self._validated(running, coerce) or await self._allowed(running)

    def _taken(self, running: Running, arguments: object) -> Refused | None:
        running.arguments, problems = taken(arguments)
        tool = running.found.tool
        running.argument_bytes = 0 if problems else size_of(running.arguments)
        self.journal.log(
            "call-arguments",
            tool=tool.name,
            server=tool.server,
            caller=caller_fields(running.caller),
            arguments=running.arguments,
        )
        if problems:
            return _invalid(problems)
        if running.argument_bytes > self._limits.argument_bytes:
            reason = f"the arguments have {running.argument_bytes} bytes; at most"
            return Refused(
                code="arguments-too-large", reason=f"{reason} {self._limits.argument_bytes} are sent"
            )
        return None

    def _validated(self, running: Running, coerce: bool) -> Refused | None:
        compiled = self._schemas.compiled(running.found.tool.wire.get("inputSchema", {}))
        if isinstance(compiled, SchemaFault):
            problem = schema_problem(compiled)
            return Refused(code=compiled.code, reason=problem.hint, problems=(problem,))
        if coerce:
            running.arguments, running.coercions = coerced(compiled, running.arguments, self._redact)
        problems = judged(compiled, running.arguments, self._redact)
        running.notes.extend(undeclared(compiled.schema, running.arguments))
        return _invalid(problems) if problems else None

    async def _allowed(self, running: Running) -> Refused | None:
        tool = running.found.tool
        if not self.reach(running.caller.principal).tool(tool):
            return Refused(code="denied", reason=f"`{printable(tool.name)}` is not among this caller's tools")
        decision = self._policy.decide(tool, running.caller.principal)
        if decision.action == "allow":
            return None
        if decision.action == "deny":
            reason = (
                f"`{printable(tool.name)}` of {printable(tool.server)} may not be called: {decision.reason}"
            )
            return Refused(code="denied", reason=f"{reason}. To allow it, {how_to_allow(tool)}")
        request = self._request(running, decision.reason)
        return await self._approvals.refusal(tool, request, running.approver)

    def _request(self, running: Running, reason: str) -> ApprovalRequest:
        tool, now = running.found.tool, self._clock.now()
        definition = self.pins.digest_of(tool)
        return ApprovalRequest(
            digest=approval_digest(tool, definition, running.arguments, running.caller),
            tool=tool.name,
            server=tool.server,
            arguments=redacted(running.arguments, self._redact, names=True),
            caller=running.caller,
            reason=reason,
            asked=now,
            expires=now + self._policy.approval_seconds,
        )

    async def _end(self, running: Running, outcome: Outcome) -> CallResult:
        """Log and record: once, to the end, also while being cancelled."""
        running.ended = True
        running.step.note({"prowess.outcome": word(outcome), "prowess.attempts": running.attempts})
        running.step.ended(outcome)
        self.journal.log(
            "call-result", outcome=word(outcome), attempts=running.attempts, result=result_of(outcome)
        )
        record = self._record(running, outcome)
        self.journal.tell(record)
        try:
            await self.journal.keep(record, self._clock)
        except Exception as error:  # noqa: BLE001  # boundary: the tool acted; its result is not withheld
            running.notes.append(f"the record of this call could not be written: {why(error)}")
        return CallResult(
            outcome=outcome,
            record=running.id,
            attempts=running.attempts,
            coercions=running.coercions,
            notes=tuple(running.notes),
            page=running.page,
        )

    def _record(self, running: Running, outcome: Outcome, code: str = "") -> CallRecord:
        return CallRecord(
            id=running.id,
            tool=running.found.tool.name,
            server=running.found.tool.server,
            version=running.found.version,
            outcome=word(outcome),
            code=outcome.code if isinstance(outcome, Refused) else code,
            attempts=running.attempts,
            duration_ms=(self._clock.monotonic() - running.began) * 1_000,
            argument_bytes=running.argument_bytes,
            result_bytes=running.result_bytes,
            principal=running.caller.principal,
            conversation=running.caller.conversation,
            skill=running.skill,
            trace_id=running.trace.trace_id,
            started=running.started,
        )


def _invalid(problems: tuple[Problem, ...]) -> Refused:
    reason = "; ".join(each.hint for each in problems)
    return Refused(code="invalid-arguments", reason=reason, problems=problems)
