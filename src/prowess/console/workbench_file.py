"""The workbench as one HTML file that works from a disk: format and compare, in both languages and themes.

Everything is written into it, and its own policy (Content Security Policy, Level 3) lets it run just that
script and ask nobody for anything. Judging is not in it: there is one judge, and it is not in JavaScript.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files

from markupsafe import Markup

from prowess.console.door import Door
from prowess.console.language import translator
from prowess.console.pages import Pages
from prowess.console.workbench_words import facts, script_words

SHEETS = ("console.css", "workbench.css", "workbench_file.css")
SCRIPTS = ("workbench.js", "workbench_page.js", "workbench_file.js")


def workbench_file() -> str:
    """The file's text; the same from one version of Prowess every time."""
    style, script = (_joined(each) for each in (SHEETS, SCRIPTS))
    spoken = _Spoken()
    template = Pages(Door()).environment.get_template("workbench_file.html")
    return template.render(
        t=spoken.element,
        spoken=spoken.chinese,
        zh=translator("zh"),
        words={each: script_words(translator(each)) for each in ("en", "zh")},
        facts=facts(),
        style=Markup(style),  # our own sheets, which hold no end tag
        script=Markup(script),  # our own scripts, which hold no end tag
        policy=f"default-src 'none'; style-src {_source(style)}; script-src {_source(script)}; "
        "img-src data:; base-uri 'none'; form-action 'none'",
    )


def _joined(names: tuple[str, ...]) -> str:
    folder = files("prowess.console").joinpath("static")
    text = "\n".join(folder.joinpath(each).read_text("utf-8") for each in names)
    assert "</" not in text
    return f"\n{text}"


def _source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


class _Spoken:
    """Texts of the file, each an element that its script can say in the other language."""

    def __init__(self) -> None:
        self._chinese: dict[str, str] = {}

    def element(self, text: str, **values: object) -> Markup:
        """`t` of a template, for text between tags only."""
        self._chinese[text] = translator("zh")(text)
        return Markup("<span data-t>{}</span>").format(text.format(**values) if values else text)

    def chinese(self) -> dict[str, str]:
        """What was said so far, by its English text."""
        return self._chinese
