"""`prowess tools PATH`: the tools that a model may use now, also as a provider's function definitions."""

from __future__ import annotations

from prowess.cli import screen, targets
from prowess.errors import PackageRejected
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from prowess.call.pinning import Changed
    from prowess.capability.offer import Offer, Tool
    from prowess.cli.parsing import Parser

MORE = """\
What the policy denies, and what changed since it was first seen, is not shown to a model; each tool
that is hidden because it changed has a line on stderr.
Exit status: 0 printed, 1 the plugin is rejected, 2 could not answer."""

DIALECTS = ("openai", "anthropic", "gemini")


def add_arguments(parser: Parser) -> None:
    """The arguments of `tools`."""
    from prowess.cli.parsing import add_format, add_profile, add_timeout

    parser.add_argument("path", metavar="PATH", help="a plugin's directory, a prowess.toml, or units")
    add_timeout(parser)
    add_profile(parser)
    add_format(parser, "text", "json", *DIALECTS)


def run(options: Namespace) -> int:
    """Bring up, look, print."""
    from prowess.cli.running import run as run_to_the_end
    from prowess.cli.snapshot import rejected

    targets.told(options.path, "config", "units", "content")
    try:
        return run_to_the_end(_work(options))
    except PackageRejected as error:
        return rejected(options.path, error)


async def _work(options: Namespace) -> int:
    from prowess.cli.bringup import brought_up

    async with brought_up(options.path, profile=options.profile, timeout=options.timeout) as host:
        tools = await host.tools()
        hidden = await host.changed()
        offers = host.offers
        document = await host.tools(options.format, read_on=False) if options.format in DIALECTS else None
    _tell(hidden)
    for offer in offers:
        _tell_of_content(offer)
    if document is not None:
        screen.document(document)
    elif options.format == "json":
        screen.document([{**each.wire, "server": each.server} for each in tools])
    else:
        screen.data("".join(_line(each) for each in tools))
    return 0


def _tell(hidden: Sequence[Changed]) -> None:
    for each in hidden:
        places = ", ".join(printable(change.path, 100) for change in each.changes[:5])
        name = f"{printable(each.tool.server, 80)}/{printable(each.tool.name, 80)}"
        screen.say(f"{name}: hidden, it is not what it was when it was first seen ({places})")


def _tell_of_content(offer: Offer) -> None:
    """What a server offers that is no tool, where it has none."""
    others = {"prompts": offer.prompts, "resources": offer.resources, "templates": offer.templates}
    counts = [f"{len(each)} {name if len(each) != 1 else name[:-1]}" for name, each in others.items() if each]
    if counts and not offer.tools:
        screen.say(
            f"{printable(offer.id, 80)}: no tools, but {', '.join(counts)}; prowess snapshot shows them"
        )


def _line(tool: Tool) -> str:
    parameters = tool.input_schema.get("properties")
    names = ", ".join(parameters) if isinstance(parameters, dict) else ""
    about = " ".join((tool.description or "").split())
    return (
        f"{printable(tool.server, 80)}/{printable(tool.name, 128)}({printable(names, 200)})\n"
        f"    {printable(about, 300) or 'no description'}\n"
    )
