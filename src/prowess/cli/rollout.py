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
    from collections.abc import Coroutine, Mapping, Sequence
    from typing import Any

    from prowess.cli.parsing import Parser
    from prowess.host.rollout_desk import RolloutDesk
    from prowess.host.storing import Store
    from prowess.store.remembered import RolloutChange
    from prowess.units.rollout import Rollout
    from prowess.units.settling import Settled

SIGNS = {"user": "users", "session": "sessions", "request": "requests"}

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


def _config(path: str) -> str | None:
    """The `prowess.toml` that settles how the units at PATH are served."""
    name = os.path.basename(path)
    if os.path.isdir(path) or name == "rollout.toml":
        folder = path if os.path.isdir(path) else os.path.dirname(path) or "."
        file = os.path.join(folder, "prowess.toml")
        return file if os.path.isfile(file) else None
    return path if name.endswith(".toml") else None


def _desk(file: str, store: Store, options: Namespace) -> RolloutDesk:
    from prowess.host.rollout_desk import RolloutDesk, person
    from prowess.host.setup import setup_of

    path: str = options.path
    folder = os.path.dirname(path) or "." if os.path.basename(path) == "rollout.toml" else path
    paths = setup_of(_config(path) or folder).units.paths if options.action == "set" else ()
    return RolloutDesk(file=file, store=store, paths=paths, who=person())


def _set(file: str, store: Store, options: Namespace) -> int:
    from prowess.host.rollout_desk import share_of

    percent, desk = share_of(options.percent), _desk(file, store, options)
    versions, faults = desk.versions()
    for each in faults:
        screen.say(each.message)
    known = versions.get(options.unit, ())
    if not known:
        screen.say(f"no folder of {printable(options.unit, 80)} is here, so the versions are not checked")
    step = desk.share(
        options.unit,
        options.version,
        percent,
        known=known,
        stable=options.stable or "",
        key=options.key,
        reason=options.reason,
        anyway=options.anyway,
    )
    return _settled(file, options, step)


def _promote(file: str, store: Store, options: Namespace) -> int:
    desk = _desk(file, store, options)
    return _settled(file, options, desk.promote(options.unit, reason=options.reason, anyway=options.anyway))


def _rollback(file: str, store: Store, options: Namespace) -> int:
    return _settled(file, options, _desk(file, store, options).rollback(options.unit, reason=options.reason))


def _settled(file: str, options: Namespace, step: Coroutine[Any, Any, Settled]) -> int:
    import asyncio

    from prowess.units.settling import Held

    try:
        settled = asyncio.run(step)
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


def _status(file: str, store: Store, options: Namespace) -> int:
    import asyncio

    from prowess.units.rollout_file import named

    desk = _desk(file, store, options)
    rollouts = asyncio.run(desk.read())
    if options.unit is not None:
        rollouts = {options.unit: named(rollouts, options.unit, file)}
    compared = {unit: desk.seen(unit, each) for unit, each in rollouts.items()}
    seen = {unit: None if each is None else each.told() for unit, each in compared.items()}
    changes = desk.changes(options.unit or "")
    if options.format == "json":
        units = [{**_plain(unit, each), "seen": seen[unit]} for unit, each in rollouts.items()]
        history = [_told(each) for each in changes]
        screen.document({"file": file, "units": units, "history": history})
    else:
        _show(rollouts, seen, changes, file)
    return 1 if any(each.halted for each in rollouts.values()) else 0


def _plain(unit: str, rollout: Rollout) -> dict[str, Any]:
    from dataclasses import asdict

    from prowess.host.rollout_desk import state_of

    plain = {key: value for key, value in asdict(rollout).items() if key != "guard"}
    return {"unit": unit, "state": state_of(rollout), **plain, "guard": asdict(rollout.guard)}


def _told(change: RolloutChange) -> dict[str, Any]:
    from dataclasses import asdict

    return {key: value for key, value in asdict(change).items() if key != "place"}


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
    from prowess.host.rollout_desk import state_of

    name, stable, canary = printable(unit, 80), printable(rollout.stable, 60), printable(rollout.canary, 60)
    state = state_of(rollout)
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
