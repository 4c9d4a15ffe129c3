"""`prowess update [NAME]`: look at the source again, show what would change, install it."""

from __future__ import annotations

from prowess.cli import screen
from prowess.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from prowess.cli.parsing import Parser
    from prowess.store.installed import Scope
    from prowess.store.lock import Installed, Origin

MORE = """\
Without NAME all are looked at. An update that lets a package do nothing new is installed at once; one
that lets it do more is asked about. PLUGIN_DATA stays. The old version counts until the new one is whole.
Exit status: 0 all are up to date, 1 one was refused by you or is not fit, 2 could not answer."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `update`."""
    from prowess.cli.add import add_pin
    from prowess.cli.parsing import add_format
    from prowess.cli.scopes import add_scope

    parser.add_argument("name", metavar="NAME", nargs="?", help="an installed package (default: all)")
    parser.add_argument("--from", metavar="SOURCE", dest="source", help="from now on it comes from here")
    parser.add_argument("--ref", metavar="REF", default="", help="another branch, tag or commit")
    parser.add_argument("--subdir", metavar="DIR", default="", help="with --from: where in it the package is")
    parser.add_argument(
        "--yes", metavar="DIGEST", action="append", help="agree to this digest; may be given several times"
    )
    add_scope(parser)
    add_pin(parser)
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Update one after the other; one that fails keeps no other back."""
    from prowess.cli.scopes import chosen

    if options.name is None and (options.source or options.ref):
        raise UsageError("--from and --ref are about one package", hint="prowess update NAME --ref REF")
    status, documents = 0, []
    for scope, one in chosen(options):
        answer, document = updated(scope, one, _origin(scope, one, options), options)
        status = max(status, answer)
        documents.append(document)
    if options.format == "json":
        screen.document({"format": 1, "updates": documents})
    return status


def _origin(scope: Scope, one: Installed, options: Namespace) -> Origin:
    from dataclasses import replace

    from prowess.author.fetching import checked_ref, origin_of

    if options.source:
        return origin_of(options.source, base=scope.base, ref=options.ref, subdirectory=options.subdir)
    if options.ref and one.origin.kind != "git":
        raise UsageError(f"{one.name} comes from no repository", hint="--from SOURCE")
    return replace(one.origin, ref=checked_ref(options.ref) or one.origin.ref, commit="")


def updated(scope: Scope, one: Installed, origin: Origin, options: Namespace) -> tuple[int, dict[str, Any]]:
    """One package, looked at anew; the exit status, and what came of it as JSON."""
    from prowess.author.installing import prepared
    from prowess.cli.installing import offered, pinned, plain
    from prowess.errors import ProwessError

    try:
        with prepared(scope, origin, updates=one) as ready:
            if ready.is_same and ready.one.origin == one.origin and one.is_trusted:
                if options.format != "json":
                    screen.data(f"{one.name} is up to date\n")
                now = pinned(scope, one) if options.pin else one
                return 0, {"name": one.name, "installed": True, "changed": False, "tools": plain(now)}
            status, document = offered(ready, options, question=f"Update {one.name}?")
            return status, {**document, "changed": status == 0}
    except ProwessError as error:
        from prowess.errors import PackageRejected, SourceRefused

        screen.complain(f"{one.name} stays as it is [{error.code}]: {error.message}", error.hint)
        refused = {"code": error.code, "message": error.message, "hint": error.hint}
        status = 1 if isinstance(error, SourceRefused | PackageRejected) else 2
        return status, {"name": one.name, "installed": True, "changed": False, "refused": refused}
