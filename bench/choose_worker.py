"""One subject of `bench.choose` in a process of its own: takes texts, then queries, answers with ranks.

    python choose_worker.py SUBJECT     prowess, prowess-store, rank-bm25, bm25s, tantivy, fts5

Standard library only, since it runs under the peers' Python too. The first line on stdin is a JSON list
of documents (`name`, `description`, `body`), each further one `{"best": N, "queries": [...]}`. The first
answer is `{"build": CPU seconds}`, the others are `{"seconds": [CPU, ...], "places": [[place of a
document, ...], ...]}` with the best N of each query. Peers get the three fields as one text, since they
know no fields.
"""

from __future__ import annotations

import importlib
import json
import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

_WORDS = re.compile(r"\w+")

Documents = Sequence[dict[str, str]]
Search = Callable[[str, int], list[int]]


def whole(document: dict[str, str]) -> str:
    """A document as one text."""
    return "\n".join(document[field] for field in ("name", "description", "body"))


def prowess(documents: Documents) -> Search:
    """`choose.ranking.Index`, with its reasons: matched terms, fields, margins."""
    ranking = importlib.import_module("prowess.choose.ranking")
    index = ranking.Index.of(
        ranking.Document(id=f"{place:06}", **document) for place, document in enumerate(documents)
    )
    return lambda query, best: [int(id) for id in index.rank(query, limit=best).ids]


def prowess_store(documents: Documents) -> Search:
    """`store.ranked.RankedStore` in a temporary file."""
    asyncio = importlib.import_module("asyncio")
    ranked = importlib.import_module("prowess.store.ranked")
    document = importlib.import_module("prowess.choose.ranking").Document
    store = ranked.RankedStore(
        ranked.ranked_database(tempfile.mkdtemp(prefix="prowess-bench-") + "/r.sqlite3")
    )
    loop = asyncio.new_event_loop()
    loop.run_until_complete(store.put(document(id=f"{at:06}", **each) for at, each in enumerate(documents)))

    def search(query: str, best: int) -> list[int]:
        return [int(id) for id in loop.run_until_complete(store.rank(query, limit=best)).ids]

    return search


def rank_bm25(documents: Documents) -> Search:
    """BM25Okapi over lower-case words, as its own documentation cuts them, without the punctuation."""
    numpy = importlib.import_module("numpy")
    okapi = importlib.import_module("rank_bm25").BM25Okapi
    index = okapi([_WORDS.findall(whole(each).lower()) for each in documents])

    def search(query: str, best: int) -> list[int]:
        scores = index.get_scores(_WORDS.findall(query.lower()))
        return [int(each) for each in numpy.argsort(-scores, kind="stable")[:best] if scores[each] > 0]

    return search


def bm25s(documents: Documents) -> Search:
    """Its defaults with English stop words and PyStemmer, as its documentation advises."""
    library = importlib.import_module("bm25s")
    stemmer = importlib.import_module("Stemmer").Stemmer("english")

    def cut(texts: list[str]) -> Any:
        return library.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)

    index = library.BM25()
    index.index(cut([whole(each) for each in documents]), show_progress=False)

    def search(query: str, best: int) -> list[int]:
        places, scores = index.retrieve(cut([query]), k=min(best, len(documents)), show_progress=False)
        return [int(place) for place, score in zip(places[0], scores[0], strict=True) if score > 0]

    return search


def tantivy(documents: Documents) -> Search:
    """Its English stemmer, words of the query as alternatives."""
    library = importlib.import_module("tantivy")
    builder = library.SchemaBuilder()
    builder.add_unsigned_field("place", stored=True)
    builder.add_text_field("text", tokenizer_name="en_stem")
    index = library.Index(builder.build())
    writer = index.writer()
    for place, each in enumerate(documents):
        writer.add_document(library.Document(place=place, text=whole(each)))
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def search(query: str, best: int) -> list[int]:
        words = " ".join(_WORDS.findall(query))
        if not words:
            return []
        parsed, _ = index.parse_query_lenient(words, ["text"])
        return [searcher.doc(at)["place"][0] for _, at in searcher.search(parsed, best).hits]

    return search


def fts5(documents: Documents) -> Search:
    """SQLite's own stemmer and BM25."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='porter unicode61')")
    connection.executemany(
        "INSERT INTO texts (rowid, text) VALUES (?, ?)",
        ((at, whole(each)) for at, each in enumerate(documents)),
    )

    def search(query: str, best: int) -> list[int]:
        match = " OR ".join(f'"{word}"' for word in _WORDS.findall(query))
        if not match:
            return []
        found = connection.execute(
            "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts), rowid LIMIT ?", (match, best)
        )
        return [int(place) for (place,) in found]

    return search


SUBJECTS: dict[str, Callable[[Documents], Search]] = {
    "prowess": prowess,
    "prowess-store": prowess_store,
    "rank-bm25": rank_bm25,
    "bm25s": bm25s,
    "tantivy": tantivy,
    "fts5": fts5,
}


def main(subject: str) -> None:
    """Build once, then answer until stdin closes."""
    documents = json.loads(sys.stdin.readline())
    before = time.process_time()
    search = SUBJECTS[subject](documents)
    print(json.dumps({"build": time.process_time() - before}), flush=True)
    for line in sys.stdin:
        seconds, places = [], []
        asked = json.loads(line)
        for query in asked["queries"]:
            before = time.process_time()
            found = search(query, asked["best"])
            seconds.append(time.process_time() - before)
            places.append(found)
        print(json.dumps({"seconds": seconds, "places": places}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
