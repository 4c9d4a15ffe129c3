"""Completion: values by what is typed, for arguments of prompts and variables of templates."""

from __future__ import annotations

from typing import Any

import pytest
from tests.content.conftest import ANALYZE, Asked

PROMPT = {"type": "ref/prompt", "name": "analyze-report"}


def found(values: list[str]) -> dict[str, Any]:
    return {"values": values, "total": len(values), "hasMore": False}


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("", ["English", "Français", "中文"]),
        ("e", ["English"]),
        ("FRANC\u0327", ["Français"]),  # the cedilla as a character of its own
        ("ｅｎｇ", ["English"]),  # full-width letters
        ("中", ["中文"]),
        ("x", []),
    ],
)
def test_values_begin_with_what_is_typed_in_any_script_and_case(typed: str, values: list[str]) -> None:
    assert Asked({"prompts/a.md": ANALYZE}).complete(PROMPT, "language", typed) == found(values)


def test_an_argument_without_values_has_none() -> None:
    assert Asked({"prompts/a.md": ANALYZE}).complete(PROMPT, "report_id", "") == found([])


def test_at_most_a_hundred_values_are_given_and_the_rest_is_counted() -> None:
    lines = "".join(f"v{number:03}\n" for number in range(250))
    files = {
        "prompts/ask.md": "---\narguments: [{name: x, complete: values.txt}]\n---\nUse {x}.",
        "prompts/values.txt": lines,
    }
    completed = Asked(files).complete({"type": "ref/prompt", "name": "ask"}, "x", "V1")
    assert (len(completed["values"]), completed["total"], completed["hasMore"]) == (100, 100, False)
    completed = Asked(files).complete({"type": "ref/prompt", "name": "ask"}, "x", "v")
    assert (len(completed["values"]), completed["total"], completed["hasMore"]) == (100, 250, True)


def test_values_may_stand_in_a_json_file() -> None:
    files = {
        "prompts/ask.md": "---\narguments: [{name: x, complete: ../values.json}]\n---\nUse {x}.",
        "values.json": '["b", "a", "b"]',
    }
    assert Asked(files).complete({"type": "ref/prompt", "name": "ask"}, "x", "") == found(["b", "a"])


def test_variables_are_completed_from_the_files_of_a_folder() -> None:
    paths = ("v1/errors.md", "v1/limits.md", "v2/errors.md", "v2/权限.md")
    asked = Asked(
        {
            "templates/it.md": "---\nuriTemplate: a:{version}/{section}\n---\n",
            **{f"templates/it/{p}": p for p in paths},
        }
    )
    ref = {"type": "ref/resource", "uri": "a:{version}/{section}"}
    assert asked.complete(ref, "version", "V") == found(["v1", "v2"])
    assert asked.complete(ref, "section", "") == found(["errors", "limits", "权限"])
    assert asked.complete(ref, "section", "", {"version": "v2"}) == found(["errors", "权限"])


def test_variables_are_completed_from_the_rows_of_a_table() -> None:
    asked = Asked(
        {
            "templates/it.md": "---\nuriTemplate: a:{name}{?lang}\ntable: t.csv\n---\n",
            "templates/t.csv": "name,lang,text\nParis,fr,1\nParis,,2\n北京,zh,3\n",
        }
    )
    ref = {"type": "ref/resource", "uri": "a:{name}{?lang}"}
    assert asked.complete(ref, "name", "") == found(["Paris", "北京"])
    assert asked.complete(ref, "lang", "", {"name": "北京"}) == found(["zh"])
    assert asked.complete({"type": "ref/resource", "uri": "a:Paris"}, "lang", "") == found(["fr"])


def test_a_template_may_say_its_values_itself() -> None:
    asked = Asked(
        {"templates/it.md": "---\nuriTemplate: a:{x}\ncomplete: {x: [one, two]}\n---\nText of {x}."}
    )
    assert asked.complete({"type": "ref/resource", "uri": "a:{x}"}, "x", "t") == found(["two"])


@pytest.mark.parametrize(
    ("ref", "name"),
    [
        ({"type": "ref/prompt", "name": "none"}, "x"),
        (PROMPT, "none"),
        ({"type": "ref/resource", "uri": "a:{none}"}, "x"),
        ({"type": "ref/resource", "uri": "a:{x}"}, "none"),
        ("nonsense", "x"),
    ],
)
def test_what_there_is_not_is_refused(ref: Any, name: str) -> None:
    asked = Asked({"prompts/a.md": ANALYZE, "templates/t.md": "---\nuriTemplate: a:{x}\n---\nText of {x}."})
    refused = asked.refused("completion/complete", ref=ref, argument={"name": name, "value": ""})
    assert refused.number == -32602
