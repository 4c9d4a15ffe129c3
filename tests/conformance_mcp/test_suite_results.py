"""What the suite leaves behind is read as it is, and what is not what it documents is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conformance.suite.results import Check, Required, Role, Scenario, Unreadable, read, required, worst

REQUIREMENTS = """\
server: [ping, caching]
client: [auth/basic]
not_scored:
  - {scenario: tasks-lifecycle, leg: server, reason: extension}
  - {scenario: auth/dpop, leg: client, reason: extension}
"""


def left(folder: Path, directory: str, *checks: dict[str, str]) -> None:
    place = folder / directory
    place.mkdir(parents=True)
    (place / "checks.json").write_text(json.dumps(checks), encoding="utf-8")


def check(id: str, status: str, message: str | None = None) -> dict[str, str]:
    return {"id": id, "name": id, "status": status} | ({"errorMessage": message} if message else {})


def test_a_requirement_set_tells_what_is_scored_and_why_the_rest_is_not(tmp_path: Path) -> None:
    (tmp_path / "2026-07-28.yaml").write_text(REQUIREMENTS, encoding="utf-8")
    wanted = required(tmp_path, "2026-07-28", "server")
    assert wanted == Required(scored=("ping", "caching"), others=(("tasks-lifecycle", "extension"),))
    assert required(tmp_path, "2026-07-28", "client").scored == ("auth/basic",)


@pytest.mark.parametrize("text", ["", "server: [", "server:\n  - one\nnot_scored: [1]\n", "client: []\n"])
def test_a_requirement_set_of_another_form_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "2026-07-28.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(Unreadable):
        required(tmp_path, "2026-07-28", "server")


@pytest.mark.parametrize(
    ("role", "directory", "name"),
    [
        ("server", "server-server-stateless-2026-11-30T10-57-50-863Z", "server-stateless"),
        ("server", "server-ping-2026-11-30T10-57-50-863Z", "ping"),
        ("client", "auth/basic-cimd-2026-11-30T10-57-50-863Z", "auth/basic-cimd"),
        ("client", "initialize-2026-11-30T10-57-50-863Z", "initialize"),
    ],
)
def test_a_scenario_is_found_by_the_name_of_its_directory(
    tmp_path: Path, role: Role, directory: str, name: str
) -> None:
    left(tmp_path, directory, check("one", "SUCCESS"))
    (found,) = read(tmp_path, Required(scored=(name,)), role)
    assert found == Scenario(name=name, scored=True, checks=(Check(id="one", verdict="SUCCESS"),))
    assert not found.failed


def test_scenarios_come_in_the_order_of_the_requirement_set_and_missing_ones_failed(tmp_path: Path) -> None:
    left(tmp_path, "server-b-2026-11-30T10-57-50-863Z", check("one", "SUCCESS"))
    left(tmp_path, "server-c-2026-11-30T10-57-50-863Z", check("one", "FAILURE", "it broke"))
    a, b, c = read(tmp_path, Required(scored=("a", "b"), others=(("c", "pending"),)), "server")
    assert (a.failed, b.failed, c.failed) == (True, False, True)
    assert (c.scored, c.unscored_because) == (False, "pending")
    assert c.checks[0].message == "it broke"


def test_a_warning_fails_no_scenario(tmp_path: Path) -> None:
    left(tmp_path, "server-a-2026-11-30T10-57-50-863Z", check("one", "WARNING"))
    (found,) = read(tmp_path, Required(scored=("a",)), "server")
    assert not found.failed


def test_checks_with_the_same_id_count_as_the_worst_of_them() -> None:
    checks = [
        Check(id="a", verdict="SUCCESS"),
        Check(id="b", verdict="INFO"),
        Check(id="a", verdict="FAILURE", message="the second time"),
        Check(id="a", verdict="WARNING"),
    ]
    assert worst(checks) == (
        Check(id="a", verdict="FAILURE", message="the second time"),
        Check(id="b", verdict="INFO"),
    )


@pytest.mark.parametrize("text", ["", "{}x", "[1]", '[{"id": "a"}]', '[{"id": "a", "status": "MAYBE"}]'])
def test_checks_of_another_form_are_refused(tmp_path: Path, text: str) -> None:
    place = tmp_path / "server-a-2026-11-30T10-57-50-863Z"
    place.mkdir()
    (place / "checks.json").write_text(text, encoding="utf-8")
    with pytest.raises(Unreadable):
        read(tmp_path, Required(scored=("a",)), "server")
