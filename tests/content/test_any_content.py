"""Whatever stands in the files: no fault but a diagnostic, and what is offered is the protocol's own."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_types import Prompt, Resource, ResourceTemplate
from tests.content.conftest import Asked

from prowess.content.files import MemoryFiles
from prowess.content.judging import judge
from prowess.source.memory import Content

PATHS = (
    "prompts/a.md",
    "prompts/b.md",
    "resources/a.md",
    "resources/a.json",
    "templates/a.md",
    "templates/t.csv",
)
LINES = st.sampled_from(
    [
        *(
            "---",
            "name: a",
            "name: 认证",
            "title: x",
            "title: [x]",
            "description: y",
            "uri: a:b",
            "uri: b",
            "uri: a:{x}",
        ),
        *(
            "arguments: [{name: x, required: true}]",
            "arguments:",
            "  - name: x",
            "    complete: [a, b]",
            "  - x",
        ),
        *(
            "uriTemplate: a:{x}",
            "uriTemplate: a:{+x}{?y*}",
            "uriTemplate: {x}",
            "table: t.csv",
            "table: a.json",
        ),
        *(
            "folder: ../resources",
            "folder: .",
            "function: a.py:f",
            "column: x",
            "complete: {x: [a]}",
            "mimeType: a/b",
        ),
        *(
            "annotations: {priority: 0.5}",
            "annotations: {audience: [user]}",
            "annotations: x",
            "&a *a",
            "x: !t y",
        ),
        *(
            "{x} {{x}} {y}",
            "<!-- assistant -->",
            "# Heading",
            "x,y,text",
            "1,2,3",
            '{"a": [1]}',
            '"',
            "",
            "\t",
            "\x00",
        ),
    ]
)
TEXTS = st.lists(LINES, max_size=10).map(lambda lines: "\n".join(lines).encode())
FRAMED = st.tuples(st.lists(LINES, max_size=6), st.lists(LINES, max_size=4)).map(
    lambda both: "\n".join(["---", *both[0], "---", *both[1]]).encode()
)
FOLDERS: st.SearchStrategy[dict[str, Content]] = st.dictionaries(
    st.sampled_from(PATHS), st.one_of(TEXTS, FRAMED, FRAMED, st.binary(max_size=40)), min_size=1
)


@settings(max_examples=max(100, settings().max_examples))
@given(FOLDERS)
def test_any_files_are_judged_and_what_is_left_is_offered(files: dict[str, Content]) -> None:
    found = judge(MemoryFiles(files))
    assert all(each.place.file in files or "/" not in each.place.file for each in found.diagnostics)
    asked = Asked(files)
    assert asked.offer == Asked(files).offer
    assert len(asked.offer.prompts) == found.counts["prompts"]
    for prompt in asked.offer.prompts:
        Prompt.model_validate_json(json.dumps(prompt.wire))
        names = [each["name"] for each in prompt.wire.get("arguments", ())]
        assert asked.get(prompt.name, **dict.fromkeys(names, "v"))
    for resource in asked.offer.resources:
        Resource.model_validate_json(json.dumps(resource.wire))
        assert asked.read(resource.uri)["uri"] == resource.uri
    for template in asked.offer.templates:
        ResourceTemplate.model_validate_json(json.dumps(template.wire))
