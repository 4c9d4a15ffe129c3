"""Whatever a package holds, judging it answers: no exception, no question outside, no long wait."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.bounds import bound
from tests.spec.packages import MCP_SCHEMA, SCHEMA, Recording, manifest, mcp, skill, stdio

from prowess.source.judging import judge
from prowess.source.memory import Content, Link, MemorySource, Special
from prowess.spec import limits
from prowess.spec.diagnostics import Reach
from prowess.spec.model import Judgement
from prowess.spec.rules import RULES

CORPUS = Path(__file__).parent.parent / "corpus"


def stored(case: Path) -> dict[str, Content]:
    """A corpus package as a mapping, its links as links."""
    files: dict[str, Content] = {}
    for folder, directories, names in os.walk(case / "plugin"):
        for name in [*directories, *names]:
            path = Path(folder, name)
            relative = path.relative_to(case / "plugin").as_posix()
            if path.is_symlink():
                files[relative] = Link(os.readlink(path))
            elif path.is_file():
                files[relative] = path.read_bytes()
    return files


PACKAGES = [stored(path.parent) for path in sorted(CORPUS.glob("*/expected.json"))]
PATHS = [
    "plugin.json",
    "mcp.json",
    "skills",
    "skills/a",
    "skills/a/SKILL.md",
    "skills/\udcff/SKILL.md",
    "skills/\x1b[31m\n\u202e/SKILL.md",
    "skills/b/\x1b[31m\n\u202e/SKILL.md",
    "bin/x",
]
CONTENTS = (
    st.binary(max_size=200)
    | st.sampled_from(
        [
            manifest(),
            mcp({"it": stdio(command="./bin/x", cwd="./skills")}),
            skill("a"),
            "---\ndescription: x\n---\n",
        ]
    )
    | st.sampled_from([Special("fifo"), Special("locked")])
    | st.sampled_from(["..", "/", ".", "skills", "../skills/a", "a/../../x", "plugin.json", "\0", ""]).map(
        Link
    )
)
SNIPPETS = [
    b'"',
    b"{",
    b"}",
    b",",
    b"\\",
    b"\0",
    b"\xff",
    b"\n---\n",
    b"null",
    b"1e999",
    b"\xef\xbb\xbf",
    b":",
    b"&a *a",
]


def check(judgement: Judgement) -> None:
    assert (judgement.plugin is None) == (judgement.rejected is not None)
    for each in judgement.diagnostics:
        assert RULES[each.rule] == (each.reach, each.section)
        assert each.message.isprintable()
        assert each.hint.isprintable()
        assert bool(each.subject) or each.reach not in (Reach.ENTRY, Reach.COMPONENT)
    json.dumps([each.subject for each in judgement.diagnostics])


@given(st.dictionaries(st.sampled_from(PATHS), CONTENTS))
def test_no_package_makes_judging_raise(files: dict[str, Content]) -> None:
    try:
        source = MemorySource({"plugin.json": manifest(), **files})
    except ValueError:
        return  # one path runs through another that is a file: no such package can exist
    check(judge(source))


@pytest.mark.req("AP-4.1-2")
@given(
    st.sampled_from(PACKAGES),
    st.integers(0, 10_000),
    st.sampled_from(SNIPPETS),
    st.integers(0, 40),
    st.data(),
)
def test_a_mutated_corpus_package_is_still_judged(
    files: dict[str, Content], at: int, snippet: bytes, cut: int, data: st.DataObject
) -> None:
    path = data.draw(st.sampled_from(sorted(files)))
    content = files[path]
    if isinstance(content, bytes):
        where = at % (len(content) + 1)
        content = content[:where] + snippet + content[where + cut :]
    source = Recording(MemorySource({**files, path: content}))
    check(judge(source))
    refused = {path for path in source.asked if path[0] == "confined" and not source.source.confined(path[1])}
    assert not {("read", path) for _, path in refused} & set(source.asked)
    assert not {("list", path) for _, path in refused} & set(source.asked)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=4),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["type", "command", "url", "env", "$schema", "name", "mcpServers", "x"]),
                inner,
            )
        ),
    )
)
def test_no_json_makes_judging_raise(value: object) -> None:
    check(judge(MemorySource({"plugin.json": json.dumps(value)})))
    check(judge(MemorySource({"plugin.json": manifest(), "mcp.json": json.dumps(value)})))
    entries = {"$schema": MCP_SCHEMA, "mcpServers": {"it": value}}
    check(judge(MemorySource({"plugin.json": manifest(author=value), "mcp.json": json.dumps(entries)})))
    fields = {"$schema": SCHEMA, "name": "a", "extensions": value}
    check(judge(MemorySource({"plugin.json": json.dumps(fields)})))


def documents_of_nothing_but_faults() -> dict[str, dict[str, Content]]:
    """Documents near the size limit, each made so that careless bookkeeping takes quadratic time or room."""
    head = f'{{"$schema": "{MCP_SCHEMA}", "mcpServers": {{'
    long = "x" * 300_000
    twice = ",".join(f'"{number}":1,"{number}":1' for number in range(20_000))
    ones = ",".join("1" * 150_000)
    return {
        "many entries twice": {"mcp.json": f"{head}{twice}}}}}"},
        "a long id": {
            "mcp.json": f'{head}"{long}": {{"type": "stdio", "command": "x", "args": [{ones}]}}}}}}'
        },
        "a long id twice": {"mcp.json": f'{head}"{long}": {{"env": {{{twice}}}}}}}}}'},
        "a long field": {"plugin.json": f'{{"$schema": "{SCHEMA}", "name": "a", "{long}": {{{twice}}}}}'},
        "many keywords": {"plugin.json": f'{{"$schema": "{SCHEMA}", "name": "a", "keywords": [{ones}]}}'},
    }


FAULTY = documents_of_nothing_but_faults()


@pytest.mark.timeout(20)
@pytest.mark.parametrize("what", FAULTY)
def test_a_document_of_nothing_but_faults_is_judged_in_bounded_time(what: str) -> None:
    files = FAULTY[what]
    started = time.process_time()
    found = judge(MemorySource({"plugin.json": manifest(), **files}))
    assert time.process_time() - started < bound(5), what
    shown = sum(len(str(each.place)) + len(each.message) + len(each.hint) for each in found.diagnostics)
    assert shown < 20_000_000


def test_a_fault_behind_many_notes_still_skips_the_server() -> None:
    notes = {f"N{number}": "${PLACE}" for number in range(limits.ENTRY_PROBLEMS * 2)}
    entry = stdio(env={**notes, "PLUGIN_ROOT": "x"})
    found = judge(MemorySource({"plugin.json": manifest(), "mcp.json": mcp({"it": entry})}))
    assert [each.rule for each in found.skipped] == ["server-env-reserved"]
    assert len(found.diagnostics) == limits.ENTRY_PROBLEMS + 1
