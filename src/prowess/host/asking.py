"""Requests that are no tool calls, handed to the provider that offers what they name.

MCP 2026-07-28: prompts, resources, completion and the methods of extensions. A provider that answers
tool calls only has no such method (-32601), and one that never changes has nothing to tell.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from prowess.errors import NotFound, RequestFailed
from prowess.provider import Caller, Change, Peer, Provider
from prowess.redact import printable

METHOD_NOT_FOUND = -32601


async def asked(
    providers: Sequence[Provider],
    server: str,
    method: str,
    params: Mapping[str, Any],
    *,
    peer: Peer | None,
    caller: Caller,
    timeout: float,
) -> Mapping[str, Any]:
    """The raw result of `method` at `server`."""
    for each in providers:
        if each.label == server:
            ask = getattr(each, "ask", None)
            if ask is None:
                raise RequestFailed(
                    f"{printable(server)} answers no {printable(method)}", number=METHOD_NOT_FOUND
                )
            result: Mapping[str, Any] = await ask(method, params, peer=peer, caller=caller, timeout=timeout)
            return result
    known = printable(", ".join(each.label for each in providers), 500)
    raise NotFound(f"no server called {printable(server)}", hint=f"servers: {known}")


def listening(
    providers: Sequence[Provider], hear: Callable[[Change], None], resources: Mapping[str, Collection[str]]
) -> Callable[[], None]:
    """Tell `hear` of every change; what comes back ends it."""
    ends = [
        listen(hear, resources.get(each.label, ()))
        for each in providers
        if (listen := getattr(each, "listen", None)) is not None
    ]

    def end() -> None:
        while ends:
            ends.pop()()

    return end


async def told(providers: Sequence[Provider], method: str, params: Mapping[str, Any], *, peer: Peer) -> None:
    """Hand a client's notification to every provider that keeps something for its session."""
    for each in providers:
        tell = getattr(each, "tell", None)
        if tell is not None:
            await tell(method, params, peer=peer)


async def session_over(providers: Sequence[Provider], session: str) -> None:
    """Tell every provider that keeps something for a session."""
    for each in providers:
        end = getattr(each, "end_session", None)
        if end is not None:
            await end(session)
