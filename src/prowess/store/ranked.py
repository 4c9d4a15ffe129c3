"""Documents ranked from a file: for sets so large that an index in memory costs too much.

SQLite's FTS5 is fed the terms of `choose.tokens` and finds the nearest documents; those are scored
by `choose.finding` with the numbers of the whole set, so scores, reasons and ties are the ones of an
`Index`. The two differ only where FTS5's own BM25 leaves out of the nearest what ours would have
put among the best. It does not know where documents come from.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace

from prowess.choose.documents import FIELDS, Counts, Document, Read, Weights, read_document
from prowess.choose.finding import FLOOR, LIMIT, Asked, Bounds, Label, asked_in, find
from prowess.choose.postings import Corpus, Postings, lengths_of
from prowess.choose.ranked import Ranking
from prowess.choose.ranking import name_key
from prowess.choose.tokens import VERSION, terms
from prowess.errors import StoreFailed
from prowess.store.columns import json_in, text_in, text_out
from prowess.store.database import Database
from prowess.store.directories import cache_home
from prowess.store.opening import transaction
from prowess.store.ranked_steps import RANKED_STEPS

NEAREST = 200  # found by FTS5 and scored by us; ten times what is shown
NAMES = 1_000  # to fall back to; more is no list that anybody reads
_BATCH = 500  # documents in one transaction

_COLUMNS = ", ".join(FIELDS)
_LENGTHS = ", ".join(f"length_{field}" for field in FIELDS)
_MARKS = ", ".join("?" for _ in FIELDS)
_SUMS = ", ".join(f"total(length_{field})" for field in FIELDS)


def default_ranked_file() -> str:
    """The file of this user."""
    return os.path.join(cache_home(), "ranked.sqlite3")


def ranked_database(file: str | None = None) -> Database:
    """The database to make a `RankedStore` of; close it when done."""
    return Database(file or default_ranked_file(), steps=RANKED_STEPS)


class RankedStore:
    """Documents in a file, put in and taken out one by one, ranked like those of an `Index`."""

    def __init__(self, database: Database, *, weights: Weights | None = None) -> None:
        self._database = database
        self._weights = weights or Weights()

    async def put(self, documents: Iterable[Document]) -> int:
        """Add or replace `documents`; how many were not there in the same form. Raises StoreFailed.

        A file that another version's tokeniser made is emptied first: put in all there are.
        """
        await self._database.run(_made_by_us)
        new = 0
        waiting = list({each.id: each for each in documents}.values())
        for start in range(0, len(waiting), _BATCH):
            new += await self._put([_Taken(each) for each in waiting[start : start + _BATCH]])
        return new

    async def _put(self, batch: Sequence[_Taken]) -> int:
        return await self._database.run(lambda connection: _put(connection, batch))

    async def drop(self, ids: Iterable[str]) -> None:
        """Take out the documents of those ids. Raises StoreFailed."""
        gone = [text_in(each) for each in ids]
        await self._database.run(lambda connection: _drop(connection, gone))

    async def ids(self) -> tuple[str, ...]:
        """The ids of what is in it, sorted. Raises StoreFailed."""
        query = "SELECT id FROM documents ORDER BY id"
        rows = await self._database.run(lambda connection: connection.execute(query).fetchall())
        return tuple(text_out(each) for (each,) in rows)

    async def rank(self, query: str, *, limit: int = LIMIT, floor: float = FLOOR) -> Ranking:
        """The best `limit` documents for `query`; `found` counts among the nearest `NEAREST`.

        When nothing clears the floor, `names` are the first `NAMES`. Raises StoreFailed.
        """
        bounds = Bounds(limit=min(limit, NEAREST), floor=floor)
        return await self._database.run(lambda connection: _rank(connection, query, self._weights, bounds))


class _Taken:
    """One document and its terms, worked out before a lock is taken."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.read: Read = read_document(document)
        self.key = name_key(document.name)
        said = json_in([VERSION, asdict(document)])
        self.digest = hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


def _made_by_us(connection: sqlite3.Connection) -> None:
    """Empty the file unless our own tokeniser made it."""
    if _tokeniser(connection) == VERSION:
        return
    with transaction(connection):
        for table in ("documents", "pointers", "terms", "made_by"):
            connection.execute(f"DELETE FROM {table}")
        connection.execute("INSERT INTO made_by VALUES (?)", (VERSION,))


def _tokeniser(connection: sqlite3.Connection) -> int | None:
    found = connection.execute("SELECT tokeniser FROM made_by").fetchone()
    return int(found[0]) if found else None


# -- documents in and out


def _put(connection: sqlite3.Connection, batch: Sequence[_Taken]) -> int:
    with transaction(connection):
        new = [each for each in batch if not _is_there(connection, each)]
        led_to: set[int] = set()
        for each in new:
            led_to |= _taken_out(connection, text_in(each.document.id))
        for each in new:
            led_to |= _taken_in(connection, each)
        _pointed(connection, led_to)
    return len(new)


def _drop(connection: sqlite3.Connection, ids: Iterable[str | bytes]) -> None:
    with transaction(connection):
        led_to: set[int] = set()
        for id in ids:
            led_to |= _taken_out(connection, id)
        _pointed(connection, led_to)


def _is_there(connection: sqlite3.Connection, taken: _Taken) -> bool:
    query = "SELECT 1 FROM documents WHERE id = ? AND digest = ?"
    return connection.execute(query, (text_in(taken.document.id), taken.digest)).fetchone() is not None


def _taken_in(connection: sqlite3.Connection, taken: _Taken) -> set[int]:
    """Put one document in; the slots whose `pointed` has to be made anew."""
    document, read = taken.document, taken.read
    fields = {**read.fields, "pointed": Counter(_left_to(connection, taken.key).split())}
    said = (text_in(document.id), text_in(document.name), taken.key, taken.digest, _written(read.negatives))
    slot = connection.execute(
        f"INSERT INTO documents (id, name, key, digest, negatives, {_LENGTHS}) "
        f"VALUES (?, ?, ?, ?, ?, {_MARKS})",
        (*said, *lengths_of(fields)),
    ).lastrowid
    connection.execute(
        f"INSERT INTO terms (rowid, {_COLUMNS}) VALUES (?, {_MARKS})",
        (slot, *(_written(fields.get(field, Counter())) for field in FIELDS)),
    )
    for pointer in read.pointers:
        key = name_key(pointer.name)
        if key != taken.key:
            row = (slot, key, " ".join(terms(pointer.text)))
            connection.execute("INSERT INTO pointers VALUES (?, ?, ?)", row)
    return set(_led_to(connection, slot))


def _taken_out(connection: sqlite3.Connection, id: str | bytes) -> set[int]:
    """Take one document out; the slots whose `pointed` has to be made anew."""
    found = connection.execute("SELECT slot FROM documents WHERE id = ?", (id,)).fetchone()
    if found is None:
        return set()
    led_to = set(_led_to(connection, found[0]))
    for statement in (
        "DELETE FROM documents WHERE slot = ?",
        "DELETE FROM terms WHERE rowid = ?",
        "DELETE FROM pointers WHERE source = ?",
    ):
        connection.execute(statement, found)
    return led_to - {int(found[0])}


def _led_to(connection: sqlite3.Connection, slot: int | None) -> Iterator[int]:
    query = "SELECT slot FROM documents WHERE key IN (SELECT key FROM pointers WHERE source = ?)"
    return (int(each) for (each,) in connection.execute(query, (slot,)).fetchall())


def _left_to(connection: sqlite3.Connection, key: str) -> str:
    """The terms that others leave to whoever goes by `key`."""
    query = "SELECT terms FROM pointers WHERE key = ? ORDER BY rowid"
    return " ".join(each for (each,) in connection.execute(query, (key,)).fetchall())


def _pointed(connection: sqlite3.Connection, slots: Iterable[int]) -> None:
    """What others leave to the documents at `slots`, written into their row."""
    for slot in sorted(slots):
        key = connection.execute("SELECT key FROM documents WHERE slot = ?", (slot,)).fetchone()
        if key is not None:
            text = _left_to(connection, key[0])
            connection.execute("UPDATE terms SET pointed = ? WHERE rowid = ?", (text, slot))
            row = (len(text.split()), slot)
            connection.execute("UPDATE documents SET length_pointed = ? WHERE slot = ?", row)


def _written(counted: Counter[str]) -> str:
    return " ".join(counted.elements())


# -- ranking


def _rank(connection: sqlite3.Connection, query: str, weights: Weights, bounds: Bounds) -> Ranking:
    with _one_state(connection):
        if _tokeniser(connection) not in (None, VERSION):
            raise StoreFailed(
                "the terms to rank by were made by another version of prowess",
                hint="put all documents in again",
            )
        asked = asked_in(query)
        postings = Postings(weights, _corpus(connection, asked))
        labels = dict(_nearest(connection, asked, postings, weights))
        found = find(query, postings, labels, bounds)
        names = () if found.cleared else _names(connection)
    return replace(found, names=names)


@contextlib.contextmanager
def _one_state(connection: sqlite3.Connection) -> Iterator[None]:
    """All reads of the block see the file as it was at the first."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")


def _corpus(connection: sqlite3.Connection, asked: Asked) -> Corpus:
    documents, *totals = connection.execute(f"SELECT count(*), {_SUMS} FROM documents").fetchone()
    marks = ", ".join("?" for _ in asked)
    rows = connection.execute(f"SELECT term, doc FROM vocabulary WHERE term IN ({marks})", tuple(asked))
    return Corpus(documents=documents, totals=tuple(map(int, totals)), holders=dict(rows.fetchall()))


def _nearest(
    connection: sqlite3.Connection, asked: Asked, postings: Postings, weights: Weights
) -> Iterator[tuple[int, Label]]:
    """Put the nearest documents into `postings`, as far as they are asked for; what each is called."""
    if not asked:
        return
    match = " OR ".join(f'"{term}"' for term in asked)
    places = ", ".join(map(str, weights.by_field))
    slots = [
        slot
        for (slot,) in connection.execute(
            f"SELECT rowid FROM terms WHERE terms MATCH ? ORDER BY bm25(terms, {places}), rowid LIMIT ?",
            (match, NEAREST),
        )
    ]
    for slot in slots:
        id, name, negatives, *lengths = connection.execute(
            f"SELECT id, name, negatives, {_LENGTHS} FROM documents WHERE slot = ?", (slot,)
        ).fetchone()
        row = connection.execute(f"SELECT {_COLUMNS} FROM terms WHERE rowid = ?", (slot,)).fetchone()
        fields = {field: _asked_for(text, asked) for field, text in zip(FIELDS, row, strict=True)}
        postings.put(slot, fields, _asked_for(negatives, asked), _counts(lengths))
        yield slot, Label(text_out(id), text_out(name))


def _asked_for(text: str, asked: Asked) -> Counter[str]:
    return Counter(filter(asked.__contains__, text.split()))


def _counts(numbers: Iterable[int]) -> Counts:
    return tuple(int(each) for each in numbers)


def _names(connection: sqlite3.Connection) -> tuple[str, ...]:
    query = "SELECT CASE name WHEN '' THEN id ELSE name END AS shown FROM documents ORDER BY shown LIMIT ?"
    return tuple(text_out(each) for (each,) in connection.execute(query, (NAMES,)))
