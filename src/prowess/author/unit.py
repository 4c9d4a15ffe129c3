"""A unit to begin with: it works, has nothing to be told by lint, and its own tests pass.

It counts words until somebody writes something better into it. Nothing that is there is ever
overwritten, and what cannot be written whole leaves nothing behind.
"""

from __future__ import annotations

import contextlib
import json
import keyword
import os
import re
from typing import Any, Literal

from prowess.author.scaffold import CASES, cases_of, there, titled, write_folder
from prowess.errors import UsageError
from prowess.redact import printable

Form = Literal["folder", "function"]

_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
LONGEST = 64

TEXT = {
    "type": "string",
    "description": "The text, as the user gave it.",
    "examples": ["Good morning Oslo"],
    "maxLength": 10000,
}

SKILL = '''\
"""{title}. It counts words until you write what it is to do."""


class {kind}:
    """What runs when `{name}` is called: plain dictionaries in and out."""

    async def execute(self, params: dict) -> dict:
        """The parameters fit schema.json before this runs; what it gives is held against `returns`."""
        words = params["text"].split()
        if not words:
            raise ValueError("there are no words in this text")
        return {{"words": len(words)}}
'''

FUNCTION = '''\
"""{title}. It counts words until you write what it is to do."""

from typing import Annotated

from prowess import unit
from pydantic import Field
from typing_extensions import TypedDict


class Counted(TypedDict):
    words: int


@unit(
    triggers=["count words", "how many words"],
    idempotent=True,
    version="0.1.0",
    examples=[
        {{"input": {{"text": "Good morning Oslo"}}, "output": {{"words": 3}}}},
        {{"input": {{"text": " "}}, "error": "no words"}},
    ],
)
async def {name}(
    text: Annotated[
        str,
        Field(description="The text, as the user gave it.", examples=["Good morning Oslo"], max_length=10000),
    ],
) -> Counted:
    """Counts the words of a text."""
    words = text.split()
    if not words:
        raise ValueError("there are no words in this text")
    return {{"words": len(words)}}
'''


def write_unit(name: str, folder: str, *, form: Form = "folder") -> tuple[str, ...]:
    """Write a unit into `folder`; the files. Raises UsageError for a name or a place that will not do."""
    insist_on_unit_name(name)
    if not os.path.isdir(folder):
        raise UsageError(f"{printable(folder, 300)}: no such directory")
    if form == "function":
        return (_write_file(os.path.join(folder, f"{name}.py"), FUNCTION.format(**_words(name))),)
    return write_folder(os.path.join(folder, name), {**unit_files(name), CASES: cases_of(name)})


def unit_files(name: str) -> dict[str, str]:
    """The two files that make a folder a unit."""
    return {"schema.json": _schema(name), "skill.py": SKILL.format(**_words(name))}


def insist_on_unit_name(name: str, what: str = "a unit") -> None:
    """Raise UsageError for what cannot be the name of a unit, or of whatever else is called like one."""
    if not _NAME.fullmatch(name) or len(name) > LONGEST or keyword.iskeyword(name):
        raise UsageError(
            f"{printable(name, 80) or 'an empty text'} is no name for {what}",
            hint="a verb and a noun in lower case with an underscore: query_weather",
        )


def _words(name: str) -> dict[str, str]:
    return {"name": name, "title": titled(name), "kind": _class_name(name)}


def _class_name(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def _schema(name: str) -> str:
    said: dict[str, Any] = {
        "name": name,
        "description": "Counts the words of a text.",
        "triggers": ["count words", "how many words"],
        "parameters": {"type": "object", "properties": {"text": TEXT}, "required": ["text"]},
        "returns": {"type": "object", "properties": {"words": {"type": "integer"}}, "required": ["words"]},
        "timeout": 5000,
        "idempotent": True,
        "version": "0.1.0",
        "permissions": {},
        "core": False,
        "examples": [
            {"input": {"text": "Good morning Oslo"}, "output": {"words": 3}},
            {"input": {"text": " "}, "error": "no words"},
        ],
    }
    return json.dumps(said, indent=2) + "\n"


def _write_file(file: str, text: str) -> str:
    written = False
    try:
        with open(file, "x", encoding="utf-8") as opened:
            written = True
            opened.write(text)
    except FileExistsError:
        raise there(file) from None
    except OSError as error:
        if written:  # half of it may be there
            with contextlib.suppress(OSError):
                os.unlink(file)
        raise UsageError(f"{printable(file, 300)}: {error.strerror}") from None
    return file
