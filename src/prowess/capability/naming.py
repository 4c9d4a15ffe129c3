"""Model-facing names: what a model calls a tool, which providers restrict more than MCP does.

At most 64 characters of `a-z A-Z 0-9 _ -`, the first a letter or `_`: what every provider takes. A
name is worked out from the server's id and the tool's name alone, so it depends neither on who
connected first nor on which other tools there are. `server__tool` (`plugin_server__tool` where servers
are told apart by their plugins) where that fits and reads back in one way; otherwise what can be kept
of it, and a digest of both. The wire keeps the raw name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from prowess.capability.canonical import digest
from prowess.errors import NotFound
from prowess.redact import printable

LONGEST = 64
DIGEST = 12  # hexadecimal digits: a second tool with the same ones is not found by trying
SERVER_SHARE = 20  # characters that a server's id keeps where the name has to be cut

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
# An id that ends before the first double underscore of a name, whatever the tool is called.
_PLAIN_ID = re.compile(r"[A-Za-z_](?:_?[A-Za-z0-9-])*")
_OF_A_PLUGIN = re.compile(r"([A-Za-z][A-Za-z0-9-]*)/([A-Za-z0-9-]+)")
_OTHERS = re.compile(r"[^A-Za-z0-9-]+")

Key = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelNames:
    """Names of a set of tools, each `(server, tool)`, in both directions."""

    by_name: Mapping[str, Key]
    by_tool: Mapping[Key, str]

    @classmethod
    def of(cls, tools: Iterable[Key], *, raw: bool = False) -> ModelNames:
        """Names for `tools`. `raw` leaves the server out, for a Host that has one alone.

        Whether there is one is a matter of what is declared, not of what is connected now:
        otherwise names would change when a second server comes up.
        """
        by_name: dict[str, Key] = {}
        # Names that need no digest first: they differ from each other, and stay whatever else there is.
        for key in sorted(set(tools), key=lambda key: (_whole(*key, raw=raw) is None, key)):
            by_name[_free(key, by_name, raw=raw)] = key
        return cls(by_name=by_name, by_tool={key: name for name, key in by_name.items()})

    def tool(self, name: str) -> Key:
        """The server and the tool that a model means by `name`."""
        if name not in self.by_name:
            raise NotFound(f"no tool named {printable(name)}")
        return self.by_name[name]

    def name(self, server: str, tool: str) -> str:
        """What a model calls a tool."""
        if (server, tool) not in self.by_tool:
            raise NotFound(f"no tool named {printable(tool)} on {printable(server)}")
        return self.by_tool[server, tool]


def model_name(server: str, tool: str, *, raw: bool = False) -> str:
    """What a model calls one tool."""
    return _whole(server, tool, raw=raw) or _digested(server, tool, raw=raw)


def _whole(server: str, tool: str, *, raw: bool) -> str | None:
    """The name that holds both in full, if there is one that reads back in one way."""
    if not raw:
        # Of `plugin/server`, one underscore between names that have none.
        server = "_".join(_OF_A_PLUGIN.findall(server)[0]) if _OF_A_PLUGIN.fullmatch(server) else server
        if not _PLAIN_ID.fullmatch(server):
            return None
    name = tool if raw else f"{server}__{tool}"
    return name if _NAME.fullmatch(name) else None


def _digested(server: str, tool: str, *, raw: bool, again: int = 0) -> str:
    """What can be kept of both, and a digest. Without a double underscore, as whole names all have one."""
    mark = digest([server, tool, again] if again else [server, tool]).removeprefix("sha256:")[:DIGEST]
    parts = [_kept(tool)] if raw else [_kept(server)[:SERVER_SHARE].rstrip("_"), _kept(tool)]
    stem = "_".join(part for part in parts if part)
    if not stem[:1].isalpha():
        stem = f"t_{stem}"
    return f"{stem[: LONGEST - DIGEST - 1].rstrip('_')}_{mark}"


def _kept(text: str) -> str:
    return _OTHERS.sub("_", text).strip("_")


def _free(key: Key, taken: Mapping[str, Key], *, raw: bool) -> str:
    """The name of `key`, or the next of its digests where a tool was named so as to take it."""
    name, again = model_name(*key, raw=raw), 0
    while name in taken:
        again += 1
        name = _digested(*key, raw=raw, again=again)
    return name
