"""`prowess convert DIR [--out DIR]`: another client's layout as an Agent Plugins package."""

from __future__ import annotations

from prowess.cli import screen
from prowess.errors import PackageRejected
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.cli.parsing import Parser

MORE = """\
Reads .claude-plugin/, .codex-plugin/, .cursor-plugin/ or gemini-extension.json. Skills are copied, servers
become entries of mcp.json, commands become prompts where they say the same there. What has no portable form
(hooks, agents, rules, settings, context files, the user's own variables) is in the report. Without --out
nothing is written; DIR itself is never changed.
Exit status: 0 all of it is portable, 1 something is not, or it is refused, 2 could not."""

LAYOUTS = ("claude-code", "codex", "cursor", "gemini")


def add_arguments(parser: Parser) -> None:
    """The arguments of `convert`."""
    from prowess.cli.parsing import add_format

    parser.add_argument("path", metavar="DIR", help="the plugin or extension as it is")
    parser.add_argument("--out", metavar="DIR", help="write the package into this new directory")
    parser.add_argument("--from", dest="layout", choices=LAYOUTS, default="", help="which layout, of several")
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Convert, write where it was asked, report."""
    from prowess.author.converting import convert, write_conversion

    try:
        made = convert(options.path, layout=options.layout)
    except PackageRejected as error:
        screen.complain(f"{printable(options.path, 300)} is not converted: {error.message}", error.hint)
        return 1
    files = write_conversion(made, options.out) if options.out is not None else ()
    if options.format == "json":
        report = [{"what": each.what, "verdict": each.verdict, "detail": each.detail} for each in made.report]
        screen.document(
            {"layout": made.source.name, "name": made.name, "whole": made.whole, "report": report}
            | {"files": list(files)}
        )
    else:
        wide = max((len(each.verdict) for each in made.report), default=0)
        for each in made.report:
            detail = f" ({each.detail})" if each.detail else ""
            screen.data(f"{each.verdict:{wide}}  {each.what}{detail}\n")
    if options.out is None:
        screen.say("nothing was written; --out DIR writes the package")
    return 0 if made.whole else 1
