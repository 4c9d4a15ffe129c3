"""`prowess show PATH SKILL [FILE]`: a skill's text below its frontmatter, or one of its files.

What is shown is text made safe for a terminal, piped or not, so that the same command always
prints the same; `--raw` gives the bytes as they are.
"""

from __future__ import annotations

from prowess.cli import screen, targets
from prowess.errors import NotFound, Unreadable
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.cli.parsing import Parser
    from prowess.spec.model import Profile, Skill

MORE = """\
FILE is relative to the skill's directory and stays inside the package, links followed.
Control characters are shown as escapes; --raw prints the bytes as they are."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `show`."""
    from prowess.cli.parsing import add_format, add_local, add_profile

    parser.add_argument("path", metavar="PATH", help="a plugin's directory, or a folder of skills")
    parser.add_argument("skill", metavar="SKILL", help="the skill's name")
    parser.add_argument("file", metavar="FILE", nargs="?", help="a file of the skill, instead of its text")
    parser.add_argument("--files", action="store_true", help="list the skill's files instead")
    parser.add_argument("--raw", action="store_true", help="print the bytes as they are")
    add_profile(parser)
    add_local(parser)
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Find the skill, read, print."""
    from prowess.source.directory import DirectorySource
    from prowess.source.reading import list_files, read_body, read_file

    path, skill = _found(options)
    source = DirectorySource(path)
    if options.files:
        _print_names(list_files(source, skill), skill, options.format)
    elif options.file is None:
        _print(read_body(source, skill).encode("utf-8", "surrogatepass"), skill, options)
    else:
        _print(read_file(source, skill, options.file), skill, options)
    return 0


def _found(options: Namespace) -> tuple[str, Skill]:
    """Where the skill is, and the skill: in PATH, or with `--local` in the first local folder that has it."""
    here = _skills(options.path, targets.told(options.path, "skills"), options.profile)
    known = [(options.path, here)]
    known += [(each, _skills(each, "skills", options.profile)) for each in targets.local(options)]
    for path, skills in known:
        for skill in skills:
            if skill.name == options.skill:
                return path, skill
    return options.path, _skill(options.skill, tuple(each for _, skills in known for each in skills))


def _skills(path: str, kind: str, profile: Profile) -> tuple[Skill, ...]:
    if kind == "skills":
        from prowess.source.skills_folder import judge_skills

        return judge_skills(path, profile=profile).skills
    from prowess.source.judging import judge

    return judge(path, profile=profile).accepted.skills


def _skill(name: str, skills: tuple[Skill, ...]) -> Skill:
    for skill in skills:
        if skill.name == name:
            return skill
    known = ", ".join(each.name for each in skills)
    hint = f"it has {printable(known, 500)}" if known else "it has none; prowess check tells why"
    raise NotFound(f"no skill named {printable(name, 80)} loads from this package", hint=hint)


def _print_names(names: tuple[str, ...], skill: Skill, form: str) -> None:
    if form == "json":
        screen.document({"skill": skill.name, "files": list(names)})
    else:
        screen.data("".join(f"{printable(each, 1000)}\n" for each in names))


def _print(content: bytes, skill: Skill, options: Namespace) -> None:
    if options.raw:
        screen.raw(content)
        return
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        what = printable(options.file or skill.path, 300)
        raise Unreadable(f"{what} is not UTF-8 text", hint="--raw prints its bytes as they are") from error
    if options.format == "json":
        screen.document({"skill": skill.name, "file": options.file or skill.path, "text": text})
        return
    screen.data(screen.safe(text))
    if text and not text.endswith("\n"):
        screen.data("\n")
