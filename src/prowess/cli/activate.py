"""`prowess activate PATH SKILL`: a skill as a model gets it, its text wrapped and its files listed.

A skill of a plugin is read and nothing is started. One that a server serves is named `SERVER:SKILL`: that
server is brought up, and a person approves the skill as it is now, on the terminal or beforehand.
"""

from __future__ import annotations

from prowess.cli import screen, targets
from prowess.errors import PackageRejected, SkillRefused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.cli.parsing import Parser
    from prowess.host.activating import Activated

MORE = """\
A plugin's skill starts nothing. SERVER:SKILL starts or contacts that server; the skill is used when it
was approved as it is now, and what is read of it has to be what the server listed. The files of a skill
are named and not read: prowess show reads one of a plugin's.
Exit status: 0 printed, 1 the plugin is rejected or the skill is refused, 2 could not answer."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `activate`."""
    from prowess.cli.parsing import add_format, add_local, add_profile, add_timeout

    parser.add_argument("path", metavar="PATH", help="a plugin's directory, or a prowess.toml")
    parser.add_argument("skill", metavar="SKILL", help="the skill's name, PLUGIN/SKILL, or SERVER:SKILL")
    add_timeout(parser)
    add_profile(parser)
    add_local(parser)
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Activate, print."""
    import asyncio

    from prowess.cli.running import run as run_to_the_end
    from prowess.cli.snapshot import rejected

    targets.told(options.path, "config", "skills")
    try:
        if ":" in options.skill:
            return run_to_the_end(_of_a_server(options))
        return _print(asyncio.run(_active(options)), options)
    except PackageRejected as error:
        return rejected(options.path, error)


async def _active(options: Namespace) -> Activated:
    from prowess.host import Host

    async with Host.open(options.path, profile=options.profile, connect=False, local=options.local) as host:
        return host.activate(options.skill)


async def _of_a_server(options: Namespace) -> int:
    from prowess.cli.asking import terminal
    from prowess.cli.bringup import brought_up

    server = options.skill.partition(":")[0]
    opened = brought_up(
        options.path,
        profile=options.profile,
        timeout=options.timeout,
        only=[server],
        approver=terminal(),
        local=options.local,
    )
    async with opened as host:
        try:
            return _print(await host.activate_skill(options.skill), options)
        except SkillRefused as refused:
            screen.complain(f"{refused.code}: {refused.message}", refused.hint)
            return 1


def _print(active: Activated, options: Namespace) -> int:
    if options.format == "json":
        screen.document(
            {
                "skill": active.name,
                "directory": active.directory,
                "text": active.text,
                "files": list(active.files),
                "digest": active.digest,
                **({"server": active.origin} if active.origin else {}),
            }
        )
    else:
        screen.data(screen.safe(active.text) + "\n")
    return 0
