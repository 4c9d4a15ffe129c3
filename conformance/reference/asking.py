"""One request as an answer sees it, in both eras of the protocol.

A tool or prompt says what it wants to know with `Asked.collect`. MCP 2025-11-25 puts the question to
the client while the request waits; MCP 2026-07-28 ends the request with an `input_required` result, and
the client sends it again with the answers. The tools themselves are written once.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

INVALID_PARAMS = -32602
RESOURCE_NOT_FOUND = -32002  # MCP 2025-11-25; since 2026-07-28 it is -32602
MISSING_CAPABILITY = -32021

LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel"

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")

# What a client has to declare before it may be asked.
CAPABILITY = {
    "elicitation/create": "elicitation",
    "sampling/createMessage": "sampling",
    "roots/list": "roots",
}

_KEY = os.urandom(32)


class Client(Protocol):
    """The client, as far as an answer may speak with it."""

    @property
    def session(self) -> str:
        """The session (2025-11-25); an empty text for a request that stands by itself (2026-07-28)."""
        ...

    @property
    def capabilities(self) -> Mapping[str, Any]:
        """What the client declared."""
        ...

    async def progress(self, params: Mapping[str, Any]) -> None:
        """Report progress, if it was asked for."""
        ...

    async def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Send another notification that belongs to the request."""
        ...

    async def ask(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Put a request to the client (2025-11-25)."""
        ...


class Refused(Exception):
    """The request ends with an error of the protocol."""

    def __init__(self, number: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.number = number
        self.message = message
        self.data = data


class Failed(Exception):
    """The tool ran and says that it failed: a result with `isError`."""


class InputNeeded(Exception):
    """The request ends with an `input_required` result; `wire` is it."""

    def __init__(self, requests: Mapping[str, Any], state: str) -> None:
        super().__init__("input required")
        self.wire: dict[str, Any] = {"resultType": "input_required", "inputRequests": dict(requests)}
        if state:
            self.wire["requestState"] = state


def sealed(text: str) -> str:
    """`text` so that a change of it is noticed: a `requestState` comes back from the client."""
    return f"{text}.{_signature(text)}"


def _signature(text: str) -> str:
    return hmac.new(_KEY, text.encode(), hashlib.sha256).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked: the params as sent, the client, and the least level that it wants logged."""

    params: Mapping[str, Any]
    client: Client
    level: str = "debug"

    @property
    def arguments(self) -> Mapping[str, Any]:
        """The arguments of the tool or prompt."""
        arguments = self.params.get("arguments")
        return arguments if isinstance(arguments, Mapping) else {}

    @property
    def meta(self) -> Mapping[str, Any]:
        """The request's `_meta`."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, Mapping) else {}

    @property
    def modern(self) -> bool:
        """Whether the request stands by itself (MCP 2026-07-28)."""
        return not self.client.session

    async def log(self, level: str, data: str) -> None:
        """Send a log message, unless the client did not ask for that level."""
        least = self.meta.get(LOG_LEVEL_KEY) if self.modern else self.level
        if least in LEVELS and LEVELS.index(level) >= LEVELS.index(least):
            await self.client.notify("notifications/message", {"level": level, "data": data})

    async def progress(self, progress: float, total: float) -> None:
        """Report progress, if it was asked for."""
        await self.client.progress({"progress": progress, "total": total})

    def state(self) -> str:
        """The text that was sealed into the `requestState`, or an empty one; a changed one is refused."""
        state = self.params.get("requestState")
        if state is None:
            return ""
        text, _, signature = str(state).rpartition(".")
        if not hmac.compare_digest(signature.encode(), _signature(text).encode()):
            raise Refused(INVALID_PARAMS, "requestState is not what this server gave out")
        return text

    async def collect(
        self, requests: Mapping[str, Mapping[str, Any]], state: str = ""
    ) -> Mapping[str, Mapping[str, Any]]:
        """The client's answers to `requests`, by the same keys; `state` comes back with them."""
        self._insist_on_declared(requests)
        if not self.modern:
            return {
                key: await self.client.ask(str(each["method"]), each["params"])
                for key, each in requests.items()
            }
        given = self._responses()
        if any(not _fits(request, given.get(key)) for key, request in requests.items()):
            raise InputNeeded(requests, state)
        return {key: given[key] for key in requests}

    def _insist_on_declared(self, requests: Mapping[str, Mapping[str, Any]]) -> None:
        needed = {CAPABILITY[str(each["method"])] for each in requests.values()}
        missing = sorted(needed - set(self.client.capabilities))
        if missing and self.modern:
            raise Refused(
                MISSING_CAPABILITY,
                f"this needs a client that declares {', '.join(missing)}",
                {"requiredCapabilities": {each: {} for each in missing}},
            )
        if missing:
            raise Failed(f"the client does not declare {', '.join(missing)}")

    def _responses(self) -> Mapping[str, Mapping[str, Any]]:
        given = self.params.get("inputResponses")
        if given is None:
            return {}
        if not isinstance(given, Mapping) or not all(isinstance(each, Mapping) for each in given.values()):
            raise Refused(INVALID_PARAMS, "inputResponses holds something that is no response")
        return given


def _fits(request: Mapping[str, Any], response: Mapping[str, Any] | None) -> bool:
    """Whether a response can be one to that request; a person may also decline."""
    if response is None:
        return False
    if request["method"] == "sampling/createMessage":
        return isinstance(response.get("content"), Mapping | list)
    if request["method"] == "roots/list":
        return isinstance(response.get("roots"), list)
    if response.get("action") != "accept":
        return response.get("action") in ("decline", "cancel")
    content = response.get("content")
    required = request["params"]["requestedSchema"].get("required", ())
    return isinstance(content, Mapping) and all(each in content for each in required)
