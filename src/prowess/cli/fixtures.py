"""`prowess fixtures PATH` and `prowess fixtures verify PATH`: the review set, frozen and compared."""

from __future__ import annotations

import os

from prowess.cli import screen
from prowess.errors import UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.author.fixtures_verifying import Stage
    from prowess.cli.parsing import Parser

MORE = """\
Freezes into PATH/fixtures: the manifest, mcp.json, what loads with a digest of each file, the snapshot,
arguments for every tool, and packages that must fail. verify compares all of it in that order, and makes
the first call again: a tool that says it can be called without harm, or the one that --call names.
Naming PATH consents to running its servers; each command and host is printed first, on stderr.
Exit status: 0 frozen or the same, 1 something differs, 2 could not answer (also: a secret in a fixture)."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `fixtures`."""
    from prowess.cli.parsing import add_format, add_timeout

    parser.add_argument(
        "words", metavar="[verify] PATH", nargs="+", help="a plugin, a skill, units or content"
    )
    parser.add_argument("--out", metavar="DIR", help="where the fixtures are, in place of PATH/fixtures")
    parser.add_argument("--call", metavar="TOOL", help="the tool of the first call")
    parser.add_argument("--no-connect", action="store_true", help="verify: start nothing")
    parser.add_argument(
        "--ci",
        metavar="FILE",
        nargs="?",
        const="-",
        help="print the job for GitHub Actions, or write it to FILE; nothing is frozen",
    )
    add_timeout(parser)
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Freeze, verify, or write the job."""
    verifying, path = _asked(options.words)
    if options.ci is not None:
        return _job(path, options.ci)
    if options.out is None and not os.path.isdir(path):
        raise UsageError(f"{printable(path, 300)}: no such directory")
    if verifying:
        if options.call is not None:
            raise UsageError("--call is frozen, and verify makes the call that was frozen")
        return _verify(path, options)
    if options.no_connect:
        raise UsageError("--no-connect belongs to verify: a snapshot is of what is up")
    return _freeze(path, options)


def _asked(words: list[str]) -> tuple[bool, str]:
    if words[0] == "verify" and len(words) == 2:
        return True, words[1]
    if len(words) == 1 and words[0] != "verify":
        return False, words[0]
    raise UsageError("one PATH is needed", hint="prowess fixtures PATH, or prowess fixtures verify PATH")


def _job(path: str, file: str) -> int:
    from prowess.author.fixtures_ci import ci_job

    text = ci_job(path.rstrip("/") or path)
    if file == "-":
        screen.data(text)
        return 0
    from prowess.author.scaffold import there

    try:
        os.makedirs(os.path.dirname(file) or ".", exist_ok=True)
        with open(file, "x", encoding="utf-8", newline="\n") as opened:
            opened.write(text)
    except FileExistsError:
        raise there(file) from None
    screen.data(f"{printable(file, 500)}\n")
    return 0


def _freeze(path: str, options: Namespace) -> int:
    from prowess.author.fixtures import freeze
    from prowess.cli.running import run as run_to_the_end

    async def work() -> int:
        frozen = await freeze(
            path, out=options.out, call=options.call, timeout=options.timeout, on_start=_starting
        )
        for note in frozen.notes:
            screen.say(f"   note: {note}")
        if options.format == "json":
            screen.document({"folder": frozen.folder, "index": frozen.index, "notes": list(frozen.notes)})
        else:
            screen.data("".join(f"{printable(each, 300)}\n" for each in sorted(frozen.files)))
        return 0

    return run_to_the_end(work())


def _verify(path: str, options: Namespace) -> int:
    from prowess.author.fixtures_verifying import verify
    from prowess.cli.running import run as run_to_the_end

    async def work() -> int:
        stages = await verify(
            path,
            fixtures=options.out,
            connect=not options.no_connect,
            timeout=options.timeout,
            on_start=_starting,
        )
        _print(stages, options)
        return 0 if all(each.holds for each in stages) else 1

    return run_to_the_end(work())


def _starting(start: object) -> None:
    screen.say(str(start))


def _print(stages: tuple[Stage, ...], options: Namespace) -> None:
    if options.format == "json":
        said = [{"stage": each.name, "faults": list(each.faults), "skipped": each.skipped} for each in stages]
        screen.document({"holds": all(each.holds for each in stages), "stages": said})
        return
    for each in stages:
        word = "differs" if each.faults else f"skipped: {each.skipped}" if each.skipped else "holds"
        screen.data(f"{each.name}: {word}\n" + "".join(f"  {fault}\n" for fault in each.faults))
