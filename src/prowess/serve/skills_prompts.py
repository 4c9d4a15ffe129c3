"""Every skill as a prompt, for clients that have slash commands and do not know the skills extension.

MCP 2026-07-28, prompts: a skill is a prompt (its instructions), resources (its files) and tools. The
person who starts it may say what is wanted. The files are linked, not read.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from prowess.capability.skill_entry import SKILL_FILE
from prowess.errors import RequestFailed
from prowess.redact import printable
from prowess.serve.skills_local import LocalSkills, Served
from prowess.spec.skill import read_body

ARGUMENT = "request"
LINKED = 100  # files; of the rest only the number is told
INVALID_PARAMS = -32602


def prompt_of(served: Served) -> dict[str, Any]:
    """The wire object `Prompt`: the skill's path is its name."""
    return {
        "name": served.path,
        "description": served.description,
        "arguments": [{"name": ARGUMENT, "description": "What you want done.", "required": False}],
    }


def prompt_result(skills: LocalSkills, served: Served, arguments: object) -> dict[str, Any]:
    """The result of `prompts/get`. Raises RequestFailed (-32602) for arguments that cannot be used."""
    wanted = _wanted(arguments)
    data = skills.content(served, SKILL_FILE)
    if data is None:
        raise RequestFailed(f"the skill {printable(served.path)} is gone", number=INVALID_PARAMS)
    others = [each for each in served.files if each != SKILL_FILE]
    texts = [_instructions(served, read_body(data), len(others))]
    if wanted:
        texts.append(f"What is wanted:\n{wanted}")
    contents: list[dict[str, Any]] = [{"type": "text", "text": "\n\n".join(texts)}]
    contents += [{"type": "resource_link", **served.resource(each)} for each in others[:LINKED]]
    return {
        "description": served.description,
        "messages": [{"role": "user", "content": each} for each in contents],
    }


def _wanted(arguments: object) -> str:
    given = {} if arguments is None else arguments
    if not isinstance(given, Mapping):
        raise RequestFailed("arguments is not an object", number=INVALID_PARAMS)
    wanted = given.get(ARGUMENT, "")
    if not isinstance(wanted, str):
        raise RequestFailed(f"{ARGUMENT} is not text", number=INVALID_PARAMS)
    return wanted.strip()


def _instructions(served: Served, body: str, others: int) -> str:
    name, uri = escape(str(served.frontmatter["name"])), escape(served.uri_of(""))
    # A body that holds the closing tag would let what follows it pass for words of ours.
    inner = body.replace("</skill>", "&lt;/skill&gt;").strip("\n")
    lines = [f'<skill name="{name}" directory="{uri}">', inner]
    if others:
        more = f" The first {LINKED} are linked below." if others > LINKED else ""
        lines += [
            "",
            f"Paths in this text are relative to {uri}: read such a file as a resource when you need it. "
            f"There are {others} beside {SKILL_FILE}.{more}",
        ]
    return "\n".join([*lines, "</skill>"])
