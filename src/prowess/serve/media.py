"""The media type of a file by its name: the same answer on every machine, whatever is installed there."""

from __future__ import annotations

from mimetypes import MimeTypes

# Not in every Python that we run on, or read differently from one to the next.
_OURS = {
    ".md": "text/markdown",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
    ".toml": "application/toml",
    ".jsonl": "application/jsonl",
    ".js": "text/javascript",
    ".ts": "text/plain",
}
_TYPES = MimeTypes(filenames=())


def media_type(name: str) -> str | None:
    """The type, or None where the name tells nothing."""
    ending = name[name.rfind(".") :].lower() if "." in name.rpartition("/")[2] else ""
    return _OURS.get(ending) or _TYPES.guess_type(f"file{ending}", strict=True)[0]
