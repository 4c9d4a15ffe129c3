"""A hostile folder in a real browser: every page renders, nothing of it runs, no other host is asked for
anything; and a page of another origin can neither read nor write."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from tests.bounds import bound
from tests.console.drifting import path_with_python
from tests.console.hostility import hostile_folder
from tests.console.servers.hostile import TOOLS
from tests.console.visiting import serving

from prowess.console.pages import MENU

MILLISECONDS = bound(30) * 1000
MOST_BYTES, MOST_ROWS = 300_000, 200
OF_EACH_KIND = 2  # pages that differ only in what they are about
MOST_PAGES = 120


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", path_with_python())
        for each in ("STATE", "DATA", "CACHE", "CONFIG"):
            patch.setenv(f"XDG_{each}_HOME", str(tmp_path_factory.mktemp(each.lower())))
        with serving(*hostile_folder(tmp_path_factory.mktemp("folder")), timeout=bound(30)) as (
            found,
            host,
            _,
        ):
            assert sum(len(each.tools) for each in host.offers) >= TOOLS - 10
            yield found


@pytest.fixture(scope="module")
def inside(link: str, browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    context.set_default_timeout(MILLISECONDS)
    tab = context.new_page()
    tab.goto(link)
    tab.close()
    yield context
    context.close()


def watched(tab: Page, place: str) -> list[str]:
    """What a page did that none may do, as it happens."""
    found: list[str] = []
    tab.on("pageerror", lambda error: found.append(f"a script failed: {error}"))
    tab.on("console", lambda said: found.append(f"console: {said.text}") if said.type == "error" else None)

    def dialog(opened: Any) -> None:
        found.append(f"a dialog: {opened.message}")
        opened.dismiss()

    def asked(request: Any) -> None:
        if not request.url.startswith((f"{place}/", "data:", "about:")):
            found.append(f"asked {request.url[:200]}")

    tab.on("dialog", dialog)
    tab.on("request", asked)
    return found


NAMED = ("packages", "runs", "calls")  # areas with a page for each of something, by its name


def kind(address: str) -> tuple[object, ...]:
    """What sort of page an address is: its path without what it is about, and what is asked."""
    parts = urlsplit(address)
    steps = parts.path.strip("/").split("/")
    if steps[0] in NAMED and len(steps) > 1:
        steps[1] = "*"
    if "rules" in parts.path:
        steps = ["packages", "rules", "*"]
    asked = dict(parse_qsl(parts.query))
    return (*steps, asked.get("kind"), *asked)


LINKS = "[...document.querySelectorAll('a[href]')].map((each) => each.href.split('#')[0])"
LOOKED_AT = """() => ({
    rows: document.querySelectorAll('tr').length,
    headings: document.querySelectorAll('h1').length,
    strange: [...document.querySelectorAll('script:not([src]), iframe, object, embed, base')]
        .concat([...document.querySelectorAll('[onerror], [style]')])
        .map((each) => each.outerHTML.slice(0, 200))
        .concat([...document.querySelectorAll('a[href], form[action]')]
            .map((each) => each.getAttribute('href') || each.getAttribute('action'))
            .filter((each) => /^\\s*(javascript|data|vbscript):/i.test(each))),
    height: document.documentElement.scrollHeight,
})"""


@pytest.mark.slow
def test_every_page_renders_and_nothing_of_it_runs(link: str, inside: BrowserContext) -> None:
    place = link.partition("/enter")[0]
    tab = inside.new_page()
    wrong = watched(tab, place)
    waiting = [f"{place}{path}" for path, _ in MENU]
    seen = set(waiting)
    kinds: Counter[tuple[object, ...]] = Counter()
    visited: list[str] = []
    while waiting and len(visited) < MOST_PAGES:
        address = waiting.pop(0)
        answer = tab.goto(address)
        assert answer is not None
        visited.append(address)
        size, looked = len(answer.body()), tab.evaluate(LOOKED_AT)
        if answer.status == 400:  # a file of 10 MB, say
            assert "larger than" in tab.inner_text("main"), address
            wrong[:] = [each for each in wrong if "status of 400" not in each]
        else:
            assert answer.status == 200, address
        assert size < MOST_BYTES, (address, size)
        assert looked["rows"] <= MOST_ROWS, address
        assert looked["headings"] == 1, address
        assert looked["strange"] == [], address
        assert wrong == [], address
        for each in tab.evaluate(LINKS):
            local = each.startswith(f"{place}/") and each not in seen
            if local and kinds[kind(each)] < OF_EACH_KIND:
                kinds[kind(each)] += 1
                seen.add(each)
                waiting.append(each)
    tab.close()
    paths = {urlsplit(each).path for each in visited}
    details = {f"/capabilities/{each}" for each in ("tool", "prompt", "resource", "template", "skill")}
    assert paths >= details | {path for path, _ in MENU} | {"/packages/hostile", "/packages/large"}


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/capabilities?q=tool", "/capabilities/search?q=tool"])
def test_five_thousand_tools_are_searched_within_the_bounds(
    link: str, inside: BrowserContext, path: str
) -> None:
    tab = inside.new_page()
    answer = tab.goto(link.partition("/enter")[0] + path)
    assert answer is not None
    assert answer.status == 200
    assert len(answer.body()) < MOST_BYTES
    assert tab.evaluate("document.querySelectorAll('tr').length") <= MOST_ROWS
    tab.close()


# -- a page of another origin

ATTACK = """<!doctype html><title>another page</title><body><script>
const place = new URLSearchParams(location.search).get("place");
const found = { read: [], frames: [] };
const reading = (name, promise) => promise.then((text) => found.read.push(name + ": " + text), () => {});
const body = new URLSearchParams({ language: "zh", theme: "dark", csrf: "0".repeat(64), back: "/calls" });
const asking = ["/packages", "/capabilities", "/workbench", "/static/console.js"].flatMap((path) => [
  reading(path, fetch(place + path, { credentials: "include" }).then((answer) => answer.text())),
  reading(path, fetch(place + path, { credentials: "include", mode: "no-cors" }).then((each) => each.text())),
]);
for (const mode of ["cors", "no-cors"]) {
  const posted = fetch(place + "/display", { method: "POST", body, mode, credentials: "include" });
  asking.push(reading("post", posted.then((answer) => answer.text())));
}
const loaded = (made) => new Promise((resolve) => {
  made.onload = () => resolve("loaded");
  made.onerror = () => resolve("error");
  setTimeout(() => resolve("silent"), 4000);
});
const inside = [["script", "/static/console.js"], ["img", "/static/mark.svg"], ["iframe", "/packages"]];
for (const [tag, path] of inside) {
  const made = document.createElement(tag);
  made.src = place + path;
  asking.push(loaded(made).then((how) => {
    let text = "";
    try { text = made.contentDocument ? made.contentDocument.body.innerText : ""; } catch { text = ""; }
    found.frames.push([tag, how, text]);
  }));
  document.body.append(made);
}
const target = document.createElement("iframe");
target.name = "target";
const form = document.createElement("form");
Object.assign(form, { method: "POST", action: place + "/display", target: "target" });
for (const [name, value] of body) {
  const field = document.createElement("input");
  Object.assign(field, { name, value });
  form.append(field);
}
document.body.append(target, form);
form.submit();
asking.push(loaded(target));
window.finished = Promise.all(asking).then(() => found);
</script>"""


@pytest.fixture(scope="module")
def another() -> Iterator[int]:
    """A server of somebody else on this machine; its port."""

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(ATTACK.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()
    thread.join(bound(10))


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_a_page_of_another_origin_reads_and_writes_nothing(
    link: str, inside: BrowserContext, another: int, name: str
) -> None:
    place = link.partition("/enter")[0]
    tab = inside.new_page()
    statuses: list[tuple[str, int]] = []

    def answered(answer: Any) -> None:
        if answer.url.startswith(place):
            statuses.append((answer.request.method, answer.status))

    tab.on("response", answered)
    tab.goto(f"http://{name}:{another}/?place={place}")
    found = tab.evaluate("window.finished")
    assert [each for each in found["read"] if not each.endswith(": ")] == []
    assert all(how != "loaded" for tag, how, _ in found["frames"] if tag != "iframe")
    assert all(text == "" for *_, text in found["frames"])
    assert statuses
    assert {status for _, status in statuses} == {403}, statuses
    assert "POST" in {method for method, _ in statuses}
    tab.goto(f"{place}/packages")
    assert tab.locator("html").get_attribute("lang") == "en"
    assert tab.locator("html").get_attribute("data-theme") == "auto"
    tab.close()


def test_a_window_that_another_page_opens_tells_it_nothing(
    link: str, inside: BrowserContext, another: int
) -> None:
    place = link.partition("/enter")[0]
    tab = inside.new_page()
    tab.goto(f"http://127.0.0.1:{another}/?place={place}")
    with inside.expect_page() as opened:
        tab.evaluate("(place) => { window.other = window.open(place + '/packages'); }", place)
    opened.value.wait_for_load_state()
    assert "another page may not ask" in opened.value.content()
    told = tab.evaluate(
        "() => { try { return window.other.document.body.innerText; } catch { return 'nothing'; } }"
    )
    assert told == "nothing"
    opened.value.close()
    tab.close()
