"""Local skills: the project's and the person's, in a Host, in a server, and with `--local`."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from tests.bounds import bound
from tests.importing.conftest import Run
from tests.serve.speaking import speaking
from tests.skills_mcp.packaging import request

from prowess.host import Host
from prowess.provider import Change
from prowess.serve.endpoint import Endpoint

WITHIN = 2.0  # seconds, from the disk to who listens


def skill(folder: Path, name: str, about: str = "Greets people. Use when somebody arrives.") -> Path:
    (folder / name).mkdir(parents=True, exist_ok=True)
    file = folder / name / "SKILL.md"
    file.write_text(f"---\nname: {name}\ndescription: {about}\n---\nDo it.\n")
    return file


@pytest.fixture
def places(here: Path) -> tuple[Path, Path]:
    """The project's and the person's folder of skills, with a skill each and one that both have."""
    project, personal = here / ".agents" / "skills", Path(os.environ["HOME"]) / ".agents" / "skills"
    skill(project, "greet")
    skill(personal, "greet", "Another one. Use when somebody arrives.")
    skill(personal, "thank")
    return project, personal


@pytest.fixture
def package(here: Path) -> Path:
    root = here / "sample"
    skill(root / "skills", "sort")
    schema = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
    (root / "plugin.json").write_text(f'{{"$schema": "{schema}", "name": "sample"}}')
    return root


def test_a_host_offers_them_only_when_it_is_asked_to(package: Path, places: tuple[Path, Path]) -> None:
    async def names(local: bool) -> list[str]:
        async with Host.open(package, local=local, connect=False) as host:
            return [each.name for each in host.local_skills]

    assert asyncio.run(names(False)) == ["sort"]
    assert asyncio.run(names(True)) == ["sample/sort", "project/greet", "personal/thank"]


def test_the_project_s_skill_counts_before_the_person_s_and_that_is_said(
    package: Path, places: tuple[Path, Path]
) -> None:
    async def look() -> tuple[str, tuple[str, ...]]:
        async with Host.open(package, local=True, connect=False) as host:
            return host.activate("greet").directory, host.skill_notes

    directory, notes = asyncio.run(look())
    assert directory == str(places[0] / "greet")
    assert notes == ("the personal skill greet is left out: the project one counts",)


def test_a_folder_of_skills_is_a_path_too(places: tuple[Path, Path]) -> None:
    async def look() -> list[str]:
        async with Host.open(places[1]) as host:
            return [each.name for each in host.local_skills]

    assert asyncio.run(look()) == ["greet", "thank"]


def test_a_snapshot_is_still_of_the_one_plugin(package: Path, places: tuple[Path, Path]) -> None:
    async def look() -> list[str]:
        async with Host.open(package, local=True, connect=False) as host:
            return [each.name for each in host.snapshot().skills]

    assert asyncio.run(look()) == ["sort"]


class Heard:
    """Changes as they are told."""

    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.something = asyncio.Event()

    def hear(self, change: Change) -> None:
        self.kinds.append(change.kind)
        self.something.set()

    async def soon(self) -> None:
        await asyncio.wait_for(self.something.wait(), bound(WITHIN))
        self.something.clear()


def test_a_skill_that_appears_changes_or_goes_is_offered_so_within_two_seconds(
    package: Path, places: tuple[Path, Path]
) -> None:
    async def live() -> None:
        heard = Heard()
        async with Host.open(package, local=True) as host:
            end = host.listen(heard.hear)
            file = skill(places[0], "wave")
            await heard.soon()
            assert "project/wave" in [each.name for each in host.local_skills]
            assert heard.kinds == ["prompts", "resources"]
            skill(places[0], "wave", "Waves at people. Use when somebody leaves the house.")
            await heard.soon()
            assert "Waves at people" in next(
                each.skill.description for each in host.local_skills if each.name == "project/wave"
            )
            file.unlink()
            file.parent.rmdir()
            await heard.soon()
            assert "project/wave" not in [each.name for each in host.local_skills]
            skill(package / "skills", "count")
            await heard.soon()
            assert "sample/count" in [each.name for each in host.local_skills]
            end()
            skill(places[0], "again")
            told = len(heard.kinds)
        assert len(heard.kinds) == told

    asyncio.run(live())


def test_a_place_that_appears_later_is_looked_at_too(package: Path, here: Path) -> None:
    async def live() -> None:
        heard = Heard()
        async with Host.open(package, local=True) as host:
            host.listen(heard.hear)
            skill(here / ".claude" / "skills", "wave")
            await heard.soon()
            assert "project-claude/wave" in [each.name for each in host.local_skills]

    asyncio.run(live())


def test_a_plugin_that_breaks_meanwhile_keeps_the_skills_that_it_had(package: Path) -> None:
    async def live() -> None:
        heard = Heard()
        async with Host.open(package) as host:
            host.listen(heard.hear)
            (package / "plugin.json").write_text("{")
            skill(package / "skills", "count")
            await heard.soon()
            assert [each.name for each in host.local_skills] == ["sort"]

    asyncio.run(live())


def test_a_running_server_serves_a_skill_that_appeared(package: Path, places: tuple[Path, Path]) -> None:
    async def live() -> None:
        heard = Heard()
        async with Host.open(package, local=True) as host:
            endpoint = Endpoint(host)
            host.listen(heard.hear)

            async def uris() -> list[str]:
                listed = await endpoint.answer(request("skills/list"))
                return [each["uri"] for each in listed["skills"]]

            assert "skill://wave/SKILL.md" not in await uris()
            skill(places[0], "wave")
            await heard.soon()
            assert "skill://wave/SKILL.md" in await uris()
            read = await endpoint.answer(request("resources/read", uri="skill://wave/SKILL.md"))
            assert "name: wave" in read["contents"][0]["text"]
            prompts = await endpoint.answer(request("prompts/list"))
            assert "wave" in [each["name"] for each in prompts["prompts"]]

    asyncio.run(live())


def test_clients_of_both_eras_are_told_within_two_seconds(package: Path, places: tuple[Path, Path]) -> None:
    kinds = {"notifications/prompts/list_changed", "notifications/resources/list_changed"}
    wanted = {"notifications": {"promptsListChanged": True, "resourcesListChanged": True}}

    async def live() -> None:
        async with Host.open(package, local=True) as host, speaking(Endpoint(host)) as client:
            await client.begin("subscriptions/listen", wanted)
            assert (await client.receive())["method"] == "notifications/subscriptions/acknowledged"
            skill(places[0], "wave")
            async with asyncio.timeout(bound(WITHIN)):
                assert {(await client.receive())["method"] for _ in kinds} == kinds
        async with Host.open(package, local=True) as host, speaking(Endpoint(host)) as client:
            await client.shake_hands()
            skill(places[0], "nod")
            async with asyncio.timeout(bound(WITHIN)):
                assert {(await client.receive())["method"] for _ in kinds} == kinds

    asyncio.run(live())


def test_a_server_without_any_skill_yet_declares_that_it_may_have_some(here: Path) -> None:
    (here / "units").mkdir()
    (here / "units" / "a.py").write_text("")
    root = here / "empty"
    root.mkdir()
    schema = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
    (root / "plugin.json").write_text(f'{{"$schema": "{schema}", "name": "empty"}}')

    async def declared(local: bool) -> bool:
        async with Host.open(root, local=local) as host:
            told = await Endpoint(host).answer(request("server/discover"))
            return "extensions" in told["capabilities"]

    assert not asyncio.run(declared(False))
    assert asyncio.run(declared(True))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["skills"], "project/greet"),
        (["check"], "skills without a plugin"),
        (["scan"], ".agents/skills: 1 file read"),
        (["catalogue"], "greet"),
    ],
)
def test_a_verb_with_local_shows_what_it_does_not_without(
    prowess: Run, package: Path, places: tuple[Path, Path], arguments: list[str], expected: str
) -> None:
    assert expected in prowess(*arguments, package, "--local").out
    assert expected not in prowess(*arguments, package).out


def test_one_local_skill_is_activated_shown_and_searched_for(
    prowess: Run, package: Path, places: tuple[Path, Path]
) -> None:
    assert "Do it." in prowess("activate", package, "project/greet", "--local").out
    assert prowess("activate", package, "project/greet").status == 2
    assert "Do it." in prowess("show", package, "thank", "--local").out
    assert prowess("show", package, "thank").status == 2
    assert "thank" in prowess("search", package, "greets people who arrive", "--local").out
    assert "thank" not in prowess("search", package, "greets people who arrive").out
