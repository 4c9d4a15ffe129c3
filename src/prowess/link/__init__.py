"""One MCP server, one owning task: start, watch, survey, stop.

Importing this package imports the MCP SDK, which takes a second; the host does it when there is a
server to start.

`link.py` is the Provider; it keeps one `connection.py` after another, each a `wire.py` over a
channel (`stdio.py`, `http.py`, `sse.py`). `handshake.py` and `survey.py` say what is asked of a
server that came up, `answers.py` what a call's result means.
"""

from prowess.link.era import EraMemory, MemoryEras
from prowess.link.link import Link
from prowess.provider import Starting

__all__ = ["EraMemory", "Link", "MemoryEras", "Starting"]
