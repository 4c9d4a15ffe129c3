"""`prowess sync`: make what is installed what the lock says."""

from __future__ import annotations

from prowess.cli import screen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from contextlib import ExitStack
    from typing import Any

    from prowess.author.installing import Prepared
    from prowess.cli.parsing import Parser
    from prowess.store.installed import Scope
    from prowess.store.lock import Installed

MORE = """\
Packages that are missing or changed are fetched again from where the lock says, and have to have the
digest that it says. Where a source has something else now, sync asks as update does; with --frozen it
fails, installs nothing at all and never writes the lock.
Exit status: 0 everything is as the lock says, 1 it is not, 2 could not answer."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `sync`."""
    from prowess.cli.parsing import add_format
    from prowess.cli.scopes import add_scope

    parser.add_argument("--frozen", action="store_true", help="exactly what the lock says, or nothing")
    parser.add_argument(
        "--yes", metavar="DIGEST", action="append", help="without --frozen: agree to this digest"
    )
    add_scope(parser)
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Look, fetch, put in place."""
    from contextlib import ExitStack

    from prowess.cli.scopes import all_installed
    from prowess.errors import NotFound

    _insist_on_lock(options)
    options.pin = False
    found = all_installed(options)
    results: list[dict[str, Any]] = []
    if not found and not options.frozen:
        raise NotFound("nothing is installed", hint="prowess add SOURCE")
    with ExitStack() as stack:
        ready: list[Prepared] = []
        for scope, one in found:
            result = _prepare(scope, one, stack, ready, options)
            results.append(result)
        failed = [each for each in results if each["state"] == "failed"]
        if not (options.frozen and failed):
            _restore(ready)
    if not options.frozen:
        failed = _offer_again(found, results, options)
    if options.format == "json":
        screen.document({"format": 1, "synced": not failed, "packages": results})
    return max((each["status"] for each in failed), default=0)


def _insist_on_lock(options: Namespace) -> None:
    """Nothing to go by is no success: a lock that was left out of a checkout would never be missed."""
    from prowess.cli.scopes import scopes
    from prowess.errors import NotFound
    from prowess.store.lock import read_lock

    if options.frozen and all(read_lock(each.lock) is None for each in scopes(options)):
        raise NotFound("there is no prowess.lock", hint="prowess add SOURCE writes one")


def _prepare(
    scope: Scope, one: Installed, stack: ExitStack, ready: list[Prepared], options: Namespace
) -> dict[str, Any]:
    import os

    from prowess.author.auditing import whole
    from prowess.author.installing import prepared
    from prowess.errors import PackageRejected, ProwessError, SourceRefused
    from prowess.store.installed import settle

    result: dict[str, Any] = {"name": one.name, "scope": scope.name, "digest": one.digest, "status": 0}
    try:
        if not one.is_trusted:
            raise SourceRefused(f"nobody agreed to {one.name} as the lock has it", code="untrusted")
        if os.path.isdir(scope.package(one)):
            settle(scope, one)
        if whole(scope, one):
            _say(options, f"{one.name} is as the lock says")
            return {**result, "state": "whole"}
        ready.append(stack.enter_context(prepared(scope, one.origin, updates=one, digest=one.digest)))
        _say(options, f"{one.name} is fetched again, as the lock says")
        return {**result, "state": "restored"}
    except ProwessError as error:
        refused = {"code": error.code, "message": error.message, "hint": error.hint}
        if options.frozen:
            screen.complain(f"{one.name} [{error.code}]: {error.message}", error.hint)
        status = 1 if isinstance(error, SourceRefused | PackageRejected) else 2
        return {**result, "state": "failed", "status": status, "refused": refused}


def _restore(ready: list[Prepared]) -> None:
    from prowess.author.installing import restore

    for each in ready:
        restore(each)


def _offer_again(
    found: list[tuple[Scope, Installed]], results: list[dict[str, Any]], options: Namespace
) -> list[dict[str, Any]]:
    """Those that cannot be had as the lock says, as they are now; what is left that failed."""
    from dataclasses import replace

    from prowess.cli.update import updated

    for (scope, one), result in zip(found, results, strict=True):
        if result["state"] != "failed":
            continue
        screen.say(f"{one.name}: {result['refused']['message']}")
        status, document = updated(scope, one, replace(one.origin, commit=""), options)
        result.update(document, state="updated" if status == 0 else "failed", status=status)
    return [each for each in results if each["state"] == "failed"]


def _say(options: Namespace, line: str) -> None:
    if options.format != "json":
        screen.data(f"{line}\n")
