"""Verbs that go on until they are told to end, in this process: what they do meanwhile, and that they end."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import sys
import threading
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.bounds import bound

from prowess.cli import main

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no signals to end a verb by")

UNIT = '''"""Says {word}."""

from prowess import unit


@unit(triggers=["say {word}", "please say {word}", "the word {word}"])
async def {word}() -> str:
    """Say {word}."""
    return "{word}"
'''


class Heard(io.StringIO):
    """A stream that others can wait on."""

    def __init__(self) -> None:
        super().__init__()
        self._written = threading.Condition()

    def write(self, text: str) -> int:
        with self._written:
            count = super().write(text)
            self._written.notify_all()
        return count

    def wait_for(self, pattern: str) -> re.Match[str]:
        found: list[re.Match[str]] = []

        def stands_there() -> bool:
            match = re.search(pattern, self.getvalue())
            found.extend([match] if match else [])
            return match is not None

        with self._written:
            assert self._written.wait_for(stands_there, bound(20)), self.getvalue()
        return found[-1]


def until_ended(
    monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[Heard, Heard], None], *words: str
) -> int:
    """The status of a verb that is ended by SIGTERM once `meanwhile` is through."""
    out, err = Heard(), Heard()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    failed: list[BaseException] = []
    ended = threading.Event()

    def accompany() -> None:
        try:
            meanwhile(out, err)
        except BaseException as error:
            failed.append(error)
        finally:
            if not ended.is_set():  # else nobody would take the signal, and this whole process would end
                os.kill(os.getpid(), signal.SIGTERM)

    beside = threading.Thread(target=accompany)
    try:
        beside.start()
        status = main(list(words))
    finally:
        ended.set()
        beside.join(bound(30))
    assert not failed, failed
    return status


@pytest.fixture
def units(tmp_path: Path) -> Path:
    place = tmp_path / "units"
    place.mkdir()
    (place / "hello.py").write_text(UNIT.format(word="hello"))
    return place


def test_what_is_served_over_http_answers_until_the_signal(
    units: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[str] = []

    def ask(out: Heard, err: Heard) -> None:
        origin = err.wait_for(r"ready at (http://\S+)/mcp")[1]
        with urllib.request.urlopen(f"{origin}/skills", timeout=bound(10)) as answer:
            names.extend(each["name"] for each in json.load(answer)["skills"])

    assert until_ended(monkeypatch, ask, "serve", str(units), "--api", "--http", "127.0.0.1:0") == 128 + 15
    assert names == ["hello"]


def test_units_that_are_watched_are_told_when_they_change(
    units: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change(out: Heard, err: Heard) -> None:
        err.wait_for("watching")
        (units / "goodbye.py").write_text(UNIT.format(word="goodbye"))
        out.wait_for("goodbye")

    assert until_ended(monkeypatch, change, "units", "list", str(units), "--watch") == 128 + 15


def test_the_console_opens_for_a_rejected_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plugin.json").write_text('{"name": "No Name"}')

    def look(out: Heard, err: Heard) -> None:
        link = err.wait_for(r"console at (http://\S+)")[1]
        cookies = urllib.request.HTTPCookieProcessor()
        with urllib.request.build_opener(cookies).open(link, timeout=bound(10)) as answer:
            assert "rejected" in answer.read().decode()

    assert until_ended(monkeypatch, look, "console", str(tmp_path), "--no-browser") == 128 + 15
