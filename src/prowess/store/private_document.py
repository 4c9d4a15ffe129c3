"""One JSON object in a file that only this user can read, replaced as a whole.

A reader never sees half of it, and what was written survives a loss of power. The object carries a
format number: what a newer Prowess wrote is neither read nor replaced. Unlike the memory of eras,
what is kept here cannot be made again, so a damaged file is an error and not an empty one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from prowess.errors import Unreadable
from prowess.redact import printable
from prowess.store.directories import create_private
from prowess.store.whole_file import replace_whole

MAX_BYTES = 4_000_000


def read_document(path: str, format: int) -> dict[str, Any] | None:
    """The object at `path`, None when there is no file; Unreadable for anything else."""
    try:
        with open(path, "rb") as file:
            document = json.loads(file.read(MAX_BYTES + 1))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unreadable(f"{printable(path)}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise _damaged(path) from None
    found = document.get("format") if isinstance(document, dict) else None
    if not isinstance(found, int) or isinstance(found, bool) or found < 1:
        raise _damaged(path)
    if found > format:
        raise Unreadable(
            f"{printable(path)} was written by a newer Prowess (format {found}, known is {format})",
            hint="use that version, or move the file away",
        )
    return dict(document)


def _damaged(path: str) -> Unreadable:
    return Unreadable(
        f"{printable(path)} is damaged", hint="move the file away; a new one is made when needed"
    )


def write_document(path: str, document: Mapping[str, Any], format: int) -> None:
    """Replace the object at `path`; OSError when that cannot be done."""
    create_private(os.path.dirname(path))
    replace_whole(path, json.dumps({"format": format, **document}).encode("utf-8"))
