"""JSON written so that every reader takes it, whatever a server sent (RFC 8259)."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import Response

from prowess.capability.canonical import escape_surrogates, plain


def json_text(value: Any) -> str:
    """One line of JSON; half characters are escapes, numbers that JSON does not have are replaced."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (ValueError, TypeError, RecursionError):
        text = json.dumps(plain(value), ensure_ascii=False, separators=(",", ":"))
    return escape_surrogates(text)


class JsonResponse(Response):
    """A JSON document."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The bytes of the document."""
        return json_text(content).encode()


class ProblemResponse(JsonResponse):
    """A problem document (RFC 9457)."""

    media_type = "application/problem+json"
