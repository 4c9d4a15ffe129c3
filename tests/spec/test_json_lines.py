from __future__ import annotations

import json
import time
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.bounds import bound

from prowess.spec.json_lines import pointer_lines
from prowess.spec.strict_json import pointer

TEXT = """{
  "name": "x", "b": [1,
    {"c/~": "{,}[]:\\n"}
  ],

  "d":
    {"e": {}}
}"""


def test_members_are_where_their_keys_stand_and_items_where_they_begin() -> None:
    lines = {2: ["/name", "/b", "/b/0"], 3: ["/b/1", "/b/1/c~1~0"], 6: ["/d"], 7: ["/d/e"]}
    expected = {pointer: line for line, pointers in lines.items() for pointer in pointers}
    assert pointer_lines(TEXT, expected) == expected


def test_a_key_that_is_no_json_is_taken_as_it_stands() -> None:
    assert pointer_lines('{\n"a\\q": 1,\n"b": 2}', ["/a\\q", "/b"]) == {"/a\\q": 2, "/b": 3}


def test_a_pointer_to_something_that_is_not_there_means_its_parent() -> None:
    wanted = {"/b/1/z/0": 3, "/b/7": 2, "/d/e/f/g": 7}
    assert pointer_lines(TEXT, [*wanted, "/missing", "/missing/x"]) == wanted


def test_a_key_longer_than_pointers_show_is_found() -> None:
    text = json.dumps({"a": 0, "k" * 500: {"b": 1}}, indent=0)
    cut = pointer("k" * 500, "b")
    assert pointer_lines(text, [cut]) == {cut: 4}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def pointers(value: Any, above: str = "") -> list[str]:
    pairs: Any = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
    )
    found = []
    for key, below in pairs:
        at = above + "/" + str(key).replace("~", "~0").replace("/", "~1")
        found += [at, *pointers(below, at)]
    return found


@given(JSON)
def test_every_pointer_of_a_document_has_a_line(value: Any) -> None:
    text = json.dumps(value, indent=1)
    wanted = pointers(value)
    lines = pointer_lines(text, wanted)
    assert list(lines) == wanted
    ordered = list(lines.values())
    assert ordered == sorted(ordered)
    assert all(1 <= line <= text.count("\n") + 1 for line in ordered)


@given(st.text(alphabet='{}[],:"\\\n a0', max_size=60))
def test_no_text_breaks_the_walk(text: str) -> None:
    wanted = ["/a", "/0", "/", "/a/a", "/0/0", "/1/a"]
    assert all(line >= 1 for line in pointer_lines(text, wanted).values())


def test_long_keys_around_many_items_cost_neither_time_nor_room() -> None:
    around, many = 30, 100_000
    text = "".join(f'{{"{"k" * 400}": ' for _ in range(around)) + json.dumps([0] * many) + "}" * around
    wanted = pointer(*["k" * 400] * around, many - 1)
    started = time.process_time()
    assert pointer_lines(text, [wanted]) == {wanted: 1}
    assert time.process_time() - started < bound(2)
