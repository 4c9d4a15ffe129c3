"""`prowess credentials sign-in` end to end: real processes, a real authorization server, a real call."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.acceptance.packages import plugin
from tests.commanding import Run
from tests.credentials.servers.authorizing import Authorizing, authorizing

SECONDS = 30


@pytest.fixture
def server() -> Iterator[Authorizing]:
    with authorizing() as server:
        yield server


@pytest.fixture
def config(tmp_path: Path, server: Authorizing) -> Path:
    plugin(tmp_path / "shop", {"books": {"type": "streamable-http", "url": server.url}})
    file = tmp_path / "prowess.toml"
    file.write_text(
        f"""format = 1
[plugins]
shop = "shop"

[servers."shop/books"]
credential = "books"

[[credentials.books.tokens]]
grant = "sign-in"
resource = "{server.url}"
"""
    )
    return file


def argv(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "prowess", *(str(each) for each in arguments)]


def signed_in(config: Path, *more: str) -> tuple[int, str, str]:
    """Sign in as a person would: read the page's address, open it, wait for the command to end."""
    command = argv("credentials", "sign-in", "books", "--config", config, "--timeout", SECONDS, *more)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        with urllib.request.urlopen(url, timeout=10) as page:
            assert b"Signed in" in page.read()
        _, err = process.communicate(timeout=SECONDS)
    return process.returncode, url, err


def call(config: Path) -> subprocess.CompletedProcess[str]:
    command = argv("call", config, "total", "--arg", "week=2026-W31", "--json")
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)


@pytest.mark.field("credentials.*.tokens.grant", "credentials.*.tokens.resource")
def test_a_person_signs_in_and_the_next_command_calls(config: Path, server: Authorizing, home: Path) -> None:
    before = call(config)
    assert before.returncode == 2
    hint = re.search(r"prowess credentials sign-in books --config ([^\s)]+)", before.stderr)
    assert hint is not None and Path(hint[1]) == config

    status, url, err = signed_in(config)
    assert status == 0 and "signed in: books" in err
    assert url.startswith("http://127.0.0.1:") and "code_challenge" in url

    after = call(config)
    assert (after.returncode, json.loads(after.stdout)["outcome"], server.refreshes) == (0, "answered", 0)
    written = [each for each in home.rglob("*") if each.is_file()]
    held = [each for each in written if any(one.encode() in each.read_bytes() for one in server.given)]
    assert [each.parent.name for each in held] == ["credentials"]
    assert not any(one in err + url + after.stdout + after.stderr for one in server.given)


@pytest.mark.slow  # three sign-ins and three calls, each a process
def test_a_scope_that_a_call_wants_is_signed_in_for_with_the_command_it_names(
    config: Path, server: Authorizing
) -> None:
    assert signed_in(config)[0] == 0
    server.wanted = "ledger"
    before = call(config)
    hint = re.search(r"sign-in books --config \S+ (--scope) (\w+)", before.stdout)
    assert before.returncode != 0 and hint is not None
    status, _, err = signed_in(config, *hint.groups())
    assert status == 0 and "scope: books ledger" in err and "not granted" not in err
    assert json.loads(call(config).stdout)["outcome"] == "answered"
    server.grants = {"books"}
    assert "not granted: ledger" in signed_in(config, "--scope", "ledger")[2]


def test_a_person_signs_out(config: Path, server: Authorizing, prowess: Run, home: Path) -> None:
    arguments = ("credentials", "sign-out", "books", "--config", config)
    assert prowess(*arguments).status == 1
    server.confidential = True
    assert signed_in(config)[0] == 0
    out = prowess(*arguments)
    assert out.status == 0 and len(server.revoked) == 1 and "was not told" not in out.err
    assert call(config).returncode == 2
    written = [each.read_bytes() for each in home.rglob("*") if each.is_file()]
    assert not any(one.encode() in each for one in server.given for each in written)
    server.confidential = False
    assert signed_in(config)[0] == 0
    assert "was not told" in prowess(*arguments).err


def test_a_browser_is_opened_when_asked_for_and_only_then(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}\n')
    os.chmod(browser, 0o700)
    monkeypatch.setenv("BROWSER", str(browser))
    assert signed_in(config)[0] == 0
    assert not opened.exists()
    status, url, _ = signed_in(config, "--browser")
    assert (status, opened.read_text()) == (0, url)


def test_nobody_who_signs_in_is_waited_for_no_longer_than_said(config: Path, prowess: Run) -> None:
    ran = prowess("credentials", "sign-in", "books", "--config", config, "--timeout", "0.2")
    assert ran.status == 2 and "nobody signed in" in ran.err


@pytest.mark.parametrize("more", [[], ["--port", "99999"], ["--timeout", "0"]])
def test_a_sign_in_that_names_no_configuration_or_nonsense_cannot_be_done(
    more: list[str], config: Path, prowess: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(config.parent)  # nothing is found from the working directory
    assert prowess("credentials", "sign-in", "books", *more).status == 2


@pytest.mark.parametrize("name", ["other", None])
def test_a_credential_that_is_not_there_cannot_be_signed_in_for(
    name: str | None, config: Path, prowess: Run
) -> None:
    given = [name] if name else []
    assert prowess("credentials", "sign-in", *given, "--config", config).status == 2


def test_no_verb_takes_a_configuration_from_the_working_directory(
    config: Path, prowess: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config.write_text("this is no TOML")
    monkeypatch.chdir(tmp_path)
    assert prowess("check", "shop").status == 0
    assert prowess("tools", "shop", "--timeout", "5").status != 2
    assert prowess("pins", "list").status == 0
    assert prowess("approvals", "list").status == 0
    assert prowess("check", ".").status != 0, "named, it is read"
