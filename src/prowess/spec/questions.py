"""The loader's four questions, what may be answered, and who answers.

The loader (`loading.py`) yields questions and is sent answers; it never touches a disk. A Source
answers: a directory, files in memory, later an archive. Paths are package-relative, written with
`/`; the empty path is the plugin root. A source resolves links itself, and refuses whatever
resolves outside the root (Agent Plugins 1.0.0, section 4.1).
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Literal, NamedTuple, Protocol, TypeVar

Kind = Literal["file", "directory", "link", "other", "missing"]
"""What a path is. Only a directory's listing says `link`; `kind` looks behind links."""

Reason = Literal["missing", "outside", "not-file", "not-directory", "too-large", "unreadable"]


class Entry(NamedTuple):
    """One name of a directory, exactly as the directory has it."""

    name: str
    kind: Kind


class Failure(NamedTuple):
    """Why a path could not be read or listed; `detail` is fit to print."""

    reason: Reason
    detail: str = ""


Listing = dict[str, Entry]
Answer = bool | str | bytes | Listing | Failure


class Question(NamedTuple):
    """One question: the source's method, the path, and for `read` the most bytes wanted."""

    verb: Literal["kind", "confined", "read", "list"]
    path: str
    limit: int = 0


Result = TypeVar("Result")
Conversation = Generator[Question, Answer, Result]


class Source(Protocol):
    """Anything that answers the four questions."""

    def kind(self, path: str) -> Kind:
        """What `path` is, links followed; `missing` too for what resolves outside."""
        ...

    def confined(self, path: str) -> bool:
        """Whether `path` resolves inside the root; what does not exist counts by where it would be."""
        ...

    def read(self, path: str, limit: int) -> bytes | Failure:
        """The bytes of a regular file of at most `limit` bytes."""
        ...

    def list(self, path: str) -> Listing | Failure:
        """The entries of a directory by name, links not followed."""
        ...


def kind(path: str) -> Generator[Question, Answer, str]:
    """Ask what `path` is."""
    answer = yield Question("kind", path)
    assert isinstance(answer, str)
    return answer


def confined(path: str) -> Generator[Question, Answer, bool]:
    """Ask whether `path` stays inside."""
    answer = yield Question("confined", path)
    assert isinstance(answer, bool)
    return answer


def read(path: str, limit: int) -> Generator[Question, Answer, bytes | Failure]:
    """Ask for the bytes of `path`."""
    answer = yield Question("read", path, limit)
    assert isinstance(answer, (bytes, Failure))
    return answer


def listing(path: str) -> Generator[Question, Answer, Listing | Failure]:
    """Ask for the entries of `path`."""
    answer = yield Question("list", path)
    assert isinstance(answer, (dict, Failure))
    return answer
