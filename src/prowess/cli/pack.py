"""`prowess pack DIR --out DIST`: a project as one package for every client, and its archives."""

from __future__ import annotations

from prowess.cli import screen
from prowess.errors import PackageRejected
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.cli.parsing import Parser

MORE = """\
Packs skills, units, content and workflows. Units, content and workflows stand in dev.prowess/ and are
started by one entry of mcp.json, `prowess serve`. DIST gets the package NAME/, and NAME-VERSION.zip,
.tar.gz and .sha256, which holds their digests; the same project gives the same bytes. Secrets, caches and
hidden files stay out.
--for adds what these clients read beside the portable package, made from it: claude-code, cursor, codex.
Exit status: 0 packed, 1 refused (it does not pass check, or holds a secret), 2 could not."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `pack`."""
    from prowess.cli.parsing import add_format

    parser.add_argument(
        "path", metavar="DIR", help="a plugin, skills, units, content, workflows, or a project"
    )
    parser.add_argument("--out", metavar="DIST", required=True, help="the directory to write into")
    parser.add_argument(
        "--for",
        metavar="CLIENTS",
        dest="clients",
        default="agent-plugins",
        help="agent-plugins,claude-code,...",
    )
    parser.add_argument("--name", default="", help="the package's name, where there is no plugin.json")
    parser.add_argument("--version", default="", help="its version, where there is no plugin.json (0.1.0)")
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Pack, tell."""
    from prowess.author.layouts import targets_of
    from prowess.author.packing import pack

    targets = targets_of(options.clients)
    try:
        packed = pack(options.path, options.out, targets=targets, name=options.name, version=options.version)
    except PackageRejected as error:
        screen.complain(f"{printable(options.path, 300)} is not packed: {error.message}", error.hint)
        return 1
    for note in packed.notes:
        screen.say(f"   note: {note}")
    if options.format == "json":
        screen.document(
            {
                "name": packed.name,
                "version": packed.version,
                "folder": packed.folder,
                "files": list(packed.files),
                "archives": packed.archives,
                "contents": packed.contents,
                "notes": list(packed.notes),
            }
        )
    else:
        screen.data(f"{printable(packed.folder, 500)}\n")
        screen.data(
            "".join(f"{printable(each, 500)}  {digest}\n" for each, digest in packed.archives.items())
        )
    return 0
