"""What `add`, `update` and `sync` have in common: show, ask, install, pin, and say why not."""

from __future__ import annotations

from prowess.cli import screen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from typing import Any

    from prowess.author.installing import Prepared
    from prowess.store.installed import Scope
    from prowess.store.lock import Installed


class Refusal:
    """How a block ended that `refusing` guarded."""

    status = 1


def refusing(options: Namespace) -> AbstractContextManager[Refusal]:
    """Turn a package that will not do into the answer no: its code and reason, as text or JSON."""
    from contextlib import contextmanager

    from prowess.errors import PackageRejected, SourceRefused

    @contextmanager
    def guarding() -> Iterator[Refusal]:
        try:
            yield Refusal()
        except (SourceRefused, PackageRejected) as error:
            if options.format == "json":
                refused = {"code": error.code, "message": error.message, "hint": error.hint}
                screen.document({"installed": False, "refused": refused})
            screen.complain(f"not installed [{error.code}]: {error.message}", error.hint)

    return guarding()


def offered(ready: Prepared, options: Namespace, *, question: str) -> tuple[int, dict[str, Any]]:
    """Show a prepared package and install it if that is wanted; the exit status, and all of it as JSON."""
    from prowess.author.installing import install
    from prowess.cli.abilities import as_dict, describe

    if options.format != "json":
        describe(ready)
    if ready.must_ask and not _agreed(ready.one.digest, options, question):
        return 1, {"installed": False, **as_dict(ready)}
    one = install(ready)
    if options.pin:
        one = pinned(ready.scope, one)
    document = {"installed": True, **as_dict(ready), "path": ready.scope.link(one), "tools": plain(one)}
    return 0, document


def _agreed(digest: str, options: Namespace, question: str) -> bool:
    from argparse import Namespace

    from prowess.cli.agreeing import agreed

    said = options.yes if isinstance(options.yes, list) else [options.yes]
    mine = next((each for each in said if each == digest), said[0] if said else None)
    return agreed(digest, Namespace(yes=mine, format=options.format), question=question)


def pinned(scope: Scope, one: Installed) -> Installed:
    """The package with its tools pinned as its servers offer them now."""
    from prowess.author.installing import pin
    from prowess.author.trust_tools import compared_tools, forget_pins, tools_of

    tools, down = tools_of(scope.link(one), on_start=lambda start: screen.say(str(start)))
    for server, reason in sorted(down.items()):
        screen.say(f"{server} did not come up, so its tools keep the pins they had: {reason}")
        if server in one.tools:
            tools[server] = dict(one.tools[server])
    for fault in compared_tools(one, tools):
        screen.say(f"{fault.path} {fault.message}")
    forget_pins(scope.link(one), tools)
    count = sum(map(len, tools.values()))
    screen.say(f"{count} tools are pinned in the lock")
    return pin(scope, one, tools)


def plain(one: Installed) -> dict[str, Any]:
    """The pins of a package as JSON."""
    return {server: dict(tools) for server, tools in one.tools.items()}
