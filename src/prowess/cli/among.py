"""What PATHs hold, as one set that is searched, listed or improved: for the verbs that choose.

A folder of skills is read. Everything else is brought up as for any other verb, or, with snapshots,
judged alone: then the tools are those that the snapshots say are on offer, and nothing is started.
"""

from __future__ import annotations

from prowess.cli import screen, targets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Sequence

    from prowess.capability.offer import Tool
    from prowess.choose.searching import Searchable
    from prowess.cli.parsing import Parser
    from prowess.host.packages import LocalSkill

SNAPSHOTS = """\
PATH is a plugin's directory, a prowess.toml, units, or a folder of skills. What it holds is brought up;
with --snapshot nothing is started, and the tools are those that the file says were on offer."""


def add_paths(parser: Parser) -> None:
    """PATH..., and how what is there comes to be known."""
    from prowess.cli.parsing import add_local, add_profile, add_timeout

    parser.add_argument("paths", metavar="PATH", nargs="+", help="where the capabilities are")
    add_among(parser)
    add_timeout(parser)
    add_profile(parser)
    add_local(parser)


def add_among(parser: Parser) -> None:
    """`--snapshot`, for verbs that need not start anything."""
    parser.add_argument(
        "--snapshot",
        metavar="FILE",
        action="append",
        default=[],
        help="take the tools from this snapshot and start nothing; may be given several times",
    )


async def among(options: Namespace) -> Searchable:
    """All that the PATHs hold and a model may see."""
    from prowess.host.searching import Searchables

    folders, rest = _told(options.paths)
    folders += targets.local(options)
    skills = _skills(folders, options)
    if not rest:
        return await Searchables().of(_tools_of(options.snapshot), skills)
    from prowess.cli.bringup import brought_up

    connect = not options.snapshot
    up = brought_up(rest, profile=options.profile, timeout=options.timeout, connect=connect)
    async with up as host:
        if options.snapshot:
            tools = _tools_of(options.snapshot)
        else:
            names = host.model_names()
            tools = [(names.name(each.server, each.name), each) for each in await host.tools()]
        return await Searchables().of(tools, [*host.local_skills, *skills])


def _told(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """The folders of skills among `paths`, and what is brought up; each is said."""
    kinds = [
        (targets.told(path, "config", "units", "content", "skills", "workflows"), path) for path in paths
    ]
    return (
        [path for kind, path in kinds if kind == "skills"],
        [path for kind, path in kinds if kind != "skills"],
    )


def _skills(folders: Iterable[str], options: Namespace) -> list[LocalSkill]:
    return [each for folder in folders for each in _of_folder(folder, options)]


def _of_folder(folder: str, options: Namespace) -> list[LocalSkill]:
    from prowess.host.packages import LocalSkill
    from prowess.source.directory import DirectorySource
    from prowess.source.skills_folder import judge_skills

    judged = judge_skills(folder, profile=options.profile)
    skipped = len(judged.judgement.skipped)
    if skipped:
        noun = "skill does" if skipped == 1 else "skills do"
        screen.say(f"{skipped} {noun} not load; prowess check tells why")
    source = DirectorySource(folder)
    return [
        LocalSkill(name=each.name, plugin="", skill=each, source=source, profile=options.profile)
        for each in judged.skills
    ]


def _tools_of(snapshots: Sequence[str]) -> list[tuple[str, Tool]]:
    """The tools of snapshots, under the names that a model would have for them."""
    from prowess.capability.naming import ModelNames
    from prowess.cli.files import read_snapshot

    read = [read_snapshot(each) for each in snapshots]
    tools = [each for snapshot in read for each in snapshot.tools]
    alone = len(read) == 1 and len(read[0].servers) == 1
    names = ModelNames.of(((each.server, each.name) for each in tools), raw=alone)
    return [(names.name(each.server, each.name), each) for each in tools]
