"""`prowess approvals list | approve | refuse`: answers for calls that wait, given from another process.

A call that needs approval and finds nobody to ask is refused at once and leaves a request. Whoever
approves it has seen its tool, its caller and its arguments (redacted); the answer lets that very
call through once. It does not make the call.
"""

from __future__ import annotations

from prowess.cli import screen
from prowess.cli.agreeing import agreed
from prowess.errors import NotFound, UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from prowess.call.approvals import ApprovalStore
    from prowess.cli.parsing import Parser
    from prowess.store.remembered import ApprovalRequest

SHORT = 12  # characters of a digest that people see
SHORTEST = 6  # that mean a request
SCHEME = "sha256:"

MORE = """\
list     the calls that wait
approve  shows the request ID, and lets this call through, once, after a yes
refuse   says no to it
ID is the beginning of a digest; it can be left out while only one call waits.
Exit status: 0 done, or nothing waits; 1 something waits, or it was not approved; 2 could not answer."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `approvals`."""
    from prowess.cli.parsing import add_format

    parser.add_argument("action", metavar="ACTION", choices=ACTIONS, help="list, approve or refuse")
    parser.add_argument("id", metavar="ID", nargs="?", help="which request, as list shows it")
    parser.add_argument("--yes", metavar="DIGEST", help="approve without asking, if this is its whole digest")
    parser.add_argument("--config", metavar="PATH", help="a prowess.toml that keeps them elsewhere")
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Do what was asked."""
    import asyncio

    from prowess.cli.stored import stored, there

    store = stored(options.config)
    try:
        approvals = store.approvals
        waiting = tuple(asyncio.run(approvals.pending())) if there(store) else ()
        if options.action == "list":
            return _list(waiting, options)
        request = _chosen(waiting, options.id)
        if options.action == "refuse":
            return asyncio.run(_answer(approvals, request, False))
        _show(request, options)
        return (
            asyncio.run(_answer(approvals, request, True))
            if agreed(request.digest, options, question="Let this call through, once?")
            else 1
        )
    finally:
        store.close()


async def _answer(approvals: ApprovalStore, request: ApprovalRequest, approved: bool) -> int:
    """Keep the answer for as long as the request itself was to wait."""
    import time

    until = time.time() + max(1.0, request.expires - request.asked)
    if not await approvals.answer(request.digest, approved, until=until):
        raise NotFound("this request does not wait any more", hint="prowess approvals list")
    said = "approved: the same call goes through once" if approved else "refused"
    screen.say(f"{_name(request)} {said}")
    return 0


def _list(waiting: tuple[ApprovalRequest, ...], options: Namespace) -> int:
    if options.id is not None:
        raise UsageError("list takes no ID", hint="prowess approvals --help")
    if options.format == "json":
        screen.document({"waiting": [_plain(each) for each in waiting]})
        return 1 if waiting else 0
    for each in waiting:
        who = printable(each.caller.principal, 80) or "-"
        screen.data(f"{_short(each.digest)}  {_name(each)}  {who}  {printable(each.reason, 200)}\n")
    if not waiting:
        screen.say("no call waits for approval")
    return 1 if waiting else 0


def _plain(request: ApprovalRequest) -> dict[str, Any]:
    return {
        "id": _short(request.digest),
        "digest": request.digest,
        "tool": request.tool,
        "server": request.server,
        "arguments": dict(request.arguments),
        "principal": request.caller.principal,
        "conversation": request.caller.conversation,
        "reason": request.reason,
        "asked": request.asked,
        "expires": request.expires,
    }


def _short(digest: str) -> str:
    return digest.removeprefix(SCHEME)[:SHORT]


def _name(request: ApprovalRequest) -> str:
    return f"{printable(request.server, 80)}/{printable(request.tool, 80)}"


def _chosen(waiting: tuple[ApprovalRequest, ...], named: str | None) -> ApprovalRequest:
    wanted = (named or "").removeprefix(SCHEME)
    if named is not None and len(wanted) < SHORTEST:
        raise UsageError(f"an ID has at least {SHORTEST} characters", hint="prowess approvals list")
    meant = [each for each in waiting if each.digest.removeprefix(SCHEME).startswith(wanted)]
    if not meant:
        which = f"no request {printable(named, 80)} waits" if named else "no call waits for approval"
        raise NotFound(which, hint="prowess approvals list")
    if len(meant) > 1:
        known = ", ".join(_short(each.digest) for each in meant[:20])
        raise UsageError(f"{len(meant)} calls wait", hint=f"say which: {known}")
    return meant[0]


def _show(request: ApprovalRequest, options: Namespace) -> None:
    import json

    if options.format == "json":
        screen.document(_plain(request))
        return
    screen.data(f"{_name(request)}  {printable(request.reason, 500)}\n")
    for name in ("principal", "conversation"):
        if said := getattr(request.caller, name):
            screen.data(f"{name} {printable(said, 200)}\n")
    arguments = json.dumps(request.arguments, ensure_ascii=False, indent=2, default=str)
    screen.data("".join(f"  {line}\n" for line in screen.safe(arguments).split("\n")))
    screen.data(f"digest {request.digest}\n")


ACTIONS = ("list", "approve", "refuse")
