"""Markdown that others wrote, as a part of a page.

CommonMark with tables. HTML in it is text, no picture is loaded, and a link shows where it leads; only
`http` and `https` are followed, and what `own` makes of a relative one. Twice guarded: markdown-it-py is
told to pass no HTML on, and nh3 lets through nothing but the elements named here. Characters that cannot
be seen are made visible as everywhere. Without the extra `console` it stays text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from prowess.console.shown import cut, shown_block, visible

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MOST = 60_000  # characters that are rendered
MOST_HTML = 250_000  # characters of what comes of them; what takes more is shown as text
HEADINGS = 2  # levels that a document's headings go down: the page has a title of its own
LONGEST_TARGET = 200
MISSING, INSTALL = "Shown as text; to see it as it is meant:", "pip install 'prowess[console]'"
_ELEMENTS = {
    *("p", "br", "hr", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong"),
    *("s", "table", "thead", "tbody", "tr", "th", "td", "a", "span", "bdi"),
}
_ATTRIBUTES = {"a": {"href"}, "span": {"class", "title"}, "ol": {"start"}}
_KEPT = frozenset("\n\t")

Own = Callable[[str], str | None]


def rendered(text: str, own: Own = lambda target: None) -> Markup:
    """The first `MOST` characters of `text` as HTML that is safe to put into a page.

    `own` gives the console's address of a relative link, or None for one that leads nowhere.
    """
    try:
        import nh3

        renderer = _renderer()
    except ImportError:
        return Markup('<p class="hint">{} <code>{}</code></p>{}').format(MISSING, INSTALL, plain(text))
    held = cut(text, MOST, _KEPT)
    made = renderer.render(held, {"own": own})
    clean = nh3.clean(
        made,
        tags=_ELEMENTS,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https"},
        link_rel="noopener noreferrer",
    )
    if len(clean) > MOST_HTML:
        return plain(text)
    left = len(text) - len(held)
    rest = Markup(' <p class="cut">… +{}</p>').format(f"{left:,}") if left > 0 else Markup("")
    return Markup('<div class="prose">{}{}</div>').format(Markup(clean), rest)  # what nh3 let through


def plain(text: str) -> Markup:
    """The same for what is no Markdown."""
    return Markup('<pre tabindex="0">{}</pre>').format(shown_block(text, MOST))


@cache
def _renderer() -> MarkdownIt:
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    rules = {
        "text": _text,
        "code_inline": _code,
        "code_block": _block,
        "fence": _block,
        "image": _image,
        "link_open": _link_open,
        "link_close": _link_close,
        "heading_open": _heading,
        "heading_close": _heading,
    }
    for name, rule in rules.items():
        made.add_render_rule(name, rule)
    made.validateLink = lambda url: True  # type: ignore[method-assign]  # judged where it is written
    return made


def _text(renderer: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return str(visible(tokens[at].content, _KEPT))


def _code(renderer: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return str(Markup("<code>{}</code>").format(visible(tokens[at].content, _KEPT)))


def _block(renderer: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return str(Markup("<pre><code>{}</code></pre>").format(visible(tokens[at].content, _KEPT)))


def _image(renderer: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """A picture is its description and where it is; nothing is fetched."""
    said = Markup('<span class="picture">[{}]</span>').format(visible(tokens[at].content or "image"))
    return str(said + _target(str(tokens[at].attrs.get("src", ""))))


def _link_open(renderer: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    address = _address(str(tokens[at].attrs.get("href", "")), env["own"])
    return f'<a href="{escape(address)}">' if address else "<span>"


def _link_close(renderer: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    opening = _opening(tokens, at)
    target = str(opening.attrs.get("href", ""))
    end = "</a>" if _address(target, env["own"]) else "</span>"
    said = tokens[at - 1].content == target  # an address in words of another script is told as it is
    return end if tokens[at].info == "auto" and said else f"{end}{_target(target)}"


def _heading(renderer: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    token = tokens[at]
    level = min(6, int(token.tag[1:]) + HEADINGS)
    return f"<h{level}>" if token.nesting == 1 else f"</h{level}>\n"


def _opening(tokens: Sequence[Token], at: int) -> Token:
    """The token that opened the link that ends at `at`; links hold no links."""
    return next(each for each in reversed(tokens[:at]) if each.type == "link_open")


def _address(target: str, own: Own) -> str:
    """Where a link leads in a page, or nothing."""
    if target.lower().startswith(("http://", "https://")):
        return target
    inside = target and ":" not in target.partition("/")[0] and not target.startswith(("/", "\\", "#"))
    return (own(target) or "") if inside else ""


def _target(target: str) -> Markup:
    shown = Markup("").join([visible(target[:LONGEST_TARGET]), "…" if len(target) > LONGEST_TARGET else ""])
    return Markup(' <span class="target"><bdi>({})</bdi></span>').format(shown)
