"""Which media type a file name means, and which of them are text.

The list of the standard library, the same on every machine (what the system itself has configured is
left aside), and the types that it lacks.
"""

from __future__ import annotations

from functools import lru_cache
from mimetypes import MimeTypes

MARKDOWN = "text/markdown"
UNKNOWN = "application/octet-stream"

_MORE = {
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
    ".toml": "application/toml",
    ".jsonl": "application/jsonl",
    ".ndjson": "application/x-ndjson",
    ".ipynb": "application/x-ipynb+json",
    ".graphql": "application/graphql",
    ".sql": "application/sql",
    ".rst": "text/x-rst",
    ".log": "text/plain",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".parquet": "application/vnd.apache.parquet",
}
_TEXT = frozenset(
    {
        *("application/json", "application/xml", "application/yaml", "application/toml", "application/jsonl"),
        *("application/x-ndjson", "application/graphql", "application/sql", "application/javascript"),
        *("application/x-sh", "application/rtf"),
    }
)


@lru_cache(maxsize=1)
def _known() -> MimeTypes:
    types = MimeTypes()
    for ending, type in _MORE.items():
        types.add_type(type, ending)
    return types


def media_type(name: str) -> str:
    """The media type of a file of that name; `application/octet-stream` for what nobody knows."""
    found, packed = _known().guess_type(f"x/{name.rpartition('/')[2]}")
    if packed is not None:  # a compressed file is no longer what is in it
        return {"gzip": "application/gzip", "bzip2": "application/x-bzip2", "xz": "application/x-xz"}.get(
            packed, UNKNOWN
        )
    return found or UNKNOWN


def is_text(type: str) -> bool:
    """Whether content of this type is sent as text."""
    essence = type.partition(";")[0].strip().lower()
    return essence.startswith("text/") or essence in _TEXT or essence.endswith(("+json", "+xml", "+yaml"))
