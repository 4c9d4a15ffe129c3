"""What a Host offers, for any client: MCP, HTTP, function calling, other clients' configuration."""
