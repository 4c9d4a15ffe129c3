"""`prowess workbench --out FILE`: format and compare as one HTML file; `prowess console` has all of it."""

from __future__ import annotations

import os

from prowess.cli import screen
from prowess.errors import UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.cli.parsing import Parser

MORE = """\
FILE works from a disk, in any browser, and asks nobody for anything: it formats JSON and compares two
documents as one types. Judging is in the console's Workbench, and in prowess check.
Exit status: 0 written, 2 could not write."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `workbench`."""
    parser.add_argument(
        "--out", metavar="FILE", required=True, help="the HTML file to write, whole or not at all"
    )
    parser.add_argument("--force", action="store_true", help="replace FILE if it is there")


def run(options: Namespace) -> int:
    """Write the file."""
    path, shown = options.out, printable(options.out, 500)
    if os.path.isdir(path):
        raise UsageError(f"{shown}: is a directory", hint="--out names a file")
    if os.path.lexists(path) and not options.force:
        raise UsageError(f"{shown}: is there already", hint="--force replaces it")
    if not os.path.isdir(os.path.dirname(os.path.realpath(path))):
        raise UsageError(f"{shown}: cannot be written: its directory is not there")
    from prowess.cli.files import write_whole
    from prowess.console.workbench_file import workbench_file

    write_whole(path, workbench_file().encode())
    screen.say(f"wrote {shown}; open it in a browser")
    return 0
