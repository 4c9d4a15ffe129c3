"""`prowess serve PATH`: everything that is offered there, for any MCP client, over stdio or HTTP."""

from __future__ import annotations

from prowess.cli import screen, targets
from prowess.errors import PackageRejected, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.cli.parsing import Parser
    from prowess.host import Host
    from prowess.serve.protocol import ProtocolServer
    from prowess.serve.workers import Worker

MORE = """\
Both protocol eras are spoken on one endpoint: 2026-07-28, and 2025-11-25 with sessions. Over HTTP the
endpoint's path is /mcp. Tools and prompts keep their own names where there is one server, and are
called server__tool where there are several; --names chooses.
Exit status: 0 the client went away, 1 the plugin is rejected, 2 could not serve."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `serve`."""
    from prowess.cli.parsing import add_profile, add_startup

    parser.add_argument("path", metavar="PATH", help="a plugin's directory, a prowess.toml, units or content")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--stdio", action="store_true", help="over stdin and stdout (the default)")
    how.add_argument("--http", metavar="HOST:PORT", help="over streamable HTTP, at /mcp")
    parser.add_argument("--workers", metavar="N", default="1", help="with --http: so many processes (1)")
    parser.add_argument("--names", choices=("raw", "qualified"), help="what tools and prompts are called")
    add_startup(parser)
    add_profile(parser)


def run(options: Namespace) -> int:
    """Bring up, serve until the client goes or a signal comes."""
    from prowess.cli.running import run as run_to_the_end
    from prowess.cli.snapshot import rejected

    targets.told(options.path, "config", "units", "content")
    workers = _workers(options)
    try:
        if options.http is None:
            return run_to_the_end(_work(options, None))
        from prowess.host.setup import setup_of
        from prowess.serve.address import parse
        from prowess.serve.workers import inherited, judged

        worker = inherited()
        judged(setup_of(options.path).serve, *parse(options.http))
        if workers > 1 and worker is None:
            return run_to_the_end(_supervise(options, workers))
        return run_to_the_end(_work(options, worker))
    except PackageRejected as error:
        return rejected(options.path, error)


def _workers(options: Namespace) -> int:
    text = options.workers
    if not (text.isascii() and text.isdigit() and 0 < int(text[:4]) < 1_000):
        raise UsageError("--workers must be a whole number above 0", hint="prowess serve --help")
    if int(text) > 1 and options.http is None:
        raise UsageError("--workers needs --http", hint="over stdio there is one client and one process")
    return int(text)


async def _supervise(options: Namespace, workers: int) -> int:
    """This command once more for each worker, on one port."""
    import sys

    from prowess.host.setup import setup_of
    from prowess.serve.address import parse
    from prowess.serve.workers import supervise

    host, port = parse(options.http)
    return await supervise(
        [sys.executable, "-m", "prowess", *sys.argv[1:]],
        setup_of(options.path).serve,
        count=workers,
        host=host,
        port=port,
        started=_answers,
        say=screen.say,
    )


def _answers(url: str) -> None:
    screen.say(f"ready at {url}")


async def _http(options: Namespace, server: ProtocolServer, worker: Worker | None) -> None:
    from prowess.host.setup import setup_of
    from prowess.serve.address import parse
    from prowess.serve.workers import serve

    host, port = parse(options.http)
    section = setup_of(options.path).serve
    await serve(server, section, host=host, port=port, started=_answers, worker=worker)


async def _work(options: Namespace, worker: Worker | None) -> int:
    from prowess.cli.bringup import brought_up

    async with brought_up(options.path, profile=options.profile, timeout=options.startup) as host:
        server = _server(options, host)
        from prowess.serve.stdio import listening, serve_stdio

        async with listening(server):
            if options.http is None:
                await serve_stdio(server)
            else:
                await _http(options, server, worker)
    return 0


def _server(options: Namespace, host: Host) -> ProtocolServer:
    from prowess.serve.endpoint import Endpoint
    from prowess.serve.protocol import server_of

    if options.http is None:
        screen.say("ready")
    return server_of(Endpoint(host, naming=options.names))
