"""The tables of runs, for SQLite and PostgreSQL alike: format 1. `NUMBER` is a floating-point number.

The engine's own tables stand beside them, in the same database.
"""

from __future__ import annotations

LOCK = 0x50525766  # held while tables are made, so that two who come first do not collide

_RUNS = """CREATE TABLE prowess_runs (
    run TEXT PRIMARY KEY, workflow TEXT NOT NULL, version TEXT NOT NULL, queue TEXT NOT NULL,
    principal TEXT NOT NULL, rollout_key TEXT NOT NULL, state TEXT NOT NULL, definition TEXT NOT NULL,
    input TEXT NOT NULL, output TEXT, error TEXT, created NUMBER NOT NULL, started NUMBER, ended NUMBER,
    deadline NUMBER, wake NUMBER, executor TEXT NOT NULL, owner TEXT NOT NULL, execution INTEGER NOT NULL,
    enqueued INTEGER NOT NULL, asked TEXT NOT NULL, news INTEGER NOT NULL, retry_of TEXT NOT NULL)"""

# One row for each step of a run: whoever begins one that must not happen twice puts it in first, and
# only one can.
_STEPS = """CREATE TABLE prowess_run_steps (
    run TEXT NOT NULL, step TEXT NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL, owner TEXT NOT NULL,
    value TEXT, began NUMBER NOT NULL, ended NUMBER, PRIMARY KEY (run, step))"""

_EVENTS = """CREATE TABLE prowess_run_events (
    event TEXT PRIMARY KEY, run TEXT NOT NULL, name TEXT NOT NULL, payload TEXT NOT NULL,
    sent NUMBER NOT NULL, taken TEXT NOT NULL)"""

_WORKERS = """CREATE TABLE prowess_workers (
    executor TEXT PRIMARY KEY, seen NUMBER NOT NULL, began NUMBER NOT NULL, place TEXT NOT NULL)"""

STEPS: tuple[tuple[str, ...], ...] = (
    (
        _RUNS,
        "CREATE INDEX prowess_runs_by_state ON prowess_runs (state, created)",
        "CREATE INDEX prowess_runs_by_workflow ON prowess_runs (workflow, version, state)",
        _STEPS,
        _EVENTS,
        "CREATE INDEX prowess_run_events_by_run ON prowess_run_events (run, name)",
        _WORKERS,
    ),
)
FORMAT = len(STEPS)
