"""Markdown that others wrote becomes a part of a page that does nothing by itself."""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prowess.console.markdown import MOST, plain, rendered
from prowess.console.shown import shown, shown_block


class _Elements(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def _elements(text: str) -> list[tuple[str, dict[str, str | None]]]:
    return _Elements(str(rendered(text))).found


def test_headings_lists_tables_and_code_are_drawn_below_the_pages_own_title() -> None:
    tags = [tag for tag, _ in _elements("# A\n\n###### B\n\n- c\n\n| d |\n|---|\n| `e` |\n\n```\nf\n```\n")]
    assert tags == [
        *("div", "h3", "h6", "ul", "li", "table", "thead", "tr", "th", "tbody", "tr", "td", "code"),
        *("pre", "code"),
    ]


@pytest.mark.parametrize(
    "target",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "//evil.example",
        "/pins",
        "\\\\evil.example",
        "#top",
        "other.md",
    ],
)
def test_a_link_that_leads_to_no_web_page_is_text_with_its_target(target: str) -> None:
    found = str(rendered(f"[x](<{target}>)"))
    assert "<a" not in found
    assert re.sub(r"<[^>]*>", "", found).strip().startswith("x (")


def test_a_link_to_a_web_page_says_where_it_leads_and_tells_it_nothing() -> None:
    found = str(rendered("[ours](https://evil.example/x)"))
    assert '<a href="https://evil.example/x" rel="noopener noreferrer">ours</a>' in found
    assert "(https://evil.example/x)" in found


def test_a_relative_link_leads_where_its_page_says() -> None:
    found = str(rendered("[x](references/a.md)", own=lambda target: f"/file?path={target}"))
    assert 'href="/file?path=references/a.md"' in found


def test_no_picture_is_loaded() -> None:
    found = str(rendered("![a chart](https://evil.example/p.png)"))
    assert "<img" not in found and "src=" not in found
    assert "a chart" in found and "https://evil.example/p.png" in found


def test_html_is_text() -> None:
    tags = {tag for tag, _ in _elements("<script>alert(1)</script>\n\n<b onclick=x>y</b> <!-- z -->")}
    assert tags == {"div", "p"}


def test_what_cannot_be_seen_is_made_visible() -> None:
    found = str(rendered("a\u202eb `c\u200b` \n\n```\n\u2066\n```"))
    assert "\u202e" not in found and "\u2066" not in found and "\u200b" not in found
    assert "U+202E" in found and "U+2066" in found and "U+200B" in found


def test_a_long_text_is_cut_and_says_so() -> None:
    found = str(rendered("a" * (MOST + 1_234)))
    assert len(found) < MOST + 500
    assert "+1,234" in found


def test_a_text_of_characters_that_cannot_be_seen_is_cut_early() -> None:
    assert len(rendered("\u202e\u2066" * 30_000)) < 300_000
    assert "+29,990" in shown("\u202e" * 30_000, 200)
    assert len(shown_block("\u202e" * 30_000)) < 100_000
    assert shown("a\nb" * 5, 200).count("U+000A") == 5
    assert "cut" not in shown_block("a\nb\tc\n" * 3_000)


def test_without_the_extra_it_is_text_and_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nh3", None)
    found = str(rendered("# <b>"))
    assert "# &lt;b&gt;" in found
    assert "prowess[console]" in found


def test_what_is_no_markdown_stays_as_it_is() -> None:
    assert "# &lt;b&gt;" in plain("# <b>")


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="[]()<>!#*_`~|:-/\\ \n\"'=&;ahrefjavscipt.img\u202e", max_size=120))
def test_nothing_but_harmless_elements_comes_out(text: str) -> None:
    for tag, attributes in _elements(text):
        assert tag in {
            *("div", "p", "br", "hr", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code"),
            *("em", "strong", "s", "table", "thead", "tbody", "tr", "th", "td", "a", "span", "bdi"),
        }
        assert set(attributes) <= {"href", "rel", "class", "title", "start"}
        assert str(attributes.get("href", "https://")).startswith(("https://", "http://"))
