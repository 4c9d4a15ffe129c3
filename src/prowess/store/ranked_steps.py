"""The format of the file that very large sets of documents are ranked from; it can be made again at any time.

`terms` holds what `choose.tokens` makes of each field, so FTS5 has nothing to cut: its `ascii` tokeniser
parts at spaces and takes the rest as it is. With less detail kept (`detail=column`) its BM25 takes twice
as long.
"""

from __future__ import annotations

from prowess.choose.documents import FIELDS
from prowess.store.formats import Step

_LENGTHS = ", ".join(f"length_{field} INTEGER NOT NULL DEFAULT 0" for field in FIELDS)

RANKED_STEPS: tuple[Step, ...] = (
    (
        f"""CREATE TABLE documents (
            slot INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, key TEXT NOT NULL,
            digest TEXT NOT NULL, negatives TEXT NOT NULL, {_LENGTHS})""",
        "CREATE INDEX documents_by_key ON documents (key)",
        "CREATE TABLE pointers (source INTEGER NOT NULL, key TEXT NOT NULL, terms TEXT NOT NULL)",
        "CREATE INDEX pointers_by_source ON pointers (source)",
        "CREATE INDEX pointers_by_key ON pointers (key)",
        f"CREATE VIRTUAL TABLE terms USING fts5({', '.join(FIELDS)}, tokenize='ascii')",
        "CREATE VIRTUAL TABLE vocabulary USING fts5vocab(terms, row)",
        "CREATE TABLE made_by (tokeniser INTEGER NOT NULL)",
    ),
)
