"""Bringing the console up: the Host, the pages over it, a socket on loopback, the browser."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import uvicorn

from prowess.console.app import console_app
from prowess.console.console import Console
from prowess.console.door import Door
from prowess.console.guard import ENTER
from prowess.console.pages import Pages
from prowess.host import Host
from prowess.host.setup import Setup
from prowess.serve.address import bound, resolve
from prowess.serve.http import Listener

LOOPBACK = "127.0.0.1"
LAST_SECONDS = 1  # for answers that are under way when it ends


async def serve_console(
    host: Host,
    setup: Setup,
    paths: Sequence[str],
    *,
    port: int = 0,
    started: Callable[[str], None],
    entered: Callable[[str], None] = lambda _: None,
) -> None:
    """Serve the pages of an open `host` until cancelled.

    `started` hears a one-time link once it answers, `entered` the next one each time that one was used.
    `port` 0 is a free one. Raises UsageError for a port in use.
    """
    door = Door()
    console = Console(host=host, setup=setup, paths=tuple(paths), door=door, pages=Pages(door))
    (listening,) = bound(resolve(LOOPBACK, port))
    place = f"http://{LOOPBACK}:{listening.getsockname()[1]}"

    def link() -> str:
        return f"{place}{ENTER}?token={door.link()}"

    app = console_app(console, entered=lambda: entered(link()))
    config = uvicorn.Config(
        app,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",  # what fails is told by a page; what is cut off at the end is no fault
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=LAST_SECONDS,
    )
    listener = Listener(config)
    serving = asyncio.ensure_future(listener.serve(sockets=[listening]))
    up = asyncio.ensure_future(listener.up.wait())
    try:
        await asyncio.wait({serving, up}, return_when=asyncio.FIRST_COMPLETED)
        if not serving.done():
            started(link())
        await asyncio.shield(serving)
    finally:
        up.cancel()
        listener.should_exit = True
        await asyncio.wait({serving}, timeout=3 * LAST_SECONDS)
        serving.cancel()
