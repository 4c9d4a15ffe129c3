"""A skill in use: its text wrapped for a model, its other files listed and read one at a time.

Agent Skills, progressive disclosure: the body is read when a skill is activated, a file when
somebody asks for it. The same skill is given once to a conversation; a second activation says that
it is active already. Scripts stay files: nothing here runs anything or makes a tool of it.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape

from prowess.provider import Caller
from prowess.redact import printable
from prowess.source.directory import DirectorySource
from prowess.source.reading import list_files, read_body, read_file
from prowess.spec.model import Skill

CONVERSATIONS = 10_000  # remembered; the one that was quiet for the longest goes first
LISTED = 200  # files named in the text; `files` holds all

Log = Callable[..., None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Activated:
    """A skill as a model gets it.

    `text` is the wrapped body, `directory` the absolute path that its files are relative to, `files`
    every file beside SKILL.md. `digest` is that of the body. `again` is true when this conversation
    has the skill already; then `text` only says so. `changed`: it had another body. `origin` is the label
    of the server that a skill came from, whose `directory` is a URI then; empty for one of this machine.
    """

    name: str
    directory: str
    text: str
    files: tuple[str, ...]
    digest: str
    again: bool = False
    changed: bool = False
    origin: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillFile:
    """One file of a skill. `changed`: this conversation has read it before, with another content."""

    skill: str
    path: str
    content: bytes = field(repr=False)
    digest: str
    changed: bool = False


@dataclass(slots=True)
class _Conversation:
    bodies: dict[str, str] = field(default_factory=dict)
    files: dict[tuple[str, str], str] = field(default_factory=dict)
    latest: str = ""


class Activations:
    """Which skills are in use, for each caller and conversation."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._known: OrderedDict[tuple[str, str], _Conversation] = OrderedDict()

    def latest(self, caller: Caller) -> str:
        """The skill that the caller activated last in this conversation, or an empty text."""
        known = self._known.get(_key(caller))
        return known.latest if known is not None else ""

    def activate(
        self, source: DirectorySource, skill: Skill, name: str, caller: Caller, *, anew: bool
    ) -> Activated:
        """Read the body and list the files; `anew` gives the body again to who has it."""
        body = read_body(source, skill)
        files = tuple(each for each in list_files(source, skill) if each != "SKILL.md")
        directory = f"{source.root}/{skill.directory}"
        opening = f'<skill name="{escape(name)}" directory="{escape(printable(directory, 4_000))}">'
        return self.given(name, body, files, caller, directory=directory, opening=opening, anew=anew)

    def given(
        self,
        name: str,
        body: str,
        files: tuple[str, ...],
        caller: Caller,
        *,
        directory: str,
        opening: str,
        anew: bool,
        origin: str = "",
    ) -> Activated:
        """Give a body to a conversation, once; `opening` is the tag that it is wrapped with."""
        digest = _digest(body.encode("utf-8", "surrogatepass"))
        conversation = self._conversation(caller)
        before = conversation.bodies.get(name)
        again = before == digest and not anew
        conversation.bodies[name] = digest
        conversation.latest = name
        self._log("skill-activated", skill=name, digest=digest, again=again, files=len(files))
        return Activated(
            name=name,
            directory=directory,
            text=_already(name) if again else _wrapped(opening, body, files),
            files=files,
            digest=digest,
            again=again,
            changed=before not in (None, digest),
            origin=origin,
        )

    def read(self, source: DirectorySource, skill: Skill, name: str, path: str, caller: Caller) -> SkillFile:
        """One file of a skill, its digest noted. Raises AccessDenied for a path that leads out."""
        return self.noted(name, path, read_file(source, skill, path), caller)

    def noted(self, name: str, path: str, content: bytes, caller: Caller) -> SkillFile:
        """A file as this conversation gets it."""
        digest = _digest(content)
        files = self._conversation(caller).files
        before = files.get((name, path))
        files[name, path] = digest
        self._log("skill-file", skill=name, path=path, digest=digest, bytes=len(content))
        changed = before not in (None, digest)
        return SkillFile(skill=name, path=path, content=content, digest=digest, changed=changed)

    def forget(self, caller: Caller) -> None:
        """The conversation is over, or has lost what it was given: nothing is active any more."""
        self._known.pop(_key(caller), None)

    def _conversation(self, caller: Caller) -> _Conversation:
        key = _key(caller)
        conversation = self._known.setdefault(key, _Conversation())
        self._known.move_to_end(key)
        if len(self._known) > CONVERSATIONS:
            self._known.popitem(last=False)
        return conversation


def _key(caller: Caller) -> tuple[str, str]:
    return caller.principal, caller.conversation


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def _wrapped(opening: str, body: str, files: tuple[str, ...]) -> str:
    # A body that holds the closing tag would let what follows it pass for words of ours.
    inner = body.replace("</skill>", "&lt;/skill&gt;").rstrip("\n")
    return "\n".join([opening, inner, *_listing(files), "</skill>"])


def _listing(files: tuple[str, ...]) -> list[str]:
    if not files:
        return []
    named = [f"- {printable(each, 1_000)}" for each in files[:LISTED]]
    rest = [f"- and {len(files) - LISTED} more"] if len(files) > LISTED else []
    return ["", "Files of this skill, relative to its directory; none has been read:", *named, *rest]


def _already(name: str) -> str:
    return f'<skill name="{escape(name)}">Active in this conversation already; its text stands above.</skill>'
