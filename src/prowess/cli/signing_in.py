"""`prowess credentials sign-in | sign-out NAME`: a person signs in to a remote server, or out again.

The page's address is data, on stdout; it is opened here only with `--browser`. The configuration is
the one that is named: nothing is found from the working directory.
"""

from __future__ import annotations

import os

from prowess.cli import screen
from prowess.errors import CredentialFailed, UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.cli.parsing import Parser
    from prowess.credentials import Credentials

PERSON_SECONDS = 300.0


def add_arguments(parser: Parser) -> None:
    """The options of `sign-in` and `sign-out`."""
    from prowess.cli.parsing import seconds

    parser.add_argument("--config", metavar="PATH", help="with sign-in, sign-out: the prowess.toml of NAME")
    parser.add_argument("--browser", action="store_true", help="with sign-in: open the page as well")
    parser.add_argument(
        "--scope",
        default="",
        metavar="SCOPE",
        help="with sign-in: ask for these scopes (space-separated) as well",
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=0,
        metavar="N",
        help="with sign-in: come back to this port of 127.0.0.1 (default: any that is free)",
    )
    parser.add_argument(
        "--timeout",
        type=seconds,
        default=PERSON_SECONDS,
        metavar="S",
        help=f"with sign-in: seconds that the person has (default {PERSON_SECONDS:.0f})",
    )


def _port(text: str) -> int:
    from argparse import ArgumentTypeError

    if text.isascii() and text.isdigit() and len(text) < 6 and int(text) < 65_536:
        return int(text)
    raise ArgumentTypeError(f"{text!r} is not a port")


def run(options: Namespace) -> int:
    """Sign in and keep what comes of it, or forget it."""
    from prowess.cli.running import run as run_to_the_end

    name, action = options.server, options.action
    if name is None or options.credential is not None:
        raise UsageError(f"{action} needs the NAME of one credential", hint="prowess credentials --help")
    credentials = _configured(options.config, action)
    if action == "sign-out":
        return run_to_the_end(_signed_out(credentials, name))
    return run_to_the_end(_signed_in(credentials, name, options))


def _configured(path: str | None, action: str) -> Credentials:
    from prowess.credentials import Credentials
    from prowess.host.config import load_config
    from prowess.host.setup import config_file

    if path is None:
        raise UsageError(f"{action} needs the configuration", hint="--config PATH of a prowess.toml")
    file = config_file(path)
    if file is None:
        raise UsageError(
            f"{printable(path, 500)} has no prowess.toml", hint="--config PATH of a prowess.toml"
        )
    return Credentials(load_config(file).credentials, place=os.path.abspath(path))


async def _signed_in(credentials: Credentials, name: str, options: Namespace) -> int:
    section = credentials.to_sign_in(name)
    from prowess.credentials.scopes import beyond
    from prowess.host.signing_in import signed_in

    def show(url: str) -> None:
        screen.say("sign in on this page:")
        screen.data(f"{url}\n")
        screen.flush()
        if options.browser:
            import webbrowser

            webbrowser.open(url)

    found = await signed_in(
        credentials, name, show, scope=options.scope, port=options.port, seconds=options.timeout
    )
    screen.say(f"signed in: {printable(name)} for {printable(section.resource, 500)}")
    if found.scope:
        screen.say(f"scope: {printable(found.scope, 500)}")
    if refused := beyond(found.asked, found.scope):
        screen.say(f"asked for, and not granted: {printable(refused, 500)}")
    if not found.refresh:
        screen.say("the server gave no refresh token: sign in again when this one has expired")
    return 0


async def _signed_out(credentials: Credentials, name: str) -> int:
    try:
        ended = await credentials.sign_out(name)
    except (TimeoutError, OSError) as error:
        why = getattr(error, "strerror", None) or "another process holds the lock"
        raise CredentialFailed(
            f"the tokens cannot be removed: {why}", code="credential-unreachable"
        ) from None
    if ended is None:
        screen.say(f"nobody is signed in: {printable(name)}")
        return 1
    screen.say(f"signed out: {printable(name)}")
    if not ended:
        screen.say(
            "the authorization server was not told: the tokens are forgotten here, and end when they end"
        )
    return 0
