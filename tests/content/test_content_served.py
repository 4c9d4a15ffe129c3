"""Content through the endpoint, to clients of both eras, as they read it on the wire."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.bounds import bound
from tests.content.conftest import ANALYZE, Folder
from tests.serve.speaking import Speaker, speaking

from prowess import Host
from prowess.content.memory import MemoryContent
from prowess.host.storing import Store
from prowess.serve.endpoint import Endpoint

pytestmark = pytest.mark.anyio

API = "embedded:guide/api"
FILES = {
    "prompts/analyze.md": ANALYZE,
    "resources/api.md": "# API\n",
    "templates/s.md": "---\nuriTemplate: embedded:guide/s/{section}\n---\n",
    "templates/s/权限.md": "权限",
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@asynccontextmanager
async def serving(guides: Folder, content: MemoryContent) -> AsyncIterator[Endpoint]:
    """What is in the folder itself is not asked: the provider is given."""
    async with Host.open(guides.root, providers=[content], store=Store.in_memory()) as host:
        yield Endpoint(host)


async def result(client: Speaker, method: str, old: bool, **params: Any) -> Any:
    answer = await client.ask(method, params, old=old)
    return answer.get("result") or answer["error"]


@pytest.mark.parametrize("old", [False, True], ids=["2026-07-28", "2025-11-25"])
async def test_a_client_lists_starts_reads_and_completes(guides: Folder, old: bool) -> None:
    content = MemoryContent(FILES)
    async with serving(guides, content) as endpoint, speaking(endpoint) as client:
        if old:
            await client.shake_hands()
        listed = await result(client, "prompts/list", old)
        assert listed["prompts"] == [each.wire for each in content.offer().prompts]
        listed = await result(client, "resources/templates/list", old)
        assert [each["uriTemplate"] for each in listed["resourceTemplates"]] == ["embedded:guide/s/{section}"]
        got = await result(client, "prompts/get", old, name="analyze-report", arguments={"report_id": "7"})
        assert got["messages"][0]["content"] == {"type": "text", "text": "Analyse 7 in ."}
        for uri, text in ((API, "# API\n"), ("embedded:guide/s/%E6%9D%83%E9%99%90", "权限")):
            read = await result(client, "resources/read", old, uri=uri)
            assert read["contents"] == [{"uri": uri, "mimeType": "text/markdown", "text": text}]
        ref = {"type": "ref/resource", "uri": "embedded:guide/s/{section}"}
        argument = {"name": "section", "value": "权"}
        completed = await result(client, "completion/complete", old, ref=ref, argument=argument)
        assert completed["completion"] == {"values": ["权限"], "total": 1, "hasMore": False}


@pytest.mark.parametrize("old", [False, True], ids=["2026-07-28", "2025-11-25"])
async def test_a_client_is_told_what_is_valid(guides: Folder, old: bool) -> None:
    async with serving(guides, MemoryContent(FILES)) as endpoint, speaking(endpoint) as client:
        if old:
            await client.shake_hands()
        error = await result(client, "prompts/get", old, name="analyze-report")
        assert error["code"] == -32602
        assert error["data"] == {"missing": ["report_id"], "arguments": ["report_id", "language"]}
        error = await result(client, "resources/read", old, uri="embedded:guide/apis")
        assert error["code"] == (-32002 if old else -32602)
        assert error["data"] == {"uri": "embedded:guide/apis", "nearest": [API]}


async def test_a_client_that_listens_hears_of_changes(guides: Folder) -> None:
    content = MemoryContent(FILES)
    wanted = {"notifications": {"promptsListChanged": True, "resourceSubscriptions": [API]}}
    async with serving(guides, content) as endpoint, speaking(endpoint) as client:
        await client.begin("subscriptions/listen", wanted)
        async with asyncio.timeout(bound(10)):
            while (await client.receive())["method"] != "notifications/subscriptions/acknowledged":
                pass
            await content.put("resources/api.md", "# ABC\n")
            heard = await client.receive()
            assert heard["method"] == "notifications/resources/updated"
            assert heard["params"]["uri"] == API
            await content.remove("prompts/analyze.md")
            assert (await client.receive())["method"] == "notifications/prompts/list_changed"
