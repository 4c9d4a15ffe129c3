"""Writing a package to begin with: new folders whole or not at all, and nothing that is there overwritten.

Every scaffold counts words until somebody writes something better into it, so that all of them work,
can be called and can be found by the same trigger cases. What is in a package of each kind is
`plugin.py`, `skill.py`, `unit.py`, `content.py` and `scaffold_workflow.py`.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from typing import Any

from prowess.errors import UsageError
from prowess.redact import printable

CASES = "evals/triggers.yaml"

# Three of each kind: what has to be found, what lies at the edge, and what only sounds like it.
_UTTERANCES: dict[str, tuple[str, ...]] = {
    "positive": (
        "How many words does this paragraph have?",
        "Is my abstract below 250 words?",
        "Count the words of the speech that I pasted",
    ),
    "boundary": (
        "Is this text too long?",
        "How long would it take to read this aloud?",
        "Give me some figures about this essay",
    ),
    "negative": (
        "What does this word mean?",
        "Count the rows of this spreadsheet",
        "Translate this paragraph into French",
    ),
}


def cases_of(name: str, beside: Sequence[str] = ()) -> str:
    """Trigger cases for whoever counts words as `name`; `beside` are others that may answer as well."""
    answer = f"    expect: {json.dumps([name, *beside])}\n" if beside else ""
    lines = ["format: 1\n", f"skill: {json.dumps(name)}\n", "cases:\n"]
    for kind, utterances in _UTTERANCES.items():
        for number, each in enumerate(utterances, 1):
            lines.append(f"  - id: {kind}-{number}\n    utterance: {json.dumps(each)}\n    kind: {kind}\n")
            lines.append(answer if kind != "negative" else "")
    return "".join(lines)


def json_file(value: Any) -> str:
    """A value as an author finds it in a file."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def titled(name: str) -> str:
    """A name as words: `book-flight` is Book flight."""
    return " ".join(name.replace("_", " ").replace("-", " ").replace(".", " ").split()).capitalize()


def write_folder(folder: str, files: Mapping[str, str]) -> tuple[str, ...]:
    """Make `folder` and write `files` (paths with `/`) into it; the files. UsageError leaves nothing."""
    above = os.path.dirname(folder) or "."
    if not os.path.isdir(above):
        raise UsageError(f"{printable(above, 300)}: no such directory")
    try:
        os.mkdir(folder)
    except FileExistsError:
        raise there(folder) from None
    except OSError as error:
        raise UsageError(f"{printable(folder, 300)}: {error.strerror}") from None
    try:
        return tuple(_write(folder, path, text) for path, text in files.items())
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)  # made a moment ago, by nobody else
        raise UsageError(f"{printable(folder, 300)}: {error.strerror}") from None
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _write(folder: str, path: str, text: str) -> str:
    file = os.path.join(folder, *path.split("/"))
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "x", encoding="utf-8", newline="\n") as opened:
        opened.write(text)
    return file


def there(place: str) -> UsageError:
    """The error for something that would be overwritten."""
    return UsageError(
        f"{printable(place, 300)} is there already; nothing was written", hint="choose another name"
    )
