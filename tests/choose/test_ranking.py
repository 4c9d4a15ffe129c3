from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import fields
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.choose.common_words import CLASSES, common_terms
from prowess.choose.documents import BODY_CHARACTERS, FIELDS, TEXTS, Weights
from prowess.choose.finding import LIMIT, QUERY_TERMS
from prowess.choose.postings import Corpus, Postings
from prowess.choose.ranking import Document, Index, Ranking, margin
from prowess.spec.model import Manifest

INVOICES = Document(
    id="invoices",
    name="query_invoices",
    description="Lists unpaid invoices of a customer. For remitting→pay-invoices.",
    triggers=("overdue bills",),
    keywords=("accounts receivable",),
    examples=("who still owes us money?",),
    body="Reads the ledger week by week, every week.",
    negatives=("weather forecast",),
)
PAY = Document(id="pay", name="pay-invoices", description="Sends a transfer to a supplier.")
WEATHER = Document(id="weather", name="query_weather", description="The weather of the next days.")
ALL = (INVOICES, PAY, WEATHER)


def test_the_one_that_holds_the_words_comes_first() -> None:
    ranking = Index.of(ALL).rank("what will the weather be?")
    assert ranking.ids == ("weather",)
    assert ranking.cleared
    assert ranking[0].name == "query_weather"
    assert [each.id for each in ranking] == ["weather"]
    assert len(ranking) == ranking.found == 1


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("query", "name"),
        ("customer", "description"),
        ("overdue", "triggers"),
        ("receivable", "keywords"),
        ("owes", "examples"),
        ("ledger", "body"),
    ],
)
def test_every_field_is_found_by_and_named(query: str, field: str) -> None:
    [found] = Index.of([INVOICES, PAY]).rank(query)
    assert found.matched == {field: (query,)}


def test_every_weight_acts() -> None:
    query = "please query every customer overdue receivable owes ledger remitting"
    asked = Index.of(ALL, weights=Weights()).rank(query, limit=9)
    for field in (*FIELDS, "weak", "saturation", "length"):
        other = Index.of(ALL, weights=Weights(**{field: getattr(Weights(), field) * 3})).rank(query, limit=9)
        assert [each.score for each in other] != [each.score for each in asked], field
    others = {"negatives", "weak", "common", "pair", "saturation", "length"}
    assert {each.name for each in fields(Weights)} == {*FIELDS, *others}
    weather = "unpaid invoices of a customer, weather"
    less = Index.of(ALL, weights=Weights(negatives=1.0)).rank(weather)
    more = Index.of(ALL, weights=Weights(negatives=0.0)).rank(weather)
    assert score(less, "invoices") < score(Index.of(ALL).rank(weather), "invoices") < score(more, "invoices")


def test_two_words_that_stand_together_count_more_than_the_same_two_apart() -> None:
    together = Document(id="b", description="Books a flight ticket now.")
    apart = Document(id="a", description="Books a ticket for a flight.")
    query = "flight ticket"
    assert Index.of([together, apart], weights=Weights(pair=0.0)).rank(query).ids == ("a", "b")
    ranking = Index.of([together, apart]).rank(query)
    assert ranking.ids == ("b", "a")
    assert ranking[0].matches[-1].word == "flight ticket"
    assert ranking[0].share == pytest.approx(1.0)
    assert Index.of([apart]).rank("ticket flight").unknown == ()


def test_a_word_that_is_common_everywhere_counts_less_than_a_rare_one() -> None:
    common = Document(id="b", description="Sends the report.")
    rare = Document(id="a", description="Sends the abacus.")
    index = Index.of([common, rare])
    for word, counted in (("report", "b"), ("abacus", "a")):
        assert index.rank(word).ids == (counted,)
    assert score(index.rank("report"), "b") < score(index.rank("abacus"), "a")
    plain = Index.of([common, rare], weights=Weights(common=(1.0, 1.0, 1.0)))
    assert score(plain.rank("report"), "b") == pytest.approx(score(plain.rank("abacus"), "a"))


def test_the_commoner_a_word_the_less_it_counts() -> None:
    assert Weights().weak < 1 and list(Weights().common) == sorted(Weights().common)
    classes = [set(each.split()) for each in CLASSES]
    assert all(classes) and not any(a & b for a, b in pairwise(classes))
    assert {common_terms()[each] for each in classes[1]} == {1}


def score(ranking: Ranking, id: str) -> float:
    return next(each.score for each in ranking if each.id == id)


def test_a_field_without_weight_finds_nobody() -> None:
    index = Index.of(ALL, weights=Weights(body=0.0, weak=0.0))
    assert not index.rank("ledger").cleared
    assert not index.rank("every").cleared


def test_what_negatives_match_is_subtracted_and_shown() -> None:
    query = "unpaid invoices of a customer, the weather forecast"
    [found] = [each for each in Index.of(ALL).rank(query) if each.id == "invoices"]
    assert found.matched["negatives"] == ("weather", "forecast")
    assert [match.score for match in found.matches if match.fields == ("negatives",)] < [0.0]
    assert found.score == pytest.approx(sum(match.score for match in found.matches))


def test_a_document_that_is_only_refused_is_not_found() -> None:
    assert "invoices" not in Index.of(ALL).rank("weather forecast", limit=9).ids


def test_what_a_description_leaves_to_a_sibling_counts_for_the_sibling_alone() -> None:
    ranking = Index.of(ALL).rank("remitting")
    assert ranking.ids == ("pay",)
    assert ranking[0].matched == {"pointed": ("remitting",)}


def test_what_a_description_says_of_itself_by_its_own_name_is_credited_to_nobody() -> None:
    itself = Document(id="a", name="pay-invoices", description="For transfers→pay-invoices.")
    assert not Index.of([itself, INVOICES]).rank("transfers").cleared


def test_equal_scores_are_in_the_order_of_ids() -> None:
    twins = [Document(id=id, name="same", description="the same words") for id in ("b", "c", "a")]
    assert Index.of(twins).rank("words").ids == ("a", "b", "c")


def test_of_two_documents_with_one_id_the_later_counts() -> None:
    index = Index.of([INVOICES, Document(id="invoices", description="Tides")])
    assert len(index) == 1
    assert index.rank("tides").ids == ("invoices",)
    assert not index.rank("customer").cleared


def test_when_nothing_clears_the_floor_the_names_are_given_instead() -> None:
    index = Index.of((*ALL, Document(id="nameless")))
    ranking = index.rank("wombat juggling")
    assert (ranking.cleared, ranking.ranked, ranking.found, ranking.best) == (False, (), 0, 0.0)
    assert ranking.names == ("nameless", "pay-invoices", "query_invoices", "query_weather")
    assert ranking.unknown == ("wombat", "juggling")
    assert ranking.why["names"] == list(ranking.names)
    assert Index().rank("anything").cleared is False
    assert index.rank("").cleared is False


def test_the_floor_is_a_share_of_what_was_asked() -> None:
    index = Index.of(ALL)
    query = "weather wombat juggling"
    share = index.rank(query)[0].share
    assert 0 < share < 0.5
    assert index.rank(query, floor=share).cleared
    high = index.rank(query, floor=share + 0.01)
    assert not high.cleared
    assert high.best == pytest.approx(share)
    assert high.names


def test_a_limit_is_kept_and_the_rest_counted() -> None:
    many = [Document(id=f"{number:03}", description="same words") for number in range(LIMIT + 5)]
    index = Index.of(many)
    assert len(index.rank("words")) == LIMIT
    assert index.rank("words").found == LIMIT + 5
    assert index.rank("words", limit=2).ids == ("000", "001")
    none = index.rank("words", limit=0)
    assert (none.cleared, none.ids) == (True, ())


def test_a_ranking_explains_the_first_before_the_runner_up() -> None:
    two = [
        Document(id="a", description="unpaid invoices of a customer"),
        Document(id="b", description="paid invoices of a supplier"),
    ]
    ranking = Index.of(two).rank("unpaid invoices of which supplier, customer?")
    ahead = ranking.margin
    assert ahead is not None
    assert (ahead.first, ahead.second) == ("a", "b")
    assert ahead.ahead == pytest.approx(ranking[0].score - ranking[1].score)
    assert sum(difference for _, difference in ahead.words) == pytest.approx(ahead.ahead)
    assert {word: difference > 0 for word, difference in ahead.words} == {
        "unpaid": True,
        "unpaid invoices": True,
        "customer": True,
        "supplier": False,
        "invoices supplier": False,
    }
    assert margin(ranking[1], ranking[0]).ahead == -ahead.ahead
    assert Index.of(two[:1]).rank("unpaid").margin is None
    why = json.loads(json.dumps(ranking.why))
    assert why["ranked"][0]["matched"] == {"description": ["unpaid", "invoices", "customer"]}
    assert why["runner_up"]["first"] == "a"
    assert "similarity" not in why["ranked"][0]
    assert "names" not in why


def test_only_so_much_of_a_document_and_of_a_query_counts() -> None:
    long = Document(
        id="long",
        body="x " * (BODY_CHARACTERS // 2) + "beyond",
        keywords=tuple(f"word{number}" for number in range(TEXTS + 1)),
    )
    index = Index.of([long])
    assert index.rank(f"word{TEXTS - 1}").cleared
    assert not index.rank(f"word{TEXTS}", floor=0.6).cleared
    assert not index.rank("beyond").cleared
    letters = "bcdfghjklmnpqrtw"
    asked = " ".join(f"z{one}{other}z" for one in letters for other in letters)
    assert len(letters) ** 2 == QUERY_TERMS
    assert index.rank(f"{asked} word1").unknown[-1] != "word1"
    assert not index.rank(f"{asked} word1").cleared


def test_documents_at_hand_are_weighed_as_part_of_a_larger_whole() -> None:
    corpus = Corpus(documents=100, totals=(0, 500, 0, 0, 0, 0, 0), holders={"rain": 50})
    part = Postings(Weights(common=(1.0, 1.0, 1.0)), corpus)
    part.put(7, {"description": Counter(rain=1)}, Counter(snow=1), (0, 5, 0, 0, 0, 0, 0))
    assert part.idf("snow") > part.idf("rain") == pytest.approx(math.log(1 + 50.5 / 50.5))
    assert dict(part.impacts("rain")) == pytest.approx({7: part.idf("rain")}), "of average length, once"
    assert dict(part.subtractions("snow")) == pytest.approx({7: part.idf("snow") / 2})
    part.drop(8)
    part.drop(7)
    assert part.impacts("rain") == part.subtractions("snow") == []


def test_a_manifest_is_nothing_that_can_be_ranked() -> None:
    """Its description and keywords are for people; no field of a document takes them."""
    names = {each.name for each in fields(Document)}
    assert not names & ({each.name for each in fields(Manifest)} - {"name", "description"})
    assert names == {"id", "name", "description", "triggers", "keywords", "examples", "body", "negatives"}


words = st.sampled_from(
    ["pay", "bill", "rain", "map", "票据", "For maps→map-tool.", "Not for rain.", "For bills→bill_tool."]
)
documents = st.builds(
    Document,
    id=st.sampled_from("abcde"),
    name=st.sampled_from(["map-tool", "bill_tool", "Bill-Tool", "rain", ""]),
    description=st.lists(words, max_size=5).map(" ".join),
    keywords=st.lists(words, max_size=2).map(tuple),
    negatives=st.lists(words, max_size=2).map(tuple),
    body=st.lists(words, max_size=4).map(" ".join),
)
queries = st.lists(words, min_size=1, max_size=4).map(" ".join)


@given(st.lists(documents, max_size=12), st.lists(st.sampled_from("abcde"), max_size=4), queries)
def test_an_index_that_was_changed_ranks_like_one_made_anew(
    changes: list[Document], gone: list[str], query: str
) -> None:
    changed = Index()
    for document in changes:
        changed.put(document)
    for id in gone:
        changed.drop(id)
    left = {each.id: each for each in changes if each.id not in gone}
    anew = Index.of(left.values())
    assert changed.documents == anew.documents
    assert all((id in changed) is (id in left) for id in "abcde")
    assert changed.rank(query, limit=9) == anew.rank(query, limit=9)


@given(st.lists(documents, max_size=8), queries)
def test_a_ranking_is_in_order_and_its_reasons_add_up(found: list[Document], query: str) -> None:
    ranking = Index.of(found).rank(query, limit=9)
    assert [*ranking] == sorted(ranking, key=lambda each: (-each.score, each.id))
    for each in ranking:
        assert each.score > 0
        assert 0 < each.share <= 1 + 1e-9
        assert each.score == pytest.approx(sum(match.score for match in each.matches))
    assert ranking.cleared is bool(ranking.ranked)
    assert bool(ranking.names) is (not ranking.cleared and bool(found))


@given(st.text(max_size=100), st.text(max_size=100))
def test_any_text_can_be_ranked_for_any_query(text: str, query: str) -> None:
    index = Index.of([Document(id="a", name=text, description=text, negatives=(text[:9],)), WEATHER])
    json.dumps(index.rank(query).why)
