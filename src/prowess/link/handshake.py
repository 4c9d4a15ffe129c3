"""Finding out which protocol era a server speaks, in bounded time.

MCP 2026-07-28, "Versioning": `server/discover` first; an answer of it, or the error for an
unsupported version, means the modern era, anything else `initialize`. A server that stays silent
gets `initialize` as well while the first question stays open, and whichever answer makes sense
first counts: so a slow start of either era costs nothing extra. A stdio server that dies of the
first question, or never answers either, is started once more and greeted the old way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import UNSUPPORTED_PROTOCOL_VERSION
from mcp_types.version import (
    HANDSHAKE_PROTOCOL_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    LATEST_MODERN_VERSION,
    MODERN_PROTOCOL_VERSIONS,
)

from prowess.link.era import LEGACY, MODERN
from prowess.link.faults import Faulted
from prowess.link.stamping import CAPABILITIES, CLIENT_INFO, Greeting
from prowess.link.wire import Wire
from prowess.redact import printable

PROBE_SECONDS = 5.0  # at most this long, and at most a quarter of the budget, before asking the old way too
FIRST_TRY = 0.7  # of the budget, for a process that can be started once more
_SERVER_INFO = "io.modelcontextprotocol/serverInfo"


class StartAgain(Exception):
    """The server did not survive, or never answered, the newer question: a fresh one, the old way."""


async def greet(wire: Wire, remembered: str | None, seconds: float) -> Greeting:
    """Agree with the server on a version and adopt it; `seconds` is all the time there is.

    Raises Faulted, MCPError, TimeoutError (by the caller's clock) or StartAgain.
    """
    greeting: Greeting | None = None
    if wire.channel.handshake_only:
        greeting = await _initialize(wire)
    elif remembered == LEGACY:
        greeting = await _as_before(wire)
    if greeting is None:
        greeting = await _probe(wire, seconds)
    await wire.adopt(greeting)
    return greeting


async def greet_for(wire: Wire, capabilities: Mapping[str, Any]) -> Greeting:
    """Greet the server the old way for one client's session, with what that client declared.

    Raises Faulted and MCPError.
    """
    greeting = await _initialize(wire, capabilities)
    await wire.adopt(greeting)
    return greeting


async def _as_before(wire: Wire) -> Greeting | None:
    """The old way first; a server that refuses it has learned the new one since."""
    try:
        return await _initialize(wire)
    except MCPError:
        return None


async def _probe(wire: Wire, seconds: float) -> Greeting:
    loop = asyncio.get_running_loop()
    restart = wire.channel.renewable
    deadline = loop.time() + (seconds * FIRST_TRY if restart else seconds)
    new = loop.create_task(_discover(wire))
    asked: list[asyncio.Task[Greeting | None]] = [new]
    try:
        await asyncio.wait(asked, timeout=min(PROBE_SECONDS, seconds / 4))
        if new.done() and (greeting := new.result()) is not None:
            return greeting
        asked.append(loop.create_task(_initialize(wire)))
        return await _first_answer(asked, deadline)
    except (Faulted, MCPError, TimeoutError) as error:
        hopeless = isinstance(error, Faulted) and error.fault.kind != "lost"
        if hopeless or not restart:
            raise
        raise StartAgain from error
    finally:
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)


async def _first_answer(asked: list[asyncio.Task[Greeting | None]], deadline: float) -> Greeting:
    """The first greeting of either question; the last error when neither has one."""
    loop = asyncio.get_running_loop()
    problem: BaseException = TimeoutError("no answer")
    waiting = {task for task in asked if not task.done()}
    while waiting:
        done, waiting = await asyncio.wait(
            waiting, timeout=max(0.0, deadline - loop.time()), return_when=asyncio.FIRST_COMPLETED
        )
        if not done:
            raise TimeoutError("no answer")
        for task in sorted(done, key=asked.index):  # the newer era wins a draw
            failed = task.exception()
            if failed is not None:
                problem = failed
            elif (greeting := task.result()) is not None:
                return greeting
    raise problem


async def _discover(wire: Wire) -> Greeting | None:
    """The modern greeting, or None for every answer that is no sign of the modern era."""
    version = LATEST_MODERN_VERSION
    for again in (False, True):
        try:
            return _modern_greeting(await wire.ask("server/discover", version=version))
        except MCPError as error:
            if error.code != UNSUPPORTED_PROTOCOL_VERSION:
                return None
            supported = _supported(error.error.data)
            mutual = [each for each in MODERN_PROTOCOL_VERSIONS if each in supported]
            if again or not mutual:
                if supported and not any(each in HANDSHAKE_PROTOCOL_VERSIONS for each in supported):
                    raise _no_version(supported) from None
                return None
            # The one just refused may be in the list: several servers behind one address, one of them newer.
            version = next((each for each in reversed(mutual) if each != version), version)
        except Faulted as error:
            if error.fault.kind in ("status", "session", "unreadable"):
                return None  # what an older HTTP server says to a method that it does not know
            raise
    return None


def _modern_greeting(result: Mapping[str, Any]) -> Greeting | None:
    supported = result.get("supportedVersions")
    if not isinstance(supported, list):
        return None
    mutual = [each for each in MODERN_PROTOCOL_VERSIONS if each in supported]
    if not mutual:
        return None
    meta = result.get("_meta")
    info = meta.get(_SERVER_INFO) if isinstance(meta, dict) else None
    return _greeting(MODERN, mutual[-1], result, info)


async def _initialize(wire: Wire, capabilities: Mapping[str, Any] = CAPABILITIES) -> Greeting:
    params = {
        "protocolVersion": LATEST_HANDSHAKE_VERSION,
        "capabilities": dict(capabilities),
        "clientInfo": CLIENT_INFO,
    }
    result = await wire.ask("initialize", params)
    version = result.get("protocolVersion")
    if version not in HANDSHAKE_PROTOCOL_VERSIONS:
        raise _no_version([version])
    return _greeting(LEGACY, str(version), result, result.get("serverInfo"))


def _greeting(era: str, version: str, result: Mapping[str, Any], info: Any) -> Greeting:
    capabilities, instructions = result.get("capabilities"), result.get("instructions")
    return Greeting(
        era=era,
        version=version,
        capabilities=capabilities if isinstance(capabilities, dict) else {},
        server_info=info if isinstance(info, dict) else None,
        instructions=instructions if isinstance(instructions, str) else None,
    )


def _supported(data: Any) -> list[Any]:
    supported = data.get("supported") if isinstance(data, dict) else None
    return supported if isinstance(supported, list) else []


def _no_version(theirs: list[Any]) -> Faulted:
    shown = printable(", ".join(str(each) for each in theirs[:8]))
    return Faulted("incompatible", f"no protocol version in common; the server speaks {shown}")
