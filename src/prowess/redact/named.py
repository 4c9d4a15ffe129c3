"""What the name of a key says about its value: `Authorization`, `DB_PASSWORD`, `accessToken`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from prowess.redact.patterns import holds_token
from prowess.redact.placeholder import placeholder
from prowess.redact.shown import MASK

PLAIN_WORD = 12  # a word of letters up to this length under a secret's name is a setting: `none`, `required`
SHORTEST_PART = 8  # a shorter word of a value is too common to be masked wherever it stands
_SHORTEST = 4
_SHORTEST_NUMBER = 6
_LONGEST_STEP = 32  # between two slashes; base64 may begin with one as well

_LAST = frozenset(
    {"passphrase", "passcode", "pwd", "authorization", "credential", "credentials", "cookie", "jwt", "bearer"}
)
_ENDINGS = ("password", "passwd", "secret", "token", "apikey")  # `PGPASSWORD`, `authtoken`
_LAST_OF_SEVERAL = frozenset({"pass", "pat", "creds"})  # `DB_PASS`, `GITHUB_PAT`; alone they are other things
_LAST_TWO = frozenset(
    f"{first} {last}"
    for last in ("key", "keys")
    for first in ("api", "access", "secret", "private", "signing", "encryption", "auth", "account", "service")
)
# Tokens that are places in a list or signs of progress, and no secrets.
_NO_SECRET = frozenset(
    {"page", "next", "continuation", "progress", "sync", "resume", "cancel", "stop", "pad", "eos"}
)


@cache
def _parts() -> re.Pattern[str]:
    return re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def secret_key(key: str) -> bool:
    """Whether a key of this name holds a secret: judged by its last words, in any common spelling."""
    if len(key) > 200:
        return False
    words = [word.lower() for word in _parts().findall(key)]
    while words and words[-1].isdigit():
        words.pop()
    if not words:
        return False
    if " ".join(words[-2:]) in _LAST_TWO:
        return True
    last = words[-1]
    named = last in _LAST or last.endswith(_ENDINGS) or (len(words) > 1 and last in _LAST_OF_SEVERAL)
    return named and not _NO_SECRET.intersection(words[:-1])


def looks_secret(key: str, value: str) -> bool:
    """Whether a value of `env` or `headers` looks like a secret.

    A token of a known kind is one under any key. Under a secret's name everything is, but for
    placeholders, paths, short numbers and short plain words.
    """
    if holds_token(value):
        return True
    return secret_key(key) and not placeholder(value) and not harmless(value)


def harmless(value: str) -> bool:
    """Whether a value can stand under a secret's name without being one: a setting, a path, a number."""
    value = value.strip()
    if len(value) < _SHORTEST or value.startswith(("./", "../", "~/", "file:")):
        return True
    if value.startswith("${") and "}/" in value:
        return True
    if value.startswith("/"):
        return max(map(len, value.split("/"))) < _LONGEST_STEP
    if value.isdigit():
        return len(value) < _SHORTEST_NUMBER
    word = value.isascii() and value.isalpha() and value[1:] in (value[1:].lower(), value[1:].upper())
    return word and len(value) <= PLAIN_WORD


def secrets_in(values: Mapping[str, str]) -> list[str]:
    """The values of `env` or `headers` that look secret, in every form in which they may come back."""
    secrets = [value for key, value in values.items() if looks_secret(key, value)]
    # An Authorization value is a scheme and a credential, and it is the credential that gets repeated.
    return secrets + [part for value in secrets for part in value.split(" ") if len(part) >= SHORTEST_PART]


def secrets_in_arguments(arguments: Sequence[str]) -> list[str]:
    """The same of a command's arguments: `--api-key VALUE` and `--api-key=VALUE`."""
    found: list[str] = []
    for at, flag in enumerate(arguments):
        name, equals, value = flag.partition("=")
        following = arguments[at + 1] if at + 1 < len(arguments) else ""
        if name.startswith("-") and (equals or not following.startswith("-")):
            found += secrets_in({name.lstrip("-"): value if equals else following})
    return found


def masked(values: Mapping[str, str]) -> dict[str, str]:
    """A copy fit to show: each value that looks secret is replaced by the mask."""
    return {key: MASK if looks_secret(key, value) else value for key, value in values.items()}
