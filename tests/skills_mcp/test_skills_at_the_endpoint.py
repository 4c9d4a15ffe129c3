"""Skills as any client of an endpoint meets them: declared, as resources, as prompts, read where they are."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.skills_mcp.packaging import Packages, request
from tests.skills_mcp.server_of_skills import ServerOfSkills

from prowess.capability.skill_entry import EXTENSION
from prowess.errors import RequestFailed
from prowess.host import Host
from prowess.host.storing import Store
from prowess.serve.endpoint import Endpoint
from prowess.serve.request import Era

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def served(place: Path, *servers: ServerOfSkills) -> AsyncIterator[Endpoint]:
    async with Host.open(place, providers=servers, store=Store.in_memory()) as host:
        yield Endpoint(host)


@pytest.fixture
def place(packages: Packages) -> Path:
    return packages.package("books", {"sum": {"a.md": "ours"}})


async def read(endpoint: Endpoint, uri: str, era: Era = "modern") -> dict[str, Any]:
    return await endpoint.answer(request("resources/read", era=era, uri=uri))


async def test_the_extension_is_declared_with_resources_in_the_newer_era_only(place: Path) -> None:
    async with served(place) as endpoint:
        modern, legacy = endpoint.capabilities("modern"), endpoint.capabilities("legacy")
        found = await endpoint.answer(request("skills/list"))
    assert modern["extensions"] == {EXTENSION: {"directoryRead": True}}
    assert "resources" in modern and "resources" in legacy and "prompts" in legacy
    assert "extensions" not in legacy
    assert [each["uri"] for each in found["skills"]] == ["skill://sum/SKILL.md"]


async def test_without_skills_nothing_is_declared(packages: Packages) -> None:
    async with served(packages.package("none", {})) as endpoint:
        assert EXTENSION not in endpoint.capabilities("modern").get("extensions", {})


@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_every_client_has_skills_as_resources_and_prompts(place: Path, era: Era) -> None:
    async with served(place) as endpoint:
        resources = await endpoint.answer(request("resources/list", era=era))
        prompts = await endpoint.answer(request("prompts/list", era=era))
        prompt = await endpoint.answer(request("prompts/get", era=era, name="sum"))
        result = await read(endpoint, "skill://sum/a.md", era)
    assert [each["uri"] for each in resources["resources"]] == ["skill://sum/SKILL.md"]
    assert [each["name"] for each in prompts["prompts"]] == ["sum"]
    assert "Do it." in prompt["messages"][0]["content"]["text"]
    assert result["contents"][0]["text"] == "ours"
    assert ("ttlMs" in result) is (era == "modern")


async def test_a_file_of_a_servers_skill_is_read_at_that_server(place: Path) -> None:
    docs, other = ServerOfSkills("docs"), ServerOfSkills("other")
    docs.skill("pdf", {"b.md": "of docs"})
    async with served(place, docs, other) as endpoint:
        result = await read(endpoint, "skill://pdf/b.md")
        assert result["contents"][0]["text"] == "of docs"
        with pytest.raises(RequestFailed) as failed:
            await read(endpoint, "skill://none/b.md")
    assert failed.value.number == -32602
    assert "skill://pdf/b.md" not in other.reads()


async def test_what_is_read_is_what_was_listed_also_where_a_server_has_the_same_uri(place: Path) -> None:
    first, second = ServerOfSkills("first"), ServerOfSkills("second")
    for server, text in ((first, "of the first"), (second, "of the second")):
        server.skill("sum", {"a.md": "theirs"})
        server.skill("pdf", {"b.md": text})
    second.resources = ["skill://sum/SKILL.md", "skill://pdf/SKILL.md", "skill://pdf/b.md"]
    async with served(place, first, second) as endpoint:
        found = await endpoint.answer(request("skills/list"))
        assert [each["uri"] for each in found["skills"]] == ["skill://sum/SKILL.md", "skill://pdf/SKILL.md"]
        listed = [each["name"] for each in (await endpoint.answer(request("resources/list")))["resources"]]
        assert sorted(listed) == ["sum", "theirs", "theirs"]
        assert (await read(endpoint, "skill://sum/a.md"))["contents"][0]["text"] == "ours"
        assert (await read(endpoint, "skill://pdf/b.md"))["contents"][0]["text"] == "of the first"
