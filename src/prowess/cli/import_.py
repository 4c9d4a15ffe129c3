"""`prowess import SERVER [URI...]`: what a server knows as a local skill, after a person has read it.

`status`, `update` and `review` in place of SERVER are about skills that were imported before.
"""

from __future__ import annotations

from prowess.cli import screen
from prowess.errors import UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from prowess.author.importing import Wanted
    from prowess.author.importing_places import Imported, Place
    from prowess.author.importing_proposing import Proposal
    from prowess.author.importing_rendering import Said
    from prowess.cli.parsing import Parser

MORE = """\
SERVER is PATH#SERVER (a plugin or prowess.toml; PATH alone where it has one), a URL, a command in
quotation marks, or @SERVER:URI for a server of what is in this directory. URI is a resource, a template
(with --value), or prompt:NAME; without any, everything is read. Data that changes is left where it is.
You see the whole text, what it would change, and what the scan finds; then you say yes, or nothing is
written. A finding stops it: look at it, and if it is meant, suppress it with a reason.

  prowess import status [NAME...]   which imported skills are not what their servers say now
  prowess import update NAME...     the difference, and the question again
  prowess import review [NAME...]   scans again, and shows what changed since somebody agreed

Exit status: 0 written, or all is well, 1 refused, stale or findings, 2 could not answer."""

AGAIN = ("status", "update", "review")


def add_arguments(parser: Parser) -> None:
    """The arguments of `import`."""
    from prowess.cli.parsing import add_format, add_timeout
    from prowess.cli.scan import add_suppressions

    parser.add_argument("server", metavar="SERVER", help="where from, or status, update, review")
    parser.add_argument("uris", metavar="URI", nargs="*", help="what to read; or names of imported skills")
    parser.add_argument("--as", dest="name", metavar="NAME", help="what the skill is called")
    parser.add_argument("--to", metavar="PLACE", help="project (default), personal, or a plugin's directory")
    parser.add_argument("--layout", choices=("agents", "claude"), help="default: agents (.agents/skills)")
    parser.add_argument(
        "--value", metavar="K=V", action="append", default=[], help="for templates and prompts"
    )
    parser.add_argument("--live", metavar="URI", action="append", default=[], help="keep its address only")
    parser.add_argument(
        "--keep", metavar="URI", action="append", default=[], help="keep it though it changes"
    )
    parser.add_argument("--description", metavar="TEXT", default="", help="what the skill is for, and when")
    parser.add_argument(
        "--trigger", metavar="TEXT", action="append", default=[], help="a phrase to be found by"
    )
    parser.add_argument("--yes", metavar="DIGEST", help="write without asking, if this is its digest")
    add_suppressions(parser)
    add_timeout(parser)
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Read, show, ask, write; or look after what was imported."""
    from prowess.cli.running import run as run_to_the_end

    if options.server in AGAIN:
        from prowess.cli import imported

        return run_to_the_end(getattr(imported, options.server)(options))
    return run_to_the_end(_import(options))


async def _import(options: Namespace) -> int:
    from prowess.author.importing import Wanted
    from prowess.author.importing_opening import reference_of
    from prowess.author.importing_places import PROJECT, place_of
    from prowess.author.importing_rendering import Said

    if not options.name:
        raise UsageError("the skill needs a name", hint="--as NAME")
    place = place_of(options.to or PROJECT, options.layout)
    reference = reference_of(options.server)
    said = Said(name=options.name, description=options.description, triggers=tuple(options.trigger))
    wanted = Wanted(
        uris=(*reference.uris, *options.uris),
        values=_values(options.value),
        live=tuple(options.live),
        keep=tuple(options.keep),
    )
    proposal = await proposed(reference, said, wanted, place, options)
    return decide(proposal, options)


def _values(texts: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in texts:
        name, sign, value = each.partition("=")
        if not sign or not name:
            raise UsageError(f"--value {printable(each, 100)}: write name=text")
        if name in found:
            raise UsageError(f"--value {printable(name, 100)} is given twice")
        found[name] = value
    return found


async def proposed(
    reference: object, said: Said, wanted: Wanted, place: Place, options: Namespace
) -> Proposal:
    """Bring the server up, read, close it again, and say what would be written."""
    from datetime import UTC, datetime

    from prowess.author.importing import gather
    from prowess.author.importing_opening import Reference, opened
    from prowess.author.importing_proposing import propose
    from prowess.author.importing_standing import to_ask
    from prowess.cli.scan import settling

    assert isinstance(reference, Reference)
    settle, extra = settling(options.suppressions)
    for each in extra:
        screen.say(f"{printable(str(each.place), 300)}: {each.says}")
    async with opened(
        reference, timeout=options.timeout, on_start=lambda start: screen.say(str(start))
    ) as up:
        knowledge = await gather(up.offer, up.ask, wanted)
        return propose(
            up,
            knowledge,
            said,
            place,
            to_ask(said, wanted),
            today=datetime.now(UTC).date().isoformat(),
            settle=settle,
        )


def decide(proposal: Proposal, options: Namespace) -> int:
    """Show a proposal and write it if somebody agrees."""
    from prowess.author.importing_proposing import accept
    from prowess.cli.import_text import document, show

    if options.format == "json":
        written = _agreed(proposal, options)
        if written:
            accept(proposal)
        screen.document(document(proposal, written=written))
        return 0 if written or proposal.is_same else 1
    complete = show(proposal)
    if not complete and options.yes is None:
        screen.complain(
            "it is longer than can be shown, so nobody can say yes to it here",
            f"--json shows all of it; then --yes {proposal.digest}",
        )
        return 1
    if not _agreed(proposal, options):
        return 0 if proposal.is_same else 1
    accept(proposal)
    screen.say(f"written: {printable(proposal.directory, 500)}")
    return 0


def _agreed(proposal: Proposal, options: Namespace) -> bool:
    from prowess.cli.agreeing import agreed

    if proposal.open_findings:
        screen.complain(
            "the scan found something, so nothing was written",
            "read it; if it is meant, --suppressions FILE says why",
        )
        return False
    if proposal.is_same:
        screen.say("nothing changed")
        return False
    return agreed(proposal.digest, options, question="Write this skill?")


def chosen(names: Sequence[str], options: Namespace) -> list[Imported]:
    """The imported skills of these names, or all; those of a plugin where `--to` names one."""
    from prowess.author.importing_places import imported_in, local_places, place_of

    places = local_places() if options.to is None else (place_of(options.to, options.layout),)
    found = list(imported_in(places))
    known = {each.skill.name for each in found}
    for name in names:
        if name not in known:
            hint = f"imported skills: {printable(', '.join(sorted(known)) or 'none', 500)}"
            raise UsageError(f"no skill called {printable(name, 80)} was imported here", hint=hint)
    return [each for each in found if not names or each.skill.name in names]
