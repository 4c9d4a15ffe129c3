"""The workbench's Python and its JavaScript say the same of every document."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page
from tests.bounds import bound
from tests.console.workbench_documents import (
    BAD,
    DOCUMENTS,
    FACTS,
    GOOD,
    JAVASCRIPT,
    SCRIPT,
    TEXTS,
    of_pair,
    of_text,
)

Pairs = list[tuple[str, str]]


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    made = context.new_page()
    made.set_default_timeout(bound(30) * 1000)
    made.add_script_tag(content=SCRIPT)
    yield made
    context.close()


def in_javascript(tab: Page, texts: list[str], pairs: Pairs) -> dict[str, Any]:
    given = json.dumps({"texts": texts, "pairs": pairs, "facts": FACTS})
    found: dict[str, Any] = json.loads(tab.evaluate(JAVASCRIPT, given))
    return found


def test_both_say_the_same_of_a_fixed_corpus(tab: Page) -> None:
    texts, pairs = [*GOOD, *BAD], list(itertools.product(GOOD, GOOD))
    found = in_javascript(tab, texts, pairs)
    for text, said in zip(texts, found["texts"], strict=True):
        assert said == of_text(text), text[:200]
    for pair, said in zip(pairs, found["pairs"], strict=True):
        assert said == of_pair(*pair), pair


@settings(
    max_examples=6,
    deadline=None,
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate,),  # an example is a batch: it is not worth the time to make one small
)
@given(
    texts=st.lists(TEXTS, min_size=10, max_size=40),
    pairs=st.lists(st.tuples(DOCUMENTS, DOCUMENTS), min_size=10, max_size=30),
)
@pytest.mark.slow
def test_both_say_the_same_of_whatever_is_generated(tab: Page, texts: list[str], pairs: Pairs) -> None:
    found = in_javascript(tab, texts, pairs)
    assert found == {"texts": [of_text(each) for each in texts], "pairs": [of_pair(*each) for each in pairs]}


def test_the_script_evaluates_no_text_and_writes_no_markup() -> None:
    from importlib.resources import files

    for name in ("workbench.js", "workbench_page.js", "workbench_file.js"):
        text = files("prowess.console").joinpath("static", name).read_text("utf-8")
        for word in (
            "eval",
            "Function(",
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "fetch(",
        ):
            assert word not in text, f"{name} has {word}"
