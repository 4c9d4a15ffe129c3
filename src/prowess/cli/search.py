"""`prowess search PATH... QUERY`: the few capabilities that a query is about, within a budget of tokens."""

from __future__ import annotations

from prowess.cli import screen
from prowess.cli.among import SNAPSHOTS
from prowess.errors import PackageRejected, UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from prowess.choose.estimate import Counter
    from prowess.choose.ranked import Ranking
    from prowess.choose.searching import Found, Hit
    from prowess.cli.parsing import Parser

MORE = f"""\
{SNAPSHOTS}
What fits is shown whole, core capabilities first and then the best; the rest is named with the reason.
An offline ranking is a shortlist: it says nothing of what a model would choose from it.
Exit status: 0 found, 1 nothing answers the query, 2 could not answer."""

NAMES = 20  # to fall back to, where nothing was found
WORDS = 8  # of a hit that are printed


def add_arguments(parser: Parser) -> None:
    """The arguments of `search`."""
    from prowess.cli.among import add_paths
    from prowess.cli.parsing import add_format

    add_paths(parser)
    parser.add_argument("query", metavar="QUERY", help="what is needed, in a user's own words")
    parser.add_argument("--budget", metavar="TOKENS", default="2000", help="what may be shown (default 2000)")
    parser.add_argument("--limit", metavar="N", default="20", help="at most so many are ranked (default 20)")
    parser.add_argument(
        "--core", metavar="NAME", action="append", help="always shown; by default the units that say so"
    )
    parser.add_argument(
        "--exact", action="store_true", help="count tokens by a vocabulary (needs the extra tokens)"
    )
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Gather, search, print."""
    from prowess.cli.running import run as run_to_the_end
    from prowess.cli.snapshot import rejected

    if not options.query.strip():
        raise UsageError("the query is empty", hint='prowess search PATH "what is needed"')
    whole_number(options.budget, "--budget", least=0)
    whole_number(options.limit, "--limit")
    try:
        return run_to_the_end(_work(options))
    except PackageRejected as error:
        return rejected(options.paths[0], error)


def whole_number(text: str, option: str, *, least: int = 1) -> int:
    """The number that an option gives. Raises UsageError."""
    if text.isascii() and text.isdigit() and least <= int(text[:10]) < 1_000_000_000:
        return int(text)
    raise UsageError(f"{option} must be a whole number from {least} on; found {printable(text, 60)}")


def estimate(exact: bool) -> Counter:
    """How tokens are counted."""
    if exact:
        from prowess.host.token_counter import counter

        return counter()
    from prowess.choose.estimate import tokens

    return tokens


async def _work(options: Namespace) -> int:
    from prowess.cli.among import among

    searchable = await among(options)
    found = searchable.search(
        options.query,
        budget=int(options.budget),
        limit=int(options.limit),
        core=options.core,
        estimate=estimate(options.exact),
    )
    if options.format == "json":
        screen.document(found.to_dict())
    else:
        screen.data("".join(f"{line}\n" for line in lines_of(found, len(searchable.by_id))))
    return 0 if found.cleared else 1


def lines_of(found: Found, among: int) -> Iterator[str]:
    """The answer for people."""
    for hit in found.shown:
        yield f"{_name(hit)}  {_scored(hit)}"
        yield f"    {printable(' '.join(hit.findable.entry.description.split()), 200)}"
        yield from _why(hit)
    for hit in found.left_out:
        yield f"left out: {_name(hit)}  {_scored(hit)}"
    ranking = found.ranking
    if not found.cleared:
        yield from _nothing(ranking, among)
        return
    beyond = ranking.found - len(ranking)
    further = f", {beyond} more beyond --limit" if beyond > 0 else ""
    yield f"{ranking.found} of {among} found{further}; {found.tokens} of {found.budget} tokens shown"
    if found.tokens > found.budget:
        yield "  what is always shown takes more than the budget by itself"
    if ranking.margin is not None and ranking.margin.words:
        word, _ = ranking.margin.words[0]
        first, second = printable(ranking.margin.first, 80), printable(ranking.margin.second, 80)
        ahead = f"by {ranking.margin.ahead:.2f}, most of all for {_quoted(word)}"
        yield f"  {first} stands before {second} {ahead}"
    if ranking.unknown:
        yield f"  in no capability: {', '.join(map(_quoted, ranking.unknown[:WORDS]))}"


def _name(hit: Hit) -> str:
    return f"{printable(hit.findable.id, 128)} ({hit.findable.kind})"


def _scored(hit: Hit) -> str:
    always = ["always shown"] if hit.findable.core and hit.left_out is None else []
    score = [f"score {hit.ranked.score:.2f}"] if hit.ranked is not None else []
    takes = f"{hit.tokens} tokens" if hit.left_out is None else hit.left_out.why
    return ", ".join([*score, *always, takes])


def _why(hit: Hit) -> Iterator[str]:
    if hit.ranked is None:
        return
    told = [
        f"{field}: {', '.join(printable(word, 40) for word in words[:WORDS])}"
        for field, words in hit.ranked.matched.items()
    ]
    yield f"    matched in {'; '.join(told)}"


def _nothing(ranking: Ranking, among: int) -> Iterator[str]:
    yield f"none of {among} says that"
    if ranking.names:
        shown = ", ".join(printable(each, 80) for each in ranking.names[:NAMES])
        rest = f" and {len(ranking.names) - NAMES} more" if len(ranking.names) > NAMES else ""
        yield f"  there are {shown}{rest}"


def _quoted(word: str) -> str:
    return f'"{printable(word, 40)}"'
