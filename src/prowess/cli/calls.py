"""`prowess calls`: what was called and how it ended; a summary; one trace as one story.

It reads this user's records, of every package, and starts nothing. Records hold no arguments and no
results, and were redacted before they were written.
"""

from __future__ import annotations

from prowess.cli import screen
from prowess.errors import UsageError
from prowess.redact import printable
from prowess.store.moments import moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from prowess.cli.parsing import Parser
    from prowess.store.database import Database
    from prowess.store.remembered import CallRecord, DecisionRecord, RequestRecord
    from prowess.store.reports import Filter, Story, Summary

OUTCOMES = ("answered", "tool-failed", "input-required", "timed-out", "lost", "refused")
SHORT = 12  # characters of an id that people see; enough to find it again

MORE = """\
AGE is a number with s, m, h or d (90m, 7d), or a date or time such as 2026-07-31 or 2026-07-31T14:30.
Times of a summary are of calls that were sent.
Exit status: 0 answered (also when there are no calls), 2 could not answer."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `calls`."""
    from prowess.cli.parsing import add_format

    parser.add_argument("--tool", metavar="NAME", default="", help="only this tool; may have * and ?")
    parser.add_argument("--server", metavar="ID", default="", help="only this server; may have * and ?")
    parser.add_argument("--outcome", choices=OUTCOMES, default="", help="only calls that ended so")
    parser.add_argument("--since", metavar="AGE", default="", help="only calls since then")
    parser.add_argument("--caller", metavar="NAME", default="", help="only this principal or conversation")
    parser.add_argument("--trace", metavar="ID", default="", help="only traces whose id begins so")
    parser.add_argument("--limit", metavar="N", default="50", help="at most so many, the latest (default 50)")
    parser.add_argument("--summary", action="store_true", help="counts, times, failures by reason instead")
    parser.add_argument(
        "--story", metavar="ID", help="choice, calls and requests of one trace, in their order, instead"
    )
    parser.add_argument("--forget", metavar="AGE", help="delete every record that is older, instead")
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Read, print, answer."""
    from prowess.store.database import Database

    wanted, limit = _filter(options), _limit(options.limit)
    _insist_on_one(options)
    database = Database()
    try:
        if options.story is not None:
            _story(database, options)
        elif options.forget is not None:
            _forget(database, options)
        elif options.summary:
            _summary(database, wanted, options.format)
        else:
            _list(database, wanted, limit, options.format)
    finally:
        database.close()
    return 0


def _insist_on_one(options: Namespace) -> None:
    chosen = [options.summary, options.story is not None, options.forget is not None]
    if sum(chosen) > 1:
        raise UsageError(
            "--summary, --story and --forget cannot be had together", hint="prowess calls --help"
        )


def _filter(options: Namespace) -> Filter:
    from prowess.store.reports import Filter

    return Filter(
        tool=options.tool,
        server=options.server,
        outcome=options.outcome,
        caller=options.caller,
        trace=options.trace,
        since=moment(options.since) if options.since else 0.0,
    )


def _limit(text: str) -> int:
    if text.isascii() and text.isdigit() and 0 < int(text[:10]) < 1_000_000_000:
        return int(text)
    raise UsageError(f"--limit must be a whole number above 0; found {printable(text, 60)}")


def _list(database: Database, wanted: Filter, limit: int, form: str) -> None:
    from prowess.store.reports import calls

    found = database.now(lambda local: calls(local, wanted, limit)) if database.exists() else ()
    if form == "json":
        screen.document({"calls": [_plain(each) for each in found]})
        return
    for each in found:
        screen.data(f"{_time(each.started)}  {_call(each)}\n")
    if not found:
        screen.say("no calls")


def _plain(record: Any) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(record)


def _time(started: float) -> str:
    from datetime import datetime

    try:
        return datetime.fromtimestamp(started).isoformat(" ", "seconds")
    except (ValueError, OverflowError, OSError):
        return f"{started:.0f}"


def _call(record: CallRecord) -> str:
    """One call in one line, without its time."""
    ended = record.outcome + (f" ({printable(record.code, 40)})" if record.code else "")
    attempts = f", {record.attempts} attempts" if record.attempts > 1 else ""
    took = _ms(record.duration_ms) + attempts
    return f"{printable(record.id[:SHORT])}  {_named(record.server, record.tool)}: {ended}, {took}"


def _ms(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.1f} ms" if value < 100 else f"{value:.0f} ms"


def _summary(database: Database, wanted: Filter, form: str) -> None:
    from prowess.store.reports import Summary, summary

    nothing = Summary(calls=0, answered=0, refused=0, p50_ms=None, p95_ms=None, tools=(), failures=())
    whole = database.now(lambda local: summary(local, wanted)) if database.exists() else nothing
    if form == "json":
        screen.document(_plain(whole))
    else:
        screen.data("".join(f"{line}\n" for line in _summed(whole)))


def _summed(whole: Summary) -> list[str]:
    lines = [_counts(whole)]
    lines += [f"  {_named(each.server, each.tool)}: {_counts(each)}" for each in whole.tools]
    if whole.failures:
        lines.append("not answered:")
    for failure in whole.failures:
        reason = f" ({printable(failure.code, 60)})" if failure.code else ""
        lines.append(f"  {failure.calls:6}  {failure.outcome}{reason}")
    return lines


def _named(server: str, tool: str) -> str:
    return f"{printable(server, 80)}/{printable(tool, 80)}"


def _counts(each: Any) -> str:
    refused = f", {each.refused} refused" if each.refused else ""
    times = f"; p50 {_ms(each.p50_ms)}, p95 {_ms(each.p95_ms)}" if each.p50_ms is not None else ""
    return f"{each.calls} call{'' if each.calls == 1 else 's'}, {each.answered} answered{refused}{times}"


def _story(database: Database, options: Namespace) -> None:
    from prowess.errors import NotFound
    from prowess.store.reports import story

    if not database.exists():
        raise NotFound("there are no records yet", hint="they are written by the first call")
    told = database.now(lambda local: story(local, options.story))
    if options.format == "json":
        screen.document(_plain(told))
    else:
        screen.data("".join(f"{line}\n" for line in lines_of(told)))


def lines_of(told: Story) -> list[str]:
    """A story in the order in which it happened, requests below the call that made them."""
    calls = {each.id for each in told.calls}
    entries = [(each.started, _choice(each)) for each in told.decisions]
    entries += [(each.started, _called(each, told)) for each in told.calls]
    entries += [
        (each.started, [f"sent    {_request(each)}"]) for each in told.requests if each.call not in calls
    ]
    entries.sort(key=lambda entry: entry[0])
    lines = [f"trace {printable(told.trace_id, 64)}"]
    for started, words in entries:
        lines += [f"{_time(started)}  {words[0]}", *(f"{'':21}        {word}" for word in words[1:])]
    return lines


def _choice(decision: DecisionRecord) -> list[str]:
    shown = printable(", ".join(decision.shown), 500) or "nothing"
    chosen = printable(decision.chosen, 80) or "none"
    return [f"asked   {printable(decision.utterance, 500)}", f"shown: {shown}; chosen: {chosen}"]


def _called(call: CallRecord, told: Story) -> list[str]:
    return [f"called  {_call(call)}", *(_request(each) for each in told.requests if each.call == call.id)]


def _request(request: RequestRecord) -> str:
    status = str(request.status) if request.status else "no answer"
    return (
        f"{printable(request.method, 20)} {printable(request.url, 300)}: {status}, {_ms(request.duration_ms)}"
    )


def _forget(database: Database, options: Namespace) -> None:
    from prowess.store.records import forget

    before = moment(options.forget)
    gone = database.now(lambda local: forget(local, before)) if database.exists() else 0
    if options.format == "json":
        screen.document({"forgotten": gone})
    else:
        screen.data(f"{gone} record{'' if gone == 1 else 's'} deleted\n")
