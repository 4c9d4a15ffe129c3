from __future__ import annotations

import math

import pytest

from prowess.choose.mixing import mixed, similarities
from prowess.choose.ranking import Document, Index
from prowess.errors import UsageError

DOCUMENTS = [
    Document(id="rain", description="weather of tomorrow"),
    Document(id="bill", description="invoices of a customer"),
    Document(id="map", description="the way to a customer"),
]
VECTORS = {"rain": [(1.0, 0.0)], "bill": [(0.0, 1.0), (0.6, 0.8)], "map": [(-1.0, 0.0)]}


def test_the_nearest_of_several_vectors_counts() -> None:
    found = similarities((1.0, 0.0), VECTORS)
    assert found == pytest.approx({"rain": 1.0, "bill": 0.6, "map": -1.0})


def test_a_document_without_a_vector_has_no_similarity_and_a_zero_vector_none_to_speak_of() -> None:
    assert similarities((1.0, 0.0), {"a": [], "b": [(0.0, 0.0)]}) == {"b": 0.0}


def test_words_and_cosines_are_mixed_by_weight() -> None:
    both = mixed({"a": 4.0, "b": 2.0}, {"b": 0.5, "c": -0.5}, 0.25)
    assert both == pytest.approx({"a": 0.75, "b": 0.375 + 0.25, "c": 0.0})
    assert mixed({"a": 4.0}, {}, 0.25) == pytest.approx({"a": 0.75})
    assert mixed({"a": -1.0}, {"a": 0.5}, 0.25) == {"a": 0.0}


def test_a_document_without_a_word_in_common_is_found_by_its_vector() -> None:
    index = Index.of(DOCUMENTS)
    ranking = index.rank("umbrella?", query_vector=(1.0, 0.0), vectors=VECTORS)
    assert ranking.ids == ("rain", "bill")
    assert ranking[0].similarity == pytest.approx(1.0)
    assert ranking[0].why["similarity"] == 1.0
    assert (ranking[0].share, ranking[0].matches) == (0.0, ())


def test_how_near_is_near_enough_can_be_said() -> None:
    index = Index.of(DOCUMENTS)
    ranking = index.rank("umbrella?", query_vector=(1.0, 0.0), vectors=VECTORS, near=0.7)
    assert ranking.ids == ("rain",)
    assert not index.rank("umbrella?", query_vector=(1.0, 0.0), vectors=VECTORS, near=1.1).cleared


def test_the_weight_of_vectors_decides_between_the_two() -> None:
    index = Index.of(DOCUMENTS)
    first = [
        index.rank("customer map", query_vector=(1.0, 0.0), vectors=VECTORS, weight=weight)[0].id
        for weight in (0.0, 0.1, 1.0)
    ]
    assert first == ["bill", "bill", "rain"]


def test_vectors_of_strangers_and_vectors_without_a_query_s_change_nothing() -> None:
    index = Index.of(DOCUMENTS)
    plain = index.rank("customer")
    assert index.rank("customer", vectors=VECTORS) == plain
    assert index.rank("customer", query_vector=(1.0, 0.0)) == plain
    known = index.rank("customer", query_vector=(1.0,), vectors={"stranger": [(1.0,)]})
    assert known.ids == plain.ids


@pytest.mark.parametrize(
    ("query", "vector", "weight"),
    [
        ((1.0, 0.0), (1.0,), 0.3),
        ((math.nan, 0.0), (1.0, 0.0), 0.3),
        ((1.0, 0.0), (math.inf, 0.0), 0.3),
        ((1.0, 0.0), (1.0, 0.0), 1.5),
        ((1.0, 0.0), (1.0, 0.0), math.nan),
    ],
)
def test_vectors_that_do_not_fit_are_refused(
    query: tuple[float, ...], vector: tuple[float, ...], weight: float
) -> None:
    with pytest.raises(UsageError):
        Index.of(DOCUMENTS).rank("x", query_vector=query, vectors={"rain": [vector]}, weight=weight)
