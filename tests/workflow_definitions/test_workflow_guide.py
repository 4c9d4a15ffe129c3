"""Every definition in the guide is one that passes, and it has every field and every function."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from prowess.workflow.checking import check
from prowess.workflow.functions import FUNCTIONS
from prowess.workflow.reading import FIELDS, read_workflow
from prowess.workflow.reading_steps import RETRY_FIELDS, STEP_FIELDS, WAIT_FIELDS
from prowess.workflow.scope import RESERVED

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "guides" / "write-a-workflow.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```yaml\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("text", EXAMPLES, ids=["short", "long"])
def test_a_definition_in_the_guide_passes(text: str) -> None:
    read = read_workflow(text.encode(), "guide.yaml")
    assert read.workflow is not None, read.diagnostics
    assert check(read.workflow, None) == ()


def test_the_guide_has_every_field() -> None:
    for name in (*FIELDS, *STEP_FIELDS, *RETRY_FIELDS):
        assert re.search(rf"\b{name}:\s", EXAMPLES[1]), name
    assert all(f"{name}" in GUIDE for name in (*WAIT_FIELDS, *RESERVED))


def test_the_guide_has_every_function() -> None:
    table = next(line for line in GUIDE.splitlines() if "length lower" in line)
    assert set(FUNCTIONS) - {"default"} <= set(re.findall(r"[a-z]+", table.partition("` |")[0]))
