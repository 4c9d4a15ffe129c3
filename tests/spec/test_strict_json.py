"""Strict JSON: what is refused, what is tolerated, where a key stands twice."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.spec import limits
from prowess.spec.strict_json import Document, Duplicate, Malformed, parse, pointer

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


def document(data: bytes) -> Document:
    found = parse(data)
    assert isinstance(found, Document), found
    return found


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b'{"a": 1,}',
        b"[1,]",
        b'{"a": NaN}',
        b"[-Infinity]",
        b"{} {}",
        b"// note\n{}",
        b'{"a": 1 /* note */}',
        b"{'a': 1}",
        b'{"a": 01}',
        b'{"a": "line\nbreak"}',
        b'{"a": "\\x"}',
        '{"a": 1}'.encode("utf-16"),
        '{"a": 1}'.encode("utf-16-le"),
        b'{"a": "\xff"}',
        b'{"a": "\xed\xa0\x80"}',
        b'{"a": "\\ud800"}',
        b'{"\\udc00": 1}',
        b"\xef\xbb\xbf\xef\xbb\xbf{}",
        b"\x00",
    ],
)
def test_what_is_no_json_is_malformed(data: bytes) -> None:
    assert isinstance(parse(data), Malformed)


def test_the_place_of_an_error_is_told() -> None:
    found = parse(b'{\n  "a": 1,\n  "b": oops\n}')
    assert isinstance(found, Malformed)
    assert (found.line, found.column) == (3, 8)


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_a_word_that_is_no_number_is_told_where_it_stands_and_not_inside_a_string(word: str) -> None:
    found = parse(f'{{"a": "{word} \\"{word}",\n "b": {word}}}'.encode())
    assert isinstance(found, Malformed)
    assert (found.line, found.column) == (2, 7)
    assert word in found.reason


def test_common_mistakes_have_reasons_of_their_own() -> None:
    mistakes = [b"", b"{} {}", b'{"a": 1', b"[1,]", b"[True]", b"[1] // x", b'["a\nb"]', b"\xff", b"{'a': 1}"]
    found = [parse(each) for each in mistakes]
    assert len({each.reason for each in found if isinstance(each, Malformed)}) == len(mistakes)


def test_the_line_of_a_wrong_encoding_is_told() -> None:
    found = parse(b'{\n"a": "\xff"}')
    assert isinstance(found, Malformed)
    assert found.line == 2


def test_a_byte_order_mark_is_tolerated_and_told() -> None:
    found = document(b'\xef\xbb\xbf{"a": 1}')
    assert found.value == {"a": 1}
    assert found.byte_order_mark
    assert not document(b"{}").byte_order_mark


def test_line_ends_of_windows_are_white_space() -> None:
    assert document(b'{\r\n"a": 1\r\n}\r\n').value == {"a": 1}


def test_a_surrogate_pair_is_text() -> None:
    assert document(b'"\\ud83d\\ude00"').value == "\U0001f600"


def test_nesting_is_bounded_whatever_the_strings_hold() -> None:
    depth = limits.JSON_DEPTH
    assert isinstance(parse(b"[" * depth + b"]" * depth), Document)
    assert isinstance(parse(b"[" * (depth + 1) + b"]" * (depth + 1)), Malformed)
    brackets = json.dumps(['[{"' * 500] * 3).encode()
    assert isinstance(parse(brackets), Document)


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'"\\"', b"[" * 50 + b'"', b'"[' * 3, b"\\"])
def test_a_document_of_nothing_but_openings_is_refused_quickly(opening: bytes) -> None:
    assert isinstance(parse(opening * (limits.JSON_BYTES // len(opening))), Malformed)


def test_size_is_bounded() -> None:
    assert isinstance(parse(b" " * limits.JSON_BYTES + b"1"), Malformed)


@pytest.mark.parametrize("digits", ["9" * 100, "9" * 5_000, "-" + "9" * 100_000, "1e999999"])
def test_a_number_of_any_size_is_read(digits: str) -> None:
    assert isinstance(document(digits.encode()).value, (int, float))


def test_a_key_that_stands_twice_is_returned_with_its_place() -> None:
    found = document(b'{"a": {"x": 1, "x": 2, "x": 3, "y": 4}, "b": [{"z": 1, "z": 1}], "c": 1, "c": 2}')
    assert set(found.duplicates) == {
        Duplicate(path=(), key="c"),
        Duplicate(path=("a",), key="x"),
        Duplicate(path=("b", 0), key="z"),
    }
    assert found.value["a"] == {"x": 3, "y": 4}


def test_keys_are_compared_after_their_escapes() -> None:
    assert document(b'{"a": 1, "\\u0061": 2}').duplicates == (Duplicate(path=(), key="a"),)


def test_a_pointer_escapes_what_rfc_6901_says() -> None:
    assert pointer("a/b", "c~d", 0) == "/a~1b/c~0d/0"
    assert pointer() == ""


@given(JSON_VALUES)
def test_what_json_writes_is_read_back(value: Any) -> None:
    found = document(json.dumps(value, ensure_ascii=False).encode("utf-8", "strict"))
    assert found.value == value
    assert found.duplicates == ()


@given(st.binary() | st.text(alphabet='{}[]",:\\u0d8e1tnf \n', max_size=80).map(str.encode))
def test_no_bytes_raise(data: bytes) -> None:
    assert isinstance(parse(data), (Document, Malformed))
