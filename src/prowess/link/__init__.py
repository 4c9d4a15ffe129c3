"""One MCP server, one owning task: start, watch, survey, stop."""
