"""The case ids of the public suite (agentplugins/agent-plugins-conformance) that are re-created here.

The ids are that suite's interface; the union is of its revision 6257093b, for specification 1.0.0.
"""

from __future__ import annotations

CWD_FORMS = ("omitted", "plugin-relative", "plugin-root", "plugin-data")
HTTP_CASES = (
    "tool-availability",
    "url.non-loopback-http",
    "url.relative",
    "url.fragment",
    "url.userinfo",
    "url.literal-route-and-query",
    "headers.duplicate-names",
    "headers.invalid-name",
    "headers.invalid-value",
    "headers.cross-origin-redirect",
    "headers.literal-value",
)

CASE_IDS = frozenset(
    {
        "skills.discovery.immediate-children",
        *(f"mcp.stdio.tool-availability.cwd-{form}" for form in CWD_FORMS),
        *(f"mcp.stdio.cwd.{form}" for form in CWD_FORMS),
        "mcp.stdio.cwd.invalid-form",
        "mcp.stdio.cwd.plugin-relative-escape",
        "mcp.stdio.cwd.plugin-data-escape",
        "filesystem.containment.command-symlink-escape",
        "filesystem.containment.cwd-symlink-escape",
        "mcp.stdio.config.unknown-field",
        "mcp.config.missing-type",
        "mcp.config.legacy-http-type",
        "mcp.stdio.env.reserved-plugin-root",
        "mcp.stdio.env.reserved-plugin-data",
        "mcp.stdio.env.plugin-root",
        "mcp.stdio.env.plugin-data-absolute",
        "mcp.stdio.env.configured-value",
        "mcp.stdio.env.expansion",
        "filesystem.data.writable",
        "filesystem.data.distinct-across-plugins",
        "filesystem.data.consistent-within-plugin",
        "mcp.stdio.command.single-token",
        "mcp.stdio.args.preservation-and-expansion",
        *(f"mcp.streamable-http.{case}" for case in HTTP_CASES),
        *(f"mcp.sse.{case}" for case in HTTP_CASES),
        "mcp.sse.headers.literal-post-value",
        "mcp.sse.headers.generated-precedence",
        "mcp.sse.headers.cross-origin-endpoint",
        "skills.recovery.valid-skill-available",
        "skills.recovery.invalid-mcp-document",
        "mcp.stdio.recovery.valid-server-available",
    }
)
