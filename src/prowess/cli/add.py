"""`prowess add SOURCE`: install a package after saying what it will be able to do."""

from __future__ import annotations

from prowess.cli import screen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.cli.parsing import Parser

MORE = """\
SOURCE is a directory, a .zip, .tar, .tar.gz, .tar.xz or .tar.bz2, or the URL of a git repository
(https, ssh or file; URL#REF or --ref REF for a branch, a tag or a commit). It is unpacked within bounds
and judged; nothing of it runs. Then you read what it will be able to do, and say yes or no.
What is installed is named installed:NAME wherever a PATH is asked for.
Exit status: 0 installed, 1 refused by you or not fit to be installed, 2 could not answer."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `add`."""
    from prowess.cli.parsing import add_format
    from prowess.cli.scopes import add_scope

    parser.add_argument("source", metavar="SOURCE", help="a directory, an archive, or a repository's URL")
    parser.add_argument("--ref", metavar="REF", default="", help="a branch, a tag or a commit")
    parser.add_argument("--subdir", metavar="DIR", default="", help="where in SOURCE the package is")
    parser.add_argument("--yes", metavar="DIGEST", help="install without asking, if this is its digest")
    add_scope(parser)
    add_pin(parser)
    add_format(parser, "text", "json")


def add_pin(parser: Parser) -> None:
    """`--pin`, for every verb that can start what it installed."""
    parser.add_argument(
        "--pin", action="store_true", help="then start its servers once and pin their tools in the lock"
    )


def run(options: Namespace) -> int:
    """Fetch, describe, ask, install."""
    from prowess.author.fetching import origin_of
    from prowess.author.installing import prepared
    from prowess.cli.installing import offered, refusing
    from prowess.cli.scopes import scope_to_change

    scope = scope_to_change(options)
    with refusing(options) as refused:
        origin = origin_of(options.source, base=scope.base, ref=options.ref, subdirectory=options.subdir)
        with prepared(scope, origin) as ready:
            status, document = offered(ready, options, question=f"Install {ready.one.name}?")
            if options.format == "json":
                screen.document(document)
            elif status == 0:
                screen.say(f"use it as installed:{ready.one.name}")
            return status
    return refused.status
