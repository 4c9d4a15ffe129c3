"""`prowess remove NAME`: take a package away; its data stays unless you say otherwise."""

from __future__ import annotations

from prowess.cli import screen
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.cli.parsing import Parser

MORE = """\
Its PLUGIN_DATA stays where it is, and is found again when the same package is added from the same source.
Exit status: 0 removed, 2 could not (it is not installed)."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `remove`."""
    from prowess.cli.parsing import add_format
    from prowess.cli.scopes import add_scope

    parser.add_argument("name", metavar="NAME", help="an installed package")
    parser.add_argument("--data", action="store_true", help="delete what it kept in PLUGIN_DATA too")
    add_scope(parser)
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Remove, tell."""
    import os

    from prowess.author.installing import remove
    from prowess.cli.scopes import named

    scope, one = named(options)
    data = remove(scope, one, data=options.data)
    kept = os.path.isdir(data)
    if options.format == "json":
        document = {"removed": one.name, "scope": scope.name, "data": {"path": data, "kept": kept}}
        screen.document(document)
        return 0
    screen.data(f"{one.name} is removed ({scope.name})\n")
    if kept:
        screen.say(f"its data stays in {printable(data, 1_000)}")
    return 0
