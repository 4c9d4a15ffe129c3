"""From trials to rates, gates and a verdict; baselines; cassettes: all of it without asking anybody."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.choose.catalogue import Entry
from prowess.choose.documents import Document
from prowess.errors import UsageError
from prowess.evaluate.cases import Case
from prowess.evaluate.selectors import Candidates, Chosen, Failed, Identity, Meter, Selection
from prowess.evaluate.selectors_cassette import Cassette, read_cassette, write_cassette
from prowess.evaluate.trials import Trial
from prowess.evaluate.trials_baseline import baseline_of, compared, read_baseline, write_baseline
from prowess.evaluate.trials_gates import Aims
from prowess.evaluate.trials_report import Report, worst
from prowess.evaluate.trials_scoring import score

MODEL = Identity(name="anthropic", kind="choice", model="m-1", template="t")
BM25 = Identity(name="bm25", kind="shortlist", deterministic=True)
LOST = Failed(code="server-error", message="HTTP 500")


def candidates(*ids: str) -> Candidates:
    return Candidates(
        documents=tuple(Document(id=each, name=each) for each in ids),
        entries=tuple(Entry(name=each, description=each) for each in ids),
        definitions={each: each * 40 for each in ids},
    )


TWO = candidates("a", "b")


def case(at: object, *expect: str, skill: str = "", kind: str = "", **more: str) -> Case:
    said = kind or ("positive" if expect else "negative")
    made = Case(id=f"c{at}", utterance=f"utterance {at}", expect=expect, skill=skill)
    return replace(made, kind=said, **more)  # type: ignore[arg-type]


def came(of: Case, *runs: str | Selection | None) -> Trial:
    found = [Chosen(ids=(each,) if each else ()) if isinstance(each, str | None) else each for each in runs]
    return Trial(case=of, runs=tuple(found))


def report_on(trials: Sequence[Trial], of: Candidates = TWO, by: Identity = MODEL, **aims: object) -> Report:
    return score(trials, of, by, Aims(**aims))  # type: ignore[arg-type]


def gate(report: Report, name: str) -> str:
    return next(each.verdict for each in report.gates if each.name == name)


def stratum(report: Report, name: str) -> dict[str, object]:
    found: dict[str, object] = report.to_dict()["false_triggers"][name]
    return found


# -- false triggers


@pytest.mark.parametrize(
    ("hits", "of", "verdict"),
    [(0, 3, "inconclusive"), (0, 59, "pass"), (5, 60, "fail"), (3, 60, "inconclusive")],
)
@pytest.mark.parametrize("skill", ["a", ""])
def test_false_triggers_are_decided_against_five_percent(
    hits: int, of: int, verdict: str, skill: str
) -> None:
    trials = [came(case(at, skill=skill), "a" if at < hits else None) for at in range(of)]
    trials += [came(case(f"p{at}", "a"), "a") for at in range(20)]
    report = report_on(trials, candidates("a"))
    name = "near-miss" if skill else "unrelated"
    assert gate(report, f"false triggers, {name}") == verdict
    assert (stratum(report, name)["count"], stratum(report, name)["of"]) == (hits, of)
    assert report.verdict == verdict


@pytest.mark.parametrize(("by", "verdict"), [(MODEL, "fail"), (BM25, "inconclusive")])
def test_a_handful_of_negatives_fails_a_model_and_no_ranking(by: Identity, verdict: str) -> None:
    report = report_on([came(case(at, skill="a"), "a") for at in range(3)], by=by)
    assert gate(report, "false triggers, near-miss") == verdict


def test_a_near_miss_may_go_to_somebody_else() -> None:
    report = report_on([came(case(1, skill="a"), "b"), came(case(2, skill="a"), "a"), came(case(3), "b")])
    assert stratum(report, "near-miss")["count"] == 1
    assert stratum(report, "unrelated")["count"] == 1
    assert [each.case for each in report.confusions] == ["c2", "c3"]


def test_siblings_positives_are_negatives_in_a_stratum_of_their_own() -> None:
    three = candidates("a", "b", "c")
    trials = [came(case(at, "a"), "b" if at < 10 else "a") for at in range(100)]
    report = report_on(trials, three)
    found = next(each for each in report.strata if each.name == "sibling")
    # Ten of a hundred went astray, to one of two siblings each time: 5 % of what there was to take.
    assert found.rate.rate == pytest.approx(0.05)
    assert found.rate.interval.high < 0.1
    taken = {each.id: each.hijacked for each in report.skills}
    assert (taken["b"].hits, taken["b"].of, taken["c"].hits) == (10, 100, 0)


def test_whoever_takes_too_many_alone_is_a_black_hole() -> None:
    many = candidates(*"abcdefghijklmnopqrstuvwxyz")
    trials = [
        came(case(f"{id}{at}", id), "z" if at < 2 else id) for id in "abcdefghijklmnop" for at in range(10)
    ]
    found = next(each for each in report_on(trials, many).strata if each.name == "sibling")
    assert (found.black_holes, found.decision) == (("z",), "fail")
    assert found.rate.rate is not None
    assert found.rate.rate < 0.01


def test_one_alone_has_no_siblings() -> None:
    report = report_on([came(case(1, "a"), "a")], candidates("a"))
    assert stratum(report, "sibling")["verdict"] == "not measured"
    assert gate(report, "false triggers") == "inconclusive"


# -- recall


def test_recall_is_decided_by_what_was_shown() -> None:
    def verdict(right: int, of: int) -> str:
        trials = [came(case(at, "a"), "a" if at < right else None) for at in range(of)]
        return gate(report_on(trials), "trigger recall")

    assert [verdict(3, 3), verdict(14, 14), verdict(10, 20)] == ["inconclusive", "pass", "fail"]


def test_nothing_positive_concludes_nothing() -> None:
    assert gate(report_on([came(case(1), None)]), "trigger recall") == "inconclusive"
    assert report_on([]).verdict == "inconclusive"


def test_the_query_is_the_unit_however_often_it_was_asked() -> None:
    report = report_on([came(case(1, "a"), "a", "a", None), came(case(2, "a"), "a")], at=(1,))
    rate = report.recall[1]
    assert rate is not None
    assert rate.hits == pytest.approx(5 / 3)
    assert rate.of == 2
    assert report.flaky == ("c1",)


def test_a_choice_has_no_second_rank_and_no_budget() -> None:
    document = report_on([came(case(1, "a"), "a")]).to_dict()
    assert document["recall"] == {"1": 1.0, "5": None}
    assert document["recall_at_tokens"] == {"1000": None, "2000": None}
    assert document["measures"] == "trigger recall"


def test_a_shortlist_is_measured_at_ranks_and_within_budgets() -> None:
    trial = Trial(case=case(1, "b"), runs=(Chosen(ids=("a", "b")),))
    document = report_on([trial], by=BM25, at=(1, 2), budgets=(5, 1_000)).to_dict()
    assert document["recall"] == {"1": 0.0, "2": 1.0}
    assert document["recall_at_tokens"] == {"5": 0.0, "1000": 1.0}
    assert document["measures"] == "shortlist recall"


def test_what_is_always_shown_is_found_within_any_budget() -> None:
    core = replace(TWO, core=frozenset({"b"}))
    report = report_on([Trial(case=case(1, "b"), runs=(Chosen(),))], core, BM25, budgets=(0,))
    assert report.to_dict()["recall_at_tokens"] == {"0": 1.0}


def test_languages_are_told_apart() -> None:
    trials = [came(case(1, "a", lang="ja"), "a"), came(case(2, "a", lang="en"), "b"), came(case(3, "a"), "a")]
    assert {name: rate.rate for name, rate in report_on(trials).by_language.items()} == {"en": 0.0, "ja": 1.0}


def test_precision_counts_what_came_by_what_should_have() -> None:
    trials = [
        came(case(1, "a"), "a"),
        came(case(2, "b"), "a"),
        came(case(3), "a", None),
        came(case(4, "b"), "b"),
    ]
    by = {each.id: each for each in report_on(trials).skills}
    assert by["a"].precision.rate == pytest.approx(1 / 2.5)
    assert by["b"].precision.rate == 1.0
    assert by["b"].recall.rate == 0.5


def test_a_boundary_case_is_told_and_decides_nothing() -> None:
    edge = came(case(1, "a", kind="boundary"), "b")
    report = report_on([edge])
    assert report.boundary.of == 1
    assert not report.confusions
    assert stratum(report, "sibling")["of"] == 0
    assert {each.id: each.boundary.of for each in report.skills} == {"a": 1, "b": 0}


# -- errors apart


def test_an_error_is_part_of_no_rate_and_makes_the_verdict_one() -> None:
    trials = [came(case(1, "a"), LOST), came(case(2, "a"), "a"), came(case(3), LOST)]
    report = report_on(trials)
    assert report.verdict == "error"
    assert report.recall[1] is not None
    assert report.recall[1].of == 1
    assert stratum(report, "unrelated")["of"] == 0
    assert [each.code for each in report.failures] == ["server-error", "server-error"]
    assert {each.id: each.errors for each in report.skills} == {"a": 1, "b": 0}


def test_a_run_that_failed_beside_others_is_told_only() -> None:
    report = report_on([came(case(1, "a"), LOST, "a")])
    assert report.recall[1] is not None
    assert report.recall[1].rate == 1.0
    assert len(report.failures) == 1
    assert report.verdict != "error"


def test_an_answer_for_another_catalogue_is_stale() -> None:
    report = report_on([came(case(1, "a"), Chosen(ids=("a",), stale=True))])
    assert report.verdict == "stale"
    assert report.recall[1] is not None
    assert report.recall[1].rate == 1.0


def test_the_worst_counts() -> None:
    assert worst(["pass", "stale", "fail", "inconclusive"]) == "stale"
    assert worst([]) == "inconclusive"


@given(st.lists(st.tuples(st.sampled_from("ab-"), st.sampled_from("ab-!")), max_size=30))
def test_every_answered_case_is_counted_once(pairs: list[tuple[str, str]]) -> None:
    trials = [
        came(
            case(at, *([] if wanted == "-" else [wanted])),
            LOST if got == "!" else None if got == "-" else got,
        )
        for at, (wanted, got) in enumerate(pairs)
    ]
    report = report_on(trials, by=BM25)
    answered = [pair for pair in pairs if pair[1] != "!"]
    right = sum(wanted == got for wanted, got in answered)
    assert len(report.confusions) == len(answered) - right
    assert len(report.failures) == len(pairs) - len(answered)
    json.dumps(report.to_dict(), allow_nan=False)


# -- a cap


def test_a_cap_holds_for_calls_and_for_tokens() -> None:
    meter = Meter(most_calls=2, most_tokens=100)
    assert meter.reserve(60)
    assert not meter.reserve(60)
    meter.settle(60, 10)
    assert meter.reserve(60)
    assert not meter.reserve(1)
    assert meter.failure.code == "cap"


# -- baselines


def rights(count: int, of: int = 20) -> list[Trial]:
    return [came(case(at, "a"), "a" if at < count else None) for at in range(of)]


def test_with_a_baseline_the_change_decides() -> None:
    before = baseline_of(report_on(rights(10), by=BM25))
    assert read_baseline(write_baseline(before), "b.json") == before
    same = compared(report_on(rights(10), by=BM25), before)
    assert same.verdict == "pass"
    assert not next(each for each in same.gates if "recall" in each.name).counts
    assert compared(report_on(rights(11), by=BM25), before).verdict == "pass"
    assert compared(report_on(rights(9), by=BM25), before).verdict == "fail"


def test_of_what_varies_only_more_than_chance_fails() -> None:
    before = baseline_of(report_on(rights(20)))
    verdicts = [compared(report_on(rights(n)), before).verdict for n in (20, 19, 16, 15)]
    assert verdicts == ["pass", "inconclusive", "inconclusive", "fail"]


def test_one_capability_that_falls_counts_beside_another_that_rises() -> None:
    def trials(a: bool) -> list[Trial]:
        return [
            came(case(f"{id}{at}", id), id if (id == "a") is a else None) for id in "ab" for at in range(5)
        ]

    before = baseline_of(report_on(trials(True), by=BM25))
    after = compared(report_on(trials(False), by=BM25), before)
    assert gate(after, "change in what is found") == "pass"
    assert gate(after, "recall of one capability") == "fail"


def test_false_triggers_are_compared_too() -> None:
    before = baseline_of(report_on([came(case(1), None)], by=BM25))
    after = compared(report_on([came(case(1), "a")], by=BM25), before)
    assert gate(after, "change in what is left alone") == "fail"


def test_cases_that_went_away_are_not_passed_over() -> None:
    before = baseline_of(report_on(rights(20), by=BM25))
    assert gate(compared(report_on(rights(19, 19), by=BM25), before), "cases") == "inconclusive"
    other = compared(report_on([came(case("new", "a"), "a")], by=BM25), before)
    assert gate(other, "change") == "inconclusive"


def test_a_baseline_of_another_selector_compares_nothing() -> None:
    before = baseline_of(report_on(rights(3), by=BM25))
    with pytest.raises(UsageError):
        compared(report_on(rights(3)), before)


def test_errors_make_no_baseline_and_stay_errors_beside_one() -> None:
    bad = report_on([*rights(3), came(case("x", "a"), LOST)], by=BM25)
    with pytest.raises(UsageError):
        baseline_of(bad)
    assert compared(bad, baseline_of(report_on(rights(3), by=BM25))).verdict == "error"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"prowess-trigger-baseline": 2}',
        '{"prowess-trigger-baseline": 1}',
        '{"prowess-trigger-baseline": 1, "right": {"a": 2}, "recall": {}}',
        '{"prowess-trigger-baseline": 1, "right": {"a": true}, "recall": {}}',
    ],
)
def test_what_is_no_baseline_is_told(text: str) -> None:
    with pytest.raises(UsageError, match=r"b\.json"):
        read_baseline(text, "b.json")


# -- cassettes


def test_a_cassette_is_read_as_it_was_written() -> None:
    cassette = Cassette()
    cassette.put(MODEL, "catalogue", "hello", 0, Chosen(ids=("a",), tokens=7))
    cassette.put(MODEL, "catalogue", "hello", 1, Chosen())
    again = read_cassette(write_cassette(cassette), "c.jsonl")
    assert write_cassette(again) == write_cassette(cassette)
    assert again.get(MODEL, "catalogue", "hello", 0) == Chosen(ids=("a",), tokens=7)
    assert again.get(MODEL, "catalogue", "hello", 1) == Chosen()
    assert again.runs(again.only()) == 2


def test_a_miss_is_a_failure_and_a_change_makes_an_answer_stale() -> None:
    cassette = Cassette()
    cassette.put(MODEL, "catalogue", "hello", 0, Chosen(ids=("a",)))
    missed = cassette.get(MODEL, "catalogue", "hello there", 0)
    assert isinstance(missed, Failed)
    assert missed.code == "cassette-miss"
    for identity, catalogue in ((MODEL, "other"), (replace(MODEL, template="other"), "catalogue")):
        assert cassette.get(identity, catalogue, "hello", 0) == Chosen(ids=("a",), stale=True)
    assert isinstance(cassette.get(replace(MODEL, model="m-2"), "catalogue", "hello", 0), Failed)


def test_a_new_answer_takes_the_place_of_the_old_one() -> None:
    cassette = Cassette()
    cassette.put(MODEL, "old", "hello", 0, Chosen(ids=("a",)))
    cassette.put(MODEL, "new", "hello", 0, Chosen(ids=("b",)))
    assert cassette.get(MODEL, "new", "hello", 0) == Chosen(ids=("b",))
    assert len(cassette.answers) == 1


def test_whose_answers_are_meant_is_asked_where_there_are_several() -> None:
    cassette = Cassette()
    with pytest.raises(UsageError):
        cassette.only()
    cassette.put(MODEL, "c", "u", 0, Chosen())
    cassette.put(replace(MODEL, model="m-2"), "c", "u", 0, Chosen())
    with pytest.raises(UsageError):
        cassette.only()
    assert cassette.only("m-2").model == "m-2"


ROW = {"selector": "s", "model": "m", "utterance": "u", "run": 0, "template": "t", "catalogue": "c"}
ROW |= {"kind": "choice", "deterministic": False, "chosen": ["a"], "tokens": 1}


@pytest.mark.parametrize(
    "row",
    [
        "[]",
        "{",
        json.dumps({**ROW, "run": "0"}),
        json.dumps({**ROW, "kind": "guess"}),
        json.dumps({**ROW, "chosen": [1]}),
        json.dumps({**ROW, "tokens": "many"}),
        json.dumps({name: each for name, each in ROW.items() if name != "model"}),
    ],
)
def test_a_damaged_row_of_a_cassette_is_told_with_its_line(row: str) -> None:
    with pytest.raises(UsageError, match=r"c\.jsonl:3"):
        read_cassette('{"prowess-cassette": 1}\n\n' + row, "c.jsonl")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"prowess-cassette": 2}'])
def test_what_is_no_cassette_is_told(text: str) -> None:
    with pytest.raises(UsageError, match=r"c\.jsonl"):
        read_cassette(text, "c.jsonl")
