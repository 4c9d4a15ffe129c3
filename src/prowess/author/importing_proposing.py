"""What an import would write, for a person to look at; written when somebody said yes.

Everything that is to be known stands in the proposal: the whole text, what is there now, the findings of
the scan, the digest that a yes is bound to. With findings there is nothing to say yes to.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from prowess.author.differing import unified
from prowess.author.importing import Knowledge
from prowess.author.importing_opening import Opened
from prowess.author.importing_places import Place, others
from prowess.author.importing_provenance import Provenance, provenance_of
from prowess.author.importing_rendering import SKILL_FILE, Draft, Said, content_digest, render
from prowess.author.importing_servers import FILE, joined
from prowess.author.importing_writing import Approval, read_skill, remember, write_servers, write_skill
from prowess.author.scan import Finding, scan_files
from prowess.errors import SkillRefused, UsageError
from prowess.redact import printable
from prowess.spec.skill import parse_skill

Settle = Callable[[Sequence[Finding]], tuple[Finding, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What would be written. `before` is what is there now, `servers` a plugin's new `mcp.json`."""

    place: Place
    draft: Draft
    knowledge: Knowledge
    before: Mapping[str, bytes]
    servers: bytes | None
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]

    @property
    def directory(self) -> str:
        """Where the skill goes."""
        return self.place.skill(self.draft.name)

    @property
    def digest(self) -> str:
        """What a yes is bound to: every file, and what becomes of `mcp.json`."""
        beside = {} if self.servers is None else {f"../{FILE}": self.servers}
        return content_digest({**self.draft.files, **beside})

    @property
    def open_findings(self) -> tuple[Finding, ...]:
        """The findings that nobody has given a reason for."""
        return tuple(each for each in self.findings if not each.reason)

    @property
    def is_same(self) -> bool:
        """Whether exactly this is there already."""
        return (
            bool(self.before)
            and self.servers is None
            and content_digest(self.before) == content_digest(self.draft.files)
        )

    def difference(self) -> list[str]:
        """What changes, as lines of a unified diff."""
        return difference(self.before, self.draft.files)


def propose(
    up: Opened,
    knowledge: Knowledge,
    said: Said,
    place: Place,
    wanted: Mapping[str, object],
    *,
    today: str,
    settle: Settle,
) -> Proposal:
    """The proposal. Raises UsageError for a name that is taken by something that was not imported."""
    if said.name in ("", ".", "..") or "/" in said.name or os.sep in said.name:
        raise UsageError(
            f"no skill may be called {printable(said.name, 80) or 'nothing'}", hint="--as refund-rules"
        )
    directory = place.skill(said.name)
    before = read_skill(directory)
    _insist_on_imported(directory, before, said.name)
    provenance = Provenance(
        source=up.reference.source(place),
        server=knowledge.server,
        date=today,
        tools=tuple(each.name for each in knowledge.tools),
        wanted=wanted,
    )
    draft = render(knowledge, said, provenance)
    servers, told = joined(place, up)
    return Proposal(
        place=place,
        draft=draft,
        knowledge=knowledge,
        before=before,
        servers=servers,
        findings=settle(scan_files(draft.files)),
        notes=(*knowledge.notes, *told, *others(said.name, place), *draft.advice),
    )


def _insist_on_imported(directory: str, before: Mapping[str, bytes], name: str) -> None:
    if not before:
        if os.path.lexists(directory) and not os.path.isdir(directory):
            raise UsageError(f"{printable(directory, 300)} is no directory")
        return
    verdict = parse_skill(before.get(SKILL_FILE, b""), directory=name, path=SKILL_FILE, profile="lenient")
    if verdict.skill is None or provenance_of(verdict.skill.metadata) is None:
        raise UsageError(
            f"{printable(directory, 300)} is there already and was not imported",
            hint="choose another name with --as",
        )


def accept(proposal: Proposal) -> None:
    """Write what was agreed to. Raises StoreFailed, and SkillRefused where findings stand in the way."""
    if proposal.open_findings:
        raise SkillRefused("the scan found something", code="skill-findings")
    write_skill(proposal.directory, proposal.draft.files)
    if proposal.servers is not None:
        write_servers(os.path.join(proposal.place.base, FILE), proposal.servers)
    remember(
        proposal.directory, Approval(digest=content_digest(proposal.draft.files), files=proposal.draft.files)
    )


def difference(
    before: Mapping[str, bytes],
    after: Mapping[str, bytes],
    *,
    words: tuple[str, str] = ("as it is", "as it would be"),
) -> list[str]:
    """What differs between two states of a skill, as lines of a unified diff."""
    lines: list[str] = []
    for path in sorted({*before, *after}):
        if before.get(path) != after.get(path):
            lines += unified(
                _lines(before.get(path)),
                _lines(after.get(path)),
                f"{path} ({words[0]})" if path in before else "(nothing)",
                f"{path} ({words[1]})" if path in after else "(nothing)",
            )
    return lines


def _lines(data: bytes | None) -> list[str]:
    return [] if data is None else data.decode("utf-8", "replace").split("\n")
