"""`prowess export PATH --format FORMAT`: the tools as definitions for a model, or as MCP lists them."""

from __future__ import annotations

from prowess.cli import screen, targets
from prowess.errors import PackageRejected, ProwessError, UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable
    from typing import Any

    from prowess.capability.naming import ModelNames
    from prowess.capability.offer import Tool
    from prowess.cli.parsing import Parser

MORE = """\
From PATH, which is brought up (naming it consents to that): what a model may see now, by policy and
pins. From --snapshot FILE, without starting anything: all that stands in it. The names are the same
as those by which a Host, the endpoint and the HTTP API call these tools.
Exit status: 0 written, 1 the plugin is rejected, 2 could not answer."""

FORMATS = ("openai", "anthropic", "gemini", "mcp")


def add_arguments(parser: Parser) -> None:
    """The arguments of `export`."""
    from prowess.cli.parsing import add_profile, add_timeout

    parser.add_argument(
        "path", metavar="PATH", nargs="?", help="a plugin's directory, a prowess.toml, or units"
    )
    parser.add_argument("--format", choices=FORMATS, required=True, help=", ".join(FORMATS))
    parser.add_argument("--snapshot", metavar="FILE", help="a snapshot in place of PATH; nothing is started")
    parser.add_argument("--out", metavar="FILE", help="write to FILE, whole or not at all, instead of stdout")
    add_timeout(parser)
    add_profile(parser)


def run(options: Namespace) -> int:
    """Find the tools, define them, write them."""
    from prowess.cli.running import run as run_to_the_end
    from prowess.cli.snapshot import rejected

    if (options.path is None) == (options.snapshot is None):
        raise UsageError("export takes either a PATH or --snapshot FILE", hint="prowess export --help")
    if options.snapshot is not None:
        return _deliver(_of_snapshot(options), options.out)
    targets.told(options.path, "config", "units", "content", "workflows")
    try:
        return run_to_the_end(_work(options))
    except PackageRejected as error:
        return rejected(options.path, error)


async def _work(options: Namespace) -> int:
    from prowess.cli.bringup import brought_up

    async with brought_up(options.path, profile=options.profile, timeout=options.timeout) as host:
        found = _defined(options.format, host.model_names(), await host.tools())
    return _deliver(found, options.out)


def _of_snapshot(options: Namespace) -> list[dict[str, Any]]:
    from prowess.cli.files import read_snapshot
    from prowess.host.model_calls import names_of

    snapshot = read_snapshot(options.snapshot)
    names = names_of(snapshot.tools, alone=len(snapshot.servers) == 1)
    return _defined(options.format, names, snapshot.tools)


def _defined(form: str, names: ModelNames, tools: Iterable[Tool]) -> list[dict[str, Any]]:
    from prowess.host.model_calls import defined

    if form != "mcp":
        return defined(form, names, tools, read_on=False)
    listed = [_listed(each, names.name(each.server, each.name)) for each in tools]
    return sorted(listed, key=lambda tool: str(tool["name"]))


def _listed(tool: Tool, name: str) -> dict[str, Any]:
    """The tool as `tools/list` gives it, in the order of a snapshot, under the name that a model uses."""
    from prowess.capability.canonical import plain
    from prowess.capability.snapshot import wire_dict

    listed = {**wire_dict(tool), "name": name}
    del listed["server"]
    return {key: plain(each) for key, each in listed.items() if each is not None}


def _deliver(document: list[dict[str, Any]], out: str | None) -> int:
    if out is None:
        screen.document(document)
        return 0
    import json

    from prowess.capability.canonical import escape_surrogates
    from prowess.cli.files import write_whole

    text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    try:
        write_whole(out, escape_surrogates(text).encode())
    except OSError as error:
        raise ProwessError(f"{printable(out, 500)}: cannot be written: {error.strerror}") from error
    return 0
