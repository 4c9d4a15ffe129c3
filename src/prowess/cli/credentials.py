"""`prowess credentials list | approve | sign-in | sign-out`: which server may have which credential.

Approving means: what a credential was bound to and what it would be bound to now are printed, and a
person says yes; or a script names the digest that the person saw. No secret is read or shown.
`signing_in.py` has the last two.
"""

from __future__ import annotations

from prowess.cli import screen
from prowess.cli.agreeing import agreed
from prowess.errors import NotFound, UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.cli.parsing import Parser
    from prowess.credentials import Binding

MORE = """\
list     what each credential is bound to, and the changes that wait for an answer
approve  shows what changed for SERVER (plugin/server) and CREDENTIAL, and binds it anew after a yes
sign-in  signs you in to the remote server that the credential SERVER of --config is for: prints the page
         to open, waits for you to come back, and keeps the tokens
sign-out ends that: the server is told where it takes that, and the tokens are forgotten
Exit status: 0 done, or nothing waits; 1 something waits, or it was not approved; 2 could not answer."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `credentials`."""
    from prowess.cli import signing_in
    from prowess.cli.parsing import add_format

    parser.add_argument(
        "action", metavar="ACTION", choices=ACTIONS, help="list, approve, sign-in or sign-out"
    )
    parser.add_argument(
        "server",
        metavar="SERVER",
        nargs="?",
        help="a server as prowess.toml names it; with sign-in, sign-out: a credential",
    )
    parser.add_argument("credential", metavar="CREDENTIAL", nargs="?", help="if the server has several")
    parser.add_argument("--yes", metavar="DIGEST", help="approve without asking, if this is the digest shown")
    signing_in.add_arguments(parser)
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Do what was asked."""
    import asyncio

    if options.action in ("sign-in", "sign-out"):
        from prowess.cli import signing_in

        return signing_in.run(options)
    from prowess.credentials import FileBindings

    bindings = FileBindings()
    bound = {each.key: each for each in asyncio.run(bindings.bindings())}
    waiting = asyncio.run(bindings.pending())
    if options.action == "list":
        return _list(bound, waiting, options)
    change = _chosen(waiting, options)
    _show(bound[change.key], change, options)
    if not agreed(change.digest, options, question="Give it the credential as it is now?"):
        return 1
    asyncio.run(bindings.approve(change))
    screen.say(f"{printable(change.credential)} is bound to {printable(change.server)} anew")
    return 0


def _list(bound: dict[str, Binding], waiting: tuple[Binding, ...], options: Namespace) -> int:
    if options.server is not None:
        raise UsageError("list takes no SERVER", hint="prowess credentials --help")
    if options.format == "json":
        screen.document(
            {
                "bound": [_plain(each) for each in bound.values()],
                "waiting": [_plain(each) for each in waiting],
            }
        )
        return 1 if waiting else 0
    for state, each in [*(("bound", one) for one in bound.values()), *(("waits", one) for one in waiting)]:
        screen.data(f"{state}  {_line(each)}\n")
    if not bound and not waiting:
        screen.say("no credential is bound yet")
    return 1 if waiting else 0


def _plain(binding: Binding) -> dict[str, str]:
    return {
        "credential": binding.credential,
        "server": binding.server,
        "plugin": binding.plugin,
        "target": binding.target,
        "digest": binding.digest,
    }


def _line(binding: Binding) -> str:
    words = (binding.server, binding.credential, binding.target, binding.plugin)
    return "  ".join(printable(each, 500) for each in words)


def _chosen(waiting: tuple[Binding, ...], options: Namespace) -> Binding:
    if options.server is None:
        raise UsageError("approve needs SERVER", hint="prowess credentials list says what waits")
    meant = [
        each
        for each in waiting
        if each.server == options.server and options.credential in (None, each.credential)
    ]
    if not meant:
        raise NotFound(
            f"nothing waits for {printable(options.server)}", hint="prowess credentials list says what waits"
        )
    if len(meant) > 1:
        names = printable(", ".join(each.credential for each in meant), 500)
        raise UsageError(f"several wait for {printable(options.server)}", hint=f"say which: {names}")
    return meant[0]


def _show(before: Binding, now: Binding, options: Namespace) -> None:
    if options.format == "json":
        screen.document({"before": _plain(before), "now": _plain(now)})
        return
    screen.data(f"{printable(now.server)}  {printable(now.credential)}\n")
    for name in ("plugin", "target"):
        was, will = getattr(before, name), getattr(now, name)
        if was != will:
            screen.data(f"  - {name} {printable(was, 2_000)}\n  + {name} {printable(will, 2_000)}\n")
    screen.data(f"digest {now.digest}\n")


ACTIONS = ("list", "approve", "sign-in", "sign-out")
