"""What a person decides about a rollout: each step asked first, with what holds now and what would then.

A step is taken only from what was shown: one that somebody else took meanwhile is shown first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Sequence
from typing import get_args
from urllib.parse import urlencode

import anyio
from starlette.requests import Request
from starlette.responses import Response

from prowess.console.console import Console, console_of
from prowess.console.forms import Form, confirm, done, failure
from prowess.console.language import Translate, translator
from prowess.console.pages import language_of
from prowess.errors import NotFound, UsageError
from prowess.host.rollout_desk import RolloutDesk, insist_on_known, person, share_of
from prowess.host.unit_folders import LABEL
from prowess.units.offering import VERSION_META
from prowess.units.rollout import KeyOf, Rollout
from prowess.units.rollout_file import rollout_file
from prowess.units.settling import Settled

KEYS: tuple[KeyOf, ...] = get_args(KeyOf)


def desk_of(console: Console) -> RolloutDesk:
    """The rollouts that the units of this Host follow."""
    setup = console.setup
    file = rollout_file(setup.place)
    return RolloutDesk(file=file, store=console.host.store, paths=setup.units.paths, who=person())


async def known_of(console: Console, desk: RolloutDesk, unit: str) -> Sequence[str]:
    """The versions of a unit, the oldest first; those that the Host offers, or those in folders."""
    try:
        tool = console.host.path.find(unit, server=LABEL)
    except (NotFound, UsageError):
        versions, _ = await anyio.to_thread.run_sync(desk.versions)
        return versions.get(unit, ())
    several = console.host.path.versions(tool)
    return [str(each.wire.get("_meta", {}).get(VERSION_META, "")) for each in several]


def mark_of(settled: Rollout | None) -> str:
    """What tells one state of a rollout from another."""
    return hashlib.sha256(repr(settled).encode()).hexdigest()


async def share(request: Request, form: Form) -> Response:
    """Give a version to a share of callers."""
    console, unit, version = console_of(request), form.get("unit"), form.get("version").strip()
    desk, t = desk_of(console), _translate(request)
    percent, stable = share_of(form.get("percent")), form.get("stable").strip()
    known = await known_of(console, desk, unit)
    insist_on_known(unit, known, version, stable)
    if not version:
        raise UsageError("no version is named", hint="choose one of the unit's versions")
    now = (await desk.read()).get(unit)
    given = form.get("key")
    key = given if given in KEYS else None
    then = t("{version} to {percent} % of callers", version=version, percent=f"{percent:g}")
    if stable:
        then += t(", {version} to the others", version=stable)
    if not form.confirmed or form.get("mark") != mark_of(now):
        return _asked(request, form, now, t("Change who gets which version?"), then, t("Set"))
    step = desk.share(
        unit,
        version,
        percent,
        known=known,
        stable=stable,
        key=key,
        reason=form.get("reason"),
        anyway=form.get("anyway") == "on",
    )
    return await _taken(request, form, step)


async def promote(request: Request, form: Form) -> Response:
    """Make the canary everybody's version."""
    desk, t, unit = desk_of(console_of(request)), _translate(request), form.get("unit")
    now = (await desk.read()).get(unit)
    canary = now.canary if now is not None else ""
    if not form.confirmed or form.get("mark") != mark_of(now):
        then = t("{version} to everybody", version=canary or "–")
        return _asked(request, form, now, t("Promote the canary?"), then, t("Promote"))
    step = desk.promote(unit, reason=form.get("reason"), anyway=form.get("anyway") == "on")
    return await _taken(request, form, step)


async def rollback(request: Request, form: Form) -> Response:
    """Give the canary to nobody, or go back to the version before."""
    desk, t, unit = desk_of(console_of(request)), _translate(request), form.get("unit")
    now = (await desk.read()).get(unit)
    back = now.stable if now is not None and now.canary else now.previous if now is not None else ""
    if not form.confirmed or form.get("mark") != mark_of(now):
        then = t("{version} to everybody", version=back or "–")
        return _asked(request, form, now, t("Roll back?"), then, t("Roll back"))
    return await _taken(request, form, desk.rollback(unit, reason=form.get("reason")))


def _asked(request: Request, form: Form, now: Rollout | None, question: str, then: str, yes: str) -> Response:
    """The page that asks; a form that was shown something else is told so first."""
    if form.get("mark") != mark_of(now):
        return failure(request, 409, "It has changed since you looked", "Look at it again before you decide.")
    t = _translate(request)
    details: list[tuple[str, object]] = [
        (t("Unit"), form.get("unit")),
        (t("Now"), _now(now, t)),
        (t("Then"), then),
    ]
    if form.get("key") in KEYS:
        details.append((t("Who counts as one caller"), t(form.get("key"))))
    if form.get("reason"):
        details.append((t("Reason"), form.get("reason")[:500]))
    if form.get("anyway") == "on":
        details.append((t("Note"), t("also where a guard rail has halted it")))
    return confirm(request, form, question=question, details=details, yes=yes, back=_page_of(form))


def _now(now: Rollout | None, t: Translate) -> str:
    if now is None:
        return t("nothing is settled: everybody gets the newest stable version")
    if not now.canary:
        return t("{version} to everybody", version=now.stable)
    told = t("{version} to {percent} % of callers", version=now.canary, percent=f"{now.percent:g}")
    return told + t(", {version} to the others", version=now.stable)


async def _taken(request: Request, form: Form, step: Awaitable[Settled]) -> Response:
    settled = await step
    if settled.unrecorded:
        return failure(
            request, 500, "The change is made, and no record of it could be kept", settled.unrecorded
        )
    return done(_page_of(form))


def _page_of(form: Form) -> str:
    return f"/rollout/unit?{urlencode({'name': form.get('unit')})}"


def _translate(request: Request) -> Translate:
    return translator(language_of(request))
