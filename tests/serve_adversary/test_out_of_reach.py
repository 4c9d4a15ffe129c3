"""What a caller may not reach is nowhere: no list, no name, no hint, no error tells of it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.serve.offering import Nobody, Offering

from prowess.capability.skill_entry import EXTENSION
from prowess.errors import RequestFailed
from prowess.host import Host
from prowess.host.serving import ServeSection
from prowess.host.storing import Store
from prowess.provider import Caller
from prowess.serve.endpoint import Endpoint
from prowess.serve.request import CALLER_STATE, Request

pytestmark = pytest.mark.anyio

CONFIG = """format = 1
[plugins]
shop = "shop"
bank = "bank"
[serve]
names = "qualified"
[serve.tokens.ann]
token = { env = "ANN_TOKEN" }
[serve.tokens.bob]
token = { env = "BOB_TOKEN" }
servers = ["shop/*"]
tools = ["list_*"]
[serve.tokens.sue]
token = { env = "SUE_TOKEN" }
servers = ["depot/*"]
"""
SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
SECRET = "bank"


def plugin(folder: Path, name: str, *skills: str) -> None:
    (folder / name).mkdir()
    (folder / name / "plugin.json").write_text(json.dumps({"$schema": SCHEMA, "name": name}))
    for each in skills:
        (folder / name / "skills" / each).mkdir(parents=True)
        text = f"---\nname: {each}\ndescription: What {name} does with {each}.\n---\nAsk the {name}.\n"
        (folder / name / "skills" / each / "SKILL.md").write_text(text)


def server(label: str, *prompts: str) -> Offering:
    tools = [{"name": each} for each in ("list_things", "move_money")]
    return Offering(label, tools=tools, prompts=[{"name": each} for each in prompts])


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[Host]:
    plugin(tmp_path, "shop", "sell", "count")
    plugin(tmp_path, "bank", "bank-transfer", "count")
    (tmp_path / "prowess.toml").write_text(CONFIG)
    servers = [server("shop/api"), server("bank/api"), server("depot/api")]
    async with Host.open(tmp_path / "prowess.toml", providers=servers, store=Store.in_memory()) as opened:
        yield opened


async def ask(endpoint: Endpoint, who: str, method: str, /, **params: Any) -> dict[str, Any]:
    request = Request(
        method=method,
        params=params,
        caller=Caller(principal=who),
        peer=Nobody(),
        era="modern",
        version="2026-07-28",
    )
    return await endpoint.answer(request)


async def refusal(endpoint: Endpoint, who: str, method: str, /, **params: Any) -> RequestFailed:
    with pytest.raises(RequestFailed) as refused:
        await ask(endpoint, who, method, **params)
    return refused.value


LISTS = {
    "prompts/list": ("prompts", "name"),
    "resources/list": ("resources", "uri"),
    "skills/list": ("skills", "uri"),
}


@pytest.mark.parametrize("method", LISTS)
async def test_the_skills_of_a_plugin_out_of_reach_are_in_no_list(host: Host, method: str) -> None:
    key, name = LISTS[method]
    anns = [each[name] for each in (await ask(Endpoint(host), "ann", method))[key]]
    bobs = [each[name] for each in (await ask(Endpoint(host), "bob", method))[key]]
    assert any("bank-transfer" in each for each in anns) and any("sell" in each for each in bobs)
    assert not any(SECRET in each for each in bobs)


BANKS = "skill://bank-transfer/SKILL.md"


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("resources/read", {"uri": BANKS}),
        ("skills/get", {"uri": BANKS}),
        ("resources/directory/read", {"uri": "skill://bank-transfer"}),
        ("prompts/get", {"name": "bank-transfer"}),
        ("completion/complete", {"ref": {"type": "ref/prompt", "name": "bank-transfer"}}),
    ],
)
async def test_nor_can_they_be_read_by_name(host: Host, method: str, params: Mapping[str, Any]) -> None:
    endpoint = Endpoint(host)
    assert await ask(endpoint, "ann", method, **params)
    assert (await refusal(endpoint, "bob", method, **params)).number == -32602


async def test_a_caller_who_reaches_no_skill_is_not_told_of_the_extension(host: Host) -> None:
    endpoint = Endpoint(host)
    assert EXTENSION in endpoint.capabilities("modern", Caller(principal="bob"))["extensions"]
    assert "extensions" not in endpoint.capabilities("modern", Caller(principal="sue"))


async def use(endpoint: Endpoint, who: str, tool: str, /, **arguments: Any) -> str:
    result = await ask(endpoint, who, "tools/call", name=tool, arguments=arguments)
    return str(result["content"][0]["text"])


async def test_a_search_finds_no_skill_out_of_reach_and_activates_none(host: Host) -> None:
    endpoint = Endpoint.of(host, ServeSection(expose="search", names="qualified"))
    assert "bank-transfer" in await use(endpoint, "ann", "search_capabilities", query="bank transfer")
    assert "bank" not in await use(endpoint, "bob", "search_capabilities", query="what the shop sells: sell")
    assert "Ask the bank" in await use(endpoint, "ann", "activate_skill", name="bank-transfer")
    for tool in ("activate_skill", "describe_capability"):
        for name in ("bank-transfer", "bank/bank-transfer", "skill:bank-transfer"):
            said = await use(endpoint, "bob", tool, name=name)
            assert "Ask the bank" not in said and "What bank does" not in said


async def test_a_name_that_two_plugins_have_means_the_one_within_reach(host: Host) -> None:
    endpoint = Endpoint.of(host, ServeSection(expose="search", names="qualified"))
    assert "Ask the shop" in await use(endpoint, "bob", "activate_skill", name="count")
    said = await use(endpoint, "ann", "activate_skill", name="count")
    assert "shop/count" in said and "bank/count" in said


async def test_the_text_of_a_skill_is_given_each_time_that_it_is_asked_for(host: Host) -> None:
    # Requests that stand by themselves belong to no conversation: another one never got the text.
    endpoint = Endpoint.of(host, ServeSection(expose="search", names="qualified"))
    first, second = [await use(endpoint, "bob", "activate_skill", name="sell") for _ in range(2)]
    assert "Ask the shop" in first and first == second


async def test_who_is_elsewhere_is_given_uris_and_no_path_of_this_machine(host: Host, tmp_path: Path) -> None:
    endpoint = Endpoint.of(host, ServeSection(expose="search", names="qualified"))
    said = await use(endpoint, "bob", "activate_skill", name="sell")
    assert "skill://sell" in said and str(tmp_path) not in said
    assert await ask(endpoint, "bob", "resources/directory/read", uri="skill://sell")
    assert str(tmp_path) in await use(endpoint, "local", "activate_skill", name="sell")


async def test_a_tool_taken_for_a_skill_and_a_skill_for_a_tool_are_told_apart(host: Host) -> None:
    endpoint = Endpoint.of(host, ServeSection(expose="search", names="qualified"))
    tool = (
        await ask(
            endpoint, "bob", "tools/call", name="search_capabilities", arguments={"query": "list things"}
        )
    )["structuredContent"]["capabilities"][0]["name"]
    assert "call_capability" in await use(endpoint, "bob", "activate_skill", name=tool)
    skill = await use(endpoint, "bob", "call_capability", name="shop/sell")
    assert "activate_skill" in skill


async def test_no_hint_names_a_tool_out_of_reach(host: Host) -> None:
    endpoint = Endpoint(host, naming="qualified")
    anns = await refusal(endpoint, "ann", "tools/call", name="shop_api_move_mone")
    bobs = await refusal(endpoint, "bob", "tools/call", name="shop_api_move_mone")
    assert "move_money" in str(anns.data)
    assert "move_money" not in str(bobs.data) + str(bobs)


async def test_a_skill_stands_in_for_a_prompt_of_its_name_that_is_out_of_reach(tmp_path: Path) -> None:
    plugin(tmp_path, "shop", "sell")
    plugin(tmp_path, "bank")
    (tmp_path / "prowess.toml").write_text(CONFIG)
    servers = [server("bank/api", "sell")]
    async with Host.open(tmp_path / "prowess.toml", providers=servers, store=Store.in_memory()) as host:
        endpoint = Endpoint(host, naming="raw")
        for who, whose in (("ann", "prompts/get"), ("bob", "Ask the shop")):
            names = [each["name"] for each in (await ask(endpoint, who, "prompts/list"))["prompts"]]
            assert names == ["sell"]
            assert whose in json.dumps(await ask(endpoint, who, "prompts/get", name="sell"))


# -- over the HTTP API -----------------------------------------------------------------------------


@pytest.fixture
async def api(host: Host) -> AsyncIterator[httpx2.AsyncClient]:
    pytest.importorskip("fastapi")
    from prowess.serve.api import api_app

    app = api_app(host)

    async def known(scope: Any, receive: Any, send: Any) -> None:
        who = dict(scope["headers"])[b"x-who"].decode()
        await app({**scope, "state": {CALLER_STATE: Caller(principal=who)}}, receive, send)

    transport = httpx2.ASGITransport(app=known)
    async with httpx2.AsyncClient(
        transport=transport, base_url="http://api", headers={"x-who": "bob"}
    ) as made:
        yield made


@pytest.mark.parametrize("skill", ["move_money", "bank/api/list_things", "list_thing", "move_mone"])
async def test_an_unknown_skill_of_the_api_names_nothing_out_of_reach(
    api: httpx2.AsyncClient, skill: str
) -> None:
    answer = await api.post("/call", json={"skill": skill, "params": {}})
    assert answer.status_code == 404
    told = json.dumps({**answer.json(), "detail": ""})
    assert SECRET not in told and "move_money" not in told


async def test_a_name_that_is_clear_within_reach_can_be_called(api: httpx2.AsyncClient) -> None:
    answer = await api.post("/call", json={"skill": "list_things", "params": {}})
    assert answer.status_code == 200, answer.text


async def test_the_snapshot_knows_only_plugins_within_reach(api: httpx2.AsyncClient) -> None:
    own = await api.get("/snapshot")
    assert own.status_code == 200 and own.json()["plugin"]["name"] == "shop"
    other = await api.get("/snapshot?plugin=bank")
    assert other.status_code == 404
    assert SECRET not in other.json()["hint"]
