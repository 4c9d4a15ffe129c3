"""Tools in a provider's words, and a model's calls answered in them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from prowess.call.limits import Limits
from prowess.call.recording import MemoryRecorder
from prowess.errors import UsageError
from prowess.host import Host
from prowess.host.storing import Store
from prowess.provider import MemoryProvider

pytestmark = pytest.mark.anyio

PLUGIN = {"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "sample"}
SCHEMA = {"type": "object", "properties": {"week": {"type": "string", "pattern": "^W"}}, "required": ["week"]}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    (tmp_path / "plugin.json").write_text(json.dumps(PLUGIN))
    return tmp_path


async def rows(arguments: Mapping[str, Any]) -> Any:
    return {"week": arguments["week"], "rows": list(range(300))}


async def blocks(arguments: Mapping[str, Any]) -> Any:
    picture = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
    return [{"type": "text", "text": "look"}, picture]


def books(label: str = "books") -> MemoryProvider:
    return MemoryProvider(
        label, {"find": ({"inputSchema": SCHEMA}, rows), "see": ({"inputSchema": SCHEMA}, blocks)}
    )


def openai(name: str, arguments: str) -> dict[str, Any]:
    return {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}


def anthropic(name: str, arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": "t1", "name": name, "input": arguments}


def gemini(name: str, arguments: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": arguments}}


async def test_a_host_of_one_server_uses_the_tools_own_names_and_one_of_two_does_not(package: Path) -> None:
    async with Host.open(package, providers=[books()], store=Store.in_memory()) as host:
        names = [each["name"] for each in await host.tools("anthropic", read_on=False)]
        assert names == ["find", "see"]
    async with Host.open(package, providers=[books("a"), books("b")], store=Store.in_memory()) as host:
        names = [each["name"] for each in await host.tools("anthropic", read_on=False)]
        assert names == ["a__find", "a__see", "b__find", "b__see"]
        answer = await host.handle(anthropic("b__see", {"week": "W1"}))
    assert answer["content"] == "look\n(image image/png, 3 bytes, not shown)"


@pytest.mark.parametrize("form", ["openai", "anthropic", "gemini"])
async def test_an_answer_comes_in_the_form_of_the_call(package: Path, form: str) -> None:
    arguments = {"week": "W1"}
    call = {
        "openai": openai("find", json.dumps(arguments)),
        "anthropic": anthropic("find", arguments),
        "gemini": gemini("find", arguments),
    }[form]
    async with Host.open(package, providers=[books()], store=Store.in_memory()) as host:
        answer = await host.handle(call)
        assert answer == await host.handle(call, form)
    value = {"week": "W1", "rows": list(range(300))}
    expected = {
        "openai": {"role": "tool", "tool_call_id": "c1", "content": json.dumps(value, sort_keys=True)},
        "anthropic": {
            "type": "tool_result",
            "tool_use_id": "t1",
            "content": json.dumps(value, sort_keys=True),
        },
        "gemini": {"functionResponse": {"name": "find", "response": {"output": value}}},
    }[form]
    assert answer == expected


async def test_a_wrong_argument_is_answered_with_its_problems_and_the_next_call_works(package: Path) -> None:
    records = MemoryRecorder()
    opened = Host.open(package, providers=[books()], records=records, store=Store.in_memory())
    async with opened as host:
        wrong = await host.handle(anthropic("find", {"week": "31"}))
        assert wrong["is_error"] is True
        told = json.loads(wrong["content"])
        assert told["refused"] == "invalid-arguments"
        assert [each["path"] for each in told["problems"]] == ["/week"]
        assert "is_error" not in await host.handle(anthropic("find", {"week": "W31"}))
    assert [each.outcome for each in records.calls] == ["refused", "answered"]


async def test_arguments_that_are_no_json_are_told_to_the_model_and_on_record(package: Path) -> None:
    records = MemoryRecorder()
    opened = Host.open(package, providers=[books()], records=records, store=Store.in_memory())
    async with opened as host:
        answer = await host.handle(openai("find", '{"week": '))
    assert "not JSON" in answer["content"]
    assert [(each.outcome, each.code) for each in records.calls] == [("refused", "invalid-arguments")]


async def test_a_name_that_is_not_there_is_told_to_the_model_with_the_nearest(package: Path) -> None:
    async with Host.open(package, providers=[books()], store=Store.in_memory()) as host:
        answer = await host.handle(openai("fnd", "{}"))
    assert "fnd" in answer["content"]
    assert "find" in answer["content"]


async def test_what_is_no_call_is_a_mistake_of_the_caller(package: Path) -> None:
    async with Host.open(package, providers=[books()], store=Store.in_memory()) as host:
        for nonsense in ({"hello": 1}, [1], "find"):
            with pytest.raises(UsageError):
                await host.handle(nonsense)
        with pytest.raises(UsageError):
            await host.tools("cobol")


async def test_a_model_reads_a_large_result_to_its_end(package: Path) -> None:
    limits = Limits(result_bytes=500)
    async with Host.open(package, providers=[books()], limits=limits, store=Store.in_memory()) as host:
        names = [each["name"] for each in await host.tools("anthropic")]
        assert "read_on_result" in names
        part = json.loads((await host.handle(anthropic("find", {"week": "W1"})))["content"])
        found = part["value"]["rows"]
        while "next_handle" in part:
            call = anthropic("read_on_result", {"handle": part["next_handle"]})
            part = json.loads((await host.handle(call))["content"])
            found += part["value"]["rows"]
        assert found == list(range(300))
        over = await host.handle(anthropic("read_on_result", {"handle": "nonsense"}))
    assert over["is_error"] is True


async def test_a_hidden_tool_keeps_its_name_and_is_refused(package: Path) -> None:
    store = Store.in_memory()
    async with Host.open(package, providers=[books()], store=store) as host:
        await host.tools("openai")
    changed = MemoryProvider("books", {"find": ({"inputSchema": {"type": "object"}}, rows)})
    async with Host.open(package, providers=[changed], store=store) as host:
        assert await host.tools("openai") == []
        answer = await host.handle(openai("find", '{"week": "W1"}'))
    assert "not what it was" in answer["content"]
