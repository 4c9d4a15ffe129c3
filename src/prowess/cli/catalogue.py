"""`prowess catalogue PATH...`: the capabilities as text for a system prompt, within a budget of tokens."""

from __future__ import annotations

from prowess.cli import screen
from prowess.cli.among import SNAPSHOTS
from prowess.errors import PackageRejected
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.cli.parsing import Parser

MORE = f"""\
{SNAPSHOTS}
An entry is a name, a description, then the phrases that it is asked for by. With --budget the core
ones are printed and then, in their order, what fits whole; with --query the best for it come first.
Entries that take more tokens than is advised, and what is left out, are told on stderr.
Exit status: 0 printed, 1 something was left out, 2 could not answer."""

TOLD = 10  # that were left out, by name


def add_arguments(parser: Parser) -> None:
    """The arguments of `catalogue`."""
    from prowess.cli.among import add_paths

    add_paths(parser)
    parser.add_argument("--budget", metavar="TOKENS", help="print no more than these (default: all)")
    parser.add_argument("--query", metavar="TEXT", help="the order in which the budget is filled")
    parser.add_argument(
        "--format",
        choices=("xml", "json", "markdown"),
        default="xml",
        help="default xml; json is a line each",
    )
    parser.add_argument(
        "--exact", action="store_true", help="count tokens by a vocabulary (needs the extra tokens)"
    )


def run(options: Namespace) -> int:
    """Gather, pack, print."""
    from prowess.cli.running import run as run_to_the_end
    from prowess.cli.search import whole_number
    from prowess.cli.snapshot import rejected

    if options.budget is not None:
        whole_number(options.budget, "--budget", least=0)
    try:
        return run_to_the_end(_work(options))
    except PackageRejected as error:
        return rejected(options.paths[0], error)


async def _work(options: Namespace) -> int:
    from prowess.choose.catalogue import advice, catalogue, checked_format, entry_text, frame
    from prowess.choose.packing import Definition, pack
    from prowess.cli.among import among
    from prowess.cli.search import estimate

    searchable, form, count = await among(options), checked_format(options.format), estimate(options.exact)
    order = list(searchable.by_id)
    if options.query:
        best = searchable.index.rank(options.query, limit=max(1, len(order))).ids
        order = [*best, *(each for each in order if each not in set(best))]
    texts = {id: entry_text(each.entry, form) for id, each in searchable.by_id.items()}
    definitions = [Definition(id=id, text=f"{texts[id]}\n") for id in order]
    core = [each for each in definitions if searchable.by_id[each.id].core]
    around = count(frame(form)) if order else 0  # the budget is that of all that is printed
    whole = around + sum(count(each.text) for each in definitions)
    budget = whole if options.budget is None else int(options.budget)
    packed = pack(core, definitions, max(0, budget - around), count)
    entries = [searchable.by_id[id].entry for id in packed.ids]
    screen.data(catalogue(entries, form))
    for each in advice(entries, format=form, estimate=count):
        told = f"{each.tokens} tokens, more than the {each.advised} advised for a {each.kind}"
        screen.say(f"{printable(each.name, 128)}: {told}")
    if packed.left_out:
        names = ", ".join(printable(each.id, 128) for each in packed.left_out[:TOLD])
        more = f" and {len(packed.left_out) - TOLD} more" if len(packed.left_out) > TOLD else ""
        screen.say(f"left out: {names}{more}")
    printed = around + packed.tokens if entries else 0
    screen.say(f"{len(entries)} of {len(order)}, {printed} tokens of {whole}")
    return 1 if packed.left_out else 0
