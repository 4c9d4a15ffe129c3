from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from prowess.cli.json_lines import pointer_lines

TEXT = """{
  "name": "x", "b": [1,
    {"c/~": "{,}[]:\\n"}
  ],

  "d":
    {"e": {}}
}"""


def test_members_are_where_their_keys_stand_and_items_where_they_begin() -> None:
    lines = {2: ["/name", "/b", "/b/0"], 3: ["/b/1", "/b/1/c~1~0"], 6: ["/d"], 7: ["/d/e"]}
    assert pointer_lines(TEXT) == {pointer: line for line, pointers in lines.items() for pointer in pointers}


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
    lines = pointer_lines(text)
    assert sorted(lines) == sorted(pointers(value))
    ordered = list(lines.values())
    assert ordered == sorted(ordered)
    assert all(1 <= line <= text.count("\n") + 1 for line in ordered)


@given(st.text(alphabet='{}[],:"\\\n a0', max_size=60))
def test_no_text_breaks_the_walk(text: str) -> None:
    assert all(line >= 1 for line in pointer_lines(text).values())
