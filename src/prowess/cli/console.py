"""`prowess console [PATH...]`: the console, on this machine, for one person."""

from __future__ import annotations

from prowess.cli import screen, targets
from prowess.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.cli.parsing import Parser

MORE = """\
Listens on 127.0.0.1 only and prints a link that lets one browser in, once; the next link is printed when
it was used. Servers start as `prowess serve` starts them; with --no-connect none does.
A rejected package opens it too: its page says why.
It needs the extra: pip install 'prowess[console]'.
Exit status: 0 it was stopped, 2 could not serve."""
EXTRA = ("markdown_it", "nh3", "python_multipart")  # what the extra installs, by what is imported


def add_arguments(parser: Parser) -> None:
    """The arguments of `console`."""
    from prowess.cli.parsing import add_local, add_profile, add_startup

    parser.add_argument(
        "path", metavar="PATH", nargs="*", default=["."], help="plugins, units, content, or one prowess.toml"
    )
    parser.add_argument("--port", metavar="N", type=int, default=0, help="to listen on (a free one)")
    parser.add_argument("--no-browser", action="store_true", help="print the link and open nothing")
    parser.add_argument("--no-connect", action="store_true", help="start no server")
    add_startup(parser)
    add_profile(parser)
    add_local(parser)


def run(options: Namespace) -> int:
    """Bring up, serve the pages until a signal comes."""
    from prowess.cli.running import run as run_to_the_end

    _installed()
    for path in options.path:
        targets.told(path, "config", "units", "content", "skills", "workflows")
    if not 0 <= options.port <= 65_535:
        raise UsageError("--port must be from 0 to 65535", hint="0 is a free one")
    return run_to_the_end(_work(options))


def _installed() -> None:
    """Raise UsageError where what the extra `console` installs is not there, before anything is started."""
    from importlib.util import find_spec

    missing = [each for each in EXTRA if find_spec(each) is None]
    if missing:
        raise UsageError(f"the console needs {', '.join(missing)}", hint="pip install 'prowess[console]'")


async def _work(options: Namespace) -> int:
    from prowess.cli.bringup import brought_up
    from prowess.host.setup import setup_of

    opened = brought_up(
        options.path,
        profile=options.profile,
        timeout=options.startup,
        connect=not options.no_connect,
        local=options.local,
        keep_rejected=True,
    )
    async with opened as host:
        from prowess.console.server import serve_console

        def started(link: str) -> None:
            screen.say(f"console at {link}")
            if not options.no_browser:
                _browse(link)

        await serve_console(
            host,
            setup_of(options.path),
            options.path,
            port=options.port,
            started=started,
            entered=lambda link: screen.say(f"opened; for another browser: {link}"),
        )
    return 0


def _browse(link: str) -> None:
    import webbrowser

    if not webbrowser.open(link):
        screen.say("no browser was found: open the link in one")
