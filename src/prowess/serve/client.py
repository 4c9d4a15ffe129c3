"""The client at the other end of a request, as the rest of Prowess may speak with it: the Peer.

While its request is open, what is said goes with that request (over HTTP on its stream); afterwards
over the session's own channel, if it has one. Everything is raw JSON, unknown members included.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from mcp.shared.dispatcher import Outbound
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_REQUEST

from prowess.call.redaction import Redact, keep, redacted
from prowess.errors import RequestFailed

_LISTS_CHANGED = frozenset(
    {
        "notifications/tools/list_changed",
        "notifications/prompts/list_changed",
        "notifications/resources/list_changed",
    }
)
UPDATED = "notifications/resources/updated"


class Client:
    """A Peer over whatever its request came by."""

    def __init__(
        self,
        exchange: Outbound,
        params: Mapping[str, Any],
        *,
        session: str,
        capabilities: Mapping[str, Any],
        secrets: Redact = keep,
        after: Outbound | None = None,
        told: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """`exchange` carries what goes with the request of these `params`, `after` what comes later.

        `secrets` hides what was injected, in what a server says on the way as in results. `told`
        says whether the client hears otherwise that a resource changed.
        """
        self._exchange = exchange
        self._after = after
        self._session = session
        self._capabilities = capabilities
        self._secrets = secrets
        self._told = told
        meta = params.get("_meta")
        self._token = meta.get("progressToken") if isinstance(meta, Mapping) else None
        self._open = True

    @property
    def session(self) -> str:
        """The session that the request belongs to; empty in the newer era."""
        return self._session

    @property
    def capabilities(self) -> Mapping[str, Any]:
        """The client's capabilities, as it sent them."""
        return self._capabilities

    @property
    def wants_progress(self) -> bool:
        """Whether the request came with a token for progress."""
        return self._token is not None

    def over(self) -> None:
        """The request has its answer: what is said from now on belongs to the session."""
        self._open = False

    async def progress(self, params: Mapping[str, Any]) -> None:
        """Hand on progress under the client's own token."""
        if self._token is not None and self._open:
            await self._notify("notifications/progress", {**params, "progressToken": self._token})

    async def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Hand on a notification. What changed is told once for all servers and connections, not here."""
        if method in _LISTS_CHANGED or (method == UPDATED and self._told(str(params.get("uri")))):
            return
        await self._notify(method, params)

    async def _notify(self, method: str, params: Mapping[str, Any]) -> None:
        params = self._clean(params)
        if self._open:
            await self._exchange.notify(method, params)
        elif self._session and self._after is not None:
            await self._after.notify(method, params)

    def _clean(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        return params if self._secrets is keep else cast(Mapping[str, Any], redacted(params, self._secrets))

    async def ask(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Ask the client something and give back its raw result. Raises RequestFailed."""
        channel = self._exchange if self._open else self._after
        if channel is None:
            raise RequestFailed("the request is over, and its client cannot be asked", number=INVALID_REQUEST)
        try:
            return await channel.send_raw_request(method, self._clean(params))
        except MCPError as error:
            raise RequestFailed(error.message, number=error.code, data=error.error.data) from None
