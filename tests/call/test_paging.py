"""Results that are too large: whole items, nothing left out, and only for their caller."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.call.told import Around, Behaviour, Told, run

from prowess.call.clock import FakeClock
from prowess.call.limits import Limits
from prowess.call.paging import Pages, divided, size_of
from prowess.errors import NotFound
from prowess.provider import Answered, Caller, Invocation, Outcome, ToolFailed

PICTURE = {"type": "image", "mimeType": "image/png", "data": "A" * 500}


def test_a_list_is_divided_between_items() -> None:
    items = [{"id": number, "name": "x" * 20} for number in range(50)]
    parts = divided(items, 300)
    assert [item for part in parts for item in part] == items
    assert all(size_of(part) <= 300 for part in parts)


def test_the_list_of_an_object_is_divided_and_the_first_part_says_the_rest() -> None:
    value = {"total": 50, "items": [{"id": number} for number in range(50)], "next": "abc"}
    parts = divided(value, 200)
    assert parts[0]["total"] == 50
    assert parts[0]["items"][0] == {"id": 0}
    assert [item for part in parts for item in part.get("items", [])] == value["items"]
    assert parts[-1]["next"] == "abc"


def test_a_text_is_divided_between_lines() -> None:
    text = "".join(f"line {number}\n" for number in range(100))
    parts = divided(text, 120)
    assert "".join(parts) == text
    assert all(part.endswith("\n") and size_of(part) <= 130 for part in parts)


def test_a_line_that_is_too_long_is_divided_between_words() -> None:
    text = "  " + "word " * 100 + "\n"
    parts = divided(text, 60)
    assert "".join(parts) == text
    assert all("word" in part for part in parts)


def test_a_text_that_is_json_is_divided_as_json() -> None:
    items = [{"id": number, "note": "a b"} for number in range(50)]
    parts = divided(json.dumps(items), 300)
    assert [item for part in parts for item in json.loads(part)] == items
    assert divided("{" + "word " * 100, 100)[0].startswith("{word")


def test_every_part_of_a_content_block_says_what_it_is() -> None:
    blocks = [{"type": "text", "text": "word " * 200}, {"type": "text", "text": "end"}]
    parts = divided(blocks, 300)
    assert all(block["type"] == "text" for part in parts for block in part)
    assert "".join(block["text"] for part in parts for block in part) == "word " * 200 + "end"


def test_what_cannot_be_divided_is_a_part_of_its_own_and_whole() -> None:
    assert divided([PICTURE, PICTURE, {"type": "text", "text": "x"}], 300) == [
        [PICTURE],
        [PICTURE, {"type": "text", "text": "x"}],
    ] or divided([PICTURE, PICTURE], 300) == [[PICTURE], [PICTURE]]
    assert divided("A" * 500, 100) == ["A" * 500]
    assert divided([1, "A" * 500, 2], 100) == [[1], ["A" * 500], [2]]
    assert divided(10**200, 100) == [10**200]


def test_equal_pieces_of_an_object_are_all_kept() -> None:
    value = {"a": "word\n" * 40}
    parts = divided(value, 60)
    assert "".join(part["a"] for part in parts) == value["a"]


def test_what_fits_is_one_part() -> None:
    assert divided({"a": 1}, 100) == [{"a": 1}]


def test_a_value_deeper_than_the_bound_is_whole() -> None:
    deep: Any = ["x y " * 50]
    for _ in range(70):
        deep = [deep]
    assert len(divided(deep, 100)) == 1


leaves = st.none() | st.booleans() | st.integers(-999, 999) | st.text(max_size=60)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=5), inner, max_size=5),
)


def scalars(value: Any) -> list[str]:
    """Everything in a value, the text of all strings joined: what must not be lost in dividing."""
    if isinstance(value, dict):
        return [each for item in value.values() for each in scalars(item)]
    if isinstance(value, list):
        return [each for item in value for each in scalars(item)]
    return [str(value)]


@given(value=values, limit=st.integers(20, 200))
def test_whatever_the_result_nothing_of_it_is_lost(value: Any, limit: int) -> None:
    if isinstance(value, dict):
        value.pop("type", None)
    parts = divided(value, limit)
    assert parts
    if "{" not in str(value) or isinstance(value, list | dict):
        text = "".join(scalars(value))
        if "type" not in str(value) and "[" not in text and "{" not in text:
            assert "".join(each for part in parts for each in scalars(part)) == text


def test_pages_are_read_in_order_and_as_often_as_wanted() -> None:
    pages = Pages(1_000, 60, FakeClock())
    page = pages.first(["a", "b", "c"], Caller())
    assert (page.value, page.part, page.parts) == ("a", 1, 3)
    assert page.handle is not None
    second = pages.read(page.handle, Caller())
    assert pages.read(page.handle, Caller()) == second
    assert second.handle is not None
    third = pages.read(second.handle, Caller(rollout_key="another key of the same caller"))
    assert (third.value, third.handle) == ("c", None)


@pytest.mark.parametrize("change", ["other caller", "other conversation", "", "x", ".99", ".-1", ".٣"])
def test_a_handle_that_is_not_ones_own_reads_nothing(change: str) -> None:
    pages = Pages(1_000, 60, FakeClock())
    handle = pages.first(["a", "b"], Caller()).handle or ""
    who = {"other caller": Caller(principal="you"), "other conversation": Caller(conversation="c")}
    if change not in who:
        handle = handle.rpartition(".")[0] + change
    with pytest.raises(NotFound):
        pages.read(handle, who.get(change, Caller()))


def answering(outcome: Outcome) -> Behaviour:
    async def answer(invocation: Invocation) -> Outcome:
        return outcome

    return answer


def called(outcome: Outcome, limit: int = 200) -> tuple[Around, Any]:
    crm = Told()
    crm.tool("a", answering(outcome))
    around = Around(crm, limits=Limits(result_bytes=limit))
    return around, run(around.call("a"))


def rest(around: Around, result: Any) -> list[Any]:
    found, handle = [], result.page.handle
    while handle:
        page = around.path.read_on(handle)
        found.append(page.value)
        handle = page.handle
    return found


def test_content_blocks_are_paged_on_the_wire_too() -> None:
    blocks = [{"type": "text", "text": f"block {number}"} for number in range(30)]
    around, result = called(Answered(value=blocks, wire={"content": blocks, "isError": False}))
    assert result.outcome.wire == {"isError": False, "content": result.outcome.value}
    assert [*result.outcome.value, *(block for part in rest(around, result) for block in part)] == blocks
    assert result.page.parts == 1 + len(rest(around, result))
    assert "this is part 1 of" in result.notes[0]
    assert around.recorder.calls[0].result_bytes == size_of(blocks)


def test_structured_content_is_paged_and_its_text_follows_it() -> None:
    value = {"items": list(range(100))}
    text = [{"type": "text", "text": json.dumps(value)}]
    around, result = called(Answered(value=value, wire={"structuredContent": value, "content": text}))
    wire = result.outcome.wire
    assert wire["structuredContent"] == result.outcome.value
    assert json.loads(wire["content"][0]["text"]) == result.outcome.value
    parts = [result.outcome.value, *rest(around, result)]
    assert [n for part in parts for n in part["items"]] == value["items"]


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "text", "text": "word " * 100}],
        [{"type": "text", "text": "word " * 100}, {"type": "text", "text": "x"}],
        [PICTURE],
    ],
)
def test_large_content_beside_small_structured_content_is_read_after_it(content: Any) -> None:
    around, result = called(
        Answered(value={"n": 1}, wire={"structuredContent": {"n": 1}, "content": content})
    )
    assert result.outcome.value == {"n": 1}
    assert json.loads(result.outcome.wire["content"][0]["text"]) == {"n": 1}
    found = [block for part in rest(around, result) for block in part["content"]]
    assert "".join(str(b.get("text", b.get("data"))) for b in found) == "".join(
        str(b.get("text", b.get("data"))) for b in content
    )


def test_large_content_that_only_repeats_the_value_is_shortened_to_it() -> None:
    text = json.dumps({"n": 1}) + " " * 500
    outcome = Answered(
        value={"n": 1}, wire={"structuredContent": {"n": 1}, "content": [{"type": "text", "text": text}]}
    )
    _, result = called(outcome)
    assert result.page is None
    assert result.outcome.wire["content"] == [{"type": "text", "text": '{"n": 1}'}]


def test_a_long_failure_is_paged_too() -> None:
    message = "line of a trace\n" * 50
    wire = {"isError": True, "content": [{"type": "text", "text": message}]}
    around, result = called(ToolFailed(message=message, wire=wire))
    assert result.word == "tool-failed"
    assert result.outcome.message + "".join(rest(around, result)) == message
    assert result.outcome.wire == {
        "isError": True,
        "content": [{"type": "text", "text": result.outcome.message}],
    }


def test_a_failure_with_pictures_keeps_them() -> None:
    around, result = called(ToolFailed(message="see there", wire={"isError": True, "content": [PICTURE]}))
    assert result.outcome.message == "see there"
    assert rest(around, result) == [{"content": [PICTURE]}]


def test_reading_on_is_for_the_same_caller_only() -> None:
    around, result = called(Answered(value=list(range(200))))
    with pytest.raises(NotFound):
        around.path.read_on(result.page.handle, caller=Caller(principal="you"))
