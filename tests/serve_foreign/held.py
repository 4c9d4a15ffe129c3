"""Two answers held against each other: what the gateway may change, and nothing else.

The list is short on purpose; each entry is in the guide to serving, with its reason.
"""

from __future__ import annotations

import copy
from typing import Any

from tests.serve_foreign.raw import PREFIX, Message, Said

CACHED = frozenset(
    {
        "server/discover",
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
    }
)
# Of a request's `_meta`, what each of the two connections has for itself.
OWN_META = (f"{PREFIX}protocolVersion", f"{PREFIX}clientInfo", "progressToken", "traceparent", "tracestate")


def relayed(said: Said, upstream: Said, method: str, *, modern: bool) -> tuple[list[Message], Message]:
    """What came through the gateway, without what it may add where `upstream` did not write it."""
    before, answer = plain(said)
    result = answer.get("result")
    if modern and isinstance(result, dict):
        own = upstream.answer.get("result")
        _unstamped(result, own if isinstance(own, dict) else {}, method)
    return before, answer


def _unstamped(result: Message, own: Message, method: str) -> None:
    meta, own_meta = result.get("_meta"), own.get("_meta", {})
    if isinstance(meta, dict) and isinstance(own_meta, dict) and f"{PREFIX}serverInfo" not in own_meta:
        assert meta.pop(f"{PREFIX}serverInfo")["name"] == "prowess"
        if not meta and "_meta" not in own:
            del result["_meta"]
    if "resultType" not in own and result.get("resultType") == "complete":
        del result["resultType"]
    if method in CACHED:
        for name, least in (("ttlMs", 0), ("cacheScope", "private")):
            if name not in own and result.get(name) == least:
                del result[name]


def plain(said: Said) -> tuple[list[Message], Message]:
    """An answer and what came before it, without ids."""
    before = [{key: each for key, each in message.items() if key != "id"} for message in said.before]
    answer = {key: copy.deepcopy(each) for key, each in said.answer.items() if key not in ("id", "jsonrpc")}
    result = answer.get("result")
    if isinstance(result, dict) and isinstance(result.get("arrived"), dict):
        _as_sent(result["arrived"]["params"])
    return before, answer


def _as_sent(params: Any) -> None:
    """What arrived at the mirror, without what belongs to the connection that it came on."""
    meta = params.get("_meta")
    if isinstance(meta, dict):
        for name in OWN_META:
            meta.pop(name, None)
        if not meta:
            del params["_meta"]
    if params.get("arguments") is None:  # a call without arguments is one with none
        params.pop("arguments", None)
    if params.get("arguments") == {}:
        del params["arguments"]


def insist_equal(direct: Said, through: Said, method: str, *, modern: bool) -> None:
    """Both saw the same, but for what the gateway may add."""
    assert relayed(through, direct, method, modern=modern) == plain(direct)
