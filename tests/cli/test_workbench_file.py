"""`prowess workbench --out FILE`: the file it writes, and what it never writes over."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from tests.commanding import Run, commanding


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return commanding(capsys, "workbench")


def test_everything_is_in_the_file_and_allowed_by_its_own_policy(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "a workbench.html"
    assert run("--out", file).status == 0
    html = file.read_text("utf-8")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    allowed = policy[1].replace("&#39;", "'")
    assert "default-src 'none'" in allowed
    assert "unsafe" not in allowed
    for tag in ("style", "script"):
        (text,) = re.findall(f"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in allowed
    assert re.findall(r'(?:src|href)="([^"]*)"', html) == ["data:,"]
    assert "Validate in prowess console" in html


def test_the_same_version_writes_the_same_file(run: Run, tmp_path: Path) -> None:
    for name in ("a", "b"):
        run("--out", tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_what_is_there_is_never_written_over_without_force(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.html"
    file.write_text("mine")
    refused = run("--out", file)
    assert (refused.status, file.read_text()) == (2, "mine")
    assert "--force" in refused.err
    assert run("--out", file, "--force").status == 0
    assert "<!doctype html>" in file.read_text("utf-8")


def test_a_link_that_leads_nowhere_is_there_too(run: Run, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "elsewhere")
    assert run("--out", link).status == 2
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize(
    "arguments", [[], ["--out"], ["--out", "."], ["--out", "no/such/folder/x.html"], ["x"]]
)
def test_what_cannot_be_written_is_told(
    run: Run, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = run(*arguments)
    assert refused.status == 2
    assert "hint" in refused.err or "directory" in refused.err
    assert list(tmp_path.iterdir()) == []
