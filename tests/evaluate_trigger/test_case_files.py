"""Reading trigger cases: our own format strictly, four of others, each fault with its place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.errors import UsageError
from prowess.evaluate.cases import KINDS, SPLITS, Case, completeness, id_of, insist_on_held_out, key, said_by
from prowess.evaluate.cases_reading import read_cases
from prowess.evaluate.cases_writing import FORMATS, write_cases

OURS = b"""\
# of one skill
format: 1
skill: brew-coffee
cases:
  - utterance: I would like an espresso
    lang: en
  - {utterance: make tea, kind: negative, note: another drink}
  - utterance: something warm
    kind: boundary
    expect: [brew-coffee, make-tea]
  - utterance: un caff\xc3\xa8, per favore
    split: example
"""


def test_our_own_format_says_whose_case_it_is_once() -> None:
    first, second, third, fourth = read_cases(OURS, "evals/triggers.yaml")
    assert (first.expect, first.kind, first.skill, first.split) == (("brew-coffee",), "positive", "", "test")
    assert (second.expect, second.kind, second.skill) == ((), "negative", "brew-coffee")
    assert (third.kind, third.skill, third.expect) == ("boundary", "brew-coffee", ("brew-coffee", "make-tea"))
    assert (fourth.split, fourth.place) == ("example", "evals/triggers.yaml:11")
    assert first.id == id_of("i would like an ESPRESSO.")


def faulty(text: str, file: str) -> UsageError:
    with pytest.raises(UsageError) as raised:
        read_cases(text.encode("utf-8", "surrogatepass"), file)
    return raised.value


@pytest.mark.parametrize(
    ("text", "file", "line"),
    [
        ("cases:\n  - utterance: a\n    expects: [b]\n", "c.yaml", 3),
        ("cases:\n  - utterance: a\n", "c.yaml", 2),
        ("cases:\n  - utterance: ' '\n    expect: [b]\n", "c.yaml", 2),
        ("- utterance: a\n  expect: b\n", "c.yaml", 2),
        ("- utterance: 12\n  expect: [b]\n", "c.yaml", 1),
        ("- utterance: true\n  expect: [b]\n", "c.yaml", 1),
        ("- utterance: null\n  expect: [b]\n", "c.yaml", 1),
        ("- utterance: a\n  expect: [b]\n  kind: maybe\n", "c.yaml", 3),
        ("- utterance: a\n  expect: []\n  kind: positive\n", "c.yaml", 2),
        ("- utterance: a\n  expect: [' ']\n", "c.yaml", 2),
        ("- utterance: a\n  expect: [b]\n  kind: negative\n", "c.yaml", 2),
        ("- utterance: a\n  expect: [b]\n  kind: negative\n  skill: b\n", "c.yaml", 2),
        ("- utterance: a\n  expect: []\n  split: example\n", "c.yaml", 3),
        ("- utterance: a\n  expect: [b]\n- utterance: A!\n  expect: [b]\n", "c.yaml", 3),
        ("- {id: x, utterance: a, expect: [b]}\n- {id: x, utterance: c, expect: [b]}\n", "c.yaml", 2),
        ("- utterance: &a a\n  expect: [b]\n", "c.yaml", 1),
        ("- utterance: !!str a\n  expect: [b]\n", "c.yaml", 1),
        ("- utterance: a\n  utterance: b\n", "c.yaml", 2),
        ("- {[a]: b}\n", "c.yaml", 1),
        ("a: [\n", "c.yaml", 2),
        ("- a\n---\n- b\n", "c.yaml", 2),
        ("[" * 40 + "]" * 40, "c.yaml", 1),
        ("", "c.yaml", 1),
        ("[]", "c.yaml", 1),
        ("just words", "c.yaml", 1),
        ("- just words", "c.yaml", 1),
        ("format: 2\ncases: []\n", "c.yaml", 1),
        ("cases: {}\n", "c.yaml", 1),
        ("other: 1\n", "c.yaml", 1),
        ("- text: a\n", "c.yaml", 1),
        ('[\n {"utterance": "a",\n  "expect": ["b"],\n  "expect": []}\n]', "c.json", 2),
        ('{"cases": [\n {"utterance": "a", "expect": [1]}]}', "c.json", 2),
        ('{"cases": [,]}', "c.json", 1),
        ('{"utterance": "a", "expect": ["b"]}\n\n{"utterance": "c"}\n', "c.jsonl", 3),
        ('{"utterance": "a", "expect": ["b"]}\n{"utterance"\n', "c.jsonl", 2),
        ('{"query": "a", "should_trigger": "yes"}\n', "c.jsonl", 1),
        ('[{"query": "a", "should_trigger": true}]', "c.json", 1),
        ('{"skill": "b", "should_trigger": [\n ""]}', "c.json", 2),
        ('{"skill": "b", "should_trigger": [3]}', "c.json", 1),
        ('[{"query": "a", "should_trigger": false, "split": "example", "skill": "b"}]', "c.json", 1),
        ('[{"query": "a", "should_trigger": false, "split": "later", "skill": "b"}]', "c.json", 1),
        ("\udc80", "c.yaml", 1),
    ],
)
def test_every_fault_is_told_with_its_line(text: str, file: str, line: int) -> None:
    fault = faulty(text, file)
    assert fault.message.startswith(f"{file}:{line}: ")


def test_a_member_written_wrongly_is_told_with_what_was_meant() -> None:
    assert "expect" in faulty("- utterance: a\n  expects: [b]\n", "c.yaml").hint


def test_sizes_are_bounded() -> None:
    with pytest.raises(UsageError):
        read_cases(b" " * ((16 << 20) + 1), "c.yaml")
    with pytest.raises(UsageError):
        read_cases(b"\n" * 100_001, "c.jsonl")
    with pytest.raises(UsageError):
        read_cases(b'["' + b"a" * (1 << 20) + b'"]', "c.json")
    assert faulty(f"- utterance: {'a' * 20_001}\n  expect: [b]\n", "c.yaml").code == "usage"


# -- the formats of others


def told(data: str, file: str, skill: str = "") -> list[tuple[str, tuple[str, ...], str, str]]:
    return [(e.utterance, e.expect, e.kind, e.skill) for e in read_cases(data.encode(), file, skill=skill)]


def test_a_list_of_queries_belongs_to_the_skill_whose_folder_it_lies_in() -> None:
    rows = [{"query": "a", "should_trigger": True}, {"query": "b", "should_trigger": False, "why": "no"}]
    found = [("a", ("x",), "positive", ""), ("b", (), "negative", "x")]
    assert told(json.dumps(rows), "trigger-eval.json", "x") == found
    assert told("\n".join(map(json.dumps, rows)), "rows.jsonl", "x") == found


@pytest.mark.parametrize(
    "names",
    [
        ("should_trigger_prompts", "should_not_trigger_prompts"),
        ("shouldTriggerPrompts", "shouldNotTriggerPrompts"),
    ],
)
def test_trigger_tests_name_their_skill(names: tuple[str, str]) -> None:
    text = f"skill: x\n{names[0]}:\n  - prompt: a\n    reason: r\n    confidence: high\n  - b\n"
    text += f"{names[1]}:\n  - c\n"
    assert told(text, "trigger_tests.yaml") == [
        ("a", ("x",), "positive", ""),
        ("b", ("x",), "positive", ""),
        ("c", (), "negative", "x"),
    ]


def test_two_lists_may_have_a_third_for_the_edge() -> None:
    said = {"skill_name": "x", "should_trigger": ["a"], "should_not_trigger": [{"request": "b"}]}
    said |= {"boundary": ["c"], "boundary_notes": "hm"}
    assert told(json.dumps(said), "triggers.json") == [
        ("a", ("x",), "positive", ""),
        ("b", (), "negative", "x"),
        ("c", ("x",), "boundary", ""),
    ]


def test_a_line_with_an_expected_skill_stands_for_itself() -> None:
    rows = [
        {"id": "1", "prompt": "a", "expected_skill": "y"},
        {"id": "2", "prompt": "b", "expected_skill": ""},
    ]
    rows += [{"id": "3", "prompt": "c", "expected_skill": None}]  # type: ignore[dict-item]
    text = "\n".join(map(json.dumps, rows))
    ours = [("a", ("y",), "positive", ""), ("b", (), "negative", ""), ("c", (), "negative", "")]
    assert told(text, "all.jsonl") == ours
    assert told(text, "all.jsonl", "x")[1] == ("b", (), "negative", "x")


def test_a_split_of_others_is_understood() -> None:
    rows = [
        {"query": str(at), "should_trigger": True, "split": each} for at, each in enumerate(("train", "val"))
    ]
    assert [each.split for each in read_cases(json.dumps(rows).encode(), "c.json", skill="x")] == [
        "train",
        "test",
    ]


# -- round trips

NAMES = st.sampled_from(["alpha", "beta-two", "gamma"])
TEXTS = st.text(
    st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40
).filter(lambda text: bool(key(text)))  # fmt: skip


@st.composite
def any_cases(draw: st.DrawFn) -> tuple[Case, ...]:
    found: dict[str, Case] = {}
    for at, utterance in enumerate(draw(st.lists(TEXTS, min_size=1, max_size=6, unique_by=key))):
        kind = draw(st.sampled_from(KINDS))
        skill = draw(NAMES) if kind != "positive" and draw(st.booleans()) else ""
        least = 1 if kind == "positive" else 0
        most = 3 if kind != "negative" else 2 if skill else 0
        expect = tuple(draw(st.lists(NAMES, min_size=least, max_size=most, unique=True)))
        if kind == "negative":
            expect = tuple(each for each in expect if each != skill)
        split = draw(st.sampled_from(SPLITS if kind == "positive" else SPLITS[1:]))
        if expect == (skill,):
            skill = ""
        note = draw(st.sampled_from(["", "a note"]))
        lang = draw(st.sampled_from(["", "en", "ja"]))
        case = Case(
            id=f"id-{at}", utterance=utterance, expect=expect, kind=kind, lang=lang, split=split,
            note=note, skill=skill,
        )  # fmt: skip
        found[case.id] = case
    return tuple(found.values())


@given(any_cases(), st.sampled_from([("prowess", "c.json"), ("prowess", "c.yaml"), ("jsonl", "c.jsonl")]))
def test_our_own_formats_hold_everything(cases: tuple[Case, ...], way: tuple[str, str]) -> None:
    format = next(each for each in FORMATS if each == way[0])
    written = write_cases(cases, format)
    assert not written.lost
    assert read_cases(written.text.encode(), way[1]) == cases


FILES = {
    "query-list": "c.json",
    "trigger-tests": "c.yaml",
    "two-lists": "c.json",
    "expected-skill": "c.jsonl",
}


@given(any_cases(), st.sampled_from(sorted(FILES)))
def test_what_a_format_of_others_holds_is_read_again_as_it_was(cases: tuple[Case, ...], name: str) -> None:
    format = next(each for each in FORMATS if each == name)
    written = write_cases(cases, format, skill="alpha")
    if not any(mark in written.text for mark in ("prompt:", '"query"', '"prompt"', ' [\n    "')):
        return  # nothing of it is alpha's
    read = read_cases(written.text.encode(), FILES[name], skill="" if name == "expected-skill" else "alpha")
    again = write_cases(read, format, skill="alpha")
    assert again.text == written.text or name == "two-lists"
    by_utterance = {each.utterance: each for each in cases}
    for each in read:
        was = by_utterance[each.utterance]
        assert each.kind == was.kind
        assert set(each.expect) <= set(was.expect)


def test_what_a_format_has_no_place_for_is_told() -> None:
    cases = read_cases(OURS, "c.yaml")
    lost = {format: write_cases(cases, format, skill="brew-coffee").lost for format in FORMATS}
    assert not lost["prowess"]
    assert not lost["jsonl"]
    assert all(lost[format] for format in FORMATS[2:])


def test_examples_do_not_become_tests_on_the_way() -> None:
    cases = read_cases(OURS, "c.yaml")
    for format in FORMATS:
        written = write_cases(cases, format, skill="brew-coffee")
        file = FILES.get(format, "c.json" if format == "prowess" else "c.jsonl")
        for each in read_cases(written.text.encode(), file, skill="brew-coffee"):
            assert each.split == "example" or not each.utterance.startswith("un caff")


def test_a_format_of_one_skill_asks_which() -> None:
    cases = (
        Case(id="1", utterance="a", expect=("x",)),
        Case(id="2", utterance="b", expect=("y",)),
    )
    with pytest.raises(UsageError):
        write_cases(cases, "query-list")
    assert json.loads(write_cases(cases[:1], "query-list").text)[0]["query"] == "a"


# -- what cases are to each other


def test_three_of_each_kind_are_complete() -> None:
    cases = [
        Case(id=f"{kind}{at}", utterance=f"{kind} {at}", kind=kind, skill="x" if kind == "negative" else "",
             expect=() if kind == "negative" else ("x",))
        for kind in KINDS for at in range(3)
    ]  # fmt: skip
    found = completeness(cases, ["x", "y"])
    assert found["x"].complete
    assert not found["x"].missing
    assert found["y"].missing == "0 of 3 positive, 0 of 3 boundary, 0 of 3 negative"
    spare = Case(id="e", utterance="e", expect=("y",), split="example")
    elsewhere = Case(id="n", utterance="n", expect=("y",), kind="negative", skill="x")
    assert completeness([spare, elsewhere], ["y"])["y"].positive == 0
    assert completeness([elsewhere], ["y"])["y"].negative == 0


def test_an_example_of_the_index_is_no_test() -> None:
    test = Case(id="t", utterance="An  espresso!", expect=("x",), place="c.yaml:3")
    with pytest.raises(UsageError, match=r"c\.yaml:3"):
        insist_on_held_out([test], {"x": ("an espresso",)})
    insist_on_held_out(
        [Case(id="t", utterance="an espresso", expect=("x",), split="train")], {"x": ("an espresso",)}
    )


def test_a_test_that_repeats_a_trigger_phrase_is_known() -> None:
    test = Case(id="t", utterance="An espresso.", expect=("x",))
    assert said_by([test], {"x": ("an espresso",)}) == (test,)
    assert said_by([test], {"y": ("an espresso",)}) == ()


@pytest.mark.parametrize(("one", "other"), [("Ｈｅｌｌｏ。", "hello"), ("...", "..."), ("a  b", "A B?")])
def test_utterances_are_compared_without_what_makes_no_difference(one: str, other: str) -> None:
    assert key(one) == key(other)
