"""Frontmatter as JSON, and an entry's frontmatter held against the file."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.spec.frontmatter import Fault
from prowess.spec.frontmatter_json import differing, frontmatter_json


def file(head: str) -> bytes:
    return f"---\nname: a\ndescription: b\n{head}---\nbody\n".encode()


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1.0", 1.0),
        ("'1.0'", "1.0"),
        ("12", 12),
        ("0o17", 15),
        ("0x1F", 31),
        ("1e3", 1000.0),
        ("true", True),
        ("yes", "yes"),
        ("~", None),
        ("", None),
        (".inf", ".inf"),
        ("[1, 'a', {b: false}]", [1, "a", {"b": False}]),
        ("2026-01-02", "2026-01-02"),
        ("|\n  two\n  lines", "two\nlines\n"),
    ],
)
def test_a_value_is_rendered_by_the_core_schema(written: str, value: Any) -> None:
    found = frontmatter_json(file(f"x: {written}\n"))
    assert not isinstance(found, Fault)
    assert found["x"] == value and type(found["x"]) is type(value)


def test_name_and_description_are_text_whatever_they_look_like() -> None:
    found = frontmatter_json(b"---\nname: 123\ndescription: true\n---\n")
    assert found == {"name": "123", "description": "true"}


def test_a_file_without_frontmatter_is_a_fault() -> None:
    assert isinstance(frontmatter_json(b"no frontmatter"), Fault)
    assert differing(b"no frontmatter", {"name": "a"})


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1.0", 1),
        ("1.0", "1.0"),
        ("yes", True),
        ("yes", "yes"),
        ("017", 15),
        ("017", 17),
        ("~", None),
        ("[1, b]", [1, "b"]),
    ],
)
def test_every_reading_of_a_plain_value_is_the_same(written: str, value: Any) -> None:
    assert differing(file(f"x: {written}\n"), {"name": "a", "description": "b", "x": value}) == ()


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("'1'", 1),
        ("'yes'", True),
        ("1", True),
        ("true", 1),
        ("text", "other"),
        ("[1]", [1, 2]),
        ("{a: 1}", {"a": 1, "b": 2}),
        ("[1]", "1"),
        ("{a: 1}", [1]),
    ],
)
def test_any_other_value_is_a_difference(written: str, value: Any) -> None:
    assert differing(file(f"x: {written}\n"), {"name": "a", "description": "b", "x": value}) == ("x",)


def test_a_field_that_only_one_side_has_is_a_difference() -> None:
    assert differing(file("x: 1\n"), {"name": "a", "description": "b"}) == ("x",)
    assert differing(file(""), {"name": "a", "description": "b", "y": None}) == ("y",)


@given(st.text(max_size=200))
def test_what_is_rendered_never_differs_from_its_file(head: str) -> None:
    data = f"---\n{head}\n---\n".encode("utf-8", "surrogatepass")
    found = frontmatter_json(data)
    assert isinstance(found, Fault) or differing(data, found) == ()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=10),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    )
)
def test_any_json_may_be_held_against_a_file(value: Any) -> None:
    differing(file("x: [1, {a: b}]\n"), {"name": "a", "description": "b", "x": value})
