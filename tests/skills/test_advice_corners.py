"""Corners of the advice that the quick ways through it must not cut."""

from __future__ import annotations

import time

import pytest
from tests.bounds import bound

from prowess.spec.advice import advise
from prowess.spec.model import Skill


def rules(description: str, **fields: dict[str, str]) -> set[str]:
    skill = Skill(name="pdf-forms", description=description, path="skills/pdf-forms/SKILL.md", **fields)  # type: ignore[arg-type]
    return {each.rule for each in advise(skill)}


@pytest.mark.parametrize("mark", ["(", "**", "- "])
def test_a_name_behind_a_mark_is_no_heading(mark: str) -> None:
    text = f"{mark}pdf-forms: fills fields and signs pages of contracts. Use when a contract has fields."
    assert "advice-description-name" not in rules(text)
    assert "advice-description-name" in rules(text.removeprefix(mark))


def test_a_number_that_happens_to_be_the_version_is_no_version() -> None:
    text = "Converts PDF 1.4 forms to text and signs pages of contracts. Use when a contract has fields."
    assert "advice-description-name" not in rules(text, metadata={"version": "1.4"})
    assert "advice-description-name" in rules(text.replace("1.4", "v1.4"), metadata={"version": "1.4"})


def test_a_language_that_the_checks_cannot_read_is_left_alone() -> None:
    assert rules("Заполняет поля форм и подписывает страницы договоров по просьбе заказчика") == set()


def test_an_opening_that_names_the_occasion_everywhere_says_not_what_it_does() -> None:
    text = "Use this skill when a contract has fields. Always use when pages of contracts lack signatures."
    assert rules(text) == {"advice-description-what"}


@pytest.mark.parametrize("mark", ["\u201c", "\u2018", "\u00ab", "\u300c", "`", " v1.0.", "Use when "])
def test_a_description_of_any_length_is_advised_on_in_no_time(mark: str) -> None:
    started = time.process_time()
    rules(mark * 60_000, metadata={"version": "1.0"})
    assert time.process_time() - started < bound(0.5)
