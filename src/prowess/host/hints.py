"""What to do about a server that does not come up, by the stable word of why; knows no server."""

from __future__ import annotations

from prowess.capability.offer import Offer

BY_HAND = "run its command by hand in the plugin's directory and read what it says"
URL = "the url has to be that of an MCP server, path included, and of the declared type"
# By `Offer.reason_code`. What is not here has its hint in the reason, or none.
HINTS = {
    "timeout": "a first start may have to download something; give it more seconds (--timeout or --startup)",
    "auth": "the server wants credentials that the package must not carry",
    "credential-missing": "put the token where prowess.toml says that it is, then start again",
    "exited": BY_HAND,
    "closed": BY_HAND,
    "refused": "a url names a server that is running already; start it, or correct the url",
    "unknown-host": "correct the url, or the network that it needs",
    "unreachable": "correct the url, or the network that it needs",
    "tls": "the server's certificate has to be one that this machine trusts",
    "origin": "if you trust the place that it leads to, write that url into mcp.json",
    "protocol": "what answers is no MCP server of the declared type, or one that is out of order",
}


def hint_of(offer: Offer) -> str:
    """What to do about an offer that is not `connected`; nothing where its reason says it already."""
    return HINTS.get(offer.reason_code) or (URL if offer.reason_code.startswith("http-") else "")
