"""`prowess units list | show | lint`: the units at a path, what is wrong with the others, and one in full.

Units in folders are read and not run. A Python file with decorated units is imported to read them,
once; naming PATH consents to that.
"""

from __future__ import annotations

from prowess.cli import screen, targets
from prowess.errors import NotFound, UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from prowess.capability.change import Change
    from prowess.cli.parsing import Parser
    from prowess.spec.diagnostics import Diagnostic
    from prowess.units.model import Unit
    from prowess.units.registry import Registry

MORE = """\
list  every unit and version, and on stderr what is wrong with the others; --watch goes on and says
      what each change of the files changes, until Ctrl-C
show  one unit (NAME, or NAME@RANGE): what it takes, gives and may reach
lint  what could be better about units that load, or about NAME alone; versions of one name are compared,
      with --against also with what was released. No unit runs
Exit status: 0 printed, 1 a unit does not load (list) or something reaches --fail-on (lint), 2 could not
answer."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `units`."""
    from prowess.cli.parsing import add_format

    parser.add_argument("action", metavar="ACTION", choices=tuple(ACTIONS), help=", ".join(ACTIONS))
    parser.add_argument("path", metavar="PATH", help="a folder of units, a Python file, or a prowess.toml")
    parser.add_argument("name", metavar="NAME", nargs="?", help="a unit's name, or NAME@RANGE")
    parser.add_argument("--load", action="store_true", help="with list: import each unit too, to see it load")
    parser.add_argument("--watch", action="store_true", help="with list: go on, and say what changes")
    parser.add_argument("--against", metavar="PATH", help="with lint: units as they were released")
    parser.add_argument(
        "--fail-on",
        choices=("advice", "note", "entry"),
        default="entry",
        help="with lint: the narrowest reach that makes the answer no (default entry)",
    )
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Do what was asked."""
    answer: int = ACTIONS[options.action](options)
    return answer


def roots_of(path: str) -> tuple[str, ...]:
    """Where the units are that `path` means. Raises UsageError where there are none."""
    targets.told(path, "config", "units")
    from prowess.host.setup import setup_of

    roots = setup_of(path).units.paths
    if not roots:
        raise UsageError(
            f"{printable(path, 500)}: there are no units",
            hint="a folder of units holds NAME/schema.json beside NAME/skill.py; [units] paths name others",
        )
    return roots


def _list(options: Namespace) -> int:
    from prowess.units.registry import Registry

    if options.name is not None:
        raise UsageError("list takes no NAME", hint="prowess units --help")
    registry = Registry(roots_of(options.path))
    registry.refresh()
    found = [*diagnostics_of(registry), *(registry.load_all() if options.load else ())]
    if options.format == "json":
        from prowess.cli.verdict import as_dict

        units = [_plain(each) for each in registry.units]
        screen.document({"units": units, "diagnostics": [as_dict(each) for each in found]})
    else:
        screen.data("".join(_line(each) for each in registry.units))
    _tell(found, registry.failed)
    if options.watch:
        return _watch(registry)
    return 1 if registry.failed or any(each.reach.word == "entry" for each in found) else 0


def diagnostics_of(registry: Registry) -> list[Diagnostic]:
    """What discovery found, and what reading the code shows beyond that."""
    from prowess.errors import ProwessError
    from prowess.units.discovery import judge

    found = list(registry.diagnostics)
    for root in registry.roots:
        try:
            read = judge(root).diagnostics
        except ProwessError:
            continue  # told as a failed root
        known = {(each.rule, str(each.place)) for each in found}
        found += [each for each in read if (each.rule, str(each.place)) not in known]
    return found


def _tell(found: Sequence[Diagnostic], failed: Sequence[str]) -> None:
    for reason in failed:
        screen.complain(reason)
    for each in found:
        screen.say(f"{each.reach.word} {printable(str(each.place), 300)}: {each.message} [{each.rule}]")
        if each.hint:
            screen.say(f"   hint: {each.hint}")


def _watch(registry: Registry) -> int:
    from prowess.cli.running import run as run_to_the_end
    from prowess.units.watching import Watching

    async def work() -> int:
        import asyncio

        watching = Watching(registry, _changed)
        await watching.begin()
        screen.flush()
        screen.say("watching; Ctrl-C ends it")
        try:
            await asyncio.Event().wait()
        finally:
            await watching.end()
        return 0

    return run_to_the_end(work())


def _changed(changes: Sequence[Change]) -> None:
    screen.data("".join(f"{each.to_text()}\n" for each in changes))
    screen.flush()


def _line(unit: Unit) -> str:
    tier = "core" if unit.core else "extended"
    return f"{unit.title}  {tier}  {printable(unit.place, 200)}\n    {printable(unit.description, 200)}\n"


def _plain(unit: Unit) -> dict[str, object]:
    from prowess.units.offering import said_of

    return {**said_of(unit), "form": unit.form, "place": unit.place, "file": unit.file}


def _show(options: Namespace) -> int:
    from prowess.choose.versions import split
    from prowess.provider import Caller
    from prowess.units.registry import Registry

    if options.name is None:
        raise UsageError("show needs the NAME of a unit", hint="prowess units list PATH")
    registry = Registry(roots_of(options.path))
    registry.refresh()
    name, asked = split(options.name)
    if not registry.versions_of(name):
        known = printable(", ".join(sorted({each.name for each in registry.units})), 500) or "none"
        raise NotFound(f"no unit named {printable(name, 80)}", hint=f"units: {known}")
    tool = registry.resolve(name, asked, Caller())
    version = str(tool.wire["_meta"]["dev.prowess/version"])
    unit = registry.unit(name, version)
    if options.format == "json":
        screen.document({**_plain(unit), "versions": list(registry.versions_of(name))})
    else:
        from prowess.cli.unit_text import lines

        screen.data("".join(f"{line}\n" for line in lines(unit, registry.versions_of(name))))
    return 0


def _lint(options: Namespace) -> int:
    from prowess.cli.unit_lint import lint

    return lint(options)


ACTIONS = {"list": _list, "show": _show, "lint": _lint}
