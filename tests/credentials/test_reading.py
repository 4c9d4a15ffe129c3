"""Secrets from environment, files and keyrings."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoKeyring

from prowess.credentials.reading import MAX_BYTES, read_secret
from prowess.credentials.sections import Secret
from prowess.errors import CredentialFailed, UsageError

VALUE = "s3cr3t-4f9a77c1"


def missing(secret: Secret) -> CredentialFailed:
    with pytest.raises(CredentialFailed) as caught:
        read_secret(secret)
    assert caught.value.code == "credential-missing"
    assert VALUE not in f"{caught.value.message}{caught.value.hint}"
    return caught.value


def test_a_secret_is_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_TOKEN", VALUE)
    assert read_secret(Secret(env="SOME_TOKEN")) == VALUE


@pytest.mark.parametrize("value", [None, "", "\n"])
def test_an_environment_variable_that_holds_nothing_is_missing(
    value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOME_TOKEN", raising=False)
    if value is not None:
        monkeypatch.setenv("SOME_TOKEN", value)
    assert "SOME_TOKEN" in missing(Secret(env="SOME_TOKEN")).message


def test_a_secret_is_read_from_a_private_file_without_its_line_end(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{VALUE}\n")
    file.chmod(0o600)
    assert read_secret(Secret(file=str(file))) == VALUE


def test_a_private_file_may_be_reached_through_a_link(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(VALUE)
    file.chmod(0o400)
    (tmp_path / "current").symlink_to(file)
    assert read_secret(Secret(file=str(tmp_path / "current"))) == VALUE


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o610, 0o777])
def test_a_file_that_others_can_open_is_refused_with_the_command_that_mends_it(
    mode: int, tmp_path: Path
) -> None:
    file = tmp_path / "token"
    file.write_text(VALUE)
    file.chmod(mode)
    assert f"chmod 600 {file}" in missing(Secret(file=str(file))).hint


def test_what_is_no_readable_regular_file_is_missing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo", 0o600)
    (tmp_path / "folder").mkdir(mode=0o700)
    for name in ("absent", "fifo", "folder"):
        missing(Secret(file=str(tmp_path / name)))


@pytest.mark.parametrize(
    "data", [b"", b"\n\n", b"two\nlines", b"nul\0byte", b"\xff\xfe", b"x" * (MAX_BYTES + 1)]
)
def test_a_file_that_holds_no_single_line_of_text_is_missing(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_bytes(data)
    file.chmod(0o600)
    missing(Secret(file=str(file)))


class Ring(KeyringBackend):
    """A keyring that lives in this process."""

    priority = 1.0

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


@pytest.fixture
def ring() -> Iterator[Ring]:
    before, ring = keyring.get_keyring(), Ring()
    keyring.set_keyring(ring)
    yield ring
    keyring.set_keyring(before)


def test_a_secret_is_read_from_the_keyring_by_service_and_user(ring: Ring) -> None:
    keyring.set_password("my/service", "me", VALUE)
    assert read_secret(Secret(keyring="my/service/me")) == VALUE
    assert "my/service/you" in missing(Secret(keyring="my/service/you")).message


def test_a_machine_without_a_keyring_says_so(ring: Ring) -> None:
    keyring.set_keyring(NoKeyring())  # type: ignore[no-untyped-call]
    assert "env or file" in missing(Secret(keyring="service/me")).hint


def test_without_the_extra_its_install_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert "pip install 'prowess[keyring]'" in missing(Secret(keyring="service/me")).hint


@pytest.mark.parametrize(
    "given",
    [{}, {"env": "A", "file": "b"}, {"keyring": "no-user"}, {"keyring": "/me"}, {"env": "not a name"}],
)
def test_a_secret_names_exactly_one_place(given: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        Secret(**given)
