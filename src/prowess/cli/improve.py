"""`prowess improve PATH NAME`: better wording for a skill or a unit, from cases and from call records."""

from __future__ import annotations

from prowess.cli import screen
from prowess.errors import PackageRejected, UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping, Sequence

    from prowess.choose.searching import Findable
    from prowess.cli.parsing import Parser
    from prowess.evaluate.cases import Case
    from prowess.evaluate.improving import Improvement
    from prowess.evaluate.improving_evidence import FalseTrigger
    from prowess.evaluate.improving_files import Written
    from prowess.evaluate.improving_records import Signals
    from prowess.evaluate.trigger_library import Library

PROVIDERS = ("openai-compatible", "anthropic")

MORE = """\
Cases lie beside what they are about (evals/triggers.yaml), or are named with --cases. Those marked
`split: train` are learned from, those marked `split: test` prove the result; without marks half is each.
Without a model: words for requests that are missed. For false triggers there is evidence and no
proposal. With --provider and --model (or PROWESS_PROVIDER and PROWESS_MODEL in the environment) a
model writes wordings, which are judged in the whole library; its key is OPENAI_API_KEY or ANTHROPIC_API_KEY,
or in the variable that --key-env names. The answer is a diff; --write puts it into the file.
Exit status: 0 something is better (and written, with --write), 1 nothing improves, 2 could not answer."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `improve`."""
    from prowess.cli.among import add_among
    from prowess.cli.parsing import add_format, add_local, add_profile, add_timeout

    parser.add_argument("path", metavar="PATH", help="a plugin, a folder of skills, or units")
    parser.add_argument("name", metavar="NAME", help="the skill or unit to improve")
    add_among(parser)
    parser.add_argument("--cases", metavar="FILE", action="append", help="cases in place of those beside")
    parser.add_argument(
        "--records",
        action="store_true",
        help="also learn from what people corrected, as this user's calls tell",
    )
    parser.add_argument(
        "--since", metavar="AGE", default="90d", help="with --records: how far back (default 90d)"
    )
    parser.add_argument(
        "--drafts",
        metavar="FILE",
        help="with --records: write what is no more than a guess, as cases to review",
    )
    parser.add_argument("--shorter", action="store_true", help="leave out what it can do without, instead")
    parser.add_argument("--write", action="store_true", help="put the proposal into the file")
    _add_model(parser)
    add_timeout(parser)
    add_profile(parser)
    add_local(parser)
    add_format(parser, "text", "json")


def _add_model(parser: Parser) -> None:
    """What a search with a model needs."""
    from prowess.cli.parsing import seconds

    parser.add_argument("--provider", choices=PROVIDERS, help="the protocol that the model is asked in")
    parser.add_argument("--model", metavar="NAME", help="the model that writes, and that judges")
    parser.add_argument("--url", metavar="URL", help="the provider's, up to where its paths begin")
    parser.add_argument("--key-env", metavar="NAME", help="the environment variable that holds its key")
    parser.add_argument(
        "--judge", choices=("model", "bm25"), default="model", help="who chooses among all (default: model)"
    )
    parser.add_argument("--offline", action="store_true", help="ask no model, whatever the environment says")
    parser.add_argument("--rounds", metavar="N", default="4", help="wordings that are tried (default: 4)")
    parser.add_argument("--max-calls", metavar="N", default="300", help="(default: 300)")
    parser.add_argument("--max-tokens", metavar="N", default="500000", help="(default: 500000)")
    parser.add_argument(
        "--answer-within", metavar="S", type=seconds, default=60.0, help="seconds for each answer (60)"
    )


def run(options: Namespace) -> int:
    """Gather, improve, print, write."""
    from prowess.cli.running import run as run_to_the_end
    from prowess.cli.search import whole_number
    from prowess.cli.snapshot import rejected
    from prowess.store.moments import moment

    for option in ("rounds", "max_calls", "max_tokens"):
        whole_number(getattr(options, option), f"--{option.replace('_', '-')}")
    if options.drafts and not options.records:
        raise UsageError("--drafts needs --records", hint="it writes what records suggest")
    moment(options.since)
    options.paths = [options.path]
    try:
        return run_to_the_end(_work(options))
    except PackageRejected as error:
        return rejected(options.path, error)


async def _work(options: Namespace) -> int:
    from prowess.evaluate.improving_evidence import false_triggers
    from prowess.evaluate.improving_files import file_of, proposed

    signals, library, id = await _gathered(options)
    file = file_of(options.path, id, library)
    found = await _improved(options, library, id)
    written = proposed(file, found) if file is not None and found.wording is not None else None
    false = false_triggers(library.candidates, library.cases, id)
    _print(found, false, signals, written, options)
    if found.wording is None:
        return 2 if found.undecided else 1
    if options.write:
        _write(written, file is not None, found)
    return 0


async def _gathered(options: Namespace) -> tuple[Signals | None, Library, str]:
    """What records say, the library with all cases, and the id that NAME means."""
    from prowess.cli.among import among
    from prowess.evaluate.cases import key
    from prowess.evaluate.improving_records import cases_of, drafts_of
    from prowess.evaluate.trigger_library import NoCases, candidates_of, library_at, library_of

    found = (await among(options)).by_id
    id = candidates_of(found.values()).resolve(options.name)
    signals = _signals(options, found, id) if options.records else None
    corrected: tuple[Case, ...] = ()
    if signals is not None:
        corrected = cases_of(signals, id)
        if options.drafts:
            _write_drafts(options.drafts, drafts_of(signals, id))
    try:
        library = library_at(found, [options.path], options.cases or (), id)
    except NoCases:
        if not corrected:
            raise
        return signals, library_of(found.values(), corrected), id
    known = {key(each.utterance) for each in library.cases}  # what somebody wrote counts more
    more = [each for each in corrected if key(each.utterance) not in known]
    return signals, library_of(found.values(), [*library.cases, *more]), id


def _signals(options: Namespace, found: Mapping[str, Findable], id: str) -> Signals:
    from prowess.errors import ProwessError
    from prowess.evaluate.improving_records import Signals, signals_of
    from prowess.evaluate.trigger_library import candidates_of
    from prowess.store.database import Database
    from prowess.store.moments import moment
    from prowess.store.reports import Filter, calls, decisions

    candidates = candidates_of(found.values())

    def resolve(name: str) -> str:
        for each in (name, name.rpartition("/")[2]):
            try:
                return candidates.resolve(each)
            except ProwessError:
                continue
        return ""

    since, database = moment(options.since), Database()
    try:
        if not database.exists():
            return Signals()
        asked = database.now(lambda local: decisions(local, since, MOST_RECORDS))
        made = database.now(lambda local: calls(local, Filter(since=since), MOST_RECORDS))
    finally:
        database.close()
    return signals_of(asked, made, id, resolve)


MOST_RECORDS = 20_000


def _write_drafts(path: str, drafts: Sequence[Case]) -> None:
    from prowess.cli.files import write_whole
    from prowess.evaluate.cases_writing import write_cases

    if not drafts:
        screen.say("records suggest nothing to review")
        return
    write_whole(path, write_cases(drafts, "jsonl").text.encode())
    screen.say(f"{len(drafts)} drafts to review are in {printable(path, 300)}; none is learned from")


async def _improved(options: Namespace, library: Library, id: str) -> Improvement:
    from prowess.evaluate.improving import splits_of
    from prowess.evaluate.improving_shorter import shortened
    from prowess.evaluate.improving_words import improved_by_words
    from prowess.evaluate.selectors_lexical import Lexical

    if options.shorter:
        return await shortened(library.candidates, splits_of(library.cases, id), id, Lexical())
    from prowess.cli.improve_asking import model_of

    model = model_of(options)
    if model is not None:
        return await model.improved(library, id, int(options.rounds))
    return await improved_by_words(library.candidates, splits_of(library.cases, id), id, Lexical())


def _print(
    found: Improvement,
    false: Sequence[FalseTrigger],
    signals: Signals | None,
    written: Written | None,
    options: Namespace,
) -> None:
    if options.format == "json":
        said = found.to_dict() | {"false_triggers": [each.to_dict() for each in false]}
        said["records"] = None if signals is None else signals.to_dict()
        said["diff"] = None if written is None else written.diff
        screen.document(said)
        return
    from prowess.cli.improve_text import lines_of

    screen.data("".join(f"{line}\n" for line in lines_of(found, false, signals)))
    if written is not None:
        lines = written.diff.split("\r\n")  # its line ends are part of it
        screen.data("\r\n".join(map(screen.safe, lines)))


def _write(written: Written | None, has_file: bool, found: Improvement) -> None:
    if written is None:
        what = "is not written in a file of this PATH" if not has_file else "cannot be written"
        raise UsageError(f"{printable(found.id, 80)} {what}", hint="change it where it is written")
    written.save()
    screen.say(f"written: {printable(written.path, 500)}")
