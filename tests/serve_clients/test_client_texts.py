"""An entry put into any text and taken out gives the text back, and says what it should in between."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from prowess.errors import UsageError
from prowess.serve.clients import CLIENTS
from prowess.serve.clients_editing import connected, disconnected, entries

ENTRY: dict[str, Any] = {"command": "prowess", "args": ["serve", 'a "quoted" \\ path', "--stdio"]}
CLAUDE, VSCODE, CODEX = CLIENTS["claude-code"], CLIENTS["vscode"], CLIENTS["codex"]

NAMES = st.text('ab-_é"\\\n', min_size=1, max_size=4).filter(lambda name: name != "ours")
SCALARS = st.none() | st.booleans() | st.integers(-9, 9) | st.text("a{}[],:\"/* \\\n#'é", max_size=6)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda below: st.lists(below, max_size=2) | st.dictionaries(NAMES, below, max_size=2),
    max_leaves=6,
)
SERVERS: st.SearchStrategy[dict[str, Any]] = st.dictionaries(
    NAMES, st.dictionaries(NAMES, VALUES, max_size=2), max_size=3
)
LAYOUT: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [{"indent": 2}, {"indent": 4}, {"indent": "\t"}, {}, {"separators": (",", ":")}]
)


@st.composite
def documents(draw: st.DrawFn, container: str) -> str:
    before = draw(st.dictionaries(NAMES, VALUES, max_size=2))
    held: dict[str, Any] = {container: draw(SERVERS)} if draw(st.booleans()) else {}
    after = draw(st.dictionaries(NAMES, VALUES, max_size=2))
    document = {**before, **held, **{key: each for key, each in after.items() if key != container}}
    layout = draw(LAYOUT)
    text = json.dumps(document, ensure_ascii=False, **layout)
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    return draw(st.sampled_from(["", "\ufeff", "\n"])) + text + draw(st.sampled_from(["", "\n", " \n\n"]))


@st.composite
def commented(draw: st.DrawFn) -> str:
    """JSON with comments and trailing commas between its tokens, now and then."""
    import re

    text = draw(documents("servers")).replace("\ufeff", "")
    tokens = re.findall(r'"(?:[^"\\]|\\.)*"|[\s]+|.', text, re.DOTALL)
    between = st.sampled_from(["", "", "", " ", "\n", "// c: , } ]\n", "/* { , */", "/* a\n b */"])
    parts: list[str] = []
    for number, token in enumerate(tokens):
        if token in "}]" and number and tokens[number - 1] not in "{[" and draw(st.integers(0, 3)) == 0:
            parts.append("," if parts[-1].strip() else "")
        parts.append(token + draw(between))
    return "".join(parts)


def both_ways(client: Any, text: str) -> None:
    try:
        before = entries(client, text)
    except UsageError:
        return  # not every text with commas put in is one that can be read
    with_ours = connected(client, text, "ours", ENTRY)
    assert entries(client, with_ours) == {**before, "ours": ENTRY}
    assert disconnected(client, with_ours, "ours", text) == text
    without = disconnected(client, with_ours, "ours", None)
    assert entries(client, without) == before
    assert connected(client, with_ours, "ours", ENTRY) == with_ours


@given(documents("mcpServers"))
@example('{"mcpServers":{}}')
@example("")
def test_json_comes_back_to_the_byte(text: str) -> None:
    both_ways(CLAUDE, text)


@given(documents("mcpServers"))
def test_json_comes_back_to_the_byte_without_a_memory_where_there_were_servers(text: str) -> None:
    if entries(CLAUDE, text):
        assert disconnected(CLAUDE, connected(CLAUDE, text, "ours", ENTRY), "ours", None) == text


@given(commented())
@example('{"servers": {"a": {} /* last */, // end\n}}')
@example('{"servers": { // none yet\n}}')
@example("// nothing but this")
@example("{ /* a */ } // b")
def test_json_with_comments_comes_back_to_the_byte(text: str) -> None:
    both_ways(VSCODE, text)


@given(commented())
def test_comments_stay_where_other_servers_are(text: str) -> None:
    try:
        held = entries(VSCODE, text)
    except UsageError:
        return
    if held:
        with_ours = connected(VSCODE, text, "ours", ENTRY)
        assert disconnected(VSCODE, with_ours, "ours", None) == text


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("{}", '{\n  "servers": {\n    "ours": {\n      "a": 1\n    }\n  }\n}'),
        (
            '{\n\t"servers": {\n\t\t"b": {}, // the one\n\t},\n}\n',
            '{\n\t"servers": {\n\t\t"b": {}, // the one\n\t\t"ours": {\n\t\t\t"a": 1\n\t\t},\n\t},\n}\n',
        ),
        ('{"servers": {"b": {}}}', '{"servers": {"b": {}, "ours": {"a": 1}}}'),
    ],
)
def test_an_entry_is_written_as_the_others_are(text: str, result: str) -> None:
    assert connected(VSCODE, text, "ours", {"a": 1}) == result


@st.composite
def tomls(draw: st.DrawFn) -> str:
    keys = st.sampled_from(["model", "a-b", "'quo ted'", '"x.y"'])
    values = st.sampled_from(
        ["1", '"[mcp_servers.ours]"', "'''\n[mcp_servers.ours]\n'''", "[1,\n 2]", "nan", "07:32:00"]
    )
    comments = st.sampled_from(["", "# a comment\n", "\n", "  # [mcp_servers.ours]\n"])
    parts = [draw(comments)]
    parts += [f"{key} = {draw(values)}\n" for key in draw(st.lists(keys, unique=True, max_size=3))]
    tables = [
        "[profiles.x]",
        "[mcp_servers.docs]",
        "[mcp_servers.docs.env]",
        "[[many]]",
        '[mcp_servers."y z"]',
        "[mcp_servers]",
    ]
    for table in draw(st.lists(st.sampled_from(tables), unique=True, max_size=4)):
        parts += [draw(comments), f"{table}\n", f"key = {draw(values)}\n", draw(comments)]
    text = "".join(parts)
    text = text.replace("\n", "\r\n") if draw(st.booleans()) else text
    return text.rstrip("\r\n") if draw(st.integers(0, 3)) == 0 else text


@given(tomls())
@example("")
@example("mcp_servers = {docs = {command = 'x'}}")
@example("mcp_servers.docs.command = 'x' # c\nb = 1\n")
@example("[mcp_servers]\n\n")
def test_toml_comes_back_to_the_byte(text: str) -> None:
    try:
        tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError:
        return
    both_ways_toml(text)


def both_ways_toml(text: str) -> None:
    before = entries(CODEX, text)
    with_ours = connected(CODEX, text, "ours", ENTRY)
    assert repr(entries(CODEX, with_ours)) == repr({**before, "ours": ENTRY})
    assert disconnected(CODEX, with_ours, "ours", text) == text
    without = disconnected(CODEX, with_ours, "ours", None)
    assert repr(entries(CODEX, without)) == repr(before)


@given(tomls())
def test_toml_comes_back_to_the_byte_without_a_memory_too(text: str) -> None:
    try:
        held = tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError:
        return
    if "mcp_servers" in held or text:
        with_ours = connected(CODEX, text, "ours", ENTRY)
        assert disconnected(CODEX, with_ours, "ours", None) == text


def test_tables_below_ours_go_with_it_and_comments_of_the_next_stay() -> None:
    ours = '[mcp_servers.ours] # mine\ncommand = "x"\n\n[mcp_servers.ours.env]\nA = "1"\n'
    text = f"a = 1\n\n{ours}\n# of b\n[b]\nc = 2\n"
    assert disconnected(CODEX, text, "ours", None) == "a = 1\n\n# of b\n[b]\nc = 2\n"
