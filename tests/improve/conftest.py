"""A small library with trigger cases, and one command line in this process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.commanding import Run, commanding
from tests.improve.improve_provider import Writer

SKILLS = {
    "pay-invoices": "Settles open bills with the bank. Use when an invoice is due.",
    "plan-trips": "Plans journeys by train and plane. Use when somebody travels.",
    "write-letters": "Writes letters and replies. Use when a text is to be sent, also about money.",
}
TRAIN = {
    "pay-invoices": (
        "transfer the money to our supplier",
        "make a bank transfer for the rent",
        "the supplier wants his money",
        "please transfer what we owe",
        "pay the supplier today",
        "send a transfer to the landlord",
    ),
    "plan-trips": ("find a train to Rome", "I travel to Oslo next week"),
    "write-letters": ("answer this letter", "write a reply to the complaint"),
}
TEST = {
    "pay-invoices": (
        "transfer the deposit",
        "our supplier is waiting for a transfer",
        "is the invoice settled",
        "the supplier has not been paid",
    ),
    "plan-trips": ("book a plane for Monday", "a journey to Paris"),
    "write-letters": ("write to the landlord", "a letter about the noise", "say thanks for the money"),
}


def rows(of: dict[str, tuple[str, ...]], split: str) -> list[dict[str, Any]]:
    return [
        {"utterance": text, "expect": [name], "split": split} for name, texts in of.items() for text in texts
    ]


@pytest.fixture
def improve(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    for name in ("PROWESS_PROVIDER", "PROWESS_MODEL", "PROWESS_MODEL_URL"):
        monkeypatch.delenv(name, raising=False)

    return commanding(capsys, "improve")


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A folder of three skills with cases beside them."""
    root = tmp_path / "skills"
    for name, description in SKILLS.items():
        (root / name).mkdir(parents=True)
        (root / name / "SKILL.md").write_text(
            f"---\nname: {name}\n# kept\ndescription: {description}\nlicense: MIT\n---\nSteps.\n"
        )
    (root / "evals").mkdir()
    near = {"utterance": "open the bank page", "expect": [], "skill": "pay-invoices", "kind": "negative"}
    write_cases(root, [*rows(TRAIN, "train"), *rows(TEST, "test"), near])
    return root


def write_cases(root: Path, cases: list[dict[str, Any]]) -> None:
    (root / "evals" / "triggers.jsonl").write_text("".join(json.dumps(each) + "\n" for each in cases))


@pytest.fixture
def writer() -> Iterator[Writer]:
    with Writer() as running:
        yield running
