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
    parser.add_argument("--names", choices=("raw", "qualified"), help="what tools and prompts are called")
    add_startup(parser)
    add_profile(parser)


def run(options: Namespace) -> int:
    """Bring up, serve until the client goes or a signal comes."""
    from prowess.cli.running import run as run_to_the_end
    from prowess.cli.snapshot import rejected

    targets.told(options.path, "config", "units", "content")
    try:
        return run_to_the_end(_work(options))
    except PackageRejected as error:
        return rejected(options.path, error)


async def _work(options: Namespace) -> int:
    from prowess.cli.bringup import brought_up

    async with brought_up(options.path, profile=options.profile, timeout=options.startup) as host:
        server = _server(options, host)
        from prowess.serve.stdio import listening, serve_stdio

        async with listening(server):
            if options.http is None:
                await serve_stdio(server)
            else:
                raise UsageError("HTTP is not served yet")
    return 0


def _server(options: Namespace, host: Host) -> ProtocolServer:
    from prowess.serve.endpoint import Endpoint
    from prowess.serve.protocol import server_of

    screen.say("ready")
    return server_of(Endpoint(host, naming=options.names))
