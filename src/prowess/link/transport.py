"""The transport that an entry of `mcp.json` declares, made anew for each connection.

Agent Plugins 1.0.0, sections 7.2 and 9.1. What will be started or contacted is said before it is.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace

import httpx2

from prowess.credentials.injecting import Injection
from prowess.link.channel import Channel
from prowess.link.environment import base_environment
from prowess.link.gate import origin_text
from prowess.link.http import HttpChannel
from prowess.link.injected import Injected
from prowess.link.shown import Shown
from prowess.link.sse import SseChannel
from prowess.link.stdio import StdioChannel
from prowess.provider import Starting
from prowess.redact import printable
from prowess.source.launch import resolve_launch
from prowess.spec.model import Server, StdioServer


class Transport:
    """Makes the channels to one server.

    `root` and `data` are the plugin's directory and its data directory. `base_env` replaces the
    allow-listed part of the user's environment. `on_start` hears what is about to be started.
    """

    def __init__(
        self,
        server: Server,
        *,
        root: str,
        data: str,
        base_env: Mapping[str, str] | None,
        on_start: Callable[[Starting], None] | None,
        injected: Injected,
        show: Shown,
    ) -> None:
        self._server = server
        self._root, self._data = root, data
        self._base_env = base_env
        self._on_start = on_start
        self._injected = injected
        self._show = show

    async def open(self, again: bool) -> tuple[Channel, Injection | None]:
        """A new channel, not entered yet, and what a process of it is given for its whole life.

        `again` when it is the second start of one attempt. Raises CredentialFailed and ConnectionFailed.
        """
        server = self._server
        if isinstance(server, StdioServer):
            base = base_environment(os.environ) if self._base_env is None else self._base_env
            launch = resolve_launch(self._root, server, self._data, base)
            injection = await self._injected.current()
            launch = replace(launch, env={**launch.env, **injection.env})
            self._say(self._show(shlex.join((server.command, *launch.argv[1:])), 500), again)
            return StdioChannel(launch, self._show), injection
        self._say(origin_text(httpx2.URL(server.url)), again)
        kind = SseChannel if server.type == "sse" else HttpChannel
        return kind(server, self._show, self._injected), None

    def _say(self, target: str, again: bool) -> None:
        if self._on_start is not None:
            label = printable(self._server.id, 80)
            self._on_start(Starting(server=label, type=self._server.type, target=target, again=again))
