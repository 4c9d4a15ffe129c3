"""One plugin against its fixtures: every change with its reach, and freezing what is on offer now."""

from __future__ import annotations

from urllib.parse import urlencode

import anyio
from starlette.requests import Request
from starlette.responses import Response

from prowess.author.fixtures_snapshot import PLACE, replace_frozen
from prowess.console.console import console_of
from prowess.console.drift_comparing import Standing, Subject, fitting, standing_of, subjects
from prowess.console.forms import Form, confirm, done, failure
from prowess.console.language import translator
from prowess.console.pages import language_of
from prowess.console.rows import rows

MOST_SECONDS = 30.0  # for each server that a first freezing starts


async def plugin(request: Request) -> Response:
    """The page of one plugin."""
    label = request.query_params.get("plugin", "")
    standing = await _standing(request, label)
    if standing is None:
        return failure(request, 404, "There is no such plugin")
    changes = standing.drift.changes if standing.drift is not None else ()
    return console_of(request).pages.page(
        request,
        "drift_plugin.html",
        standing=standing,
        rows=rows(request, changes, lambda each: each.to_text()),
        place=PLACE,
    )


async def freeze_now(request: Request, form: Form) -> Response:
    """Freeze what is on offer; what is written is what was shown, or nothing is."""
    label = form.get("plugin")
    standing, back = await _standing(request, label), f"/drift/plugin?{urlencode({'plugin': label})}"
    if standing is None:
        return failure(request, 404, "There is no such plugin")
    if form.get("digest") != standing.digest:
        return failure(request, 409, "It has changed since you looked", "Look at it again before you decide.")
    if not form.confirmed:
        return _asked(request, form, standing, back)
    subject = next(each for each in subjects(console_of(request).host) if each.label == label)
    if standing.has_fixtures:
        await anyio.to_thread.run_sync(replace_frozen, subject.package.source, standing.now)
    else:
        await _freeze_all(subject)
    return done(back)


async def _freeze_all(subject: Subject) -> None:
    from prowess.author.fixtures import freeze

    await freeze(subject.package.root, timeout=MOST_SECONDS)


def _asked(request: Request, form: Form, standing: Standing, back: str) -> Response:
    t = translator(language_of(request))
    text, cut = "", False
    if standing.drift is not None:
        lines, cut = fitting(standing.drift.to_text().splitlines())
        text = "\n".join(lines) or t("no difference")
    what = (
        t("The snapshot in its fixtures is replaced; the rest of them stays")
        if standing.has_fixtures
        else t("All fixtures are made: its servers start once more, and one harmless call is made")
    )
    details: list[tuple[str, object]] = [
        (t("Plugin"), standing.label),
        (t("File"), PLACE),
        (t("What happens"), what),
    ]
    if cut:
        details.append((t("Note"), t("the difference is longer than a page and is cut below")))
    return confirm(
        request,
        form,
        question=t("Freeze what is on offer now?"),
        details=details,
        text=text,
        yes=t("Freeze"),
        back=back,
    )


async def _standing(request: Request, label: str) -> Standing | None:
    host = console_of(request).host
    found = next((each for each in subjects(host) if each.label == label), None)
    return None if found is None else await anyio.to_thread.run_sync(standing_of, found, found.now(host))
