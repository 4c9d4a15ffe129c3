"""The area Triggering: whether what is here is found by what people say, and what was found instead.

Issue 9, page 5. The numbers are shortlist recall by the ranking that makes our own shortlist; what a
model would choose is measured by `prowess trigger`, which asks one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from prowess.choose.ranked import Ranked, Ranking
from prowess.console import triggering_wording
from prowess.console.console import console_of
from prowess.console.forms import Form, done, failure, writing
from prowess.console.rows import rows
from prowess.console.triggering_measuring import Measured, measuring_of
from prowess.errors import ProwessError
from prowess.evaluate.trials_report import Confusion, SkillScore
from prowess.evaluate.trigger_host import Among, among_of
from prowess.evaluate.trigger_matrix import matrix

AT_ONCE = 1.0  # seconds that a measurement is waited for before the page shows how far it is
WORDS = 6  # that are told of one ranking
RANKS = 1_000  # looked at for whoever was wanted


async def _page(request: Request) -> Response:
    """What was measured, or what there is to measure."""
    measuring = measuring_of(request)
    among, fault = None, measuring.fault
    if measuring.last is None and not measuring.busy:
        try:
            among = await _among(request)
        except ProwessError as error:
            fault = error
    answer = console_of(request).pages.page(
        request,
        "triggering.html",
        measuring=measuring,
        among=among,
        fault=fault,
        **(await asyncio.to_thread(_drawn, request, measuring.last) if measuring.last else {"report": None}),
    )
    if request.headers.get("hx-target") == "measuring" and not measuring.busy:
        answer.headers["HX-Refresh"] = "true"  # who asked how far it is gets all of what came of it
    return answer


def _drawn(request: Request, last: Measured) -> dict[str, object]:
    """The parts of the page about a report."""
    return {
        "report": last.report,
        "when": last.when,
        # Every name in it is escaped where it is drawn, and it holds no style and no script.
        "matrix": Markup(matrix(last.report)),
        "skills": rows(request, _worst_first(last.report.skills), lambda each: each.id),
        "first_wrong": [_why(each, last) for each in last.report.confusions[:5]],
        "wrong": len(last.report.confusions),
        "found": last.among.found,
    }


def _worst_first(skills: Sequence[SkillScore]) -> Sequence[SkillScore]:
    """Those with cases, the least found first; then those without."""

    def order(of: SkillScore) -> tuple[bool, float, str]:
        return of.recall.rate is None, of.recall.rate or 0.0, of.id

    return sorted(skills, key=order)


async def _among(request: Request) -> Among:
    console = console_of(request)
    found = await among_of(console.host, console.setup, console.paths)
    found.library.insist_on_tests()
    return found


async def _run(request: Request, form: Form) -> Response:
    """Measure. Nothing is changed by it, so that nobody is asked."""
    await measuring_of(request).begin(await _among(request), AT_ONCE)
    return done("/triggering")


# -- what came out wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """One wrong utterance. `rank` is where in the ranking the first of those wanted is, 0 for nowhere."""

    confusion: Confusion
    words: tuple[str, ...]
    wanted_words: tuple[str, ...]
    rank: int
    unknown: tuple[str, ...]


async def _wrong(request: Request) -> Response:
    """Every wrong utterance, with what came instead and the words that brought it."""
    last = measuring_of(request).last
    if last is None:
        return failure(request, 404, "Nothing has been measured yet", "Measure on the page Triggering first.")
    of = request.query_params.get("of", "")
    every = [each for each in last.report.confusions if not of or of in (each.got, *each.wanted)]
    page = rows(request, every, lambda each: f"{each.utterance} {each.got or ''} {' '.join(each.wanted)}")
    return console_of(request).pages.page(
        request,
        "triggering_wrong.html",
        of=of,
        rows=page,
        whys=await asyncio.to_thread(lambda: [_why(each, last) for each in page.shown]),
    )


def _why(each: Confusion, last: Measured) -> Why:
    ranking = last.index.rank(each.utterance, limit=RANKS)
    at = next((at for at, id in enumerate(ranking.ids) if id in each.wanted), None)
    return Why(
        confusion=each,
        words=_words(_ranked(ranking, each.got)),
        wanted_words=() if at is None else _words(ranking[at]),
        rank=0 if at is None else at + 1,
        unknown=ranking.unknown[:WORDS],
    )


def _ranked(ranking: Ranking, id: str | None) -> Ranked | None:
    return next((each for each in ranking if each.id == id), None)


def _words(ranked: Ranked | None) -> tuple[str, ...]:
    """What brought one there, the strongest first."""
    if ranked is None:
        return ()
    strongest = sorted(ranked.matches, key=lambda each: (-each.score, each.word))
    return tuple(dict.fromkeys(each.word for each in strongest if each.score > 0))[:WORDS]


ROUTES: Sequence[BaseRoute] = [
    Route("/triggering", _page),
    writing("/triggering/run", _run),
    Route("/triggering/wrong", _wrong),
    *triggering_wording.ROUTES,
]
