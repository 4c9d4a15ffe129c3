"""Errors for whoever asks for what there is not: -32602, with what there is in `data` and in words.

MCP 2026-07-28, prompts and resources, error handling. What is named stays bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import Any, NoReturn
from urllib.parse import unquote

from prowess.content.model import PromptFile
from prowess.errors import RequestFailed
from prowess.redact import printable

INVALID_PARAMS = -32602
NOT_FOUND_BEFORE = -32002  # what 2025-11-25 says where a resource is not there
MOST_NAMED = 20  # names in one error
MOST_COMPARED = 500


class NoResource(RequestFailed):
    """There is no resource at a URI."""

    def before(self) -> RequestFailed:
        """The same as 2025-11-25 says it."""
        return RequestFailed(self.message, number=NOT_FOUND_BEFORE, data=self.data)


def refusal(message: str, data: Mapping[str, Any]) -> RequestFailed:
    """The error for params that name what there is not; `data` holds what is valid."""
    return RequestFailed(message, number=INVALID_PARAMS, data=dict(data))


def insist_on_arguments(prompt: PromptFile, given: Mapping[str, str]) -> None:
    """RequestFailed unless every required argument is there and no other one than the prompt has."""
    known = [each.name for each in prompt.arguments]
    missing = [each.name for each in prompt.arguments if each.required and each.name not in given]
    unknown = [each for each in given if each not in known]
    if not missing and not unknown:
        return
    parts = []
    if missing:
        parts.append(f"needs {', '.join(missing)}")
    if unknown:
        parts.append(f"has no argument {printable(', '.join(unknown), 200)}")
    needed = ", ".join(f"{each.name} (required)" if each.required else each.name for each in prompt.arguments)
    message = (
        f"the prompt {printable(prompt.name, 128)} {' and '.join(parts)}; its arguments: {needed or 'none'}"
    )
    data: dict[str, Any] = {"missing": missing, "arguments": known}
    raise refusal(message, {**data, "unknown": unknown} if unknown else data)


def no_argument(name: str, known: list[str], what: str) -> NoReturn:
    """Raise RequestFailed: `what` has no argument of that name."""
    message = (
        f"{printable(what, 300)} has no argument {printable(name, 80)}; it has {', '.join(known) or 'none'}"
    )
    raise refusal(message, {"argument": name, "arguments": known})


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """At most three names that are like this one."""
    return get_close_matches(name[:500], list(islice(known, MOST_COMPARED)), 3, 0.6)


def nearest_uris(uri: str, known: Sequence[str]) -> list[str]:
    """URIs whose last part is like that of `uri`, the most similar first; the rest is alike anyway."""
    last = {each: _last(each) for each in known}
    near = nearest(_last(uri), dict.fromkeys(last.values()))
    return get_close_matches(uri[:500], [each for each in known if last[each] in near], 3, 0.0)


def perhaps(near: list[str]) -> str:
    """The end of a sentence that names what may have been meant."""
    return f"; perhaps {printable(', '.join(near), 500)}" if near else "; the lists show what there is"


def some(known: Iterable[str]) -> list[str]:
    """The first names; an error does not list thousands."""
    return list(islice(known, MOST_NAMED))


def _last(uri: str) -> str:
    """The last part of a URI's path, decoded."""
    return unquote(re.split("[/:]", re.split("[?#;]", uri)[0])[-1])
