"""Asking a provider over HTTP: POST and JSON, bounded in time, size, tries and cost, redirects not followed.

429 and what a server says of itself (500, 502, 503, 504, 529) is tried again, each time counted against
the cap, after the wait that the answer asks for if that is short. The key comes from an environment
variable, goes over https or to this machine only, and is masked in whatever is told.
"""

from __future__ import annotations

import json
import os
import ssl
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from prowess.call.clock import Clock, SystemClock
from prowess.credentials.endpoint import proxy_for
from prowess.credentials.urls import is_loopback, secret_may_go_to
from prowess.errors import UsageError
from prowess.evaluate.selectors import Failed, FailureCode, Meter
from prowess.redact import Redactor, printable

TRIES = 4
SECONDS = 60.0
LONGEST_WAIT = 30.0
FIRST_WAIT = 1.0
LARGEST = 16 << 20
AGAIN = frozenset({429, 500, 502, 503, 504, 529})
MAY_HAVE_COST: frozenset[FailureCode] = frozenset({"timeout", "malformed"})  # though nothing came of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A provider's key; it is shown nowhere."""

    value: str = field(default="", repr=False)
    name: str = ""

    @classmethod
    def of(cls, name: str, *, needed: bool) -> Key:
        """The key in the environment variable `name`. Raises UsageError where it is needed and not there."""
        value = os.environ.get(name, "").strip()
        if not value and needed:
            raise UsageError(f"there is no {printable(name, 80)} in the environment", hint="it holds the key")
        if not value.isascii() or not value.isprintable():
            raise UsageError(f"{printable(name, 80)} holds something that is no key")
        return cls(value=value, name=name)


class Endpoint:
    """One provider at one URL."""

    def __init__(
        self,
        url: str,
        key: Key,
        headers: Mapping[str, str],
        meter: Meter,
        *,
        seconds: float = SECONDS,
        clock: Clock | None = None,
    ) -> None:
        _judge(url, key)
        self._url = url.rstrip("/")
        self._headers = {"content-type": "application/json", "accept-encoding": "identity", **headers}
        self._meter = meter
        self._seconds = seconds
        self._clock = clock or SystemClock()
        self._redactor = Redactor([key.value])
        self._client: Any = None

    async def ask(self, path: str, body: Mapping[str, Any], tokens: int) -> Any | Failed:
        """The JSON answer to `body`, or a failure. `tokens` is what the call may take, for the cap."""
        failed = self._meter.failure
        for attempt in range(TRIES):
            if not self._meter.reserve(tokens):
                return self._meter.failure
            status, answer, wait = await self._once(path, body)
            if not isinstance(answer, Failed):
                return answer
            failed = answer
            if failed.code not in MAY_HAVE_COST:
                self._meter.settle(tokens, 0)
            if status not in AGAIN or wait > LONGEST_WAIT or attempt + 1 == TRIES:
                break
            await self._clock.sleep(wait or FIRST_WAIT * 2**attempt * (0.5 + self._clock.random() / 2))
        return failed

    def settle(self, reserved: int, used: int) -> None:
        """What a call took, where the answer says so."""
        if used:
            self._meter.settle(reserved, used)

    async def close(self) -> None:
        """End all connections."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.aclose()

    async def _once(self, path: str, body: Mapping[str, Any]) -> tuple[int, Any | Failed, float]:
        """The status, the answer or a failure, and the seconds that it asks to wait."""
        import asyncio

        import httpx2

        if self._client is None:
            self._client = httpx2.AsyncClient(
                verify=True if self._url.startswith("https") else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
                proxy=proxy_for(self._url),
                trust_env=False,
                follow_redirects=False,
                timeout=self._seconds,
            )
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        url = f"{self._url}{path}"
        try:
            async with (
                asyncio.timeout(self._seconds),
                self._client.stream("POST", url, headers=self._headers, content=content) as answer,
            ):
                text = await _bounded(answer.aiter_raw())
                return answer.status_code, self._read(answer.status_code, text), _wait(answer.headers)
        except (TimeoutError, httpx2.TimeoutException):
            return 0, Failed(code="timeout", message=f"no answer within {self._seconds:g} s"), 0.0
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            return 0, Failed(code="unreachable", message=f"no answer: {type(error).__name__}"), 0.0

    def _read(self, status: int, text: bytes | None) -> Any | Failed:
        if text is None:
            return Failed(code="malformed", message=f"an answer of more than {LARGEST} bytes")
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if status == 200:
            return Failed(code="malformed", message="the answer is not JSON") if found is None else found
        codes: dict[int, FailureCode] = {429: "rate-limited"}
        code = codes.get(status, "server-error" if status >= 500 else "refused")
        told = self._redactor.text(_told(found))
        return Failed(code=code, message=f"HTTP {status}" + (f": {printable(told, 200)}" if told else ""))


def _judge(url: str, key: Key) -> None:
    shown = printable(_without_user(url), 200)
    try:
        parts = urlsplit(url)
        good = (
            parts.scheme in ("http", "https")
            and parts.hostname
            and parts.username is None
            and parts.port != 0
        )
    except ValueError:
        good = False
    if not good:
        raise UsageError(f"{shown} is no URL of http or https", hint="and without a user name")
    if key.value and not secret_may_go_to(url):
        hint = "https, or http to this machine"
        raise UsageError(f"the key in {key.name} may not go to {shown}", hint=hint)


def leads_here(url: str) -> bool:
    """Whether `url` leads to this machine."""
    try:
        return is_loopback(urlsplit(url).hostname or "")
    except ValueError:
        return False


def _without_user(url: str) -> str:
    head, sign, rest = url.partition("://")
    return head + sign + rest.rpartition("@")[2]


async def _bounded(chunks: AsyncIterator[bytes]) -> bytes | None:
    body = bytearray()
    async for chunk in chunks:
        body += chunk
        if len(body) > LARGEST:
            return None
    return bytes(body)


def _wait(headers: Mapping[str, str]) -> float:
    """Seconds of `Retry-After`; a date, and nonsense, count as none."""
    try:
        return max(0.0, float(headers.get("retry-after", "0")))
    except ValueError:
        return 0.0


def _told(found: Any) -> str:
    """What the provider says went wrong."""
    error = found.get("error") if isinstance(found, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) else ""
