"""`prowess list`: the packages that are installed."""

from __future__ import annotations

from prowess.cli import screen
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.cli.parsing import Parser

SHORT = 12  # characters of a digest that people see

MORE = """\
Project packages come first; where a project and you have one of the same name, the project's counts.
Exit status: 0 listed, 2 could not (a damaged prowess.lock)."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `list`."""
    from prowess.cli.parsing import add_format
    from prowess.cli.scopes import add_scope

    add_scope(parser)
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Read the locks, tell."""
    import os

    from prowess.cli.abilities import summary
    from prowess.cli.scopes import all_installed

    found = all_installed(options)
    if options.format == "json":
        listed = [
            {**summary(one, scope.name), "present": os.path.isdir(scope.package(one))} for scope, one in found
        ]
        screen.document({"format": 1, "installed": listed})
        return 0
    for scope, one in found:
        here = "" if os.path.isdir(scope.package(one)) else "  (not on this machine: prowess sync)"
        version = printable(one.version, 60) or "-"
        digest = one.digest.partition(":")[2][:SHORT]
        screen.data(f"{one.name}  {version}  {scope.name}  {digest}  {one.origin.words}{here}\n")
    if not found:
        screen.say("nothing is installed; prowess add SOURCE")
    return 0
