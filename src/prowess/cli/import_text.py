"""A proposal for people and as JSON: the whole text, the difference, the findings, the digest."""

from __future__ import annotations

from prowess.cli import screen
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from prowess.author.importing_proposing import Proposal

SHOWN = 200_000  # characters; whoever cannot see all of it is not asked
MARKS = 20


def show(proposal: Proposal) -> bool:
    """Write all that a person should know; whether the whole text was shown."""
    state = "new" if not proposal.before else "there already"
    screen.data(f"{printable(proposal.directory, 500)} ({state})\n{_summary(proposal)}\n")
    left = SHOWN
    for path, data in sorted(proposal.draft.files.items()):
        text = data.decode("utf-8", "replace")
        screen.data(f"\n--- {printable(path, 300)}\n{screen.safe(text[:left])}")
        left -= len(text)
        if left < 0:
            screen.data("\n... and more\n")
            break
    if proposal.before:
        screen.data(
            "\n--- what changes\n" + "".join(f"{screen.safe(each)}\n" for each in proposal.difference())
        )
    if proposal.servers is not None:
        screen.data(f"\n--- mcp.json of the plugin\n{screen.safe(proposal.servers.decode())}")
    _remarks(proposal)
    screen.data(f"\ndigest {proposal.digest}\n")
    screen.flush()
    return left >= 0


def _summary(proposal: Proposal) -> str:
    known = proposal.knowledge
    counts = (
        f"{_count(len(known.parts), 'text')}, {len(known.left)} left to be read when needed, "
        f"{_count(len(known.tools), 'tool')}"
    )
    return (
        f"from {printable(proposal.draft.provenance.source, 300)} ({printable(known.server, 100)}): {counts}"
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _remarks(proposal: Proposal) -> None:
    from prowess.cli.scan import lines

    told = [f"left where it is: {printable(each.uri, 200)}: {each.why}" for each in proposal.knowledge.left]
    marks = [
        f"may change: {printable(part.name, 100)}, line {each.line}: {printable(each.text, 60)} ({each.what})"
        for part in proposal.knowledge.parts
        for each in part.marks
    ]
    told += marks[:MARKS] + ([f"and {len(marks) - MARKS} more that may change"] if len(marks) > MARKS else [])
    told += [f"note: {each}" for each in proposal.notes]
    if told:
        screen.data("\n" + "".join(f"{each}\n" for each in told))
    if proposal.findings:
        screen.data("\nwhat the scan found:\n")
        screen.data("".join(f"{line}\n" for each in proposal.findings for line in lines(each)))


def document(proposal: Proposal, *, written: bool) -> dict[str, object]:
    """The same as JSON."""
    from prowess.cli.scan import plain

    known = proposal.knowledge
    return {
        "written": written,
        "skill": proposal.draft.name,
        "directory": proposal.directory,
        "from": proposal.draft.provenance.source,
        "server": known.server,
        "digest": proposal.digest,
        "same": proposal.is_same,
        "files": {path: data.decode("utf-8", "replace") for path, data in proposal.draft.files.items()},
        "difference": proposal.difference() if proposal.before else [],
        "mcp": None if proposal.servers is None else proposal.servers.decode(),
        "left": [{"uri": each.uri, "why": each.why} for each in known.left],
        "mayChange": [
            {"uri": part.uri, "line": each.line, "what": each.what, "text": each.text}
            for part in known.parts
            for each in part.marks
        ],
        "findings": [plain(each) for each in proposal.findings],
        "notes": list(proposal.notes),
    }
