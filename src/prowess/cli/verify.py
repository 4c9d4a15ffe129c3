"""`prowess verify PATH --snapshot FILE`: bring a plugin up and compare with what was frozen."""

from __future__ import annotations

from prowess.cli import targets
from prowess.errors import PackageRejected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.cli.parsing import Parser

MORE = """\
Naming PATH consents to running its servers; each command and host is printed first, on stderr.
Exit status: 0 the same, 1 drift (the difference is printed) or a rejected plugin, 2 could not answer."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `verify`."""
    from prowess.cli.parsing import add_format, add_profile, add_timeout

    parser.add_argument("path", metavar="PATH", help="a plugin's directory")
    parser.add_argument("--snapshot", metavar="FILE", required=True, help="what `prowess snapshot` printed")
    add_timeout(parser)
    add_profile(parser)
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Bring up, compare, answer."""
    from prowess.capability.drift import compare
    from prowess.cli.diff import answer
    from prowess.cli.files import read_snapshot
    from prowess.cli.snapshot import rejected, take

    frozen = read_snapshot(options.snapshot)
    targets.told(options.path, "units", "content", "workflows")
    try:
        now = take(options.path, options)
    except PackageRejected as error:
        return rejected(options.path, error)
    return answer(compare(frozen, now), options.format)
