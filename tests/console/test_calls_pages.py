"""What was called, as pages: the list and its filters, the summary and its plots, one call's story."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.console.recorded import keep, store_in
from tests.console.visiting import Page, Visitor, visiting
from tests.store.remembering import call, decision, request

from prowess.host.storing import Store

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "invoice-ops"
NASTY = '<script>alert(1)</script>"\u202e\u0000' + "x" * 5_000
TRACE = "feedbeef01"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with store_in(tmp_path_factory.mktemp("kept")) as made:
        yield made


@pytest.fixture(scope="module")
def visitor(store: Store) -> Iterator[Visitor]:
    now = time.time()
    made = call(id="thecall0001", trace_id=TRACE, started=now - 3_600)
    keep(
        store,
        *(call(started=now - 90_000 + each, duration_ms=float(each)) for each in range(1, 121)),
        call(
            id="other", tool="send_reminder", server="mail", outcome="lost", principal="bob", started=now - 60
        ),
        call(tool="send_reminder", server="mail", outcome="refused", code="denied", started=now - 7_200),
        call(
            id="nasty",
            tool=NASTY,
            server=NASTY,
            principal=NASTY,
            code=NASTY,
            trace_id="dddddd",
            started=now - 10,
        ),
        decision(trace_id="dddddd", utterance=NASTY, shown=(NASTY,) * 30, chosen=NASTY),
        request(trace_id="dddddd", call="nasty", url=NASTY, method=NASTY),
        made,
        decision(trace_id=TRACE, calls=(made.id,), started=now - 3_601),
        request(trace_id=TRACE, call=made.id, started=now - 3_599.5),
        request(trace_id=TRACE, call="", status=0, started=now - 3_590, url="https://other.example.com/"),
    )
    with visiting(EXAMPLE, connect=False, store=store) as found:
        yield found


def tools(page: Page) -> list[str]:
    """The tools in the rows of the list."""
    return [each.text for each in page.find("div", id="tail")[0].find("th", scope="row")]


def test_the_latest_calls_come_first_a_page_of_them_at_a_time(visitor: Visitor) -> None:
    page = visitor.get("/calls")
    assert "send_reminder" in tools(page)[1]
    assert len(tools(page)) == 100
    assert page.texts("p", class_="count") == ["124 of 124"]
    after = page.find("a", rel="next")[0].attributes["href"]
    assert len(tools(visitor.get(after))) == 24


@pytest.mark.parametrize(
    "filter",
    ["tool=send_reminder", "tool=send*", "server=mail", "outcome=lost", "caller=bob", "since=2m"],
)
def test_each_filter_acts(visitor: Visitor, filter: str) -> None:
    page = visitor.get(f"/calls?{filter}")
    assert tools(page)[-1] == "mail/send_reminder"
    assert len(tools(page)) <= 2
    name, _, value = filter.partition("=")
    assert page.form("/calls")[name] == value


@pytest.mark.parametrize(
    "query", ["since=yesterday", "since=" + "9" * 400, "since=%00", "since=99999999999d"]
)
def test_a_time_that_is_none_is_said_at_its_field(visitor: Visitor, query: str) -> None:
    page = visitor.get(f"/calls?{query}")
    assert page.status == 200
    (field,) = [each for each in page.find("input") if each.attributes.get("name") == "since"]
    assert field.attributes.get("aria-describedby") == page.find("p", class_="problem")[0].attributes["id"]


@pytest.mark.parametrize(
    "query", ["outcome=odd", "at=-1", "at=x", "at=99999999999999999", "at=٣", "live=odd"]
)
def test_an_odd_value_in_the_address_counts_for_nothing(visitor: Visitor, query: str) -> None:
    assert visitor.get(f"/calls?{query}").status == 200


def test_the_list_follows_until_it_is_paused(visitor: Visitor) -> None:
    page = visitor.get("/calls?tool=send*")
    (part,) = page.find("div", id="tail")
    assert part.attributes["hx-trigger"] == "every 2s"
    switch = page.find("p", class_="live")[0].find("a")[0].attributes["href"]
    paused = visitor.get(switch)
    assert "hx-get" not in paused.find("div", id="tail")[0].attributes
    assert tools(paused) == tools(page)
    again = visitor.get(paused.find("p", class_="live")[0].find("a")[0].attributes["href"])
    assert "hx-get" in again.find("div", id="tail")[0].attributes


def test_only_the_first_page_follows(visitor: Visitor) -> None:
    page = visitor.get("/calls?at=100")
    assert page.find("p", class_="live") == []
    assert "hx-get" not in page.find("div", id="tail")[0].attributes


def test_asked_again_it_answers_only_with_something_new(visitor: Visitor, store: Store) -> None:
    again = visitor.get("/calls?tool=fresh").find("div", id="tail")[0].attributes["hx-get"]
    assert visitor.get(again).status == 204
    keep(store, call(tool="fresh", started=1_000.0))
    page = visitor.get(again)
    assert tools(page) == ["invoices/fresh"]
    assert page.find("div", id="tail")[0].attributes["hx-get"] != again


def test_the_summary_has_counts_shares_and_times_of_each_tool(visitor: Visitor) -> None:
    page = visitor.get("/calls/summary?server=mail")
    (row,) = page.find("div", id="tools")[0].find("tbody")[0].find("tr")
    cells = [each.text for each in row.find("td")]
    assert cells == ["2", "1", "100.0 %", "12.5 ms", "12.5 ms"]
    assert row.find("a")[0].attributes["href"] == "/calls?tool=send_reminder&server=mail"
    assert "denied" in page.text


def test_a_plot_has_its_numbers_as_a_table(visitor: Visitor) -> None:
    page = visitor.get("/calls/summary?server=invoices&since=2d")
    latency, failures = page.find("section", class_="plot")
    for each in (latency, failures):
        assert each.find("svg")[0].attributes["role"] == "img"
        assert each.find("rect")
        assert sum(int(cell.text) for cell in each.find("td", class_="number")) == 121
    assert "p50" in latency.text


def test_tools_of_a_summary_are_searched(visitor: Visitor) -> None:
    page = visitor.get("/calls/summary?q=remind")
    assert [each.text for each in page.find("div", id="tools")[0].find("th", scope="row")] == [
        "mail/send_reminder"
    ]


@pytest.mark.parametrize("named", ["thecall0001", TRACE, "feedbe"])
def test_a_call_is_told_with_its_choice_its_requests_and_its_story(visitor: Visitor, named: str) -> None:
    page = visitor.get(f"/calls/{named}")
    assert page.texts("h1") == ["invoices/query_invoices"]
    assert "which invoices are unpaid?" in page.text
    kinds = [each.attributes["class"] for each in page.find("ol", class_="story")[0].find("li")]
    assert kinds == ["asked", "called", "sent below", "sent"]
    assert "no answer" in page.texts("li")[-1]
    assert page.texts("th", class_="url") == ["GET https://api.example.com/invoices"]


def test_a_trace_of_several_calls_is_told_as_a_whole(visitor: Visitor, store: Store) -> None:
    keep(store, call(id="several01", trace_id="cafe0001"), call(id="several02", trace_id="cafe0001"))
    page = visitor.get("/calls/cafe0001")
    assert page.texts("h1") == ["Trace cafe0001"]
    assert len(page.find("li", class_="called")) == 2
    (named,) = [
        each
        for each in visitor.get("/calls/several02").find("a")
        if "aria-current" in each.attributes and "several02" in each.attributes["href"]
    ]
    assert named.text == "invoices/query_invoices"


def test_a_long_trace_is_told_a_page_at_a_time(visitor: Visitor, store: Store) -> None:
    keep(store, *(request(trace_id="ffff0001", call="", url=f"https://h.example/{n}") for n in range(130)))
    page = visitor.get("/calls/ffff0001")
    assert len(page.find("li", class_="sent")) == 100
    assert len(visitor.get(page.find("a", rel="next")[0].attributes["href"]).find("li", class_="sent")) == 30


@pytest.mark.parametrize(
    ("q", "kind"), [("h.example/129", "sent"), ("query_invoices answered", "called"), ("UNPAID", "asked")]
)
def test_something_is_found_in_a_long_story(visitor: Visitor, store: Store, q: str, kind: str) -> None:
    made = [
        request(id=f"{n:032x}", trace_id="eeee0001", call="", url=f"https://h.example/{n}")
        for n in range(130)
    ]
    keep(
        store, *made, call(id="eeeecall", trace_id="eeee0001"), decision(id="eeeeasked", trace_id="eeee0001")
    )
    page = visitor.get(f"/calls/eeee0001?q={q}")
    assert page.form("/calls/eeee0001")["q"] == q
    assert [each.attributes["class"] for each in page.find("ol", class_="story")[0].find("li")] == [kind]


@pytest.mark.parametrize(
    "named", ["nothing-here", "abc", "%00%00%00%00", "%E2%80%AE%3Cscript%3E", "x" * 5_000]
)
def test_an_id_that_is_not_there_is_a_page_that_says_so(visitor: Visitor, named: str) -> None:
    page = visitor.get(f"/calls/{named}")
    assert page.status == 404
    assert page.find("h1")


@pytest.mark.parametrize("path", ["/calls", "/calls/summary", "/calls/nasty", "/calls?tool=%3Cscript%3E%22"])
def test_hostile_records_stay_text(visitor: Visitor, path: str) -> None:
    page = visitor.get(path)
    assert page.status == 200
    assert len(page.html) < 300_000
    assert all("src" in each.attributes for each in page.find("script"))
    assert "\u202e" not in page.html


def test_times_that_are_none_are_drawn_too(store: Store, visitor: Visitor) -> None:
    keep(
        store,
        *(call(tool="odd", started=each, duration_ms=took) for each, took in ((-1e18, -5.0), (1e18, 1e15))),
    )
    assert visitor.get("/calls?tool=odd").status == 200
    assert len(visitor.get("/calls/summary?tool=odd").find("section", class_="plot")) == 2


def test_pages_are_there_in_chinese(visitor: Visitor) -> None:
    visitor.send("/display", language="zh")
    try:
        assert visitor.get("/calls").texts("th", scope="col") == ["时间", "工具", "结果", "用时", "调用者"]
        assert "调用用时" in visitor.get("/calls/summary").texts("h2")
        assert "经过" in visitor.get("/calls/thecall0001").texts("h2")
    finally:
        visitor.send("/display", language="en")


@pytest.mark.parametrize("kept", [True, False])
def test_without_records_a_page_says_what_to_do(tmp_path: Path, kept: bool) -> None:
    store = Store.on_disk(str(tmp_path / "none.sqlite3")) if kept else Store.in_memory()
    with visiting(EXAMPLE, connect=False, store=store) as visitor:
        assert len(visitor.get("/calls").find("p", class_="notice")) == 1
        assert len(visitor.get("/calls/summary").find("p", class_="notice")) == 1
        assert visitor.get("/calls/anything").status == 404
