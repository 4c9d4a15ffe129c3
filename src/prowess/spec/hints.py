"""What to do about the mistakes people make, kept apart from the checks that find them.

Each table maps what was written to one sentence of advice. Knows no rule's verdict.
"""

from __future__ import annotations

_DISCOVERY = "what a model discovers is SKILL.md and tools/list"
_SKILLS = "skills are found in skills/ alone; remove the field"
_SERVERS = "servers are declared in mcp.json alone; move them there"
_EXTENSION = "what one client understands belongs under extensions, in that client's namespace"
_RUN_TIME = f"run-time state does not belong in the package: {_DISCOVERY}; `prowess snapshot` records it"

RUN_TIME_FIELDS = frozenset(
    {
        "tools",
        "status",
        "inputSchema",
        "outputSchema",
        "loaded",
        "prompts",
        "resources",
        "resourceTemplates",
    }
)
"""Keys that a connected client knows and a package does not hold."""

_MANIFEST_FIELDS = {
    "hooks": f"hooks are no portable component; {_EXTENSION}",
    "commands": f"commands are no portable component; {_EXTENSION}",
    "agents": f"agents are no portable component; {_EXTENSION}",
    "lspServers": f"language servers are no portable component; {_EXTENSION}",
    "skills": _SKILLS,
    "mcpServers": _SERVERS,
    "servers": _SERVERS,
    "schema": "the field is written $schema",
    "tools": f"tool guidance does not belong in the manifest: {_DISCOVERY}",
}

_ENTRY_FIELDS = {
    "disabled": "whether a server is used is the user's choice, kept by the client",
    "enabled": "whether a server is used is the user's choice, kept by the client",
    "timeout": "time limits are the client's; Prowess takes --timeout",
    "autoApprove": "approval is the user's choice, kept by the client",
    "alwaysAllow": "approval is the user's choice, kept by the client",
    "envFile": "write plain values under env, and keep secrets out of the package",
    "oauth": "authorization is the client's: nothing about it is declared in a package",
    "transport": "the field is written type",
    "serverUrl": "the field is written url",
    "httpUrl": "the field is written url",
}

_TRANSPORTS = {
    "http": "streamable-http",
    "https": "streamable-http",
    "streamable": "streamable-http",
    "streamablehttp": "streamable-http",
    "streamable_http": "streamable-http",
    "streamable-http": "streamable-http",
    "http+sse": "sse",
    "http-sse": "sse",
    "sse": "sse",
    "local": "stdio",
    "command": "stdio",
    "stdio": "stdio",
}

NO_EXPANSION = "only ${PLUGIN_ROOT} and ${PLUGIN_DATA} are expanded, and only in args, env values and cwd"

INSIDE = "keep it inside the package; a link, too, may only lead to what is inside"
_GIVEN = (
    "keep secrets out of the package: whoever uses it gives them in prowess.toml, "
    'as [servers."PLUGIN/SERVER".{field}] NAME = {{ env = "VARIABLE" }}'
)


def secret(field: str) -> str:
    """How a secret reaches a server without standing in the package; `field` is `env` or `headers`."""
    return _GIVEN.format(field="headers" if field == "headers" else "env")


def wrong_type(value: object, wanted: str) -> str:
    """What to do about a value of the wrong JSON type."""
    if wanted == "a string" and isinstance(value, (bool, int, float)):
        return "put it in quotation marks"
    if wanted == "an array of strings":
        return 'write ["one", "two"]'
    return 'write {"NAME": "value"}' if wanted == "an object of strings" else ""


def manifest_field(field: str, known: frozenset[str]) -> str:
    """What to do about an unknown top-level field of `plugin.json`."""
    if field in _MANIFEST_FIELDS:
        return _MANIFEST_FIELDS[field]
    if field in RUN_TIME_FIELDS:
        return _RUN_TIME
    meant = {each.lower(): each for each in known}.get(field.lower())
    return f"the field is written {meant}" if meant else _EXTENSION


def entry_field(field: str, variant: str, owners: list[str]) -> str:
    """What to do about a field that the server's variant does not have; `owners` are those that do."""
    if owners:
        return f"{field} belongs to {' and '.join(owners)}; this entry says {variant}"
    if field in RUN_TIME_FIELDS:
        return _RUN_TIME
    return _ENTRY_FIELDS.get(field, "remove it: server entries are closed, and clients skip this one")


def transport(written: str, known: list[str]) -> str:
    """What to write in place of an unknown `type`."""
    meant = _TRANSPORTS.get(written.strip().lower())
    return f'write "type": "{meant}"' if meant in known else f"write one of {', '.join(known)}"


def missing_transport(entry: dict[str, object]) -> str:
    """What to write where `type` is missing; a hint only, the transport is never guessed."""
    if "command" in entry and "url" not in entry:
        return 'add "type": "stdio"'
    if "url" in entry and "command" not in entry:
        return 'add "type": "streamable-http" (or "sse" for a server of the 2024-11-05 transport)'
    return "say which transport: stdio, streamable-http or sse"


def schema(identifier: str, wanted: str, other: str) -> str:
    """What to write as `$schema`; `other` is the identifier of the sibling document's schema."""
    if identifier == other:
        return f"that is the schema of the other document; write {wanted}"
    return f"write exactly {wanted}"
