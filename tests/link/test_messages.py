"""What is read at a glance is what the SDK reads; everything else is left to the SDK."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import jsonrpc_message_adapter

from prowess.link.messages import at_a_glance

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2**70) | st.floats() | st.text('a"\\é字\x00', max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=2),
    max_leaves=4,
)
MEMBERS = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.sampled_from(["2.0", "1.0", 2]),
        "id": st.sampled_from([1, "a", "7", None, True, 1.0, 1.5, [], -1]),
        "method": st.sampled_from(["tools/call", "", 1, None]),
        "params": JSON,
        "result": JSON,
        "error": st.just({"code": 1, "message": "m"}) | JSON,
        "more": JSON,
    },
)


@given(MEMBERS)
def test_what_is_read_at_a_glance_is_what_the_sdk_reads(message: dict[str, Any]) -> None:
    text = json.dumps(message).encode()
    read = at_a_glance(text)
    if read is not None:
        theirs = jsonrpc_message_adapter.validate_json(text, by_name=False)
        assert type(read) is type(theirs)
        assert repr(read) == repr(theirs)
        shown = [each.model_dump_json(by_alias=True, exclude_unset=True) for each in (read, theirs)]
        assert shown[0] == shown[1]


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"[]", b'"x"', b"\xff", b'{"jsonrpc":"2.0","id":1,"result":{"a":"\\ud83d"}}'],
)
def test_what_is_unusual_is_not_read_at_a_glance(text: bytes) -> None:
    assert at_a_glance(text) is None


def test_calls_and_results_are_read_at_a_glance() -> None:
    assert at_a_glance(b'{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{}}') is not None
    assert at_a_glance(b' {"result":{"x":null},"id":7,"jsonrpc":"2.0"} ') is not None
