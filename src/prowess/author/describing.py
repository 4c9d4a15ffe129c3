"""What a package will be able to do once it is installed, in words, told by reading alone.

One ability is one line: a skill and when it triggers, a command that runs, a host that is contacted, what
is set in an environment or a header, what a unit may reach, a finding of the scan. Two lists of them
subtract, so an update can say what it adds. Nothing of the package is imported or started.
"""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from prowess.content.recognising import FOLDERS, holds_content
from prowess.errors import ProwessError
from prowess.redact import masked, printable
from prowess.spec.model import HttpServer, Judgement, Plugin, Skill, StdioServer
from prowess.spec.placeholders import expand
from prowess.spec.stdio_fields import root_path
from prowess.units.model import Permissions
from prowess.units.scanning import holds_units

KINDS = ("skill", "command", "host", "environment", "header", "unit", "content", "finding")
LONGEST = 1_100  # characters of one line: a skill's whole description, which is at most 1,024
SUBJECT = 120  # characters of what a line is about
_DEEP = 3  # folders below the root in which units are looked for
_ASIDE = frozenset({"fixtures", "tests", "node_modules"})
# Programs that fetch what they run, so that no digest of the package says what that will be.
_FETCHING = frozenset(
    {"npx", "bunx", "pnpx", "uvx", "pipx", "docker", "podman", "deno", "go", "uv", "npm", "pnpm", "yarn"}
)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Ability:
    """One thing that a package may do: what kind, which skill, server or unit, and the words for it."""

    kind: str
    subject: str
    words: str

    @property
    def plain(self) -> Mapping[str, str]:
        """As the lock keeps it."""
        return {"kind": self.kind, "subject": self.subject, "words": self.words}


def abilities_of(root: str, judgement: Judgement) -> tuple[Ability, ...]:
    """The abilities of the package at `root`, in the order of `KINDS`. Raises PackageRejected."""
    plugin = judgement.accepted
    found = [*_of_skills(plugin), *_of_servers(plugin), *_of_units(root, plugin), *_of_content(root)]
    return in_order(found)


def in_order(abilities: Iterable[Ability]) -> tuple[Ability, ...]:
    """Each once, by kind, then by subject."""
    return tuple(sorted(set(abilities), key=lambda each: (_rank(each.kind), each.subject, each.words)))


def kept_abilities(kept: Iterable[Mapping[str, str]]) -> tuple[Ability, ...]:
    """Abilities as a lock has them; what it does not say is empty."""
    return in_order(
        Ability(kind=each.get("kind", ""), subject=each.get("subject", ""), words=each.get("words", ""))
        for each in kept
    )


def _rank(kind: str) -> int:
    return KINDS.index(kind) if kind in KINDS else len(KINDS)


def _ability(kind: str, subject: str, words: str) -> Ability:
    return Ability(kind=kind, subject=bounded(subject, SUBJECT), words=bounded(words, LONGEST))


def bounded(text: str, limit: int) -> str:
    """`text`, fit to print, of at most `limit` characters. One that is cut ends in its digest, so that two
    of which only the end differs are not taken for the same ability."""
    shown = printable(text, len(text))
    if len(shown) <= limit:
        return shown
    end = f"... sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"
    return shown[: limit - len(end)] + end


def _of_skills(plugin: Plugin) -> Iterator[Ability]:
    for skill in plugin.skills:
        yield _ability("skill", skill.name, f"is used when it fits: {_one_line(skill)}")
        if skill.allowed_tools:
            yield _ability("skill", skill.name, f"asks to use without a question: {skill.allowed_tools}")


def _one_line(skill: Skill) -> str:
    return " ".join(skill.description.split())


def _of_servers(plugin: Plugin) -> Iterator[Ability]:
    for server in plugin.servers:
        if isinstance(server, StdioServer):
            yield from _of_command(server)
        else:
            yield from _of_address(server)


def _of_command(server: StdioServer) -> Iterator[Ability]:
    from prowess.redact import Redactor, secrets_in_arguments

    redactor = Redactor(secrets_in_arguments(server.args))
    line = redactor.text(shlex.join([server.command, *server.args]))
    words = f"runs {line}" + (f" in {server.cwd}" if server.cwd else "")
    if os.path.basename(server.command).partition(".")[0].lower() in _FETCHING:
        words += ", which may fetch and run code that is not part of the package"
    yield _ability("command", server.id, words)
    for name, value in masked(server.env).items():
        yield _ability("environment", server.id, f"sets {name}={redactor.text(value)}")


def _of_address(server: HttpServer) -> Iterator[Ability]:
    parts = urlsplit(server.url)
    yield _ability("host", server.id, f"contacts {parts.scheme}://{parts.netloc.rpartition('@')[2]}")
    for name, value in masked(server.headers).items():
        yield _ability("header", server.id, f"sends {name}: {value}")


def _of_units(root: str, plugin: Plugin) -> Iterator[Ability]:
    from prowess.units.discovery import judge

    for folder in sorted({*_folders(root, holds_units), *_started_with(root, plugin)}):
        try:
            found = judge(folder)
        except ProwessError as error:
            yield _ability("unit", os.path.relpath(folder, root), f"cannot be read: {error.message}")
            continue
        for placed in found.units:
            yield _ability("unit", placed.unit.name, f"may reach {permission_words(placed.unit.permissions)}")
        if found.marked:
            where = os.path.relpath(folder, root).replace(os.sep, "/")
            words = f"{found.marked} decorated functions; what they may reach is told when they are loaded"
            yield _ability("unit", where, words)


def _started_with(root: str, plugin: Plugin) -> Iterator[str]:
    """Folders of units that a server is started with, also where none are looked for otherwise."""
    real_root = os.path.realpath(root)
    for server in plugin.servers:
        if isinstance(server, StdioServer):
            base = os.path.join(real_root, root_path(server.cwd or "") or "")
            for argument in server.args:
                written = expand(argument, root=real_root, data="").replace("\0", "")
                real = os.path.realpath(os.path.join(base, written))
                if real.startswith(real_root + os.sep) and holds_units(real):
                    yield os.path.join(root, os.path.relpath(real, real_root))


def permission_words(permissions: Permissions) -> str:
    """What a unit may reach, in words."""
    said = [
        f"{word} {', '.join(values)}"
        for word, values in (
            ("the hosts", permissions.hosts),
            ("the private addresses", permissions.addresses),
            ("the secrets", permissions.secrets),
            ("for reading", permissions.reads),
            ("for writing", permissions.writes),
        )
        if values
    ]
    return "; ".join(said) or "nothing but its own folder"


def _of_content(root: str) -> Iterator[Ability]:
    for folder in [root, *_folders(root, holds_content)]:
        for name in FOLDERS:
            files = _names(os.path.join(folder, name))
            if files:
                where = os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")
                code = sum(each.endswith(".py") for each in files)
                runs = f", {code} of them Python that runs when one is read" if code else ""
                yield _ability("content", where, f"offers {len(files)} files to people and models{runs}")


def _names(folder: str) -> list[str]:
    return [name for _, _, names in os.walk(folder) for name in names]


def _folders(root: str, means: Callable[[str], bool]) -> Iterator[str]:
    """The folders below `root` that `means` is true of, the uppermost of each branch; follows no link."""
    waiting = [(root, 0)]
    while waiting:
        folder, depth = waiting.pop()
        try:
            below = sorted(each.path for each in os.scandir(folder) if each.is_dir(follow_symlinks=False))
        except OSError:
            continue
        for each in below:
            name = os.path.basename(each)
            if name in _ASIDE or name.startswith("."):
                continue
            if means(each):
                yield each
            elif depth < _DEEP:
                waiting.append((each, depth + 1))
