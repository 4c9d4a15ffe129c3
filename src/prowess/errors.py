"""Every exception that Prowess raises.

    ProwessError              the caller cannot go on; carries a code, a message and a hint
    ├── UsageError            the question itself is wrong (an unknown option, a path that is not there)
    │   ├── Ambiguous         a name that more than one server has
    │   └── Conflict          what is asked does not fit how things stand by now
    ├── NotAllowed            who asks may not do this
    ├── PackageRejected       a package was asked for work and its manifest is fatal
    ├── NotFound              no such skill, file, rule, tool, prompt or resource
    ├── AccessDenied          a path that resolves outside its root
    │   └── Undeclared        a unit asks its context for what its permissions do not name
    ├── Unreadable            a file is there and cannot be read: permission, size, encoding
    ├── RequestFailed         the other side of a protocol answered with an error of its own
    ├── ConnectionFailed      a server did not start, connect, authenticate or shake hands
    ├── SkillRefused          a skill that a server serves is not used: not approved, or not what was listed
    ├── SourceRefused         a directory, archive or repository is not unpacked: too large, or not contained
    └── StoreFailed           what is remembered cannot be read or kept: damaged, newer, locked, full

Diagnostics are values and outcomes are values; an exception means that the caller's own step is impossible.
The command line turns each of these into one line on stderr, a hint, and exit status 2.
"""

from __future__ import annotations


class ProwessError(Exception):
    """The caller cannot go on.

    `message` says what is wrong and where, `hint` what to do about it; both are fit to print
    (bounded, without control characters, without secrets).
    """

    code = "error"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(ProwessError):
    """The question itself is wrong."""

    code = "usage"


class Ambiguous(UsageError):
    """A name means more than one thing; the hint says which there are."""

    code = "ambiguous"


class Conflict(UsageError):
    """What is asked does not fit how things stand by now: answered already, over, still going on."""

    code = "conflict"


class NotAllowed(ProwessError):
    """Who asks is known, and may not do this."""

    code = "denied"


class PackageRejected(ProwessError):
    """A package was asked for work and its manifest is fatal (Agent Plugins 5.2)."""

    code = "package-rejected"


class NotFound(ProwessError):
    """No such skill, file, rule, tool, prompt or resource."""

    code = "not-found"


class AccessDenied(ProwessError):
    """A path resolves outside its root (Agent Plugins 4.1)."""

    code = "access-denied"


class Undeclared(AccessDenied):
    """A unit asked its context for what it does not declare, so nothing was sent or read.

    `code` is one of `host-undeclared`, `address-undeclared` (the name is declared and leads to a
    private address that is not), `secret-undeclared` and `url-refused` (a user name in the URL, or
    no http).
    """

    def __init__(self, message: str, *, code: str, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.code = code


class Unreadable(ProwessError):
    """A file is there and cannot be read: permission, size or encoding."""

    code = "unreadable"


class ConnectionFailed(ProwessError):
    """A server did not start, connect, authenticate or shake hands."""

    code = "connection-failed"


class RequestFailed(ProwessError):
    """The other side answered a request with an error of its own (JSON-RPC 2.0, section 5.1).

    `number` is the error's code, `data` its data as sent; MCP 2026-07-28 says -32602 for a tool, prompt
    or resource that is not there, -32601 for a method.
    """

    code = "request-failed"

    def __init__(self, message: str, *, number: int, data: object = None, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.number = number
        self.data = data


class SkillRefused(ProwessError):
    """A skill that a server serves, or a file of it, is not used.

    `code` is one of `skill-unapproved` (nobody approved it, or not since it changed), `skill-denied`
    (somebody said no, or the policy does), `skill-mismatch` (what was read is not what the entry says),
    `skill-changed` (its server lists other content now), `skill-unlisted` (the entry does not list that
    file), `skill-inactive` (a file of a skill that this conversation has not activated), `skill-dynamic`
    (no digests, and nobody to ask), and `skill-too-large`.
    """

    def __init__(self, message: str, *, code: str, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.code = code


class SourceRefused(ProwessError):
    """A directory, an archive or a repository is not unpacked, and nothing of it is kept.

    `code` says why: `path-*` and `link-*` for what would not stay inside or is not the same on every
    machine, `too-*` for bounds, `archive-*` for what cannot be read, `git-*` for what cannot be fetched.
    `docs/decisions/0037-install.md` lists them.
    """

    def __init__(self, message: str, *, code: str, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.code = code


class StoreFailed(ProwessError):
    """What is remembered cannot be read or kept: the file is damaged, newer, locked, or the disk full."""

    code = "store-failed"


class CredentialFailed(ProwessError):
    """A token could not be had, was turned away, or may not go where it was to be sent.

    `code` is one of `credential-missing` (its source does not hold it), `credential-unreachable`
    (the token endpoint did not answer), `credential-rejected` (refused, also after a refresh),
    `credential-forbidden` (accepted, and not allowed this), `credential-exhausted` (over its rate;
    `retry_after` says for how many seconds) and `credential-unapproved` (the server is not the one
    that it was bound to).
    """

    code = "credential-failed"

    def __init__(self, message: str, *, code: str, hint: str = "", retry_after: float | None = None) -> None:
        super().__init__(message, hint=hint)
        self.code = code
        self.retry_after = retry_after


def why(error: Exception) -> str:
    """What went wrong, for a sentence: our own errors say it, of others only the kind is told."""
    return error.message if isinstance(error, ProwessError) else type(error).__name__
