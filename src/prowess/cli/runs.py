"""`prowess runs ...`: how runs of workflows stand, and what people do with them.

Only what is on record is read and written; workers notice within a moment. No server is started.
"""

from __future__ import annotations

from prowess.cli import screen
from prowess.errors import NotFound, UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from prowess.cli.parsing import Parser
    from prowess.workflow.attending import Attendant, Attended
    from prowess.workflow.records_database import RunDatabase

MORE = """\
list     runs, the newest first (--state, --workflow, --limit; --asking: only those that wait for an answer)
show     one run with its steps; --format mermaid draws it
approve  say yes to a step that waits (STEP, where several do); --refuse says no
send     send the event NAME to a run, with --payload JSON
cancel   end a run; a call that must not be left halfway is seen to its end first
resume   go on with a run that failed, was cancelled or needs attention: finished steps are not done again.
         Where a step may have acted: --result JSON is what it gave, --again does it once more
retry    begin a new run that has what RUN did before --from STEP
rates    the share of completed runs for each version of each workflow
RUN is the beginning of an id.
Exit status: 0 done; 1 show: it ended otherwise than completed, rates: one is below --at-least; 2 could not
answer."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `runs`."""
    from prowess.cli.parsing import add_format
    from prowess.cli.workflow_runs import add_config

    parser.add_argument("action", metavar="ACTION", choices=tuple(ACTIONS), help=", ".join(ACTIONS))
    parser.add_argument("run", metavar="RUN", nargs="?", help="which run")
    parser.add_argument("what", metavar="STEP|NAME", nargs="?", help="approve: which step; send: which event")
    parser.add_argument("--state", default="", help="list: only those in this state")
    parser.add_argument("--workflow", default="", metavar="NAME", help="list: only those of this workflow")
    parser.add_argument("--asking", action="store_true", help="list: only those that wait for a yes or a no")
    parser.add_argument(
        "--limit", type=int, default=50, metavar="N", help="list: at most so many (default 50)"
    )
    parser.add_argument("--refuse", action="store_true", help="approve: say no")
    parser.add_argument("--payload", default="null", metavar="JSON", help="send: what comes with the event")
    parser.add_argument("--again", action="store_true", help="resume: do the step again that may have acted")
    parser.add_argument("--result", metavar="JSON", help="resume: what the step gave that may have acted")
    parser.add_argument("--from", dest="step", metavar="STEP", help="retry: the first step that is done anew")
    parser.add_argument("--at-least", type=float, default=0.0, metavar="SHARE", help="rates: from 0 to 1")
    add_config(parser)
    add_format(parser, "text", "json", "mermaid")


def run(options: Namespace) -> int:
    """Do what was asked."""
    from prowess.cli.workflow_runs import database, setup

    if options.format == "mermaid" and options.action != "show":
        raise UsageError("--format mermaid is for show")
    if options.action in ("list", "rates"):
        if options.run is not None:
            raise UsageError(f"{options.action} takes no RUN", hint="prowess runs --help")
        _insist_on_list(options)
    elif options.run is None:
        raise UsageError(f"{options.action} needs a RUN", hint="prowess runs list")
    kept = database(setup(options.config))
    try:
        if not kept.exists():
            return _nothing(options)
        answer: int = ACTIONS[options.action](kept, options)
        return answer
    finally:
        kept.close()


def _nothing(options: Namespace) -> int:
    if options.run is not None:
        raise NotFound(f"there is no run {printable(options.run, 80)}", hint="prowess runs list")
    _shown([], options, "runs") if options.format == "json" else screen.say("there are no runs")
    return 0


def _shown(found: list[dict[str, Any]], options: Namespace, name: str) -> None:
    screen.document({"format": 1, name: found})


def _one(kept: RunDatabase, options: Namespace) -> Attended:
    from prowess.workflow import attending

    return kept.now(lambda rows: attending.attended(rows, _user(), options.run), look=True)


def _user() -> Attendant:
    """Who sits here: whoever reaches the database decides on every run in it."""
    import getpass

    from prowess.workflow.attending import Attendant

    try:
        return Attendant(principal=getpass.getuser())
    except (OSError, KeyError):
        return Attendant(principal="somebody")


def _insist_on_list(options: Namespace) -> None:
    from prowess.workflow import records_runs as runs
    from prowess.workflow.records import OVER

    states = ("queued", "running", "waiting", *OVER)
    if options.state not in ("", *states):
        raise UsageError(
            f"there is no state {printable(options.state, 40)}", hint=f"states: {', '.join(states)}"
        )
    if not 1 <= options.limit <= runs.MOST_LISTED:
        raise UsageError(f"--limit must be from 1 to {runs.MOST_LISTED}")


def _list(kept: RunDatabase, options: Namespace) -> int:
    from prowess.cli.workflow_runs import asked, line, plain
    from prowess.workflow import attending

    found = kept.now(
        lambda rows: attending.listed(
            rows,
            _user(),
            state=options.state,
            workflow=options.workflow,
            asking=options.asking,
            limit=options.limit,
        ),
        look=True,
    )
    if options.format == "json":
        _shown([plain(each.run) | asked(each.questions) for each in found], options, "runs")
        return 0
    for each in found:
        screen.data(line(each.run))
        screen.data("".join(f"  {printable(q.step, 120)} asks: {q.text}\n" for q in each.questions))
    if not found:
        screen.say("there are no such runs")
    return 0


def _show(kept: RunDatabase, options: Namespace) -> int:
    from prowess.cli.workflow_runs import STATUS, asked, plain, told

    found = _one(kept, options)
    one, steps = found.run, found.steps
    if options.format == "json":
        screen.document(plain(one, steps) | asked(found.questions))
    elif options.format == "mermaid":
        from prowess.workflow.picture import picture
        from prowess.workflow.provider_tools import step_states
        from prowess.workflow.reading import read_document

        screen.data(picture(read_document(one.definition["workflow"]), step_states(one, steps)))
    else:
        told(one, steps)
    return STATUS.get(one.state, 0)


def _approve(kept: RunDatabase, options: Namespace) -> int:
    from prowess.workflow import attending

    answer = attending.refuse if options.refuse else attending.approve
    said = kept.now(lambda rows: answer(rows, _user(), options.run, options.what), sure=True)
    screen.say(f"{'refused' if options.refuse else 'approved'}: {said.text}")
    return 0


def _send(kept: RunDatabase, options: Namespace) -> int:
    from prowess.cli.arguments import arguments_of
    from prowess.workflow import records_runs as runs
    from prowess.workflow.starts import new_id

    if not options.what or len(options.what) > 200:
        raise UsageError("send needs the NAME of an event, of at most 200 characters")
    one, payload = _one(kept, options).run, arguments_of(options.payload, ())
    if not kept.now(lambda rows: runs.send(rows, one.run, options.what, payload, new_id()), sure=True):
        raise UsageError(f"run {one.run} is over")
    screen.say(f"sent to run {one.run}")
    return 0


def _cancel(kept: RunDatabase, options: Namespace) -> int:
    from prowess.workflow import attending

    one = kept.now(lambda rows: attending.cancel(rows, _user(), options.run), sure=True)
    over = one.state == "cancelled"
    screen.say(f"run {one.run} is cancelled" if over else f"run {one.run} is told to end")
    return 0


def _resume(kept: RunDatabase, options: Namespace) -> int:
    from prowess.cli.arguments import arguments_of
    from prowess.cli.workflow_runs import cleaner, setup
    from prowess.workflow import attending

    if options.again and options.result is not None:
        raise UsageError("--again and --result cannot both be said")
    result = None
    if options.result is not None:
        result = {"value": cleaner(setup(options.config))(arguments_of(options.result, ()))}
    one = kept.now(
        lambda rows: attending.resume(rows, _user(), options.run, again=options.again, result=result),
        sure=True,
    )
    screen.say(f"run {one.run} goes on")
    return 0


def _retry(kept: RunDatabase, options: Namespace) -> int:
    from prowess.cli.workflow_runs import plain
    from prowess.workflow import attending

    if not options.step:
        raise UsageError("retry needs --from STEP", hint="prowess runs show RUN")
    new = kept.now(lambda rows: attending.retry(rows, _user(), options.run, options.step), sure=True)
    if options.format == "json":
        screen.document(plain(new))
    else:
        screen.data(f"{new.run}\n")
    return 0


def _rates(kept: RunDatabase, options: Namespace) -> int:
    from prowess.workflow import records_runs as runs

    found: list[dict[str, Any]] = []
    for workflow, version, states in kept.now(runs.rates, look=True):
        share = runs.completion(states)
        found.append({"workflow": workflow, "version": version, "completion": share, "states": states})
    if options.format == "json":
        _shown(found, options, "rates")
    else:
        for each in found:
            share, states = each["completion"], each["states"]
            counted = ", ".join(f"{count} {state}" for state, count in states.items())
            shown = "-" if share is None else f"{share:.1%}"
            screen.data(f"{printable(str(each['workflow']), 80)}@{each['version']}  {shown}  {counted}\n")
    low = [each for each in found if each["completion"] is not None and each["completion"] < options.at_least]
    return 1 if low else 0


ACTIONS = {
    "list": _list,
    "show": _show,
    "approve": _approve,
    "send": _send,
    "cancel": _cancel,
    "resume": _resume,
    "retry": _retry,
    "rates": _rates,
}
