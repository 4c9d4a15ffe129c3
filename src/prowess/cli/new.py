"""`prowess new WHAT NAME`: write something to begin with; what is there is never overwritten."""

from __future__ import annotations

import os

from prowess.cli import screen
from prowess.errors import UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from prowess.cli.parsing import Parser

MORE = """\
plugin    a package: a manifest, a skill, and a tool that the skill leads to (--no-tool: without)
skill     a directory NAME with SKILL.md
unit      a folder NAME with schema.json and skill.py, or with --form function a file NAME.py
content   a folder NAME with prompts, resources and templates
workflow  a folder NAME with NAME.yaml
All of them work as they are and pass `prowess check` with nothing to report. Trigger cases
are in evals/triggers.yaml, and fixtures of what was written in fixtures/ (--no-fixtures: without; those
of a plugin need its server, so it is started).
Exit status: 0 written, 2 could not (something is there already, or NAME will not do)."""

KINDS = ("plugin", "skill", "unit", "content", "workflow")


def add_arguments(parser: Parser) -> None:
    """The arguments of `new`."""
    from prowess.cli.parsing import add_format

    parser.add_argument("what", metavar="WHAT", choices=KINDS, help=", ".join(KINDS))
    parser.add_argument("name", metavar="NAME", help="a unit and a workflow: verb_noun; others: with hyphens")
    parser.add_argument("--in", metavar="DIR", dest="folder", default=".", help="where (default: here)")
    parser.add_argument("--form", choices=("folder", "function"), help="of a unit (default: folder)")
    parser.add_argument("--no-tool", action="store_true", help="of a plugin: the skill alone")
    parser.add_argument("--no-fixtures", action="store_true", help="freeze nothing yet")
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Write, freeze, tell."""
    if options.form is not None and options.what != "unit":
        raise UsageError("--form belongs to a unit")
    if options.no_tool and options.what != "plugin":
        raise UsageError("--no-tool belongs to a plugin")
    files = _writer(options)()
    place = os.path.join(options.folder, options.name)
    freezes = not options.no_fixtures and options.form != "function"
    if freezes:
        files += _frozen(place)
    if options.format == "json":
        screen.document({"files": list(files)})
    else:
        screen.data("".join(f"{printable(each, 500)}\n" for each in files))
    _say_what_next(options, place)
    return 0


def _writer(options: Namespace) -> Callable[[], tuple[str, ...]]:
    name, folder = options.name, options.folder
    if options.what == "plugin":
        from prowess.author.plugin import write_plugin

        return lambda: write_plugin(name, folder, tool=not options.no_tool)
    if options.what == "skill":
        from prowess.author.skill import write_skill

        return lambda: write_skill(name, folder)
    if options.what == "unit":
        from prowess.author.unit import write_unit

        return lambda: write_unit(name, folder, form=options.form or "folder")
    if options.what == "content":
        from prowess.author.content import write_content

        return lambda: write_content(name, folder)
    from prowess.author.scaffold_workflow import write_workflow

    return lambda: write_workflow(name, folder)


def _frozen(place: str) -> tuple[str, ...]:
    """The fixtures of what was just written; without the server that they need they are left for later."""
    import asyncio

    from prowess.author.fixtures import freeze

    frozen = asyncio.run(freeze(place, on_start=lambda start: screen.say(str(start))))
    for note in frozen.notes:
        screen.say(f"   note: {note}")
    if frozen.notes:
        screen.say(f"   hint: prowess fixtures {printable(place, 300)} freezes again when that is mended")
    return tuple(os.path.join(place, "fixtures", *each.split("/")) for each in [*frozen.files, "index.json"])


def _say_what_next(options: Namespace, place: str) -> None:
    if options.what in ("unit", "workflow") and "_" not in options.name:
        screen.say(f"{options.name} is not verb_noun; lint will say so")
    shown = printable(f"{place}.py" if options.form == "function" else place, 300)
    what = "prowess test" if options.what == "unit" else "prowess check"
    if options.what == "content":
        screen.say(f"it is about counting words for now; write what it is to say, then: {what} {shown}")
    elif options.what == "workflow":
        screen.say("it counts words for now, with the unit that `prowess new unit count_words` writes")
        screen.say(
            f"write what it is to do, then: prowess check {shown}, and prowess workflow check --skills UNITS"
        )
    else:
        screen.say(f"it counts words for now; write what it is to do, then: {what} {shown}")
