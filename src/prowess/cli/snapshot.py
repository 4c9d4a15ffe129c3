"""`prowess snapshot PATH`: bring a plugin up and print what is on offer."""

from __future__ import annotations

import os

from prowess.cli import screen, targets
from prowess.errors import PackageRejected, ProwessError, UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.capability.snapshot import Snapshot
    from prowess.cli.parsing import Parser

MORE = """\
Naming PATH consents to running its servers; each command and host is printed first, on stderr.
A server that does not come up is in the snapshot with its status, and has a line on stderr.
Exit status: 0 printed, 1 the plugin is rejected, 2 could not answer."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `snapshot`."""
    from prowess.cli.parsing import add_format, add_profile, add_timeout

    parser.add_argument("path", metavar="PATH", nargs="?", help="a plugin's directory")
    parser.add_argument("--out", metavar="FILE", help="write to FILE, whole or not at all, instead of stdout")
    parser.add_argument(
        "--no-connect", action="store_true", help="start nothing: every server is not-started"
    )
    add_timeout(parser)
    add_profile(parser)
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of a snapshot instead")
    add_format(parser, "json")


def run(options: Namespace) -> int:
    """Bring up, print, answer."""
    if options.schema:
        import json

        from prowess.capability.schema import SNAPSHOT_SCHEMA

        return _deliver(json.dumps(SNAPSHOT_SCHEMA, indent=2) + "\n", options.out)
    if options.path is None:
        raise UsageError("no PATH given", hint="prowess snapshot --help")
    targets.told(options.path, "units", "content")
    if options.out is not None and not os.path.isdir(os.path.dirname(os.path.realpath(options.out))):
        raise UsageError(f"{printable(options.out, 500)}: cannot be written: its directory is not there")
    try:
        frozen = take(options.path, options, connect=not options.no_connect)
    except PackageRejected as error:
        return rejected(options.path, error)
    return _deliver(frozen.to_json(), options.out)


def take(path: str, options: Namespace, *, connect: bool = True) -> Snapshot:
    """Bring the plugin at `path` up and freeze what it offers; ProwessError when interrupted."""
    from prowess.cli.bringup import brought_up
    from prowess.cli.running import run as run_to_the_end

    taken: list[Snapshot] = []

    async def work() -> int:
        async with brought_up(
            path, profile=options.profile, timeout=options.timeout, connect=connect
        ) as host:
            taken.append(host.snapshot())
        return 0

    status = run_to_the_end(work())
    if status:
        raise SystemExit(status)
    return taken[0]


def rejected(path: str, error: PackageRejected) -> int:
    """Say that the plugin is rejected; the answer is no."""
    screen.complain(f"{printable(path, 500)}: the plugin is rejected: {error.message}", error.hint)
    screen.say("   prowess check tells all that is wrong")
    return 1


def _deliver(text: str, out: str | None) -> int:
    if out is None:
        screen.json_text(text)
        return 0
    from prowess.cli.files import write_whole

    try:
        write_whole(out, text.encode())
    except OSError as error:
        raise ProwessError(f"{printable(out, 500)}: cannot be written: {error.strerror}") from error
    return 0
