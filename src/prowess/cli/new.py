"""`prowess new unit NAME`: write a unit to begin with; what is there is never overwritten."""

from __future__ import annotations

from prowess.cli import screen
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.cli.parsing import Parser

MORE = """\
unit  a folder NAME with schema.json and skill.py, or with --form function a file NAME.py with one
      decorated function; it works, and passes `prowess units lint` and `prowess test` as it is
Exit status: 0 written, 2 could not (something is there already, or NAME will not do)."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `new`."""
    from prowess.cli.parsing import add_format

    parser.add_argument("what", metavar="WHAT", choices=("unit",), help="unit")
    parser.add_argument("name", metavar="NAME", help="verb_noun, such as query_weather")
    parser.add_argument("--in", metavar="DIR", dest="folder", default=".", help="where (default: here)")
    parser.add_argument("--form", choices=("folder", "function"), default="folder", help="default: folder")
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Write, tell."""
    from prowess.author.unit import write_unit

    files = write_unit(options.name, options.folder, form=options.form)
    if options.format == "json":
        screen.document({"files": list(files)})
    else:
        screen.data("".join(f"{printable(each, 500)}\n" for each in files))
    if "_" not in options.name:
        screen.say(f"{options.name} is not verb_noun; lint will say so")
    place = printable(options.folder, 300) if options.form == "folder" else printable(files[0], 300)
    screen.say(f"it counts words for now; write what it is to do, then: prowess test {place}")
    return 0
