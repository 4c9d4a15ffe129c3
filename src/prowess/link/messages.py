"""JSON-RPC messages read quickly.

The SDK's own reading tries every kind of message on the whole text. Most messages show at a glance what
they are; whatever is in the least unusual is left to the SDK, which judges it as ever.
"""

from __future__ import annotations

from mcp_types import JSONRPCRequest, JSONRPCResponse
from pydantic_core import from_json


def at_a_glance(text: bytes) -> JSONRPCRequest | JSONRPCResponse | None:
    """The request or result that `text` certainly is; None where only the SDK's own reading can tell."""
    try:
        value = from_json(text)
    except ValueError:
        return None
    if (
        not isinstance(value, dict)
        or value.get("jsonrpc") != "2.0"
        or type(value.get("id")) not in (int, str)
    ):
        return None
    if len(value) == 3 and isinstance(result := value.get("result"), dict):
        return JSONRPCResponse(jsonrpc="2.0", id=value["id"], result=result)
    method, params = value.get("method"), value.get("params")
    if len(value) == 4 and isinstance(method, str) and isinstance(params, dict):
        return JSONRPCRequest(jsonrpc="2.0", id=value["id"], method=method, params=params)
    return None
