"""Whether a Host can answer calls, from the status of its servers.

`ok`: all that was meant to be up is; a server that starts on first use counts as up. `degraded`: some
are not, and others answer. `down`: none answers. Reasons are stable words, without path or port.
"""

from __future__ import annotations

from typing import Any

from prowess.host import Host
from prowess.provider import Caller
from prowess.redact import printable

_UP = ("connected", "not-started")


def health_of(host: Host, caller: Caller) -> dict[str, Any]:
    """The document of GET /health: the servers that `caller` may know of."""
    reach = host.path.reach(caller.principal)
    servers: list[dict[str, Any]] = []
    for offer in host.offers:
        if not reach.server(offer.id):
            continue
        server = {"id": printable(offer.id, 200), "type": offer.type, "status": offer.status}
        if offer.status != "connected":
            server["reason"] = offer.reason_code or offer.status
        servers.append(server)
    rejected = [printable(each, 200) for each in sorted(host.rejected)]
    up = [each for each in servers if each["status"] in _UP]
    status = "ok" if len(up) == len(servers) and not rejected else "degraded" if up else "down"
    return {"status": status, "servers": servers, "rejected": rejected}
