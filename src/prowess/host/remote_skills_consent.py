"""Leave to use a skill that a server serves: asked of a person, bound to the content of every file.

MCP extension `io.modelcontextprotocol/skills` (SEP-2640), "Content-bound approval". An approval is kept
for a principal, a server's label and a URI, with the digest of each file; an entry with other content
takes it away for good. A skill without digests is asked for each time and its approval is not kept.
Whatever cannot be read or asked refuses.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from prowess.call.approvals import ApprovalStore, Approver
from prowess.call.clock import Clock
from prowess.call.pinning import PinStore
from prowess.call.policy import Policy
from prowess.capability.canonical import digest
from prowess.capability.skill_entry import SkillEntry
from prowess.errors import SkillRefused, why
from prowess.provider import Caller
from prowess.redact import printable
from prowess.store.remembered import ApprovalRequest, Pin

Files = Mapping[str, Any]  # the digest of each file by its URI

NAMED = 20  # files named in a question; of the rest the number is told


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteSkill:
    """A skill that a server serves. `server` is the label in this Host; with the entry's URI it is who it is.

    `name` is what it is called here, always with the label in front, so that it is never taken for a
    skill of this machine.
    """

    server: str
    name: str
    entry: SkillEntry

    @property
    def uri(self) -> str:
        """The URI of its SKILL.md at that server."""
        return self.entry.uri

    @property
    def description(self) -> str:
        """What its server says that it does."""
        return self.entry.description

    @property
    def bound(self) -> str:
        """The digest that an approval is bound to: server, URI, and the digest of every file."""
        return digest({"server": self.server, "skill": self.uri, "files": self.entry.content()})


class Consent:
    """Asks, and remembers what was answered."""

    def __init__(
        self,
        policy: Policy,
        clock: Clock,
        *,
        approver: Approver | None,
        requests: ApprovalStore,
        kept: PinStore,
        place: str,
        command: str = "",
    ) -> None:
        """`kept` holds approvals, `requests` questions that nobody was there to answer.

        `command` is what a person runs, with a request's id, to answer one from another process.
        """
        self._policy, self._clock = policy, clock
        self._approver, self._requests, self._kept = approver, requests, kept
        self._place, self._command = place, command

    async def insist(self, skill: RemoteSkill, caller: Caller) -> None:
        """Return when the skill may be used as its entry says it is. Raises SkillRefused."""
        if self._policy.skills == "deny":
            raise SkillRefused(
                f"{_called(skill)} may not be used: [policy] denies skills of servers", code="skill-denied"
            )
        if skill.entry.files is None:
            await self._ask_for_once(skill, caller)
            return
        try:
            approved, before = await self._standing(skill, caller)
            if approved or self._policy.skills == "allow":
                return
            if not await self._answered(skill, caller, before):
                raise _denied(skill)
            await self._keep(skill, caller)
        except SkillRefused:
            raise
        except Exception as error:  # noqa: BLE001  # boundary: what cannot be asked or read approves nothing
            raise _closed(skill, error) from None

    async def approve(self, skill: RemoteSkill, caller: Caller) -> None:
        """A person has looked at the entry and approves it. Raises SkillRefused for one without digests."""
        if skill.entry.files is None:
            raise _dynamic(skill)
        await self._keep(skill, caller)

    async def approved(self, skill: RemoteSkill, caller: Caller) -> bool:
        """Whether an approval is kept for exactly this content."""
        return skill.entry.files is not None and (await self._standing(skill, caller))[0]

    async def review(self, skills: Iterable[RemoteSkill], caller: Caller) -> None:
        """Take away every approval that an entry seen now does not bear out."""
        pins = {(each.server, each.tool): each for each in await self._kept.all(self._scope(caller))}
        for skill in skills:
            pin = pins.get((skill.server, skill.uri))
            if pin is not None and pin.digest != skill.bound:
                await self._revoke(pin)

    # -- what is kept ------------------------------------------------------------------------------

    async def _standing(self, skill: RemoteSkill, caller: Caller) -> tuple[bool, Files]:
        """Whether it is approved as it is, and the content that was approved before, if any was."""
        pin = await self._kept.get(self._scope(caller), skill.server, skill.uri)
        if pin is None or pin.digest == skill.bound:
            return pin is not None, {}
        await self._revoke(pin)
        files = pin.definition.get("files")
        return False, files if isinstance(files, Mapping) else {}

    async def _revoke(self, pin: Pin) -> None:
        """What was approved stays known, for the next question; no content has an empty digest."""
        if pin.digest:
            await self._kept.replace(replace(pin, digest=""))

    async def _keep(self, skill: RemoteSkill, caller: Caller) -> None:
        await self._kept.replace(
            Pin(
                scope=self._scope(caller),
                server=skill.server,
                tool=skill.uri,
                digest=skill.bound,
                definition={"files": skill.entry.content()},
            )
        )

    def _scope(self, caller: Caller) -> str:
        # No path begins like this, so no pin of a tool is ever taken for an approval.
        return json.dumps(["skills", caller.principal, self._place])

    # -- asking ------------------------------------------------------------------------------------

    async def _answered(self, skill: RemoteSkill, caller: Caller, before: Files) -> bool:
        """What a person says: beforehand from another process, or now. Raises SkillRefused for nobody."""
        request = self._request(skill, caller, before)
        given = await self._requests.spend(request.digest, now=self._clock.now())
        if given is not None:
            return given
        if self._approver is not None:
            return await self._asked(self._approver, skill, request)
        await self._requests.ask(request)
        short = request.digest.removeprefix("sha256:")[:12]
        how = f"{self._command} {short}" if self._command else f"approve request {short}"
        changed = "changed since it was approved, and" if before else "needs approval, and"
        raise SkillRefused(
            f"{_called(skill)} {changed} nobody is here to give it",
            code="skill-unapproved",
            hint=f"run: {how}" if self._command else how,
        )

    async def _ask_for_once(self, skill: RemoteSkill, caller: Caller) -> None:
        if self._approver is None:
            raise _dynamic(skill)
        try:
            answer = await self._asked(self._approver, skill, self._request(skill, caller, {}))
        except SkillRefused:
            raise
        except Exception as error:  # noqa: BLE001  # boundary: an approver that fails approves nothing
            raise _closed(skill, error) from None
        if not answer:
            raise _denied(skill)

    async def _asked(self, approver: Approver, skill: RemoteSkill, request: ApprovalRequest) -> bool:
        asking = asyncio.ensure_future(approver.approve(request))
        try:
            if not await self._clock.settled(asking, self._policy.approver_seconds):
                raise SkillRefused(f"nobody approved {_called(skill)} in time", code="skill-unapproved")
            return asking.result() is True
        finally:
            asking.cancel()

    def _request(self, skill: RemoteSkill, caller: Caller, before: Files) -> ApprovalRequest:
        now = self._clock.now()
        who = {"principal": caller.principal, "conversation": caller.conversation}
        return ApprovalRequest(
            digest=digest({"skill": skill.bound, "caller": who}),
            tool=skill.name,
            server=skill.server,
            arguments=_shown(skill, before),
            caller=caller,
            reason=_reason(skill, before),
            asked=now,
            expires=now + self._policy.approval_seconds,
            question="let a model read it, until its content changes?"
            if skill.entry.files is not None
            else "let a model read it, this once?",
        )


def _reason(skill: RemoteSkill, before: Files) -> str:
    if skill.entry.files is None:
        return "a skill of a server, made anew each time: nobody can say beforehand what it will hold"
    if before:
        return "a skill of a server, approved before and changed since then"
    return "a skill of a server: its text steers the model, and only its content is checked, not its intent"


def _shown(skill: RemoteSkill, before: Files) -> dict[str, Any]:
    """What a person sees of a skill before its content has been read."""
    entry = skill.entry
    shown: dict[str, Any] = {
        "skill": printable(skill.uri, 500),
        "description": printable(entry.description, 1_024),
    }
    if entry.files is None:
        return {**shown, "files": "not listed"}
    now = entry.content()
    if before:
        shown["changed"] = _named(uri for uri in now if uri in before and before[uri] != now[uri])
        shown["added"] = _named(uri for uri in now if uri not in before)
        shown["removed"] = _named(uri for uri in before if uri not in now)
    return {**shown, "bytes": entry.size, "files": _named(now)}


def _named(uris: Iterable[str]) -> list[str]:
    every = [printable(each, 300) for each in uris]
    return [*every[:NAMED], *([f"and {len(every) - NAMED} more"] if len(every) > NAMED else [])]


def _called(skill: RemoteSkill) -> str:
    return f"the skill {printable(skill.name)} of {printable(skill.server)}"


def _denied(skill: RemoteSkill) -> SkillRefused:
    return SkillRefused(f"{_called(skill)} was not approved", code="skill-denied")


def _dynamic(skill: RemoteSkill) -> SkillRefused:
    return SkillRefused(
        f"{_called(skill)} has no digests, so an approval could be bound to nothing; nobody is here to ask",
        code="skill-dynamic",
        hint="activate it where a person can be asked each time",
    )


def _closed(skill: RemoteSkill, error: Exception) -> SkillRefused:
    return SkillRefused(
        f"{_called(skill)} is not used, because approvals cannot be asked for or read: {why(error)}",
        code="skill-unapproved",
    )
