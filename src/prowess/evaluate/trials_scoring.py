"""From trials to a report: recall, false triggers by stratum, who takes whose. Pure.

Failed runs are part of no rate. What is decided by it is in `trials_gates`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from prowess.choose.estimate import tokens
from prowess.choose.packing import Definition, pack
from prowess.evaluate.cases import Completeness
from prowess.evaluate.selectors import Candidates, Identity
from prowess.evaluate.statistics import ALPHA, Decision, decide, lower_bound, needed
from prowess.evaluate.trials import Trial
from prowess.evaluate.trials_gates import Aims, gates
from prowess.evaluate.trials_report import (
    Confusion,
    Failure,
    Rate,
    Report,
    SkillScore,
    Stratum,
    StratumName,
)


def score(
    trials: Sequence[Trial],
    candidates: Candidates,
    identity: Identity,
    aims: Aims | None = None,
    *,
    completeness: Mapping[str, Completeness] | None = None,
    notes: Iterable[str] = (),
) -> Report:
    """The report on `trials`; `completeness` says how many cases each capability has."""
    aims = aims or Aims()
    answered = [each for each in trials if each.answered]
    positives = [each for each in answered if each.case.kind == "positive"]
    ids = candidates.ids
    sorted_out = _Sorted(trials)
    skills = tuple(_skill(id, sorted_out, (completeness or {}).get(id)) for id in ids)
    strata = _strata(answered, skills, identity, aims.false)
    recall = {at: _recall_at(at, positives, identity) for at in aims.at}
    return Report(
        selector=identity,
        catalogue=candidates.digest,
        capabilities=len(ids),
        tokens=tokens(candidates.text),
        trials=tuple(trials),
        recall=recall,
        recall_at_tokens=_within_budgets(aims.budgets, positives, candidates, identity),
        by_language=_by_language(positives),
        strata=strata,
        skills=skills,
        confusions=tuple(_confusions(answered)),
        abstained=_rate(positives, lambda each: each.abstained),
        boundary=_rate([e for e in answered if e.case.kind == "boundary"], lambda each: each.right),
        failures=tuple(_failures(trials)),
        flaky=tuple(each.case.id for each in answered if each.flaky),
        gates=gates(trials, positives, identity, strata, aims),
        notes=tuple(notes),
    )


# -- recall


def _recall_at(at: int, positives: Sequence[Trial], identity: Identity) -> Rate | None:
    """Of a choice there is no second rank."""
    if identity.kind == "choice" and at > 1:
        return None
    return _rate(positives, lambda each: each.found_within(at))


def _within_budgets(
    budgets: Sequence[int], positives: Sequence[Trial], candidates: Candidates, identity: Identity
) -> dict[int, Rate | None]:
    """How many find theirs among the whole definitions that fit; None for what ranks nothing."""
    if identity.kind == "choice":
        return dict.fromkeys(budgets)
    sizes = {text: tokens(text) for text in candidates.definitions.values()}
    whole = {id: Definition(id=id, text=text) for id, text in candidates.definitions.items()}
    core = [whole[id] for id in candidates.ids if id in candidates.core]

    def found(trial: Trial, budget: int) -> float:
        packs = (
            pack(core, map(whole.__getitem__, each.ids), budget, sizes.__getitem__) for each in trial.answers
        )
        hits = sum(not set(each.ids).isdisjoint(trial.case.expect) for each in packs)
        return hits / len(trial.answers)

    return {budget: _rate(positives, partial(found, budget=budget)) for budget in budgets}


def _by_language(positives: Iterable[Trial]) -> dict[str, Rate]:
    by: dict[str, list[Trial]] = {}
    for each in positives:
        if each.case.lang:
            by.setdefault(each.case.lang, []).append(each)
    return {lang: _rate(by[lang], lambda trial: trial.right) for lang in sorted(by)}


# -- false triggers


def _strata(
    answered: Sequence[Trial], skills: Sequence[SkillScore], identity: Identity, limit: float
) -> tuple[Stratum, ...]:
    near = Rate(hits=sum(e.near_miss.hits for e in skills), of=sum(e.near_miss.of for e in skills))
    nobodys = [each for each in answered if each.case.kind == "negative" and not each.case.skill]
    unrelated = _rate(nobodys, lambda each: 1 - each.abstained)
    return (
        _stratum("near-miss", near, limit, identity),
        _siblings(answered, skills, limit, identity),
        _stratum("unrelated", unrelated, limit, identity),
    )


def _stratum(name: StratumName, rate: Rate, limit: float, identity: Identity) -> Stratum:
    """A ranking nearly always ranks somebody, so a handful of negatives does not fail one."""
    decision: Decision | None = decide(rate.hits, rate.of, limit * rate.each) if rate.of else None
    if decision == "fail" and identity.kind == "shortlist" and rate.of < needed(limit):
        decision = "inconclusive"
    return Stratum(name=name, rate=rate, limit=limit, decision=decision)


def _siblings(
    answered: Sequence[Trial], skills: Sequence[SkillScore], limit: float, identity: Identity
) -> Stratum:
    """Each positive case is a negative of everybody else, and one of them at most takes it.

    The limit is on the rate of a sibling, so of what all siblings together take so many times more is
    allowed. Whoever alone takes more than the limit, shown with a chance of error of 5 % over all
    capabilities together, is a black hole.
    """
    positives = [each for each in answered if each.case.kind == "positive"]
    others = [len(skills) - len(each.case.expect) for each in positives]
    taken = [each for each, left in zip(positives, others, strict=True) if left > 0]
    if not taken:
        return _stratum("sibling", Rate(hits=0, of=0), limit, identity)
    rate = Rate(hits=sum(map(_taken, taken)), of=len(taken), each=sum(others) / len(taken))
    found = _stratum("sibling", rate, limit, identity)
    alpha = ALPHA / len(skills)
    holes = tuple(e.id for e in skills if lower_bound(e.hijacked.hits, e.hijacked.of, alpha) > limit)
    return replace(found, decision="fail", black_holes=holes) if holes else found


def _taken(trial: Trial) -> float:
    """In how much of the runs somebody else was chosen."""
    return max(0.0, 1 - trial.abstained - trial.share(*trial.case.expect))


# -- one capability


class _Sorted:
    """Trials by whom they concern."""

    def __init__(self, trials: Iterable[Trial]) -> None:
        self.positives = 0
        self.own: dict[str, list[Trial]] = {}
        self.near: dict[str, list[Trial]] = {}
        self.edge: dict[str, list[Trial]] = {}
        self.came: dict[str, list[Trial]] = {}
        self.lost: Counter[str] = Counter()
        for each in trials:
            whose = {*each.case.expect, each.case.skill}
            if each.answered:
                self._take(each, whose)
            else:
                self.lost.update(whose)

    def _take(self, trial: Trial, whose: set[str]) -> None:
        if trial.case.kind == "boundary":
            _add(self.edge, whose, trial)
            return
        _add(self.came, (id for id in trial.first if id is not None), trial)
        if trial.case.kind == "positive":
            self.positives += 1
            _add(self.own, trial.case.expect, trial)
        else:
            _add(self.near, [trial.case.skill], trial)


def _add(to: dict[str, list[Trial]], ids: Iterable[str], trial: Trial) -> None:
    for id in ids:
        to.setdefault(id, []).append(trial)


def _skill(id: str, trials: _Sorted, cases: Completeness | None) -> SkillScore:
    own, came = trials.own.get(id, ()), trials.came.get(id, ())
    taken = [each for each in came if each.case.kind == "positive" and id not in each.case.expect]
    return SkillScore(
        id=id,
        recall=_rate(own, lambda each: each.right),
        precision=_precision(id, came),
        near_miss=_rate(trials.near.get(id, ()), lambda each: each.share(id)),
        hijacked=Rate(hits=sum(each.share(id) for each in taken), of=trials.positives - len(own)),
        boundary=_rate(trials.edge.get(id, ()), lambda each: each.share(id)),
        abstained=_rate(own, lambda each: each.abstained),
        errors=trials.lost[id],
        completeness=cases or Completeness(),
    )


def _precision(id: str, came: Sequence[Trial]) -> Rate:
    """Of the runs that chose it, how many should have, over the queries that chose it at all."""
    chosen = sum(each.share(id) for each in came)
    right = sum(each.share(id) for each in came if id in each.case.expect)
    return Rate(hits=len(came) * right / chosen if chosen else 0.0, of=len(came))


def _rate(trials: Sequence[Trial], hits: Callable[[Trial], float]) -> Rate:
    return Rate(hits=sum(map(hits, trials), 0.0), of=len(trials))


# -- what went wrong


def _confusions(answered: Iterable[Trial]) -> Iterator[Confusion]:
    for trial in answered:
        if trial.case.kind == "boundary" or trial.right == 1:
            continue
        for got, count in trial.first.items():
            if not _wrong(got, trial):
                continue
            yield Confusion(
                case=trial.case.id,
                place=trial.case.place,
                utterance=trial.case.utterance,
                wanted=trial.case.expect,
                got=got,
                share=count / len(trial.answers),
            )


def _wrong(got: str | None, trial: Trial) -> bool:
    if trial.case.kind == "negative" and trial.case.skill:
        return got == trial.case.skill
    return got not in trial.case.expect if trial.case.expect else got is not None


def _failures(trials: Iterable[Trial]) -> Iterator[Failure]:
    for trial in trials:
        for each in trial.failures:
            yield Failure(case=trial.case.id, code=each.code, message=each.message)
