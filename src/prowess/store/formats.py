"""The formats of the database: the statements that lead from each one to the next.

Format N is what the first N steps make, so a new file and an old one go the same way. A step that
was released is never changed; another is added below it, together with a dump of the format before
it under tests/store/formats/. SQLite only, and no connection: these are texts.
"""

from __future__ import annotations

# Written into the file's header, so that a database of another program is not taken for ours.
APPLICATION_ID = 0x50525753  # "PRWS"

# `number` grows with every commit of its table, also when a record is replaced: it is where a
# shipper left off. It is never given twice, which is what AUTOINCREMENT is for.
_RECORDS = (
    """CREATE TABLE calls (
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, tool TEXT NOT NULL,
        server TEXT NOT NULL, version TEXT NOT NULL, outcome TEXT NOT NULL, code TEXT NOT NULL,
        attempts INTEGER NOT NULL, duration_ms REAL NOT NULL, argument_bytes INTEGER NOT NULL,
        result_bytes INTEGER NOT NULL, principal TEXT NOT NULL, conversation TEXT NOT NULL,
        skill TEXT NOT NULL, trace_id TEXT NOT NULL, started REAL NOT NULL)""",
    "CREATE INDEX calls_by_time ON calls (started)",
    "CREATE INDEX calls_by_trace ON calls (trace_id)",
    """CREATE TABLE decisions (
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, trace_id TEXT NOT NULL,
        utterance TEXT NOT NULL, shown TEXT NOT NULL, chosen TEXT NOT NULL, calls TEXT NOT NULL,
        principal TEXT NOT NULL, conversation TEXT NOT NULL, started REAL NOT NULL)""",
    "CREATE INDEX decisions_by_time ON decisions (started)",
    "CREATE INDEX decisions_by_trace ON decisions (trace_id)",
    """CREATE TABLE requests (
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, trace_id TEXT NOT NULL,
        call TEXT NOT NULL, method TEXT NOT NULL, url TEXT NOT NULL, status INTEGER NOT NULL,
        duration_ms REAL NOT NULL, started REAL NOT NULL)""",
    "CREATE INDEX requests_by_time ON requests (started)",
    "CREATE INDEX requests_by_trace ON requests (trace_id)",
    """CREATE TABLE shipped (
        target TEXT NOT NULL, records TEXT NOT NULL, number INTEGER NOT NULL,
        PRIMARY KEY (target, records)) WITHOUT ROWID""",
)
_PINS = (
    """CREATE TABLE pins (
        scope TEXT NOT NULL, server TEXT NOT NULL, tool TEXT NOT NULL, digest TEXT NOT NULL,
        definition TEXT NOT NULL, PRIMARY KEY (scope, server, tool)) WITHOUT ROWID""",
)
# `answer` is null while nobody has answered; `until` is how long an answer holds.
_APPROVALS = (
    """CREATE TABLE approvals (
        digest TEXT NOT NULL PRIMARY KEY, tool TEXT NOT NULL, server TEXT NOT NULL,
        arguments TEXT NOT NULL, principal TEXT NOT NULL, conversation TEXT NOT NULL,
        rollout_key TEXT NOT NULL, reason TEXT NOT NULL, asked REAL NOT NULL, expires REAL NOT NULL,
        answer INTEGER, until REAL NOT NULL DEFAULT 0) WITHOUT ROWID""",
)
# What was settled about the versions of units, and why; `place` is the file that says it.
_ROLLOUTS = (
    """CREATE TABLE rollouts (
        number INTEGER PRIMARY KEY AUTOINCREMENT, place TEXT NOT NULL, unit TEXT NOT NULL,
        action TEXT NOT NULL, stable TEXT NOT NULL, canary TEXT NOT NULL, percent REAL NOT NULL,
        who TEXT NOT NULL, reason TEXT NOT NULL, evidence TEXT NOT NULL, at REAL NOT NULL)""",
    "CREATE INDEX rollouts_by_unit ON rollouts (place, unit)",
)

Step = tuple[str, ...]
STEPS: tuple[Step, ...] = ((*_RECORDS, *_PINS, *_APPROVALS), _ROLLOUTS)
