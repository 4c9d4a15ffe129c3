"""`prowess connect CLIENT PATH`: a client's own configuration, so that it starts `prowess serve PATH`."""

from __future__ import annotations

import os
import re
import sys

from prowess.cli import screen, targets
from prowess.errors import ProwessError, UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from prowess.cli.parsing import Parser
    from prowess.serve.clients import Client
    from prowess.serve.clients_files import Backups

MORE = """\
The change is shown on stderr and asked for; --yes agrees beforehand. What the file was is kept in
Prowess's own folder, whose place is printed. --remove takes the entry out again and nothing else.
--scope project (the default) is the client's file in the current directory, --scope user the one in
your home.
Exit status: 0 it is so now, 1 not agreed, 2 could not."""

NAMES = ("claude-code", "cursor", "vscode", "codex")
SCOPES = ("project", "user")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_OTHERS = re.compile(r"[^A-Za-z0-9_-]+")
WIDEST = 400  # characters of a line that are shown; a configuration may be one long line


def add_arguments(parser: Parser) -> None:
    """The arguments of `connect`."""
    parser.add_argument("client", metavar="CLIENT", choices=NAMES, help=", ".join(NAMES))
    parser.add_argument("path", metavar="PATH", nargs="?", default=".", help="what to serve (default .)")
    parser.add_argument("--scope", choices=SCOPES, default="project", help="default: project")
    parser.add_argument("--name", metavar="NAME", help="what the client calls it (default: PATH's own name)")
    parser.add_argument("--remove", action="store_true", help="take the entry out again")
    parser.add_argument("--yes", action="store_true", help="agree to the change that is shown")


def run(options: Namespace) -> int:
    """Show the change, ask, write."""
    from prowess.serve.clients import CLIENTS
    from prowess.serve.clients_files import Backups

    client = CLIENTS[options.client]
    if (
        not options.remove
        and targets.told(options.path, "config", "units", "content", "workflows") == "nothing"
    ):
        raise UsageError(
            f"{printable(options.path, 300)} holds nothing that could be served",
            hint="name a plugin, a prowess.toml, units or content; prowess new begins one",
        )
    name = _name(options)
    place = client.place(options.scope, project=os.getcwd(), environ=os.environ)
    backups = Backups()
    try:
        change = _removal if options.remove else _addition
        return change(options, client, name, place, backups)
    except UsageError as error:
        if error.message.startswith(printable(place, 500)):
            raise
        raise UsageError(f"{printable(place, 500)}: {error.message}", hint=error.hint) from None


def _name(options: Namespace) -> str:
    if options.name is not None:
        if not _NAME.fullmatch(options.name):
            raise UsageError(f"{printable(options.name)}: a name has up to 64 of a-z A-Z 0-9 _ -")
        name: str = options.name
        return name
    path = os.path.abspath(options.path)
    own = os.path.dirname(path) if path.endswith(("prowess.toml", ".py")) else path
    return _OTHERS.sub("-", os.path.basename(own)).strip("-")[:64] or "prowess"


def _addition(options: Namespace, client: Client, name: str, place: str, backups: Backups) -> int:
    from prowess.serve import clients_editing, clients_files

    text = clients_files.read(place)
    entry = client.entry(options.scope, options.path, project=os.getcwd())
    there = clients_editing.entries(client, text).get(name)
    if there == entry:
        screen.say(f"{printable(place, 500)}: {name} is connected already")
        return 0
    _insist_on_ours(name, there)
    if there is not None:
        screen.say(f"{name} is connected to something else so far: {_command(there)}")
    new = clients_editing.connected(client, text, name, entry)
    if not _agreed(options, place, text or "", new):
        return 1
    _insist_on_unchanged(place, text)
    # Of an entry that is replaced, what the file was before the first one is worth more.
    kept = backups.before(place)
    if there is None or kept is None:
        screen.say(f"what it was: {printable(backups.keep(place, text), 500)}")
    clients_files.write(place, new, private=options.scope == "user")
    screen.say(f"{printable(place, 500)}: {name} is connected; restart the client, or reload its servers")
    return 0


def _removal(options: Namespace, client: Client, name: str, place: str, backups: Backups) -> int:
    from prowess.serve import clients_editing, clients_files

    text = clients_files.read(place)
    there = clients_editing.entries(client, text).get(name)
    if text is None or there is None:
        screen.say(f"{printable(place, 500)}: {name} is not in it")
        return 0
    _insist_on_ours(name, there)
    before = backups.before(place)
    new = clients_editing.disconnected(client, text, name, before.text or "" if before else None)
    if not _agreed(options, place, text, new):
        return 1
    _insist_on_unchanged(place, text)
    if before is not None and new == (before.text or ""):
        clients_files.give_back(place, before, private=options.scope == "user")
    else:
        clients_files.write(place, new, private=options.scope == "user")
    backups.forget(place)
    screen.say(f"{printable(place, 500)}: {name} is taken out")
    return 0


def _insist_on_ours(name: str, there: Any) -> None:
    from prowess.serve.clients import is_ours

    if there is not None and not is_ours(there):
        raise UsageError(
            f"{name} is a server of somebody else's there ({_command(there)})",
            hint="--name gives ours another name; theirs stays as it is",
        )


def _command(entry: Any) -> str:
    from prowess.redact import Redactor

    found = entry if isinstance(entry, dict) else {}
    args = found.get("args") if isinstance(found.get("args"), list) else []
    words = [str(found.get("command") or found.get("url") or "?"), *(str(each) for each in args or [])]
    return printable(Redactor().text(" ".join(words)), 200)


def _insist_on_unchanged(place: str, text: str | None) -> None:
    """The client itself may have written meanwhile."""
    from prowess.serve import clients_files

    if clients_files.read(place) != text:
        raise ProwessError(
            f"{printable(place, 500)}: it changed while you were asked, so nothing was written",
            hint="run it again",
        )


def _agreed(options: Namespace, place: str, old: str, new: str) -> bool:
    for line in _difference(printable(place, 500), old, new):
        screen.say(line)
    if options.yes:
        return True
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        screen.complain("nobody is here to say yes, so nothing was written", "look at it and add --yes")
        return False
    screen.flush()
    sys.stderr.write("write this? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() in ("y", "yes"):
        return True
    screen.say("nothing was written")
    return False


def _difference(name: str, old: str, new: str) -> list[str]:
    """What changes, fit to print: the file may hold tokens, and lines without end."""
    from difflib import unified_diff

    from prowess.redact import Redactor

    redactor = Redactor()
    lines = unified_diff(_lines(old), _lines(new), name, name, lineterm="")
    return [screen.safe(redactor.text(line[: WIDEST * 5]))[:WIDEST] for line in lines]


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n") if text else []
