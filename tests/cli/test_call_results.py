"""What a call prints of a result: texts as they are, what is no text by its kind and size, all of it safe."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.commanding import Run

from prowess.cli import call

UNIT = '''"""Rows of a table."""

from prowess import unit


@unit(triggers=["list the rows", "what rows are there", "rows of the table"])
async def list_rows(count: int) -> list[str]:
    """List so many rows."""
    return ["row %05d" % each for each in range(count)]
'''


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        ("one\x1b[2J", "one\\u{1b}[2J\n"),
        ([{"type": "text", "text": "one"}, {"type": "text", "text": "two\n"}], "one\ntwo\n"),
        ([{"type": "image", "mimeType": "image/png", "data": "QUJD"}], "(image, image/png, 4 characters)\n"),
        ([{"type": "audio", "data": "QUJD"}], "(audio, , 4 characters)\n"),
        ([{"type": "resource_link", "uri": "a:b"}], '{"type": "resource_link", "uri": "a:b"}\n'),
        ([{"type": "text"}], '{"type": "text"}\n'),
        ([1, 2], "[\n  1,\n  2\n]\n"),
        ([], "[]\n"),
        (None, "null\n"),
    ],
)
def test_a_result_is_printed_by_what_it_is(value: Any, printed: str) -> None:
    assert call._text(value) == printed


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    place = tmp_path / "units"
    place.mkdir()
    (place / "rows.py").write_text(UNIT)
    return place


def test_a_result_of_many_pages_is_printed_whole(prowess: Run, rows: Path) -> None:
    ran = prowess("call", rows, "list_rows", "--args", '{"count": 9000}')
    assert ran.status == 0, ran.err
    assert "row 00000" in ran.out and "row 08999" in ran.out
    assert "read on with its handle" not in ran.err


def test_as_json_the_pages_after_the_first_stand_beside_it(prowess: Run, rows: Path) -> None:
    ran = prowess("call", rows, "list_rows", "--args", '{"count": 9000}', "--json")
    document = ran.json
    assert document["page"]["next"] is None
    assert "row 08999" in json.dumps(document["rest"])


def test_arguments_that_do_not_fit_are_told_one_by_one(prowess: Run, rows: Path) -> None:
    ran = prowess("call", rows, "list_rows", "--args", '{"count": "many"}')
    assert ran.status != 0
    assert "/count" in ran.err
