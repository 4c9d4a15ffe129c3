"""`prowess skills PATH [--approve SERVER:SKILL]`: the skills there, those of servers too, and whose each is.

Servers are brought up and asked what they list; nothing of a skill is read. An approval is bound to the
content of every file: it holds until the server lists other content.
"""

from __future__ import annotations

from prowess.cli import screen, targets
from prowess.errors import PackageRejected, SkillRefused
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from prowess.cli.parsing import Parser
    from prowess.host import Host
    from prowess.host.remote_skills_consent import RemoteSkill

MORE = """\
A skill of a plugin is used as it is; one that a server serves needs an approval, which --approve gives
after showing what it is for. What a server lists and cannot be used has a line on stderr.
Exit status: 0 printed or approved, 1 not approved, or the plugin is rejected, 2 could not answer."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `skills`."""
    from prowess.cli.parsing import add_format, add_local, add_profile, add_timeout

    parser.add_argument("path", metavar="PATH", help="a plugin's directory, or a prowess.toml")
    parser.add_argument("--approve", metavar="SKILL", help="let a model read this skill of a server")
    parser.add_argument("--yes", metavar="DIGEST", help="approve without asking, if this is its digest")
    add_timeout(parser)
    add_profile(parser)
    add_local(parser)
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Bring up, look, print or approve."""
    from prowess.cli.running import run as run_to_the_end
    from prowess.cli.snapshot import rejected

    targets.told(options.path, "config", "skills")
    try:
        return run_to_the_end(_work(options))
    except PackageRejected as error:
        return rejected(options.path, error)


async def _work(options: Namespace) -> int:
    from prowess.cli.bringup import brought_up

    only = None if options.approve is None else [options.approve.partition(":")[0]]
    opened = brought_up(
        options.path,
        profile=options.profile,
        timeout=options.timeout,
        only=only,
        local=options.local,
    )
    async with opened as host:
        if options.approve is not None:
            return await _approve(host, options)
        found = [(each, await host.is_approved(each)) for each in await host.remote_skills()]
        for note in host.remote_skill_notes:
            screen.say(note)
    if options.format == "json":
        screen.document([*map(_plain_local, host.local_skills), *(_plain(each, ok) for each, ok in found)])
        return 0
    for local in host.local_skills:
        screen.data(_line(local.name, f"plugin {local.plugin}", local.skill.description))
    for skill, approved in found:
        screen.data(_line(skill.name, f"server {skill.server}, {_state(skill, approved)}", skill.description))
    if not (found or host.local_skills):
        screen.say("no skills")
    return 0


async def _approve(host: Host, options: Namespace) -> int:
    from prowess.cli.agreeing import agreed

    skill = await host.find_skill(options.approve)
    if options.format == "json":
        screen.document(_plain(skill, await host.is_approved(skill)))
    else:
        _show(skill)
    if skill.entry.files is None:
        screen.complain("it lists no digests, so that an approval could be bound to nothing")
        return 1
    if not agreed(skill.bound, options, question="Let a model read it, until its content changes?"):
        return 1
    try:
        await host.approve_skill(skill)
    except SkillRefused as refused:
        screen.complain(refused.message, refused.hint)
        return 1
    screen.say(f"{printable(skill.name, 200)} approved as it is listed now")
    return 0


def _show(skill: RemoteSkill) -> None:
    screen.data(_line(skill.name, f"server {skill.server}", skill.description))
    for each in skill.entry.files or ():
        screen.data(f"  {each.digest}  {each.size:>9}  {printable(each.uri, 500)}\n")
    screen.data(f"digest {skill.bound}\n")


def _state(skill: RemoteSkill, approved: bool) -> str:
    if skill.entry.files is None:
        return "made anew each time"
    return "approved" if approved else "not approved"


def _line(name: str, origin: str, description: str) -> str:
    about = printable(" ".join(description.split()), 300)
    return f"{printable(name, 300)}  ({printable(origin, 200)})\n    {about}\n"


def _plain_local(local: Any) -> dict[str, Any]:
    return {"skill": local.name, "plugin": local.plugin, "description": local.skill.description}


def _plain(skill: RemoteSkill, approved: bool) -> dict[str, Any]:
    return {
        "skill": skill.name,
        "server": skill.server,
        "uri": skill.uri,
        "description": skill.description,
        "approved": approved,
        "digest": None if skill.entry.files is None else skill.bound,
        "files": [
            {"uri": each.uri, "digest": each.digest, "size": each.size} for each in skill.entry.files or ()
        ],
    }
