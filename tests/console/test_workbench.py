"""The workbench's pages without a script: format, validate, compare."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.console.visiting import Page, Visitor, visiting
from tests.console.workbench_documents import BAD, MCP, PLUGIN

from prowess.capability.snapshot import SCHEMA_ID
from prowess.console.workbench_json import format_json
from prowess.spec.rules import RULES

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "invoice-ops"
BOUND = 300_000
SENT = [each for each in BAD if "\ud800" not in each]  # half a pair does not get through a form


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    with pytest.MonkeyPatch.context() as patch:
        for each in ("STATE", "DATA", "CACHE", "CONFIG"):
            patch.setenv(f"XDG_{each}_HOME", str(tmp_path_factory.mktemp(each.lower())))
        with visiting(EXAMPLE) as found:
            yield found


def multipart(visitor: Visitor, path: str, **fields: str) -> Any:
    """A form as a browser sends it with `enctype="multipart/form-data"`."""
    token = visitor.get("/workbench").form("/display")["csrf"]
    line = "a-line-between-parts"
    parts = [
        f'--{line}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in {"csrf": token, **fields}.items()
    ]
    headers = {
        "Origin": visitor.place,
        "Sec-Fetch-Site": "same-origin",
        "Content-Type": f"multipart/form-data; boundary={line}",
    }
    content = "".join([*parts, f"--{line}--\r\n"]).encode()
    return visitor.client.post(visitor.place + path, content=content, headers=headers)


# -- format


def test_a_document_is_formatted_as_it_is_written(visitor: Visitor) -> None:
    page = visitor.send("/workbench", text='{"b":1.0,"a":1e400,"a":"\\u0041"}', indent="2")
    (result,) = [each for each in page.find("pre") if "place" not in each.attributes.get("class", "")]
    assert "".join(result.find("bdi")[0]._texts()) == '{\n  "b": 1.0,\n  "a": 1e400,\n  "a": "\\u0041"\n}\n'
    assert "stands more than once" in page.text


def test_names_can_be_sorted_and_blanks_left_out(visitor: Visitor) -> None:
    page = visitor.send("/workbench", text='{"b": 1.0, "a": [1, {}]}', indent="0", sort="yes")
    assert page.texts("bdi")[0] == '{"a":[1,{}],"b":1.0}'
    assert page.form("/workbench")["sort"] == "yes"


def test_a_fault_is_told_with_line_column_and_the_line_itself(visitor: Visitor) -> None:
    page = visitor.send("/workbench", text='{\r\n  "a": 1,\r\n  "b": tru\r\n}')
    (notice,) = page.find("div", class_="notice")
    assert "Line 3, column 8" in notice.text
    assert notice.find("pre")[0].text == '"b": tru'
    assert notice.find("mark")[0].text == "t"


def test_a_result_is_a_file_when_that_is_asked_for(visitor: Visitor) -> None:
    answer = visitor.send("/workbench", **{"text": '["\u202e"]', "as": "file"})
    assert answer.headers["content-disposition"] == 'attachment; filename="formatted.json"'
    assert answer.html == '[\n  "\u202e"\n]\n'
    assert visitor.send("/workbench", **{"text": "[", "as": "file"}).find("h1")


def test_characters_that_turn_or_hide_text_are_made_visible(visitor: Visitor) -> None:
    page = visitor.send("/workbench", text='["\u202e<script>\u200b"]')
    boxes = {each.text for each in page.find("span", class_="unseen")}
    assert boxes == {"U+202E", "U+200B"}
    assert not [each for each in page.find("script") if not each.attributes.get("src")]
    assert "line 1, column 3" in page.text.lower()


@pytest.mark.parametrize("text", SENT, ids=range(len(SENT)))
def test_every_text_that_is_not_json_is_answered_with_a_place(visitor: Visitor, text: str) -> None:
    page = visitor.send("/workbench", text=text)
    assert page.status == 200
    assert page.find("div", class_="notice")
    assert len(page.html) < BOUND


def test_language_can_be_changed_after_a_result(visitor: Visitor) -> None:
    page = visitor.send("/workbench", text="[1,]")
    again = visitor.send("/display", language="zh", back=page.form("/display")["back"])
    assert again.texts("h1") == ["工作台"]
    assert "多余的逗号" in visitor.send("/workbench", text="[1,]").text
    visitor.send("/display", language="en", back="/workbench")


def test_a_text_that_is_too_long_for_its_field_is_answered_all_the_same(visitor: Visitor) -> None:
    text = json.dumps(['"<&' * 50] * 500)
    for path, fields in (
        ("/workbench", {"text": text}),
        ("/workbench/compare", {"old": text, "new": "[]"}),
        ("/workbench/validate", {"text": text, "kind": "plugin"}),
    ):
        page = visitor.send(path, **fields)
        assert "too long to be sent back" in page.text
        assert len(page.html) < BOUND
        assert page.find("pre") or page.find("table")


# -- validate


def judged(visitor: Visitor, kind: str, text: str, **more: str) -> Page:
    return visitor.send("/workbench/validate", kind=kind, text=text, **more)


def findings(page: Page) -> list[tuple[str, str]]:
    """The places and the rules that are listed."""
    (listed,) = page.find("ol", class_="findings") or [None]  # type: ignore[list-item]
    if listed is None:
        return []
    found = []
    for each in listed.find("li"):
        links = [link.attributes["href"] for link in each.find("a")]
        place = next((link for link in links if link.startswith("#")), "")
        codes = each.find("code")
        rule = next((link for link in links if link.startswith("/")), codes[0].text if codes else "")
        found.append((place, rule))
    return found


def test_a_manifest_is_judged_by_the_rules_of_check_at_its_lines(visitor: Visitor) -> None:
    text = f'{{\n  "$schema": "{PLUGIN}",\n  "name": "Bad Name",\n  "author": {{\n    "nme": "x"\n  }}\n}}'
    page = judged(visitor, "plugin", text)
    assert findings(page) == [
        ("#line-3", "/packages/rules/manifest-name-invalid"),
        ("#line-5", "/packages/rules/manifest-author-field"),
    ]
    marked = [each.attributes["id"] for each in page.find("tr", class_="marked")]
    assert marked == ["line-3", "line-5"]
    assert "It does not fit" in page.text


def test_what_check_only_notes_does_not_make_a_manifest_unfit(visitor: Visitor) -> None:
    page = judged(visitor, "plugin", json.dumps({"$schema": PLUGIN, "name": "a", "more": 1}))
    assert findings(page) == [("#line-1", "/packages/rules/manifest-unknown-field")]
    assert "It fits" in page.text


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("plugin", '{\n"name": ', ("#line-2", "/packages/rules/manifest-malformed")),
        ("plugin", "[]", ("", "/packages/rules/manifest-not-object")),
        (
            "mcp",
            f'{{"$schema": "{MCP}",\n"mcpServers": {{\n"a": {{"type": "stdio",\n"command": 1}}}}}}',
            ("#line-4", "/packages/rules/server-field-type"),
        ),
        ("mcp", "{", ("#line-1", "/packages/rules/mcp-malformed")),
        ("mcp", '{"$schema": 1}', ("", "/packages/rules/mcp-required-field")),
        ("unit", '{"name": "a"}', ("", "/packages/rules/unit-required-field")),
        ("unit", '{"name": "a",\n"name": "b"}', ("#line-2", "/packages/rules/unit-malformed")),
        (
            "unit",
            '{"name": "a", "description": "b",\n"timeout": "x"}',
            ("#line-2", "/packages/rules/unit-field-type"),
        ),
        ("workflow", "name: a\nsteps:\n  - id: x\n", ("#line-3", "/packages/rules/workflow-step-kind")),
        ("workflow", "name: [\n", ("#line-2", "/packages/rules/workflow-yaml")),
        ("snapshot", '{"$schema":\n"other"}', ("#line-1", "snapshot")),
        ("snapshot", '{"a": 1,\n "a": }', ("#line-2", "not-json")),
        ("snapshot", '{"a": "\\ud800"}', ("#line-1", "not-json")),
    ],
)
def test_each_kind_is_judged_at_the_line_that_is_meant(
    visitor: Visitor, kind: str, text: str, expected: tuple[str, str]
) -> None:
    found = findings(judged(visitor, kind, text))
    assert expected in found, found


def test_a_rule_that_is_named_has_its_page(visitor: Visitor) -> None:
    page = judged(visitor, "plugin", '{"name": ""}')
    rules = [rule.removeprefix("/packages/rules/") for _, rule in findings(page)]
    assert rules
    assert set(rules) <= set(RULES)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("plugin", json.dumps({"$schema": PLUGIN, "name": "a"})),
        ("mcp", json.dumps({"$schema": MCP, "mcpServers": {}})),
        ("unit", json.dumps({"name": "a", "description": "Does a thing."})),
        ("workflow", "name: a\nsteps:\n  - id: x\n    skill: y\n"),
        ("workflow", json.dumps({"name": "a", "steps": [{"id": "x", "skill": "y"}]})),
        ("tool", '{"week": "2026-W31"}'),
        ("schema", '{"a": 1}'),
    ],
)
def test_what_is_right_fits(visitor: Visitor, kind: str, text: str) -> None:
    page = judged(visitor, kind, text, tool="query_invoices", schema='{"type": "object"}')
    assert "It fits" in page.text, page.text


def test_a_snapshot_of_this_host_fits(visitor: Visitor) -> None:
    assert "It fits" in judged(visitor, "snapshot", visitor.host.snapshot().to_json()).text


def test_arguments_are_held_against_a_tool_that_is_offered(visitor: Visitor) -> None:
    offered = [each.attributes["value"] for each in visitor.get("/workbench/validate").find("option")]
    (tool,) = [each for each in offered if each.endswith("/query_invoices")]
    for name in ("query_invoices", tool):
        page = judged(visitor, "tool", '{\n"week": 1e999}', tool=name)
        assert ("#line-2", "type") in findings(page)


def test_a_tool_that_is_not_offered_is_told(visitor: Visitor) -> None:
    page = judged(visitor, "tool", "{}", tool="<script>\u202e")
    assert page.status == 200
    assert "Not judged" in page.text
    assert not [each for each in page.find("script") if not each.attributes.get("src")]


def test_the_tools_that_are_offered_are_narrowed(visitor: Visitor) -> None:
    page = visitor.get("/workbench/validate?tool=no-such-tool&kind=%E2%80%AE")
    assert page.find("datalist")[0].find("option") == []


def test_a_pasted_schema_judges_too(visitor: Visitor) -> None:
    schema = json.dumps({"properties": {"a": {"items": {"type": "string"}}}, "required": ["b"]})
    found = findings(judged(visitor, "schema", '{\n"a": ["x",\n2]}', schema=schema))
    assert ("#line-3", "type") in found
    assert ("#line-1", "required") in found


@pytest.mark.parametrize("schema", ["", "[", '{"$ref": "https://example.com/x"}', '{"type": 1}', "7"])
def test_a_schema_that_judges_nothing_is_told(visitor: Visitor, schema: str) -> None:
    page = judged(visitor, "schema", "{}", schema=schema)
    assert page.status == 200
    assert "Not judged" in page.text or "It does not fit" in page.text


def test_an_unknown_kind_is_told(visitor: Visitor) -> None:
    assert "Not judged" in judged(visitor, "what", "{}").text


def test_of_a_long_text_only_the_lines_around_findings_are_shown(visitor: Visitor) -> None:
    members = "".join(f'"x{n}": 1,\n' for n in range(2_000))
    text = f'{{{members}"name": "A B",\n"$schema": "{PLUGIN}"}}'
    page = judged(visitor, "plugin", text)
    assert len(page.find("tr", class_="marked")) > 10
    assert len(page.find("tr")) <= 200
    assert len(page.html) < BOUND


def test_a_finding_in_a_very_long_line_shows_the_part_around_it(visitor: Visitor) -> None:
    text = json.dumps({"$schema": PLUGIN, "description": "x" * 100_000, "keywords": "here"})
    page = judged(visitor, "plugin", text)
    assert '"keywords": "here"' in page.find("tr", class_="marked")[0].text
    assert len(page.html) < BOUND


# -- compare


def snapshot(**changed: Any) -> str:
    whole = {
        "$schema": SCHEMA_ID,
        "plugin": {"name": "a", "version": None, "spec": "1.0.0"},
        "skills": [],
        "mcpServers": [{"id": "s", "type": "stdio", "status": "connected", "reason": ""}],
        "tools": [{"name": "t", "server": "s", "inputSchema": {"type": "object", "required": []}}],
    }
    return json.dumps({**whole, **changed})


def compared(visitor: Visitor, old: str, new: str) -> Page:
    return visitor.send("/workbench/compare", old=old, new=new)


def rows(page: Page) -> list[list[str]]:
    (table,) = page.find("table", class_="differences")
    return [[cell.text for cell in each.find("td")] for each in table.find("tbody")[0].find("tr")]


def test_differences_are_told_by_path(visitor: Visitor) -> None:
    page = compared(
        visitor, '{"a": {"b/c": 1}, "d": [1, 2], "n": 1.0}', '{"n": 1, "a": {"b/c": "x"}, "d": [1, 3, 2]}'
    )
    assert rows(page) == [["changed", "/a/b~1c", "1", '"x"'], ["added", "/d/1", "", "3"]]
    assert "1 added, 0 removed, 1 changed" in page.text


def test_documents_that_mean_the_same_do_not_differ(visitor: Visitor) -> None:
    page = compared(visitor, '{"a": 1e1, "b": "\\u0041"}', '{"b": "A", "a": 10.0}')
    assert "No difference" in page.text
    assert page.find("table") == []


def test_two_snapshots_are_compared_in_the_words_of_diff(visitor: Visitor) -> None:
    new = snapshot(tools=[{"name": "t", "server": "s", "inputSchema": {"type": "object", "required": ["x"]}}])
    page = compared(visitor, snapshot(), new)
    from prowess.capability.drift import compare
    from prowess.capability.snapshot import Snapshot

    said = compare(Snapshot.from_json(snapshot(), source=""), Snapshot.from_json(new, source="")).to_text()
    assert page.texts("pre", class_="drift") == [" ".join(said.split())]
    assert rows(page) == [["added", "/tools[server=s,name=t]/inputSchema/required/0", "", '"x"']]


def test_a_manifest_is_held_against_a_snapshot_in_what_it_declares(visitor: Visitor) -> None:
    manifest = json.dumps({"$schema": PLUGIN, "name": "b"})
    for pair in ((manifest, snapshot()), (snapshot(), manifest)):
        (drift,) = compared(visitor, *pair).texts("pre", class_="drift")
        assert "plugin a name" in drift or "plugin b name" in drift
    servers = json.dumps({"$schema": MCP, "mcpServers": {"new": {"type": "stdio", "command": "x"}}})
    (drift,) = compared(visitor, snapshot(), servers).texts("pre", class_="drift")
    assert "+ server new" in drift
    assert "- server s" in drift


def test_a_snapshot_or_a_manifest_that_cannot_be_read_says_why_and_is_compared_all_the_same(
    visitor: Visitor,
) -> None:
    for old in (snapshot(tools=1), json.dumps({"$schema": PLUGIN, "name": "A B"})):
        page = compared(visitor, old, snapshot())
        assert page.find("p", class_="bad")
        assert rows(page)


@pytest.mark.parametrize(
    ("document", "place"),
    [
        ({"$schema": PLUGIN, "name": "a", "tools": []}, "plugin.json#/tools"),
        ({"mcpServers": {"s": {"type": "stdio", "status": "connected"}}}, "mcp.json#/mcpServers/s/status"),
        ({"$schema": MCP, "mcpServers": {}, "loaded": "body"}, "mcp.json#/loaded"),
    ],
)
def test_runtime_state_in_a_package_is_told(visitor: Visitor, document: Any, place: str) -> None:
    page = compared(visitor, json.dumps(document), "{}")
    (notice,) = page.find("div", class_="notice")
    assert "Runtime state was written back into the package" in notice.text
    assert place in notice.text


def test_a_name_that_is_a_server_s_or_another_client_s_is_no_runtime_state(visitor: Visitor) -> None:
    document = {"mcpServers": {"status": {"type": "stdio", "env": {"tools": "x"}}}}
    assert compared(visitor, json.dumps(document), snapshot()).find("div", class_="notice") == []


def test_both_faults_are_told_where_neither_is_json(visitor: Visitor) -> None:
    page = compared(visitor, "[", "{'a'}")
    assert len(page.find("div", class_="notice")) == 2


def test_of_very_many_differences_the_first_are_shown_and_all_counted(visitor: Visitor) -> None:
    hostile = "\u202e<script>alert(1)</script>" * 20
    new = json.dumps({f"{n}{hostile}": hostile for n in range(1_000)}, ensure_ascii=False)
    page = compared(visitor, "{}", new)
    assert "1000 added" in page.text
    assert 50 <= len(rows(page)) <= 200
    assert len(page.html) < BOUND


# -- much


@pytest.mark.slow
def test_ten_megabytes_are_formatted_and_the_page_stays_small(visitor: Visitor) -> None:
    item = {"name": "a tool", "text": "some text " * 40, "n": [1.5, True, None]}
    text = json.dumps([{**item, "id": n} for n in range(22_000)])
    assert len(text) > 10_000_000
    answer = multipart(visitor, "/workbench", text=text)
    assert answer.status_code == 200
    assert len(answer.content) < BOUND
    whole = multipart(visitor, "/workbench", **{"text": text, "as": "file"})
    assert json.loads(whole.content) == json.loads(text)


def test_a_form_in_parts_is_read_with_the_line_ends_of_a_browser(visitor: Visitor) -> None:
    answer = multipart(visitor, "/workbench", **{"text": '{\r\n"a": 1\r\n}', "as": "file"})
    assert answer.text == format_json('{"a": 1}')
