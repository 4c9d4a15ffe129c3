"""`prowess info NAME`: one installed package, what it may do and where it keeps its data."""

from __future__ import annotations

from prowess.cli import screen
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from prowess.cli.parsing import Parser

MORE = """\
Exit status: 0 told, 2 could not (it is not installed)."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `info`."""
    from prowess.cli.parsing import add_format
    from prowess.cli.scopes import add_scope

    parser.add_argument("name", metavar="NAME", help="an installed package")
    add_scope(parser)
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Read the lock, tell."""
    import os

    from prowess.cli.abilities import summary
    from prowess.cli.installing import plain
    from prowess.cli.scopes import named

    scope, one = named(options)
    document: dict[str, Any] = {
        **summary(one, scope.name),
        "path": scope.link(one),
        "present": os.path.isdir(scope.package(one)),
        "data": {"path": scope.data(one), "bytes": _bytes(scope.data(one))},
        "trusted": dict(one.trusted),
        "abilities": [dict(each) for each in one.abilities],
        "tools": plain(one),
    }
    if options.format == "json":
        screen.document(document)
    else:
        _tell(document, one.origin.words)
    return 0


def _tell(document: dict[str, Any], origin: str) -> None:
    version = printable(document["version"], 60) or "-"
    screen.data(f"{document['name']} {version} ({document['scope']})\n")
    agreed = document["trusted"].get(document["digest"], "nobody agreed to it")
    present = document["path"] if document["present"] else "not on this machine: prowess sync"
    pinned = sum(map(len, document["tools"].values()))
    for name, said in (
        ("from", origin),
        ("digest", document["digest"]),
        ("agreed to", agreed),
        ("path", printable(present, 1_000)),
        ("data", f"{printable(document['data']['path'], 1_000)} ({document['data']['bytes']} bytes)"),
        ("files", str(document["files"])),
        ("tools", f"{pinned} pinned" if pinned else "none pinned; prowess update NAME --pin"),
    ):
        screen.data(f"  {name:10} {said}\n")
    for each in document["abilities"]:
        kind, subject = printable(each.get("kind", ""), 20), printable(each.get("subject", ""), 120)
        screen.data(f"  {kind:12} {subject} {printable(each.get('words', ''), 1_100)}\n")


def _bytes(folder: str) -> int:
    """How much a folder holds; no link is followed."""
    import os

    total = 0
    for above, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(above, name)).st_size
            except OSError:
                continue
    return total
