"""One MCP server, one owning task: start, watch, survey, stop.

Importing this package imports the MCP SDK, which takes a second; the host does it when there is a
server to start.

`link.py` is the Provider. A `line.py` keeps one `connection.py` after another, each a `wire.py` over a
channel (`stdio.py`, `http.py`, `sse.py`): there is one for everybody, and one for each client that has
a session (`sessions.py`, `stand_in.py`). `handshake.py` and `survey.py` say what is asked of a server
that came up, `listening.py` hears that it changed, `exchange.py` hands on what it says during a
request, `answers.py` knows what a call's result means.
"""

from prowess.link.era import EraMemory, MemoryEras
from prowess.link.link import Link
from prowess.provider import Starting

__all__ = ["EraMemory", "Link", "MemoryEras", "Starting"]
