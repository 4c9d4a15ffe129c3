from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.capability.dialects import (
    DIALECTS,
    OPENAI_DESCRIPTION,
    Dialect,
    checked_dialect,
    definition,
    definitions,
    read_call,
    result,
)
from prowess.capability.naming import ModelNames
from prowess.capability.offer import Tool
from prowess.errors import UsageError

SCHEMA = {"type": "object", "properties": {"week": {"type": "string"}}, "required": ["week"]}
QUERY = Tool(server="tools", wire={"name": "query", "description": "Invoices.", "inputSchema": SCHEMA})


def schema_of(dialect: Dialect, schema: dict[str, Any]) -> Any:
    made = definition(dialect, "t", Tool(server="s", wire={"name": "t", "inputSchema": schema}))
    made = made.get("function", made)
    return made.get("parameters") or made.get("input_schema") or made.get("parametersJsonSchema")


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        (
            "openai",
            {
                "type": "function",
                "function": {"name": "tools__query", "description": "Invoices.", "parameters": SCHEMA},
            },
        ),
        ("anthropic", {"name": "tools__query", "description": "Invoices.", "input_schema": SCHEMA}),
        ("gemini", {"name": "tools__query", "description": "Invoices.", "parametersJsonSchema": SCHEMA}),
    ],
)
def test_a_tool_is_defined_in_each_dialect(dialect: Dialect, expected: dict[str, Any]) -> None:
    names = ModelNames.of([("tools", "query"), ("gone", "x")])
    assert definitions(dialect, names, {("tools", "query"): QUERY}) == [expected]


def test_definitions_stand_in_the_order_of_their_names() -> None:
    tools = {("b", "x"): QUERY, ("a", "y"): QUERY, ("a", "x"): QUERY}
    made = definitions("anthropic", ModelNames.of(tools), tools)
    assert [each["name"] for each in made] == ["a__x", "a__y", "b__x"]


@pytest.mark.parametrize("dialect", ["openai", "anthropic"])
@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ({"type": "object"}, {"type": "object", "properties": {}}),
        ({}, {"type": "object", "properties": {}}),
        ({"$schema": "x", "$id": "y", "type": "object"}, {"type": "object", "properties": {}}),
        (
            {
                "type": "object",
                "properties": {"a": {"type": "string"}},
                "anyOf": [{"required": ["a"]}, {"properties": {"a": {}, "b": {}}}, True],
                "oneOf": 3,
                "allOf": [{"$ref": "#/$defs/c"}, {"$ref": "#/$defs/none"}],
                "$defs": {"c": {"properties": {"c": {}}}},
            },
            {
                "type": "object",
                "properties": {"a": {"type": "string"}, "b": {}, "c": {}},
                "$defs": {"c": {"properties": {"c": {}}}},
            },
        ),
    ],
)
def test_what_a_provider_refuses_at_the_top_is_loosened(dialect: Dialect, sent: Any, shown: Any) -> None:
    assert schema_of(dialect, sent) == shown


def test_the_third_provider_takes_json_schema_as_it_is() -> None:
    assert schema_of("gemini", {"anyOf": [{"required": ["a"]}]}) == {
        "anyOf": [{"required": ["a"]}],
        "type": "object",
    }


@pytest.mark.parametrize(("length", "kept"), [(1_024, 1_024), (1_025, 1_024), (9_000, 1_024)])
def test_a_description_is_cut_only_where_the_provider_would_refuse_it(length: int, kept: int) -> None:
    tool = Tool(server="s", wire={"name": "t", "description": "x" * length, "inputSchema": {}})
    about = definition("openai", "t", tool)["function"]["description"]
    assert len(about) == kept <= OPENAI_DESCRIPTION
    assert about.endswith("...") == (length > kept)
    assert len(definition("anthropic", "t", tool)["description"]) == length


def test_a_tool_without_a_description_is_described_by_its_title() -> None:
    tool = Tool(server="s", wire={"name": "t", "title": "Invoices", "inputSchema": {}})
    assert definition("gemini", "t", tool)["description"] == "Invoices"


CALLS: list[tuple[Dialect, Any, str]] = [
    (
        "openai",
        {"id": "1", "type": "function", "function": {"name": "t", "arguments": '{"week": "2026-W31"}'}},
        "openai",
    ),
    (
        "openai",
        {"type": "function_call", "call_id": "1", "name": "t", "arguments": '{"week": "2026-W31"}'},
        "openai-responses",
    ),
    ("anthropic", {"type": "tool_use", "id": "1", "name": "t", "input": {"week": "2026-W31"}}, "anthropic"),
    ("gemini", {"functionCall": {"id": "1", "name": "t", "args": {"week": "2026-W31"}}}, "gemini"),
    ("gemini", {"function_call": {"id": "1", "name": "t", "args": {"week": "2026-W31"}}}, "gemini"),
    ("gemini", {"id": "1", "name": "t", "args": {"week": "2026-W31"}}, "gemini"),
]


@pytest.mark.parametrize(("dialect", "call", "form"), CALLS)
def test_a_call_is_read_in_its_form(dialect: Dialect, call: Any, form: str) -> None:
    read = read_call(dialect, call)
    assert (read.form, read.name, read.id, read.arguments, read.problem) == (
        form,
        "t",
        "1",
        {"week": "2026-W31"},
        "",
    )


class Modelled:
    """What a provider's library hands out."""

    def __init__(self, content: Any) -> None:
        self.content = content

    def model_dump(self) -> Any:
        return self.content


@pytest.mark.parametrize(("dialect", "call", "form"), CALLS)
def test_a_library_s_own_model_of_a_call_is_read_as_well(dialect: Dialect, call: Any, form: str) -> None:
    assert read_call(dialect, Modelled(call)) == read_call(dialect, call)


@pytest.mark.parametrize(
    ("dialect", "call"),
    [
        ("openai", {"id": "1", "function": {"name": "t", "arguments": " "}}),
        ("anthropic", {"id": "1", "name": "t"}),
        ("gemini", {"id": "1", "name": "t"}),
        ("gemini", {"id": "1", "name": "t", "args": None}),
    ],
)
def test_a_call_without_arguments_has_none(dialect: Dialect, call: Any) -> None:
    assert (read_call(dialect, call).arguments, read_call(dialect, call).problem) == ({}, "")


@pytest.mark.parametrize("text", ['{"week": ', "[1]", "{'a': 1}", '{"a": NaN}', "[" * 100_000, None])
def test_arguments_that_cannot_be_read_are_told_to_the_model(text: Any) -> None:
    read = read_call("openai", {"id": "1", "function": {"name": "t", "arguments": text}})
    assert read.arguments == {}
    assert read.problem.startswith("the arguments ")


@pytest.mark.parametrize(
    ("dialect", "call"),
    [
        ("openai", "t"),
        ("openai", {"id": "1"}),
        ("openai", {"function": {"name": "t", "arguments": "{}"}}),
        ("anthropic", {"id": "1", "input": {}}),
        ("anthropic", {"id": 1, "name": "t"}),
        ("gemini", {"functionCall": 3}),
        ("gemini", {"args": {}}),
    ],
)
def test_what_is_no_call_is_the_caller_s_mistake(dialect: Dialect, call: Any) -> None:
    with pytest.raises(UsageError):
        read_call(dialect, call)


@pytest.mark.parametrize(
    ("at", "value", "failed", "expected"),
    [
        (0, "done", False, {"role": "tool", "tool_call_id": "1", "content": "done"}),
        (0, {"a": "é"}, False, {"role": "tool", "tool_call_id": "1", "content": '{"a": "é"}'}),
        (0, "no", True, {"role": "tool", "tool_call_id": "1", "content": "Error: no"}),
        (1, [1], False, {"type": "function_call_output", "call_id": "1", "output": "[1]"}),
        (2, "done", False, {"type": "tool_result", "tool_use_id": "1", "content": "done"}),
        (2, "no", True, {"type": "tool_result", "tool_use_id": "1", "content": "no", "is_error": True}),
        (
            3,
            {"a": 1},
            False,
            {"functionResponse": {"id": "1", "name": "t", "response": {"output": {"a": 1}}}},
        ),
        (3, "no", True, {"functionResponse": {"id": "1", "name": "t", "response": {"error": "no"}}}),
        (2, "\ud800", False, {"type": "tool_result", "tool_use_id": "1", "content": "\\ud800"}),
    ],
)
def test_a_result_goes_back_in_the_form_of_its_call(at: int, value: Any, failed: bool, expected: Any) -> None:
    dialect, call, _ = CALLS[at]
    assert result(read_call(dialect, call), value, failed=failed) == expected


def test_a_call_without_an_id_is_answered_by_its_name() -> None:
    call = read_call("gemini", {"functionCall": {"name": "t", "args": {}}})
    assert result(call, 1) == {"functionResponse": {"name": "t", "response": {"output": 1}}}


def test_only_the_dialects_there_are_are_spoken() -> None:
    assert [checked_dialect(each) for each in DIALECTS] == list(DIALECTS)
    with pytest.raises(UsageError):
        checked_dialect("other")


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(st.characters()),
    lambda each: (
        st.lists(each, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["anyOf", "allOf", "properties", "$ref", "name", "id", "function", "arguments", "args"]
            ),
            each,
            max_size=4,
        )
    ),
    max_leaves=10,
)


@given(st.sampled_from(DIALECTS), JSON, JSON)
def test_no_schema_call_or_value_stops_the_translation(
    dialect: Dialect, given_value: Any, value: Any
) -> None:
    schema_of(dialect, given_value if isinstance(given_value, dict) else {})
    try:
        call = read_call(dialect, given_value)
    except UsageError:
        call = read_call("anthropic", {"id": "1", "name": "t"})
    assert isinstance(result(call, value), dict)
