"""Everything that the public MCP conformance suite asks a server for, once, for both ways to serve it.

`repertoire` is what is on offer and what is answered; it speaks with the client through `asking.Client`
only. `sdk_server` serves it with the MCP SDK (the reference server), `conformance/own.py` as a Provider
of a Prowess Host. Nothing here imports Prowess.
"""
