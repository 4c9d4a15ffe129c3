"""The secrets that a server entry carries, although a package is no place for them.

Agent Plugins 1.0.0, 7.2.1 and 7.2.2: values of `env` and `headers`, and what a command's arguments
say under a secret's name. They are used as they stand, and shown masked.
"""

from __future__ import annotations

from prowess.redact import secrets_in, secrets_in_arguments
from prowess.spec.model import Server, StdioServer


def secrets_of(server: Server) -> list[str]:
    """Every value of the entry that looks like a secret, in the forms in which it may come back."""
    if isinstance(server, StdioServer):
        return [*secrets_in(server.env), *secrets_in_arguments(server.args)]
    return secrets_in(server.headers)
