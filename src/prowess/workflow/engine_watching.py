"""What keeps runs going: the heartbeat of this worker, and the sweep that finds what nobody carries.

The sweep hands new runs to the engine, wakes those whose time has come, and takes over the runs of
workers that are dead. What several workers do at once is decided by one row of the database, so that
one of them succeeds. Both run in threads of their own: a busy loop is no dead worker.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from functools import partial
from typing import TYPE_CHECKING

from prowess.errors import StoreFailed
from prowess.workflow import records_runs as runs

if TYPE_CHECKING:
    from prowess.workflow.engine import Engine

SWEEP = 0.5  # seconds between two sweeps; a new run of this process is not waited for
LOOK = 0.2  # seconds between two looks at what is asked of the runs here
STUCK = 10.0  # seconds between two looks for runs that DBOS has let go of
FORGET = 3_600.0  # seconds after which a dead worker is forgotten


class Watch:
    """The threads of one engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._stop = threading.Event()
        self._nudge = threading.Event()
        self._threads: list[threading.Thread] = []
        self._looking: asyncio.Task[None] | None = None
        self._looked_for_stuck = time.monotonic()

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to watch."""
        for name, work in (("heartbeat", self._beating), ("sweep", self._sweeping)):
            thread = threading.Thread(target=work, name=f"prowess-{name}", daemon=True)
            thread.start()
            self._threads.append(thread)
        self._looking = loop.create_task(self._look())

    async def end(self) -> None:
        """Watch no more."""
        self._stop.set()
        self._nudge.set()
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])
        await asyncio.to_thread(self._join)

    def _join(self) -> None:
        for each in self._threads:
            each.join(timeout=35)

    def nudge(self) -> None:
        """Sweep now."""
        self._nudge.set()

    # -- heartbeat

    def _beating(self) -> None:
        engine = self._engine
        every = engine.section.dead_after / 5
        while not self._stop.wait(every):
            with contextlib.suppress(StoreFailed):  # it is tried again; others may think that we are dead
                engine.database.now(lambda rows: runs.beat(rows, engine.executor, socket.gethostname()))

    # -- sweep

    def _sweeping(self) -> None:
        while not self._stop.is_set():
            try:
                self._swept()
            except Exception as error:  # noqa: BLE001  # boundary: the next sweep may find the database again
                if not self._stop.is_set():
                    self._engine.log("workflow-sweep-failed", error=f"{type(error).__name__}: {error}"[:500])
            self._nudge.wait(SWEEP)
            self._nudge.clear()

    def _swept(self) -> None:
        database = self._engine.database
        if database.now(runs.wake_due_count, look=True):
            database.now(runs.wake_due)
        new = database.now(runs.to_enqueue, look=True)
        done = []
        for run, execution, queue in new:
            if self._stop.is_set():
                return
            self._engine.enqueue(run, execution, queue)
            done.append((run, execution))
        if done:
            database.now(lambda rows: runs.was_enqueued(rows, done))
        self._take_over()
        if time.monotonic() - self._looked_for_stuck > STUCK:
            self._looked_for_stuck = time.monotonic()
            self._unstick()

    def _take_over(self) -> None:
        engine, database = self._engine, self._engine.database
        alive = database.now(lambda rows: runs.alive(rows, engine.section.dead_after), look=True) | {
            engine.executor
        }
        for id, executor, queue in engine.pending():
            if executor in alive or self._stop.is_set():
                continue
            if self._is_ours(id, alive):
                engine.log("workflow-taken-over", id=id, worker=executor)
                engine.resume(id, queue)

    def _is_ours(self, id: str, alive: frozenset[str]) -> bool:
        """Whether it is for us to wake up what a dead worker had."""
        engine, database = self._engine, self._engine.database
        run, _, number = id.rpartition(".")
        known = database.now(lambda rows: runs.get(rows, run), look=True) if number.isdecimal() else None
        if known is None or known.execution != int(number) or known.state not in ("queued", "running"):
            return True  # a schedule's moment, or nothing is left to do but to say so to DBOS
        if known.executor == engine.executor and not known.owner:
            return True  # we took it over, and could not say so to DBOS
        if known.executor in alive:
            return False
        return database.now(
            lambda rows: runs.take_over(rows, run, int(number), known.executor, engine.executor), sure=True
        )

    def _unstick(self) -> None:
        """Runs that DBOS carries no further, though they are not over: once more, from their record."""
        database = self._engine.database
        waiting = [
            each for each in database.now(runs.carried, look=True) if each[0] not in self._engine.local
        ]
        ended = self._engine.ended([f"{run}.{number}" for run, number, _ in waiting]) if waiting else set()
        for run, number, owner in waiting:
            if f"{run}.{number}" in ended:
                database.now(partial(runs.release, run=run, execution=number, owner=owner))
        database.now(lambda rows: runs.forget_dead(rows, FORGET))

    # -- what is asked of the runs here

    async def _look(self) -> None:
        engine = self._engine
        while True:
            await asyncio.sleep(LOOK)
            here = dict(engine.local)
            if not here:
                continue
            try:
                now = await engine.database.run(lambda rows: runs.under_way(rows, engine.executor), look=True)
            except StoreFailed:
                continue
            for run, mine in here.items():
                owner, asked, news = now.get(run, ("", "", mine.news))
                if owner != mine.run.owner:
                    if engine.local.get(run) is mine and run in now:
                        mine.stop("superseded")
                elif asked == "cancel":
                    mine.stop("cancelled")
                elif news != mine.news:
                    mine.heard(news)
