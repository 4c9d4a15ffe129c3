"""Documents for the workbench, good and bad, and what its Python says of them as plain values.

`JAVASCRIPT` is a function that says the same of a list of them by `static/workbench.js`.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib.resources import files
from typing import Any

from hypothesis import strategies as st

from prowess.console.workbench_diff import differences, kind_of, number, written_back
from prowess.console.workbench_json import Fault, format_json, parse, remarks, spot
from prowess.console.workbench_words import facts
from prowess.spec.versions import SUPPORTED

SCRIPT = files("prowess.console").joinpath("static", "workbench.js").read_text("utf-8")
FACTS = dict(facts())
PLUGIN = SUPPORTED[-1].plugin_schema
MCP = SUPPORTED[-1].mcp_schema

GOOD = [
    *(
        "10",
        "1e1",
        "0.10",
        "100e-3",
        "-0.1E-0",
        "1e99999999999999999",
        "0e5",
        "0.0e-99999999999999999999",
        "12.50",
        "0.00120",
    ),
    *("null", " true ", "0", "-0.0", "1e400", "1E+2", "123456789012345678901234567890", '""', "[]", "{}"),
    '{"b": 1.0, "a": [1, 1.0, 1e0, -0], "a": "twice", "": {}}',
    '\ufeff{"mark": true}\r\n',
    '{"\\u0062": 1, "b": 2, "\\ud83d\\ude00": 3, "😀": 4}',
    '{"half": "\\ud800", "\\udc00": "\\ud83d\\ud83d\\ude00"}',
    '{"hidden": "a\u202eb\u200bc\U000e0041", "\u00ad": "\x7f\x85\u2028"}',
    '{"z": 1, "\ue000": 2, "😀": 3, "\uffff": 4, "a": {"d": 1, "c": [{"f": 1, "e": 2}]}}',
    "[" * 200 + "]" * 200,
    '[[1, {"a": [ ]}, "\\/\\b\\f\\n\\r\\t\\"\\\\"]]',
    json.dumps({"long": "x" * 300, "k" * 300: ["😀" * 200]}, ensure_ascii=False),
    json.dumps({"$schema": PLUGIN, "name": "a", "tools": [], "extensions": {"x": {"status": 1}}}),
    json.dumps({"mcpServers": {"tools": {"type": "stdio", "status": "up", "env": {"loaded": "1"}}}}),
    json.dumps({"$schema": MCP, "mcpServers": {"a": {"tools": [{"inputSchema": {"tools": 1}}]}}}),
    json.dumps({"plugin": {}, "mcpServers": [], "tools": [{"name": "t", "server": "s", "x": [1, 2, 3]}]}),
    json.dumps(
        {"plugin": {}, "mcpServers": [], "tools": [{"name": "t", "server": "s", "x": [1, 3]}, {"name": "u"}]}
    ),
    json.dumps([{"id": "b", "name": "x"}, {"id": "a", "name": "x"}]),
    json.dumps([{"id": "a", "name": "y"}, {"id": "c", "name": "x"}, {"id": "b", "name": "x"}]),
]
BAD = [
    *(
        "",
        " \n",
        "\ufeff",
        "[",
        "{",
        '{"a"',
        '{"a":',
        '{"a":1',
        "[1,",
        "[1,]",
        '{"a":1,}',
        "{,}",
        "[,]",
        "{1:2}",
    ),
    *(
        "[}",
        "{]",
        "[1}",
        '{"a":1]',
        "]",
        "01",
        "1.",
        ".5",
        "-",
        "+1",
        "1e",
        "0x1",
        "nul",
        "True",
        "NaN",
        "-Infinity",
    ),
    *("truefalse", "1 2", '"a" "b"', "[1 2]", '{"a" 1}', '{"a":1 "b":2}', "// no", "[1, # no\n2]", "/* */"),
    *(
        "'a'",
        "{'a': 1}",
        '"abc',
        '"a\nb"',
        '"\t"',
        '"\\x"',
        '"\\u12g4"',
        '"\\',
        '"\\u00',
        '"\ud800"',
        '"\udc00\ud800"',
    ),
    '{\r\n  "a": "😀\u202e", b\r\n}',
    "[" * 100_000,
    '{"a":' * 100_000,
]

_SIGNS = st.text(st.sampled_from('{}[]:,"\\ue0d183 +-.tfnrls\n\r\t/\ufeff\u202e😀\ud800\udc00a'), max_size=24)
_NUMBERS = st.from_regex(r"\A-?(?:0|[1-9][0-9]{0,3})(?:\.[0-9]{1,3})?(?:[eE][+-]?[0-9]{1,17})?\Z")
_TEXTS = st.one_of(
    st.text(max_size=6)
    .filter(lambda text: not any("\ud800" <= each <= "\udfff" for each in text))
    .map(json.dumps),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6).map(
        lambda text: json.dumps(text, ensure_ascii=False)
    ),
    st.sampled_from(
        ['"a"', '"\\u0061"', '"name"', '"id"', '"server"', '"tools"', '"status"', '"\\ud83d"', '"\\uDE00"']
    ),
)
_SPACE = st.sampled_from(["", "", " ", "\n", "\r\n", "\t "])


def _array(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(_SPACE, st.lists(inside, max_size=5)).map(
        lambda each: "[" + each[0] + ",".join(each[1]) + "]"
    )


def _object(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    member = st.tuples(_TEXTS, _SPACE, inside).map(lambda each: f"{each[0]}:{each[1]}{each[2]}")
    return st.tuples(_SPACE, st.lists(member, max_size=5)).map(
        lambda each: "{" + each[0] + ",".join(each[1]) + "}"
    )


_NAMED = st.tuples(st.sampled_from(["id", "name", "uri"]), st.sampled_from("abc"), _NUMBERS).map(
    lambda each: f'{{"{each[0]}":"{each[1]}","v":{each[2]}}}'
)
_SCALARS = st.one_of(st.sampled_from(["true", "false", "null"]), _NUMBERS, _TEXTS)
DOCUMENTS = st.recursive(
    st.one_of(_SCALARS, _array(_NAMED)),
    lambda inside: st.one_of(_array(inside), _object(inside)),
    max_leaves=12,
)


@st.composite
def broken(draw: st.DrawFn) -> str:
    """A document with something put into it or taken out of it."""
    text = draw(DOCUMENTS)
    at = draw(st.integers(0, len(text)))
    return text[:at] + draw(_SIGNS) + text[at + draw(st.integers(0, 3)) :]


def joined(text: str) -> str:
    """The text with two halves of a pair that stand together as one, as JavaScript has them."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


TEXTS = st.one_of(DOCUMENTS, broken(), _SIGNS).map(joined)


def of_text(text: str) -> dict[str, Any]:
    """What Python says of one text."""
    root = parse(text)
    if isinstance(root, Fault):
        assert format_json(text) == root
        return {"fault": root.code, "at": list(spot(text, root.at))}
    first, total = remarks(text, root)
    return {
        "formatted": [
            format_json(text, indent=indent, sort=sort) for indent in (2, 0) for sort in (False, True)
        ],
        "remarks": [[each.code, each.what, list(spot(text, each.at))] for each in first],
        "total": total,
        "number": number(root.text) if root.kind == "number" else None,
        "kind": kind_of(root),
        "back": [[each.place.pointer, each.key] for each in written_back(root)],
    }


def of_pair(old: str, new: str) -> dict[str, Any] | None:
    """What Python says of two texts, or None where one is not JSON."""
    before, after = parse(old), parse(new)
    if isinstance(before, Fault) or isinstance(after, Fault):
        return None
    found = differences(before, after)
    return {"told": [asdict(each) for each in found.told], "counts": found.counts}


JAVASCRIPT = """(given) => {
  const { texts, pairs, facts } = JSON.parse(given);
  const W = window.ProwessWorkbench;
  const place = (text, at) => {
    const found = W.spot(text, at);
    return [found.line, found.column, found.written];
  };
  const ofText = (text) => {
    const root = W.parse(text);
    if (root.code) return { fault: root.code, at: place(text, root.at) };
    const [first, total] = W.remarks(text, root);
    return {
      formatted: [2, 0].flatMap((indent) => [false, true].map((sort) => W.format(text, indent, sort))),
      remarks: first.map((each) => [each.code, each.what, place(text, each.at)]),
      total,
      number: root.kind === "number" ? W.number(root.text) : null,
      kind: W.kindOf(root, facts),
      back: W.writtenBack(root, facts).map((each) => [each.pointer, each.key]),
    };
  };
  const ofPair = ([old, fresh]) => {
    const [before, after] = [W.parse(old), W.parse(fresh)];
    return before.code || after.code ? null : W.differences(before, after);
  };
  return JSON.stringify({ texts: texts.map(ofText), pairs: pairs.map(ofPair) });
}"""
