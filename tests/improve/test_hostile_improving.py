"""Improving where something is against it: keys, leaks between splits, odd files, units inside a plugin."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.commanding import Run
from tests.improve.conftest import TEST, TRAIN, rows, write_cases

from prowess.choose.documents import Document
from prowess.evaluate.cases import Case, key
from prowess.evaluate.improving import splits_of
from prowess.evaluate.improving_asking import fit
from prowess.evaluate.improving_evidence import false_triggers
from prowess.evaluate.improving_files import Written
from prowess.evaluate.improving_writing import Changed
from prowess.evaluate.selectors import Candidates

# -- keys


def test_a_key_does_not_follow_a_url_to_somebody_else(
    improve: Run, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-0123456789")
    asked = ("--provider", "openai-compatible", "--model", "m", "--url", "http://models.invalid/v1")
    ran = improve(library, "pay-invoices", *asked, "--max-calls", "1")
    assert "may take" in ran.err or "allowed" in ran.err, "without a key there is none that may not go there"
    ran = improve(library, "pay-invoices", *asked, "--key-env", "OPENAI_API_KEY", "--max-calls", "1")
    assert ran.status == 2
    assert "may not go to" in ran.err


# -- what is learned from is not measured by

UTTERANCES = st.sampled_from(["pay it", "Pay it.", "pay  it!", "go there", "write", "write!", "sing", "hum"])
ANY = st.lists(
    st.builds(
        Case,
        id=st.uuids().map(str),
        utterance=UTTERANCES,
        expect=st.sampled_from([("a",), ("b",), ("a", "b")]),
        split=st.sampled_from(["train", "test"]),
    ),
    max_size=20,
)


@given(ANY, st.booleans())
def test_no_utterance_is_learned_from_and_measured_by(cases: list[Case], select: bool) -> None:
    splits = splits_of(cases, "a", select=select)
    train, chosen, final = ({key(each.utterance) for each in part} for part in splits[:3])
    assert not (train & chosen or train & final or chosen & final)
    if splits.declared:
        assert len(splits.final) == sum(each.split == "test" for each in cases), "what measures stays whole"


@pytest.mark.parametrize(
    ("text", "utterance", "taken"),
    [
        ("查询天气。例如：明天上海会不会下雨。", "明天上海会不会下雨？", False),
        ("天気を調べます。明日は雨が降りますか。", "明日は雨が降りますか", False),
        ("查询天气、气温。", "天气", True),
        ("Pays bills, such as: pay the rent of May.", "Pay the rent of May", False),
        ("Pays the rent.", "pays the rent", True),
    ],
)
def test_a_request_is_not_copied_in_any_script(text: str, utterance: str, taken: bool) -> None:
    assert (fit(text, [utterance]) == text) is taken


# -- evidence

NEAR = Candidates(
    documents=(
        Document(id="count", name="count", description="Counts words."),
        Document(id="limit", name="limit", description="Keeps texts short."),
    ),
    entries=(),
    definitions={},
)


def test_a_near_miss_of_another_says_nothing_of_this_one() -> None:
    theirs = Case(id="t", utterance="what do these words mean", kind="negative", skill="limit")
    assert false_triggers(NEAR, [theirs], "count") == ()


def test_what_is_nobodys_is_not_sent_to_the_next_in_the_ranking() -> None:
    mixed = Candidates(
        documents=(*NEAR.documents, Document(id="other", name="other", description="Words and words.")),
        entries=(),
        definitions={},
    )
    nobodys = Case(id="n", utterance="counts of words", kind="negative")
    (found,) = false_triggers(mixed, [nobodys], "count")
    assert found.instead == ""
    assert "use" not in found.clause


# -- diffs

BODIES = ["Steps.\n", "Steps.", "Ste\u2028ps\x0cand\x85more\x1cx\n", "Steps.\r\n"]


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_diff_is_one_that_is_applied(tmp_path: Path, body: str) -> None:
    end = "\r\n" if "\r" in body else "\n"
    before = end.join(["---", "name: a", "description: Old.", "---", body]).encode()
    after = before.replace(b"Old.", b"New.")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "SKILL.md").write_bytes(before)
    written = Written(path="", shown="a/SKILL.md", changed=Changed(before=before, after=after))
    (tmp_path / "change.diff").write_bytes(written.diff.encode())
    subprocess.run(["git", "apply", "change.diff"], cwd=tmp_path, check=True, timeout=20)
    assert (tmp_path / "a" / "SKILL.md").read_bytes() == after


def test_a_printed_diff_keeps_the_line_ends_of_the_file(improve: Run, library: Path) -> None:
    file = library / "pay-invoices" / "SKILL.md"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert "\r\n+description: " in improve(library, "pay-invoices").out


# -- where wording is written


def test_the_wording_of_a_unit_inside_a_plugin_is_found(improve: Run, tmp_path: Path) -> None:
    root = tmp_path / "plugin"
    for name, text in (
        ("pay_invoices", "Settles open bills with the bank."),
        ("write_letters", "Writes letters about money."),
        ("plan_trips", "Plans journeys by train and plane."),
    ):
        folder = root / "dev.prowess" / "units" / name
        folder.mkdir(parents=True)
        said = {"name": name, "description": text, "triggers": [], "version": "1.0.0"}
        (folder / "schema.json").write_text(json.dumps(said, indent=2) + "\n")
        (folder / "skill.py").write_text(
            "class Unit:\n    async def execute(self, params):\n        return {}\n"
        )
    (root / "prowess.toml").write_text('[units]\npaths = ["dev.prowess/units"]\n')
    (root / "evals").mkdir()
    cases: list[dict[str, Any]] = [
        {**each, "expect": [each["expect"][0].replace("-", "_")]}
        for each in (*rows(TRAIN, "train"), *rows(TEST, "test"))
    ]
    write_cases(root, cases)
    assert improve(root, "pay_invoices", "--write").status == 0
    file = root / "dev.prowess" / "units" / "pay_invoices" / "schema.json"
    assert json.loads(file.read_text())["triggers"] == ["transfer", "supplier"]
