"""`prowess audit`: hold everything that is installed against the lock."""

from __future__ import annotations

from prowess.cli import screen
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.author.auditing import Fault
    from prowess.cli.parsing import Parser
    from prowess.store.installed import Scope
    from prowess.store.lock import Installed

MORE = """\
Every file is read and compared with its digest; what is changed, missing or extra is told. It starts
nothing unless you say --connect: then servers come up and their tools are compared with the pins.
Exit status: 0 everything is as the lock says, 1 something is not, 2 could not answer."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `audit`."""
    from prowess.cli.parsing import add_format
    from prowess.cli.scopes import add_scope

    parser.add_argument("name", metavar="NAME", nargs="?", help="an installed package (default: all)")
    parser.add_argument(
        "--connect", action="store_true", help="start the servers and look at their tools too"
    )
    add_scope(parser)
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Look at each, tell."""
    from prowess.author.auditing import audit_one
    from prowess.cli.scopes import all_installed, named

    found = [named(options)] if options.name is not None else all_installed(options)
    faults: list[tuple[str, Fault]] = []
    for scope, one in found:
        of_this = list(audit_one(scope, one))
        if options.connect and not of_this:
            of_this += _tools(scope, one)
        faults += [(scope.name, each) for each in of_this]
    if options.format == "json":
        told = [
            {"name": each.name, "scope": scope, "code": each.code, "path": each.path, "message": each.message}
            for scope, each in faults
        ]
        screen.document({"format": 1, "audited": len(found), "faults": told})
    else:
        for scope_name, each in faults:
            path = f" {printable(each.path, 300)}" if each.path else ""
            screen.data(f"{each.name} ({scope_name}):{path} {each.message} [{each.code}]\n")
        screen.data(f"{len(found)} audited; {len(faults) or 'nothing'} to report\n")
        if faults:
            screen.say("   hint: prowess sync brings back what the lock says")
    return 1 if faults else 0


def _tools(scope: Scope, one: Installed) -> list[Fault]:
    from prowess.author.auditing import Fault
    from prowess.author.trust_tools import compared_tools, tools_of

    tools, down = tools_of(scope.link(one), on_start=lambda start: screen.say(str(start)))
    silent = [
        Fault(
            name=one.name, code="tool-unseen", path=printable(server, 120), message=f"did not come up: {why}"
        )
        for server, why in sorted(down.items())
        if server in one.tools
    ]
    return [*silent, *compared_tools(one, tools)]
