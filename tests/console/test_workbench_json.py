"""JSON as it is written, and what differs between two documents: properties that hold for every document."""

from __future__ import annotations

import json
import re
from decimal import MAX_EMAX, MIN_EMIN, Context
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.console.workbench_documents import BAD, DOCUMENTS, GOOD, TEXTS

from prowess.console.workbench_diff import MOST, differences, kind_of, number, written_back
from prowess.console.workbench_json import (
    DEEPEST,
    Fault,
    Node,
    compact,
    decoded,
    format_json,
    parse,
    remarks,
    spot,
)
from prowess.console.workbench_judging import judge_text, locate

WIDE = Context(prec=60, Emax=MAX_EMAX, Emin=MIN_EMIN)
TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')


def tree(text: str) -> Node:
    found = parse(text)
    assert isinstance(found, Node), found
    return found


def refused(word: str) -> Any:
    raise ValueError(word)


def value(text: str) -> Any:
    """A document with nothing lost: members by name and which of that name, numbers exact."""

    def pairs(found: list[tuple[str, Any]]) -> Any:
        counts: dict[str, int] = {}
        numbered = set()
        for name, each in found:
            counts[name] = counts.get(name, 0) + 1
            numbered.add((name, counts[name], frozen(each)))
        return frozenset(numbered)

    loaded = json.loads(
        text, object_pairs_hook=pairs, parse_float=exact, parse_int=exact, parse_constant=refused
    )
    return frozen(loaded)


def frozen(each: Any) -> Any:
    """A value that can stand in a set; true is not 1 there."""
    return tuple(map(frozen, each)) if isinstance(each, list) else (type(each).__name__, each)


def exact(written: str) -> Any:
    return WIDE.create_decimal(written).normalize(WIDE)


@given(TEXTS)
def test_a_text_is_json_exactly_where_the_standard_library_says_so(text: str) -> None:
    try:
        json.loads(text.removeprefix("\ufeff"), parse_constant=refused)
        text.encode()
        fine = True
    except ValueError:
        fine = False
    assert isinstance(parse(text), Node) == fine


@given(DOCUMENTS, st.sampled_from([0, 2]))
def test_formatting_keeps_every_token_and_formats_no_further(text: str, indent: int) -> None:
    formatted = format_json(text, indent=indent)
    assert isinstance(formatted, str)
    assert TOKENS.findall(formatted) == TOKENS.findall(text)
    assert format_json(formatted, indent=indent) == formatted


@given(DOCUMENTS)
def test_sorted_names_are_in_order_and_mean_the_same(text: str) -> None:
    formatted = format_json(text, sort=True)
    assert isinstance(formatted, str)
    assert differences(tree(text), tree(formatted)).total == 0

    def check(node: Node) -> None:
        names = [decoded(each.name) for each in node.inside()] if node.kind == "object" else []
        assert names == sorted(names)
        for each in node.inside():
            check(each.value)

    check(tree(formatted))


@given(DOCUMENTS, DOCUMENTS)
def test_documents_differ_exactly_where_their_values_do(old: str, new: str) -> None:
    found = differences(tree(old), tree(new))
    assert (found.total == 0) == (value(old) == value(new))
    assert len(found.told) == min(found.total, MOST)
    back = differences(tree(new), tree(old))
    assert (found.counts["added"], found.counts["removed"]) == (back.counts["removed"], back.counts["added"])


@given(TEXTS)
def test_a_place_leads_back_to_its_character(text: str) -> None:
    found = parse(text)
    at = found.at
    place = spot(text, at)
    lines = text.split("\n")
    assert lines[place.line - 1].removesuffix("\r") == place.written
    assert len("\n".join(lines[: place.line - 1])) + (place.line > 1) + place.column - 1 == at


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_what_is_not_json_has_a_fault_inside_it(text: str) -> None:
    fault = format_json(text)
    assert isinstance(fault, Fault)
    assert 0 <= fault.at <= len(text)


@pytest.mark.parametrize("text", GOOD, ids=range(len(GOOD)))
def test_what_is_json_is_formatted(text: str) -> None:
    assert isinstance(format_json(text), str)


@pytest.mark.parametrize(("levels", "fine"), [(DEEPEST, True), (DEEPEST + 1, False), (100_000, False)])
def test_nesting_has_a_bound(levels: int, fine: bool) -> None:
    for text in ("[" * levels + "]" * levels, '{"a":' * levels + "1" + "}" * levels):
        found = parse(text)
        assert isinstance(found, Node) == fine
        assert fine or found == Fault("too-deep", DEEPEST * (1 if text[0] == "[" else 5))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1", "1.0", True),
        ("-0", "0e9", True),
        ("0.0e-99999999999999999999", "0", True),
        ("1e400", "10e399", True),
        ("0.00120", "12e-4", True),
        ("1e99999999999999999999", "10e99999999999999999998", False),
        ("1e400", "1e401", False),
        ("9007199254740993", "9007199254740992", False),
        ("-1", "1", False),
    ],
)
def test_numbers_are_the_same_by_their_value(one: str, other: str, same: bool) -> None:
    assert (number(one) == number(other)) == same


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('[{"id":"a"},{"id":"b"}]', '[{"id":"b"},{"id":"a"}]', [("reordered", "")]),
        ('[{"name":"a"},{"name":"a"}]', '[{"name":"a"}]', [("removed", "/1")]),
        ('[{"name":"a"},7]', '[{"name":"b"},7]', [("changed", "/0/name")]),
        ('[{"uri":"a","name":"x"}]', '[{"uri":"a","name":"y"}]', [("changed", "[uri=a]/name")]),
        ("[1,2,3]", "[0,1,2,3]", [("added", "/0")]),
        ("[]", '[{"name":"a"}]', [("added", "/0")]),
        ('{"a":1,"a":2}', '{"a":1,"a":3}', [("changed", "/a(2)")]),
        ('{"~/":1}', "{}", [("removed", "/~0~1")]),
        ("1", '"1"', [("changed", "")]),
        ("null", "[]", [("changed", "")]),
    ],
)
def test_each_difference_has_its_path(old: str, new: str, told: list[tuple[str, str]]) -> None:
    assert [(each.what, each.path) for each in differences(tree(old), tree(new)).told] == told


def test_long_values_and_names_are_cut() -> None:
    found = differences(tree(json.dumps({"k" * 500: ["x" * 500]})), tree("{}")).told[0]
    assert len(found.path) == 82
    assert len(found.old) == 161
    assert compact(tree('{"a": [1, {}], "b": {}}'), 100) == '{"a": [1, {}], "b": {}}'


def test_of_many_remarks_the_first_are_told_and_all_counted() -> None:
    text = "[" + ",".join(['{"a":1,"a":"\u202e"}'] * 50) + "]"
    first, total = remarks(text, tree(text))
    assert (len(first), total) == (20, 100)
    assert [each.code for each in first[:2]] == ["duplicate", "unseen"]


def test_a_document_of_another_kind_holds_no_runtime_state() -> None:
    for text in ('{"tools": 1}', "[]", '{"mcpServers": [], "tools": [], "plugin": {}, "status": 1}'):
        assert written_back(tree(text)) == ()
    assert kind_of(tree('{"$schema": 1, "mcpServers": {}}')) == "mcp"


def test_a_pointer_leads_to_its_member_or_as_far_as_it_can() -> None:
    text = '{"a": 1, "a": [2, {"b/~": 3}], "\u202e": 4}'
    root = tree(text)
    assert text[locate(root, "/a/0")] == "2"
    assert text[locate(root, "/a/1/b~1~0") :].startswith('"b/~"')
    assert text[locate(root, "/a/7/x") :].startswith('"a": [')
    assert text[locate(root, "/\\u{202e}") :].startswith('"\u202e"')
    assert locate(root, "") == 0


def test_a_name_that_stands_twice_is_found_where_a_schema_cannot_see_it() -> None:
    found = judge_text('{"a": 1,\n"a": 2}', "schema", {}).findings
    assert [(each.rule, each.line) for each in found] == [("duplicate", 2)]


def test_numbers_that_no_judge_knows_are_judged_all_the_same() -> None:
    text = json.dumps({"a": 1})[:-2] + "9" * 6_000 + "}"
    assert [
        each.rule for each in judge_text(text, "schema", {"properties": {"a": {"maximum": 5}}}).findings
    ] == ["maximum"]
