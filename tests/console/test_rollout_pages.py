"""Who gets which version, as pages: how a canary does, and the steps that a person takes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.bounds import bound
from tests.console.recorded import keep, store_in
from tests.console.rolling import UNIT, ended, settle, settled, unit_in
from tests.console.visiting import Page, Visitor, visiting

from prowess.console.rollout_comparing import Verdict, intervals, verdict_of
from prowess.host.storing import Store
from prowess.units.judging import Comparison
from prowess.units.rollout import Rollout

PAGE = f"/rollout/unit?name={UNIT}"
SECONDS = bound(20)
SINCE = 4_000_000_000.0  # after every call that is really made here


@pytest.fixture(scope="module")
def units(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unit_in(tmp_path_factory.mktemp("rolling"))


@pytest.fixture(scope="module")
def store(units: Path) -> Iterator[Store]:
    with store_in(units.parent) as made:
        yield made


@pytest.fixture(scope="module")
def visitor(units: Path, store: Store) -> Iterator[Visitor]:
    with visiting(units, store=store) as found:
        yield found


@pytest.fixture
def unsettled(units: Path) -> Iterator[None]:
    """Nothing is settled before the test."""
    (units / "rollout.toml").unlink(missing_ok=True)
    yield


def sent(visitor: Visitor, step: str, **changes: Any) -> Page:
    """A step's form, as the page of the unit has it, with some fields changed."""
    return visitor.post(f"/rollout/{step}", {**visitor.get(PAGE).form(f"/rollout/{step}"), **changes})


def called_until(visitor: Visitor, version: str) -> None:
    """Call the unit until that version answers; the Host follows the file by itself."""
    until = time.monotonic() + SECONDS
    while visitor.run(visitor.host.call(UNIT, {})).value != {"version": version}:
        assert time.monotonic() < until, f"{version} never answered"


def test_a_unit_of_which_nothing_is_settled(visitor: Visitor, unsettled: None) -> None:
    (row,) = visitor.get("/rollout").find("div", id="units")[0].find("tbody")[0].find("tr")
    assert row.text == f"{UNIT} newest stable version to everybody"
    page = visitor.get(PAGE)
    assert page.form("/rollout/share")["version"] == "2.0.0"
    assert "1.4.1, 1.4.2, 2.0.0" in page.text
    assert [each.attributes["action"] for each in page.find("form", class_="card")] == ["/rollout/share"]


def test_a_rollout_from_its_beginning_to_its_end_and_back(
    visitor: Visitor, units: Path, unsettled: None
) -> None:
    asked = sent(
        visitor, "share", version="2.0.0", percent="0", stable="1.4.2", key="session", reason="try it"
    )
    assert settled(units) is None
    assert "2.0.0 to 0 % of callers, 1.4.2 to the others" in asked.text
    page = visitor.confirmed(asked)
    found = settled(units)
    assert found is not None
    assert (found.stable, found.canary, found.percent, found.key) == ("1.4.2", "2.0.0", 0, "session")
    assert "try it" in page.text
    called_until(visitor, "1.4.2")
    visitor.confirmed(sent(visitor, "share", percent="100"))
    called_until(visitor, "2.0.0")

    asked = sent(visitor, "rollback", reason="not yet")
    assert getattr(settled(units), "percent", None) == 100
    visitor.confirmed(asked)
    called_until(visitor, "1.4.2")

    asked = sent(visitor, "promote", reason="now")
    assert getattr(settled(units), "stable", None) == "1.4.2"
    visitor.confirmed(asked)
    assert getattr(settled(units), "stable", None) == "2.0.0"
    called_until(visitor, "2.0.0")

    asked = sent(visitor, "rollback")
    assert "1.4.2 to everybody" in asked.text
    page = visitor.confirmed(asked)
    called_until(visitor, "1.4.2")
    steps = [row.find("td")[1].text for row in page.find("tbody")[-1].find("tr")]
    assert steps[:5] == ["rollback", "promote", "rollback", "set", "set"]


def test_a_canary_is_held_against_stable_with_intervals(
    visitor: Visitor, store: Store, units: Path, unsettled: None
) -> None:
    settle(units, stable="1.4.2", canary="2.0.0", percent=5.0, since=SINCE)
    assert "No calls yet" not in visitor.get("/rollout").text
    assert "Too early to tell" in visitor.get(PAGE).text
    keep(store, *ended("1.4.2", 60, 1, SINCE), *ended("2.0.0", 60, 3, SINCE + 0.5))
    page = visitor.get(PAGE)
    assert "No worse than stable so far" in page.text
    (plot,) = page.find("svg")
    assert "stable 98.3 % (91.1–99.7 %); canary 95.0 %" in plot.find("title")[0].text
    table = page.find("tbody")[0]
    assert [[cell.text for cell in row.find("td")] for row in table.find("tr")] == [
        ["60", "1", "98.3 %", "91.1–99.7 %"],
        ["60", "3", "95.0 %", "86.3–98.3 %"],
    ]
    (line,) = visitor.get("/rollout").find("div", id="units")[0].find("tbody")[0].find("tr")
    assert [each.text for each in line.find("td")] == ["1.4.2", "2.0.0", "5 %", "No worse than stable so far"]


def told(rollout: Rollout, canary: tuple[int, int], stable: tuple[int, int] = (60, 0)) -> Verdict:
    """The verdict on so many calls, so many of which failed."""
    comparison = Comparison(rollout)
    for number in range(max(canary[0], stable[0])):
        for version, (calls, bad) in ((rollout.canary, canary), (rollout.stable, stable)):
            if number < calls:
                comparison.add(version, "lost" if number < bad else "answered", 1.0)
    return verdict_of(rollout, comparison)


def test_a_verdict_says_the_most_urgent_first() -> None:
    rollout = Rollout(stable="1.0.0", canary="2.0.0", percent=5.0)
    assert verdict_of(Rollout(stable="1.0.0"), None).kind == "off"
    assert verdict_of(rollout, None).words == "No calls yet"
    early = told(rollout, (10, 0))
    assert (early.kind, early.calls, early.of) == ("warn", 10, 50)
    assert told(rollout, (60, 0)).kind == "good"
    crossed = told(rollout, (60, 50))
    assert (crossed.kind, crossed.words) == ("bad", "A guard rail is crossed")
    assert "2.0.0" in crossed.reason
    assert told(replace(rollout, halted=True, reason="slow"), (60, 50)).words.startswith("Halted")


def test_an_axis_begins_where_both_intervals_can_be_seen() -> None:
    rollout = Rollout(stable="1.0.0", canary="2.0.0", percent=5.0)
    empty = intervals(rollout, Comparison(rollout))
    assert (empty.floor, [each.rate for each in empty.sides]) == (0.0, [None, None])
    comparison = Comparison(rollout)
    for _ in range(2_000):
        comparison.add("1.0.0", "answered", 1.0)
        comparison.add("2.0.0", "answered", 1.0)
    seen = intervals(rollout, comparison)
    assert seen.floor == 0.99
    assert all(0 < each.low < each.high <= seen.width for each in seen.sides)


def test_a_halted_rollout_goes_on_only_when_somebody_says_so(
    visitor: Visitor, units: Path, unsettled: None
) -> None:
    settle(units, stable="1.4.1", canary="2.0.0", percent=5.0, halted=True, reason="it is <b>slower</b>")
    page = visitor.get(PAGE)
    assert "Halted" in page.text
    assert "it is <b>slower</b>" in page.text
    refused = visitor.confirmed(sent(visitor, "share", percent="50"))
    assert (refused.status, getattr(settled(units), "percent", None)) == (400, 5.0)
    assert visitor.confirmed(sent(visitor, "promote")).status == 400
    asked = sent(visitor, "share", percent="50", anyway="on")
    assert "halted" in asked.text
    visitor.confirmed(asked)
    found = settled(units)
    assert found is not None
    assert (found.percent, found.halted) == (50.0, False)


def test_only_what_was_shown_is_changed(visitor: Visitor, units: Path, unsettled: None) -> None:
    asked = sent(visitor, "share", version="2.0.0", percent="5", stable="1.4.2")
    settle(units, stable="1.4.1")
    assert visitor.confirmed(asked).status == 409
    assert getattr(settled(units), "canary", None) == ""
    for step in ("share", "promote", "rollback"):
        answer = visitor.send(f"/rollout/{step}", unit=UNIT, version="2.0.0", percent="1", mark="old")
        assert answer.status == 409


@pytest.mark.parametrize(
    "wrong",
    [{"percent": "101"}, {"percent": ""}, {"percent": "nan"}, {"version": "9.9.9"}, {"version": ""},
     {"stable": "<b>"}, {"percent": "٣"}],
    ids=str,
)  # fmt: skip
def test_what_makes_no_sense_is_refused_before_anybody_is_asked(
    visitor: Visitor, units: Path, unsettled: None, wrong: dict[str, str]
) -> None:
    page = sent(visitor, "share", **wrong)
    if wrong == {"percent": "٣"}:
        assert page.find("form", class_="confirm")
        return
    assert page.status == 400
    assert settled(units) is None


@pytest.mark.parametrize("name", ["", "nothing", "%00", "%3Cscript%3E", "x" * 3_000])
def test_a_unit_that_is_not_there_is_a_page_that_says_so(visitor: Visitor, name: str) -> None:
    assert visitor.get(f"/rollout/unit?name={name}").status == 404


def test_a_file_that_is_wrong_is_a_page_that_says_where(
    visitor: Visitor, units: Path, unsettled: None
) -> None:
    (units / "rollout.toml").write_text("format = 1\n[units.x]\nstable = 7\n")
    page = visitor.get("/rollout")
    assert page.status == 400
    assert "rollout.toml:3" in page.text


def test_a_unit_that_is_settled_and_gone_is_shown_too(visitor: Visitor, units: Path, unsettled: None) -> None:
    settle(
        units,
        "gone_unit",
        stable="1.0.0",
        canary="1.1.0",
        percent=0.0,
        previous="0.9.0",
        reason="\u202e<script>",
    )
    page = visitor.get("/rollout/unit?name=gone_unit")
    assert "Nobody gets the canary" in page.text
    assert "\u202e" not in page.html
    assert all("src" in each.attributes for each in page.find("script"))
    assert visitor.get("/rollout").texts("th", scope="row") == ["gone_unit", UNIT]


def test_a_store_that_keeps_no_records_changes_nothing(tmp_path: Path) -> None:
    root = unit_in(tmp_path)
    with visiting(root, store=Store.in_memory()) as visitor:
        asked = sent(visitor, "share", version="2.0.0", percent="5", stable="1.4.2")
        assert visitor.confirmed(asked).status == 400
        assert settled(root) is None


def test_versions_are_known_also_where_nothing_was_started(tmp_path: Path) -> None:
    with visiting(unit_in(tmp_path), store=Store.in_memory(), connect=False) as visitor:
        assert visitor.get("/rollout").texts("th", scope="row") == [UNIT]
        assert visitor.get(PAGE).form("/rollout/share")["version"] == "2.0.0"


def test_without_units_the_page_says_what_to_do(tmp_path: Path) -> None:
    example = Path(__file__).resolve().parents[2] / "examples" / "invoice-ops"
    with visiting(example, store=Store.in_memory(), connect=False) as visitor:
        assert "prowess new unit NAME" in visitor.get("/rollout").text


def test_pages_are_there_in_chinese(visitor: Visitor, units: Path, unsettled: None) -> None:
    visitor.send("/display", language="zh")
    try:
        assert "判断" in visitor.get("/rollout").texts("th")
        assert "决定" in visitor.get(PAGE).texts("h2")
    finally:
        visitor.send("/display", language="en")
