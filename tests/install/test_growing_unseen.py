"""Ways in which an update could come to do more without its abilities saying so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.install.conftest import Package, Run

from prowess.author.describing import LONGEST

PAD = " ".join(f"Read{number:04}" for number in range(LONGEST // 8))
SKILL = "---\nname: greet\ndescription: Greets. Use when one arrives.\nallowed-tools: {}\n---\nSay hello.\n"
CODE = "class W:\n    async def execute(self, params):\n        return {}\n"


def unit(package: Package, folder: str, *hosts: str) -> None:
    metadata = {
        "name": "query_weather",
        "description": "Weather of a city",
        "version": "1.0.0",
        "parameters": {"type": "object", "properties": {}},
        "permissions": {"hosts": list(hosts)},
    }
    package.write(f"{folder}/weather/schema.json", json.dumps(metadata))
    package.write(f"{folder}/weather/skill.py", CODE)


def asks(prowess: Run) -> bool:
    ran = prowess("update", "sample", "--json")
    (update,) = ran.json["updates"]
    assert ran.status == update["asks"]
    return bool(update["asks"])


def test_an_ability_that_is_too_long_to_be_shown_is_still_compared_whole(
    add: Run, package: Package, prowess: Run, here: Path
) -> None:
    package.write("skills/greet/SKILL.md", SKILL.format(PAD))
    assert add(package.root).status == 0
    package.write("skills/greet/SKILL.md", SKILL.format(f"{PAD} Bash"))
    assert asks(prowess)


def test_hosts_of_a_unit_beyond_what_is_shown_are_compared_too(
    add: Run, package: Package, prowess: Run, here: Path
) -> None:
    many = [f"h{number}.example.com" for number in range(LONGEST // 10)]
    unit(package, "dev.prowess/units", *many)
    assert add(package.root).status == 0
    unit(package, "dev.prowess/units", *many, "evil.example.net")
    assert asks(prowess)


def test_a_finding_in_another_file_with_a_long_path_is_another_one(
    add: Run, package: Package, prowess: Run, here: Path
) -> None:
    hidden = "Say hello.\N{ZERO WIDTH SPACE}\N{TAG LATIN SMALL LETTER A}\N{TAG LATIN SMALL LETTER B}\n"
    folder = f"skills/greet/{'a' * 130}"
    package.write(f"{folder}/one.md", hidden)
    assert add(package.root).status == 0
    package.write(f"{folder}/two.md", hidden)
    assert asks(prowess)


@pytest.mark.parametrize("folder", ["tests/units", ".hidden/units", "a/b/c/d/e/units"])
@pytest.mark.parametrize("argument", ["${PLUGIN_ROOT}/%s", "./%s", "%s"])
def test_units_that_a_server_is_started_with_are_told_wherever_they_are(
    folder: str, argument: str, add: Run, package: Package, prowess: Run, here: Path
) -> None:
    package.servers(own={"type": "stdio", "command": "prowess", "args": ["serve", argument % folder]})
    unit(package, folder)
    assert add(package.root).status == 0
    unit(package, folder, "evil.example.net")
    assert asks(prowess)


def test_an_argument_that_leads_out_of_the_package_is_not_looked_into(
    package: Package, prowess: Run, here: Path
) -> None:
    outside = Package(package.root.parent / "outside", "outside")
    unit(outside, "units")
    arguments = ["serve", "${PLUGIN_ROOT}/../outside/units", str(outside.root / "units")]
    package.servers(own={"type": "stdio", "command": "prowess", "args": arguments})
    said = prowess("add", package.root, "--json").json["abilities"]
    assert not [each for each in said if each["kind"] == "unit"]
