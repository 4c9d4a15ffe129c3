"""Who may come in, and what no page of another site can do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.console.visiting import Visitor, visiting

from prowess.console.areas import ROUTES

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "invoice-ops"


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    with visiting(EXAMPLE, connect=False) as found:
        yield found


def test_a_link_lets_in_once(visitor: Visitor) -> None:
    visitor.client.cookies.clear()
    try:
        assert visitor.get(visitor.link).status == 401
    finally:
        pass


@pytest.fixture(autouse=True)
def cookies_as_they_were(visitor: Visitor) -> Iterator[None]:
    kept = list(visitor.client.cookies.jar)
    yield
    for each in kept:
        visitor.client.cookies.jar.set_cookie(each)


def test_nothing_is_shown_without_a_session(visitor: Visitor) -> None:
    visitor.client.cookies.clear()
    page = visitor.get("/packages")
    assert page.status == 401
    assert "invoice" not in page.html


def test_the_cookie_is_kept_from_scripts_and_other_sites(visitor: Visitor) -> None:
    (cookie,) = visitor.client.cookies.jar
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert cookie.get_nonstandard_attr("SameSite") == "strict"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:80"])
def test_another_name_is_refused(visitor: Visitor, host: str) -> None:
    assert visitor.get("/packages", Host=host).status == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_page_of_another_site_reads_and_writes_nothing(visitor: Visitor, headers: dict[str, str]) -> None:
    assert visitor.get("/packages", **headers).status == 403
    token = visitor.get("/packages").form("/display")["csrf"]
    assert visitor.post("/display", {"csrf": token, "language": "zh"}, **headers).status == 403
    assert visitor.get("/packages").find("html")[0].attributes["lang"] == "en"


@pytest.mark.parametrize("token", ["", "0" * 64, "\ud800"])
def test_a_write_without_the_token_of_its_session_is_refused(visitor: Visitor, token: str) -> None:
    sent = token.encode("utf-8", "surrogatepass").decode("latin-1")
    assert visitor.post("/display", {"csrf": sent, "language": "zh"}).status == 403


def test_every_answer_forbids_frames_scripts_from_elsewhere_and_caching(visitor: Visitor) -> None:
    for path in ("/packages", "/no-such-page", "/static/console.css"):
        headers = visitor.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe-inline" not in headers["content-security-policy"]
        assert headers["x-frame-options"] == "DENY"
    assert visitor.get("/packages").headers["cache-control"] == "no-store"


def test_a_body_has_a_bound(visitor: Visitor) -> None:
    assert visitor.post("/display", {"csrf": "x" * (17 << 20)}).status == 413


def test_every_write_asks_for_the_token() -> None:
    writes = [each for each in ROUTES if getattr(each, "methods", None) and "POST" in each.methods]  # type: ignore[attr-defined]
    assert all(each.endpoint.__name__.startswith("writing_") for each in writes)  # type: ignore[attr-defined]


def test_language_and_colours_are_remembered(visitor: Visitor) -> None:
    page = visitor.send("/display", language="zh", theme="dark", back="/calls")
    assert page.url.endswith("/calls")
    assert page.find("html")[0].attributes == {"lang": "zh", "data-theme": "dark"}
    assert "调用" in page.texts("nav")[0]
    visitor.send("/display", language="en", theme="auto", back="/calls")


@pytest.mark.parametrize(
    "back", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:1"]
)
def test_a_form_leads_to_no_other_site(visitor: Visitor, back: str) -> None:
    assert visitor.send("/display", back=back).url.startswith(f"{visitor.place}/packages")


def test_a_page_that_is_not_there_says_so(visitor: Visitor) -> None:
    page = visitor.get("/no-such-page")
    assert (page.status, page.texts("h1")) == (404, ["There is no such page"])
