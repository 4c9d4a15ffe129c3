"""The client of one request, as the MCP SDK's server knows it, in the shape that `asking.Client` has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, TypeAdapter

SESSION_HEADER = "mcp-session-id"

_NOTIFICATION: TypeAdapter[types.ServerNotification] = TypeAdapter(types.ServerNotification)

# What a server may ask while a request waits (2025-11-25), and what comes back.
_ASKABLE: dict[str, tuple[type[BaseModel], type[BaseModel]]] = {
    "elicitation/create": (types.ElicitRequest, types.ElicitResult),
    "sampling/createMessage": (types.CreateMessageRequest, types.CreateMessageResult),
    "roots/list": (types.ListRootsRequest, types.ListRootsResult),
}


def wire(model: BaseModel) -> dict[str, Any]:
    """A model of the SDK's as it is sent."""
    return model.model_dump(by_alias=True, mode="json", exclude_none=True)


class SdkClient:
    """Speaks with the client on the stream of the request that `ctx` belongs to."""

    def __init__(self, ctx: ServerRequestContext[Any, Any]) -> None:
        self._ctx = ctx

    @property
    def session(self) -> str:
        """The HTTP session, the one there is over stdio, or none: a request that stands by itself."""
        if self._ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return ""
        request = self._ctx.request
        return "stdio" if request is None else str(request.headers.get(SESSION_HEADER, "stdio"))

    @property
    def capabilities(self) -> Mapping[str, Any]:
        """What the client declared, with this request or when the session began."""
        declared = self._ctx.session.client_capabilities
        return {} if declared is None else wire(declared)

    async def progress(self, params: Mapping[str, Any]) -> None:
        """Report progress, if the request has a token for it."""
        await self._ctx.session.report_progress(float(params["progress"]), params.get("total"))

    async def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Send a notification of the protocol's."""
        message = _NOTIFICATION.validate_python({"method": method, "params": dict(params)}, by_name=False)
        await self._ctx.session.send_notification(message, related_request_id=self._ctx.request_id)

    async def ask(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Put a request to the client and wait for its answer."""
        request, result = _ASKABLE[method]
        asked = request.model_validate({"method": method, "params": dict(params)}, by_name=False)
        related = ServerMessageMetadata(related_request_id=self._ctx.request_id)
        return wire(await self._ctx.session.send_request(asked, result, metadata=related))  # type: ignore[arg-type]
