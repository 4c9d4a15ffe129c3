"""Ranking from a file, held against the index in memory."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.choose.documents import Weights
from prowess.choose.ranking import Document, Index
from prowess.choose.tokens import VERSION
from prowess.errors import StoreFailed
from prowess.store.database import Database
from prowess.store.directories import cache_home
from prowess.store.ranked import NAMES, RankedStore, default_ranked_file, ranked_database

INVOICES = Document(
    id="invoices",
    name="query_invoices",
    description="Lists unpaid invoices of a customer. For transfers→pay-invoices.",
    triggers=("overdue bills", "逾期账单"),
    negatives=("weather forecast",),
)
PAY = Document(id="pay", name="pay-invoices", description="Pays a supplier.", body="C++ or c# 票据")
WEATHER = Document(id="weather", name="query_weather", description="The weather of the next days.")
ALL = (INVOICES, PAY, WEATHER)
QUERIES = ("unpaid invoices, weather", "transfers", "逾期的账单", "c++ 票据", "wombat", "", "query pay")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "ranked.sqlite3"


@pytest.fixture
def opened(file: Path) -> Iterator[Database]:
    database = ranked_database(str(file))
    yield database
    database.close()


def same(store: RankedStore, documents: dict[str, Document], *, weights: Weights | None = None) -> None:
    """Rankings of both, to the last digit."""
    index = Index.of(documents.values(), weights=weights)
    assert asyncio.run(store.ids()) == tuple(sorted(documents))
    for query in QUERIES:
        assert asyncio.run(store.rank(query)) == index.rank(query), query


def test_a_store_ranks_and_explains_like_an_index(opened: Database) -> None:
    store = RankedStore(opened)
    assert asyncio.run(store.put(ALL)) == 3
    same(store, {each.id: each for each in ALL})
    ranking = asyncio.run(store.rank("unpaid invoices", limit=1))
    assert ranking.ids == ("invoices",)
    assert ranking[0].matched == {"name": ("invoices",), "description": ("unpaid", "invoices")}


def test_an_empty_store_says_that_nothing_was_found(opened: Database) -> None:
    ranking = asyncio.run(RankedStore(opened).rank("anything"))
    assert (ranking.cleared, ranking.names) == (False, ())


def test_weights_and_floor_act_as_in_an_index(opened: Database) -> None:
    weights = Weights(name=0.5, pointed=3.0, negatives=0.1, length=0.9)
    store = RankedStore(opened, weights=weights)
    asyncio.run(store.put(ALL))
    same(store, {each.id: each for each in ALL}, weights=weights)
    assert not asyncio.run(store.rank("weather wombat", floor=0.9)).cleared


def test_what_is_there_in_the_same_form_is_not_written_again(opened: Database) -> None:
    store = RankedStore(opened)
    asyncio.run(store.put(ALL))
    changed = replace(WEATHER, description="Tides. For rain→query_invoices.")
    assert asyncio.run(store.put((INVOICES, PAY, changed))) == 1
    same(store, {"invoices": INVOICES, "pay": PAY, "weather": changed})


def test_what_is_taken_out_is_found_no_more_and_points_nowhere(opened: Database) -> None:
    store = RankedStore(opened)
    asyncio.run(store.put(ALL))
    asyncio.run(store.drop(["invoices", "stranger"]))
    same(store, {"pay": PAY, "weather": WEATHER})


def test_a_store_is_there_when_it_is_opened_again(file: Path) -> None:
    for _ in range(2):
        database = ranked_database(str(file))
        store = RankedStore(database)
        asyncio.run(store.put(ALL))
        same(store, {each.id: each for each in ALL})
        database.close()


def test_the_file_lies_in_the_cache_where_it_may_be_deleted() -> None:
    assert default_ranked_file().startswith(cache_home())
    database = ranked_database()
    assert database.file == default_ranked_file()
    database.close()


def test_terms_of_another_tokeniser_are_not_ranked_and_are_made_anew(file: Path, opened: Database) -> None:
    store = RankedStore(opened)
    asyncio.run(store.put(ALL))
    with sqlite3.connect(file) as other:
        other.execute("UPDATE made_by SET tokeniser = ?", (VERSION - 1,))
    other.close()
    with pytest.raises(StoreFailed):
        asyncio.run(store.rank("weather"))
    assert asyncio.run(store.put([WEATHER])) == 1
    same(store, {"weather": WEATHER})


def test_a_set_larger_than_a_batch_and_than_what_is_scored_is_ranked_whole(opened: Database) -> None:
    many = [
        Document(id=f"{number:04}", name=f"tool_{number:04}", description="invoices " * (1 + number % 7))
        for number in range(NAMES + 100)
    ]
    store = RankedStore(opened)
    assert asyncio.run(store.put(many)) == len(many)
    best = asyncio.run(store.rank("tool 0777 invoices"))
    assert best.ids[0] == "0777"
    assert len(asyncio.run(store.rank("wombat")).names) == NAMES
    assert len(asyncio.run(store.rank("invoices", limit=5_000))) == 200


def test_names_that_are_no_text_are_kept(opened: Database) -> None:
    odd = Document(id="lone \ud800", name="lone \udfff", description="weather")
    store = RankedStore(opened)
    asyncio.run(store.put([odd, Document(id="'; DROP TABLE terms; --")]))
    assert asyncio.run(store.rank("weather")).ids == (odd.id,)
    assert asyncio.run(store.rank("nobody")).names == ("'; DROP TABLE terms; --", odd.name)


words = st.sampled_from(["pay", "bill", "rain", "票据", "c++", "For maps→map-tool.", "Not for rain."])
documents = st.builds(
    Document,
    id=st.sampled_from("abcd"),
    name=st.sampled_from(["map-tool", "Map-Tool", "rain", ""]),
    description=st.lists(words, max_size=5).map(" ".join),
    negatives=st.lists(words, max_size=2).map(tuple),
)


@given(st.lists(documents, max_size=8), st.lists(st.sampled_from("abcd"), max_size=3), st.text(max_size=20))
def test_changes_leave_what_an_index_made_anew_would_rank(
    tmp_path_factory: pytest.TempPathFactory, changes: list[Document], gone: list[str], text: str
) -> None:
    database = ranked_database(str(tmp_path_factory.mktemp("ranked") / "r.sqlite3"))
    store = RankedStore(database)

    async def change() -> None:
        for document in changes:
            await store.put([document])
        await store.drop(gone)
        left = {each.id: each for each in changes if each.id not in gone}
        index = Index.of(left.values())
        for query in (text, "pay bill rain maps 票据 c++"):
            assert await store.rank(query) == index.rank(query)

    asyncio.run(change())
    database.close()
