"""What must not be seen of one Host: values that it injects, and secrets that packages carry.

Injected values are learned as they are handed out, before a server can repeat them, and are masked
in whatever comes back. What a package itself carries is masked where something is written down, and
left alone in results: it was never a secret of this user.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

from prowess.credentials.injecting import Injection, Injector
from prowess.redact import Redactor
from prowess.spec.carried import secrets_of
from prowess.spec.model import Server

REMEMBERED = 512  # injected values; tokens are replaced, and a server may repeat an old one


def own_secrets(servers: Iterable[Server]) -> list[str]:
    """The secrets that stand in the packages themselves."""
    return [secret for each in servers for secret in secrets_of(each)]


class Secrets:
    """Grows while tokens are handed out; its two functions always know the latest."""

    def __init__(self, own: Iterable[str] = (), *, personal: bool = False) -> None:
        self._own = tuple(own)
        self._personal = personal
        self._injected: deque[str] = deque(maxlen=REMEMBERED)
        self._written = Redactor(self._own, personal=personal)
        self._returned = Redactor()

    def learn(self, values: Iterable[str]) -> None:
        """Mask these from now on."""
        new = [each for each in values if each not in self._injected]
        if new:
            self._injected.extend(new)
            self._written = Redactor((*self._own, *self._injected), personal=self._personal)
            self._returned = Redactor(self._injected)

    def written(self, text: str) -> str:
        """A text as it may be written down: exact values, and whatever looks like a token."""
        return self._written.text(text)

    def exact(self, text: str) -> str:
        """A text without the exact values that are known, a package's own included."""
        return self._written.known(text)

    def returned(self, text: str) -> str:
        """A text as it may be handed back: without what was injected, otherwise as it was sent."""
        return self._returned.known(text)

    def free(self, value: Any) -> bool:
        """Whether `returned` certainly changes no text of a JSON value; False tells nothing."""
        return self._returned.free(value)


class Learning:
    """An Injector that tells the Host's secrets what it hands out."""

    def __init__(self, injector: Injector, secrets: Secrets) -> None:
        self._injector = injector
        self._secrets = secrets

    async def current(self) -> Injection:
        """The values to use now."""
        return self._learned(await self._injector.current())

    async def turned_away(self, injection: Injection) -> Injection:
        """What to try after a 401."""
        return self._learned(await self._injector.turned_away(injection))

    async def insufficient(self, injection: Injection, scope: str) -> Injection | None:
        """What to try after a 403 for want of a scope."""
        other = await self._injector.insufficient(injection, scope)
        return None if other is None else self._learned(other)

    async def exhausted(self, injection: Injection, retry_after: float | None) -> Injection | None:
        """What to try after a 429."""
        other = await self._injector.exhausted(injection, retry_after)
        return None if other is None else self._learned(other)

    def _learned(self, injection: Injection) -> Injection:
        self._secrets.learn(injection.secrets)
        return injection
