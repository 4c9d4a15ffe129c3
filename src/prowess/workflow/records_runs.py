"""Reading and writing runs, their steps, events and the workers that are alive.

Who runs a run is its `owner`; whoever lost that writes nothing any more and is told `Superseded`. Each
function here is one transaction for `RunDatabase`, made of values that were redacted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from prowess.errors import Conflict, NotFound, ProwessError, UsageError
from prowess.redact import printable
from prowess.workflow.records import OVER, Kind, Run, StepRow, StepState, read, written
from prowess.workflow.records_database import Rows

_NAMES = tuple(each.name for each in fields(Run))
_COLUMNS = ", ".join(_NAMES)
_JSON = frozenset({"definition", "input", "output", "error"})
_STEP = "run, step, kind, state, owner, value, began, ended"
MOST_LISTED = 1_000

# Something came for a run: one that waits goes back into its queue.
_NEWS = (
    "UPDATE prowess_runs SET news = news + 1, "
    "execution = CASE WHEN state = 'waiting' THEN execution + 1 ELSE execution END, "
    "state = CASE WHEN state = 'waiting' THEN 'queued' ELSE state END WHERE run = ?"
)
_GOES_ON = "state IN ('queued', 'running', 'waiting')"


class Superseded(ProwessError):
    """Another worker has this run now."""

    code = "superseded"


def _run(row: Sequence[Any]) -> Run:
    values = dict(zip(_NAMES, row, strict=True))
    return Run(**{name: read(value) if name in _JSON else value for name, value in values.items()})


def _step(row: Sequence[Any]) -> StepRow:
    run, step, kind, state, owner, value, began, ended = row
    return StepRow(
        run=run, step=step, kind=kind, state=state, owner=owner, value=read(value), began=began, ended=ended
    )


# -- runs


def add(rows: Rows, run: Run) -> bool:
    """Put a new run in; False when there is one of this id."""
    values = [getattr(run, name) for name in _NAMES]
    kept = [
        None if value is None else written(value) if name in _JSON else value
        for name, value in zip(_NAMES, values, strict=True)
    ]
    marks = ", ".join("?" * len(_NAMES))
    return (
        rows.write(
            f"INSERT INTO prowess_runs ({_COLUMNS}) VALUES ({marks}) ON CONFLICT (run) DO NOTHING", kept
        )
        == 1
    )  # our own names


def get(rows: Rows, run: str) -> Run | None:
    """One run."""
    found = rows.read(f"SELECT {_COLUMNS} FROM prowess_runs WHERE run = ?", (run,))
    return _run(found[0]) if found else None


def meant(rows: Rows, beginning: str) -> Run:
    """The one run whose id begins like this. Raises NotFound and UsageError."""
    low = beginning.strip()
    found = rows.read(
        f"SELECT {_COLUMNS} FROM prowess_runs WHERE substr(run, 1, ?) = ? LIMIT 3",
        (len(low), low),
    )
    exact = [each for each in found if each[0] == low]
    if not found or not low:
        raise NotFound(f"there is no run {printable(low, 80)}", hint="prowess runs list")
    if len(found) > 1 and not exact:
        raise UsageError(f"more than one run begins with {printable(low, 80)}", hint="prowess runs list")
    return _run((exact or found)[0])


def workflows(rows: Rows) -> list[str]:
    """The names of all workflows that have runs."""
    return [name for (name,) in rows.read("SELECT DISTINCT workflow FROM prowess_runs ORDER BY workflow")]


def listed(
    rows: Rows,
    *,
    state: str = "",
    workflow: str = "",
    limit: int = 50,
    asking: bool = False,
    sight: tuple[str, Mapping[str, str]] | None = None,
) -> list[Run]:
    """Runs, the newest first; `asking`: only those that wait for an approval.

    `sight` is a principal, and for each workflow which of its runs it sees: none, its own, or all.
    """
    values: list[Any] = [state, state, workflow, workflow]
    where = "(? = '' OR state = ?) AND (? = '' OR workflow = ?)"
    if asking:
        where += f" AND r.{_GOES_ON} AND EXISTS (SELECT 1 {_ASKED} AND s.run = r.run)"
    if sight is not None:
        principal, seen = sight
        every = [name for name, which in seen.items() if which == "all"]
        own = [name for name, which in seen.items() if which == "own"]
        where += f" AND (workflow IN ({_marks(every)}) OR (principal = ? AND workflow IN ({_marks(own)})))"
        values += [*every, principal, *own]
    return [
        _run(each)
        for each in rows.read(
            f"SELECT {_COLUMNS} FROM prowess_runs r WHERE {where} ORDER BY created DESC, run LIMIT ?",
            (*values, min(limit, MOST_LISTED)),
        )
    ]


_ASKED = "FROM prowess_run_steps s WHERE s.kind = 'approval' AND s.state = 'waiting'"


def _marks(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values)) or "NULL"


def asking(rows: Rows, ids: Sequence[str]) -> dict[str, dict[str, StepRow]]:
    """The approvals that some runs wait for, by run and step."""
    found: dict[str, dict[str, StepRow]] = {}
    if ids:
        sql = f"SELECT {_STEP} {_ASKED} AND s.run IN ({_marks(ids)}) ORDER BY began, step"
        for each in map(_step, rows.read(sql, ids)):
            found.setdefault(each.run, {})[each.step] = each
    return found


def rates(rows: Rows) -> list[tuple[str, str, dict[str, int]]]:
    """For each version of each workflow: how many of its runs are in which state."""
    counted: dict[tuple[str, str], dict[str, int]] = {}
    for workflow, version, state, count in rows.read(
        "SELECT workflow, version, state, count(*) FROM prowess_runs GROUP BY workflow, version, state "
        "ORDER BY workflow, version, state"
    ):
        counted.setdefault((workflow, version), {})[state] = count
    return [(*title, states) for title, states in counted.items()]


def completion(states: Mapping[str, int]) -> float | None:
    """The share of completed runs among those that are over, cancelled ones left out; None without any."""
    over = sum(states.get(each, 0) for each in OVER if each != "cancelled")
    return states.get("completed", 0) / over if over else None


def claim(rows: Rows, run: str, execution: int, executor: str, owner: str) -> Run | None:
    """Take a run that is to be executed; None when there is nothing (more) to do."""
    taken = rows.write(
        "UPDATE prowess_runs SET state = 'running', executor = ?, owner = ?, wake = NULL, "
        "enqueued = execution, started = COALESCE(started, ?) "
        "WHERE run = ? AND execution = ? AND state IN ('queued', 'running')",
        (executor, owner, time.time(), run, execution),
    )
    return get(rows, run) if taken else None


def end(rows: Rows, run: Run, state: str, output: Any, error: Mapping[str, Any] | None) -> None:
    """How a run ended. Raises Superseded."""
    _owned(
        rows.write(
            "UPDATE prowess_runs SET state = ?, output = ?, error = ?, ended = ?, owner = '', executor = '' "
            "WHERE run = ? AND owner = ?",
            (
                state,
                written(output),
                None if error is None else written(error),
                time.time(),
                run.run,
                run.owner,
            ),
        )
    )


def park(rows: Rows, run: Run, news: int, wake: float | None) -> bool:
    """Leave a run until `wake`, or until something comes for it; False when something came already."""
    return (
        rows.write(
            "UPDATE prowess_runs SET state = 'waiting', wake = ?, owner = '', executor = '' "
            "WHERE run = ? AND owner = ? AND news = ?",
            (wake, run.run, run.owner, news),
        )
        == 1
    )


def release(rows: Rows, run: str, execution: int, owner: str) -> bool:
    """Give a run back into its queue: its worker ends in good order."""
    return (
        rows.write(
            "UPDATE prowess_runs SET state = 'queued', execution = execution + 1, owner = '', executor = '' "
            "WHERE run = ? AND execution = ? AND owner = ? AND state IN ('queued', 'running')",
            (run, execution, owner),
        )
        == 1
    )


def take_over(rows: Rows, run: str, execution: int, dead: str, executor: str) -> bool:
    """Become the one who wakes up a run of a dead worker (none yet: an empty text); one of many succeeds."""
    return (
        rows.write(
            "UPDATE prowess_runs SET state = 'running', executor = ?, owner = '' "
            "WHERE run = ? AND execution = ? AND executor = ? AND state IN ('queued', 'running')",
            (executor, run, execution, dead),
        )
        == 1
    )


def under_way(rows: Rows, executor: str) -> dict[str, tuple[str, str, int]]:
    """The runs of one worker: owner, what is asked of them, and their news."""
    found = rows.read(
        "SELECT run, owner, asked, news FROM prowess_runs WHERE executor = ? AND state = 'running'",
        (executor,),
    )
    return {run: (owner, asked, news) for run, owner, asked, news in found}


def to_enqueue(rows: Rows, limit: int = 500) -> list[tuple[str, int, str]]:
    """Runs that the engine does not know of yet: id, execution, queue. The oldest first."""
    return [
        (run, execution, queue)
        for run, execution, queue in rows.read(
            "SELECT run, execution, queue FROM prowess_runs WHERE state = 'queued' AND enqueued < execution "
            "ORDER BY created LIMIT ?",
            (limit,),
        )
    ]


def was_enqueued(rows: Rows, known: Iterable[tuple[str, int]]) -> None:
    """The engine has them."""
    for run, execution in known:
        rows.write(
            "UPDATE prowess_runs SET enqueued = ? WHERE run = ? AND enqueued < ?", (execution, run, execution)
        )


def carried(rows: Rows) -> list[tuple[str, int, str]]:
    """Runs that the engine has and that are not over: id, execution, owner."""
    return [
        (run, execution, owner)
        for run, execution, owner in rows.read(
            "SELECT run, execution, owner FROM prowess_runs WHERE state IN ('queued', 'running') "
            "AND enqueued = execution ORDER BY created LIMIT 500"
        )
    ]


def wake_due_count(rows: Rows) -> int:
    """How many runs wait whose time has come."""
    sql = "SELECT count(*) FROM prowess_runs WHERE state = 'waiting' AND wake IS NOT NULL AND wake <= ?"
    return int(rows.read(sql, (time.time(),))[0][0])


def wake_due(rows: Rows) -> int:
    """Put the runs back into their queues whose time has come."""
    return rows.write(
        "UPDATE prowess_runs SET state = 'queued', execution = execution + 1 "
        "WHERE state = 'waiting' AND wake IS NOT NULL AND wake <= ?",
        (time.time(),),
    )


# -- what people ask for


def ask_to_cancel(rows: Rows, run: str) -> str:
    """Cancel a run; its state afterwards. One that is under way is told, any other ends at once.

    It is one statement, so that a run which begins to wait at this moment is not missed.
    """
    rows.write(
        "UPDATE prowess_runs SET news = news + 1, "
        "asked = CASE WHEN state = 'running' THEN 'cancel' ELSE asked END, "
        "ended = CASE WHEN state = 'running' THEN ended ELSE ? END, "
        "state = CASE WHEN state = 'running' THEN state ELSE 'cancelled' END "
        f"WHERE run = ? AND {_GOES_ON}",
        (time.time(), run),
    )
    found = get(rows, run)
    return found.state if found else ""


def answer(rows: Rows, run: str, step: str, approved: bool, by: str) -> bool:
    """Answer an approval that waits; False when it does not (any more).

    Raises Conflict for a run that is over, so that of an answer and an end at the same time one holds.
    """
    state, value = ("completed", {"by": by}) if approved else ("failed", _refusal(by))
    done = rows.write(
        "UPDATE prowess_run_steps SET state = ?, value = ?, ended = ? "
        "WHERE run = ? AND step = ? AND kind = 'approval' AND state = 'waiting'",
        (state, written(value), time.time(), run, step),
    )
    if done and not rows.write(f"{_NEWS} AND {_GOES_ON}", (run,)):
        raise Conflict(f"run {run} is over", hint=f"prowess runs show {run}")
    return done == 1


def _refusal(by: str) -> dict[str, Any]:
    return {"code": "not-approved", "message": f"{by} said no"}


def send(rows: Rows, run: str, name: str, payload: Any, event: str) -> bool:
    """Send an event to a run, once for each id; False when the run is over."""
    found = get(rows, run)
    if found is None or found.over:
        return False
    rows.write(
        "INSERT INTO prowess_run_events (event, run, name, payload, sent, taken) VALUES (?, ?, ?, ?, ?, '') "
        "ON CONFLICT (event) DO NOTHING",
        (event, run, name, written(payload), time.time()),
    )
    rows.write(_NEWS, (run,))
    return True


def go_on(rows: Rows, run: str, forget: Sequence[str] = (), known: Mapping[str, Any] | None = None) -> bool:
    """Put a run that stopped back into its queue: `forget` steps to do again, `known` results of others."""
    for step in forget:
        rows.write("DELETE FROM prowess_run_steps WHERE run = ? AND step = ?", (run, step))
    for step, value in (known or {}).items():
        rows.write(
            "UPDATE prowess_run_steps SET state = 'completed', value = ?, ended = ? "
            "WHERE run = ? AND step = ?",
            (written(value), time.time(), run, step),
        )
    return (
        rows.write(
            "UPDATE prowess_runs SET state = 'queued', execution = execution + 1, asked = '', error = NULL, "
            "ended = NULL, owner = '', executor = '', deadline = NULL "
            "WHERE run = ? AND state IN ('failed', 'cancelled', 'attention')",
            (run,),
        )
        == 1
    )


# -- steps


def steps_of(rows: Rows, run: str) -> dict[str, StepRow]:
    """The steps of a run by their keys, in the order in which they began."""
    found = rows.read(f"SELECT {_STEP} FROM prowess_run_steps WHERE run = ? ORDER BY began, step", (run,))
    return {each.step: each for each in map(_step, found)}


def begin(rows: Rows, run: Run, step: str, kind: Kind, state: StepState, value: Any = None) -> bool:
    """Put the row of a step in, which only one can: False when it is there. Raises Superseded."""
    now = time.time()
    ended = None if state in ("started", "waiting") else now
    put_in = rows.write(
        f"INSERT INTO prowess_run_steps ({_STEP}) "  # our own names
        "SELECT run, ?, ?, ?, owner, ?, ?, ? FROM prowess_runs WHERE run = ? AND owner = ? "
        "ON CONFLICT (run, step) DO NOTHING",
        (step, kind, state, written(value), now, ended, run.run, run.owner),
    )
    if put_in != 1:
        _owned(len(rows.read("SELECT 1 FROM prowess_runs WHERE run = ? AND owner = ?", (run.run, run.owner))))
    return put_in == 1


def finish(rows: Rows, run: Run, step: str, state: StepState, value: Any) -> None:
    """How a step ended whose row is there. What this owner began, it may end whoever has the run by now."""
    _owned(
        rows.write(
            "UPDATE prowess_run_steps SET state = ?, value = ?, ended = ? "
            "WHERE run = ? AND step = ? AND owner = ? AND state = 'started'",
            (state, written(value), time.time(), run.run, step, run.owner),
        )
    )


def note(rows: Rows, run: Run, step: str, value: Any) -> None:
    """What is known about a step that began and whose end nobody knows."""
    rows.write(
        "UPDATE prowess_run_steps SET value = ? WHERE run = ? AND step = ? AND state = 'started'",
        (written(value), run.run, step),
    )


def settle(rows: Rows, run: Run, step: str, state: StepState, value: Any) -> bool:
    """End a step that waits, by time or by the owner; False when it was answered before."""
    return (
        rows.write(
            "UPDATE prowess_run_steps SET state = ?, value = ?, ended = ? WHERE run = ? AND step = ? "
            "AND state = 'waiting' AND EXISTS (SELECT 1 FROM prowess_runs WHERE run = ? AND owner = ?)",
            (state, written(value), time.time(), run.run, step, run.run, run.owner),
        )
        == 1
    )


def take_event(rows: Rows, run: Run, step: str, name: str) -> bool:
    """End a step that waits for an event with the oldest of that name that nobody took; False without one."""
    found = rows.read(
        "SELECT event, payload FROM prowess_run_events WHERE run = ? AND name = ? AND taken = '' "
        "ORDER BY sent, event LIMIT 1",
        (run.run, name),
    )
    if not found:
        return False
    event, payload = found[0]
    rows.write("UPDATE prowess_run_events SET taken = ? WHERE event = ?", (step, event))
    return settle(rows, run, step, "completed", read(payload))


def copied(rows: Rows, old: str, new: str, keep: Callable[[str], bool]) -> None:
    """Give a run the steps of another one that ended, however they did."""
    for key, each in steps_of(rows, old).items():
        if each.state in ("completed", "skipped", "failed") and keep(key):
            rows.write(
                f"INSERT INTO prowess_run_steps ({_STEP}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (new, key, each.kind, each.state, "", written(each.value), each.began, each.ended),
            )


def _owned(changed: int) -> None:
    if changed != 1:
        raise Superseded("another worker has this run")


# -- workers


def beat(rows: Rows, executor: str, place: str) -> None:
    """This worker lives."""
    now = clock(rows)
    rows.write(
        "INSERT INTO prowess_workers (executor, seen, began, place) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (executor) DO UPDATE SET seen = excluded.seen",
        (executor, now, now, place),
    )


def gone(rows: Rows, executor: str) -> None:
    """This worker ended in good order."""
    rows.write("DELETE FROM prowess_workers WHERE executor = ?", (executor,))


def alive(rows: Rows, seconds: float) -> frozenset[str]:
    """The workers that were heard of within so many seconds."""
    since = clock(rows) - seconds
    return frozenset(
        each for (each,) in rows.read("SELECT executor FROM prowess_workers WHERE seen >= ?", (since,))
    )


def forget_dead(rows: Rows, seconds: float) -> None:
    """Forget workers that have been dead for so long."""
    rows.write("DELETE FROM prowess_workers WHERE seen < ?", (clock(rows) - seconds,))


def clock(rows: Rows) -> float:
    """The time by the database, so that workers on several machines mean the same by it."""
    sql = getattr(rows, "clock", "")
    return float(rows.read(sql)[0][0]) if sql else time.time()
