"""tiktoken itself, with vocabularies of ours in place of those that it would fetch."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from prowess.choose.packing import Definition, pack
from prowess.errors import UsageError
from prowess.host.token_counter import counter

PLUGIN = """
def bytes_alone():
    ranks = {bytes([number]): number for number in range(256)}
    ranks[b"ab"] = 256
    special = {"<end>": 257}
    return {
        "name": "bytes_alone", "pat_str": r"[\\s\\S]+", "mergeable_ranks": ranks, "special_tokens": special
    }

def out_of_reach():
    raise ConnectionError("no network")

ENCODING_CONSTRUCTORS = {"bytes_alone": bytes_alone, "out_of_reach": out_of_reach}
"""


@pytest.fixture(autouse=True)
def vocabularies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two vocabularies that tiktoken finds the way it finds its own."""
    registry = pytest.importorskip("tiktoken.registry", reason="needs tiktoken")
    folder = tmp_path / "tiktoken_ext"
    folder.mkdir()
    (folder / "ours.py").write_text(PLUGIN, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    registry._available_plugin_modules.cache_clear()
    monkeypatch.setattr(registry, "ENCODING_CONSTRUCTORS", None)
    monkeypatch.setattr(registry, "ENCODINGS", {})


def test_tokens_are_counted_by_the_vocabulary() -> None:
    count = counter("bytes_alone")
    assert [count(text) for text in ("", "ab", "abc", "é", "<end>")] == [0, 1, 2, 2, 5]
    assert count("\ud800") > 0


def test_a_budget_can_be_kept_exactly() -> None:
    packed = pack(
        [], [Definition(id="a", text="ab" * 5), Definition(id="b", text="c")], 5, counter("bytes_alone")
    )
    assert (packed.ids, packed.tokens) == (("a",), 5)


def test_an_unknown_vocabulary_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError) as raised:
        counter("nothing")
    assert "bytes_alone" in raised.value.hint


def test_a_vocabulary_that_cannot_be_fetched_is_said_so() -> None:
    with pytest.raises(UsageError) as raised:
        counter("out_of_reach")
    assert "TIKTOKEN_CACHE_DIR" in raised.value.hint


def test_a_missing_extra_names_its_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(UsageError) as raised:
        counter()
    assert raised.value.hint == "pip install 'prowess[tokens]'"
