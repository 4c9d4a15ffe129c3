"""`prowess run NAME`: start a run of a workflow; with `--wait` also work on it until it is over."""

from __future__ import annotations

from prowess.cli import screen
from prowess.errors import NotFound, UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from prowess.cli.parsing import Parser
    from prowess.host.setup import Setup
    from prowess.workflow.definition import Workflow
    from prowess.workflow.provider import WorkflowProvider
    from prowess.workflow.records import Run

MORE = """\
NAME may be NAME@RANGE. Without --wait the run is put into its queue for `prowess worker`, its id is
printed, and nothing is started here. With --wait this process brings everything up and works until the run
is over; Ctrl-C gives the run back into its queue. `prowess runs` says how runs stand.
Exit status: 0 put in, or completed; 1 the run ended otherwise; 2 could not answer."""

TELL_SECONDS = 1.0


def add_arguments(parser: Parser) -> None:
    """The arguments of `run`."""
    from prowess.cli.parsing import add_format, add_profile, add_startup
    from prowess.cli.workflow_runs import add_config

    parser.add_argument("name", metavar="NAME", help="the workflow, also NAME@RANGE")
    parser.add_argument(
        "--input", metavar="JSON", default="{}", help="its input: JSON, @FILE, or - for stdin"
    )
    parser.add_argument("--queue", metavar="QUEUE", default="", help="wait in this queue")
    parser.add_argument("--wait", action="store_true", help="work on it here until it is over")
    add_config(parser)
    add_startup(parser)
    add_profile(parser)
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Start it, and wait if that is wanted."""
    from prowess.cli.arguments import arguments_of
    from prowess.cli.workflow_runs import setup
    from prowess.workflow.queues import DEFAULT

    given = arguments_of(options.input, ())
    if not isinstance(given, dict):
        raise UsageError("--input must be an object", hint="""--input '{"city": "Oslo"}'""")
    found = setup(options.config)
    if options.queue not in ("", DEFAULT, *found.workflows.queues):
        known = ", ".join((DEFAULT, *found.workflows.queues))
        raise UsageError(f"there is no queue {printable(options.queue, 60)}", hint=f"queues: {known}")
    if not options.wait:
        return _put_in(options, found, given)
    from prowess.cli.running import run as run_to_the_end

    return run_to_the_end(_work(options, given))


def _put_in(options: Namespace, found: Setup, given: dict[str, Any]) -> int:
    from prowess.cli.workflow_runs import cleaner, database, plain
    from prowess.workflow import records_runs as runs
    from prowess.workflow.provider import found_in
    from prowess.workflow.starts import insist_on_sound, new_run

    workflows = found_in(found.workflows.paths).workflows
    workflow = _meant(workflows, options.name)
    insist_on_sound(workflow, workflows)
    queue = options.queue or found.workflows.queue_of(workflow.name)
    made = new_run(workflow, workflows, cleaner(found)(given), queue=queue)
    kept = database(found)
    try:
        kept.now(lambda rows: runs.add(rows, made), sure=True)
        alive = kept.now(lambda rows: runs.alive(rows, found.workflows.dead_after), look=True)
    finally:
        kept.close()
    if options.format == "json":
        screen.document(plain(made))
    else:
        screen.data(f"{made.run}\n")
    if not alive:
        screen.say("no worker is there to run it: prowess worker")
    return 0


def _meant(workflows: tuple[Workflow, ...], name: str) -> Workflow:
    from prowess.choose.versions import split
    from prowess.workflow.catalogue import workflow_of

    short, asked = split(name)
    meant = workflow_of(workflows, short, asked)
    if meant is None:
        known = ", ".join(printable(each.title, 100) for each in workflows[:20]) or "none"
        raise NotFound(f"there is no workflow {printable(name, 80)}", hint=f"workflows: {known}")
    return meant


async def _work(options: Namespace, given: dict[str, Any]) -> int:
    from prowess.cli.bringup import brought_up
    from prowess.provider import Caller

    async with brought_up(options.config, profile=options.profile, timeout=options.startup) as host:
        provider = host.workflows
        assert provider is not None  # there are paths
        workflow = _meant(provider.workflows, options.name)
        await provider.work()
        begun = await provider.start(workflow, given, caller=Caller(), queue=options.queue)
        screen.say(f"run {begun.run} of {printable(workflow.title, 120)}")
        return await _seen_to_its_end(provider, begun, options)


async def _seen_to_its_end(provider: WorkflowProvider, begun: Run, options: Namespace) -> int:
    import time

    from prowess.cli.workflow_runs import STATUS, plain, told
    from prowess.workflow import records_runs as runs
    from prowess.workflow.records import LONGEST_QUESTION

    said: set[str] = set()
    while True:
        now = await provider.wait(begun.run, time.monotonic() + TELL_SECONDS)
        steps = await provider.database.run(lambda rows: runs.steps_of(rows, begun.run), look=True)
        if now.over:
            break
        for each in steps.values():
            if each.state == "waiting" and each.kind == "approval" and each.step not in said:
                said.add(each.step)
                asked = printable(str(each.value.get("text")), LONGEST_QUESTION)
                screen.say(f"{printable(each.step, 80)} waits: {asked}")
                screen.say(f"   prowess runs approve {begun.run}")
    if options.format == "json":
        screen.document(plain(now, steps))
    else:
        told(now, steps)
    return STATUS[now.state]
