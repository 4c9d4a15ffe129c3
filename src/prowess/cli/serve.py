"""`prowess serve PATH...`: everything that is offered there, for any client, over stdio or HTTP."""

from __future__ import annotations

from prowess.cli import screen, targets
from prowess.errors import PackageRejected, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from prowess.cli.parsing import Parser
    from prowess.host import Host
    from prowess.host.serving import ServeSection
    from prowess.serve.protocol import ProtocolServer
    from prowess.serve.workers import Worker

MORE = """\
Both protocol eras are spoken on one endpoint: 2026-07-28, and 2025-11-25 with sessions. Over HTTP the
endpoint's path is /mcp, and --api adds an HTTP API beside it (GET /skills, POST /call, /openapi.json).
Tools and prompts keep their own names where there is one server, and are called server__tool where there
are several. With --expose search a model sees the --core tools and finds the others by a query.
What is given here takes the place of what [serve] of a prowess.toml says.
Exit status: 0 the client went away, 1 the plugin is rejected, 2 could not serve."""

DEFAULT_ADDRESS = "127.0.0.1:8931"


def add_arguments(parser: Parser) -> None:
    """The arguments of `serve`."""
    from prowess.cli.parsing import add_local, add_profile, add_startup

    parser.add_argument(
        "path",
        metavar="PATH",
        nargs="*",
        default=["."],
        help="plugins, units, content, workflows, or one prowess.toml (default .)",
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--stdio", action="store_true", help="over stdin and stdout (the default)")
    how.add_argument("--http", metavar="HOST:PORT", help="over streamable HTTP, at /mcp")
    parser.add_argument(
        "--api", action="store_true", help=f"an HTTP API too; without --http at {DEFAULT_ADDRESS}"
    )
    parser.add_argument("--workers", metavar="N", default="1", help="with --http: so many processes (1)")
    parser.add_argument("--names", choices=("raw", "qualified"), help="what tools and prompts are called")
    parser.add_argument("--expose", choices=("all", "search"), help="list every tool, or the core only")
    parser.add_argument("--core", metavar="NAME", action="append", help="always listed; may repeat")
    parser.add_argument("--budget", metavar="TOKENS", type=int, help="that a search may answer with (2000)")
    parser.add_argument(
        "--idle", metavar="S", type=float, help="stop a server after so many seconds (600); 0: never"
    )
    add_startup(parser)
    add_profile(parser)
    add_local(parser)


def run(options: Namespace) -> int:
    """Bring up, serve until the client goes or a signal comes."""
    from prowess.cli.running import run as run_to_the_end
    from prowess.cli.snapshot import rejected

    for path in options.path:
        targets.told(path, "config", "units", "content", "skills", "workflows")
    if options.api and options.stdio:
        raise UsageError("--api is HTTP, and --stdio is not", hint="leave one of them out")
    if options.api and options.http is None:
        options.http = DEFAULT_ADDRESS
    workers = _workers(options)
    section = _section(options)
    try:
        if options.http is None:
            return run_to_the_end(_work(options, section, None))
        from prowess.serve.address import parse
        from prowess.serve.workers import inherited, judged

        worker = inherited()
        judged(section, *parse(options.http))
        if workers > 1 and worker is None:
            return run_to_the_end(_supervise(options, section, workers))
        return run_to_the_end(_work(options, section, worker))
    except PackageRejected as error:
        return rejected(options.path[0], error)


def _workers(options: Namespace) -> int:
    text = options.workers
    if not (text.isascii() and text.isdigit() and 0 < int(text[:4]) < 1_000):
        raise UsageError("--workers must be a whole number above 0", hint="prowess serve --help")
    if int(text) > 1 and options.http is None:
        raise UsageError("--workers needs --http", hint="over stdio there is one client and one process")
    return int(text)


def _section(options: Namespace) -> ServeSection:
    """What `[serve]` says, and the options that were given in its place."""
    from dataclasses import replace

    from prowess.host.setup import setup_of

    given: dict[str, Any] = {
        "names": options.names,
        "expose": options.expose,
        "core": None if options.core is None else tuple(options.core),
        "budget": options.budget,
        "idle_seconds": options.idle,
    }
    section = setup_of(options.path).serve
    return replace(section, **{name: value for name, value in given.items() if value is not None})


async def _supervise(options: Namespace, section: ServeSection, workers: int) -> int:
    """This command once more for each worker, on one port."""
    import sys

    from prowess.serve.address import parse
    from prowess.serve.workers import supervise

    host, port = parse(options.http)
    return await supervise(
        [sys.executable, "-m", "prowess", *sys.argv[1:]],
        section,
        count=workers,
        host=host,
        port=port,
        started=_answers,
        say=screen.say,
    )


def _answers(url: str) -> None:
    screen.say(f"ready at {url}")


async def _work(options: Namespace, section: ServeSection, worker: Worker | None) -> int:
    from prowess.cli.bringup import brought_up

    opened = brought_up(
        options.path,
        profile=options.profile,
        timeout=options.startup,
        idle=section.idle_seconds or None,
        local=options.local,
    )
    async with opened as host:
        from prowess.serve.endpoint import Endpoint
        from prowess.serve.protocol import server_of
        from prowess.serve.stdio import listening, serve_stdio

        server = server_of(Endpoint.of(host, section))
        async with listening(server):
            if options.http is None:
                screen.say("ready")
                await serve_stdio(server)
            else:
                await _http(options, section, host, server, worker)
    return 0


async def _http(
    options: Namespace, section: ServeSection, host: Host, server: ProtocolServer, worker: Worker | None
) -> None:
    from prowess.serve.address import parse
    from prowess.serve.workers import serve

    api: Any = None
    if options.api:
        from prowess.serve.api import api_app

        api = api_app(host)
    name, port = parse(options.http)
    await serve(server, section, host=name, port=port, started=_answers, worker=worker, api=api)
