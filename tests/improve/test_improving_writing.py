"""New wording goes into a file, and nothing else of it changes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from prowess.errors import UsageError
from prowess.evaluate.improving_writing import rewritten_skill, rewritten_unit
from prowess.spec.frontmatter import Frontmatter, Split, compose, split

WORDS = st.lists(
    st.text(st.characters(blacklist_categories=("C", "Z")), min_size=1, max_size=12), min_size=1, max_size=30
)
TEXTS = WORDS.map(" ".join).filter(lambda text: text.isprintable() and len(text) < 900)
PLAIN = st.lists(st.from_regex(r"[A-Za-z]{1,10}", fullmatch=True), min_size=1, max_size=12).map(" ".join)


def folded(text: str, header: str = ">-", indent: str = "  ") -> str:
    words = text.split(" ")
    lines = [" ".join(words[at : at + 4]) for at in range(0, len(words), 4)]
    return "\n".join([f"description: {header}", *(indent + each for each in lines)])


WRITTEN = st.one_of(
    PLAIN.map(lambda text: f"description: {text}"),
    PLAIN.map(lambda text: f"description:   {text}   # a note"),
    TEXTS.map(lambda text: f"description: {json.dumps(text, ensure_ascii=False)}"),
    TEXTS.map(lambda text: "description: '" + text.replace("'", "''") + "'"),
    PLAIN.map(folded),
    PLAIN.map(lambda text: folded(text, "|", "    ")),
    PLAIN.map(lambda text: folded(text, ">") + "\n"),
    PLAIN.map(lambda text: "description:\n  " + text),
    PLAIN.map(lambda text: "description: " + text.replace(" ", "\n    ", 1)),
)
OTHERS = st.sampled_from(
    [
        "",
        "license: MIT",
        'metadata:\n  description: "of something else"\n  version: "1.0"',
        "# description: a comment\ncompatibility: any",
        "allowed-tools: Read",
    ]
)
BODIES = st.sampled_from(
    ["", "Steps.\n", "\n\ndescription: not this one\n---\nmore\n", "No line end", "未付"]
)


def fields(data: bytes) -> tuple[dict[str, Any], str]:
    cut = split(data)
    assert isinstance(cut, Split)
    found = compose(cut.head)
    assert isinstance(found, Frontmatter)
    return dict(found.fields), cut.body


@given(
    WRITTEN,
    OTHERS,
    OTHERS.filter(bool),
    BODIES,
    TEXTS,
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([b"", b"\xef\xbb\xbf"]),
)
def test_a_description_is_replaced_and_every_byte_around_it_stays(
    written: str, above: str, below: str, body: str, text: str, end: str, bom: bytes
) -> None:
    assume(below != above)
    head = "\n".join(each for each in ("---", "name: x", above, written, below, "---") if each)
    data = bom + (head + "\n" + body).replace("\n", end).encode()
    changed = rewritten_skill(data, text, place="SKILL.md")
    before, after = fields(data), fields(changed.after)
    assert after[0].pop("description").rstrip("\n") == " ".join(text.split())
    before[0].pop("description")
    assert after == before
    around = head.index(written) + len("description:")
    start = len(bom) + len(head[:around].replace("\n", end).encode())
    rest = ("\n" + below + "\n---\n" + body).replace("\n", end).encode()
    assert changed.after[:start] == data[:start]
    assert changed.after.endswith(rest)


def test_the_style_of_a_description_is_kept_where_it_can_hold_the_new_one() -> None:
    plain = rewritten_skill(b"---\nname: x\ndescription: Old words. # why\n---\n", "New words.", place="x")
    assert plain.after == b"---\nname: x\ndescription: New words. # why\n---\n"
    block = rewritten_skill(
        b"---\nname: x\ndescription: >-\n  Old words that are long enough\n  for two lines.\n"
        b"license: MIT\n---\n",
        "New words that are long enough for two lines too.",
        place="x",
    )
    lines = block.after.decode().splitlines()
    assert lines[2] == "description: >-"
    assert lines[3:5] == ["  New words that are long enough", "  for two lines too."]
    assert lines[5] == "license: MIT"


def test_what_a_plain_value_cannot_hold_gets_quotation_marks() -> None:
    changed = rewritten_skill(b"---\nname: x\ndescription: Old.\n---\n", "Use when: it's # odd", place="x")
    assert fields(changed.after)[0]["description"] == "Use when: it's # odd"
    assert b"description: 'Use when: it''s # odd'" in changed.after


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"---\nname: x\n---\n", "New."),
        (b"no frontmatter", "New."),
        (b"---\nname: x\ndescription: Old: with a colon\n---\n", "New."),
        (b"---\nname: x\ndescription: &a Old.\nlicense: *a\n---\n", "New."),
        (b"---\nname: x\ndescription: Old.\n---\n", "  "),
        (b"---\nname: x\ndescription: Old.\n---\n", "x" * 1_025),
        (b"---\nname: x\ndescription: Old.\n---\n", "a\x1bb"),
    ],
)
def test_what_cannot_be_replaced_is_an_error_and_never_half_a_file(data: bytes, text: str) -> None:
    with pytest.raises(UsageError):
        rewritten_skill(data, text, place="SKILL.md")


# -- units


@given(
    st.dictionaries(st.sampled_from(["version", "core", "parameters"]), st.just({"a": [1, "]"]}), max_size=3),
    st.one_of(st.none(), st.lists(TEXTS, max_size=4, unique=True)),
    st.lists(TEXTS, min_size=1, max_size=3, unique=True),
    st.one_of(st.none(), TEXTS),
    st.sampled_from([None, 2, 4]),
    st.booleans(),
)
def test_a_units_metadata_gets_triggers_and_a_description_and_keeps_the_rest(
    others: dict[str, Any],
    held: list[str] | None,
    new: list[str],
    description: str | None,
    indent: int | None,
    ascii_only: bool,
) -> None:
    said: dict[str, Any] = {"name": "x", "description": "Old.", **others}
    if held is not None:
        said["triggers"] = held
    said["timeout"] = 1
    data = json.dumps(said, indent=indent, ensure_ascii=ascii_only).encode()
    changed = rewritten_unit(data, description=description, triggers=new, place="schema.json")
    wanted = {**said, "triggers": [*(held or []), *(each for each in new if each not in (held or []))]}
    if description is not None:
        wanted["description"] = description
    assert json.loads(changed.after) == wanted
    tail = json.dumps({"timeout": 1}, indent=indent)[1:].encode()
    assert changed.after.endswith(tail)
    assert changed.after.startswith(data[: data.index(b"Old.") - 1])


def test_triggers_are_written_the_way_the_others_are() -> None:
    data = b'{\n  "name": "x",\n  "description": "Old.",\n  "triggers": [\n    "one"\n  ]\n}\n'
    changed = rewritten_unit(data, triggers=["two"], place="schema.json")
    assert (
        changed.after
        == b'{\n  "name": "x",\n  "description": "Old.",\n  "triggers": [\n    "one",\n    "two"\n  ]\n}\n'
    )
    fresh = rewritten_unit(b'{\n  "name": "x",\n  "description": "Old."\n}', triggers=["two"], place="s")
    assert fresh.after == b'{\n  "name": "x",\n  "description": "Old.",\n  "triggers": ["two"]\n}'


@pytest.mark.parametrize("data", [b"[]", b"{", b'{"a": 1, "a": 2}', b"\xff"])
def test_metadata_that_cannot_be_read_is_not_changed(data: bytes) -> None:
    with pytest.raises(UsageError):
        rewritten_unit(data, triggers=["x"], place="schema.json")
