"""The console where its extra is not installed: said before anything is started."""

from __future__ import annotations

import pytest

from prowess.cli import main


def test_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("prowess.cli.console.EXTRA", ("json", "no_such_module"))
    assert main(["console", "--no-browser", "/nowhere"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "no_such_module" in said.err
    assert "pip install 'prowess[console]'" in said.err
