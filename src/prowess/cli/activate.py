"""`prowess activate PATH SKILL`: a skill as a model gets it, its text wrapped and its files listed."""

from __future__ import annotations

from prowess.cli import screen, targets
from prowess.errors import PackageRejected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.cli.parsing import Parser
    from prowess.host.activating import Activated

MORE = """\
Nothing is started. The files of the skill are named and not read: prowess show reads one.
Exit status: 0 printed, 1 the plugin is rejected, 2 could not answer."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `activate`."""
    from prowess.cli.parsing import add_format, add_profile

    parser.add_argument("path", metavar="PATH", help="a plugin's directory, or a prowess.toml")
    parser.add_argument("skill", metavar="SKILL", help="the skill's name, or PLUGIN/SKILL")
    add_profile(parser)
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Activate, print."""
    import asyncio

    from prowess.cli.snapshot import rejected

    targets.told(options.path, "config")
    try:
        active = asyncio.run(_active(options))
    except PackageRejected as error:
        return rejected(options.path, error)
    if options.format == "json":
        screen.document(
            {
                "skill": active.name,
                "directory": active.directory,
                "text": active.text,
                "files": list(active.files),
                "digest": active.digest,
            }
        )
    else:
        screen.data(screen.safe(active.text) + "\n")
    return 0


async def _active(options: Namespace) -> Activated:
    from prowess.host import Host

    async with Host.open(options.path, profile=options.profile, connect=False) as host:
        return host.activate(options.skill)
