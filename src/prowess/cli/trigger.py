"""`prowess trigger PATH...`: trigger cases put to a selector, measured, and decided on."""

from __future__ import annotations

from prowess.cli import screen
from prowess.cli.among import SNAPSHOTS
from prowess.errors import PackageRejected, ProwessError, UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from prowess.cli.parsing import Parser
    from prowess.evaluate.cases import Case
    from prowess.evaluate.trials_report import Report
    from prowess.evaluate.trigger_library import Library

SELECTORS = ("bm25", "embed", "openai-compatible", "anthropic", "command", "replay")
EXPORTS = ("prowess", "jsonl", "query-list", "trigger-tests", "two-lists", "expected-skill")

MORE = f"""\
{SNAPSHOTS}
Cases lie beside what they test (evals/triggers.yaml in the package, or in a skill's or unit's folder), or
are named with --cases; docs/guides/test-triggers.md tells what they look like. bm25 is the ranking that
makes our own shortlist: what it finds is shortlist recall, and says little of what a model would choose.
openai-compatible, anthropic and command ask one, and cost something: what it takes is estimated first, and
--max-calls and --max-tokens are never exceeded. With --baseline what changed decides, not the limits.
Exit status: 0 pass, 1 fail, 2 could not tell (inconclusive, stale, an error; see --allow-inconclusive)."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `trigger`."""
    from prowess.cli.among import add_paths
    from prowess.cli.parsing import add_format

    add_paths(parser)
    parser.add_argument("--cases", metavar="FILE", action="append", help="cases in place of those beside")
    parser.add_argument(
        "--skill", metavar="NAME", default="", help="whose cases they are where they do not say"
    )
    parser.add_argument("--selector", choices=SELECTORS, default="bm25", help="what chooses (default: bm25)")
    parser.add_argument(
        "--at", metavar="1,5", type=_numbers, default=(1, 5), help="recall at these ranks (default: 1,5)"
    )
    parser.add_argument(
        "--budget",
        metavar="TOKENS",
        type=_numbers,
        default=(1_000, 2_000),
        help="budgets (default: 1000,2000)",
    )
    parser.add_argument(
        "--min-recall", metavar="RATE", type=_share, default=0.8, help="wanted (default: 0.8)"
    )
    parser.add_argument(
        "--max-false-triggers",
        metavar="RATE",
        type=_share,
        default=0.05,
        help="triggered wrongly, below (0.05)",
    )
    parser.add_argument("--baseline", metavar="FILE", help="decide on what changed since then")
    parser.add_argument("--write-baseline", metavar="FILE", help="write how each case came out")
    parser.add_argument("--matrix", metavar="FILE", help="write who was taken for whom, as SVG")
    parser.add_argument("--export", choices=EXPORTS, help="print the cases in this format, and ask nobody")
    parser.add_argument("--allow-inconclusive", action="store_true", help="exit 0 where nothing is shown")
    _add_asking(parser)
    add_format(parser, "text", "json", "junit", "markdown")


def _add_asking(parser: Parser) -> None:
    """What selectors need that ask somebody else."""
    from prowess.cli.parsing import seconds

    parser.add_argument("--model", metavar="NAME", default="", help="the model that is asked")
    parser.add_argument("--url", metavar="URL", help="the provider's, up to where its paths begin")
    parser.add_argument("--key-env", metavar="NAME", help="the variable that holds its key")
    parser.add_argument("--command", metavar="LINE", default="", help="the agent that `command` starts")
    parser.add_argument("--cassette", metavar="FILE", help="recorded answers, for `replay`")
    parser.add_argument("--record", metavar="FILE", help="put the answers on this cassette")
    parser.add_argument("--repeats", metavar="N", type=_number, help="ask each case so often (3; bm25: once)")
    parser.add_argument("--concurrency", metavar="N", type=_number, default=4, help="at a time (default: 4)")
    parser.add_argument(
        "--max-calls", metavar="N", type=_number, default=500, help="never more than these (500)"
    )
    parser.add_argument(
        "--max-tokens", metavar="N", type=_number, default=1_000_000, help="(default: 1000000)"
    )
    parser.add_argument(
        "--answer-within", metavar="S", type=seconds, default=60.0, help="seconds for each answer (60)"
    )


def run(options: Namespace) -> int:
    """Read, ask, measure, print, decide."""
    from prowess.cli.running import run as run_to_the_end
    from prowess.cli.snapshot import rejected

    try:
        return run_to_the_end(_work(options))
    except PackageRejected as error:
        return rejected(options.paths[0], error)


async def _work(options: Namespace) -> int:
    library = await _library(options)
    if options.export:
        return _exported(library.cases, options)
    report = await _measured(library, options)
    _print(report, options.format)
    _write_files(report, options)
    if report.verdict == "inconclusive" and options.allow_inconclusive:
        return 0
    return {"pass": 0, "fail": 1}.get(report.verdict, 2)


# -- what is asked about


async def _library(options: Namespace) -> Library:
    from prowess.cli.among import among
    from prowess.evaluate.trigger_library import library_at

    for path in (options.record, options.matrix, options.write_baseline):
        _insist_on_place(path)
    found = (await among(options)).by_id
    library = library_at(found, options.paths, options.cases or (), options.skill)
    if not options.export:
        library.insist_on_tests()
    return library


def _exported(cases: Sequence[Case], options: Namespace) -> int:
    from prowess.evaluate.cases_writing import write_cases

    written = write_cases(cases, options.export, skill=options.skill)
    for each in written.lost:
        screen.say(f"left out: {each}")
    screen.json_text(written.text)
    return 0


# -- asking


async def _measured(library: Library, options: Namespace) -> Report:
    from dataclasses import replace

    from prowess.cli.trigger_asking import Asking
    from prowess.evaluate.cases import completeness
    from prowess.evaluate.trials_baseline import compared, insist_on_same, read_baseline
    from prowess.evaluate.trials_gates import Aims
    from prowess.evaluate.trials_scoring import score

    baseline = read_baseline(_text(options.baseline), options.baseline) if options.baseline else None
    asking = Asking(options)
    if baseline:
        insist_on_same(asking.selector.identity, baseline)
    trials = await asking.ask(library)
    candidates = library.candidates
    report = score(
        trials,
        candidates,
        asking.selector.identity,
        Aims(
            at=options.at, budgets=options.budget, recall=options.min_recall, false=options.max_false_triggers
        ),
        completeness=completeness(library.cases, candidates.ids),
        notes=library.notes,
    )
    report = replace(report, calls=asking.meter.calls, spent=asking.meter.tokens)
    return compared(report, baseline) if baseline else report


def _text(path: str) -> str:
    from prowess.cli.files import read_bounded

    return read_bounded(path).decode("utf-8", "replace")


# -- what comes of it


def _write_files(report: Report, options: Namespace) -> None:
    if options.write_baseline:
        from prowess.evaluate.trials_baseline import baseline_of, write_baseline

        write(options.write_baseline, write_baseline(baseline_of(report)))
    if options.matrix:
        from prowess.evaluate.trigger_matrix import matrix

        write(options.matrix, matrix(report))


def _insist_on_place(path: str | None) -> None:
    """Raises UsageError where no file can be written, before anything is asked that costs something."""
    import os

    if not path or (os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)):
        return  # a terminal or `/dev/null` is written to as it is
    if os.path.isdir(path) or not os.access(os.path.dirname(os.path.realpath(path)), os.W_OK):
        hint = "name a file in a folder that can be written to"
        raise UsageError(f"{printable(path, 500)}: cannot be written", hint=hint)


def write(path: str, text: str) -> None:
    """Write a file that the user named, whole or not at all."""
    from prowess.cli.files import write_whole

    try:
        write_whole(path, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise ProwessError(f"{printable(path, 500)}: cannot be written: {error.strerror}") from error


def _print(report: Report, form: str) -> None:
    if form == "json":
        screen.document(report.to_dict())
    elif form == "junit":
        from prowess.evaluate.trigger_junit import junit

        screen.json_text(junit(report))
    elif form == "markdown":
        from prowess.evaluate.trigger_markdown import markdown

        screen.json_text(markdown(report))
    else:
        from prowess.cli.trigger_text import lines

        screen.data("".join(f"{line}\n" for line in lines(report)))


# -- arguments


def _number(text: str) -> int:
    """A whole number above 0."""
    from argparse import ArgumentTypeError

    if not (text.isascii() and text.isdigit() and 0 < len(text) < 10 and int(text)):
        raise ArgumentTypeError(f"{printable(text, 40)!r} is no whole number above 0")
    return int(text)


def _numbers(text: str) -> tuple[int, ...]:
    """Several, with commas between."""
    return tuple(sorted({_number(each.strip()) for each in text.split(",")}))


def _share(text: str) -> float:
    """A number between 0 and 1."""
    from argparse import ArgumentTypeError

    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1:  # also false for NaN
        raise ArgumentTypeError(f"{printable(text, 40)!r} is no number between 0 and 1")
    return value
