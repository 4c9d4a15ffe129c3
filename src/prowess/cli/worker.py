"""`prowess worker`: bring everything up and work on runs of workflows until it is told to stop."""

from __future__ import annotations

from prowess.cli import screen
from prowess.errors import UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.cli.parsing import Parser

MORE = """\
As many workers may run as you like: on one machine over an SQLite file, on many over PostgreSQL. What a
worker has under way when it is killed, another one goes on with. Ctrl-C and TERM end it in good order: calls
under way come to their end, and the runs go back into their queues."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `worker`."""
    from prowess.cli.parsing import add_profile, add_startup
    from prowess.cli.workflow_runs import add_config

    parser.add_argument(
        "--queue",
        metavar="QUEUE",
        action="append",
        default=[],
        help="only this queue; may repeat (default: all)",
    )
    add_config(parser)
    add_startup(parser)
    add_profile(parser)


def run(options: Namespace) -> int:
    """Work."""
    from prowess.cli.running import run as run_to_the_end
    from prowess.cli.workflow_runs import setup
    from prowess.workflow.queues import DEFAULT

    known = (DEFAULT, *setup(options.config).workflows.queues)
    for each in options.queue:
        if each not in known:
            raise UsageError(f"there is no queue {printable(each, 60)}", hint=f"queues: {', '.join(known)}")
    return run_to_the_end(_work(options))


async def _work(options: Namespace) -> int:
    import asyncio

    from prowess.cli.bringup import brought_up

    async with brought_up(options.config, profile=options.profile, timeout=options.startup) as host:
        provider = host.workflows
        assert provider is not None  # there are paths
        await provider.work(options.queue)
        queues = ", ".join(options.queue) or "all queues"
        screen.say(f"working on {queues}; {len(provider.workflows)} workflows are known here")
        await asyncio.Event().wait()
    return 0
