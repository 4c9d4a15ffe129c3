"""The languages of the console: English as written in the pages, Chinese from `zh/`.

A text is its own key. What packages and servers say stays in whatever language they say it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files

LANGUAGES = {"en": "English", "zh": "中文"}
Translate = Callable[..., str]


@cache
def words(language: str) -> Mapping[str, str]:
    """Every translated text of a language, by its English one."""
    if language == "en":
        return {}
    found: dict[str, str] = {}
    for each in sorted(files("prowess.console").joinpath(language).iterdir(), key=lambda file: file.name):
        if each.name.endswith(".toml"):
            found |= tomllib.loads(each.read_text("utf-8"))
    return found


def translator(language: str) -> Translate:
    """`t("{n} tools", n=3)`: the text in that language, with its values filled in."""
    known = words(language)

    def t(text: str, **values: object) -> str:
        said = known.get(text, text)
        return said.format(**values) if values else said

    return t


def chosen(cookie: str | None, accepted: str) -> str:
    """The language of the cookie, or the first that the browser accepts and that we have."""
    if cookie in LANGUAGES:
        return str(cookie)
    for each in accepted.split(","):
        primary = each.partition(";")[0].strip().partition("-")[0].lower()
        if primary in LANGUAGES:
            return primary
    return "en"
