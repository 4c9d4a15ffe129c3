"""Reading a secret from where it is kept: environment, file, keyring.

A file that others can read is refused rather than used: it is a secret no more. Nothing read here is
kept, shown or written; the errors name the place and never the value.
"""

from __future__ import annotations

import os
import stat
import sys

from prowess.credentials.sections import Secret
from prowess.errors import CredentialFailed
from prowess.redact import printable

MAX_BYTES = 64 * 1024
OTHERS = 0o077  # any right of group or others


def read_secret(secret: Secret) -> str:
    """The secret itself; CredentialFailed (`credential-missing`) when it is not to be had."""
    if secret.env:
        value = os.environ.get(secret.env, "")
    elif secret.file:
        value = _from_file(secret.file)
    else:
        value = _from_keyring(secret.keyring)
    value = value.strip("\r\n")
    if not value:
        raise _missing(f"{secret} holds nothing")
    if not value.isprintable():
        raise _missing(f"{secret} holds more than one line, or control characters")
    return value


def _missing(message: str, hint: str = "") -> CredentialFailed:
    return CredentialFailed(message, code="credential-missing", hint=hint)


def _from_file(path: str) -> str:
    shown = printable(path)
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        raise _missing(f"file {shown}: {error.strerror}") from None
    try:
        _judge(os.fstat(handle).st_mode, shown)
        data = os.read(handle, MAX_BYTES + 1)
    finally:
        os.close(handle)
    if len(data) > MAX_BYTES:
        raise _missing(f"file {shown} is larger than {MAX_BYTES} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise _missing(f"file {shown} is not UTF-8") from None


def _judge(mode: int, shown: str) -> None:
    if not stat.S_ISREG(mode):
        raise _missing(f"file {shown} is not a regular file")
    if sys.platform != "win32" and mode & OTHERS:
        raise _missing(
            f"file {shown} is open to other users (mode {stat.S_IMODE(mode):04o})",
            hint=f"chmod 600 {shown}, and replace the secret if others may have read it",
        )


def _from_keyring(name: str) -> str:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        raise _missing(
            f"keyring {printable(name)}: the keyring extra is not installed",
            hint="pip install 'prowess[keyring]'",
        ) from None
    service, _, user = name.rpartition("/")
    try:
        return keyring.get_password(service, user) or ""
    except (KeyringError, RuntimeError) as error:
        raise _missing(
            f"keyring {printable(name)}: {printable(str(error)) or type(error).__name__}",
            hint="a machine without a desktop session has no keyring; use env or file there",
        ) from None
