"""Models asked end to end against a provider on this machine that errs on purpose; agents' command lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.evaluate_trigger.trigger_provider import Provider

from prowess.evaluate.selectors_model import ANSWER_TOKENS

Write = Callable[..., Path]
KEY = "sk-secret-0123456789abcdef"
PROTOCOLS = ("openai-compatible", "anthropic")
ENV = {"openai-compatible": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
COFFEE: dict[str, Any] = {"id": "coffee", "utterance": "an espresso, quick", "expect": ["brew-coffee"]}
NOBODYS: dict[str, Any] = {"id": "nobody", "utterance": "what is the capital of Peru", "expect": []}


@pytest.fixture
def ask(
    trigger: Any, skills: Path, cases: Write, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Any]:
    """Ask the model of `provider` about rows of cases; nothing secret may come out."""
    for name in ENV.values():
        monkeypatch.setenv(name, KEY)

    def run(protocol: str, *rows: dict[str, Any], more: tuple[object, ...] = ("--repeats", "1")) -> Any:
        ran = trigger(
            skills, "--cases", cases(*rows), "--selector", protocol, "--model", "m-1", "--url", provider.url,
            "--json", *more,
        )  # fmt: skip
        assert KEY not in ran.out + ran.err
        return ran

    return run


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_model_chooses_from_the_catalogue_as_it_is_at_run_time(
    ask: Any, provider: Provider, protocol: str
) -> None:
    provider.on(COFFEE["utterance"], "brew-coffee")
    ran = ask(protocol, COFFEE, NOBODYS)
    assert ran.json["recall"] == {"1": 1.0, "5": None}
    assert ran.json["false_triggers"]["unrelated"]["count"] == 0
    assert (ran.json["selector"], ran.json["model"], ran.json["measures"]) == (
        protocol,
        "m-1",
        "trigger recall",
    )
    _, headers, body = provider.requests[-1]
    said = body["system"] if protocol == "anthropic" else body["messages"][0]["content"]
    assert "<name>brew-coffee</name>" in said
    assert body["messages"][-1]["content"] in (COFFEE["utterance"], NOBODYS["utterance"])
    assert KEY in str(headers)
    assert "m-1" in ran.err  # what it takes is told first


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("words", "malformed"),
        ("two", "malformed"),
        ("broken", "malformed"),
        ("not json", "malformed"),
        ("make-tea", "unknown-name"),
        ("status 429 99", "rate-limited"),
        ("status 500 99", "server-error"),
        ("status 401", "refused"),
        ("status 302", "refused"),
    ],
)
def test_no_error_is_counted_as_did_not_trigger(
    ask: Any, provider: Provider, protocol: str, answer: str, code: str
) -> None:
    provider.on(COFFEE["utterance"], answer)
    ran = ask(protocol, COFFEE, {**COFFEE, "id": "more", "utterance": "coffee"}, NOBODYS)
    document = ran.json
    assert (ran.status, document["verdict"]) == (2, "error")
    assert [(each["case"], each["code"]) for each in document["errors"]] == [("coffee", code)]
    assert document["intervals"]["recall"]["1"] is not None
    assert document["skills"]["brew-coffee"]["recall"]["of"] == 1
    assert document["skills"]["brew-coffee"]["errors"] == 1
    assert document["abstained"]["of"] == 1


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_passes_is_tried_again(ask: Any, provider: Provider, protocol: str) -> None:
    provider.on(COFFEE["utterance"], "status 429 0.01", "status 529 0.01", "brew-coffee")
    ran = ask(protocol, COFFEE)
    assert ran.json["recall"]["1"] == 1.0
    assert not ran.json["errors"]
    assert ran.json["spent"]["calls"] == 5  # two controls, three tries


def test_a_wrong_choice_is_a_confusion_and_nobody_an_abstention(ask: Any, provider: Provider) -> None:
    towels = {"id": "towels", "utterance": "my towels", "expect": ["fold-laundry"]}
    provider.on(COFFEE["utterance"], "water-plants")
    document = ask("anthropic", COFFEE, towels).json
    assert {(e["case"], e["got"]) for e in document["confusions"]} == {
        ("coffee", "water-plants"),
        ("towels", None),
    }
    assert document["abstained"]["count"] == 1
    assert document["skills"]["water-plants"]["hijacked"]["count"] == 1


def test_repeats_are_counted_by_the_query(ask: Any, provider: Provider) -> None:
    provider.on(COFFEE["utterance"], "brew-coffee", "none", "brew-coffee")
    document = ask("anthropic", COFFEE, more=("--repeats", "3", "--concurrency", "1")).json
    assert document["skills"]["brew-coffee"]["recall"]["count"] == pytest.approx(0.667, abs=1e-3)
    assert document["skills"]["brew-coffee"]["recall"]["of"] == 1
    assert document["flaky"] == ["coffee"]


def test_negatives_are_never_shown(ask: Any, provider: Provider) -> None:
    negative = {
        "utterance": "water the concrete",
        "kind": "negative",
        "skill": "water-plants",
        "note": "no soil",
    }
    ask(
        "openai-compatible",
        COFFEE,
        negative,
        {**COFFEE, "id": "ex", "utterance": "ristretto", "split": "example"},
    )
    for _, _, body in provider.requests:
        prompt = json.dumps([*body["messages"][:-1], body["tools"]])
        assert not any(text in prompt for text in ("concrete", "no soil", "ristretto", "Peru"))


# -- controls and caps


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_harness_that_answers_nothing_is_broken_and_no_recall_of_zero(
    ask: Any, provider: Provider, protocol: str
) -> None:
    provider.controls = False
    ran = ask(protocol, COFFEE)
    assert (ran.status, ran.out) == (2, "")
    assert "control question" in ran.err
    assert provider.asked(COFFEE["utterance"]) == 0


def test_a_harness_that_always_answers_is_broken_too(ask: Any, provider: Provider) -> None:
    from prowess.evaluate.trials_running import NONSENSE

    provider.on(NONSENSE, "brew-coffee")
    assert "control question" in ask("anthropic", COFFEE).err
    provider.on(NONSENSE, "status 500 99")
    assert "server-error" in ask("anthropic", COFFEE).err


def test_what_is_too_dear_is_not_begun(ask: Any, provider: Provider) -> None:
    ran = ask("anthropic", COFFEE, more=("--repeats", "9", "--max-calls", "10"))
    assert (ran.status, provider.requests) == (2, [])
    assert "11 calls" in ran.err
    assert ask("anthropic", COFFEE, more=("--max-tokens", "100")).status == 2
    assert not provider.requests


def test_retries_stay_within_the_cap(ask: Any, provider: Provider) -> None:
    provider.on(COFFEE["utterance"], "status 500 0.01")
    ran = ask("anthropic", COFFEE, more=("--repeats", "1", "--max-calls", "4"))
    assert len(provider.requests) == 4
    assert ran.json["errors"][0]["code"] == "cap"
    assert ran.json["verdict"] == "error"


def test_tokens_that_were_really_used_count(ask: Any, provider: Provider) -> None:
    provider.usage = 321
    assert ask("openai-compatible", COFFEE).json["spent"] == {"calls": 3, "tokens": 3 * 321}
    assert provider.usage < ANSWER_TOKENS


def test_an_answer_that_does_not_come_is_a_timeout(ask: Any, provider: Provider) -> None:
    with provider._lock:  # nothing is answered meanwhile
        ran = ask("anthropic", COFFEE, more=("--answer-within", "0.2"))
    assert ran.status == 2
    assert "timeout" in ran.err


# -- keys


def test_a_key_goes_to_whom_it_is_meant_for(
    trigger: Any, skills: Path, cases: Write, monkeypatch: Any
) -> None:
    file = cases(COFFEE)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    asked = (skills, "--cases", file, "--selector", "anthropic", "--model", "m")
    assert "ANTHROPIC_API_KEY" in trigger(*asked).err
    monkeypatch.setenv("MINE", KEY)
    ran = trigger(*asked, "--url", "http://models.example", "--key-env", "MINE")
    assert ran.status == 2
    assert "MINE may not go to http://models.example" in ran.err
    assert "MISSING" in trigger(*asked, "--url", "https://models.example", "--key-env", "MISSING").err
    ran = trigger(*asked, "--url", "https://me:hunter2@models.example")
    assert "hunter2" not in ran.err
    for url in ("ftp://models.example", "http://[", "models"):
        assert trigger(*asked, "--url", url).status == 2


def test_a_key_that_is_none_is_told(trigger: Any, skills: Path, cases: Write, monkeypatch: Any) -> None:
    monkeypatch.setenv("MINE", "two\nlines")
    asked = ("--selector", "embed", "--model", "m", "--url", "http://127.0.0.1:9", "--key-env", "MINE")
    assert "no key" in trigger(skills, "--cases", cases(COFFEE), *asked).err


def test_nobody_there_is_unreachable(ask: Any, trigger: Any, skills: Path, cases: Write) -> None:
    asked = ("--selector", "anthropic", "--model", "m", "--url", "http://127.0.0.1:9")
    ran = trigger(skills, "--cases", cases(COFFEE), *asked)
    assert ran.status == 2
    assert "unreachable" in ran.err


def test_a_capability_called_none_cannot_be_told_from_nobody(ask: Any, skills: Path) -> None:
    (skills / "none").mkdir()
    (skills / "none" / "SKILL.md").write_text("---\nname: none\ndescription: Does nothing. Use never.\n---\n")
    assert "called none" in ask("anthropic", COFFEE).err


# -- embeddings


def test_vectors_are_mixed_with_words(ask: Any, provider: Provider) -> None:
    ran = ask("embed", {"utterance": "my fern", "expect": ["water-plants"]}, COFFEE)
    assert ran.json["measures"] == "shortlist recall"
    assert ran.json["recall"]["1"] == 1.0
    assert {path for path, _, _ in provider.requests} == {"/embeddings"}


# -- cassettes


@pytest.mark.parametrize("protocol", [*PROTOCOLS, "embed"])
def test_what_was_recorded_is_played_without_asking(
    ask: Any, provider: Provider, trigger: Any, skills: Path, cases: Write, tmp_path: Path, protocol: str
) -> None:
    tape = tmp_path / "answers.jsonl"
    provider.on(COFFEE["utterance"], "brew-coffee", "none")
    more = ("--record", tape, "--repeats", "2", "--concurrency", "1")
    recorded = ask(protocol, COFFEE, NOBODYS, more=more).json
    text = tape.read_text()
    assert KEY not in text
    assert COFFEE["utterance"] not in text
    asked = len(provider.requests)
    played = (skills, "--cases", cases(COFFEE, NOBODYS), "--selector", "replay", "--cassette", tape, "--json")
    document = trigger(*played).json
    assert document["selector"] == "replay"
    assert (document["recall"], document["verdict"]) == (recorded["recall"], recorded["verdict"])
    assert len(provider.requests) == asked

    missed = trigger(skills, "--cases", cases(COFFEE, {**NOBODYS, "utterance": "new"}), *played[3:])
    assert (missed.status, missed.json["verdict"]) == (2, "error")
    assert missed.json["errors"][0]["code"] == "cassette-miss"

    skill = skills / "fold-laundry" / "SKILL.md"
    skill.write_text(skill.read_text().replace("Folds", "Carefully folds"))
    stale = trigger(*played[:2], cases(COFFEE, NOBODYS), *played[3:])
    assert (stale.status, stale.json["verdict"]) == (2, "stale")
    assert stale.json["recall"] == recorded["recall"]


def test_errors_are_not_recorded(ask: Any, provider: Provider, tmp_path: Path) -> None:
    tape = tmp_path / "answers.jsonl"
    provider.on(COFFEE["utterance"], "status 401")
    ask("anthropic", COFFEE, NOBODYS, more=("--record", tape, "--repeats", "1"))
    assert len(tape.read_text().splitlines()) == 2
    provider.on(COFFEE["utterance"], "brew-coffee")
    ask("anthropic", COFFEE, more=("--record", tape, "--repeats", "1"))
    assert len(tape.read_text().splitlines()) == 3


def test_what_is_no_cassette_cannot_be_played(
    trigger: Any, skills: Path, cases: Write, tmp_path: Path
) -> None:
    tape = tmp_path / "tape.jsonl"
    tape.write_bytes(b"\xff")
    played = ("--selector", "replay", "--cassette", tape)
    assert trigger(skills, "--cases", cases(COFFEE), *played).status == 2


# -- commands

AGENT = """
import json, sys
said = json.load(sys.stdin)
assert said["names"] == ["brew-coffee", "fold-laundry", "water-plants"] and said["none"] == "none"
assert "<name>brew-coffee</name>" in said["catalogue"]
named = [name for name in said["names"] if name in said["utterance"]]
print()
print(named[0] if named else "brew-coffee" if "espresso" in said["utterance"] else "none")
print("and more words")
"""


@pytest.fixture
def agent(trigger: Any, skills: Path, cases: Write, tmp_path: Path) -> Callable[..., Any]:
    def run(program: str, *more: object) -> Any:
        file = tmp_path / "agent.py"
        file.write_text(program)
        line = f"{sys.executable} {file}"
        asked = ("--selector", "command", "--command", line, "--repeats", "1", "--json")
        return trigger(skills, "--cases", cases(COFFEE, NOBODYS), *asked, *more)

    return run


def test_any_command_line_may_choose(agent: Callable[..., Any]) -> None:
    document = agent(AGENT).json
    assert document["recall"]["1"] == 1.0
    assert document["false_triggers"]["unrelated"]["count"] == 0


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("raise SystemExit('sorry: token=abcdefgh12345678')", "status 1"),
        ("pass", "malformed"),
        ("print('make-tea')", "unknown-name"),
        ("print('x' * 100_000)", "too-long"),
        ("import time; time.sleep(60)", "timeout"),
    ],
)
def test_a_command_that_fails_has_chosen_nobody_at_all(
    agent: Callable[..., Any], program: str, words: str
) -> None:
    ran = agent(program, "--answer-within", "0.5")
    assert ran.status == 2
    assert words in ran.err
    assert "abcdefgh12345678" not in ran.err


def test_a_command_that_is_not_there_or_not_a_line_is_told(trigger: Any, skills: Path, cases: Write) -> None:
    for line in ("/no/such/agent", "'open", " "):
        assert (
            trigger(skills, "--cases", cases(COFFEE), "--selector", "command", "--command", line).status == 2
        )


def test_commands_stay_within_the_cap(agent: Callable[..., Any]) -> None:
    ran = agent(AGENT, "--max-calls", "4")
    assert ran.json["spent"]["calls"] == 4
    assert agent(AGENT, "--max-calls", "3").status == 2
