"""A console that really runs, on loopback in a thread of its own, and a visitor who came in by its link.

with visiting(folder) as visitor:
    page = visitor.get("/packages")
    assert page.texts("h1") == ["Packages"]
    page = visitor.send("/pins/approve", tool="t")     # the token is added
    page = visitor.confirmed(page)                     # says yes on the page that asks
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpx2 as httpx
from tests.bounds import bound

from prowess.console.server import serve_console
from prowess.host import Host
from prowess.host.setup import setup_of

SECONDS = bound(30)
_VOID = {"meta", "link", "input", "br", "hr", "img", "wbr", "source", "col"}


@dataclass(slots=True)
class Element:
    """One element, with what is in it."""

    tag: str
    attributes: dict[str, str]
    children: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All its text, blanks folded."""
        return " ".join("".join(self._texts()).split())

    def _texts(self) -> Iterator[str]:
        for each in self.children:
            if isinstance(each, str):
                yield each
            else:
                yield from each._texts()

    def find(self, tag: str, **attributes: str) -> list[Element]:
        """Every element below with that tag and these attributes; `class_` is one of its classes."""
        found = []
        for each in self.children:
            if isinstance(each, Element):
                if each.tag == tag and all(_has(each, *pair) for pair in attributes.items()):
                    found.append(each)
                found += each.find(tag, **attributes)
        return found


def _has(element: Element, name: str, value: str) -> bool:
    given = element.attributes.get(name.rstrip("_"), "")
    return value in given.split() if name == "class_" else given == value


class _Tree(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("root", {})
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(made)
        if tag not in _VOID:
            self._open.append(made)

    def handle_endtag(self, tag: str) -> None:
        if tag not in [each.tag for each in self._open]:
            return
        while self._open[-1].tag != tag:
            self._open.pop()
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What came back, after redirects."""

    status: int
    url: str
    html: str
    headers: Any
    root: Element

    def find(self, tag: str, **attributes: str) -> list[Element]:
        """Elements of the page."""
        return self.root.find(tag, **attributes)

    def texts(self, tag: str, **attributes: str) -> list[str]:
        """The texts of elements of the page."""
        return [each.text for each in self.find(tag, **attributes)]

    @property
    def text(self) -> str:
        """All the text of its main part."""
        return " ".join(self.texts("main"))

    def form(self, action: str) -> dict[str, str]:
        """The fields of the one form with that action, as a browser would send them untouched."""
        found = [each for each in self.find("form") if each.attributes.get("action") == action]
        assert len(found) == 1, f"{len(found)} forms for {action}"
        return dict(_fields(found[0]))


def _fields(form: Element) -> Iterator[tuple[str, str]]:
    for each in form.find("input"):
        kind = each.attributes.get("type", "text")
        if "name" in each.attributes and (kind not in ("checkbox", "radio") or "checked" in each.attributes):
            yield each.attributes["name"], each.attributes.get("value", "on" if kind == "checkbox" else "")
    for each in form.find("textarea"):
        yield each.attributes["name"], "".join(each._texts()).removeprefix("\n")
    for each in form.find("select"):
        options = each.find("option")
        chosen = [option for option in options if "selected" in option.attributes] or options[:1]
        for option in chosen:
            yield each.attributes["name"], option.attributes.get("value", option.text)


class Visitor:
    """A browser without pictures: it follows redirects, keeps cookies, and tells where it comes from."""

    def __init__(self, link: str, host: Host, run: Any) -> None:
        self.link = link
        self.host = host
        self.place = link.partition("/enter")[0]
        self.run = run  # a coroutine function's call, run to its end in the console's own loop
        self.client = httpx.Client(follow_redirects=True, timeout=SECONDS)

    def get(self, path: str, **headers: str) -> Page:
        """A page."""
        return _page(self.client.get(urljoin(self.place, path), headers=headers))

    def post(self, path: str, fields: Any, **headers: str) -> Page:
        """Send fields just as they are."""
        given = {"Origin": self.place, "Sec-Fetch-Site": "same-origin", **headers}
        given["Content-Type"] = "application/x-www-form-urlencoded"
        body = str(httpx.QueryParams(fields))
        return _page(self.client.post(urljoin(self.place, path), content=body, headers=given))

    def send(self, path: str, **fields: Any) -> Page:
        """Send a form with this session's token, taken from a page."""
        token = self.get("/workbench").form("/display")["csrf"]
        pairs = [(name, each) for name, value in fields.items() for each in _several(value)]
        return self.post(path, [("csrf", token), *pairs])

    def confirmed(self, page: Page) -> Page:
        """Say yes on a page that asks."""
        form = page.find("form", class_="confirm")
        assert len(form) == 1, page.text
        return self.post(form[0].attributes["action"], list(_fields(form[0])))


def _several(value: Any) -> Sequence[str]:
    return [str(each) for each in value] if isinstance(value, list | tuple) else [str(value)]


def _page(answer: Any) -> Page:
    tree = _Tree()
    tree.feed(answer.text)
    return Page(
        status=answer.status_code,
        url=str(answer.url),
        html=answer.text,
        headers=answer.headers,
        root=tree.root,
    )


@contextlib.contextmanager
def serving(*paths: Path | str, **opening: Any) -> Iterator[tuple[str, Host, Any]]:
    """A console over what is at `paths`: its link, its Host, and what runs a coroutine beside them.

    `opening` goes to `Host.open` (`connect`, `store`, `policy`, ...).
    """
    given = [str(each) for each in paths]
    loop = asyncio.new_event_loop()
    ready = threading.Event()
    found: dict[str, Any] = {}

    async def work() -> None:
        found["task"] = asyncio.current_task()
        async with Host.open(given[0] if len(given) == 1 else given, **opening) as host:
            found["host"] = host

            def started(link: str) -> None:
                found["link"] = link
                ready.set()

            await serve_console(host, setup_of(given), given, started=started)

    def run_loop() -> None:
        asyncio.set_event_loop(loop)
        try:
            with contextlib.suppress(asyncio.CancelledError):
                loop.run_until_complete(work())
        except BaseException as error:
            found["error"] = error
        finally:
            ready.set()
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()

    def run(work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, loop).result(SECONDS)

    thread = threading.Thread(target=run_loop, daemon=True)
    thread.start()
    assert ready.wait(SECONDS), "the console did not come up"
    if "error" in found:
        raise found["error"]
    try:
        yield found["link"], found["host"], run
    finally:
        loop.call_soon_threadsafe(found["task"].cancel)
        thread.join(SECONDS)
        assert not thread.is_alive(), "the console did not stop"


@contextlib.contextmanager
def visiting(*paths: Path | str, **opening: Any) -> Iterator[Visitor]:
    """A console, and a visitor who has come in."""
    with serving(*paths, **opening) as (link, host, run):
        visitor = Visitor(link, host, run)
        with contextlib.closing(visitor.client):
            first = visitor.get(link)
            assert first.status == 200, first.html
            yield visitor
