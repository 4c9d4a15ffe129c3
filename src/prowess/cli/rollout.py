"""`prowess rollout status | set | promote | rollback`: who gets which version of a unit, and why.

It changes `rollout.toml`, which running processes follow within two seconds, and records the change.
No unit is started or imported.
"""

from __future__ import annotations

import os

from prowess.cli import screen
from prowess.errors import UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping, Sequence
    from typing import Any

    from prowess.cli.parsing import Parser
    from prowess.host.storing import Store
    from prowess.store.database import Database
    from prowess.store.remembered import RolloutChange
    from prowess.units.rollout import Rollout
    from prowess.units.rollout_place import RolloutPlace
    from prowess.units.settling import Settled, Settling

SERVER = "units"  # the label that calls of units are recorded under
SIGNS = {"user": "users", "session": "sessions", "request": "requests"}
KEPT = 200  # changes shown at most

MORE = """\
status    each unit of rollout.toml, or UNIT: who gets what, what the guard rails see, the latest changes
set       VERSION of UNIT goes to PERCENT of callers from now on, the stable version to the others
promote   the canary of UNIT becomes the stable version
rollback  nobody gets the canary of UNIT; without a canary, back to the version before the last promotion
PATH is a folder of units, a prowess.toml, or the rollout.toml itself.
Exit status: 0 done, or nothing to change; 1 a rollout is halted (status), or was halted and is left so
(set, promote); 2 could not answer."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `rollout`."""
    from prowess.cli.parsing import add_format

    parser.add_argument("action", metavar="ACTION", choices=tuple(ACTIONS), help=", ".join(ACTIONS))
    parser.add_argument("path", metavar="PATH", help="where the units are")
    parser.add_argument("unit", metavar="UNIT", nargs="?", help="a unit's name")
    parser.add_argument("version", metavar="VERSION", nargs="?", help="with set: the new version")
    parser.add_argument("percent", metavar="PERCENT", nargs="?", help="with set: the share, 0 to 100")
    parser.add_argument("--stable", metavar="VERSION", help="with set: what the others get")
    parser.add_argument(
        "--key", choices=tuple(SIGNS), help="with set: who counts as one caller (default: user)"
    )
    parser.add_argument("--reason", metavar="TEXT", default="", help="why; kept with the change")
    parser.add_argument("--anyway", action="store_true", help="with set, promote: although it is halted")
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Do what was asked."""
    from prowess.cli.stored import stored
    from prowess.units.rollout_file import rollout_file

    _insist_on_arguments(options)
    if not os.path.exists(options.path):
        raise UsageError(f"{printable(options.path, 500)}: no such file or directory")
    file = rollout_file(options.path)
    store = stored(_config(options.path))
    try:
        answer: int = ACTIONS[options.action](file, store, options)
        return answer
    finally:
        store.close()


def _insist_on_arguments(options: Namespace) -> None:
    wanted = {"status": 0, "set": 3, "promote": 1, "rollback": 1}[options.action]
    given = [each for each in (options.unit, options.version, options.percent) if each is not None]
    if len(given) < wanted or len(given) > max(wanted, 1):
        words = " ".join(("UNIT", "VERSION", "PERCENT")[:wanted]) or "[UNIT]"
        raise UsageError(f"{options.action} takes PATH {words}", hint="prowess rollout --help")
    if options.action != "set" and (options.stable or options.key):
        raise UsageError("--stable and --key go with set", hint="prowess rollout --help")


def _place(file: str, store: Store) -> RolloutPlace:
    """Where the rollouts are kept: the shared store if there is one, or the file."""
    from prowess.units.rollout_place import FilePlace

    return FilePlace(file) if store.shared is None else store.shared.rollouts(file)


def _read(file: str, store: Store) -> Mapping[str, Rollout]:
    import asyncio

    place = _place(file, store)
    asyncio.run(place.refresh())
    return place.read() or {}


def _database(store: Store) -> Database:
    assert store.database is not None, "a store of the command line keeps records in a file"
    return store.database


def _config(path: str) -> str | None:
    """The `prowess.toml` that settles how the units at PATH are served."""
    name = os.path.basename(path)
    if os.path.isdir(path) or name == "rollout.toml":
        folder = path if os.path.isdir(path) else os.path.dirname(path) or "."
        file = os.path.join(folder, "prowess.toml")
        return file if os.path.isfile(file) else None
    return path if name.endswith(".toml") else None


def _versions(path: str, unit: str) -> list[str]:
    """The versions of a unit in folders, oldest first; none where only running code would tell."""
    from prowess.choose.versions import ordered
    from prowess.errors import ProwessError
    from prowess.host.setup import setup_of
    from prowess.units.discovery import judge

    folder = os.path.dirname(path) or "." if os.path.basename(path) == "rollout.toml" else path
    found: set[str] = set()
    for place in setup_of(_config(path) or folder).units.paths:
        try:
            found |= {each.unit.version for each in judge(place).units if each.unit.name == unit}
        except ProwessError as error:
            screen.say(error.message)
    return ordered(found)


def _set(file: str, store: Store, options: Namespace) -> int:
    from prowess.choose.versions import match
    from prowess.errors import NotFound

    percent = _percent(options.percent)
    known = _versions(options.path, options.unit)
    for each in (options.version, options.stable):
        if known and each and each not in known:
            there = printable(", ".join(known), 500)
            raise NotFound(
                f"there is no {printable(options.unit, 80)}@{printable(each, 60)}", hint=f"there is {there}"
            )
    if not known:
        screen.say(f"no folder of {printable(options.unit, 80)} is here, so the versions are not checked")
    stable = options.stable or ""
    if not stable and options.unit not in _read(file, store):
        stable = match("", [each for each in known if each != options.version]) or ""
    return _settled(
        file,
        store,
        options,
        lambda settling: settling.share(
            options.unit,
            options.version,
            percent,
            stable=stable,
            key=options.key,
            reason=options.reason,
            anyway=options.anyway,
        ),
    )


def _percent(text: str) -> float:
    try:
        value = float(text.removesuffix("%"))
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise UsageError(f"{printable(text, 40)} is no share", hint="a number from 0 to 100")
    return value


def _promote(file: str, store: Store, options: Namespace) -> int:
    return _settled(
        file,
        store,
        options,
        lambda settling: settling.promote(options.unit, reason=options.reason, anyway=options.anyway),
    )


def _rollback(file: str, store: Store, options: Namespace) -> int:
    return _settled(
        file, store, options, lambda settling: settling.rollback(options.unit, reason=options.reason)
    )


def _settled(file: str, store: Store, options: Namespace, step: Any) -> int:
    import asyncio

    from prowess.units.settling import Held, Settling

    settling: Settling = Settling(
        file=file, database=_database(store), who=_person(), place=_place(file, store)
    )
    try:
        settled: Settled = asyncio.run(step(settling))
    except Held as held:
        screen.complain(held.message, held.hint)
        return 1
    if settled.unrecorded:
        screen.complain("the change is made, and no record of it could be kept", settled.unrecorded)
    assert settled.after is not None, "every step ends with something settled, or raises"
    if options.format == "json":
        told = {"file": file, "changed": settled.changed, "unit": _plain(options.unit, settled.after)}
        screen.document(told)
        return 0
    if not settled.changed:
        screen.say("nothing to change")
    screen.data(f"{_line(options.unit, settled.after)}\n")
    if settled.after.percent >= 100:
        screen.say(
            "nobody is left to compare it with, so the guard rails see nothing; promote it when it is good"
        )
    return 0


def _person() -> str:
    import getpass

    try:
        return printable(getpass.getuser(), 80)
    except (OSError, KeyError, ImportError):
        return "somebody"


def _status(file: str, store: Store, options: Namespace) -> int:
    from prowess.units.rollout_file import named

    rollouts, database = _read(file, store), _database(store)
    if options.unit is not None:
        rollouts = {options.unit: named(rollouts, options.unit, file)}
    seen = {unit: _seen(database, unit, each) for unit, each in rollouts.items()}
    changes = _changes(database, file, options.unit or "")
    if options.format == "json":
        units = [{**_plain(unit, each), "seen": seen[unit]} for unit, each in rollouts.items()]
        history = [_told(each) for each in changes]
        screen.document({"file": file, "units": units, "history": history})
    else:
        _show(rollouts, seen, changes, file)
    return 1 if any(each.halted for each in rollouts.values()) else 0


def _seen(database: Database, unit: str, rollout: Rollout) -> dict[str, Any] | None:
    from prowess.units.guarding import compared

    if not rollout.running or not database.exists():
        return None
    return database.now(lambda connection: compared(connection, SERVER, unit, rollout)).told()


def _changes(database: Database, file: str, unit: str) -> Sequence[RolloutChange]:
    from prowess.store.rollouts import history

    if not database.exists():
        return ()
    return database.now(lambda connection: history(connection, file, unit, KEPT))


def _plain(unit: str, rollout: Rollout) -> dict[str, Any]:
    from dataclasses import asdict

    plain = {key: value for key, value in asdict(rollout).items() if key != "guard"}
    return {"unit": unit, "state": _state(rollout), **plain, "guard": asdict(rollout.guard)}


def _told(change: RolloutChange) -> dict[str, Any]:
    from dataclasses import asdict

    return {key: value for key, value in asdict(change).items() if key != "place"}


def _state(rollout: Rollout) -> str:
    if not rollout.canary:
        return "settled"
    if not rollout.running:
        return "stopped"
    return "halted" if rollout.halted else "running"


def _show(
    rollouts: Mapping[str, Rollout],
    seen: Mapping[str, dict[str, Any] | None],
    changes: Sequence[RolloutChange],
    file: str,
) -> None:
    if not rollouts:
        screen.say(
            f"{printable(file, 500)} settles nothing; every unit is served in its newest stable version"
        )
    for unit, rollout in rollouts.items():
        screen.data(f"{_line(unit, rollout)}\n")
        found = seen[unit]
        if found is not None:
            screen.data(f"  failed   {_compared(found['errors'])}\n")
            above = found["latency"]["slow_above_ms"]
            slow = f"{_compared(found['latency'])}, above {above:.4g} ms" if above else "not known yet"
            screen.data(f"  slow     {slow}\n")
        if rollout.reason:
            screen.data(f"  because  {printable(rollout.reason, 500)}\n")
    for each in changes:
        screen.data(f"{_change(each)}\n")


def _line(unit: str, rollout: Rollout) -> str:
    name, stable, canary = printable(unit, 80), printable(rollout.stable, 60), printable(rollout.canary, 60)
    state = _state(rollout)
    if state == "settled":
        return f"{name}: {stable} to everybody"
    if state == "stopped":
        return f"{name}: {stable} to everybody, {canary} to nobody"
    halted = "; halted" if rollout.halted else ""
    share = f"{canary} to {rollout.percent:g} % of {SIGNS[rollout.key]}"
    return f"{name}: {stable}, and {share}{halted}"


def _compared(numbers: Mapping[str, Any]) -> str:
    words = [f"{numbers[side]['bad']} of {numbers[side]['calls']}" for side in ("canary", "stable")]
    return f"{words[0]} against {words[1]}, p = {numbers['p']:.2g}"


def _change(change: RolloutChange) -> str:
    from datetime import datetime

    when = datetime.fromtimestamp(change.at).isoformat(" ", "seconds")
    share = f" {printable(change.canary, 60)} {change.percent:g} %" if change.canary else ""
    reason = f": {printable(change.reason, 500)}" if change.reason else ""
    what = (
        f"{printable(change.unit, 80)} {printable(change.action, 20)} {printable(change.stable, 60)}{share}"
    )
    return f"{when}  {what}, by {printable(change.who, 80)}{reason}"


ACTIONS = {"status": _status, "set": _set, "promote": _promote, "rollback": _rollback}
