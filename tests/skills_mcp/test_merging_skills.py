"""A gateway's skills: ours first, then those of its servers, unchanged and asked of their server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.skills_mcp.packaging import Packages, request
from tests.skills_mcp.server_of_skills import LEGACY, ServerOfSkills

from prowess.errors import RequestFailed
from prowess.host import Host
from prowess.host.storing import Store
from prowess.serve.endpoint import ANYBODY
from prowess.serve.skills import SkillsOffer

pytestmark = pytest.mark.anyio

INVALID_PARAMS = -32602


@asynccontextmanager
async def offered(place: Path, *servers: ServerOfSkills) -> AsyncIterator[SkillsOffer]:
    async with Host.open(place, providers=servers, store=Store.in_memory()) as host:
        yield SkillsOffer(host)


@pytest.fixture
def place(packages: Packages) -> Path:
    return packages.package("books", {"sum": {}})


@pytest.fixture
def docs() -> ServerOfSkills:
    server = ServerOfSkills("docs")
    server.skill("pdf", {"a/b.md": "b", "a/c/d.md": "d"})
    return server


async def listed(offer: SkillsOffer) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = (await offer.answer(request("skills/list")))["skills"]
    return entries


async def code(offer: SkillsOffer, method: str, **params: Any) -> int:
    with pytest.raises(RequestFailed) as failed:
        await offer.answer(request(method, **params))
    return failed.value.number


async def test_a_servers_entries_come_after_ours_and_as_it_sent_them(
    place: Path, docs: ServerOfSkills
) -> None:
    docs.entries["skill://pdf/SKILL.md"]["x-unknown"] = {"kept": True}
    async with offered(place, docs) as offer:
        ours, theirs = await listed(offer)
    assert ours["uri"] == "skill://sum/SKILL.md"
    assert theirs == docs.entries["skill://pdf/SKILL.md"]


async def test_every_page_of_a_server_is_listed(place: Path) -> None:
    server = ServerOfSkills("docs")
    server.page_size = 2
    paths = [server.skill(f"skill-{each}") for each in range(5)]
    async with offered(place, server) as offer:
        assert [each["uri"] for each in (await listed(offer))[1:]] == paths


async def test_without_skills_of_ours_a_servers_cache_hints_hold(
    packages: Packages, docs: ServerOfSkills
) -> None:
    docs.ttl_ms = 5_000
    other = ServerOfSkills("other")
    other.ttl_ms = 2_000
    async with offered(packages.package("books", {}), docs, other) as offer:
        assert offer.served
        result = await offer.answer(request("skills/list"))
        assert (result["ttlMs"], result["cacheScope"]) == (2_000, "public")
        await offer.answer(request("skills/list"))
    assert docs.methods().count("skills/list") == 1


async def test_a_uri_of_ours_is_ours_and_the_other_is_left_out_with_a_note(place: Path) -> None:
    server = ServerOfSkills("docs")
    server.skill("sum", {"theirs.md": "x"})
    async with offered(place, server) as offer:
        (entry,) = await listed(offer)
        assert len(entry["resources"]) == 1
        got = await offer.answer(request("skills/get", uri="skill://sum/SKILL.md"))
        assert got["skill"] == entry
        assert any("skill://sum/SKILL.md" in each for each in offer.notes)


async def test_of_two_servers_with_one_uri_the_first_has_it(place: Path, docs: ServerOfSkills) -> None:
    other = ServerOfSkills("other")
    other.skill("pdf")
    async with offered(place, other, docs) as offer:
        assert len(await listed(offer)) == 2
        await offer.answer(request("skills/get", uri="skill://pdf/SKILL.md"))
        assert await offer.owner(request("resources/read"), "skill://pdf/a/b.md") == "docs"
    assert "skills/get" in docs.methods() and "skills/get" not in other.methods()


async def test_a_skill_that_no_server_lists_is_asked_of_each(place: Path, docs: ServerOfSkills) -> None:
    other = ServerOfSkills("other")
    uri = other.skill("hidden")
    other.unlisted.add(uri)
    async with offered(place, docs, other) as offer:
        result = await offer.answer(request("skills/get", uri=uri))
        assert result["skill"] == other.entries[uri]
        assert await code(offer, "skills/get", uri="skill://none/SKILL.md") == INVALID_PARAMS


async def test_the_owner_of_a_file_is_the_server_whose_skill_it_belongs_to(
    place: Path, docs: ServerOfSkills
) -> None:
    async with offered(place, docs) as offer:
        asked = request("resources/read")
        assert await offer.owner(asked, "skill://pdf/a/b.md") == "docs"
        assert await offer.owner(asked, "skill://pdf-2/a/b.md") is None
        assert await offer.owner(asked, "skill://sum/SKILL.md") is None
        assert await offer.read(ANYBODY, "skill://pdf/a/b.md") is None


async def test_a_directory_is_asked_of_its_server_or_told_from_its_entry(
    place: Path, docs: ServerOfSkills
) -> None:
    asked = request("resources/directory/read", uri="skill://pdf/a")
    async with offered(place, docs) as offer:
        assert (await offer.answer(asked))["resources"][0]["name"] == "seen"
    docs.settings = {}
    docs.asked.clear()
    async with offered(place, docs) as offer:
        found = (await offer.answer(asked))["resources"]
        assert {each["uri"]: each["mimeType"] for each in found} == {
            "skill://pdf/a/b.md": "text/markdown",
            "skill://pdf/a/c": "inode/directory",
        }
        for uri in ("skill://pdf/a/b.md", "skill://pdf/none", "skill://elsewhere"):
            assert await code(offer, "resources/directory/read", uri=uri) == INVALID_PARAMS
    assert "resources/directory/read" not in docs.methods()


async def test_a_server_without_the_extension_is_asked_nothing(packages: Packages) -> None:
    old, silent = ServerOfSkills("old", protocol=LEGACY), ServerOfSkills("silent")
    old.skill("pdf")
    silent.settings = None
    async with offered(packages.package("books", {}), old, silent) as offer:
        assert not offer.served and await listed(offer) == []
        assert await code(offer, "skills/get", uri="skill://pdf/SKILL.md") == INVALID_PARAMS
    assert old.asked == [] and silent.asked == []


async def test_a_caller_gets_the_skills_of_servers_within_reach_only(
    packages: Packages, docs: ServerOfSkills
) -> None:
    packages.package("books", {})
    file = packages.config("books", more='[serve.tokens.ann]\ntoken = { env = "TOKEN" }\nservers = ["books"]')
    async with offered(file, docs) as offer:
        result = await offer.answer(request("skills/list", principal="ann"))
        assert result["skills"] == [] and docs.asked == []
        assert await offer.owner(request("resources/read", principal="ann"), "skill://pdf/a/b.md") is None
        assert await code(offer, "skills/get", principal="ann", uri="skill://pdf/SKILL.md") == INVALID_PARAMS
        assert len(await listed(offer)) == 1


async def test_a_server_that_fails_costs_its_own_entries(place: Path, docs: ServerOfSkills) -> None:
    broken = ServerOfSkills("broken")
    broken.failing["skills/list"] = RequestFailed("no", number=-32603)
    async with offered(place, broken, docs) as offer:
        assert len(await listed(offer)) == 2
        assert any("broken" in each for each in offer.notes)


async def test_a_servers_own_error_reaches_the_client(place: Path, docs: ServerOfSkills) -> None:
    docs.failing["skills/get"] = RequestFailed("not now", number=-32050, data={"wait": 1})
    async with offered(place, docs) as offer:
        with pytest.raises(RequestFailed) as failed:
            await offer.answer(request("skills/get", uri="skill://pdf/SKILL.md"))
    assert (failed.value.number, failed.value.data) == (-32050, {"wait": 1})
