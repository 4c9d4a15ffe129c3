"""Trigger cases from pytest, from Python and in readiness; corners of selectors and of what is written."""

from __future__ import annotations

import asyncio
import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.evaluate_trigger.test_scoring_trials import BM25, LOST, MODEL, TWO, came, case
from tests.evaluate_trigger.trigger_provider import Provider

from prowess.choose.documents import Document
from prowess.cli.trigger_text import lines
from prowess.errors import ConnectionFailed, UsageError
from prowess.evaluate.readiness import readiness
from prowess.evaluate.selectors import Candidates, Chosen, Failed, Identity, Meter, Selection
from prowess.evaluate.selectors_command import Command
from prowess.evaluate.selectors_embedding import Embedding
from prowess.evaluate.selectors_http import LARGEST, Endpoint, Key
from prowess.evaluate.selectors_model import selection, used
from prowess.evaluate.statistics import lower_bound, upper_bound
from prowess.evaluate.trials import Trial
from prowess.evaluate.trials_report import Gate, Report
from prowess.evaluate.trials_scoring import score
from prowess.evaluate.trigger_junit import junit
from prowess.evaluate.trigger_library import NoCases, cases_beside, library_of
from prowess.evaluate.trigger_markdown import markdown
from prowess.evaluate.trigger_matrix import matrix
from prowess.evaluate.trigger_offline import offline_report
from prowess.pytest_plugin import UnitClient

ROOT = Path(__file__).resolve().parents[2]
WEATHER = ROOT / "examples" / "units"


# -- other ways in


def test_a_fixture_gives_the_report(
    trigger_report: Callable[..., Report], skills: Path, tmp_path: Path
) -> None:
    file = tmp_path / "c.jsonl"
    file.write_text('{"utterance": "an espresso", "expect": ["brew-coffee"]}')
    assert trigger_report(skills, cases=file).recall[1] is not None
    assert trigger_report(WEATHER).verdict == "inconclusive"
    assert UnitClient.__doc__


def test_skills_of_a_plugin_are_measured_without_starting_its_servers(tmp_path: Path, skills: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    skills.rename(package / "skills")
    schema = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
    (package / "plugin.json").write_text(json.dumps({"$schema": schema, "name": "home"}))
    server = {"type": "stdio", "command": "no-such-command-anywhere"}
    (package / "mcp.json").write_text(json.dumps({"mcpServers": {"none": server}}))
    (package / "skills" / "brew-coffee" / "evals").mkdir()
    file = package / "skills" / "brew-coffee" / "evals" / "triggers.yaml"
    file.write_text("cases:\n  - utterance: an espresso\n")
    report = asyncio.run(offline_report(str(package)))
    assert report.capabilities == 3
    assert report.trials[0].case.place == "skills/brew-coffee/evals/triggers.yaml:2"
    file.write_text("cases:\n  - {utterance: an espresso, split: train}\n")
    with pytest.raises(NoCases):
        asyncio.run(offline_report(str(package)))


UNIT = {
    "name": "count_words",
    "description": "Counts the words of a text.",
    "triggers": ["count words"],
    "parameters": {"type": "object", "properties": {}},
}
CODE = "class Count:\n    async def execute(self, params):\n        return {}\n"


def unit(root: Path, **more: Any) -> Path:
    folder = root / str(more.get("name", UNIT["name"]))
    folder.mkdir(parents=True)
    (folder / "schema.json").write_text(json.dumps({**UNIT, **more}))
    (folder / "skill.py").write_text(CODE)
    return folder


def triggers_of(root: Path) -> tuple[str, str]:
    report = asyncio.run(asyncio.wait_for(readiness(str(root)), 40))
    found = {each.title.partition("@")[0]: each for each in report.units}
    point = next(each for each in found["count_words"].points if each.name == "triggers")
    return point.answer, point.detail


def test_readiness_measures_triggers_where_there_are_cases(tmp_path: Path) -> None:
    folder = unit(tmp_path / "units")
    unit(tmp_path / "units", name="send_mail", description="Sends mail.", triggers=["send mail"])
    assert triggers_of(tmp_path / "units")[0] == "not measured"
    (folder / "evals").mkdir()
    rows = [{"utterance": f"how many words {at}", "expect": ["count_words"]} for at in range(3)]
    (folder / "evals" / "triggers.jsonl").write_text("\n".join(map(json.dumps, rows)))
    answer, detail = triggers_of(tmp_path / "units")
    assert answer == "missing"
    assert "0 of 3 boundary" in detail
    for kind, skill in (("boundary", {}), ("negative", {"skill": "count_words"})):
        for at in range(3):
            expect = ["count_words"] if kind == "boundary" else []
            rows.append({"utterance": f"{kind} {at}", "expect": expect, "kind": kind, **skill})
    (folder / "evals" / "triggers.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert triggers_of(tmp_path / "units") == (
        "pass",
        "shortlist recall at 1: 3 of 3; near misses ranked first: 0 of 3",
    )
    for row in rows[:3]:
        row["utterance"] = f"mail, {row['utterance'][-1]}"
    (folder / "evals" / "triggers.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert triggers_of(tmp_path / "units")[0] == "missing"


def test_faulty_cases_keep_readiness_from_answering(tmp_path: Path) -> None:
    folder = unit(tmp_path)
    (folder / "evals").mkdir()
    (folder / "evals" / "triggers.yaml").write_text("- utterance: a\n  expct: []\n")
    with pytest.raises(UsageError, match=r"triggers\.yaml:2"):
        triggers_of(tmp_path)


# -- candidates and their cases


def test_a_name_that_two_have_is_asked_for_again() -> None:
    two = Candidates(
        documents=(
            Document(id="a__go", name="go"),
            Document(id="b__go", name="go"),
            Document(id="c", name="one"),
        ),
        entries=(),
        definitions={},
    )
    assert two.resolve("one") == "c"
    for name in ("go", "gone"):
        with pytest.raises(UsageError) as raised:
            two.resolve(name, "c.yaml:1")
        assert raised.value.message.startswith("c.yaml:1: ")


def test_there_has_to_be_somebody_to_choose(tmp_path: Path) -> None:
    with pytest.raises(NoCases):
        library_of((), ())
    assert cases_beside(str(tmp_path / "none"), ()) == ()


# -- what is written


def everything() -> Report:
    """A report with something of every sort."""
    trials = [
        came(case(1, "a", lang="en"), "a", "b"),
        came(case(2, "a"), LOST),
        came(case(3, skill="a"), "a"),
        came(case(4), None),
        Trial(case=case(5, "b"), runs=()),
        *(came(case(f"x{at}", "b"), "a") for at in range(30)),
        *(came(case(f"y{at}", "b"), LOST) for at in range(25)),
        came(case("edge", "b", kind="boundary"), None),
        came(case("else", skill="a"), "b"),
    ]
    made = score(trials, TWO, MODEL, notes=("a note | about @this",))
    gates = (*made.gates, Gate(name="old", verdict="fail", detail="told", counts=False))
    return replace(made, gates=gates, calls=9, spent=99)


def test_every_part_of_a_report_is_written_for_people() -> None:
    text = "\n".join(lines(everything()))
    for words in (
        "error: trigger recall by anthropic (m-1)",
        "(told only)",
        "recall, en",
        "9 calls",
        "note: a note",
    ):
        assert words in text
    for words in ("in 50 % of the runs", "and 12 more", "and 6 more", "server-error", "without an answer"):
        assert words in text


def test_every_part_of_a_report_is_written_for_a_pull_request() -> None:
    text = markdown(everything())
    assert text.startswith("### ⚠️ Triggering: error")
    for words in ("(told only)", "and 12 more", "26 questions without an answer", r"a note \| about \@this"):
        assert words in text


def test_every_part_of_a_report_is_written_for_a_build() -> None:
    root = ElementTree.fromstring(junit(everything()))
    cases = {each.get("name", "").partition(":")[0]: each for each in root.iter("testcase")}
    assert [child.tag for child in cases["old"]] == ["skipped"]
    assert [child.tag for child in cases["errors"]] == ["error"]
    assert cases["c5"][0].get("message") == "not asked"
    assert (cases["c2"][0].tag, cases["c3"][0].tag, len(cases["cedge"])) == ("error", "skipped", 0)


def test_a_picture_leaves_out_what_is_neither_right_nor_wrong() -> None:
    text = matrix(everything())
    assert "1.5 of 33 cases" in text
    assert "27 cases have no answer" in text


def test_a_report_with_nothing_wrong_says_nothing_of_it() -> None:
    made = score([came(case(1, "a"), "a")], TWO, BM25)
    assert "came out wrong" not in "\n".join(lines(made))
    assert "came out wrong" not in markdown(made)


# -- bounds at their ends


def test_bounds_of_shares_close_to_all_and_to_nothing() -> None:
    assert 0.99 < upper_bound(2.999, 3) <= 1
    assert 0 <= lower_bound(0.001, 3) < 0.01


# -- what a provider may send


NAMELESS = {"name": "choose_capability", "arguments": "{}"}


@pytest.mark.parametrize("protocol", ["openai-compatible", "anthropic"])
@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        {},
        {"choices": []},
        {"choices": [{"message": None}]},
        {"choices": [{"message": {"tool_calls": [{}]}}]},
        {"choices": [{"message": {"tool_calls": [{"function": {"name": 1, "arguments": "{}"}}]}}]},
        {"choices": [{"message": {"tool_calls": [{"function": {"name": "other", "arguments": "{}"}}]}}]},
        {
            "choices": [
                {"message": {"tool_calls": [{"function": {"name": "choose_capability", "arguments": "{}"}}]}}
            ]
        },
        {"content": [{}]},
        {"content": [{"type": "tool_use", "name": "other", "input": {}}]},
        {"content": [{"type": "tool_use", "name": "choose_capability", "input": {"name": ["a"]}}]},
    ],
)
def test_whatever_is_no_choice_is_a_failure(protocol: Any, answer: Any) -> None:
    found: Selection = selection(protocol, answer, TWO)
    assert isinstance(found, Failed)
    assert found.code == "malformed"
    assert used(protocol, answer) == 0


def test_tokens_that_are_no_numbers_are_not_counted() -> None:
    assert used("anthropic", {"usage": {"input_tokens": True, "output_tokens": 3}}) == 3
    assert used("openai-compatible", {"usage": {"total_tokens": -4}}) == 0


# -- embeddings that go wrong


class Told(Endpoint):
    """An endpoint that answers what it was told."""

    def __init__(self, *answers: Any) -> None:
        super().__init__("http://127.0.0.1:9", Key(), {}, Meter(most_calls=9, most_tokens=9_999))
        self.answers = list(answers)

    async def ask(self, path: str, body: Any, tokens: int) -> Any:
        return self.answers.pop(0)


def vectors(*rows: Any) -> dict[str, Any]:
    return {"data": [{"index": at, "embedding": each} for at, each in enumerate(rows)]}


@pytest.mark.parametrize(
    "answer",
    [
        LOST,
        {},
        vectors([1.0]),
        vectors([1.0], [1.0], [1.0, 2.0]),
        vectors([1.0], [1.0], []),
        vectors([1.0], [1.0], [float("nan")]),
        vectors([1.0], [1.0], ["many"]),
    ],
)
def test_vectors_that_do_not_fit_are_told(answer: Any) -> None:
    selector = Embedding("m", Told(answer))
    with pytest.raises(ConnectionFailed):
        asyncio.run(selector.begin(TWO, ["hello"]))


def test_what_was_not_embedded_cannot_be_chosen_by() -> None:
    selector = Embedding("m", Told(vectors([1.0], [1.0], [1.0])))

    async def asked() -> Selection:
        await selector.begin(TWO, ["hello"])
        assert isinstance(await selector.select("hello", 0), Chosen)
        return await selector.select("else", 0)

    assert isinstance(asyncio.run(asked()), Failed)


def test_sentences_have_vectors_of_their_own() -> None:
    long = replace(TWO, documents=(Document(id="a", name="a", description="One thing. Another thing."),))
    assert Embedding("m", Told()).estimate(long, ["hello", "hello"]).calls == 1


# -- over HTTP


def test_an_answer_is_bounded(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prowess.evaluate.selectors_http.LARGEST", 10)
    meter = Meter(most_calls=9, most_tokens=9_999)

    async def asked() -> Any:
        endpoint = Endpoint(provider.url, Key(), {}, meter)
        try:
            return await endpoint.ask("/embeddings", {"input": ["a"]}, 1)
        finally:
            await endpoint.close()
            await endpoint.close()

    found = asyncio.run(asked())
    assert isinstance(found, Failed)
    assert found.code == "malformed"
    assert LARGEST > 1_000_000


def test_a_wait_that_is_no_number_is_none(provider: Provider) -> None:
    provider.on("hello", "status 429 tomorrow", "none")
    meter = Meter(most_calls=9, most_tokens=9_999)

    class Hurried:
        slept: list[float] = []  # noqa: RUF012

        def random(self) -> float:
            return 0.0

        async def sleep(self, seconds: float) -> None:
            self.slept.append(seconds)

    async def asked() -> Any:
        endpoint = Endpoint(provider.url, Key(), {}, meter, clock=Hurried())  # type: ignore[arg-type]
        schema = {"properties": {"name": {"enum": ["none"]}}}
        body = {"messages": [{"content": "hello"}], "tools": [{"input_schema": schema}]}
        try:
            return await endpoint.ask("/v1/messages", body, 1)
        finally:
            await endpoint.close()

    assert not isinstance(asyncio.run(asked()), Failed)
    assert Hurried.slept == [0.5]


# -- commands


def test_a_command_has_to_be_one() -> None:
    with pytest.raises(UsageError):
        Command((), Meter(most_calls=1, most_tokens=1))


def test_a_command_may_answer_without_listening(tmp_path: Path) -> None:
    many = replace(TWO, entries=tuple(replace(TWO.entries[0], description="x" * 400_000) for _ in range(2)))
    selector = Command(("/bin/echo", "a"), Meter(most_calls=1, most_tokens=10_000_000), seconds=20)

    async def asked() -> Selection:
        await selector.begin(many, ["hello"])
        return await selector.select("hello", 0)

    assert asyncio.run(asked()) == Chosen(ids=("a",))


def test_a_command_beyond_the_cap_is_not_started() -> None:
    selector = Command(("/bin/echo", "a"), Meter(most_calls=0, most_tokens=1))
    found = asyncio.run(selector.select("hello", 0))
    assert isinstance(found, Failed)
    assert found.code == "cap"


def test_an_identity_says_whose_answers_are_played() -> None:
    assert (
        Identity(name="replay", kind="choice", model="m", origin="anthropic").title == "replay (anthropic m)"
    )
    assert BM25.title == "bm25"
