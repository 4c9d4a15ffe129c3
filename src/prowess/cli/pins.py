"""`prowess pins list | approve | reset`: the tools as they were seen first, and what has changed since.

Approving means: the package is brought up, what its tool is now is held against what was pinned,
the whole difference is printed, and a person says yes; or a script names the digest that the person
saw. The servers are down again before anybody is asked.
"""

from __future__ import annotations

from prowess.cli import screen, targets
from prowess.cli.agreeing import agreed
from prowess.cli.stored import pins
from prowess.errors import NotFound, UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence
    from typing import Any

    from prowess.call.differing import Change
    from prowess.capability.offer import Tool
    from prowess.cli.parsing import Parser
    from prowess.host.storing import Store
    from prowess.store.remembered import Pin

MORE = """\
list     every pin, or those of PATH; with --connect PATH is brought up and each tool's state is said
approve  shows what changed in TOOL (its name, or SERVER/NAME) and pins it as it is now, after a yes
reset    forgets the pin of TOOL, or every pin of PATH: the next sight is the first again
Naming PATH with approve or --connect consents to running its servers; each is printed first, on stderr.
Exit status: 0 done, or nothing changed; 1 something changed, or it was not approved; 2 could not answer."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `pins`."""
    from prowess.cli.parsing import add_format, add_profile, add_timeout

    parser.add_argument("action", metavar="ACTION", choices=tuple(ACTIONS), help="list, approve or reset")
    parser.add_argument("path", metavar="PATH", nargs="?", help="a plugin's directory, or a prowess.toml")
    parser.add_argument("tool", metavar="TOOL", nargs="?", help="a tool's name, or SERVER/NAME")
    parser.add_argument("--connect", action="store_true", help="with list: bring PATH up and say each state")
    parser.add_argument("--yes", metavar="DIGEST", help="approve without asking, if this is the digest shown")
    add_timeout(parser)
    add_profile(parser)
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Do what was asked."""
    from prowess.cli.stored import stored

    store = stored(options.path)
    try:
        answer: int = ACTIONS[options.action](store, options)
        return answer
    finally:
        store.close()


def _list(store: Store, options: Namespace) -> int:
    if options.tool is not None:
        raise UsageError("list takes no TOOL", hint="prowess pins --help")
    if options.connect:
        return _compared(store, options)
    placed = None if options.path is None else targets.placed(options.path)
    found = _every(store) if placed is None else pins(store, placed)
    if options.format == "json":
        screen.document({"pins": [_plain(each) for each in found]})
        return 0
    last = None if placed is None else store.scope(placed)
    for each in found:
        if each.scope != last:
            last = each.scope
            screen.data(f"{printable(last, 500)}\n")
        screen.data(f"  {_name(each.server, each.tool)}  {each.digest}\n")
    if not found:
        screen.say("no pins")
    return 0


def _every(store: Store) -> tuple[Pin, ...]:
    """The pins of everything that this user has."""
    from prowess.store.pins import listed

    database = store.database
    return database.now(listed) if database is not None and database.exists() else ()


def _plain(pin: Pin) -> dict[str, Any]:
    return {"scope": pin.scope, "server": pin.server, "tool": pin.tool, "digest": pin.digest}


def _name(server: str, tool: str) -> str:
    return f"{printable(server, 80)}/{printable(tool, 80)}"


def _compared(store: Store, options: Namespace) -> int:
    from prowess.call.pinning import definition_of
    from prowess.capability.canonical import digest

    tools, known = _brought_up(_path(options), options), _pins(store, options.path)
    states = []
    for tool in tools:
        pin = known.pop((tool.server, tool.name), None)
        now = digest(definition_of(tool))
        state = "new" if pin is None else "pinned" if pin.digest == now else "changed"
        states.append({"server": tool.server, "tool": tool.name, "state": state, "digest": now})
    states += [
        {"server": pin.server, "tool": pin.tool, "state": "not offered", "digest": pin.digest}
        for pin in known.values()
    ]
    if options.format == "json":
        screen.document({"tools": states})
    else:
        for each in states:
            screen.data(f"{each['state']:12} {_name(each['server'], each['tool'])}  {each['digest']}\n")
    return 1 if any(each["state"] == "changed" for each in states) else 0


def _path(options: Namespace) -> str:
    if options.path is None:
        raise UsageError("no PATH given", hint="prowess pins --help")
    path: str = options.path
    return path


def _pins(store: Store, path: str) -> dict[tuple[str, str], Pin]:
    return {(each.server, each.tool): each for each in pins(store, path)}


def _brought_up(path: str, options: Namespace) -> Sequence[Tool]:
    """The tools that the package offers; its servers are down again when this returns."""
    from prowess.cli.bringup import brought_up
    from prowess.cli.running import run as run_to_the_end

    targets.told(path, "config")
    found: list[Tool] = []

    async def work() -> int:
        async with brought_up(path, profile=options.profile, timeout=options.timeout) as host:
            found.extend(tool for offer in host.offers for tool in offer.tools)
        return 0

    status = run_to_the_end(work())
    if status:
        raise SystemExit(status)
    return found


def _named(name: str, known: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """The server and tool that `name` means. Raises NotFound and UsageError."""
    meant = [each for each in known if each[1] == name]
    if not meant:
        meant = [each for each in known if f"{each[0]}/{each[1]}" == name]
    if not meant:
        names = printable(", ".join(_name(*each) for each in known), 500)
        raise NotFound(
            f"no tool named {printable(name)}", hint=f"there are {names}" if names else "there are none"
        )
    if len(meant) > 1:
        names = ", ".join(_name(*each) for each in meant)
        raise UsageError(f"more than one server has {printable(name)}", hint=f"say which: {names}")
    return meant[0]


def _approve(store: Store, options: Namespace) -> int:
    from prowess.call.differing import changes
    from prowess.call.pinning import definition_of
    from prowess.capability.canonical import digest

    if options.tool is None:
        raise UsageError(
            "approve needs PATH and TOOL", hint="prowess pins list PATH --connect says what changed"
        )
    tools = {(each.server, each.name): each for each in _brought_up(_path(options), options)}
    key = _named(options.tool, list(tools))
    pin, definition = _pins(store, options.path).get(key), definition_of(tools[key])
    now = digest(definition)
    if pin is not None and pin.digest == now:
        screen.say(f"{_name(*key)} is what it was pinned as; there is nothing to approve")
        return 0
    different = changes(pin.definition if pin else {}, definition)
    _show(key, different, definition, now, options)
    if not agreed(now, options, question="Approve it as it is now?"):
        return 1
    _pin(store, options.path, key, now, definition)
    screen.say(f"{_name(*key)} is approved")
    return 0


def _show(
    key: tuple[str, str],
    different: Sequence[Change],
    definition: dict[str, Any],
    now: str,
    options: Namespace,
) -> None:
    from prowess.call.differing import MAX_CHANGES

    if options.format == "json":
        listed = [
            {"path": each.path, "kind": each.kind, "before": each.before, "after": each.after}
            for each in different
        ]
        document = {
            "server": key[0],
            "tool": key[1],
            "digest": now,
            "changes": listed,
            "definition": definition,
        }
        screen.document(document)
        return
    screen.data(f"{_name(*key)}\n")
    for each in different:
        screen.data(f"{printable(each.path, 300) or '/'} {each.kind}\n")
        if each.kind != "added":
            screen.data(_lines(each.before, "-"))
        if each.kind != "removed":
            screen.data(_lines(each.after, "+"))
    if len(different) >= MAX_CHANGES:
        screen.data("there are more differences than these; the whole definition is now\n")
        screen.data(_lines(definition, "+"))
    screen.data(f"digest {now}\n")


def _lines(value: Any, sign: str) -> str:
    """A value in full, each of its lines behind a sign, so that none can look like one of ours."""
    import json

    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return "".join(f"  {sign} {line}\n" for line in screen.safe(text).split("\n"))


def _pin(store: Store, path: str, key: tuple[str, str], now: str, definition: dict[str, Any]) -> None:
    import asyncio

    from prowess.store.remembered import Pin

    pin = Pin(scope=store.scope(path), server=key[0], tool=key[1], digest=now, definition=definition)
    asyncio.run(store.pins.replace(pin))


def _reset(store: Store, options: Namespace) -> int:
    import asyncio

    scope = store.scope(_path(options))  # the package itself may be gone
    known = _names(store, scope)
    chosen = list(known) if options.tool is None else [_named(options.tool, known)]

    async def work() -> None:
        for each in chosen:
            await store.pins.forget(scope, *each)

    asyncio.run(work())
    if options.format == "json":
        screen.document({"forgotten": [{"server": server, "tool": tool} for server, tool in chosen]})
    else:
        screen.data(f"{len(chosen)} pin{'' if len(chosen) == 1 else 's'} forgotten\n")
    return 0


def _names(store: Store, scope: str) -> Sequence[tuple[str, str]]:
    """Server and tool of every pin of a scope, whatever has become of the pins themselves."""
    if store.shared is not None:
        import asyncio

        from prowess.store.shared_pins import SharedPins

        return asyncio.run(SharedPins(store.shared.database).names(scope))
    from prowess.store.pins import names

    database = store.database
    return (
        database.now(lambda local: names(local, scope)) if database is not None and database.exists() else ()
    )


ACTIONS = {"list": _list, "approve": _approve, "reset": _reset}
