"""Running trials: controls first, then every case, so many at a time, with progress told.

Whatever costs something is asked two control questions before anything else: one that names a
capability, which has to be chosen, and one that says nothing, for which a choice has to choose nobody.
When they come out wrong the harness is broken and nothing else is asked, rather than a recall of 0 be
reported.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from prowess.errors import ProwessError
from prowess.evaluate.cases import Case
from prowess.evaluate.selectors import CONTROL, Candidates, Estimate, Failed, Selection, Selector
from prowess.evaluate.trials import Trial
from prowess.redact import printable

REPEATS = 3  # of a case, where a selector is not deterministic
CONCURRENCY = 4
NONSENSE = "Florb the quindle, seven times backwards, thank you."

Progress = Callable[[int, int], None]


class HarnessBroken(ProwessError):
    """A control question came out wrong, so that no answer of this selector means anything."""

    code = "harness-broken"


def estimate(cases: Sequence[Case], candidates: Candidates, selector: Selector, repeats: int) -> Estimate:
    """What `run_trials` would take without retries, its controls included."""
    asked = [each.utterance for each in cases for _ in range(runs_of(selector, repeats))]
    return selector.estimate(candidates, [*controls_of(candidates, selector), *asked])


def runs_of(selector: Selector, repeats: int) -> int:
    """How often each case is asked."""
    return 1 if selector.identity.deterministic else repeats


async def run_trials(
    cases: Sequence[Case],
    candidates: Candidates,
    selector: Selector,
    *,
    repeats: int = REPEATS,
    concurrency: int = CONCURRENCY,
    progress: Progress | None = None,
) -> tuple[Trial, ...]:
    """One trial for each case, in their order. Raises HarnessBroken, and what `Selector.begin` raises.

    `progress` hears how many questions of how many are answered. The selector is closed at the end.
    """
    controls = controls_of(candidates, selector)
    try:
        await selector.begin(candidates, [*controls, *(each.utterance for each in cases)])
        await insist_on_controls(controls, candidates, selector)
        runs = runs_of(selector, repeats)
        asked = [(each, run) for each in cases for run in range(runs)]
        found = await _asked(asked, selector, concurrency, progress or (lambda done, of: None))
    finally:
        await selector.close()
    return tuple(
        Trial(case=each, runs=tuple(found[at * runs : (at + 1) * runs])) for at, each in enumerate(cases)
    )


async def _asked(
    asked: Sequence[tuple[Case, int]], selector: Selector, concurrency: int, progress: Progress
) -> list[Selection]:
    found: dict[int, Selection] = {}
    waiting = iter(enumerate(asked))

    async def work() -> None:
        for at, (case, run) in waiting:
            found[at] = await selector.select(case.utterance, run)
            progress(len(found), len(asked))

    async with asyncio.TaskGroup() as group:
        for _ in range(min(concurrency, len(asked))):
            group.create_task(work())
    return [found[at] for at in range(len(asked))]


def controls_of(candidates: Candidates, selector: Selector) -> list[str]:
    """The control questions that `selector` is asked first; none where asking costs nothing."""
    identity = selector.identity
    if not identity.paid or not candidates.ids:
        return []
    named = f"Please use {candidates.ids[0]} now: {candidates.documents[0].description[:500]}"
    return [named] if identity.kind == "shortlist" else [named, NONSENSE]


async def insist_on_controls(controls: Sequence[str], candidates: Candidates, selector: Selector) -> None:
    """Ask them; whoever calls has begun with `selector`. Raises HarnessBroken where one comes out wrong."""
    for control in controls:
        wanted = None if control == NONSENSE else candidates.ids[0]
        answer = await selector.select(control, CONTROL)
        if isinstance(answer, Failed):
            raise HarnessBroken(
                f"a control question to {selector.identity.title} failed ({answer.code}): {answer.message}",
                hint="nothing else was asked",
            )
        if answer.first != wanted:
            said, was = printable(str(answer.first or "nobody"), 80), printable(wanted or "nobody", 80)
            raise HarnessBroken(
                f"a control question to {selector.identity.title} came to {said}, and {was} was the answer",
                hint="nothing else was asked; its answers would say nothing of the descriptions",
            )
