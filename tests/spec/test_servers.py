"""`mcp.json`: what disables MCP, what skips one server, what is only told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.spec.packages import (
    MCP_SCHEMA,
    SCHEMA,
    http,
    judged,
    judged_entry,
    loaded,
    mcp,
    only,
    rules,
    skill,
    stdio,
)

from prowess.source.memory import Link
from prowess.spec.diagnostics import Reach
from prowess.spec.model import HttpServer, Judgement, StdioServer

SKILL = {"skills/count-lines/SKILL.md": skill("count-lines")}


def document(text: str) -> Judgement:
    return judged({"mcp.json": text, **SKILL})


def server(entry: Any) -> StdioServer | HttpServer:
    found = judged_entry(entry)
    assert found.plugin is not None
    return next(each for each in found.plugin.servers if each.id == "it")


def assert_skipped(entry: Any, rule: str) -> None:
    found = judged_entry(entry)
    assert loaded(found)[1] == ["good"]
    assert [each.subject for each in found.skipped] == ["mcp.json#it"]
    assert rule in rules(found)


@pytest.mark.req("AP-7.2-2", "AP-11-2")
@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "mcp-malformed"),
        ("{,}", "mcp-malformed"),
        ("[]", "mcp-not-object"),
        ("null", "mcp-not-object"),
        ("{}", "mcp-required-field"),
        (json.dumps({"mcpServers": {}}), "mcp-required-field"),
        (json.dumps({"$schema": MCP_SCHEMA}), "mcp-required-field"),
        (json.dumps({"$schema": "", "mcpServers": {}}), "mcp-required-field"),
        (json.dumps({"$schema": 1, "mcpServers": {}}), "mcp-required-field"),
        (json.dumps({"$schema": MCP_SCHEMA, "mcpServers": []}), "mcp-required-field"),
        (json.dumps({"$schema": MCP_SCHEMA, "mcpServers": None}), "mcp-required-field"),
        (json.dumps({"$schema": MCP_SCHEMA, "mcpServers": {}, "inputs": []}), "mcp-unknown-field"),
        (f'{{"$schema": "{MCP_SCHEMA}", "mcpServers": {{}}, "mcpServers": {{}}}}', "mcp-duplicate-field"),
        (
            f'{{"$schema": "{MCP_SCHEMA}", "$schema": "{MCP_SCHEMA}", "mcpServers": {{}}}}',
            "mcp-duplicate-field",
        ),
    ],
)
def test_a_faulty_document_disables_mcp_and_nothing_else(text: str, rule: str) -> None:
    found = document(text)
    assert loaded(found) == (["count-lines"], [])
    assert [each.subject for each in found.skipped] == ["mcp.json"]
    assert rule in rules(found)


@pytest.mark.req("AP-7.2-2")
def test_no_servers_at_all_is_valid() -> None:
    found = document(mcp({}))
    assert loaded(found) == (["count-lines"], [])
    assert rules(found) == []


@pytest.mark.req("AP-7.2-3")
@pytest.mark.parametrize("identifier", [MCP_SCHEMA.replace("1.0.0", "9.0.0"), SCHEMA, MCP_SCHEMA + "\n", "x"])
def test_an_unsupported_schema_disables_mcp(identifier: str) -> None:
    found = document(json.dumps({"$schema": identifier, "mcpServers": {"good": stdio()}}))
    assert loaded(found) == (["count-lines"], [])
    assert rules(found) == ["mcp-unsupported-version"]


@pytest.mark.req("AP-7.2-14", "AP-7.2-12", "AP-7.2-4")
def test_each_transport_loads_as_the_type_it_declares() -> None:
    found = document(mcp({"a": stdio(), "b": http(), "c": {**http("https://x.example/sse"), "type": "sse"}}))
    assert found.plugin is not None
    assert [each.type for each in found.plugin.servers] == ["stdio", "streamable-http", "sse"]
    assert rules(found) == []


@pytest.mark.req("AP-7.2-4")
@pytest.mark.parametrize(
    ("entry", "rule"),
    [
        (None, "server-not-object"),
        ("npx thing", "server-not-object"),
        ([], "server-not-object"),
        ({"command": "x"}, "server-type-missing"),
        ({"url": "https://example.com/mcp"}, "server-type-missing"),
        ({}, "server-type-missing"),
        (stdio(type="http"), "server-type-unknown"),
        (stdio(type="Stdio"), "server-type-unknown"),
        (stdio(type="stdio "), "server-type-unknown"),
        (stdio(type=""), "server-type-unknown"),
        (stdio(type=None), "server-type-unknown"),
        (stdio(type=["stdio"]), "server-type-unknown"),
        (stdio(type={}), "server-type-unknown"),
        (stdio(url="https://example.com/"), "server-unknown-field"),
        (stdio(headers={}), "server-unknown-field"),
        (http(command="x"), "server-unknown-field"),
        (http(args=[]), "server-unknown-field"),
        (http(env={}), "server-unknown-field"),
        (http(cwd="./"), "server-unknown-field"),
        (stdio(disabled=True), "server-unknown-field"),
        (stdio(Args=[]), "server-unknown-field"),
        ({"type": "stdio"}, "server-required-field"),
        ({"type": "streamable-http"}, "server-required-field"),
        ({"type": "sse"}, "server-required-field"),
    ],
)
def test_an_entry_that_matches_no_variant_is_skipped(entry: Any, rule: str) -> None:
    assert_skipped(entry, rule)


@pytest.mark.req("AP-7.2-4", "AP-7.2-12")
def test_a_value_of_the_wrong_type_is_named_with_its_key_and_told_how_to_be_written() -> None:
    found = only(judged_entry(stdio(env={"PORT": 3000})), "server-field-type")
    assert "env.PORT" in found.message and "quotation marks" in found.hint
    assert "[" in only(judged_entry(stdio(args="x")), "server-field-type").hint
    assert "{" in only(judged_entry(stdio(env=[])), "server-field-type").hint


@pytest.mark.parametrize("field", ["env", "headers"])
def test_hints_on_secrets_say_where_prowess_is_given_them(field: str) -> None:
    entries = {
        "env": stdio(env={"A": "${A}", "TOKEN": "ghp_" + "a1B2" * 9}),
        "headers": http(headers={"A": "${A}", "Token": "ghp_" + "a1B2" * 9}),
    }
    found = judged_entry(entries[field])
    for rule in ("server-placeholder-literal", "server-secret"):
        hint = only(found, rule).hint
        assert "prowess.toml" in hint and f'[servers."PLUGIN/SERVER".{field}]' in hint


def test_what_was_meant_as_a_value_and_stands_in_a_name_is_told_nowhere() -> None:
    token = "ghp_" + "a1B2" * 9
    for entry in (
        stdio(env={f"TOKEN={token}": ""}),
        stdio(env={f"TOKEN={token}": 1}),
        http(headers={f"Authorization: {token}": ""}),
        http(headers={f"Authorization: {token}": "a\n"}),
    ):
        found = judged_entry(entry)
        assert [each.subject for each in found.skipped] == ["mcp.json#it"]
        assert token not in repr(found.diagnostics)


def test_a_placeholder_in_an_invalid_command_is_told_once() -> None:
    found = judged_entry(stdio(command="${PLUGIN_ROOT}/bin/run"))
    assert rules(found) == ["server-command-invalid"]
    assert "./" in found.diagnostics[0].hint
    assert rules(judged_entry(stdio(command="${NAME}"))) == ["server-placeholder-literal"]


def test_the_transport_is_never_guessed_but_the_hint_says_what_to_write() -> None:
    found = judged_entry({"command": "x"})
    assert "stdio" in only(found, "server-type-missing").hint
    found = judged_entry({"type": "http", "url": "https://example.com/mcp"})
    assert "streamable-http" in only(found, "server-type-unknown").hint


@pytest.mark.parametrize("field", ["tools", "status", "inputSchema", "loaded"])
def test_run_time_state_in_an_entry_is_found(field: str) -> None:
    found = judged_entry(stdio(**{field: []}))
    assert "prowess snapshot" in only(found, "server-unknown-field").hint
    assert "prowess snapshot" not in only(judged_entry(stdio(other=[])), "server-unknown-field").hint


@pytest.mark.req("AP-7.2-5")
@pytest.mark.parametrize(
    "command",
    [
        "npx",
        "python3.11",
        "./bin/run",
        "./bin/name with space",
        "./.hidden",
        "./${X}/run",
        "./a\\b",
        "-",
        "caf\u00e9",
    ],
)
def test_a_bare_name_or_a_package_path_is_a_command(command: str) -> None:
    found = server(stdio(command=command))
    assert isinstance(found, StdioServer)
    assert found.command == command


@pytest.mark.req("AP-7.2-5", "AP-4.1-3")
@pytest.mark.parametrize(
    "command",
    [
        "",
        ".",
        "..",
        "./",
        "./.",
        "./bin",
        "./bin/",
        "./bin/..",
        "./bin/.",
        "../run",
        "bin/run",
        "bin\\run",
        "/usr/bin/env",
        "C:\\run.exe",
        "~/run",
        "~root/run",
        "npx -y thing",
        "npx\t-y",
        "npx\n",
        " npx",
        "a\u00a0b",
        "a\0b",
        "./a\0b",
        "${PLUGIN_ROOT}/bin/run",
        "~a b",
    ],
)
def test_whatever_else_is_no_command(command: str) -> None:
    assert_skipped(stdio(command=command), "server-command-invalid")


@pytest.mark.req("AP-9.2-2", "AP-7.2-5")
def test_a_placeholder_in_a_command_path_is_literal_and_told() -> None:
    found = judged_entry(stdio(command="./${PLUGIN_ROOT}/run"))
    assert loaded(found)[1] == ["good", "it"]
    assert rules(found) == ["server-placeholder-literal", "server-command-missing"]
    invalid = only(judged_entry(stdio(command="${PLUGIN_ROOT}/bin/run")), "server-command-invalid")
    assert invalid.hint != only(judged_entry(stdio(command="bin/run")), "server-command-invalid").hint


def test_the_message_on_a_command_line_does_not_repeat_it() -> None:
    found = judged_entry(stdio(command="serve --token hunter2hunter2"))
    assert "hunter2" not in repr(found.diagnostics)


@pytest.mark.req("AP-7.2-5")
def test_args_and_env_are_kept_as_written() -> None:
    args = ["", "a b", "${PLUGIN_ROOT}/x", "$HOME", "../..", "/etc/passwd", "\u2028"]
    env = {"A": "", "b c": "${PLUGIN_DATA}", "\u00e9": "../.."}
    found = server(stdio(args=args, env=env))
    assert isinstance(found, StdioServer)
    assert list(found.args) == args
    assert found.env == env


@pytest.mark.req("AP-7.2-5")
@pytest.mark.parametrize(
    "fields",
    [
        {"command": None},
        {"command": ["npx"]},
        {"args": "x"},
        {"args": None},
        {"args": {}},
        {"args": [1]},
        {"args": [["x"]]},
        {"env": None},
        {"env": []},
        {"env": {"A": 1}},
        {"env": {"A": None}},
        {"cwd": None},
        {"cwd": 1},
    ],
)
def test_a_stdio_field_of_another_type_skips_the_server(fields: dict[str, Any]) -> None:
    assert_skipped(stdio(**fields), "server-field-type")


@pytest.mark.req("AP-7.2-5")
@pytest.mark.parametrize("fields", [{"args": ["\0"]}, {"env": {"A": "a\0"}}, {"cwd": "./\0"}])
def test_a_nul_skips_the_server(fields: dict[str, Any]) -> None:
    assert_skipped(stdio(**fields), "server-nul")


@pytest.mark.req("AP-7.2-5")
@pytest.mark.parametrize("name", ["", "=", "A=", "A=B", "\0", "A\0"])
def test_an_env_name_that_no_process_can_have_skips_the_server(name: str) -> None:
    assert_skipped(stdio(env={name: "x"}), "server-env-name")


@pytest.mark.req("AP-7.2-7")
@pytest.mark.parametrize("name", ["PLUGIN_ROOT", "PLUGIN_DATA"])
def test_a_reserved_env_name_skips_the_server(name: str) -> None:
    assert_skipped(stdio(env={name: "x"}), "server-env-reserved")


@pytest.mark.req("AP-7.2-7")
def test_names_like_the_reserved_ones_are_free() -> None:
    assert server(stdio(env={"PLUGIN_ROOTS": "x", "plugin_root": "y"})).type == "stdio"


@pytest.mark.req("AP-7.2-6", "AP-4.1-3")
@pytest.mark.parametrize(
    "cwd",
    [
        "./",
        "./data",
        "./data/",
        "./data/../data",
        "${PLUGIN_ROOT}",
        "${PLUGIN_ROOT}/",
        "${PLUGIN_ROOT}/data",
        "${PLUGIN_DATA}",
        "${PLUGIN_DATA}/",
        "${PLUGIN_DATA}/state/deep",
        "${PLUGIN_DATA}/a/..",
    ],
)
def test_each_form_of_cwd_loads(cwd: str) -> None:
    found = judged_entry(stdio(cwd=cwd))
    assert loaded(found)[1] == ["good", "it"]
    assert rules(found) == []


@pytest.mark.req("AP-7.2-6", "AP-4.1-3")
@pytest.mark.parametrize(
    "cwd",
    [
        "",
        ".",
        "..",
        "data",
        "/tmp",
        "../data",
        "~",
        "~/x",
        "${PLUGIN_ROOT}x",
        "${PLUGIN_DATA}x",
        "${HOME}",
        "$PLUGIN_ROOT",
        " ./",
    ],
)
def test_another_form_of_cwd_skips_the_server(cwd: str) -> None:
    assert_skipped(stdio(cwd=cwd), "server-cwd-form")


@pytest.mark.req("AP-7.2-6", "AP-4.1-8")
@pytest.mark.parametrize(
    "cwd",
    [
        "./..",
        "./data/../..",
        "${PLUGIN_ROOT}/..",
        "${PLUGIN_DATA}/..",
        "${PLUGIN_DATA}/a/../../b",
        "./../sample",
    ],
)
def test_a_cwd_that_leads_out_skips_the_server(cwd: str) -> None:
    assert_skipped(stdio(cwd=cwd), "server-outside")


@pytest.mark.req("AP-4.1-8", "AP-4.1-2")
def test_links_decide_whether_command_and_cwd_are_inside() -> None:
    entries = {
        "command-in": stdio(command="./in/run"),
        "command-out": stdio(command="./out/run"),
        "cwd-in": stdio(cwd="./in"),
        "cwd-out": stdio(cwd="${PLUGIN_ROOT}/out/x"),
        "cwd-round": stdio(cwd="./in/.."),
    }
    found = judged(
        {"mcp.json": mcp(entries), "in": Link("bin/deep"), "bin/deep/run": "x", "out": Link("../x")}
    )
    assert loaded(found)[1] == ["command-in", "cwd-in", "cwd-round"]
    assert {each.rule for each in found.skipped} == {"server-outside"}


def test_what_does_not_exist_yet_is_noted_and_loads() -> None:
    found = judged_entry(stdio(command="./build/server", cwd="./build"))
    assert loaded(found)[1] == ["good", "it"]
    assert rules(found) == ["server-command-missing", "server-cwd-missing"]
    assert all(each.reach is Reach.NOTE and not each.subject for each in found.diagnostics)


@pytest.mark.req("AP-4.1-4")
def test_args_and_env_values_are_never_checked_as_paths() -> None:
    found = judged_entry(stdio(args=["./..", "/etc", "../../x"], env={"A": "${PLUGIN_ROOT}/../.."}))
    assert loaded(found)[1] == ["good", "it"]
    assert rules(found) == []


@pytest.mark.req("AP-7.2-8")
@pytest.mark.parametrize("transport", ["streamable-http", "sse"])
def test_an_address_is_judged_the_same_for_both_http_variants(transport: str) -> None:
    def entry(url: Any) -> dict[str, Any]:
        return {"type": transport, "url": url}

    assert server(entry("https://example.com/mcp?value=$X")).type == transport
    assert_skipped(entry("http://example.com/mcp"), "server-url-insecure")
    assert_skipped(entry("https://example.com/mcp#"), "server-url-invalid")
    assert_skipped(entry(""), "server-url-invalid")
    assert_skipped(entry(1), "server-field-type")


def test_the_message_on_an_address_does_not_repeat_it() -> None:
    found = judged_entry(http("https://user:hunter2hunter2@example.com/"))
    assert "hunter2" not in repr(found.diagnostics)


@pytest.mark.req("AP-7.2-9", "AP-9.2-2")
def test_address_and_headers_are_kept_literally() -> None:
    headers = {"X-Where": "${PLUGIN_ROOT}|${PLUGIN_DATA}|fixture value with spaces", "AcCePt": "text/plain"}
    found = server(http("https://example.com/mcp?value=$APC", headers=headers))
    assert isinstance(found, HttpServer)
    assert found.url == "https://example.com/mcp?value=$APC"
    assert found.headers == headers


@pytest.mark.req("AP-7.2-9")
@pytest.mark.parametrize(
    ("headers", "rule"),
    [
        ({"Bad Name": "x"}, "server-header-invalid"),
        ({"": "x"}, "server-header-invalid"),
        ({"X": "a\r\nY: b"}, "server-header-invalid"),
        ({"X": " a"}, "server-header-invalid"),
        ({"X": "\u20ac"}, "server-header-invalid"),
        ({"X-One": "1", "x-one": "1"}, "server-header-duplicate"),
        ({"X": 1}, "server-field-type"),
        (None, "server-field-type"),
        ([], "server-field-type"),
    ],
)
def test_headers_that_http_does_not_allow_skip_the_server(headers: Any, rule: str) -> None:
    assert_skipped(http(headers=headers), rule)


def with_entries(text: str) -> Judgement:
    return document(f'{{"$schema": "{MCP_SCHEMA}", "mcpServers": {{{text}}}}}')


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ('"it": {"type": "stdio", "type": "stdio", "command": "x"}', "server-duplicate-field"),
        ('"it": {"type": "stdio", "command": "x", "env": {"A": "1", "A": "1"}}', "server-duplicate-field"),
        (
            '"it": {"type": "stdio", "command": "x"}, "it": {"type": "stdio", "command": "x"}',
            "server-duplicate",
        ),
    ],
)
def test_a_duplicate_skips_the_server_that_it_is_in(text: str, rule: str) -> None:
    found = with_entries(f'"good": {{"type": "stdio", "command": "x"}}, {text}')
    assert loaded(found) == (["count-lines"], ["good"])
    assert only(found, rule).subject == "mcp.json#it"


def test_all_problems_of_an_entry_are_reported() -> None:
    found = judged_entry(stdio(command="a b", cwd="x", args=[1], env={"PLUGIN_ROOT": 1, "": "\0"}, more=1))
    assert set(rules(found)) == {
        "server-command-invalid",
        "server-cwd-form",
        "server-field-type",
        "server-env-reserved",
        "server-env-name",
        "server-nul",
        "server-unknown-field",
    }


@pytest.mark.req("AP-9.2-2")
@pytest.mark.parametrize(
    "entry",
    [
        stdio(env={"PLACE": "${PLACE}"}),
        stdio(args=["${HOME}/x"]),
        stdio(env={"A": "${env:HOME}"}),
        http(headers={"X": "${PLUGIN_ROOT}"}),
    ],
)
def test_text_that_looks_like_an_expansion_is_noted(entry: Any) -> None:
    found = judged_entry(entry)
    assert loaded(found)[1] == ["good", "it"]
    assert only(found, "server-placeholder-literal").reach is Reach.NOTE


def test_the_two_placeholders_are_not_noted_where_they_expand() -> None:
    assert rules(judged_entry(stdio(args=["${PLUGIN_ROOT}"], env={"A": "${PLUGIN_DATA}/x"}))) == []


@pytest.mark.parametrize("secret", ["ghp_" + "a1B2" * 9, "sk-proj-4f9aQ2mZ8xLr7TvB1nWc6YdE"])
def test_a_secret_loads_and_is_reported_without_its_value(secret: str) -> None:
    for entry in (stdio(env={"SERVICE_TOKEN": secret}), http(headers={"Authorization": f"Bearer {secret}"})):
        found = judged_entry(entry)
        assert loaded(found)[1] == ["good", "it"]
        assert only(found, "server-secret").reach is Reach.NOTE
        assert secret not in repr(found.diagnostics)


def test_ids_of_any_text_are_kept_and_pointed_to() -> None:
    found = document(mcp({"": stdio(), "a/b~c": stdio(command=""), "\u202e": stdio()}))
    assert loaded(found)[1] == ["", "\u202e"]
    diagnostic = only(found, "server-command-invalid")
    assert diagnostic.place.pointer == "/mcpServers/a~1b~0c/command"
    assert diagnostic.subject == "mcp.json#a/b~c"
