from __future__ import annotations

import json
from typing import Any

import pytest

from prowess.capability.naming import ModelNames
from prowess.capability.offer import Tool
from prowess.choose import offered
from prowess.choose.offered import (
    definition_of,
    documents_of,
    is_core,
    skill_document,
    tool_document,
    triggers_of,
)
from prowess.choose.ranking import Document, Index
from prowess.spec.model import Skill
from prowess.units import offering
from prowess.units.model import Unit
from prowess.units.offering import tool_of


def tool(name: str = "query_invoices", **wire: Any) -> Tool:
    return Tool(server="ledger", wire={"name": name, "inputSchema": {"type": "object"}, **wire})


UNIT = Unit(
    name="query_weather",
    description="The weather of a city.",
    version="1.0.0",
    triggers=("will it rain", "forecast"),
    parameters={"type": "object", "properties": {"city": {"type": "string", "description": "Where"}}},
    core=True,
)
SKILL = Skill(
    name="close-quarter",
    description="Closes a quarter.",
    path="skills/close-quarter/SKILL.md",
    metadata={
        "triggers": "close the books, quarter end\nperiod end",
        "keywords": "ledger；会計、決算",
        "tags": "finance",
        "not_for": "daily reports | payroll",
        "author": "somebody",
    },
    body="Run the script.",
)


def test_a_unit_is_found_by_its_triggers_and_its_parameters() -> None:
    document = tool_document(tool_of(UNIT, "units"), "units__query_weather")
    assert document == Document(
        id="units__query_weather",
        name="query_weather",
        description="The weather of a city.",
        triggers=("will it rain", "forecast"),
        body="city\nWhere",
    )


def test_what_a_unit_says_and_what_is_read_have_the_same_names() -> None:
    assert offered.TRIGGERS_META == offering.TRIGGERS_META
    assert offered.CORE_META == offering.CORE_META
    assert is_core(tool_of(UNIT, "units"))
    assert not is_core(tool())


def test_a_tool_is_found_by_its_title_too() -> None:
    assert tool_document(tool(title="Unpaid bills", description="x"), "a").keywords == ("Unpaid bills",)


def test_names_and_descriptions_of_parameters_are_read_as_deep_as_they_go_within_bounds() -> None:
    line = {"type": "object", "properties": {"sku": {"description": "Article"}, "odd": True}}
    schema: dict[str, Any] = {
        "properties": {"lines": {"type": "array", "items": line}, "note": {"description": 3}}
    }
    assert tool_document(tool(inputSchema=schema), "a").body == "lines\nsku\nArticle\nodd\nnote"
    deep: dict[str, Any] = {}
    for _ in range(50):
        deep = {"properties": {"inner": deep}}
    assert tool_document(tool(inputSchema=deep), "a").body.count("inner") == 6
    wide: dict[str, Any] = {"properties": {f"p{number}": {} for number in range(500)}}
    assert tool_document(tool(inputSchema=wide), "a").body.count("\n") == 199
    assert tool_document(tool(inputSchema={"properties": [1]}), "a").body == ""


@pytest.mark.parametrize(
    "meta", [None, [], {"dev.prowess/triggers": "text"}, {"dev.prowess/triggers": [1, None]}]
)
def test_a_meta_of_any_other_form_gives_no_triggers(meta: Any) -> None:
    assert triggers_of(tool(_meta=meta)) == ()
    assert not is_core(tool(_meta=meta))


def test_a_skill_is_found_by_what_its_metadata_holds_for_it() -> None:
    assert skill_document(SKILL, "close-quarter") == Document(
        id="close-quarter",
        name="close-quarter",
        description="Closes a quarter.",
        triggers=("close the books", "quarter end", "period end"),
        keywords=("ledger", "会計", "決算", "finance"),
        body="Run the script.",
        negatives=("daily reports", "payroll"),
    )


def test_a_skill_whose_body_was_not_read_is_found_by_the_rest() -> None:
    plain = Skill(name="a-b", description="Maps.", path="skills/a-b/SKILL.md")
    assert skill_document(plain, "a-b") == Document(id="a-b", name="a-b", description="Maps.")


def test_ids_are_what_a_model_calls_them_and_differ() -> None:
    skills = [
        Skill(name=name, description="x", path=f"skills/{name}/SKILL.md")
        for name in ("ledger__pay", "alone", "alone", "alone")
    ]
    found = documents_of([tool("pay"), tool("query_invoices")], skills)
    assert [each.id for each in found] == [
        "ledger__pay",
        "ledger__query_invoices",
        "skill:ledger__pay",
        "alone",
        "skill:alone",
        "skill:alone#2",
    ]
    names = ModelNames.of([("ledger", "pay")], raw=True)
    assert [each.id for each in documents_of([tool("pay")], names=names)] == ["pay"]


def test_examples_and_negatives_go_to_whom_they_are_for() -> None:
    found = documents_of(
        [tool("pay")],
        [SKILL],
        examples={"ledger__pay": ("send them the money",), "nobody": ("x",)},
        negatives={"close-quarter": ("close the window",)},
    )
    assert found[0].examples == ("send them the money",)
    assert found[1].negatives == ("daily reports", "payroll", "close the window")
    index = Index.of(found)
    assert index.rank("money").ids == ("ledger__pay",)
    assert not index.rank("window").cleared


def test_a_definition_is_what_a_model_reads_of_a_tool() -> None:
    definition = definition_of(tool(description="Größe"), "ledger__query_invoices")
    assert definition.id == "ledger__query_invoices"
    assert json.loads(definition.text) == {
        "name": "ledger__query_invoices",
        "description": "Größe",
        "input_schema": {"type": "object"},
    }
    assert "Größe" in definition.text and ": " not in definition.text
