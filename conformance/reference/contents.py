"""Small pieces of content: a text, a picture, a sound, a resource inside a result. MCP 2026-07-28."""

from __future__ import annotations

import base64
import io
import struct
import wave
import zlib
from typing import Any


def _chunk(kind: bytes, data: bytes) -> bytes:
    checksum = struct.pack(">I", zlib.crc32(kind + data))
    return struct.pack(">I", len(data)) + kind + data + checksum


def _png() -> bytes:
    """One red pixel."""
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixel = zlib.compress(b"\x00\xff\x00\x00")
    parts = (_chunk(b"IHDR", header), _chunk(b"IDAT", pixel), _chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _wav() -> bytes:
    """A hundredth of a second of silence."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(1)
        sound.setframerate(8_000)
        sound.writeframes(b"\x80" * 80)
    return file.getvalue()


PNG = base64.b64encode(_png()).decode()
WAV = base64.b64encode(_wav()).decode()


def text(value: str) -> dict[str, Any]:
    """A text block."""
    return {"type": "text", "text": value}


def image() -> dict[str, Any]:
    """A picture block."""
    return {"type": "image", "data": PNG, "mimeType": "image/png"}


def audio() -> dict[str, Any]:
    """A sound block."""
    return {"type": "audio", "data": WAV, "mimeType": "audio/wav"}


def embedded(uri: str, value: str, mime: str = "text/plain") -> dict[str, Any]:
    """A resource inside a result."""
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime, "text": value}}


def answer(*blocks: dict[str, Any]) -> dict[str, Any]:
    """The result of a tool."""
    return {"content": list(blocks)}


def said(*blocks: dict[str, Any]) -> dict[str, Any]:
    """The result of a prompt: each block as a message of the user."""
    return {"messages": [{"role": "user", "content": block} for block in blocks]}


def elicitation(message: str, required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    """A question for a person, as a form with these properties."""
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    names = list(properties) if required is None else required
    if names:
        schema["required"] = names
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}}


def sampling(prompt: str, tokens: int = 100) -> dict[str, Any]:
    """A question for the client's model."""
    message = {"role": "user", "content": text(prompt)}
    return {"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": tokens}}


def roots() -> dict[str, Any]:
    """The question which directories the client works in."""
    return {"method": "roots/list", "params": {}}
