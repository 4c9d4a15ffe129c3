"""The durable engine: DBOS carries runs from queues to workers; each execution of one is a workflow to it.

What a run is and what its steps did is in tables of ours, in the same database (`records_*`); DBOS keeps
which execution waits in which queue, how many may run at once, and who has claimed it. It is one per
process by its nature, so this process works for one database at a time. Its threads only wait: the
interpreter runs in the Host's own loop. DBOS is imported when an engine begins.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import threading
import uuid
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import CancelledError as Stopped
from typing import TYPE_CHECKING, Any

from prowess.errors import ProwessError, StoreFailed, UsageError
from prowess.provider import Caller
from prowess.workflow import records_runs as runs
from prowess.workflow.engine_executing import Execution
from prowess.workflow.engine_watching import Watch
from prowess.workflow.queues import DEFAULT, WorkflowsSection
from prowess.workflow.records_database import RunDatabase

if TYPE_CHECKING:
    from prowess.call.path import CallPath

APPLICATION = "prowess"
VERSION = "1"  # of what an execution is to DBOS; ours, so that a change of this file strands no run
POLL = 0.1  # seconds between two looks into a queue
CLOSE_SECONDS = 15.0

Log = Callable[..., None]
_one = threading.Lock()  # DBOS is one per process
_holder: list[Engine] = []


class Engine:
    """Works on the runs of one database until it is closed."""

    def __init__(
        self,
        database: RunDatabase,
        section: WorkflowsSection,
        *,
        path: Callable[[], CallPath],
        clean: Callable[[Any], Any],
        log: Log,
        queues: Collection[str] = (),
        scheduled: Callable[[str, str], None] | None = None,
    ) -> None:
        """`queues` are those to listen to; all without any. `scheduled` starts the run of a schedule."""
        self.database = database
        self.executor = f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self._section = section
        self._path = path
        self._clean = clean
        self._log = log
        self._queues = tuple(queues)
        self._scheduled = scheduled
        self._local: dict[str, Execution] = {}
        self._closing = False
        self._watch = Watch(self)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._handler = _Handed(log)
        self._entry: Any = None

    @property
    def section(self) -> WorkflowsSection:
        """What is settled."""
        return self._section

    @property
    def local(self) -> Mapping[str, Execution]:
        """The executions of this process."""
        return self._local

    def log(self, event: str, **fields: Any) -> None:
        """Tell of something."""
        self._log(event, **fields)

    async def begin(self) -> None:
        """Start working. Raises UsageError without the extra, or when this process has another engine."""
        with _one:
            if _holder:
                raise UsageError(
                    "this process works on the runs of another Host", hint="close that Host first"
                )
            _holder.append(self)
        self._loop = asyncio.get_running_loop()
        try:
            await asyncio.to_thread(self._launch)
        except BaseException:
            await self.close()
            raise
        self._watch.begin(self._loop)

    def _launch(self) -> None:
        try:
            from dbos import DBOS, DBOSPortableJSONSerializer
        except ImportError:
            raise UsageError(
                "workflows need the engine DBOS", hint="pip install 'prowess[workflow]'"
            ) from None
        self.database.now(lambda rows: runs.beat(rows, self.executor, socket.gethostname()))
        self._handler.begin()
        try:
            DBOS(
                config={
                    "name": APPLICATION,
                    "system_database_url": self.database.where.sqlalchemy,
                    "application_version": VERSION,
                    "executor_id": self.executor,
                    "serializer": DBOSPortableJSONSerializer(),
                    "log_level": "WARNING",
                    "sys_db_pool_size": 3,
                    "use_listen_notify": False,
                    "notification_listener_polling_interval_sec": 0.3,  # how fast it ends
                }
            )
            self._entry, fire = self._registered(DBOS)
            if self._queues:
                DBOS.listen_queues(list(self._queues))
            DBOS.launch()
            self._register_queues(DBOS)
            from prowess.workflow.schedules import apply

            apply(DBOS, fire, self._section)
        except ProwessError:
            raise
        except Exception as error:  # noqa: BLE001  # boundary: what DBOS raises is a database that cannot be used
            words = self.database.hidden(f"{type(error).__name__}: {error}")
            raise StoreFailed(f"the workflow engine cannot start: {words}") from None

    def _registered(self, dbos: Any) -> tuple[Any, Any]:
        """What DBOS is to call, under names of ours; it takes functions and no methods."""

        def execute(run: str, execution: int) -> str:
            return self._executed(run, execution)

        def fire(at: str, context: Any) -> str:
            return self._fired(at, context)

        return dbos.workflow(name="prowess_run")(execute), dbos.workflow(name="prowess_schedule")(fire)

    def _register_queues(self, dbos: Any) -> None:
        named = {DEFAULT: None, **self._section.queues}
        for name, queue in named.items():
            dbos.register_queue(
                name,
                global_concurrency=None if queue is None else queue.concurrency,
                worker_concurrency=None if queue is None else queue.per_worker,
                polling_interval_sec=POLL,
                on_conflict="always_update",
            )

    async def close(self) -> None:
        """End in good order: what is under way comes to a step's end and goes back into its queue."""
        self._closing = True
        await self._watch.end()
        for each in tuple(self._local.values()):
            each.stop("released")
        if self._local:
            await asyncio.wait([each.ended for each in self._local.values()], timeout=CLOSE_SECONDS)
        with _one:
            held = self in _holder
        if held:
            try:
                await asyncio.to_thread(self._destroy)
            finally:
                with _one:
                    _holder.remove(self)

    def _destroy(self) -> None:
        if self._entry is not None:
            from dbos import DBOS

            with contextlib.suppress(Exception):  # boundary: it ends, whatever DBOS makes of it
                DBOS.destroy(destroy_registry=True)
            self._entry = None
        self._handler.end()
        with contextlib.suppress(StoreFailed):
            self.database.now(lambda rows: runs.gone(rows, self.executor))

    # -- what DBOS calls, in threads of its own

    def _executed(self, run: str, execution: int) -> str:
        """One execution of a run, as DBOS sees it. It never fails: how a run ended is in its own row."""
        loop = self._loop
        if self._closing or loop is None:
            self._give_back(run, execution)
            return "released"
        try:
            return asyncio.run_coroutine_threadsafe(self._execute(run, execution), loop).result()
        except (RuntimeError, Stopped):  # the loop is gone
            self._give_back(run, execution)
            return "released"

    def _give_back(self, run: str, execution: int) -> None:
        with contextlib.suppress(StoreFailed):
            self.database.now(lambda rows: runs.release(rows, run, execution, ""))

    async def _execute(self, run: str, execution: int) -> str:
        owner = f"{self.executor}/{uuid.uuid4().hex[:8]}"
        claimed = await self.database.run(
            lambda rows: runs.claim(rows, run, execution, self.executor, owner), sure=True
        )
        if claimed is None:
            return "nothing to do"
        if run in self._local:
            self._local[run].stop("superseded")
        caller = Caller(
            principal=claimed.principal, conversation=f"run:{run}", rollout_key=claimed.rollout_key
        )
        mine = Execution(
            claimed, self.database, path=self._path, clean=self._clean, caller=caller, log=self._log
        )
        self._local[run] = mine
        try:
            if self._closing:
                mine.stop("released")
            return await mine.to_the_end()
        finally:
            mine.ended.set_result(None)
            if self._local.get(run) is mine:
                del self._local[run]

    def _fired(self, at: str, context: Any) -> str:
        """A schedule's time has come."""
        if self._scheduled is not None:
            self._scheduled(str(context), str(at))
        self._watch.nudge()
        return str(context)

    # -- what the watch asks of DBOS

    def nudge(self) -> None:
        """A run was put in: look at once."""
        self._watch.nudge()

    def enqueue(self, run: str, execution: int, queue: str) -> None:
        """Hand one execution of a run to DBOS; a second time changes nothing."""
        from dbos import DBOS, SetWorkflowID

        known = queue if queue == DEFAULT or queue in self._section.queues else DEFAULT
        with SetWorkflowID(f"{run}.{execution}"):
            DBOS.enqueue_workflow(known, self._entry, run, execution)

    def pending(self) -> list[tuple[str, str, str]]:
        """What DBOS says is under way anywhere: workflow id, executor, queue."""
        from dbos import DBOS

        found = DBOS.list_workflows(status="PENDING", load_input=False, load_output=False)
        return [(each.workflow_id, each.executor_id or "", each.queue_name or "") for each in found]

    def resume(self, id: str, queue: str) -> None:
        """Have DBOS give a workflow of a dead worker to another one."""
        from dbos import DBOS

        DBOS.resume_workflow(id, queue_name=queue if queue and not queue.startswith("_dbos") else None)

    def ended(self, ids: list[str]) -> set[str]:
        """Which of these DBOS will not carry any further."""
        from dbos import DBOS

        found = DBOS.list_workflows(workflow_ids=ids, load_input=False, load_output=False)
        return {each.workflow_id for each in found if each.status not in ("PENDING", "ENQUEUED", "DELAYED")}


class _Handed(logging.Handler):
    """What DBOS logs goes to the Host's log; nothing of it to the terminal."""

    def __init__(self, log: Log) -> None:
        super().__init__(level=logging.WARNING)
        self._log = log

    def begin(self) -> None:
        """Listen, before DBOS sees that nobody does."""
        logging.getLogger("dbos").propagate = False
        logging.getLogger("dbos").addHandler(self)

    def end(self) -> None:
        """Listen no more."""
        logging.getLogger("dbos").removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Hand one line on."""
        with contextlib.suppress(Exception):  # boundary: a log line never stops a worker
            self._log("workflow-engine", level=record.levelname.lower(), message=record.getMessage()[:500])
